import { describe, expect, it } from "vitest";
import { z } from "zod";
import { exampleEnvironment } from "../testing/index.js";
import { defineEnvironment, openScenario } from "./environment.js";
import { Episode } from "./episode.js";
import type { Action, ToolCall } from "./message.js";
import { defineSystem } from "./system.js";
import type { Limits } from "./task.js";
import { defineTool, type Tool } from "./tool.js";
import type { CallEvent, EndEvent } from "./trace.js";
import { defineUser, type User } from "./user.js";

type Example = typeof exampleEnvironment;
const ID = "train/0/0";
const { facts } = openScenario(exampleEnvironment, ID);
const reads = (count: number): ToolCall[] =>
  Array.from({ length: count }, () => ({ tool: "get_ticket", arguments: { ticket: facts.ticket } }));
const close: ToolCall = { tool: "close_ticket", arguments: { ticket: facts.ticket } };

function open(changes: Partial<Example> = {}, limits: Partial<Limits> = {}, elapsedMs?: () => number) {
  const environment: Example = { ...exampleEnvironment, limits: { turns: 12, toolCalls: 24, ...limits }, ...changes };
  return new Episode(environment, openScenario(environment, ID), {
    attemptSeed: "s",
    ...(elapsedMs === undefined ? {} : { elapsedMs }),
  });
}
const withTool = (tool: Tool<never>): Example =>
  defineEnvironment({
    ...exampleEnvironment,
    systems: [...exampleEnvironment.systems, defineSystem({ name: "extra", title: "Extra", tools: [tool] })],
  }) as Example;
const endOf = (episode: { events: Episode["events"] }) => episode.events.at(-1) as EndEvent;
const callsOf = (episode: { events: Episode["events"] }) =>
  episode.events.filter((event): event is CallEvent => event.type === "call");
/** Steps that the sound example takes synchronously. */
const step = (episode: ReturnType<typeof open>, action: Action) => {
  const result = episode.step(action);
  if (result instanceof Promise) throw new Error("expected a synchronous step");
  return result;
};

