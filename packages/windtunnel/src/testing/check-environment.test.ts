import { describe, expect, it } from "vitest";
import type { Draw } from "../core/environment.js";
import { UsageError } from "../core/fault.js";
import { defineSystem } from "../core/system.js";
import { defineUser } from "../core/user.js";
import { edit, type Facts, type Shop, withGenerate } from "./broken/edit-example.js";
import { brokenEnvironments } from "./broken-environments.js";
import { CHECKS, checkEnvironment } from "./check-environment.js";
import { exampleEnvironment } from "./example-environment.js";

const shop = exampleEnvironment.systems[0]!;

describe("a broken environment fails, with the message that says why", () => {
  it.each(Object.entries(brokenEnvironments))("%s", async (_, { check, message, environment }) => {
    const report = await checkEnvironment(environment(), { tasks: 8 });
    const result = report.checks.find(({ id }) => id === check);
    expect(result?.status).toBe("fail");
    expect(result?.problems.map(({ message }) => message)).toContainEqual(expect.stringMatching(message));
    for (const { where, fix } of result?.problems ?? []) expect(where.length > 0 && fix.length > 0).toBe(true);
    expect(report.passed).toBe(false);
  });

  it("and every check is shown at least one environment that it must fail", () => {
    expect(new Set(Object.values(brokenEnvironments).map(({ check }) => check))).toEqual(
      new Set(CHECKS.map(({ id }) => id)),
    );
  });
});

describe("a sound environment", () => {
  it("passes every check", async () => {
    for (const seed of [0, 1]) {
      const report = await checkEnvironment(exampleEnvironment, { seed });
      expect(report.checks.flatMap(({ problems }) => problems)).toEqual([]);
      expect(report.checks.map(({ status }) => status)).toEqual(CHECKS.map(() => "pass"));
      expect(report.passed).toBe(true);
    }
  });

  it("passes with outages, rate limits and a user", async () => {
    const harsh = edit({
      systems: [defineSystem({ ...shop, faults: { staleRead: 0, rateLimit: { calls: 20, perMs: 60_000 } } })],
      user: defineUser({ name: "customer", open: () => () => "Please go on." }),
    });
    const report = await checkEnvironment(harsh, { tasks: 8 });
    expect(report.checks.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("may let agents know facts that it declares public", async () => {
    const told = withGenerate(({ prompt }, world) => ({
      prompt: `${prompt} Ref ${world.all("truths")[0]!.order}.`,
      facts: { ...exampleFacts(world), memo: "memo 4711-x" },
    }));
    const shown = {
      ...told,
      instructions: () => "Refund what is owed.",
      generate: (world: Shop, draw: Draw) => {
        const made = told.generate(world, draw);
        return {
          ...made,
          prompt: `${made.prompt} (memo 4711-${draw.index}-${draw.split})`,
          facts: { ...made.facts, memo: `memo 4711-${draw.index}-${draw.split}` },
        };
      },
    };
    const leaks = async (publicFacts: string[]) =>
      (await checkEnvironment(shown, { tasks: 4, publicFacts })).checks.find(({ id }) => id === "nothing-hidden-shows")
        ?.status;
    expect(await leaks([])).toBe("fail");
    expect(await leaks(["facts.memo"])).toBe("pass");
  });

  it("gives the same report every time", async () => {
    const report = () => checkEnvironment(exampleEnvironment, { tasks: 4 });
    expect(await report()).toEqual(await report());
  });

  it("leaves the clock and randomness as they were", async () => {
    const before = [Date, Math.random, performance.now];
    await checkEnvironment(exampleEnvironment, { tasks: 2, splits: ["train"] });
    expect([Date, Math.random, performance.now]).toEqual(before);
  });
});

function exampleFacts(world: Shop): Facts {
  const order = world.all("orders")[0]!;
  return {
    ticket: world.all("tickets")[0]!.id,
    order: order.id,
    price: order.price,
    decision: world.all("truths")[0]!.owed ? "refunded" : "declined",
  };
}

describe("what the sample does not show", () => {
  it("is said to be unmeasured, never passed", async () => {
    const report = await checkEnvironment(exampleEnvironment, { tasks: 2, splits: ["sealed"] });
    expect(report.checks.find(({ id }) => id === "splits-disjoint")).toMatchObject({
      status: "notMeasured",
      measured: { reason: "one split was asked for" },
    });
    expect(report.passed).toBe(true);
  });

  it("is everything when no task opens, and the environment does not pass", async () => {
    const report = await checkEnvironment(
      edit({
        generate: () => {
          throw new Error("empty");
        },
      }),
      { tasks: 2 },
    );
    expect(report.passed).toBe(false);
    expect(
      report.checks
        .filter(({ status }) => status === "pass")
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["described", "marks-name-tables", "rubric-obligations"]);
  });

  it.each([{ tasks: 1 }, { tasks: 2.5 }, { tasks: Number.NaN }, { splits: [] }])(
    "cannot be asked of a sample that is none: %j",
    async (options) => {
      await expect(checkEnvironment(exampleEnvironment, options)).rejects.toThrow(UsageError);
    },
  );
});
