import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCriterion } from "./criterion.js";
import { defineEnvironment, openScenario } from "./environment.js";
import { Episode } from "./episode.js";
import { ToolError } from "./fault.js";
import { ref } from "./field.js";
import { defineRubric } from "./rubric.js";
import { defineSystem, type FaultProfile } from "./system.js";
import { defineTool } from "./tool.js";
import type { CallEvent } from "./trace.js";
import { met } from "./verdict.js";
import { defineTable, defineWorld, type World } from "./world.js";

const tables = { notes: defineTable("NTE", { id: ref("notes"), text: z.string() }) };
type Desk = World<typeof tables>;

const tools = [
  defineTool({
    name: "count",
    description: "Counts notes.",
    effect: "read",
    input: z.object({}),
    output: z.object({ count: z.number() }),
    handle: (desk: Desk) => ({ count: desk.all("notes").length }),
  }),
  defineTool({
    name: "write",
    description: "Writes a note.",
    effect: "write",
    input: z.object({ text: z.string() }),
    output: z.object({ id: ref("notes") }),
    handle: (desk: Desk, { text }) => {
      if (text === "") throw new ToolError("empty", "a note needs text");
      return { id: desk.insert("notes", { text }).id };
    },
  }),
];

const deskWith = (faults: FaultProfile, costMs?: number) =>
  defineEnvironment<typeof tables, null>({
    name: "desk",
    version: "1",
    description: "A desk.",
    world: defineWorld(tables),
    systems: [
      defineSystem({
        name: "desk",
        title: "The desk",
        tools: costMs === undefined ? tools : tools.map((tool) => ({ ...tool, costMs })),
        faults,
      }),
    ],
    startAt: 0,
    instructions: "Write.",
    limits: { turns: 1000, toolCalls: 1000 },
    generate: (desk) => {
      desk.insert("notes", { text: "first" });
      return { prompt: "Write.", family: "f", archetype: "a", facts: null };
    },
    rubric: defineRubric({
      criteria: [defineCriterion({ name: "a", description: "a", points: 100, check: () => met("x") })],
    }),
    outcome: { unit: "USD", horizonMs: 0, read: () => ({ value: 0, parts: {}, acceptable: true }) },
    reference: () => () => ({}),
  });

function callsOf(
  faults: FaultProfile,
  tool: string,
  count: number,
  args: unknown = {},
  id = "train/0/0",
  costMs?: number,
): { calls: CallEvent[]; episode: Episode<typeof tables, null> } {
  const environment = deskWith(faults, costMs);
  const episode = new Episode(environment, openScenario(environment, id), { attemptSeed: "s" });
  for (let i = 0; i < count; i++) episode.step({ calls: [{ tool, arguments: args }] });
  return { calls: episode.events.filter((event) => event.type === "call"), episode };
}
const faultsOf = (calls: readonly CallEvent[]) => calls.map(({ fault }) => fault ?? "none");

describe("outages", () => {
  it("happen about as often as the profile says, as failed results, and the episode goes on", () => {
    const { calls, episode } = callsOf({ unavailable: 0.3 }, "count", 600);
    const failed = calls.filter(({ ok }) => !ok);
    expect(failed.length).toBeGreaterThan(130);
    expect(failed.length).toBeLessThan(230);
    expect(failed[0]?.result).toMatchObject({ code: "unavailable" });
    expect(episode.ended).toBeUndefined();
  });

  it("meet the same calls when the task is run again, and others in another task", () => {
    const profile = { unavailable: 0.2, timeout: 0.2 };
    const once = faultsOf(callsOf(profile, "write", 60, { text: "x" }).calls);
    expect(faultsOf(callsOf(profile, "write", 60, { text: "x" }).calls)).toEqual(once);
    expect(faultsOf(callsOf(profile, "write", 60, { text: "x" }, "train/0/1").calls)).not.toEqual(once);
  });

  it("do not happen without a profile, and always do at probability 1", () => {
    expect(new Set(faultsOf(callsOf({}, "count", 50).calls))).toEqual(new Set(["none"]));
    expect(new Set(faultsOf(callsOf({ unavailable: 1 }, "count", 50).calls))).toEqual(new Set(["unavailable"]));
  });

  it("do nothing to the state when the system is unavailable", () => {
    const { episode } = callsOf({ unavailable: 1 }, "write", 20, { text: "x" });
    expect(episode.world.all("notes")).toHaveLength(1);
  });
});

describe("timeouts", () => {
  it("of writes take effect in some cases and not in others, and the trace says which while the agent cannot tell", () => {
    const { calls, episode } = callsOf({ timeout: 1 }, "write", 80, { text: "x" });
    const applied = calls.filter(({ fault }) => fault === "timeout_applied");
    const lost = calls.filter(({ fault }) => fault === "timeout_lost");
    expect(applied.length).toBeGreaterThan(20);
    expect(lost.length).toBeGreaterThan(20);
    expect(episode.world.all("notes")).toHaveLength(1 + applied.length);
    for (const call of applied) expect(call.changes).toHaveLength(1);
    for (const call of lost) expect(call.changes).toEqual([]);
    expect(new Set(calls.map(({ result }) => JSON.stringify(result))).size).toBe(1);
  });

  it("of writes that would have been refused are never said to have taken effect", () => {
    expect(new Set(faultsOf(callsOf({ timeout: 1 }, "write", 40, { text: "" }).calls))).toEqual(
      new Set(["timeout_lost"]),
    );
  });

  it("of reads are simply lost", () => {
    expect(new Set(faultsOf(callsOf({ timeout: 1 }, "count", 40).calls))).toEqual(new Set(["timeout_lost"]));
  });
});

describe("stale reads", () => {
  it("show the state the episode began with, and are marked in the trace only", () => {
    const environment = deskWith({ staleRead: 1 });
    const episode = new Episode(environment, openScenario(environment, "train/0/0"), { attemptSeed: "s" });
    episode.step({ calls: [{ tool: "write", arguments: { text: "second" } }] });
    episode.step({ calls: [{ tool: "count", arguments: {} }] });
    const read = episode.events.at(-1) as CallEvent;
    expect(read).toMatchObject({ ok: true, result: { count: 1 }, fault: "stale_read" });
    expect(episode.world.all("notes")).toHaveLength(2);
  });

  it("never touch writes", () => {
    const { calls, episode } = callsOf({ staleRead: 1 }, "write", 5, { text: "x" });
    expect(faultsOf(calls)).toEqual(Array(5).fill("none"));
    expect(episode.world.all("notes")).toHaveLength(6);
  });
});

describe("a rate limit", () => {
  it("refuses the calls beyond it, changes nothing by them, and lets calls through again after its window", () => {
    const environment = deskWith({ rateLimit: { calls: 2, perMs: 10_000 } }, 1_000);
    const episode = new Episode(environment, openScenario(environment, "train/0/0"), { attemptSeed: "s" });
    const write = () => episode.step({ calls: [{ tool: "write", arguments: { text: "x" } }] });
    write();
    write();
    write();
    expect(faultsOf(episode.events.filter((event) => event.type === "call"))).toEqual(["none", "none", "rate_limited"]);
    expect(episode.world.all("notes")).toHaveLength(3);
    episode.world.advanceTo(episode.world.now + 10_000);
    write();
    expect((episode.events.at(-1) as CallEvent).ok).toBe(true);
  });
});
