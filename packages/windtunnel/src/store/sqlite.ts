/**
 * The embedded store: one SQLite file in the data directory, shared by any number of processes on one machine (WAL, one writer at a
 * time). A commit survives the death of the process; against loss of power it keeps the file whole, not always the last commits.
 */
import { join, resolve } from "node:path";
import { Fault, UsageError } from "../core/fault.js";
import type { Rollout } from "../core/rollout.js";
import type { TraceEvent } from "../core/trace.js";
import { ChunkReader, fromPage, type Placement } from "./chunk.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { unknownRollout, unknownRun } from "./failure.js";
import { GroupCommit } from "./group-commit.js";
import { type Cell, ROLLOUT_COLUMNS, type SqlRow, toRolloutRecord, toRun, toStoredScore } from "./row.js";
import type {
  GradedRecord,
  RolloutQuery,
  RolloutRecord,
  Run,
  RunStatus,
  RunTotals,
  Store,
  StoredScore,
} from "./store.js";

/** Name of the database file in a data directory. */
export const STORE_FILE = "windtunnel.db";

export type StoreOptions = ConnectionOptions;

/** Opens the store in `dataDir`, making it when absent. Throws UsageError when the place cannot be used, and Fault when the store is damaged. */
export function openStore(dataDir: string, options: StoreOptions = {}): Store {
  return new SqliteStore(Connection.open(join(resolve(dataDir), STORE_FILE), options));
}

const SELECTED = ROLLOUT_COLUMNS.map((column) => `r.${column}`).join(", ");
const RECORDS_AT_ONCE = 256;
const GRADED_AT_ONCE = 64;

class SqliteStore implements Store {
  readonly #db: Connection;
  readonly #commits: GroupCommit;
  readonly #chunks = new ChunkReader();

  constructor(db: Connection) {
    this.#db = db;
    this.#commits = new GroupCommit(db);
  }

  createRun(run: Omit<Run, "finishedAt" | "wallMs" | "status">): void {
    const { id, spec, createdAt, environment, environmentVersion, contractDigest, rubricDigest, agent, agentVersion } =
      run;
    const { changes } = this.#db.run(
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
        path: this.#db.file,
        expected: "a new id",
        actual: id,
        fix: "Resume it, or choose another id.",
      });
    }
  }

  finishRun(id: string, status: RunStatus, addWallMs: number): void {
    const finishedAt = status === "running" ? null : new Date().toISOString();
    const { changes } = this.#db.run(
      "UPDATE runs SET status = ?, finished_at = ?, wall_ms = wall_ms + ? WHERE id = ?",
      [status, finishedAt, addWallMs, id],
    );
    if (changes === 0) throw unknownRun(id, this.#db.file);
  }

  run(id: string): Run | undefined {
    const row = this.#db.get("SELECT * FROM runs WHERE id = ?", [id]);
    return row === undefined ? undefined : toRun(row);
  }

  runs({ limit, environment }: { limit?: number; environment?: string } = {}): Run[] {
    const [where, args] = environment === undefined ? ["", []] : ["WHERE environment = ?", [environment]];
    return this.#db
      .all(`SELECT * FROM runs ${where} ORDER BY created_at DESC, key DESC LIMIT ?`, [...args, limit ?? -1])
      .map(toRun);
  }

  completed(run: string): Set<string> {
    const rows = this.#db.all(
      "SELECT task, attempt FROM rollouts WHERE run_key = (SELECT key FROM runs WHERE id = ?)",
      [run],
    );
    return new Set(rows.map(({ task, attempt }) => `${task} ${attempt}`));
  }

  completedAttempts(run: string, task: string): number[] {
    const sql =
      "SELECT attempt FROM rollouts WHERE run_key = (SELECT key FROM runs WHERE id = ?) AND task = ? ORDER BY attempt";
    return this.#db.all(sql, [run, task]).map(({ attempt }) => attempt as number);
  }

  totals(run: string): RunTotals {
    const row = this.#db.get(
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
    return this.#commits.commit(run, rollouts);
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
    const row = this.#db.get(
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
    if (seq === undefined) throw unknownRollout(rollout, this.#db.file);
    const end = Math.min(from + limit, Number.MAX_SAFE_INTEGER);
    const pages = this.#db.all(
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
        const row = this.#db.get("SELECT bytes FROM chunks WHERE id = ?", [chunk]);
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
        `the trace of rollout ${rollout} cannot be read (${this.#db.file}: ${why}); its score and the other rollouts can`,
        { cause },
      );
    }
  }

  score(rollout: string, rubricDigest?: string): StoredScore | undefined {
    const row = this.#db.get(
      `SELECT s.rubric_digest, s.score, s.at FROM scores s JOIN rollouts r ON r.seq = s.rollout
       WHERE r.id = ? AND s.rubric_digest = coalesce(?, r.rubric_digest)`,
      [rollout, rubricDigest ?? null],
    );
    return row === undefined ? undefined : toStoredScore(row, rollout);
  }

  scores(rollout: string): StoredScore[] {
    const sql =
      "SELECT rubric_digest, score, at FROM scores WHERE rollout = (SELECT seq FROM rollouts WHERE id = ?) ORDER BY rowid";
    return this.#db.all(sql, [rollout]).map((row) => toStoredScore(row, rollout));
  }

  addScores(scores: readonly StoredScore[]): void {
    this.#db.write(() => {
      for (const { rollout, rubricDigest, score, at } of scores) {
        const seq = this.#seqOf(rollout);
        if (seq === undefined) throw unknownRollout(rollout, this.#db.file);
        const sql =
          "INSERT INTO scores (rollout, rubric_digest, score, at) VALUES (?, ?, ?, ?) ON CONFLICT (rollout, rubric_digest) DO NOTHING";
        this.#db.run(sql, [seq, rubricDigest, JSON.stringify(score), at]);
      }
    });
  }

  removeRun(id: string): void {
    this.#db.write(() => {
      const key = this.#db.get("SELECT key FROM runs WHERE id = ?", [id])?.key as number | undefined;
      if (key === undefined) return;
      this.#db.run("DELETE FROM pages WHERE rollout IN (SELECT seq FROM rollouts WHERE run_key = ?)", [key]);
      this.#db.run("DELETE FROM scores WHERE rollout IN (SELECT seq FROM rollouts WHERE run_key = ?)", [key]);
      this.#db.run("DELETE FROM chunks WHERE run_key = ?", [key]);
      this.#db.run("DELETE FROM rollouts WHERE run_key = ?", [key]);
      this.#db.run("DELETE FROM runs WHERE key = ?", [key]);
    });
  }

  async close(): Promise<void> {
    await this.#commits.settle();
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
      if (seq === undefined) throw unknownRollout(query.after, this.#db.file);
      after = seq;
    }
    const sql = `SELECT r.seq, runs.id AS run, ${columns} FROM rollouts r JOIN runs ON runs.key = r.run_key ${join}
                 WHERE ${conditions.join(" AND ")} ORDER BY r.seq LIMIT ?`;
    for (let left = query.limit ?? Number.POSITIVE_INFINITY; left > 0; ) {
      const want = Math.min(left, atOnce);
      const rows = this.#db.all(sql, [...joinArgs, after, ...args, want]);
      yield* rows;
      if (rows.length < want) return;
      left -= rows.length;
      after = rows[rows.length - 1]!.seq as number;
    }
  }

  #seqOf(rollout: string): number | undefined {
    return this.#db.get("SELECT seq FROM rollouts WHERE id = ?", [rollout])?.seq as number | undefined;
  }
}
