import { describe, expect, it } from "vitest";
import { type Criterion, defineCriterion, defineGate } from "./criterion.js";
import { UsageError } from "./fault.js";
import { applyRubric, defineRubric, onlyAllowedChanges } from "./rubric.js";
import { errored, isMet, met, notApplicable, scored, unmet, unscored, type Verdict } from "./verdict.js";
import type { Change } from "./world.js";

const context = {} as never;
const gate = (name: string, verdict: () => Verdict, cap?: number) =>
  defineGate({ name, description: name, check: verdict, ...(cap === undefined ? {} : { cap }) });
const question = (name: string, points: number, check: () => Verdict, more: Partial<Criterion> = {}) =>
  defineCriterion({ name, description: name, points, check, ...more });
const yes = () => met("yes");
const no = () => unmet("no");
const half = () => scored(0.5, "half");

function rewardOf(rubric: Parameters<typeof defineRubric>[0]) {
  const score = applyRubric(defineRubric(rubric), context);
  if (score.status !== "scored") throw new Error(`expected a score, found ${score.status}: ${score.reason}`);
  return score;
}

describe("the reward", () => {
  it("is the share of points earned, and each criterion shows its part", () => {
    const score = rewardOf({ criteria: [question("a", 60, yes), question("b", 30, half), question("c", 10, no)] });
    expect(score.reward).toBeCloseTo(0.75, 12);
    expect(score.results.map(({ earned }) => earned)).toEqual([0.6, 0.15, 0]);
  });

  it("renormalises over the criteria that apply: one that does not gives neither credit nor loss", () => {
    const score = rewardOf({
      criteria: [question("a", 20, yes), question("b", 20, no), question("c", 60, () => notApplicable("n/a"))],
    });
    expect(score.reward).toBe(0.5);
    expect(score.results.reduce((sum, { earned }) => sum + earned, 0)).toBe(0.5);
  });

  it("is 0 under a veto and at most the cap under a cap, the lowest of several", () => {
    const criteria = [question("a", 100, yes)];
    expect(rewardOf({ criteria, gates: [gate("veto", no)] })).toMatchObject({ reward: 0, passed: false });
    expect(
      rewardOf({ criteria, gates: [gate("cap", no, 0.6), gate("lower", no, 0.3), gate("fine", yes)] }),
    ).toMatchObject({ reward: 0.3, passed: false });
    expect(
      rewardOf({ criteria: [question("a", 100, () => scored(0.1, "x"))], gates: [gate("cap", no, 0.6)] }).reward,
    ).toBe(0.1);
  });

  it("is limited by a gate that is only partly met, and not by one that does not apply", () => {
    expect(rewardOf({ criteria: [question("a", 100, yes)], gates: [gate("g", half, 0.5)] }).reward).toBe(0.5);
    expect(
      rewardOf({ criteria: [question("a", 100, yes)], gates: [gate("g", () => notApplicable("n/a"))] }),
    ).toMatchObject({ reward: 1, passed: true });
  });

  it("counts a criterion only once those it comes after are met, along the whole chain", () => {
    const chain = (first: () => Verdict) =>
      rewardOf({
        criteria: [
          question("a", 40, first),
          question("b", 30, yes, { after: ["a"] }),
          question("c", 30, yes, { after: ["b"] }),
        ],
      }).reward;
    expect(chain(yes)).toBe(1);
    expect(chain(no)).toBe(0);
    expect(chain(half)).toBe(0.2);
    expect(chain(() => notApplicable("n/a"))).toBe(1);
  });
});

describe("a pass", () => {
  it("needs the pass mark", () => {
    const at = (value: number, passMark: number) =>
      rewardOf({ passMark, criteria: [question("a", 100, () => scored(value, "x"))] }).passed;
    expect(at(0.9, 0.9)).toBe(true);
    expect(at(0.89, 0.9)).toBe(false);
  });

  it("needs every critical criterion that applies, whatever the reward", () => {
    const critical = (check: () => Verdict) =>
      rewardOf({ passMark: 0.9, criteria: [question("a", 99, yes), question("b", 1, check, { critical: true })] });
    expect(critical(no)).toMatchObject({ passed: false });
    expect(critical(no).reward).toBeGreaterThan(0.9);
    expect(critical(() => scored(0.99, "nearly")).passed).toBe(false);
    expect(critical(() => notApplicable("n/a")).passed).toBe(true);
    expect(critical(yes).passed).toBe(true);
  });

  it("is withheld by a tripped cap even when the capped reward reaches the mark", () => {
    expect(rewardOf({ passMark: 0.5, criteria: [question("a", 100, yes)], gates: [gate("g", no, 0.8)] })).toMatchObject(
      { reward: 0.8, passed: false },
    );
  });
});

