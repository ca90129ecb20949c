/**
 * Traces as bytes: events become lines, lines become pages, pages of several rollouts share a compressed chunk. A long trace is many
 * pages in chunks of its own, so reading one page never costs the whole. Compression runs off the main thread.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import type { Score } from "../core/score.js";
import { parseTraceLine, type TraceEvent, toTraceLine } from "../core/trace.js";

const EVENTS_PER_PAGE = 1000;
const BYTES_PER_PAGE = 512 * 1024;
const PAGES_PER_CHUNK = 16;
const BYTES_PER_CHUNK = 1024 * 1024;

export interface Page {
  readonly firstEvent: number;
  readonly eventCount: number;
  /** UTF-8 lines, each ended by a newline. */
  readonly bytes: Buffer;
}

/** Cuts a trace into pages; an empty trace has none. */
export function* toPages(events: readonly TraceEvent[]): Generator<Page> {
  let text = "";
  let firstEvent = 0;
  for (let i = 0; i < events.length; i++) {
    text += `${toTraceLine(events[i]!)}\n`;
    if (i + 1 === events.length || i + 1 - firstEvent === EVENTS_PER_PAGE || text.length >= BYTES_PER_PAGE) {
      yield { firstEvent, eventCount: i + 1 - firstEvent, bytes: Buffer.from(text) };
      text = "";
      firstEvent = i + 1;
    }
  }
}

export function fromPage(bytes: Buffer): TraceEvent[] {
  return bytes
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map(parseTraceLine);
}

/** SHA-256 (hex) of a rollout's canonical bytes: its trace lines, its final state and its score, each ended by a newline. */
export function sealRollout(pages: Iterable<Page>, finalState: string, score: Score): string {
  const hash = createHash("sha256");
  for (const page of pages) hash.update(page.bytes);
  return hash.update(`${finalState}\n${JSON.stringify(score)}\n`).digest("hex");
}

/** Where a page lies once it is packed. */
export interface Placement {
  readonly chunk: number;
  readonly offset: number;
  readonly length: number;
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Packs pages into chunks in the order given and compresses each as soon as it is full. */
export class Packer {
  readonly #chunks: Promise<Buffer>[] = [];
  #open: Buffer[] = [];
  #size = 0;

  add({ bytes }: Page): Placement {
    if (this.#open.length >= PAGES_PER_CHUNK || (this.#open.length > 0 && this.#size + bytes.length > BYTES_PER_CHUNK))
      this.#close();
    const placement = { chunk: this.#chunks.length, offset: this.#size, length: bytes.length };
    this.#open.push(bytes);
    this.#size += bytes.length;
    return placement;
  }

  /** The compressed chunks, by the numbers that `add` gave. */
  finish(): Promise<Buffer[]> {
    if (this.#open.length > 0) this.#close();
    return Promise.all(this.#chunks);
  }

  #close(): void {
    const whole = this.#open.length === 1 ? this.#open[0]! : Buffer.concat(this.#open, this.#size);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: whole.length };
    this.#chunks.push(compress(whole, { params }));
    this.#open = [];
    this.#size = 0;
  }
}

const CACHED_CHUNKS = 4;

/** Decompressed chunks, the last few kept: neighbours in a run are read together. */
export class ChunkReader {
  readonly #recent = new Map<number, Promise<Buffer>>();

  /** The chunk `id`; `load` is asked for its compressed bytes only when it is not at hand. */
  read(id: number, load: () => Buffer): Promise<Buffer> {
    const known = this.#recent.get(id);
    const bytes = known ?? decompress(load());
    this.#recent.delete(id);
    this.#recent.set(id, bytes);
    bytes.catch(() => this.#recent.delete(id));
    if (this.#recent.size > CACHED_CHUNKS) this.#recent.delete(this.#recent.keys().next().value!);
    return bytes;
  }
}
