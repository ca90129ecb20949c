/**
 * Connection: one open SQLite file of a store, with statements prepared once and every failure put in words (see failure.ts).
 * It knows nothing of what is stored.
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { Fault } from "../core/fault.js";
import { toStoreFailure } from "./failure.js";
import { checkOwner, migrate } from "./migrations.js";
import type { Cell, SqlRow } from "./row.js";

export interface ConnectionOptions {
  /** The file refuses to grow beyond this, as if the disk were full. */
  readonly maxBytes?: number;
  /** How long a write waits for another process's, ms. */
  readonly busyTimeoutMs?: number;
}

export class Connection {
  readonly file: string;
  readonly #db: Database.Database;
  readonly #statements = new Map<string, ReturnType<Database.Database["prepare"]>>();
  #closed = false;

  private constructor(db: Database.Database, file: string) {
    this.#db = db;
    this.file = file;
  }

  /** Opens the file, making it and its directory when absent, and brings its schema up to date. */
  static open(file: string, { maxBytes, busyTimeoutMs = 10_000 }: ConnectionOptions): Connection {
    let db: Database.Database | undefined;
    try {
      makeDirectory(dirname(file));
      checkWhole(file);
      db = new Database(file);
      db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      checkOwner(db, file);
      useWriteAheadLog(db, busyTimeoutMs);
      db.exec("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384");
      migrate(db, file);
      if (maxBytes !== undefined) db.exec(`PRAGMA max_page_count = ${Math.ceil(maxBytes / 4096)}`);
      return new Connection(db, file);
    } catch (error) {
      db?.close();
      throw toStoreFailure(error, file);
    }
  }

  run(sql: string, args: readonly Cell[]): Database.RunResult {
    return this.#guard(() => this.#prepared(sql).run(args));
  }

  get(sql: string, args: readonly Cell[]): SqlRow | undefined {
    return this.#guard(() => this.#prepared(sql).get(args)) as SqlRow | undefined;
  }

  all(sql: string, args: readonly Cell[]): SqlRow[] {
    return this.#guard(() => this.#prepared(sql).all(args)) as SqlRow[];
  }

  /** One transaction: all of `work` or nothing of it. */
  write(work: () => void): void {
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

  /** No-op once closed. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#statements.clear();
    // Best effort: the one file then holds everything, also while another process goes on reading.
    try {
      this.#db.exec("PRAGMA busy_timeout = 0");
      this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // A full or read-only disk: what is committed stays in the log beside the file, and the error that matters has been told.
    }
    this.#db.close();
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
    if (this.#closed) throw new Fault("store", "closed", `the store ${this.file} is closed`);
    try {
      return work();
    } catch (error) {
      throw toStoreFailure(error, this.file);
    }
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