describe("what could not be answered", () => {
  const throwing = () => {
    throw new Error("index out of range");
  };
  const cases: [string, () => Verdict, string, RegExp][] = [
    ["an unscored criterion", () => unscored("no label yet"), "unscored", /no label yet/],
    ["an errored criterion", () => errored("judge", "no answer"), "errored", /judge: no answer/],
    ["a criterion that throws", throwing, "errored", /verifier: index out of range/],
    ["a criterion that returns NaN", () => scored(Number.NaN, "x"), "errored", /NaN/],
    [
      "a score made by hand out of range",
      () => ({ kind: "scored", value: 7, reason: "x", evidence: [] }),
      "errored",
      /7/,
    ],
    ["a forgotten return", () => undefined as never, "errored", /no verdict/],
    ["a promise", () => Promise.resolve(met("late")) as never, "errored", /no verdict/],
    ["a bare number", () => 1 as never, "errored", /no verdict/],
  ];

  it.each(cases)("makes no reward: %s", (_, check, status, reason) => {
    for (const rubric of [
      { criteria: [question("odd", 1, check), question("fine", 99, yes)] },
      { criteria: [question("fine", 100, yes)], gates: [gate("odd", check)] },
    ]) {
      const score = applyRubric(defineRubric(rubric), context);
      expect(score.status).toBe(status);
      expect(score).not.toHaveProperty("reward");
      expect(score).toMatchObject({ reason: expect.stringMatching(reason) });
      expect(score).toMatchObject({ reason: expect.stringMatching(/^odd: /) });
    }
  });

  it("still shows what the other criteria answered", () => {
    const score = applyRubric(
      defineRubric({ criteria: [question("a", 50, yes), question("b", 50, () => unscored("later"))] }),
      context,
    );
    expect(score.results.map(({ verdict }) => verdict.kind)).toEqual(["scored", "unscored"]);
  });

  it("is errored rather than unscored when it is both", () => {
    const score = applyRubric(
      defineRubric({
        criteria: [question("a", 50, () => unscored("later")), question("b", 50, () => errored("judge", "x"))],
      }),
      context,
    );
    expect(score.status).toBe("errored");
  });

  it("is all of it when no criterion applies: unscored, not 0 and not 1", () => {
    expect(
      applyRubric(defineRubric({ criteria: [question("a", 100, () => notApplicable("n/a"))] }), context),
    ).toMatchObject({ status: "unscored" });
  });

  it("does not turn into a 0 because an earlier criterion was not met", () => {
    const score = applyRubric(
      defineRubric({
        criteria: [question("a", 50, no), question("b", 50, () => errored("judge", "x"), { after: ["a"] })],
      }),
      context,
    );
    expect(score.status).toBe("errored");
  });
});

