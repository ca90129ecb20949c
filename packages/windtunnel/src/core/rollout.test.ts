import { describe, expect, it } from "vitest";
import { breakingAgent, exampleEnvironment, fakeAgent, idleAgent } from "../testing/index.js";
import { type Agent, defineAgent } from "./agent.js";
import { defineCriterion } from "./criterion.js";
import { defineEnvironment, openScenario } from "./environment.js";
import { toCanonicalJson } from "./hash.js";
import type { Action } from "./message.js";
import { type OutcomeReading, readOutcome } from "./outcome.js";
import { type Rollout, referenceAgent, runRollout } from "./rollout.js";
import { defineRubric } from "./rubric.js";
import { defineSystem } from "./system.js";
import { defineUser } from "./user.js";

type Example = typeof exampleEnvironment;
const shop = exampleEnvironment.systems[0]!;

async function run(
  agent: Agent | "reference",
  changes: Partial<Example> = {},
  more: { id?: string; attempt?: number; signal?: AbortSignal } = {},
): Promise<Rollout> {
  const environment: Example = defineEnvironment({ ...exampleEnvironment, ...changes });
  const scenario = openScenario(environment, more.id ?? "train/0/0");
  return runRollout({
    environment,
    scenario,
    agent: agent === "reference" ? referenceAgent(environment, scenario) : agent,
    attempt: more.attempt ?? 0,
    runSeed: "run",
    ...(more.signal === undefined ? {} : { signal: more.signal }),
  });
}
const boom = (): never => {
  throw new Error("boom");
};

describe("a rollout", () => {
  it("of the reference passes with full reward and an acceptable outcome", async () => {
    for (let i = 0; i < 10; i++) {
      const { score, outcome, endReason } = await run("reference", {}, { id: `train/3/${i}` });
      expect(score).toMatchObject({ status: "scored", reward: 1, passed: true });
      expect(outcome).toMatchObject({ acceptable: true, normalised: 1 });
      expect(endReason).toBe("finished");
    }
  });

  it("of an agent that does nothing earns nothing: outcome 0 on the scale whose 1 is the reference", async () => {
    const { score, outcome } = await run(idleAgent);
    expect(score).toMatchObject({ status: "scored", reward: 0, passed: false });
    expect(outcome).toMatchObject({ acceptable: false, normalised: 0 });
  });

  it("is the same, byte for byte, when it is run again", async () => {
    const random = defineAgent({
      name: "dice",
      open:
        ({ random }) =>
        () =>
          random.chance(0.7)
            ? {
                text: `say ${random.int(1, 99)}`,
                calls: [{ tool: "get_ticket", arguments: { ticket: `TCK-${random.int(1, 9)}` } }],
              }
            : {},
    });
    const faulty = { systems: [defineSystem({ ...shop, faults: { timeout: 0.3, unavailable: 0.2 } })] };
    for (const agent of ["reference", random] as const) {
      const once = await run(agent, faulty);
      expect(toCanonicalJson(await run(agent, faulty))).toBe(toCanonicalJson(once));
    }
    expect(toCanonicalJson(await run(random, {}, { attempt: 1 }))).not.toBe(toCanonicalJson(await run(random)));
  });

  it("does not depend on what else runs at the same time", async () => {
    const slowly = (name: string) =>
      defineAgent({
        name,
        open: ({ random, task }) => {
          let turn = 0;
          return async () => {
            await Promise.resolve();
            const ticket = `${task.id}/${random.int(0, 999)}`;
            return turn++ < 3 ? { calls: [{ tool: "get_ticket", arguments: { ticket } }] } : {};
          };
        },
      });
    const alone = await Promise.all(
      [0, 1].map(async (attempt) => toCanonicalJson(await run(slowly("a"), {}, { attempt }))),
    );
    const together = await Promise.all(Array.from({ length: 20 }, (_, i) => run(slowly("a"), {}, { attempt: i % 2 })));
    expect(together.map(toCanonicalJson)).toEqual(together.map((_, i) => alone[i % 2]));
  });

  it("on one scenario many times never sees another attempt's writes", async () => {
    const scenario = openScenario(exampleEnvironment, "train/0/0");
    const { order } = scenario.facts;
    const note = (i: number): Action => ({
      calls: [{ tool: "decline_refund", arguments: { order, reason: `attempt ${i}` } }],
    });
    const rollouts = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        runRollout({
          environment: exampleEnvironment,
          scenario,
          agent: fakeAgent("writer", [note(i), { calls: [{ tool: "get_order", arguments: { order } }] }]),
          attempt: i,
          runSeed: "r",
        }),
      ),
    );
    rollouts.forEach(({ events }, i) => {
      const calls = events.filter((event) => event.type === "call");
      expect(calls.map(({ ok }) => ok)).toEqual([true, true]);
      expect(calls[0]?.arguments).toMatchObject({ reason: `attempt ${i}` });
    });
    expect(new Set(rollouts.map(({ finalState }) => finalState)).size).toBe(1);
  });

  it("carries what it was made with", async () => {
    const { provenance } = await run(idleAgent, {}, { attempt: 3 });
    expect(provenance).toEqual({
      environment: "refund-desk",
      environmentVersion: "1",
      contractDigest: exampleEnvironment.contractDigest,
      rubricDigest: exampleEnvironment.rubric.digest,
      agent: "idle",
      agentVersion: "1",
      attemptSeed: "run/train/0/0/3",
    });
  });
});

