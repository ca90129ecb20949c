import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defineAgent } from "../core/agent.js";
import { openStore } from "../store/sqlite.js";
import type { Store } from "../store/store.js";
import { chancyAgent, digestsOf, openDesk, runDesk } from "./desk.fixture.js";
import type { RunProgress } from "./run.js";

let dir: string;
let store: Store;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "windtunnel-run-"));
  store = openStore(dir);
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const accounted = ({ scored, unscored, errored, cancelled }: RunProgress) => scored + unscored + errored + cancelled;

describe("runRollouts", () => {
  it("makes and commits every attempt of every task", async () => {
    const progress = await runDesk(store, "run-1", { environment: openDesk(), count: 30, attempts: 3 });
    expect(progress).toMatchObject({ total: 90, completed: 90, scored: 90, resumed: 0, cancelled: 0, stoppedBy: null });
    expect(store.completed("run-1").size).toBe(90);
    expect(store.totals("run-1").rewardSum).toBeCloseTo(progress.rewardSum, 9);
    expect(store.run("run-1")).toMatchObject({ status: "done", finishedAt: expect.any(String) });
    expect(store.run("run-1")!.wallMs).toBeGreaterThan(0);
  });

  it("gives the same rollouts at any concurrency, whether agents wait or not", async () => {
    const environment = openDesk({ faults: { timeout: 0.1, unavailable: 0.1, staleRead: 0.1 } });
    await runDesk(store, "alone", { environment, concurrency: 1 });
    await runDesk(store, "wide", { environment, concurrency: 8 });
    await runDesk(store, "waiting", { environment, concurrency: "auto", agent: chancyAgent({ delayMs: 1 }) });
    expect(digestsOf(store, "wide")).toEqual(digestsOf(store, "alone"));
    expect(digestsOf(store, "waiting")).toEqual(digestsOf(store, "alone"));
    expect(new Set(Object.values(digestsOf(store, "alone"))).size).toBeGreaterThan(10);
  });

  it("never has more in flight than allowed, and fills what is allowed", async () => {
    let [inFlight, most] = [0, 0];
    const agent = defineAgent({
      name: "slow",
      open: () => async () => {
        most = Math.max(most, ++inFlight);
        await new Promise((resolve) => setTimeout(resolve, 3));
        inFlight--;
        return {};
      },
    });
    await runDesk(store, "run-1", { environment: openDesk(), agent, count: 40, attempts: 1, concurrency: 5 });
    expect(most).toBe(5);
  });

  it("widens by itself for agents that wait, not for those that do not", async () => {
    const most = async (run: string, delayMs: number | undefined) => {
      let [inFlight, peak] = [0, 0];
      const inner = chancyAgent(delayMs === undefined ? {} : { delayMs });
      const agent = defineAgent({
        name: "watched",
        open(context) {
          const act = inner.open(context);
          let ended = false;
          peak = Math.max(peak, ++inFlight);
          return async (observation) => {
            const action = await act(observation);
            if (!ended && (action.calls === undefined || action.calls[0]?.tool === "submit")) {
              ended = true;
              inFlight--;
            }
            return action;
          };
        },
      });
      await runDesk(store, run, { environment: openDesk(), agent, count: 200, attempts: 1 });
      return peak;
    };
    expect(await most("waits", 30)).toBeGreaterThan(20);
    expect(await most("does-not", undefined)).toBeLessThan(4);
  });

  it("lets timers and signals through while synchronous agents run", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await runDesk(store, "run-1", { environment: openDesk(), count: 400, attempts: 2 });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
  });

  it("stops on a signal, keeps what is committed, and accounts for the rest as cancelled", async () => {
    const controller = new AbortController();
    const progress = await runDesk(store, "run-1", {
      environment: openDesk(),
      agent: chancyAgent({ delayMs: 2 }),
      count: 100,
      attempts: 2,
      concurrency: 4,
      signal: controller.signal,
      onProgress: ({ completed }) => void (completed >= 20 && controller.abort()),
    });
    expect(progress).toMatchObject({ total: 200, stoppedBy: "signal" });
    expect(accounted(progress)).toBe(200);
    expect(progress.scored).toBeGreaterThanOrEqual(20);
    expect(progress.cancelled).toBeGreaterThan(0);
    expect(store.totals("run-1")).toMatchObject({ completed: progress.scored, cancelled: 0 });
    expect(store.run("run-1")!.status).toBe("cancelled");
  });

  it("goes on where a stopped run was, and ends with what an unbroken run gives", async () => {
    const environment = openDesk();
    await runDesk(store, "whole", { environment, count: 60 });
    const controller = new AbortController();
    const cut = await runDesk(store, "cut", {
      environment,
      count: 60,
      concurrency: 3,
      agent: chancyAgent({ delayMs: 1 }),
      signal: controller.signal,
      onProgress: ({ completed }) => void (completed > 10 && controller.abort()),
    });
    expect(cut.cancelled).toBeGreaterThan(0);
    const end = await runDesk(store, "cut", { environment, count: 60, agent: chancyAgent() });
    expect(end).toMatchObject({ resumed: cut.completed, completed: 120, scored: 120, cancelled: 0, stoppedBy: null });
    expect(digestsOf(store, "cut")).toEqual(digestsOf(store, "whole"));
  });

  it("runs nothing again when all is there", async () => {
    const environment = openDesk();
    await runDesk(store, "run-1", { environment });
    let opened = 0;
    const agent = defineAgent({
      name: "counting",
      open() {
        opened++;
        return () => ({});
      },
    });
    expect(await runDesk(store, "run-1", { environment, agent })).toMatchObject({
      resumed: 20,
      completed: 20,
      stoppedBy: null,
    });
    expect(opened).toBe(0);
  });

  it("begins nothing more once the money is spent, and counts what was spent before a resume", async () => {
    const environment = openDesk();
    const agent = defineAgent({ name: "costly", open: () => () => ({ usage: { costUsd: 1 } }) });
    const first = await runDesk(store, "run-1", { environment, agent, count: 50, attempts: 1, maxCostUsd: 5 });
    expect(first).toMatchObject({ completed: 5, costUsd: 5, cancelled: 45, stoppedBy: "cost" });
    const second = await runDesk(store, "run-1", { environment, agent, count: 50, attempts: 1, maxCostUsd: 7 });
    expect(second).toMatchObject({ completed: 7, costUsd: 7, cancelled: 43, stoppedBy: "cost" });
  });

  it("records a task whose world cannot be generated as errored at the world, and runs the others", async () => {
    const progress = await runDesk(store, "run-1", {
      environment: openDesk({ failingTask: 3 }),
      count: 6,
      attempts: 2,
    });
    expect(progress).toMatchObject({ total: 12, completed: 12, scored: 10, errored: 2, stoppedBy: null });
    const [errored] = store.rollouts({ run: "run-1", status: "errored" });
    expect(errored).toMatchObject({ task: "train/7/3", reward: null, eventCount: 0 });
    expect(store.score(errored!.id)!.score).toMatchObject({
      reason: "world/generate_threw: no paper to print tickets on",
    });
  });

  it("records an agent that cannot be made as errored at the agent", async () => {
    const progress = await runDesk(store, "run-1", {
      environment: openDesk(),
      agentFor(_scenario, attempt) {
        if (attempt === 1) throw new Error("no such policy");
        return chancyAgent();
      },
    });
    expect(progress).toMatchObject({ scored: 10, errored: 10 });
    const [errored] = store.rollouts({ run: "run-1", status: "errored" });
    expect(store.score(errored!.id)!.score).toMatchObject({ reason: "agent/agent_threw: no such policy" });
  });

  it("fails the run when a commit fails, keeps what was committed, and can be resumed", async () => {
    const environment = openDesk();
    let commits = 0;
    const failing = new Proxy(store, {
      get(target, key) {
        if (key === "commit" && ++commits > 2) return () => Promise.reject(new Error("no room"));
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    await expect(runDesk(failing, "run-1", { environment, count: 300, attempts: 1 })).rejects.toThrow("no room");
    const kept = store.totals("run-1").completed;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(300);
    expect(store.run("run-1")!.status).toBe("failed");
    expect(await runDesk(store, "run-1", { environment, count: 300, attempts: 1 })).toMatchObject({
      resumed: kept,
      completed: 300,
      stoppedBy: null,
    });
  });

  it("refuses to add to a run of another environment, rubric or version", async () => {
    await runDesk(store, "run-1", { environment: openDesk() });
    await expect(runDesk(store, "run-1", { environment: openDesk({ version: "2" }) })).rejects.toThrow(
      /environmentVersion: expected 1, found 2/,
    );
    await expect(runDesk(store, "run-1", { environment: openDesk({ rubricVersion: 2 }) })).rejects.toThrow(
      /rubricDigest/,
    );
  });

  it("counts a rollout only after it is committed", async () => {
    await runDesk(store, "run-1", {
      environment: openDesk(),
      count: 150,
      onProgress: ({ completed }) => {
        expect(store.totals("run-1").completed).toBeGreaterThanOrEqual(completed);
      },
    });
  });
});
