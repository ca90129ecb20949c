import { describe, expect, it } from "vitest";
import { errored, forAll, isMet, met, notApplicable, scored, unmet, unscored } from "./verdict.js";

describe("a score", () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, -0.01, 1.01])(
    "of %s is the verifier's error, never a number",
    (value) => {
      expect(scored(value, "x")).toMatchObject({ kind: "errored", boundary: "verifier" });
    },
  );

  it("meets its question only at full value, and no other kind of verdict does", () => {
    expect(isMet(met("x"))).toBe(true);
    for (const verdict of [scored(0.999, "x"), unmet("x"), notApplicable("x"), unscored("x"), errored("judge", "x")])
      expect(isMet(verdict)).toBe(false);
  });
});

describe("for all", () => {
  const ask = (list: readonly number[]) =>
    forAll(list, "lines", (n) => (n < 0 ? notApplicable("n/a") : scored(n, `line worth ${n}`, [{ event: n }])));

  it("over nothing is unscored: never a pass, never a fail", () => {
    expect(ask([])).toMatchObject({ kind: "unscored", reason: "nothing to check: no lines" });
  });

  it("over members of which none applies does not apply", () => {
    expect(ask([-1, -1]).kind).toBe("notApplicable");
  });

  it("is met when every member that applies is, and else worth their mean, with evidence of those that fail", () => {
    expect(isMet(ask([1, -1, 1]))).toBe(true);
    expect(ask([1, 0, -1])).toMatchObject({ kind: "scored", value: 0.5, evidence: [{ event: 0 }] });
  });

  it("passes on a member that is unscored or errored instead of counting it", () => {
    for (const broken of [unscored("no label"), errored("judge", "no answer")]) {
      expect(forAll([1, 2], "lines", (n) => (n === 1 ? met("x") : broken))).toEqual(broken);
    }
  });
});
