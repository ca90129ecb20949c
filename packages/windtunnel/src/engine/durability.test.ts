/** What happens to a run when its process is killed, and when two processes write to one store: with real processes and real kills. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../core/random.js";
import { openStore } from "../store/sqlite.js";
import { digestsOf, openDesk, runDesk } from "./desk.fixture.js";

const cache = fileURLToPath(new URL("../../../../node_modules/.cache/", import.meta.url));
let dir: string;
let program: string;

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  dir = mkdtempSync(join(tmpdir(), "windtunnel-durability-"));
  program = join(mkdtempSync(join(cache, "desk-child-")), "desk-child.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("./desk-child.fixture.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
  rmSync(join(program, ".."), { recursive: true, force: true });
});

interface Child {
  readonly opened: string[];
  /** The largest number of rollouts it said were committed. */
  kept: number;
  readonly ended: Promise<void>;
  readonly process: ChildProcess;
}

function startChild(place: string, count: number, attempts: number, delayMs: number): Child {
  const process_ = spawn(process.execPath, [program, place, "run-1", `${count}`, `${attempts}`, `${delayMs}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const opened: string[] = [];
  let rest = "";
  const child: Child = {
    opened,
    kept: 0,
    process: process_,
    ended: new Promise((resolve) => process_.once("close", () => resolve())),
  };
  process_.stdout.on("data", (data: Buffer) => {
    const lines = (rest + data.toString()).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const [verb, ...words] = line.split(" ");
      if (verb === "open") opened.push(words.join(" "));
      else child.kept = Number(words[0]);
    }
  });
  return child;
}

/** Kills the child -9 some time after it has committed something new, or lets it end. */
async function killMidRun(child: Child, before: number, afterMs: number): Promise<void> {
  let over = false;
  void child.ended.then(() => (over = true));
  while (!over && child.kept <= before) await new Promise((resolve) => setTimeout(resolve, 1));
  await Promise.race([child.ended, new Promise((resolve) => setTimeout(resolve, afterMs))]);
  child.process.kill("SIGKILL");
  await child.ended;
}

describe("a run whose process is killed", () => {
  it("loses nothing that it said was kept, runs nothing twice, and ends as if it had never been killed", async () => {
    const place = join(dir, "killed");
    const [count, attempts] = [700, 2];
    const random = new Random("kills");
    let [before, kills] = [0, 0];
    for (; kills < 20 && before < count * attempts; kills++) {
      const child = startChild(place, count, attempts, 2);
      await killMidRun(child, before, random.int(0, 30));
      const store = openStore(place);
      const kept = store.completed("run-1");
      expect(kept.size).toBeGreaterThanOrEqual(child.kept);
      expect(kept.size).toBeGreaterThanOrEqual(before);
      for (const record of store.rollouts({ run: "run-1" })) {
        if (kills % 5 === 0) expect((await store.events(record.id)).length).toBe(record.eventCount);
      }
      await store.close();
      before = kept.size;
    }
    expect(kills).toBe(20);
    expect(before).toBeLessThan(count * attempts);

    const store = openStore(place);
    const kept = store.completed("run-1");
    await store.close();
    const last = startChild(place, count, attempts, 0);
    await last.ended;
    expect(last.opened.filter((attempt) => kept.has(attempt))).toEqual([]);
    expect(last.opened).toHaveLength(count * attempts - kept.size);

    const ended = openStore(place);
    expect(ended.run("run-1")!.status).toBe("done");
    const whole = openStore(join(dir, "whole"));
    await runDesk(whole, "run-1", { environment: openDesk(), count, attempts });
    expect(digestsOf(ended, "run-1")).toEqual(digestsOf(whole, "run-1"));
    await whole.close();
    await ended.close();
  });
});

describe("two processes on one store", () => {
  it("make one run together: every attempt is kept once, whole", async () => {
    const place = join(dir, "shared");
    openStore(place).close();
    const whole = openStore(join(dir, "shared-whole"));
    await runDesk(whole, "run-1", { environment: openDesk(), count: 150, attempts: 2 });
    const first = startChild(place, 150, 2, 1);
    while (first.kept === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    const second = startChild(place, 150, 2, 0);
    await Promise.all([first.ended, second.ended]);
    expect([first.process.exitCode, second.process.exitCode]).toEqual([0, 0]);
    const store = openStore(place);
    expect(digestsOf(store, "run-1")).toEqual(digestsOf(whole, "run-1"));
    for (const { id, eventCount } of store.rollouts({ run: "run-1" }))
      expect((await store.events(id)).length).toBe(eventCount);
    await store.close();
    await whole.close();
  });

  it("may make a store and a run that do not exist yet at the same moment", async () => {
    const children = [1, 2, 3, 4].map(() => startChild(join(dir, "new"), 20, 2, 0));
    await Promise.all(children.map(({ ended }) => ended));
    expect(children.map(({ process }) => process.exitCode)).toEqual([0, 0, 0, 0]);
    const store = openStore(join(dir, "new"));
    expect(store.totals("run-1").completed).toBe(40);
    await store.close();
  });
});
