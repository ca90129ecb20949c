import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Agent, defineAgent, scriptedAgent } from "../core/agent.js";
import type { AnyEnvironment } from "../core/environment.js";
import type { Action } from "../core/message.js";
import { openStore, STORE_FILE } from "../store/sqlite.js";
import { type Store, toRolloutId } from "../store/store.js";
import { chancyAgent, close, type DeskOptions, deskTasks, digestsOf, openDesk, runDesk } from "./desk.fixture.js";
import { replayAgent } from "./recorded.js";
import { replayRollout, replayRun } from "./replay.js";
import { rescoreRun } from "./rescore.js";

let dir: string;
let store: Store;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "windtunnel-replay-"));
  store = openStore(dir);
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const replay = (environment: AnyEnvironment, count = 10) =>
  replayRun({ store, run: "run-1", environment, tasks: deskTasks(environment, count) });

describe("replayRun", () => {
  it("makes every rollout again, byte for byte", async () => {
    const options: DeskOptions = {
      faults: { timeout: 0.2, unavailable: 0.1, staleRead: 0.2, rateLimit: { calls: 3, perMs: 150_000 } },
    };
    await runDesk(store, "run-1", { environment: openDesk(options), agent: chancyAgent({ delayMs: 1 }), count: 30 });
    expect(await replay(openDesk(options), 30)).toEqual({
      replayed: 60,
      equal: 60,
      scoresCompared: 60,
      different: 0,
      differences: [],
    });
  });

  it("finds the first event that an environment changed since then makes otherwise", async () => {
    await runDesk(store, "run-1", { environment: openDesk({ finding: "in order" }) });
    const { different, equal, differences } = await replay(openDesk({ finding: "out of order" }));
    expect(different).toBeGreaterThan(5);
    expect(different + equal).toBe(20);
    const { record, difference } = differences[0]!;
    const events = await store.events(record.id);
    expect(events[difference.seq!]).toMatchObject({ type: "world", kind: "audit" });
    expect(difference).toMatchObject({ path: "changes[0].row.finding", expected: "in order", actual: "out of order" });
  });

  it("finds a changed opening, an episode that goes on longer, and one that ends sooner", async () => {
    await runDesk(store, "run-1", { environment: openDesk({ limits: { turns: 2 } }), count: 4 });
    const longer = await replay(openDesk({ limits: { turns: 3 } }), 4);
    expect(longer.differences[0]!.difference).toMatchObject({
      path: "",
      expected: { type: "end", reason: "turn_limit" },
      actual: undefined,
    });
    const sooner = await replay(openDesk({ limits: { turns: 1 } }), 4);
    expect(sooner.differences[0]!.difference).toMatchObject({ actual: "end" });
    const other = { ...openDesk({ limits: { turns: 2 } }), instructions: () => "Do nothing." };
    expect((await replay(other, 4)).differences[0]!.difference).toMatchObject({
      seq: 1,
      path: "text",
      actual: "Do nothing.",
    });
  });

  it("finds a trace, a state or a score that was altered after it was sealed", async () => {
    await runDesk(store, "run-1", { environment: openDesk(), count: 3, attempts: 1 });
    await store.close();
    const db = new Database(join(dir, STORE_FILE));
    db.exec(`UPDATE scores SET score = replace(score, '"reward":', '"reward":0.') WHERE rollout = 1`);
    db.exec(`UPDATE rollouts SET final_state = 'ffff' WHERE seq = 2`);
    db.close();
    store = openStore(dir);
    const { different, differences } = await replay(openDesk(), 3);
    expect(different).toBe(2);
    expect(differences.map(({ difference }) => difference.path)).toEqual(["digest", "digest"]);
  });

  it("compares no score under another rubric, but still the events and the state", async () => {
    await runDesk(store, "run-1", { environment: openDesk() });
    expect(await replay(openDesk({ rubricVersion: 2 }))).toMatchObject({ equal: 20, scoresCompared: 0, different: 0 });
  });

  it("finds a score that the same rubric no longer gives", async () => {
    const environment = openDesk();
    await runDesk(store, "run-1", { environment });
    const changed = { ...openDesk({ rubricVersion: 2 }).rubric, digest: environment.rubric.digest };
    const found = await replay({ ...environment, rubric: changed });
    expect(found.different).toBeGreaterThan(0);
    expect(found.differences[0]!.difference).toMatchObject({ seq: null, path: expect.stringMatching(/^score\./) });
  });

  it("replays a task whose world cannot be generated, and tells when it now can", async () => {
    await runDesk(store, "run-1", { environment: openDesk({ failingTask: 1 }), count: 3 });
    expect(await replay(openDesk({ failingTask: 1 }), 3)).toMatchObject({ equal: 6, different: 0 });
    expect(await replay(openDesk(), 3)).toMatchObject({ equal: 4, different: 2 });
    expect(await replay(openDesk({ failingTask: 2 }), 3)).toMatchObject({ equal: 2, different: 4 });
  });

  it("replays in a process that did not make the rollouts", async () => {
    await runDesk(store, "run-1", { environment: openDesk(), count: 3 });
    const digests = digestsOf(store, "run-1");
    await store.close();
    const again = openStore(dir);
    expect(digestsOf(again, "run-1")).toEqual(digests);
    store = again;
    expect(await replay(openDesk(), 3)).toMatchObject({ equal: 6, different: 0 });
  });

  it("stops on a signal and says how far it came", async () => {
    await runDesk(store, "run-1", { environment: openDesk() });
    const controller = new AbortController();
    const environment = openDesk();
    const onReplayed = () => controller.abort();
    expect(
      await replayRun({
        store,
        run: "run-1",
        environment,
        tasks: deskTasks(environment, 10),
        signal: controller.signal,
        onReplayed,
      }),
    ).toMatchObject({ replayed: 1 });
  });
});