describe("an opened episode", () => {
  it("starts its trace with the instructions and the prompt, which are what the agent is shown", () => {
    const episode = open();
    expect(episode.events.map(({ type }) => type)).toEqual(["start", "message", "message"]);
    expect(episode.opening.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(episode.opening.messages[1]).toMatchObject({ text: `Work ticket ${facts.ticket}.` });
  });

  it("gives the agent nothing but the task, the instructions, the tools and a random stream", () => {
    expect(Object.keys(open().agentContext).sort()).toEqual(["instructions", "random", "task", "tools"]);
  });

  it("leaves the scenario's world as it was, and other episodes on it", () => {
    const scenario = openScenario(exampleEnvironment, ID);
    const hash = scenario.world.hash();
    const episodes = [0, 1, 2].map((i) => new Episode(exampleEnvironment, scenario, { attemptSeed: `s${i}` }));
    episodes[0]!.step({ calls: [{ tool: "decline_refund", arguments: { order: facts.order, reason: "x" } }] });
    episodes[1]!.step({ calls: [{ tool: "refund_order", arguments: { order: facts.order, amount: facts.price } }] });
    expect(episodes.map(({ world }) => world.need("orders", facts.order).status)).toEqual([
      "declined",
      "refunded",
      "delivered",
    ]);
    expect(scenario.world.hash()).toBe(hash);
  });
});

describe("ending", () => {
  it("an agent that says or calls nothing has stopped: terminated", () => {
    const episode = open();
    expect(step(episode, {})).toMatchObject({ terminated: true, truncated: false, info: { reason: "agent_stopped" } });
  });

  it("a tool that finishes the work ends the episode at once, and later calls of that turn are not made", () => {
    const episode = open();
    expect(step(episode, { calls: [close, ...reads(1)] })).toMatchObject({
      terminated: true,
      info: { reason: "finished", toolCalls: 1 },
    });
    expect(callsOf(episode)).toHaveLength(1);
  });

  it.each([
    ["turns", { turns: 1 }, "turn_limit", { calls: reads(1) }],
    ["tool calls", { toolCalls: 2 }, "tool_call_limit", { calls: reads(3) }],
    ["tokens", { tokens: 100 }, "token_limit", { calls: reads(1), usage: { inputTokens: 60, outputTokens: 40 } }],
    ["cost", { costUsd: 0.5 }, "cost_limit", { calls: reads(1), usage: { costUsd: 0.5 } }],
  ] as const)("at the limit of %s is truncated, not terminated", (_, limits, reason, action) => {
    const episode = open({}, limits);
    expect(step(episode, action)).toMatchObject({ terminated: false, truncated: true, info: { reason } });
    expect(endOf(episode)).toMatchObject({ type: "end", terminated: false, truncated: true, reason });
  });

  it("does not come before the limit", () => {
    const episode = open({}, { turns: 3, toolCalls: 3, tokens: 101 });
    for (let i = 0; i < 2; i++)
      expect(step(episode, { calls: reads(1), usage: { inputTokens: 50 } }).truncated).toBe(false);
    expect(step(episode, { calls: reads(1), usage: { inputTokens: 1 } }).truncated).toBe(true);
    expect(callsOf(episode)).toHaveLength(3);
  });

  it("makes exactly the permitted number of calls", () => {
    const episode = open({}, { toolCalls: 2 });
    step(episode, { calls: reads(5) });
    expect(callsOf(episode)).toHaveLength(2);
  });

  it("at the wall limit counts all time, at the working limit only the agent's own", () => {
    let now = 0;
    const clock = () => now;
    const waiting = { calls: reads(1), usage: { waitedMs: 60_000 } };
    const wall = open({}, { wallMs: 60_000 }, clock);
    now = 61_000;
    expect(step(wall, waiting).info.reason).toBe("wall_time_limit");
    now = 0;
    const working = open({}, { workingMs: 5_000 }, clock);
    now = 61_000;
    expect(step(working, waiting).truncated).toBe(false);
    now = 65_000;
    expect(step(working, { calls: reads(1) }).info.reason).toBe("working_time_limit");
    expect(working.usage.waitedMs).toBe(60_000);
  });

  it("on the very last permitted turn, call or token is terminated when the task is solved or finished by it", () => {
    const solved: NonNullable<Example["solved"]> = (world) => world.need("orders", facts.order).status === "declined";
    const decline: ToolCall = { tool: "decline_refund", arguments: { order: facts.order, reason: "x" } };
    expect(step(open({ solved }, { turns: 1 }), { calls: [decline] })).toMatchObject({
      terminated: true,
      truncated: false,
      info: { reason: "solved" },
    });
    expect(step(open({ solved }, { toolCalls: 1 }), { calls: [decline] })).toMatchObject({
      terminated: true,
      info: { reason: "solved" },
    });
    expect(step(open({ solved }, { toolCalls: 1 }), { calls: [decline, ...reads(1)] })).toMatchObject({
      terminated: true,
      truncated: false,
      info: { reason: "solved" },
    });
    expect(step(open({ solved }, { tokens: 1 }), { calls: [decline], usage: { inputTokens: 5 } })).toMatchObject({
      terminated: true,
      info: { reason: "solved" },
    });
    expect(step(open({}, { turns: 1, toolCalls: 1 }), { calls: [close] })).toMatchObject({
      terminated: true,
      info: { reason: "finished" },
    });
    expect(step(open({}, { turns: 1 }), {})).toMatchObject({ terminated: true, info: { reason: "agent_stopped" } });
  });

  it("leaves nothing to step", () => {
    const episode = open();
    step(episode, {});
    expect(() => episode.step({})).toThrow(/has ended \(agent_stopped\)/);
    const length = episode.events.length;
    episode.stop("cancelled");
    expect(episode.ended).toBe("agent_stopped");
    expect(episode.events).toHaveLength(length);
  });

  it("from outside is truncated when cancelled, and neither when a boundary broke", () => {
    const cancelled = open();
    cancelled.stop("cancelled");
    expect(endOf(cancelled)).toMatchObject({ terminated: false, truncated: true, reason: "cancelled" });
    const broken = open();
    broken.stop("fault");
    expect(endOf(broken)).toMatchObject({ terminated: false, truncated: false, reason: "fault" });
  });
});

describe("calls that cannot be made", () => {
  it("reach the agent as failed results, are counted, change nothing, and the episode goes on", () => {
    const episode = open();
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const { observation, terminated } = step(episode, {
      calls: [
        { tool: "get_tickets", arguments: {} },
        { tool: "get_ticket", arguments: '{"ticket": ' },
        { tool: "get_ticket", arguments: { ticket: 7 } },
        { tool: "get_ticket", arguments: { ticket: "TCK-1" } },
        { tool: "get_ticket", arguments: cyclic },
      ],
    });
    expect(
      observation.messages.map((message) =>
        message.role === "tool" ? [message.ok, (message.value as { code: string }).code] : message.role,
      ),
    ).toEqual([
      [false, "unknown_tool"],
      [false, "invalid_json"],
      [false, "invalid_arguments"],
      [false, "not_found"],
      [false, "invalid_arguments"],
    ]);
    expect(terminated).toBe(false);
    expect(episode.usage.toolCalls).toBe(5);
    expect(callsOf(episode).flatMap(({ changes }) => changes)).toEqual([]);
    expect(episode.world.diff(openScenario(exampleEnvironment, ID).world)).toEqual([]);
  });

  it("for an unknown tool list the tools there are", () => {
    const { observation } = step(open(), { calls: [{ tool: "refund", arguments: {} }] });
    const message = observation.messages[0]!;
    expect(JSON.stringify(message)).toContain("get_ticket, get_order, refund_order, decline_refund, close_ticket");
  });
});

describe("the trace", () => {
  it("numbers its events from 0 without a gap, on a clock that never goes back", () => {
    const episode = open();
    step(episode, { text: "looking", calls: reads(2) });
    step(episode, {});
    expect(episode.events.map(({ seq }) => seq)).toEqual(episode.events.map((_, i) => i));
    const times = episode.events.map(({ at }) => at);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  it("cannot be changed through anything that was handed out or handed in", () => {
    const environment = withTool(
      defineTool({
        name: "list",
        description: "Lists.",
        effect: "read",
        input: z.object({ deep: z.unknown() }),
        output: z.unknown(),
        handle: () => ({ rows: [{ n: 1 }] }),
      }) as Tool<never>,
    );
    const episode = new Episode(environment, openScenario(environment, ID), { attemptSeed: "s" });
    const given = { deep: { value: "as given" } };
    const { observation } = step(episode, { calls: [{ tool: "list", arguments: given }] });
    given.deep.value = "changed later";
    const message = observation.messages[0] as { value: { rows: { n: number }[] } };
    expect(() => message.value.rows.push({ n: 2 })).toThrow(TypeError);
    const call = callsOf(episode)[0]!;
    expect(call.arguments).toEqual({ deep: { value: "as given" } });
    expect(() => Object.assign(call, { ok: false })).toThrow(TypeError);
    expect(() => Object.assign(call.result as object, { rows: [] })).toThrow(TypeError);
  });

  it("records each call's changes with the state after it, and scheduled events apart", () => {
    const episode = open();
    step(episode, { calls: [{ tool: "refund_order", arguments: { order: facts.order, amount: facts.price } }] });
    const call = callsOf(episode)[0]!;
    expect(call.changes.map(({ table, op }) => [table, op])).toEqual([
      ["orders", "update"],
      ["ledger", "insert"],
    ]);
    expect(call.state).toBe(episode.world.hash());
    episode.world.advanceTo(episode.world.nextEventAt! - 1);
    step(episode, { calls: reads(1) });
    const last = episode.events.at(-1)!;
    expect(last).toMatchObject({ type: "world", kind: "settle" });
    expect(callsOf(episode).at(-1)?.changes).toEqual([]);
  });

  it("numbers calls itself only where the agent did not", () => {
    const episode = open();
    step(episode, { calls: [{ ...reads(1)[0]!, id: "mine" }, ...reads(1)] });
    expect(callsOf(episode).map(({ call }) => call)).toEqual(["mine", "call-1"]);
  });
});

describe("the simulated user", () => {
  const talk = (open: User["open"]) => defineUser({ name: "customer", open });

  it("hears the agent's words and answers; calls do not reach it", () => {
    const heard: string[] = [];
    const episode = open({
      user: talk(() => (text) => {
        heard.push(text);
        return "and then?";
      }),
    });
    step(episode, { text: "thinking", calls: reads(1) });
    const { observation, terminated } = step(episode, { text: "Is it done?" });
    expect(heard).toEqual(["Is it done?"]);
    expect(observation.messages).toEqual([{ role: "user", text: "and then?" }]);
    expect(terminated).toBe(false);
    expect(episode.events.filter((event) => event.type === "message" && event.role === "user")).toHaveLength(2);
  });

  it("may answer later, and the step waits for it", async () => {
    const episode = open({ user: talk(() => async (text) => (text === "bye" ? null : "ok")) });
    expect(await episode.step({ text: "hello" })).toMatchObject({
      observation: { messages: [{ text: "ok" }] },
      terminated: false,
    });
    expect(await episode.step({ text: "bye" })).toMatchObject({ terminated: true, info: { reason: "agent_stopped" } });
  });

  it("that leaves ends the episode", () => {
    expect(step(open({ user: talk(() => () => null) }), { text: "bye" })).toMatchObject({
      terminated: true,
      info: { reason: "agent_stopped" },
    });
  });

  it("that breaks, at once, later or when opened, breaks its own boundary", async () => {
    const boom = () => {
      throw new Error("boom");
    };
    const broken = expect.objectContaining({ boundary: "user", code: "user_threw" });
    expect(() => open({ user: talk(() => boom) }).step({ text: "hi" })).toThrow(broken);
    expect(() => open({ user: talk(boom) }).step({ text: "hi" })).toThrow(broken);
    await expect(Promise.resolve(open({ user: talk(() => async () => boom()) }).step({ text: "hi" }))).rejects.toThrow(
      broken,
    );
  });

  it("draws from a stream of the attempt, so the same attempt hears the same", () => {
    const chatty = {
      user: talk(
        ({ random }) =>
          () =>
            String(random.int(0, 1e9)),
      ),
    };
    const say = () => step(open(chatty), { text: "hi" }).observation;
    expect(say()).toEqual(say());
  });
});