describe("a broken boundary", () => {
  const brokenTool = {
    systems: [
      defineSystem({
        ...shop,
        tools: shop.tools.map((tool) => (tool.name === "get_order" ? { ...tool, handle: boom } : tool)),
      }),
    ],
  };
  const brokenRubric = {
    rubric: defineRubric({ criteria: [defineCriterion({ name: "q", description: "q", points: 100, check: boom })] }),
  } as unknown as Partial<Example>;
  const user = (reply: () => Promise<string> | string) => ({
    user: defineUser({ name: "customer", open: () => reply }),
  });
  const brokenWorld = {
    world: { ...exampleEnvironment.world, reactions: { settle: boom } },
  } as unknown as Partial<Example>;
  const wait = fakeAgent("sleeper", [{ calls: [{ tool: "get_ticket", arguments: { ticket: "TCK-1" } }] }]);
  const slowTools = {
    systems: [defineSystem({ ...shop, tools: shop.tools.map((tool) => ({ ...tool, costMs: 40 * 86_400_000 })) })],
  };

  it.each<[string, Agent | "reference", Partial<Example>, RegExp]>([
    ["agent that throws", breakingAgent([], new Error("endpoint gone")), {}, /^agent\/agent_threw: endpoint gone/],
    ["agent that throws something odd", breakingAgent([], "a string"), {}, /^agent\/agent_threw: a string/],
    ["agent that cannot be opened", defineAgent({ name: "x", open: boom }), {}, /^agent\/agent_threw: boom/],
    ["agent that rejects", defineAgent({ name: "x", open: () => async () => boom() }), {}, /^agent\/agent_threw: boom/],
    [
      "agent that returns nothing",
      defineAgent({ name: "x", open: () => () => undefined as never }),
      {},
      /^agent\/invalid_action/,
    ],
    [
      "agent that returns calls that are no list",
      defineAgent({ name: "x", open: () => () => ({ calls: "get_order" }) as never }),
      {},
      /^agent\/invalid_action/,
    ],
    ["tool that throws", "reference", brokenTool, /^tool\/tool_threw:get_order: boom/],
    ["user that throws", fakeAgent("x", [{ text: "hi" }]), user(boom), /^user\/user_threw: boom/],
    ["user that rejects", fakeAgent("x", [{ text: "hi" }]), user(async () => boom()), /^user\/user_threw: boom/],
    [
      "user that cannot be opened",
      fakeAgent("x", [{ text: "hi" }]),
      { user: defineUser({ name: "customer", open: boom }) },
      /^user\/user_threw: boom/,
    ],
    ["world whose event throws", wait, { ...brokenWorld, ...slowTools }, /^world\/reaction_threw:settle: boom/],
    ["test of what solves it that throws", wait, { solved: boom }, /^world\/episode_threw: boom/],
  ])("is named in an errored score without a reward: %s", async (_, agent, changes, reason) => {
    const rollout = await run(agent, changes);
    expect(rollout.score).toMatchObject({ status: "errored", reason: expect.stringMatching(reason) });
    expect(rollout.score).not.toHaveProperty("reward");
    expect(rollout.outcome).toBeNull();
    expect(rollout.endReason).toBe("fault");
    expect(rollout.events.at(-1)).toMatchObject({ type: "end", terminated: false, truncated: false, reason: "fault" });
  });

  it("in the verifier errs the score and leaves the episode and its outcome standing", async () => {
    const rollout = await run("reference", brokenRubric);
    expect(rollout.score).toMatchObject({ status: "errored", reason: "q: verifier: boom" });
    expect(rollout.endReason).toBe("finished");
    expect(rollout.outcome).toMatchObject({ acceptable: true });
  });

  it("in the outcome leaves the score standing and the outcome empty", async () => {
    const rollout = await run("reference", { outcome: { unit: "USD", horizonMs: 0, read: boom } });
    expect(rollout.score).toMatchObject({ status: "scored", reward: 1 });
    expect(rollout.outcome).toBeNull();
  });

  it("in the reference leaves other agents' outcomes, without a place on the scale", async () => {
    const rollout = await run(idleAgent, { reference: boom });
    expect(rollout.score.status).toBe("scored");
    expect(rollout.outcome).toMatchObject({ normalised: null });
  });
});