describe("what ended an episode is replayed", () => {
  const list: Action = { calls: [{ tool: "list_tickets", arguments: {} }] };
  const never = defineAgent({ name: "never-stops", open: () => () => list });
  const spending = (usage: Action["usage"]): Agent =>
    defineAgent({ name: "spends", open: () => () => ({ ...list, usage: usage! }) });
  const broken = defineAgent({
    name: "breaks",
    open() {
      let turn = 0;
      return () => {
        if (turn++ === 1) throw new Error("out of memory");
        return list;
      };
    },
  });
  const endless: Action = { calls: Array.from({ length: 5 }, () => list.calls![0]!) };
  const cases: [string, Agent, DeskOptions, string][] = [
    ["an agent that does nothing", scriptedAgent("idle", []), {}, "agent_stopped"],
    ["an agent that says something and stops", scriptedAgent("says", [{ text: "Done." }]), {}, "agent_stopped"],
    ["an agent that stops without a word after a call", scriptedAgent("one", [list]), {}, "agent_stopped"],
    [
      "work handed in",
      scriptedAgent("submits", [{ calls: [{ tool: "submit", arguments: {} }, list.calls![0]!] }]),
      {},
      "finished",
    ],
    ["turns used up", never, { limits: { turns: 3 } }, "turn_limit"],
    [
      "calls used up within a turn",
      scriptedAgent("endless", [list, endless]),
      { limits: { toolCalls: 4 } },
      "tool_call_limit",
    ],
    ["calls used up between turns", never, { limits: { toolCalls: 2 } }, "tool_call_limit"],
    ["no calls allowed", never, { limits: { toolCalls: 0 } }, "tool_call_limit"],
    ["tokens used up", spending({ inputTokens: 30, outputTokens: 5 }), { limits: { tokens: 100 } }, "token_limit"],
    ["money used up", spending({ costUsd: 0.4 }), { limits: { costUsd: 1 } }, "cost_limit"],
    ["time used up", never, { limits: { wallMs: 0 } }, "wall_time_limit"],
    ["working time used up", never, { limits: { workingMs: 0 } }, "working_time_limit"],
    ["an agent that breaks", broken, {}, "fault"],
    [
      "a tool that breaks",
      scriptedAgent("breaker", [
        list,
        { text: "Now.", calls: [{ tool: "break_down", arguments: { ticket: "TCK-1" } }] },
      ]),
      {},
      "fault",
    ],
  ];
  it.each(cases)("%s", async (_name, agent, options, reason) => {
    const environment = openDesk(options);
    await runDesk(store, "run-1", { environment, agent, count: 2, attempts: 1 });
    for (const { endReason } of store.rollouts({ run: "run-1" })) expect(endReason).toBe(reason);
    expect(await replay(environment, 2)).toMatchObject({ equal: 2, different: 0 });
  });

  it("a tool that breaks after writing: the trace shows the call, and the fault is met again", async () => {
    const environment = openDesk();
    const first = deskTasks(environment, 1).open("train/7/0").world.all("tickets")[0]!;
    const agent = scriptedAgent("breaker", [{ calls: [{ tool: "break_down", arguments: { ticket: first.id } }] }]);
    await runDesk(store, "run-1", { environment, agent, count: 1, attempts: 1 });
    const events = await store.events(toRolloutId("run-1", "train/7/0", 0));
    expect(events.find(({ type }) => type === "call")).toMatchObject({
      ok: false,
      result: { code: "tool_threw:break_down" },
      changes: [{ op: "update" }],
    });
    expect(await replay(environment, 1)).toMatchObject({ equal: 1, scoresCompared: 1 });
  });

  it("odd calls: unknown tools, bad JSON, arguments that no JSON can hold, and repeated ids", async () => {
    const odd = [
      Number.NaN,
      { n: Number.POSITIVE_INFINITY },
      () => 1,
      undefined,
      null,
      "",
      "{",
      "{}",
      [],
      7,
      { ticket: 4 },
      { __proto__: null, a: { b: 1n } },
    ];
    const calls = [
      ...odd.map((args) => ({ id: "same", tool: "close_ticket", arguments: args })),
      { tool: "no_such_tool", arguments: { a: Number.NaN } },
    ];
    const environment = openDesk();
    await runDesk(store, "run-1", {
      environment,
      agent: scriptedAgent("odd", [{ text: "λ🚀", calls }]),
      count: 1,
      attempts: 1,
    });
    expect(await replay(environment, 1)).toMatchObject({ equal: 1, different: 0 });
  });

  it("a conversation with a user who answers alike, and one who does not", async () => {
    const talk = scriptedAgent("talks", [{ text: "Hello?" }, list, { text: "Which one?" }, {}, { text: "Bye." }]);
    let asked = 0;
    const user = (deterministic: boolean) => ({
      name: "caller",
      deterministic,
      open: () => {
        let heard = 0;
        return async (text: string) => {
          const words = deterministic ? `answer ${heard} to ${text}` : `answer ${asked++}`;
          return ++heard === 4 ? null : words;
        };
      },
    });
    for (const deterministic of [true, false]) {
      const environment = openDesk({ user: user(deterministic) });
      const run = `talk-${deterministic}`;
      await runDesk(store, run, { environment, agent: talk, count: 2, attempts: 1 });
      const askedBefore = asked;
      expect(await replayRun({ store, run, environment, tasks: deskTasks(environment, 2) })).toMatchObject({
        equal: 2,
        different: 0,
      });
      expect(asked).toBe(askedBefore);
    }
  });
});

