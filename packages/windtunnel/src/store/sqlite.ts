/**
 * The embedded store: one SQLite file in the data directory, shared by any number of processes on one machine (WAL, one writer at a
 * time). A commit survives the death of the process; against loss of power it keeps the file whole, not always the last commits.
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import Database from "libsql";
import { Fault, UsageError } from "../core/fault.js";
import type { Rollout } from "../core/rollout.js";
import type { TraceEvent } from "../core/trace.js";
import { ChunkReader, fromPage, Packer, type Placement, sealRollout, toPages } from "./chunk.js";
import { toStoreFailure } from "./failure.js";
import { checkOwner, migrate } from "./migrations.js";
import {
  type Cell,
  ROLLOUT_COLUMNS,
  type SqlRow,
  toRolloutCells,
  toRolloutRecord,
  toRun,
  toStoredScore,
} from "./row.js";
import {
  type GradedRecord,
  type RolloutQuery,
  type RolloutRecord,
  type Run,
  type RunStatus,
  type RunTotals,
  type Store,
  type StoredScore,
  toRolloutId,
} from "./store.js";

/** Name of the database file in a data directory. */
export const STORE_FILE = "windtunnel.db";

export interface StoreOptions {
  /** The store refuses to grow beyond this, as if the disk were full. */
  readonly maxBytes?: number;
  /** How long a write waits for another process's, ms. */
  readonly busyTimeoutMs?: number;
}

/** Opens the store in `dataDir`, making it when absent. Throws UsageError when the place cannot be used, and Fault when the store is damaged. */
export function openStore(dataDir: string, options: StoreOptions = {}): Store {
  const file = join(resolve(dataDir), STORE_FILE);
  let db: Database.Database | undefined;
  const busyTimeoutMs = options.busyTimeoutMs ?? 10_000;
  try {
    makeDirectory(dirname(file));
    checkWhole(file);
    db = new Database(file);
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    checkOwner(db, file);
    useWriteAheadLog(db, busyTimeoutMs);
    db.exec("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 4000");
    migrate(db, file);
    if (options.maxBytes !== undefined) db.exec(`PRAGMA max_page_count = ${Math.ceil(options.maxBytes / 4096)}`);
    return new SqliteStore(db, file);
  } catch (error) {
    db?.close();
    throw toStoreFailure(error, file);
  }
}

/** Level by level: on some file systems that refuse directories, Node's recursive form never returns. */
function makeDirectory(dir: string): void {
  if (existsSync(dir)) return;
  makeDirectory(dirname(dir));
  try {
    mkdirSync(dir);
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  }
}

/** SQLite would take an emptied file for a new store and delete the log beside it, which holds what was committed. */
function checkWhole(file: string): void {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size;
  if (sizeOf(file) === 0 && (sizeOf(`${file}-wal`) ?? 0) > 0) {
    throw Object.assign(new Error("the file is empty but its write-ahead log is not"), { code: "SQLITE_CORRUPT" });
  }
}