describe("a cancelled rollout", () => {
  it.each<[string, (abort: AbortController) => Agent]>([
    [
      "between turns",
      (abort) =>
        defineAgent({
          name: "x",
          open: () => () => {
            abort.abort();
            return { calls: [{ tool: "get_ticket", arguments: { ticket: "TCK-1" } }] };
          },
        }),
    ],
    [
      "while the agent works",
      (abort) =>
        defineAgent({
          name: "x",
          open: () => async () => {
            abort.abort();
            throw new Error("aborted");
          },
        }),
    ],
  ])("has no score and no outcome, wherever it was stopped: %s", async (_, agentOf) => {
    const abort = new AbortController();
    const rollout = await run(agentOf(abort), {}, { signal: abort.signal });
    expect(rollout.endReason).toBe("cancelled");
    expect(rollout.score).toMatchObject({ status: "unscored", reason: expect.stringContaining("cancelled") });
    expect(rollout.outcome).toBeNull();
  });
});

describe("an outcome", () => {
  const reading = (value: number): OutcomeReading => ({ value, parts: { all: value }, acceptable: true });

  it("has no place on the scale when doing nothing is worth as much as the reference", async () => {
    const flat = { outcome: { unit: "USD", horizonMs: 0, read: () => reading(5) } };
    expect((await run(idleAgent, flat)).outcome).toEqual({ ...reading(5), unit: "USD", normalised: null });
  });

  it("is read from a copy that ran on, and leaves the final world as it was", () => {
    const { world } = openScenario(exampleEnvironment, "train/0/0");
    const hash = world.hash();
    let seen = 0;
    readOutcome(
      {
        unit: "USD",
        horizonMs: 40 * 86_400_000,
        read: (end, start) => {
          seen = end.all("ledger").length - start.all("ledger").length;
          return reading(0);
        },
      } as Example["outcome"],
      world,
      world,
    );
    expect(seen).toBe(1);
    expect(world.hash()).toBe(hash);
  });
});

describe("cancelling", () => {
  it("ends a rollout whose agent never answers", async () => {
    const stop = new AbortController();
    const silent = defineAgent({ name: "silent", open: () => () => new Promise(() => {}) });
    const scenario = openScenario(exampleEnvironment, "train/0/0");
    const running = runRollout({
      environment: exampleEnvironment,
      scenario,
      agent: silent,
      attempt: 0,
      runSeed: "s",
      signal: stop.signal,
    });
    stop.abort();
    expect((await running).endReason).toBe("cancelled");
  });
});