describe("a rubric is refused when defined", () => {
  const cases: [string, Parameters<typeof defineRubric>[0], RegExp][] = [
    ["without criteria", { criteria: [] }, /scores nothing.*at least one criterion/],
    ["with points short of 100", { criteria: [question("a", 99, yes)] }, /do not sum.*expected 100, found 99/],
    ["with points beyond 100", { criteria: [question("a", 60, yes), question("b", 60, yes)] }, /found 120/],
    [
      "with a criterion worth nothing",
      { criteria: [question("a", 100, yes), question("b", 0, yes)] },
      /"b" is worth nothing/,
    ],
    ["with negative points", { criteria: [question("a", 120, yes), question("b", -20, yes)] }, /"b" is worth nothing/],
    ["with points that are no number", { criteria: [question("a", Number.NaN, yes)] }, /found NaN|worth nothing/],
    [
      "with a gate that caps nothing",
      { criteria: [question("a", 100, yes)], gates: [gate("g", yes, 1)] },
      /"g" caps nothing/,
    ],
    ["with a negative cap", { criteria: [question("a", 100, yes)], gates: [gate("g", yes, -0.1)] }, /"g" caps nothing/],
    ["with a pass mark of 0", { passMark: 0, criteria: [question("a", 100, yes)] }, /pass mark/],
    ["with a pass mark above 1", { passMark: 1.1, criteria: [question("a", 100, yes)] }, /pass mark/],
    ["with a name twice", { criteria: [question("a", 50, yes), question("a", 50, yes)] }, /share a name.*found a/],
    [
      "with a gate and a criterion of one name",
      { criteria: [question("a", 100, yes)], gates: [gate("a", yes)] },
      /share a name/,
    ],
    [
      "with `after` naming nothing",
      { criteria: [question("a", 100, yes, { after: ["z"] })] },
      /"a" counts after an unknown one.*found z/,
    ],
    [
      "with `after` naming a later criterion",
      { criteria: [question("a", 50, yes, { after: ["b"] }), question("b", 50, yes)] },
      /"a" counts after an unknown one/,
    ],
    [
      "with `after` naming itself",
      { criteria: [question("a", 100, yes, { after: ["a"] })] },
      /"a" counts after an unknown one/,
    ],
    [
      "with `after` naming a gate, which earns nothing",
      { criteria: [question("a", 100, yes, { after: ["g"] })], gates: [gate("g", yes)] },
      /"a" counts after an unknown one/,
    ],
  ];

  it.each(cases)("%s", (_, rubric, message) => {
    expect(() => defineRubric(rubric)).toThrow(UsageError);
    expect(() => defineRubric(rubric)).toThrow(message);
  });
});

describe("the digest of a rubric", () => {
  const base = {
    passMark: 0.9,
    gates: [gate("g", yes, 0.5)],
    criteria: [question("a", 60, yes), question("b", 40, yes)],
  };
  it.each([
    ["the pass mark", { ...base, passMark: 0.8 }],
    ["a cap", { ...base, gates: [gate("g", yes, 0.4)] }],
    ["points", { ...base, criteria: [question("a", 50, yes), question("b", 50, yes)] }],
    ["a version", { ...base, criteria: [question("a", 60, yes, { version: 2 }), question("b", 40, yes)] }],
    ["what is critical", { ...base, criteria: [question("a", 60, yes, { critical: true }), question("b", 40, yes)] }],
    ["an order of credit", { ...base, criteria: [question("a", 60, yes), question("b", 40, yes, { after: ["a"] })] }],
  ])("changes with %s", (_, changed) => {
    expect(defineRubric(changed).digest).not.toBe(defineRubric(base).digest);
    expect(defineRubric({ ...base }).digest).toBe(defineRubric(base).digest);
  });
});

describe("the allow-list of changes", () => {
  const insert: Change = { table: "notes", id: "N1", before: null, after: { id: "N1", text: "x" } };
  const update: Change = {
    table: "orders",
    id: "O1",
    before: { id: "O1", price: "1", status: "open" },
    after: { id: "O1", price: "1", status: "closed" },
  };
  const remove: Change = { table: "orders", id: "O1", before: { id: "O1", price: "1", status: "open" }, after: null };

  it("is met when every change is on it, and by no change at all", () => {
    expect(
      isMet(
        onlyAllowedChanges(
          [insert, update],
          [
            { table: "notes", op: "insert" },
            { table: "orders", ids: ["O1"], fields: ["status"] },
          ],
        ),
      ),
    ).toBe(true);
    expect(isMet(onlyAllowedChanges([], []))).toBe(true);
  });

  it.each([
    ["another table", update, { table: "notes" }],
    ["another row", update, { table: "orders", ids: ["O2"] }],
    ["another field", update, { table: "orders", fields: ["price"] }],
    ["another kind of change", remove, { table: "orders", op: "update" as const }],
    ["a removal where fields may change", remove, { table: "orders", ids: ["O1"], fields: ["status"] }],
    ["an insertion where fields may change", { ...insert, table: "orders" }, { table: "orders", fields: ["status"] }],
  ])("is broken by a change of %s, which it points at", (_, change, rule) => {
    const verdict = onlyAllowedChanges([change], [rule]);
    expect(verdict).toMatchObject({ kind: "scored", value: 0, evidence: [{ table: change.table, id: change.id }] });
  });
});