describe("replayAgent", () => {
  it("does again what a run did, so a new run has the same traces", async () => {
    const environment = openDesk({ limits: { toolCalls: 3 } });
    await runDesk(store, "run-1", { environment });
    await runDesk(store, "again", { environment, agentFor: replayAgent(store, "run-1"), concurrency: 4 });
    const states = (run: string) =>
      [...store.rollouts({ run })]
        .map(({ task, attempt, finalState, endReason, reward }) => [task, attempt, finalState, endReason, reward])
        .sort();
    expect(states("again")).toEqual(states("run-1"));
    expect([...store.rollouts({ run: "again", limit: 1 })][0]!.provenance.agent).toBe("replay:run-1");
  });

  it("breaks at the agent for an attempt that was never recorded", async () => {
    const environment = openDesk();
    await runDesk(store, "run-1", { environment, attempts: 1 });
    expect(
      await runDesk(store, "again", { environment, agentFor: replayAgent(store, "run-1"), attempts: 2 }),
    ).toMatchObject({ scored: 10, errored: 10 });
    const [errored] = store.rollouts({ run: "again", status: "errored" });
    expect(store.score(errored!.id)!.score).toMatchObject({
      reason: expect.stringMatching(/^agent\/not_recorded: run run-1 has no rollout of task train\/7\/0, attempt 1/),
    });
  });
});

