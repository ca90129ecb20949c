import { describe, expect, it } from "vitest";
import { z } from "zod";
import { exampleEnvironment, runAgent } from "../testing/index.js";
import { CandidateView, randomAgent, recallOf } from "./candidates.js";
import { generatedTasks, openScenario } from "./environment.js";
import { kind, money, prose, ref } from "./field.js";
import { defineTool, type Tool, toToolSpec } from "./tool.js";

const tool = (name: string, input: z.ZodObject, output: z.ZodType = z.object({}), effect: "read" | "write" = "read") =>
  toToolSpec(
    defineTool({ name, description: name, effect, input, output, handle: () => ({}) as never }) as unknown as Tool,
  );
const specs = [
  tool(
    "get_order",
    z.object({ order: ref("orders") }),
    z.object({ id: ref("orders"), price: money(), lines: z.array(z.object({ sku: kind("sku") })) }),
  ),
  tool(
    "refund",
    z.object({ order: ref("orders"), amount: money(), note: prose(), fast: z.boolean().optional() }),
    z.object({}),
    "write",
  ),
  tool("reship", z.object({ sku: kind("sku"), reason: z.enum(["lost", "broken"]) }), z.object({}), "write"),
  tool("list_orders", z.object({})),
];
const result = (value: unknown) => ({
  messages: [{ role: "tool", call: "c", tool: "get_order", ok: true, value } as const],
});
const order = { id: "ORD-10001", price: "12.00", lines: [{ sku: "A-100" }, { sku: "B-200" }] };
const callsOf = (view: CandidateView, name: string, limit?: number) =>
  view
    .enumerate(limit)
    .map(({ call }) => call)
    .filter(({ tool }) => tool === name);

describe("candidates", () => {
  it("before anything was seen are only calls that need no value", () => {
    expect(new CandidateView(specs).enumerate().map(({ call }) => call.tool)).toEqual(["list_orders"]);
  });

  it("take ids from prose by their shape", () => {
    const view = new CandidateView(specs);
    view.observe({ messages: [{ role: "user", text: "Work on ORD-10001, please." }] });
    expect(callsOf(view, "get_order").map(({ arguments: args }) => args)).toContainEqual({ order: "ORD-10001" });
  });

  it("take values from results by kind, and never one kind for another", () => {
    const view = new CandidateView(specs);
    view.observe(result(order));
    for (const { arguments: args } of callsOf(view, "refund"))
      expect(args).toMatchObject({ order: "ORD-10001", amount: "12.00" });
    const skus = callsOf(view, "reship").map(({ arguments: args }) => args as { sku: string; reason: string });
    expect(new Set(skus.map(({ sku }) => sku))).toEqual(new Set(["A-100", "B-200"]));
    expect(new Set(skus.map(({ reason }) => reason))).toEqual(new Set(["lost", "broken"]));
  });

  it("are well formed: every one is accepted by its tool's input schema", () => {
    const view = new CandidateView(exampleEnvironment.toolSpecs);
    const { facts } = openScenario(exampleEnvironment, "train/0/0");
    view.observe({ messages: [{ role: "user", text: `Work ticket ${facts.ticket}, order ${facts.order}.` }] });
    for (const { call } of view.enumerate())
      expect(exampleEnvironment.tools.get(call.tool)?.tool.input.safeParse(call.arguments).success).toBe(true);
  });

  it("are at most as many as asked for, the best first, each once, and the same every time", () => {
    const make = () => {
      const view = new CandidateView(specs);
      for (let i = 0; i < 30; i++) view.observe(result({ ...order, id: `ORD-${20_000 + i}`, price: `${i}.00` }));
      return view.enumerate(20);
    };
    const candidates = make();
    expect(candidates).toHaveLength(20);
    expect(new Set(candidates.map(({ call }) => JSON.stringify(call))).size).toBe(20);
    expect(make()).toEqual(candidates);
  });

  it("rank a call lower once it was made", () => {
    const view = new CandidateView(specs);
    view.observe(result(order));
    const made = callsOf(view, "get_order")[0]!;
    const before = view.enumerate().find(({ call }) => JSON.stringify(call) === JSON.stringify(made))!.score;
    view.made(made);
    expect(view.enumerate().find(({ call }) => JSON.stringify(call) === JSON.stringify(made))!.score).toBeLessThan(
      before,
    );
  });

  it.each([
    ["nullable", z.object({ order: ref("orders").nullable() })],
    ["nullable and optional", z.object({ order: ref("orders").nullable().optional() })],
    ["optional", z.object({ order: ref("orders").optional() })],
    ["with a default", z.object({ order: ref("orders").default("ORD-1") })],
    ["described", z.object({ order: ref("orders").describe("Which order.") })],
  ])("fill a marked argument that is %s", (_, input) => {
    const view = new CandidateView([specs[0]!, tool("wrapped", input)]);
    view.observe(result(order));
    expect(callsOf(view, "wrapped").map(({ arguments: args }) => args)).toContainEqual({ order: "ORD-10001" });
  });
});

describe("the random agent", () => {
  it("plays the same calls for the same attempt, and ends", async () => {
    const run = async () =>
      (await runAgent(exampleEnvironment, randomAgent, { tasks: 5 })).map(({ events }) => JSON.stringify(events));
    expect(await run()).toEqual(await run());
  });

  it("passes no task by luck often", async () => {
    const rollouts = await runAgent(exampleEnvironment, randomAgent, { tasks: 40 });
    expect(rollouts.filter(({ score }) => score.status === "scored" && score.passed).length).toBeLessThan(20);
  });
});

describe("recall", () => {
  const scenarios = [...generatedTasks(exampleEnvironment, { split: "train", seed: 0, count: 10 }).ids()].map((id) =>
    openScenario(exampleEnvironment, id),
  );

  it("counts every call of the reference, found or missed", async () => {
    const { calls, found, recall, missed } = await recallOf(exampleEnvironment, scenarios);
    expect(calls).toBe(40);
    expect(found + missed.length).toBe(calls);
    expect(recall).toBe(1);
  });

  it("falls when the reference calls what was never seen, and says where", async () => {
    const blind = {
      ...exampleEnvironment,
      reference: (...args: Parameters<typeof exampleEnvironment.reference>) => {
        const act = exampleEnvironment.reference(...args);
        let first = true;
        return async (seen: Parameters<typeof act>[0]) => {
          if (!first) return act(seen);
          first = false;
          return { calls: [{ tool: "get_order", arguments: { order: "ORD-1" } }] };
        };
      },
    };
    const { recall, missed } = await recallOf(blind, scenarios);
    expect(recall).toBe(0.8);
    expect(missed[0]).toMatchObject({ task: "train/0/0", step: 0, call: { tool: "get_order" } });
  });

  it("cannot rise when fewer candidates are looked at", async () => {
    const at = async (limit: number) => (await recallOf(exampleEnvironment, scenarios, limit)).recall;
    expect(await at(1)).toBeLessThanOrEqual(await at(4));
    expect(await at(4)).toBeLessThanOrEqual(await at(64));
  });
});
