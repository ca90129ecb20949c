/**
 * The schema of the SQLite store, as numbered steps from the first version. Each step runs once, in its own transaction, whichever of
 * several processes opens the store first. It does not go back: a store written by a newer version is refused.
 */
import type Database from "libsql";
import { UsageError } from "../core/fault.js";

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** Marks a SQLite file as a Windtunnel store ("WTNL"). */
const APPLICATION_ID = 0x57544e4c;

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    // AUTOINCREMENT: keys of removed rows are never given out again, so a cached key cannot come to mean another row.
    sql: `
      CREATE TABLE runs (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        spec TEXT NOT NULL,
        status TEXT NOT NULL,
        created_at TEXT NOT NULL,
        finished_at TEXT,
        environment TEXT NOT NULL,
        environment_version TEXT NOT NULL,
        contract_digest TEXT NOT NULL,
        rubric_digest TEXT NOT NULL,
        agent TEXT NOT NULL,
        agent_version TEXT NOT NULL,
        wall_ms REAL NOT NULL DEFAULT 0
      );
      CREATE TABLE rollouts (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        run_key INTEGER NOT NULL,
        task TEXT NOT NULL,
        attempt INTEGER NOT NULL,
        archetype TEXT NOT NULL,
        family TEXT NOT NULL,
        split TEXT NOT NULL,
        agent TEXT NOT NULL,
        status TEXT NOT NULL,
        reward REAL,
        passed INTEGER,
        outcome TEXT,
        end_reason TEXT NOT NULL,
        final_state TEXT NOT NULL,
        digest TEXT NOT NULL,
        event_count INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        tool_calls INTEGER NOT NULL,
        tokens REAL NOT NULL,
        cost_usd REAL NOT NULL,
        wall_ms REAL NOT NULL,
        waited_ms REAL NOT NULL,
        rubric_digest TEXT NOT NULL,
        provenance TEXT NOT NULL,
        UNIQUE (run_key, task, attempt)
      );
      CREATE INDEX rollouts_by_result ON rollouts (run_key, status, passed);
      CREATE TABLE scores (
        rollout INTEGER NOT NULL,
        rubric_digest TEXT NOT NULL,
        score TEXT NOT NULL,
        at TEXT NOT NULL,
        UNIQUE (rollout, rubric_digest)
      );
      CREATE TABLE chunks (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        run_key INTEGER NOT NULL,
        bytes BLOB NOT NULL
      );
      CREATE INDEX chunks_by_run ON chunks (run_key);
      CREATE TABLE pages (
        rollout INTEGER NOT NULL,
        page INTEGER NOT NULL,
        first_event INTEGER NOT NULL,
        event_count INTEGER NOT NULL,
        chunk INTEGER NOT NULL,
        offset INTEGER NOT NULL,
        length INTEGER NOT NULL,
        PRIMARY KEY (rollout, page)
      ) WITHOUT ROWID;`,
  },
];

const numberOf = (db: Database.Database, pragma: string): number =>
  Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() as Record<string, unknown>)[0]);

/** Brings the open database up to the newest schema. Throws UsageError when it is newer, or is no Windtunnel store. */
export function migrate(db: Database.Database, file: string, steps: readonly Migration[] = MIGRATIONS): void {
  const newest = steps[steps.length - 1]?.version ?? 0;
  const version = checkOwner(db, file, newest);
  try {
    for (const step of steps) if (step.version > version) apply(db, step);
  } catch (error) {
    if (db.inTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** Says at which version the store is, without changing it. Throws UsageError when it belongs to another program or to a newer version. */
export function checkOwner(
  db: Database.Database,
  file: string,
  newest = MIGRATIONS[MIGRATIONS.length - 1]!.version,
): number {
  // One snapshot: another process may be making the store at this moment.
  db.exec("BEGIN");
  const version = numberOf(db, "user_version");
  const owner = numberOf(db, "application_id");
  const { n } = db.prepare("SELECT count(*) AS n FROM sqlite_master").get() as { n: number };
  db.exec("COMMIT");
  if (owner !== APPLICATION_ID) {
    if (owner !== 0 || version !== 0 || n > 0) {
      throw new UsageError({
        code: "not_a_store",
        what: "This SQLite database belongs to something else",
        path: file,
        expected: "a Windtunnel store, or no file",
        actual: `application id ${owner}, ${n} schema objects`,
        fix: "Choose another data directory; it was not changed.",
      });
    }
  }
  if (version > newest) {
    throw new UsageError({
      code: "newer_store",
      what: "This store was written by a newer Windtunnel",
      path: file,
      expected: `schema version ${newest} or older`,
      actual: String(version),
      fix: "Update Windtunnel, or choose another data directory; it was not changed.",
    });
  }
  return version;
}

function apply(db: Database.Database, step: Migration): void {
  db.exec("BEGIN IMMEDIATE");
  // Another process may have taken this step while this one waited for the lock.
  if (numberOf(db, "user_version") < step.version) {
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(step.sql);
    db.exec(`PRAGMA user_version = ${step.version}`);
  }
  db.exec("COMMIT");
}
