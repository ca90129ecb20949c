/**
 * Group commit: turns batches of rollouts into bytes at once, compresses them off the thread, and writes those that are ready together in
 * one transaction. It holds bytes only: by the time a batch waits for the disk, its rollouts are free.
 */
import type { Rollout } from "../core/rollout.js";
import { Packer, type Placement, sealRollout, toPages } from "./chunk.js";
import type { Connection } from "./connection.js";
import { unknownRun } from "./failure.js";
import { type Cell, ROLLOUT_COLUMNS, toRolloutCells } from "./row.js";
import { toRolloutId } from "./store.js";

interface PackedRollout {
  readonly cells: readonly Cell[];
  readonly score: string;
  readonly rubricDigest: string;
  readonly pages: readonly (Placement & { readonly firstEvent: number; readonly eventCount: number })[];
}

interface PackedBatch {
  readonly run: string;
  readonly rollouts: readonly PackedRollout[];
  readonly chunks: Promise<readonly Buffer[]>;
}

interface ReadyBatch extends Omit<PackedBatch, "chunks"> {
  readonly chunks: readonly Buffer[];
  resolve(): void;
  reject(error: unknown): void;
}

export class GroupCommit {
  readonly #db: Connection;
  readonly #pending = new Set<Promise<void>>();
  readonly #ready: ReadyBatch[] = [];

  constructor(db: Connection) {
    this.#db = db;
  }

  /** Resolves when the batch is committed, whole. A rollout that is already there is left as it was. */
  commit(run: string, rollouts: readonly Rollout[]): Promise<void> {
    let work: Promise<void>;
    try {
      work = this.#keep(packBatch(run, rollouts));
    } catch (error) {
      return Promise.reject(error);
    }
    this.#pending.add(work);
    const done = () => void this.#pending.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when every batch given so far is committed or has failed. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }

  async #keep(batch: PackedBatch): Promise<void> {
    const chunks = await batch.chunks;
    await new Promise<void>((resolve, reject) => {
      this.#ready.push({ ...batch, chunks, resolve, reject });
      if (this.#ready.length === 1) setImmediate(() => this.#writeReady());
    });
  }

  /** If batches fail together each is tried alone, so that one cannot fail another. */
  #writeReady(): void {
    const batches = this.#ready.splice(0);
    const failure = this.#tryWrite(batches);
    if (failure === undefined) return;
    for (const batch of batches) {
      const alone = batches.length === 1 ? failure : this.#tryWrite([batch]);
      if (alone !== undefined) batch.reject(alone.error);
    }
  }

  #tryWrite(batches: readonly ReadyBatch[]): { readonly error: unknown } | undefined {
    try {
      const at = new Date().toISOString();
      this.#db.write(() => {
        for (const batch of batches) this.#insertBatch(batch, at);
      });
    } catch (error) {
      return { error };
    }
    for (const { resolve } of batches) resolve();
    return undefined;
  }

  #insertBatch({ run, rollouts, chunks }: ReadyBatch, at: string): void {
    const runKey = this.#db.get("SELECT key FROM runs WHERE id = ?", [run])?.key as number | undefined;
    if (runKey === undefined) throw unknownRun(run, this.#db.file);
    const chunkIds = new Map<number, number>();
    // A chunk that no new rollout needs is not written.
    const chunkIdOf = (chunk: number) => {
      let id = chunkIds.get(chunk);
      if (id === undefined) {
        const sql = "INSERT INTO chunks (run_key, bytes) VALUES (?, ?)";
        id = Number(this.#db.run(sql, [runKey, chunks[chunk]!]).lastInsertRowid);
        chunkIds.set(chunk, id);
      }
      return id;
    };
    for (const rollout of rollouts) this.#insert(runKey, rollout, at, chunkIdOf);
  }

  #insert(runKey: number, rollout: PackedRollout, at: string, chunkIdOf: (chunk: number) => number): void {
    const inserted = this.#db.run(INSERT_ROLLOUT, [runKey, ...rollout.cells]);
    if (inserted.changes === 0) return;
    const seq = Number(inserted.lastInsertRowid);
    this.#db.run(INSERT_SCORE, [seq, rollout.rubricDigest, rollout.score, at]);
    for (const [page, { firstEvent, eventCount, chunk, offset, length }] of rollout.pages.entries()) {
      this.#db.run(INSERT_PAGE, [seq, page, firstEvent, eventCount, chunkIdOf(chunk), offset, length]);
    }
  }
}

const INSERT_ROLLOUT = `
  INSERT INTO rollouts (run_key, ${ROLLOUT_COLUMNS.join(", ")}) VALUES (?${", ?".repeat(ROLLOUT_COLUMNS.length)})
  ON CONFLICT (run_key, task, attempt) DO NOTHING`;
const INSERT_SCORE = "INSERT INTO scores (rollout, rubric_digest, score, at) VALUES (?, ?, ?, ?)";
const INSERT_PAGE =
  "INSERT INTO pages (rollout, page, first_event, event_count, chunk, offset, length) VALUES (?, ?, ?, ?, ?, ?, ?)";

function packBatch(run: string, rollouts: readonly Rollout[]): PackedBatch {
  const packer = new Packer();
  const packed = rollouts.map((rollout) => pack(run, rollout, packer));
  return { run, rollouts: packed, chunks: packer.finish() };
}

function pack(run: string, rollout: Rollout, packer: Packer): PackedRollout {
  const pages = toPages(rollout.events);
  const score = JSON.stringify(rollout.score);
  const digest = sealRollout(pages, rollout.finalState, score);
  return {
    cells: toRolloutCells(toRolloutId(run, rollout.task.id, rollout.attempt), rollout, digest),
    score,
    rubricDigest: rollout.provenance.rubricDigest,
    pages: pages.map((page) => ({ ...packer.add(page), firstEvent: page.firstEvent, eventCount: page.eventCount })),
  };
}