/** Two processes that open a new store at once can meet here, and SQLite does not always wait by itself. */
function useWriteAheadLog(db: Database.Database, busyTimeoutMs: number): void {
  const giveUpAt = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      db.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== "SQLITE_BUSY" || performance.now() > giveUpAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

interface PackedRollout {
  readonly cells: readonly Cell[];
  readonly score: string;
  readonly rubricDigest: string;
  readonly pages: readonly (Placement & { readonly firstEvent: number; readonly eventCount: number })[];
}

const SELECTED = ROLLOUT_COLUMNS.map((column) => `r.${column}`).join(", ");
const RECORDS_AT_ONCE = 256;
const GRADED_AT_ONCE = 64;

class SqliteStore implements Store {
  readonly #db: Database.Database;
  readonly #file: string;
  readonly #statements = new Map<string, ReturnType<Database.Database["prepare"]>>();
  readonly #chunks = new ChunkReader();
  readonly #committing = new Set<Promise<void>>();
  #closed = false;

  constructor(db: Database.Database, file: string) {
    this.#db = db;
    this.#file = file;
  }

  createRun(run: Omit<Run, "finishedAt" | "wallMs" | "status">): void {
    const { id, spec, createdAt, environment, environmentVersion, contractDigest, rubricDigest, agent, agentVersion } =
      run;
    const { changes } = this.#run(
      `INSERT INTO runs (id, spec, status, created_at, environment, environment_version, contract_digest, rubric_digest, agent, agent_version)
       VALUES (?, ?, 'running', ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
      [
        id,
        JSON.stringify(spec),
        createdAt,
        environment,
        environmentVersion,
        contractDigest,
        rubricDigest,
        agent,
        agentVersion,
      ],
    );
    if (changes === 0) {
      throw new UsageError({
        code: "run_exists",
        what: "A run of this name exists",
        path: this.#file,
        expected: "a new id",
        actual: id,
        fix: "Resume it, or choose another id.",
      });
    }
  }

  finishRun(id: string, status: RunStatus, addWallMs: number): void {
    const finishedAt = status === "running" ? null : new Date().toISOString();
    const { changes } = this.#run("UPDATE runs SET status = ?, finished_at = ?, wall_ms = wall_ms + ? WHERE id = ?", [
      status,
      finishedAt,
      addWallMs,
      id,
    ]);
    if (changes === 0) throw this.#unknownRun(id);
  }

  run(id: string): Run | undefined {
    const row = this.#get("SELECT * FROM runs WHERE id = ?", [id]);
    return row === undefined ? undefined : toRun(row);
  }

  runs({ limit, environment }: { limit?: number; environment?: string } = {}): Run[] {
    const [where, args] = environment === undefined ? ["", []] : ["WHERE environment = ?", [environment]];
    return this.#all(`SELECT * FROM runs ${where} ORDER BY created_at DESC, key DESC LIMIT ?`, [
      ...args,
      limit ?? -1,
    ]).map(toRun);
  }

  completed(run: string): Set<string> {
    const rows = this.#all("SELECT task, attempt FROM rollouts WHERE run_key = (SELECT key FROM runs WHERE id = ?)", [
      run,
    ]);
    return new Set(rows.map(({ task, attempt }) => `${task} ${attempt}`));
  }

  completedAttempts(run: string, task: string): number[] {
    const sql =
      "SELECT attempt FROM rollouts WHERE run_key = (SELECT key FROM runs WHERE id = ?) AND task = ? ORDER BY attempt";
    return this.#all(sql, [run, task]).map(({ attempt }) => attempt as number);
  }

  totals(run: string): RunTotals {
    const row = this.#get(
      `SELECT count(*) AS completed, total(status = 'scored') AS scored, total(status = 'unscored') AS unscored,
              total(status = 'errored') AS errored, total(status = 'cancelled') AS cancelled, total(passed) AS passed,
              total(reward) AS reward_sum, total(tokens) AS tokens, total(cost_usd) AS cost_usd
       FROM rollouts WHERE run_key = (SELECT key FROM runs WHERE id = ?)`,
      [run],
    )! as Readonly<Record<string, number>>;
    const { completed, scored, unscored, errored, cancelled, passed, tokens } = row as unknown as RunTotals;
    return {
      completed,
      scored,
      unscored,
      errored,
      cancelled,
      passed,
      rewardSum: row.reward_sum!,
      tokens,
      costUsd: row.cost_usd!,
    };
  }

  commit(run: string, rollouts: readonly Rollout[]): Promise<void> {
    const work = this.#commit(run, rollouts);
    this.#committing.add(work);
    const done = () => void this.#committing.delete(work);
    work.then(done, done);
    return work;
  }

  async #commit(run: string, rollouts: readonly Rollout[]): Promise<void> {
    const packer = new Packer();
    const packed = rollouts.map((rollout) => pack(run, rollout, packer));
    const chunks = await packer.finish();
    this.#write(() => {
      const runKey = this.#get("SELECT key FROM runs WHERE id = ?", [run])?.key as number | undefined;
      if (runKey === undefined) throw this.#unknownRun(run);
      const at = new Date().toISOString();
      const chunkIds = new Map<number, number>();
      for (const rollout of packed) this.#insert(runKey, rollout, at, chunks, chunkIds);
    });
  }

  /** A rollout that is already there is left as it was, and a chunk that no new rollout needs is not written. */
  #insert(
    runKey: number,
    { cells, score, rubricDigest, pages }: PackedRollout,
    at: string,
    chunks: readonly Buffer[],
    chunkIds: Map<number, number>,
  ): void {
    const inserted = this.#run(
      `INSERT INTO rollouts (run_key, ${ROLLOUT_COLUMNS.join(", ")}) VALUES (?${", ?".repeat(ROLLOUT_COLUMNS.length)})
       ON CONFLICT (run_key, task, attempt) DO NOTHING`,
      [runKey, ...cells],
    );
    if (inserted.changes === 0) return;
    const rollout = Number(inserted.lastInsertRowid);
    this.#run("INSERT INTO scores (rollout, rubric_digest, score, at) VALUES (?, ?, ?, ?)", [
      rollout,
      rubricDigest,
      score,
      at,
    ]);
    for (const [page, { firstEvent, eventCount, chunk, offset, length }] of pages.entries()) {
      let chunkId = chunkIds.get(chunk);
      if (chunkId === undefined) {
        chunkId = Number(
          this.#run("INSERT INTO chunks (run_key, bytes) VALUES (?, ?)", [runKey, chunks[chunk]!]).lastInsertRowid,
        );
        chunkIds.set(chunk, chunkId);
      }
      const sql =
        "INSERT INTO pages (rollout, page, first_event, event_count, chunk, offset, length) VALUES (?, ?, ?, ?, ?, ?, ?)";
      this.#run(sql, [rollout, page, firstEvent, eventCount, chunkId, offset, length]);
    }
  }

  *rollouts(query: RolloutQuery): Generator<RolloutRecord> {
    for (const row of this.#scan(query, SELECTED, "", [], RECORDS_AT_ONCE))
      yield toRolloutRecord(row, row.run as string);
  }

  *graded(query: RolloutQuery, rubricDigest?: string): Generator<GradedRecord> {
    const join = "JOIN scores s ON s.rollout = r.seq AND s.rubric_digest = coalesce(?, r.rubric_digest)";
    for (const row of this.#scan(query, `${SELECTED}, s.score`, join, [rubricDigest ?? null], GRADED_AT_ONCE)) {
      yield { record: toRolloutRecord(row, row.run as string), score: JSON.parse(row.score as string) };
    }
  }

  rollout(id: string): RolloutRecord | undefined {
    const row = this.#get(
      `SELECT ${SELECTED}, runs.id AS run FROM rollouts r JOIN runs ON runs.key = r.run_key WHERE r.id = ?`,
      [id],
    );
    return row === undefined ? undefined : toRolloutRecord(row, row.run as string);
  }

  async events(
    rollout: string,
    { from = 0, limit = Number.POSITIVE_INFINITY }: { from?: number; limit?: number } = {},
  ): Promise<TraceEvent[]> {
    const seq = this.#seqOf(rollout);
    if (seq === undefined) throw this.#unknownRollout(rollout);
    const end = Math.min(from + limit, Number.MAX_SAFE_INTEGER);
    const pages = this.#all(
      "SELECT first_event, chunk, offset, length FROM pages WHERE rollout = ? AND first_event < ? AND first_event + event_count > ? ORDER BY page",
      [seq, end, from],
    ) as unknown as { first_event: number; chunk: number; offset: number; length: number }[];
    const events: TraceEvent[] = [];
    for (const page of pages) {
      const read = await this.#readPage(rollout, page);
      const first = Math.max(0, from - page.first_event);
      const last = Math.min(read.length, end - page.first_event);
      for (let i = first; i < last; i++) events.push(read[i]!);
    }
    return events;
  }

  async #readPage(rollout: string, { chunk, offset, length }: Placement): Promise<TraceEvent[]> {
    try {
      const bytes = await this.#chunks.read(chunk, () => {
        const row = this.#get("SELECT bytes FROM chunks WHERE id = ?", [chunk]);
        if (row === undefined) throw new Error(`chunk ${chunk} is missing`);
        return Buffer.from(row.bytes as Uint8Array);
      });
      if (bytes.length < offset + length) throw new Error(`chunk ${chunk} is cut short`);
      return fromPage(bytes.subarray(offset, offset + length));
    } catch (cause) {
      if (cause instanceof Fault || cause instanceof UsageError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Fault(
        "store",
        "corrupt",
        `the trace of rollout ${rollout} cannot be read (${this.#file}: ${why}); its score and the other rollouts can`,
        { cause },
      );
    }
  }

  score(rollout: string, rubricDigest?: string): StoredScore | undefined {
    const row = this.#get(
      `SELECT s.rubric_digest, s.score, s.at FROM scores s JOIN rollouts r ON r.seq = s.rollout
       WHERE r.id = ? AND s.rubric_digest = coalesce(?, r.rubric_digest)`,
      [rollout, rubricDigest ?? null],
    );
    return row === undefined ? undefined : toStoredScore(row, rollout);
  }

  scores(rollout: string): StoredScore[] {
    const sql =
      "SELECT rubric_digest, score, at FROM scores WHERE rollout = (SELECT seq FROM rollouts WHERE id = ?) ORDER BY rowid";
    return this.#all(sql, [rollout]).map((row) => toStoredScore(row, rollout));
  }

  addScores(scores: readonly StoredScore[]): void {
    this.#write(() => {
      for (const { rollout, rubricDigest, score, at } of scores) {
        const seq = this.#seqOf(rollout);
        if (seq === undefined) throw this.#unknownRollout(rollout);
        const sql =
          "INSERT INTO scores (rollout, rubric_digest, score, at) VALUES (?, ?, ?, ?) ON CONFLICT (rollout, rubric_digest) DO NOTHING";
        this.#run(sql, [seq, rubricDigest, JSON.stringify(score), at]);
      }
    });
  }

  removeRun(id: string): void {
    this.#write(() => {
      const key = this.#get("SELECT key FROM runs WHERE id = ?", [id])?.key as number | undefined;
      if (key === undefined) return;
      this.#run("DELETE FROM pages WHERE rollout IN (SELECT seq FROM rollouts WHERE run_key = ?)", [key]);
      this.#run("DELETE FROM scores WHERE rollout IN (SELECT seq FROM rollouts WHERE run_key = ?)", [key]);
      this.#run("DELETE FROM chunks WHERE run_key = ?", [key]);
      this.#run("DELETE FROM rollouts WHERE run_key = ?", [key]);
      this.#run("DELETE FROM runs WHERE key = ?", [key]);
    });
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#committing);
    if (this.#closed) return;
    this.#closed = true;
    this.#statements.clear();
    // Best effort: the one file then holds everything, also while another process goes on reading.
    this.#db.exec("PRAGMA busy_timeout = 0");
    this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    this.#db.close();
  }

  /** Rows in order of commit, a bounded number at a time, so that other statements may run between them. */
  *#scan(
    query: RolloutQuery,
    columns: string,
    join: string,
    joinArgs: readonly Cell[],
    atOnce: number,
  ): Generator<SqlRow> {
    const conditions = ["r.seq > ?"];
    const args: Cell[] = [];
    const equal = (sql: string, value: Cell | undefined) => {
      if (value === undefined) return;
      conditions.push(sql);
      args.push(value);
    };
    equal("r.run_key = (SELECT key FROM runs WHERE id = ?)", query.run);
    equal("r.status = ?", query.status);
    equal("r.passed = ?", query.passed === undefined ? undefined : Number(query.passed));
    equal("r.archetype = ?", query.archetype);
    equal("r.task = ?", query.task);
    let after = 0;
    if (query.after !== undefined) {
      const seq = this.#seqOf(query.after);
      if (seq === undefined) throw this.#unknownRollout(query.after);
      after = seq;
    }
    const sql = `SELECT r.seq, runs.id AS run, ${columns} FROM rollouts r JOIN runs ON runs.key = r.run_key ${join}
                 WHERE ${conditions.join(" AND ")} ORDER BY r.seq LIMIT ?`;
    for (let left = query.limit ?? Number.POSITIVE_INFINITY; left > 0; ) {
      const want = Math.min(left, atOnce);
      const rows = this.#all(sql, [...joinArgs, after, ...args, want]);
      yield* rows;
      if (rows.length < want) return;
      left -= rows.length;
      after = rows[rows.length - 1]!.seq as number;
    }
  }

  #seqOf(rollout: string): number | undefined {
    return this.#get("SELECT seq FROM rollouts WHERE id = ?", [rollout])?.seq as number | undefined;
  }

  #write(work: () => void): void {
    this.#guard(() => {
      this.#db.exec("BEGIN IMMEDIATE");
      try {
        work();
        this.#db.exec("COMMIT");
      } catch (error) {
        if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
        throw error;
      }
    });
  }

  #run(sql: string, args: readonly Cell[]): Database.RunResult {
    return this.#guard(() => this.#prepared(sql).run(args));
  }

  #get(sql: string, args: readonly Cell[]): SqlRow | undefined {
    return this.#guard(() => this.#prepared(sql).get(args)) as SqlRow | undefined;
  }

  #all(sql: string, args: readonly Cell[]): SqlRow[] {
    return this.#guard(() => this.#prepared(sql).all(args)) as SqlRow[];
  }

  #prepared(sql: string) {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #guard<T>(work: () => T): T {
    if (this.#closed) throw new Fault("store", "closed", `the store ${this.#file} is closed`);
    try {
      return work();
    } catch (error) {
      throw toStoreFailure(error, this.#file);
    }
  }

  #unknownRun(id: string): UsageError {
    return new UsageError({
      code: "unknown_run",
      what: "No such run",
      path: this.#file,
      expected: "the id of a run in this store",
      actual: id,
      fix: "List runs with `windtunnel list`.",
    });
  }

  #unknownRollout(id: string): UsageError {
    return new UsageError({
      code: "unknown_rollout",
      what: "No such rollout",
      path: this.#file,
      expected: "the id of a rollout in this store",
      actual: id,
      fix: "List rollouts with `windtunnel show RUN`.",
    });
  }
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
