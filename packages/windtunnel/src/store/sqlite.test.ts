import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterAll, describe, expect, it } from "vitest";
import { Fault, UsageError } from "../core/fault.js";
import { fromPage, sealRollout, toPages } from "./chunk.js";
import { toStoreFailure } from "./failure.js";
import { MIGRATIONS, migrate } from "./migrations.js";
import { openStore, STORE_FILE } from "./sqlite.js";
import { eventsOf, rolloutOf, runOf } from "./store.fixture.js";
import { toRolloutId } from "./store.js";
import { storeSuite } from "./store.suite.js";

const made: string[] = [];
function newDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "windtunnel-store-"));
  made.push(dir);
  return dir;
}
afterAll(() => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
});

storeSuite("SQLite store", () => {
  const dir = newDir();
  return { open: () => openStore(dir), discard: () => rmSync(dir, { recursive: true, force: true }) };
});

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("opening a place that cannot be a store", () => {
  it("refuses a file that is no database, names it and leaves it", () => {
    const dir = newDir();
    const file = join(dir, STORE_FILE);
    writeFileSync(file, "my holiday pictures\n".repeat(500));
    const before = readFileSync(file);
    const failure = failureOf(() => openStore(dir));
    expect(failure).toBeInstanceOf(UsageError);
    expect(failure).toMatchObject({ code: "not_a_store", path: file });
    expect(readFileSync(file)).toEqual(before);
  });

  it("refuses another program's database and leaves its tables", () => {
    const dir = newDir();
    const other = new Database(join(dir, STORE_FILE));
    other.exec("CREATE TABLE recipes (id INTEGER)");
    other.close();
    expect(failureOf(() => openStore(dir))).toMatchObject({ code: "not_a_store" });
    const again = new Database(join(dir, STORE_FILE));
    expect(again.prepare("SELECT name FROM sqlite_master").all()).toEqual([{ name: "recipes" }]);
    again.close();
  });

  it("refuses a store of a newer version and says which", async () => {
    const dir = newDir();
    await openStore(dir).close();
    const db = new Database(join(dir, STORE_FILE));
    db.exec("PRAGMA user_version = 99");
    db.close();
    expect(failureOf(() => openStore(dir))).toMatchObject({ code: "newer_store", actual: "99" });
  });

  it("refuses a data directory that is a file, or lies under one", () => {
    const file = join(newDir(), "notes.txt");
    writeFileSync(file, "x");
    for (const place of [file, join(file, "deeper")])
      expect(failureOf(() => openStore(place))).toMatchObject({ code: "store_not_writable" });
  });

  it("refuses a place on a file system that cannot be written", () => {
    expect(failureOf(() => openStore("/proc/windtunnel-store"))).toMatchObject({ code: "store_not_writable" });
  });
});

