import { describe, expect, it } from "vitest";
import { exampleEnvironment } from "../testing/index.js";
import { defineEnvironment, generatedTasks, openScenario } from "./environment.js";
import { UsageError } from "./fault.js";
import { defineSystem } from "./system.js";
import type { Tool } from "./tool.js";

const { systems } = exampleEnvironment;
const shop = systems[0]!;

describe("opening a task", () => {
  it("gives the same task, facts and world for the same id, in any order", () => {
    const first = openScenario(exampleEnvironment, "train/7/3");
    openScenario(exampleEnvironment, "train/7/9");
    const second = openScenario(exampleEnvironment, "train/7/3");
    expect(second.task).toEqual(first.task);
    expect(second.facts).toEqual(first.facts);
    expect(second.world.hash()).toBe(first.world.hash());
  });

  it("gives another world for another index, seed or split", () => {
    const hashes = ["train/0/0", "train/0/1", "train/1/0", "validation/0/0", "sealed/0/0"].map((id) =>
      openScenario(exampleEnvironment, id).world.hash(),
    );
    expect(new Set(hashes).size).toBe(5);
  });

  it.each([
    "",
    "train",
    "train/0",
    "train/0/x",
    "test/0/1",
    "train/-1/0",
    "train/0/1.5",
    "train/0/1/2",
    " train/0/1",
    "train/00/1",
    "train/0/01",
    "TRAIN/0/1",
  ])("refuses the id %j and says what ids look like", (id) => {
    expect(() => openScenario(exampleEnvironment, id)).toThrow(UsageError);
    expect(() => openScenario(exampleEnvironment, id)).toThrow(/train\/0\/12/);
  });

  it("hands out a world, a task and facts that nobody can change", () => {
    const { world, task, facts } = openScenario(exampleEnvironment, "train/0/0");
    expect(() => world.insert("truths", { order: facts.order, owed: true })).toThrow(/read-only/);
    expect(() => Object.assign(task, { prompt: "x" })).toThrow(TypeError);
    expect(() => Object.assign(facts, { decision: "refunded" })).toThrow(TypeError);
    expect(world.fork().takeChanges().changes).toEqual([]);
  });

  it("puts a task in a group of its own unless the generator names one", () => {
    expect(openScenario(exampleEnvironment, "train/0/4").task.sourceGroup).toBe("train/0/4");
    const grouped = {
      ...exampleEnvironment,
      generate: (...args: Parameters<typeof exampleEnvironment.generate>) => ({
        ...exampleEnvironment.generate(...args),
        sourceGroup: "patient-1",
      }),
    };
    expect(openScenario(grouped, "train/0/4").task.sourceGroup).toBe("patient-1");
  });

  it("lets a task narrow the environment's limits", () => {
    const narrow = {
      ...exampleEnvironment,
      generate: (...args: Parameters<typeof exampleEnvironment.generate>) => ({
        ...exampleEnvironment.generate(...args),
        limits: { turns: 3 },
      }),
    };
    expect(openScenario(narrow, "train/0/0").task.limits).toEqual({ turns: 3, toolCalls: 24 });
  });
});

describe("generated tasks", () => {
  it("list ids that all open, each once", () => {
    const tasks = generatedTasks(exampleEnvironment, { split: "sealed", seed: 4, count: 5, from: 10 });
    const ids = [...tasks.ids()];
    expect(ids).toEqual([10, 11, 12, 13, 14].map((index) => `sealed/4/${index}`));
    expect(ids.map((id) => tasks.open(id).task.id)).toEqual(ids);
    expect(tasks.size).toBe(5);
  });
});

describe("an environment definition", () => {
  it("is refused when two tools share a name, in one system or across two", () => {
    const twice = [...systems, defineSystem({ name: "other", title: "Other", tools: [shop.tools[0]!] })];
    expect(() => defineEnvironment({ ...exampleEnvironment, systems: twice })).toThrow(
      /share a name.*refund-desk\.systems\.other.*found get_ticket/,
    );
    const within = [defineSystem({ ...shop, tools: [shop.tools[0]!, shop.tools[0]!] })];
    expect(() => defineEnvironment({ ...exampleEnvironment, systems: within })).toThrow(UsageError);
  });

  it("is refused without tools", () => {
    expect(() => defineEnvironment({ ...exampleEnvironment, systems: [] })).toThrow(/"refund-desk" has no tools/);
  });

  it("has a contract digest that changes with a tool's description or schema, not with its handler", () => {
    const withTool = (change: Partial<Tool<never>>) =>
      defineEnvironment({
        ...exampleEnvironment,
        systems: [
          defineSystem({
            ...shop,
            tools: shop.tools.map((tool, i) => (i === 0 ? ({ ...tool, ...change } as typeof tool) : tool)),
          }),
        ],
      }).contractDigest;
    expect(withTool({})).toBe(exampleEnvironment.contractDigest);
    expect(withTool({ handle: () => null })).toBe(exampleEnvironment.contractDigest);
    expect(withTool({ description: "Other." })).not.toBe(exampleEnvironment.contractDigest);
    expect(withTool({ input: shop.tools[1]!.input })).not.toBe(exampleEnvironment.contractDigest);
    expect(withTool({ effect: "write" })).not.toBe(exampleEnvironment.contractDigest);
  });

  it("lists its tools as agents see them, once and unchangeable", () => {
    expect(exampleEnvironment.toolSpecs.map(({ name }) => name)).toEqual([...exampleEnvironment.tools.keys()]);
    expect(exampleEnvironment.toolSpecs).toBe(exampleEnvironment.toolSpecs);
    expect(Object.isFrozen(exampleEnvironment.toolSpecs[0])).toBe(true);
  });
});
