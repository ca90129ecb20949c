import { beforeAll, describe, expect, it } from "vitest";
import { defineCriterion } from "../../core/criterion.js";
import { type AnyEnvironment, openScenario } from "../../core/environment.js";
import { met, unmet } from "../../core/verdict.js";
import { exampleEnvironment } from "../../testing/example-environment.js";
import { DAMAGE, EQUIVALENTS, OPERATORS } from "./catalogue.js";
import { checkBars, type MutationReport, toMutationReport } from "./mutation-report.js";
import { runPairs } from "./pairs.js";
import { criteria, gates, permitDesk } from "./permit-desk.fixture.js";
import { type MutationOptions, type MutationRun, runMutants } from "./run-mutants.js";
import { labelsOf, runVerifierMutants } from "./verifier-mutants.js";

const subjectsOf = (environment: AnyEnvironment, count: number) =>
  Array.from({ length: count }, (_, i) => ({ scenario: openScenario(environment, `train/0/${i}`) }));
const mutate = (environment: AnyEnvironment, options: MutationOptions = {}, count = 16) =>
  runMutants(environment, subjectsOf(environment, count), { perOperator: 12, ...options });
const reportOf = async (environment: AnyEnvironment, options: MutationOptions = {}) =>
  toMutationReport(await mutate(environment, options));
const without = <Q extends { name: string }>(list: readonly Q[], name: string) =>
  list.filter((one) => one.name !== name);
const survivingOperators = (report: MutationReport) =>
  [...new Set(report.survivors.map(({ operator }) => operator))].sort();

it("holds 25 kinds of damage and 14 kinds of equivalence, each once", () => {
  expect(DAMAGE.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, i) => `H${i + 1}`));
  expect(EQUIVALENTS.map(({ id }) => id)).toEqual(Array.from({ length: 14 }, (_, i) => `B${i + 1}`));
  expect(
    DAMAGE.every(({ harmful }) => harmful) && EQUIVALENTS.every(({ harmful, critical }) => !harmful && !critical),
  ).toBe(true);
});

describe("on an environment that offers something to every operator", () => {
  let run: MutationRun;
  let report: MutationReport;
  beforeAll(async () => {
    run = await mutate(permitDesk());
    report = toMutationReport(run);
  });

  it("executes every operator", () => {
    expect(report.operators.filter(({ mutants }) => mutants === 0).map(({ id }) => id)).toEqual([]);
    expect(report.operators).toHaveLength(OPERATORS.length);
  });

  it("finds a rubric that asks after everything sound", () => {
    expect(report.survivors.map(({ operator, what }) => `${operator} ${what}`)).toEqual([]);
    expect(report.falseKills.map(({ operator, what }) => `${operator} ${what}`)).toEqual([]);
    expect(report).toMatchObject({ jMut: 1, criticalOrphans: 0, rejectedSeeds: [], unusable: [] });
    expect(report.attribution.value).toBeGreaterThan(0.95);
    expect(report.matrix.questions.filter(({ dead }) => dead)).toEqual([]);
  });

  it("gives the same report for the same seed, and another for another", async () => {
    expect(JSON.stringify(toMutationReport(await mutate(permitDesk())))).toBe(JSON.stringify(report));
    const other = await mutate(permitDesk(), { seed: 1 });
    expect(other.mutants.map(({ key }) => key)).not.toEqual(run.mutants.map(({ key }) => key));
  });

  it("sets aside as equivalent at most 15 % of an operator", () => {
    for (const { mutants, equivalent } of report.operators) expect(equivalent).toBeLessThanOrEqual(0.15 * mutants);
  });

  it("finds a cover that catches every mutant which any question catches", () => {
    const caught = run.mutants.filter(({ fell, falseKill }) => falseKill === null && fell.length > 0);
    expect(caught.every(({ fell }) => fell.some((name) => report.matrix.cover.includes(name)))).toBe(true);
    expect(report.matrix.cover.length).toBeLessThan(gates.length + criteria.length);
  });

  it("counts a survivor that an expert calls as good as right among the benign", async () => {
    const weak = permitDesk({ gates: without(gates, "true_words") });
    const before = await reportOf(weak, { operators: ["H14"] });
    expect(before.survivors.length).toBeGreaterThan(0);
    const keys = new Set(before.survivors.map(({ key }) => key));
    const after = await reportOf(weak, { operators: ["H14"], reviewed: keys });
    expect(after.survivors).toEqual([]);
    expect(after.falseKillRate).toMatchObject({ value: 0, n: keys.size });
  });

  it("lists for review what survives with an acceptable outcome, and leaves it in the score", async () => {
    const { forReview, mutationScore } = await reportOf(permitDesk({ gates: without(gates, "true_words") }), {
      operators: ["H14"],
    });
    expect(forReview.length).toBeGreaterThan(0);
    expect(mutationScore.value).toBe(0);
  });

  it("reports the pairs of damage that a rubric takes for right", async () => {
    const sound = await runPairs(permitDesk(), subjectsOf(permitDesk(), 8), { count: 20 });
    expect(sound.executed).toBe(20);
    expect(sound.masked).toEqual([]);
    // Counts by the number of grants alone: one left out and one made twice look right together.
    expect(sound.rejected).toBeGreaterThan(15);
  });
});