describe("migrations", () => {
  it("take a store from the first version to the newest, each step once, keeping what is there", () => {
    const file = join(newDir(), "steps.db");
    const db = new Database(file);
    migrate(db, file, MIGRATIONS.slice(0, 1));
    db.exec("INSERT INTO chunks (run_key, bytes) VALUES (1, x'00')");
    const next = [
      ...MIGRATIONS,
      { version: 1_000, sql: "ALTER TABLE chunks ADD COLUMN note TEXT; CREATE TABLE extra (a)" },
    ];
    migrate(db, file, next);
    migrate(db, file, next);
    expect(db.prepare("SELECT id, note FROM chunks").all()).toEqual([{ id: 1, note: null }]);
    db.close();
  });

  it("leave the store at the version before a step that fails", () => {
    const file = join(newDir(), "steps.db");
    const db = new Database(file);
    const broken = [...MIGRATIONS, { version: 1_000, sql: "CREATE TABLE extra (a); CREATE TABLE runs (a)" }];
    expect(() => migrate(db, file, broken)).toThrow(/runs already exists/);
    expect(db.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'extra'").get()).toMatchObject({ n: 0 });
    migrate(db, file);
    db.close();
  });
});

describe("a store that breaks in use", () => {
  it("says the disk is full, keeps nothing of that batch and all of those before", async () => {
    const dir = newDir();
    const store = openStore(dir, { maxBytes: 400_000 });
    store.createRun(runOf("run-1"));
    let kept = 0;
    const failure = await (async () => {
      for (;;) {
        const noise = Array.from({ length: 200 }, (_, i) => ({
          ...eventsOf(1)[0]!,
          seq: i,
          text: Math.sin(kept * 1e3 + i)
            .toString(36)
            .repeat(9),
        }));
        await store.commit("run-1", [rolloutOf(`t/${kept}`, 0, { events: noise as never }), rolloutOf(`t/${kept}`, 1)]);
        kept++;
      }
    })().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Fault);
    expect(failure).toMatchObject({
      boundary: "store",
      code: "disk_full",
      message: expect.stringContaining("resume the run"),
    });
    expect(kept).toBeGreaterThan(3);
    expect(store.totals("run-1").completed).toBe(2 * kept);
    await store.close();
    const roomier = openStore(dir);
    await roomier.commit("run-1", [rolloutOf("later", 0)]);
    expect(roomier.totals("run-1").completed).toBe(2 * kept + 1);
    await roomier.close();
  });

  it("says another process holds the lock, and keeps nothing of the batch", async () => {
    const dir = newDir();
    const store = openStore(dir, { busyTimeoutMs: 50 });
    store.createRun(runOf("run-1"));
    const other = new Database(join(dir, STORE_FILE));
    other.exec("BEGIN IMMEDIATE");
    await expect(store.commit("run-1", [rolloutOf("a", 0)])).rejects.toMatchObject({ boundary: "store", code: "busy" });
    other.exec("ROLLBACK");
    other.close();
    expect(store.totals("run-1").completed).toBe(0);
    await store.close();
  });

  it("says a cut-off file is damaged instead of answering with less", async () => {
    const dir = newDir();
    const store = openStore(dir);
    store.createRun(runOf("run-1"));
    await store.commit(
      "run-1",
      Array.from({ length: 500 }, (_, i) => rolloutOf(`t/${i}`, 0)),
    );
    await store.close();
    const file = join(dir, STORE_FILE);
    truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096);
    const failure = failureOf(() => {
      const cut = openStore(dir);
      return [...cut.rollouts({ run: "run-1" })];
    });
    expect(failure).toBeInstanceOf(Fault);
    expect(failure).toMatchObject({ boundary: "store", code: "corrupt", message: expect.stringContaining(".recover") });
  });

  it("does not take an emptied file for a new store while its log still holds what was committed", () => {
    const dir = newDir();
    writeFileSync(join(dir, STORE_FILE), "");
    writeFileSync(join(dir, `${STORE_FILE}-wal`), "committed work");
    expect(failureOf(() => openStore(dir))).toMatchObject({ boundary: "store", code: "corrupt" });
    expect(readFileSync(join(dir, `${STORE_FILE}-wal`), "utf8")).toBe("committed work");
  });

  it("says which trace is damaged, and still gives its score and the other traces", async () => {
    const dir = newDir();
    const store = openStore(dir);
    store.createRun(runOf("run-1"));
    await store.commit("run-1", [rolloutOf("a", 0)]);
    await store.commit("run-1", [rolloutOf("b", 0)]);
    await store.close();
    const db = new Database(join(dir, STORE_FILE));
    db.exec("UPDATE chunks SET bytes = x'ffffffff' WHERE id = 1");
    db.close();
    const damaged = openStore(dir);
    const id = toRolloutId("run-1", "a", 0);
    await expect(damaged.events(id)).rejects.toMatchObject({
      boundary: "store",
      code: "corrupt",
      message: expect.stringContaining(id),
    });
    expect(damaged.score(id)?.score.status).toBe("scored");
    expect(await damaged.events(toRolloutId("run-1", "b", 0))).toHaveLength(3);
    await damaged.close();
  });

  it("tells apart what the disk and the file system answer", () => {
    const coded = (code: string) => Object.assign(new Error("said the system"), { code });
    expect(toStoreFailure(coded("SQLITE_IOERR_WRITE"), "f")).toMatchObject({ boundary: "store", code: "io" });
    expect(toStoreFailure(coded("SQLITE_READONLY_DIRECTORY"), "f")).toMatchObject({ code: "store_not_writable" });
    expect(toStoreFailure(coded("ENOSPC"), "f")).toMatchObject({ boundary: "store", code: "disk_full" });
    expect(toStoreFailure(new Error("odd"), "f")).toMatchObject({ boundary: "store", code: "unexpected" });
  });
});

describe("the seal of a rollout", () => {
  it("is the SHA-256 of its events, final state and score as JSON, however the trace was cut into pages", () => {
    for (const count of [0, 1, 999, 1_000, 1_001, 5_000]) {
      const events = eventsOf(count, count === 5_000 ? "λ".repeat(500) : "short");
      const expected = createHash("sha256")
        .update(`${JSON.stringify(events)}\nstate\n{"a":1}\n`)
        .digest("hex");
      const pages = toPages(events);
      expect(sealRollout(pages, "state", '{"a":1}')).toBe(expected);
      expect(pages.flatMap(({ bytes }) => fromPage(bytes))).toEqual(events);
      expect(pages.every(({ bytes }) => bytes.length < 2_000_000)).toBe(true);
    }
  });
});

describe("SQLite store on disk", () => {
  it("does not touch the rest of a long trace to read its first page", async () => {
    const dir = newDir();
    const store = openStore(dir);
    store.createRun(runOf("run-1"));
    await store.commit("run-1", [rolloutOf("long", 0, { events: eventsOf(20_000) })]);
    await store.close();
    const db = new Database(join(dir, STORE_FILE));
    const chunks = db.prepare("SELECT count(*) AS n FROM chunks").get() as { n: number };
    expect(chunks.n).toBeGreaterThan(1);
    db.exec("UPDATE chunks SET bytes = x'ffffffff' WHERE id > 1");
    db.close();
    const damaged = openStore(dir);
    expect(await damaged.events(toRolloutId("run-1", "long", 0), { limit: 100 })).toEqual(eventsOf(100));
    await damaged.close();
  });

  it("lets a copy of a closed store be opened elsewhere", async () => {
    const dir = newDir();
    const store = openStore(dir);
    store.createRun(runOf("run-1"));
    await store.commit("run-1", [rolloutOf("a", 0)]);
    await store.close();
    const copy = newDir();
    copyFileSync(join(dir, STORE_FILE), join(copy, STORE_FILE));
    const opened = openStore(copy);
    expect(opened.totals("run-1").completed).toBe(1);
    await opened.close();
  });
});
