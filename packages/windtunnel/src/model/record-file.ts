/**
 * The file under a completion record: JSON lines, appended, found again by id. Owns bytes, order and torn ends; knows nothing of chats.
 * Rows stay on disk, so memory holds one entry per row whatever its size. Does not promise anything to two writers of one file.
 */
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 10;

/** What the file needs to know of a row. Rows of one `group` keep their order. */
export interface RowIndex {
  readonly id: string;
  readonly group: string;
}

interface Place {
  readonly start: number;
  readonly bytes: number;
}

export interface RecordFile {
  readonly rows: number;
  has(id: string): boolean;
  read(id: string): Promise<unknown>;
  readGroup(group: string): Promise<unknown[]>;
  /** Resolves when the line is with the operating system; rejects when it is not. */
  append(index: RowIndex, line: string): Promise<void>;
  close(): Promise<void>;
}

/** A record that cannot be used: `path` and `line` say where. */
export class RecordError extends Error {
  override readonly name = "RecordError";
  constructor(
    readonly code: "record_miss" | "record_corrupt" | "record_unreadable" | "record_unwritable",
    message: string,
    readonly facts: Readonly<Record<string, string | number>>,
  ) {
    super(`${code}: ${message}`);
  }
}

/**
 * Opens or, when `writable`, creates a file of rows. A last line without its line break was never acknowledged: it is dropped, and cut
 * off before anything is added. Any other line that `indexOf` cannot read throws RecordError `record_corrupt`.
 */
export async function openRecordFile(
  path: string,
  writable: boolean,
  indexOf: (row: unknown) => RowIndex | null,
): Promise<RecordFile> {
  const handle = await openHandle(path, writable);
  const places = new Map<string, Place>();
  const groups = new Map<string, Place[]>();
  let end = 0;
  let tail: Promise<void> = Promise.resolve();

  function enter({ id, group }: RowIndex, place: Place): void {
    places.set(id, place);
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [place]);
    else members.push(place);
  }

  async function readAt({ start, bytes }: Place): Promise<unknown> {
    const buffer = Buffer.allocUnsafe(bytes);
    await handle.read(buffer, 0, bytes, start);
    return JSON.parse(buffer.toString("utf8"));
  }

  try {
    let line = 0;
    for await (const { bytes, start } of linesOf(handle)) {
      line++;
      end = start + bytes.length + 1;
      const index = indexOf(parsed(bytes.toString("utf8")));
      if (index === null) {
        const advice = "restore the file, or remove that line to have its completion made anew";
        throw new RecordError("record_corrupt", `${path} line ${line} is not a recorded completion; ${advice}`, {
          path,
          line,
        });
      }
      enter(index, { start, bytes: bytes.length });
    }
    if (writable) await handle.truncate(end);
  } catch (error) {
    await handle.close();
    throw error;
  }

  return {
    get rows() {
      return places.size;
    },
    has: (id) => places.has(id),
    async read(id) {
      const place = places.get(id);
      return place === undefined ? undefined : readAt(place);
    },
    readGroup: (group) => Promise.all((groups.get(group) ?? []).map(readAt)),
    append(index, line) {
      const buffer = Buffer.from(`${line}\n`);
      const written = tail.then(async () => {
        const { bytesWritten } = await handle.write(buffer, 0, buffer.length, end);
        if (bytesWritten < buffer.length) {
          await handle.truncate(end);
          throw new RecordError("record_unwritable", `only part of a row fitted into ${path}`, { path });
        }
        enter(index, { start: end, bytes: buffer.length - 1 });
        end += buffer.length;
      });
      tail = written.catch(() => {});
      return written;
    },
    async close() {
      await tail;
      await handle.close();
    },
  };
}

async function openHandle(path: string, writable: boolean): Promise<FileHandle> {
  try {
    if (!writable) return await open(path, "r");
    await mkdir(dirname(path), { recursive: true });
    return await open(path, "r+").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return open(path, "wx+", 0o600);
    });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? "unknown";
    const advice = reason === "ENOENT" ? "; make a recording there first" : "";
    throw new RecordError("record_unreadable", `cannot open ${path} (${reason})${advice}`, { path, reason });
  }
}

/** Every line that ends in a line break, with the byte it starts at. */
async function* linesOf(handle: FileHandle): AsyncGenerator<{ bytes: Buffer; start: number }> {
  let held = Buffer.alloc(0);
  let heldFrom = 0;
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, heldFrom + held.length);
    if (bytesRead === 0) return;
    held = Buffer.concat([held, chunk.subarray(0, bytesRead)]);
    let from = 0;
    for (let at = held.indexOf(NEWLINE); at >= 0; at = held.indexOf(NEWLINE, from)) {
      yield { bytes: held.subarray(from, at), start: heldFrom + from };
      from = at + 1;
    }
    held = held.subarray(from);
    heldFrom += from;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
