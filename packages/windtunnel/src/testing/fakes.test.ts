import { describe, expect, it } from "vitest";
import { defineEnvironment, openScenario } from "../core/environment.js";
import {
  breakingAgent,
  callTool,
  exampleEnvironment,
  fakeAgent,
  fakeUser,
  idleAgent,
  manualClock,
  runAgent,
  worldOf,
} from "./index.js";

const row = {
  id: "ORD-1",
  customer: "Amara Osei",
  item: "tent",
  price: "20.00",
  delivered: "2026-02-01",
  status: "delivered" as const,
};

describe("a fake agent", () => {
  it("plays its turns in order, sees what is new, and then stops", async () => {
    const seen: number[] = [];
    const agent = fakeAgent("reader", [
      { calls: [{ tool: "get_ticket", arguments: { ticket: "TCK-1" } }] },
      ({ messages }) => {
        seen.push(messages.length);
        return { calls: [] };
      },
    ]);
    const [rollout] = await runAgent(exampleEnvironment, agent, { tasks: 1 });
    expect(seen).toEqual([1]);
    expect(rollout).toMatchObject({ endReason: "agent_stopped", usage: { toolCalls: 1 } });
  });

  it("that breaks does so after its turns, on the agent's boundary", async () => {
    const [rollout] = await runAgent(
      exampleEnvironment,
      breakingAgent([{ calls: [{ tool: "get_ticket", arguments: {} }] }], new Error("connection reset")),
      { tasks: 1 },
    );
    expect(rollout?.score).toMatchObject({ status: "errored", reason: "agent/agent_threw: connection reset" });
    expect(rollout?.usage.toolCalls).toBe(1);
  });
});

it("a fake user gives its replies in order and leaves, anew in each episode", async () => {
  const environment = defineEnvironment({ ...exampleEnvironment, user: fakeUser("customer", ["yes", "no"]) });
  const talker = fakeAgent("talker", [{ text: "a" }, { text: "b" }, { text: "c" }, { text: "never said" }]);
  for (const { events, endReason } of await runAgent(environment, talker, { tasks: 2 })) {
    expect(events.flatMap((event) => (event.type === "message" && event.turn > 0 ? [event.text] : []))).toEqual([
      "a",
      "yes",
      "b",
      "no",
      "c",
    ]);
    expect(endReason).toBe("agent_stopped");
  }
});

it("a manual clock moves only when told", () => {
  const clock = manualClock(5);
  expect(clock.elapsedMs()).toBe(5);
  clock.advance(100);
  expect(clock.elapsedMs()).toBe(105);
});

describe("a world from rows", () => {
  it("holds them, with an empty log, and mints around them", () => {
    const world = worldOf(exampleEnvironment.world, { orders: [row] }, { now: 7 });
    expect(world.all("orders")).toEqual([row]);
    expect(world.takeChanges().changes).toEqual([]);
    expect(world.now).toBe(7);
  });

  it("refuses rows that do not fit", () => {
    expect(() => worldOf(exampleEnvironment.world, { orders: [{ ...row, price: "20" }] })).toThrow(
      /orders\/ORD-1\.price/,
    );
  });
});

describe("a tool called alone", () => {
  const world = () =>
    worldOf(exampleEnvironment.world, {
      orders: [row],
      tickets: [{ id: "TCK-1", order: "ORD-1", text: "x", status: "open" }],
    });

  it("answers as it would in an episode, and changes the world", () => {
    const desk = world();
    expect(callTool(exampleEnvironment, desk as never, "decline_refund", { order: "ORD-1", reason: "late" })).toEqual({
      ok: true,
      value: { order: "ORD-1", status: "declined" },
      finished: false,
    });
    expect(desk.need("orders", "ORD-1").status).toBe("declined");
    expect(callTool(exampleEnvironment, desk as never, "close_ticket", '{"ticket":"TCK-1"}')).toMatchObject({
      ok: true,
      finished: true,
    });
  });

  it("refuses as it would in an episode", () => {
    expect(callTool(exampleEnvironment, world() as never, "get_order", { order: "ORD-2" })).toMatchObject({
      ok: false,
      error: { code: "not_found" },
    });
    expect(callTool(exampleEnvironment, world() as never, "get_order", {})).toMatchObject({
      ok: false,
      error: { code: "invalid_arguments" },
    });
    expect(() => callTool(exampleEnvironment, world() as never, "get_orders", {})).toThrow(
      /has no tool "get_orders"; it has: get_ticket/,
    );
  });
});

describe("running an agent over tasks", () => {
  it("gives one rollout a task, in order, for the split and seed asked for", async () => {
    const rollouts = await runAgent(exampleEnvironment, "reference", { tasks: 3, split: "validation", seed: 2 });
    expect(rollouts.map(({ task }) => task.id)).toEqual(["validation/2/0", "validation/2/1", "validation/2/2"]);
    expect(rollouts.every(({ score }) => score.status === "scored" && score.passed)).toBe(true);
  });

  it("can choose the agent by the scenario", async () => {
    const rollouts = await runAgent(
      exampleEnvironment,
      ({ facts }) => (facts === undefined ? breakingAgent([], "no facts") : idleAgent),
      { tasks: 2 },
    );
    expect(rollouts.map(({ provenance }) => provenance.agent)).toEqual(["idle", "idle"]);
  });
});

describe("the example environment's baselines", () => {
  it.each(exampleEnvironment.baselines.map((agent) => [agent.name, agent] as const))(
    "%s is right about some tasks at most",
    async (_, agent) => {
      const rollouts = await runAgent(exampleEnvironment, agent, { tasks: 40 });
      const right = rollouts.filter(({ score }) => score.status === "scored" && score.passed).length;
      expect(right).toBeLessThan(40);
      for (const { score } of rollouts) expect(score.status).toBe("scored");
    },
  );

  it("reward agrees with the outcome about which decisions were right", async () => {
    for (const agent of exampleEnvironment.baselines) {
      for (const { score, outcome } of await runAgent(exampleEnvironment, agent, { tasks: 20 })) {
        expect(score.status === "scored" && score.reward > 0.5).toBe(outcome?.acceptable);
      }
    }
  });

  it("opens scenarios that the tools can work on", () => {
    const { world, facts } = openScenario(exampleEnvironment, "train/0/0");
    expect(callTool(exampleEnvironment, world.fork() as never, "get_order", { order: facts.order })).toMatchObject({
      ok: true,
    });
  });
});
