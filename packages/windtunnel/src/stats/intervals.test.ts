import { describe, expect, test } from "vitest";
import { clopperPearson, clusteredMean, meanEstimate, wilson } from "./intervals.js";

const intervalOf = (estimate: ReturnType<typeof wilson>) => {
  if (estimate.value === null || estimate.interval === undefined) throw new Error("no interval");
  return estimate.interval;
};

/** P(X ≤ k), by the sum. */
function binomialCdf(k: number, n: number, p: number): number {
  let sum = 0;
  for (let i = 0; i <= k; i++) {
    let term = 1;
    for (let j = 0; j < i; j++) term *= (n - j) / (j + 1);
    sum += term * p ** i * (1 - p) ** (n - i);
  }
  return sum;
}

describe("wilson", () => {
  test.each([
    [8, 10, 0.4902, 0.9433],
    [0, 59, 0, 0.0611],
    [0, 20, 0, 0.1611],
  ])("of %i in %i is the published interval", (successes, n, lower, upper) => {
    const interval = intervalOf(wilson(successes, n));
    expect(interval[0]).toBeCloseTo(lower, 4);
    expect(interval[1]).toBeCloseTo(upper, 4);
  });

  test("of successes mirrors that of failures", () => {
    const [lower, upper] = intervalOf(wilson(3, 17));
    const [mirrorLower, mirrorUpper] = intervalOf(wilson(14, 17));
    expect(mirrorLower).toBeCloseTo(1 - upper, 12);
    expect(mirrorUpper).toBeCloseTo(1 - lower, 12);
  });

  test("ends where the score test just accepts", () => {
    for (const end of intervalOf(wilson(7, 30)))
      expect(Math.abs(7 / 30 - end) / Math.sqrt((end * (1 - end)) / 30)).toBeCloseTo(1.959964, 5);
  });

  test("of no trials has a reason and no value", () => {
    expect(wilson(0, 0)).toEqual({ value: null, n: 0, reason: "no trials" });
  });

  test.each([
    [11, 10, 0.95],
    [-1, 10, 0.95],
    [1.5, 10, 0.95],
    [Number.NaN, 10, 0.95],
    [1, 10, 95],
    [1, 10, 1],
  ])("rejects %d of %d at level %d", (successes, n, level) => {
    expect(() => wilson(successes, n, level)).toThrow(RangeError);
  });
});

describe("clopperPearson", () => {
  test.each([
    [0.1, 29, 0],
    [0.05, 59, 0],
    [0.02, 149, 0],
    [0.01, 299, 0],
    [0.005, 598, 0],
    [0.05, 93, 1],
    [0.01, 473, 1],
    [0.05, 124, 2],
  ])("one-sided at 95 %% first falls to %d at n = %i with %i errors", (bound, n, errors) => {
    expect(intervalOf(clopperPearson(errors, n, { bound: "upper" }))[1]).toBeLessThanOrEqual(bound);
    expect(intervalOf(clopperPearson(errors, n - 1, { bound: "upper" }))[1]).toBeGreaterThan(bound);
  });

  test("ends where each binomial tail is half of what remains", () => {
    const [lower, upper] = intervalOf(clopperPearson(5, 23, { level: 0.9 }));
    expect(binomialCdf(5, 23, upper)).toBeCloseTo(0.05, 8);
    expect(1 - binomialCdf(4, 23, lower)).toBeCloseTo(0.05, 8);
  });

  test("bounded below mirrors bounded above", () => {
    const [lower, upper] = intervalOf(clopperPearson(9, 10, { bound: "lower" }));
    expect(upper).toBe(1);
    expect(lower).toBeCloseTo(1 - intervalOf(clopperPearson(1, 10, { bound: "upper" }))[1], 8);
  });

  test("holds the Wilson interval's centre", () => {
    for (let successes = 0; successes <= 12; successes++) {
      const [lower, upper] = intervalOf(clopperPearson(successes, 12));
      expect(lower).toBeLessThanOrEqual(successes / 12);
      expect(upper).toBeGreaterThanOrEqual(successes / 12);
    }
  });
});

describe("meanEstimate", () => {
  test("spans t times the standard error", () => {
    const estimate = meanEstimate([1, 2, 3, 4]);
    const [lower, upper] = intervalOf(estimate);
    expect(estimate.value).toBe(2.5);
    expect(upper - 2.5).toBeCloseTo(3.1824463 * Math.sqrt(5 / 3 / 4), 6);
    expect(2.5 - lower).toBeCloseTo(upper - 2.5, 12);
  });

  test.each([[[7]], [[0.1, 0.1, 0.1, 0.1, 0.1, 0.1]]])("of %j says that it has no interval", (values) => {
    const estimate = meanEstimate(values);
    expect(estimate.value).toBeCloseTo(values[0]!, 12);
    expect(estimate).toMatchObject({ caution: expect.any(String) });
    expect(estimate).not.toHaveProperty("interval");
  });

  test("rejects a missing value and names its place", () => {
    expect(() => meanEstimate([1, Number.NaN])).toThrow("values[1]");
  });
});

describe("clusteredMean", () => {
  const clusters = [
    [1, 1, 1],
    [0, 0, 0],
    [1, 1, 0],
    [0, 1, 1],
  ];
  const items = clusters.flatMap((values, c) => values.map((value) => ({ cluster: `task-${c}`, value })));

  test("has the published standard error", () => {
    const estimate = clusteredMean(items);
    expect(estimate.value).toBeCloseTo(0.5833, 4);
    expect(estimate).toMatchObject({ se: expect.closeTo(0.1816, 4) });
  });

  test("has the standard error of independent values, ÷n, when each is its own cluster", () => {
    expect(clusteredMean(items.map(({ value }, i) => ({ cluster: `${i}`, value })))).toMatchObject({
      se: expect.closeTo(0.1423, 4),
    });
  });

  test("of one cluster has no interval", () => {
    expect(clusteredMean(items.slice(0, 3))).not.toHaveProperty("interval");
  });
});
