/**
 * Traces as bytes: a page is a JSON array of consecutive events, and pages of several rollouts share a compressed chunk. A long trace is
 * many pages in chunks of its own, so reading one page never costs the whole. Compression runs off the main thread.
 */
import { createHash, hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import type { TraceEvent } from "../core/trace.js";

const EVENTS_PER_PAGE = 1000;
const BYTES_PER_PAGE = 512 * 1024;
const PAGES_PER_CHUNK = 16;
const BYTES_PER_CHUNK = 1024 * 1024;
/** Room for what a usual chunk compresses to, so that it comes out in one piece. */
const COMPRESSED_PIECE = 64 * 1024;

export interface Page {
  readonly firstEvent: number;
  readonly eventCount: number;
  /** UTF-8. */
  readonly bytes: Buffer;
}

/** Cuts a trace into pages; an empty trace has none. */
export function toPages(events: readonly TraceEvent[]): Page[] {
  const pages: Page[] = [];
  for (let from = 0; from < events.length; from += EVENTS_PER_PAGE) {
    addPages(pages, from, events.length <= EVENTS_PER_PAGE ? events : events.slice(from, from + EVENTS_PER_PAGE));
  }
  return pages;
}

/** One call stringifies a page; one that comes out too long is halved, down to single events. */
function addPages(pages: Page[], firstEvent: number, events: readonly TraceEvent[]): void {
  const text = toText(events);
  if (events.length > 1 && (text === undefined || text.length > BYTES_PER_PAGE)) {
    const half = events.length >> 1;
    addPages(pages, firstEvent, events.slice(0, half));
    addPages(pages, firstEvent + half, events.slice(half));
    return;
  }
  if (text === undefined) throw new RangeError(`event ${firstEvent} is too large to keep`);
  pages.push({ firstEvent, eventCount: events.length, bytes: Buffer.from(text) });
}

/** Undefined when no string can hold it. */
function toText(events: readonly TraceEvent[]): string | undefined {
  try {
    return JSON.stringify(events);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export const fromPage = (bytes: Buffer): TraceEvent[] => JSON.parse(bytes.toString()) as TraceEvent[];

const COMMA = Buffer.from(",");

/**
 * SHA-256 (hex) of a rollout's canonical bytes: the JSON array of its events, its final state and its score as JSON, each ended by a
 * newline. How the trace was cut into pages leaves no mark on it.
 */
export function sealRollout(pages: readonly Page[], finalState: string, score: string): string {
  const rest = `\n${finalState}\n${score}\n`;
  if (pages.length === 1) return hash("sha256", Buffer.concat([pages[0]!.bytes, Buffer.from(rest)]), "hex");
  const whole = createHash("sha256").update("[");
  for (const [i, { bytes }] of pages.entries()) {
    if (i > 0) whole.update(COMMA);
    whole.update(bytes.subarray(1, -1));
  }
  return whole.update(`]${rest}`).digest("hex");
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
    this.#chunks.push(compress(whole, { params, chunkSize: COMPRESSED_PIECE }));
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