describe("rescoreRun", () => {
  it("puts today's score beside the old one, for every rollout that has a final world", async () => {
    const environment = openDesk();
    await runDesk(store, "run-1", { environment });
    const before = [...store.rollouts({ run: "run-1" })];
    const today = openDesk({ rubricVersion: 2 });
    const tasks = deskTasks(today, 10);
    const done = await rescoreRun({ store, run: "run-1", environment: today, tasks });
    expect(done).toEqual({
      rubricDigest: today.rubric.digest,
      rescored: 20,
      without: 0,
      different: 0,
      differences: [],
    });
    expect([...store.rollouts({ run: "run-1" })]).toEqual(before);
    for (const { id } of before) {
      expect(store.scores(id).map(({ rubricDigest }) => rubricDigest)).toEqual([
        environment.rubric.digest,
        today.rubric.digest,
      ]);
    }
    const [old, now] = [
      before.map(({ reward }) => reward!),
      [...store.graded({ run: "run-1" }, today.rubric.digest)].map(({ score }) =>
        score.status === "scored" ? score.reward : -1,
      ),
    ];
    expect(now.every((reward, i) => reward <= old[i]!)).toBe(true);
    expect(now).not.toEqual(old);
    await rescoreRun({ store, run: "run-1", environment: today, tasks });
    expect(store.scores(before[0]!.id)).toHaveLength(2);
  });

  it("gives no score to a rollout that broke, or that does not come out as recorded", async () => {
    const environment = openDesk();
    await runDesk(store, "run-1", {
      environment,
      agentFor: (_, attempt) =>
        attempt === 0
          ? chancyAgent()
          : scriptedAgent("breaker", [{ calls: [{ tool: "break_down", arguments: { ticket: "x" } }] }]),
    });
    const moved = openDesk({ rubricVersion: 2, finding: "changed" });
    const done = await rescoreRun({ store, run: "run-1", environment: moved, tasks: deskTasks(moved, 10) });
    expect(done.without).toBe(10);
    expect(done.different).toBeGreaterThan(0);
    expect(done.rescored + done.different).toBe(10);
    expect(done.differences[0]!.difference.path).toBe("changes[0].row.finding");
  });
});

describe("replayRollout", () => {
  it("says where a forged trace parts from what its actions do", async () => {
    const environment = openDesk();
    await runDesk(store, "run-1", {
      environment,
      agent: scriptedAgent("none", [close("TCK-0")]),
      count: 1,
      attempts: 1,
    });
    const [record] = store.rollouts({ run: "run-1" });
    const events = await store.events(record!.id);
    const forged = events.map((event) =>
      event.type === "call" ? { ...event, ok: true, result: { status: "closed" } } : event,
    );
    const score = store.score(record!.id)!.score;
    const scenario = deskTasks(environment, 1).open("train/7/0");
    expect(await replayRollout(environment, scenario, { record: record!, events: forged, score })).toMatchObject({
      equal: false,
      difference: { path: "digest" },
    });
    const { sealRollout, toPages } = await import("../store/chunk.js");
    const resealed = { ...record!, digest: sealRollout(toPages(forged), record!.finalState, JSON.stringify(score)) };
    expect(await replayRollout(environment, scenario, { record: resealed, events: forged, score })).toMatchObject({
      equal: false,
      difference: { seq: 4, path: "ok", expected: true, actual: false },
    });
  });
});