describe("holes in a rubric", () => {
  it.each([
    ["true_words", ["H13", "H14", "H17", "H19"]],
    ["never_locked", ["H11"]],
  ])("shows the damage that only the gate %s would catch", async (gate, expected) => {
    // The lock's other trace, the unlocking, is asked after by "noted": a hole is only a hole when nothing else looks.
    const noted = criteria.find(({ name }) => name === "noted")!;
    const blind =
      gate === "never_locked"
        ? criteria.map((one) => (one === noted ? { ...one, check: () => met("not looked at") } : one))
        : criteria;
    const report = await reportOf(permitDesk({ gates: without(gates, gate), criteria: blind }), {
      operators: expected.concat("H5", "H24"),
    });
    expect(survivingOperators(report)).toEqual(expected);
    expect(report.matrix.orphans.length).toBe(report.survivors.length);
    expect(report.criticalOrphans).toBe(report.matrix.orphans.length);
    expect(checkBars(report).find(({ measure }) => measure.startsWith("orphans"))).toMatchObject({ reached: false });
  });

  it("marks damage down that costs less than half of what it should", async () => {
    const lenient = criteria.map((one) =>
      one.name === "noted"
        ? {
            ...one,
            check: (context: Parameters<typeof one.check>[0]) => {
              const verdict = one.check(context);
              return verdict.kind === "scored" ? { ...verdict, value: Math.max(verdict.value, 0.8) } : verdict;
            },
          }
        : one,
    );
    const report = await reportOf(permitDesk({ criteria: lenient }), { operators: ["H15"] });
    expect(report.operators[0]).toMatchObject({ killed: 0, lowered: report.operators[0]!.mutants });
    expect(report.matrix.orphans).toEqual([]);
  });

  it("says of the refund desk that nobody reads what is written and nobody looks at the clock", async () => {
    expect(survivingOperators(await reportOf(exampleEnvironment))).toEqual(["H14", "H15", "H17", "H22"]);
  });

  it("calls an operator not applicable with the reason when the environment lacks what it needs", async () => {
    const { operators } = await reportOf(exampleEnvironment, { operators: ["H20", "H23"] });
    expect(operators.map(({ seeds, missing }) => [seeds, Object.keys(missing)])).toEqual([
      [0, ["no tool hands the work to somebody"]],
      [0, ["no tool is used more than once"]],
    ]);
  });
});

describe("rubrics that tell nothing apart", () => {
  const only = (verdict: ReturnType<typeof met>) =>
    permitDesk({
      gates: [],
      criteria: [
        defineCriterion({ name: "all", description: "All.", points: 100, critical: true, check: () => verdict }),
      ],
    });

  it("gives one that rejects everything a mutation score of 1, a false-kill rate of 1 and a J of 0", async () => {
    const report = await reportOf(only(unmet("never")), { operators: ["H1", "H3", "H24", "B1", "B3", "B12"] });
    expect(report).toMatchObject({ mutationScore: { value: 1 }, falseKillRate: { value: 1 }, jMut: 0 });
    expect(report.rejectedSeeds).toHaveLength(16);
    expect(
      checkBars(report)
        .filter(({ reached }) => reached === false)
        .map(({ measure }) => measure),
    ).toContain("seeds that the rubric rejects");
  });

  it("gives one that accepts everything a J of 0", async () => {
    const report = await reportOf(only(met("always")), { operators: ["H1", "H24", "B1", "B3"] });
    expect(report).toMatchObject({ mutationScore: { value: 0 }, falseKillRate: { value: 0 }, jMut: 0 });
    expect(report.matrix.questions).toMatchObject([{ name: "all", dead: true }]);
  });

  it("catches one that punishes wording", async () => {
    const pedantic = defineCriterion<never, never>({
      name: "pedantic",
      description: "The note says exactly this.",
      points: 10,
      check: ({ after }) => {
        const texts = (after as unknown as { all(table: string): { text: string }[] })
          .all("notes")
          .map(({ text }) => text);
        return texts.every((text) =>
          /^Checked APP-\d+\. All papers of APP-\d+ are there; \$[\d.]+ can be granted\.$/.test(text),
        )
          ? met("exactly so")
          : unmet("in other words");
      },
    });
    const report = await reportOf(permitDesk({ criteria: [...without(criteria, "noted"), pedantic as never] }), {
      operators: ["B1", "B3", "B4", "B9"],
    });
    expect([...new Set(report.falseKills.map(({ operator }) => operator))].sort()).toEqual(["B3", "B4", "B9"]);
  });

  it("measures nothing on nothing, and says so", async () => {
    const report = toMutationReport(await runMutants(permitDesk(), []));
    expect(report.mutationScore).toMatchObject({ value: null });
    expect(checkBars(report).every(({ reached }) => reached === null)).toBe(true);
  });
});

describe("damage to the rubric itself", () => {
  const environment = permitDesk();

  it("is noticed where a label rests on the question that was damaged, and named where none does", async () => {
    const run = await mutate(environment, { operators: ["H5", "H22", "H24", "B1"] });
    const { mutants, survivors, contradicted } = runVerifierMutants(environment.rubric, labelsOf(run));
    expect(contradicted).toEqual([]);
    const noticed = (id: string) => mutants.find((one) => one.id === id)!.noticedBy.length > 0;
    expect(noticed("always-met:in_time")).toBe(true);
    expect(noticed("flip-criterion:granted")).toBe(true);
    expect(noticed("always-unmet:tier")).toBe(true);
    expect(survivors.find(({ id }) => id === "drop-gate:never_locked")).toMatchObject({
      wanted: 'a rejected rollout in which nothing but "never_locked" is wrong',
      sameScores: true,
    });
  });

  it("is noticed by nobody when there are no labels", () => {
    const { noticed, survivors, mutants } = runVerifierMutants(environment.rubric, []);
    expect([noticed, survivors.length]).toEqual([0, mutants.length]);
  });
});
