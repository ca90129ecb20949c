import { describe, expect, test } from "vitest";
import { toDraws } from "./draw.js";
import { hanleyMcNeilSe, rocAuc } from "./roc-auc.js";

const win = (a: number, b: number): number => (a > b ? 1 : a === b ? 0.5 : 0);
const byPairs = (positives: readonly number[], negatives: readonly number[]) =>
  positives.flatMap((p) => negatives.map((n) => win(p, n))).reduce((sum, w) => sum + w, 0) /
  (positives.length * negatives.length);

/** DeLong from its definition: the variance of each item's mean win. */
function deLongByPairs(positives: readonly number[], negatives: readonly number[]): number {
  const variance = (shares: number[]) => {
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    return shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (shares.length - 1) / shares.length;
  };
  const mean = (wins: number[]) => wins.reduce((sum, w) => sum + w, 0) / wins.length;
  return Math.sqrt(
    variance(positives.map((p) => mean(negatives.map((n) => win(p, n))))) +
      variance(negatives.map((n) => mean(positives.map((p) => win(p, n))))),
  );
}

describe("rocAuc", () => {
  test("is the published value", () => {
    expect(rocAuc([0.35, 0.8], [0.1, 0.4]).value).toBe(0.75);
    const y = [0, 0, 1, 0, 1, 1, 1, 0, 1, 1];
    const scores = y.map((_, i) => 0.05 + 0.1 * i);
    const pick = (label: number) => scores.filter((_, i) => y[i] === label);
    expect(rocAuc(pick(1), pick(0)).value).toBeCloseTo(0.7917, 4);
  });

  test("and its standard error equal the count over all pairs, ties included", () => {
    const draw = toDraws(1);
    for (let trial = 0; trial < 40; trial++) {
      const positives = Array.from({ length: 12 }, () => Math.floor(draw() * 6) + 1);
      const negatives = Array.from({ length: 9 }, () => Math.floor(draw() * 6));
      const estimate = rocAuc(positives, negatives);
      expect(estimate.value).toBeCloseTo(byPairs(positives, negatives), 12);
      expect(estimate).toMatchObject({ n: 21, se: expect.closeTo(deLongByPairs(positives, negatives), 12) });
    }
  });

  test("of swapped groups is the complement, interval and all", () => {
    const [a, b] = [
      [1, 3, 4, 6],
      [0, 2, 3, 5],
    ];
    const [forward, backward] = [rocAuc(a, b), rocAuc(b, a)];
    if (forward.value === null || backward.value === null) throw new Error("undefined");
    expect(backward.value).toBeCloseTo(1 - forward.value, 12);
    expect(backward.interval![0]).toBeCloseTo(1 - forward.interval![1], 12);
  });

  test("of perfect separation is 1 with a lower end below 1 that rises with n", () => {
    const lower = (size: number) => {
      const scores = Array.from({ length: size }, (_, i) => i);
      const estimate = rocAuc(
        scores.map((score) => score + size),
        scores,
      );
      if (estimate.value !== 1) throw new Error(`AUC ${estimate.value}`);
      return estimate.interval![0];
    };
    expect(lower(5)).toBeLessThan(lower(50));
    expect(lower(50)).toBeLessThan(1);
    expect(lower(50)).toBeGreaterThan(0.9);
  });

  test.each([
    [[], [1]],
    [[1], []],
    [[], []],
  ])("of %j against %j has a reason and no value", (positives, negatives) => {
    expect(rocAuc(positives, negatives)).toMatchObject({ value: null, reason: expect.any(String) });
  });

  test("of one score throughout is ½", () => {
    expect(rocAuc([1, 1, 1], [1, 1])).toMatchObject({ value: 0.5, interval: expect.any(Array) });
  });

  test("rejects a score that is not a number", () => {
    expect(() => rocAuc([Number.NaN], [1])).toThrow("positives[0]");
  });
});

describe("hanleyMcNeilSe", () => {
  test.each([
    [0.9, 50, 50, 0.032],
    [0.9, 100, 100, 0.023],
    [0.9, 30, 120, 0.039],
    [0.95, 100, 100, 0.016],
  ])("of AUC %d with %i and %i is the published value", (auc, positives, negatives, se) => {
    expect(hanleyMcNeilSe(auc, positives, negatives)).toBeCloseTo(se, 3);
  });
});
