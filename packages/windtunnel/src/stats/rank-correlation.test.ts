import { describe, expect, test } from "vitest";
import { toDraws } from "./draw.js";
import { kendallTauB, type ScorePair, spearman, spearmanInterval } from "./rank-correlation.js";

const zip = (x: readonly number[], y: readonly number[]): ScorePair[] => x.map((value, i) => [value, y[i]!]);

function tauByPairs(pairs: readonly ScorePair[]): number {
  let [surplus, untiedX, untiedY] = [0, 0, 0];
  pairs.forEach(([x, y], i) => {
    for (const [otherX, otherY] of pairs.slice(0, i)) {
      const [dx, dy] = [Math.sign(x - otherX), Math.sign(y - otherY)];
      surplus += dx * dy;
      untiedX += dx * dx;
      untiedY += dy * dy;
    }
  });
  return surplus / Math.sqrt(untiedX * untiedY);
}

function randomPairs(seed: number, n: number, levels: number): ScorePair[] {
  const draw = toDraws(seed);
  return Array.from({ length: n }, () => [Math.floor(draw() * levels), Math.floor(draw() * levels)]);
}

describe("rank correlation", () => {
  test("Spearman's ρ is the published value", () => {
    expect(spearman(zip([1, 2, 3, 4, 5], [5, 6, 7, 8, 7])).value).toBeCloseTo(0.820783, 6);
  });

  test("Kendall's τ-b is the published value", () => {
    expect(kendallTauB(zip([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])).value).toBeCloseTo(-0.471405, 6);
  });

  test("Kendall's τ-b equals the count over all pairs, ties included", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const pairs = randomPairs(seed, 2 + seed, 2 + (seed % 9));
      const tau = tauByPairs(pairs);
      if (Number.isNaN(tau)) expect(kendallTauB(pairs).value).toBeNull();
      else expect(kendallTauB(pairs).value).toBeCloseTo(tau, 12);
    }
  });

  test("Spearman's ρ without ties equals 1 − 6Σd²/n(n²−1)", () => {
    const x = [3, 1, 4, 10, 5, 9, 2, 6];
    const y = [2, 7, 1, 8, 28, 18, 5, 9];
    const rank = (values: number[]) => values.map((value) => values.filter((other) => other < value).length);
    const d2 = rank(x).reduce((sum, r, i) => sum + (r - rank(y)[i]!) ** 2, 0);
    expect(spearman(zip(x, y)).value).toBeCloseTo(1 - (6 * d2) / (8 * 63), 12);
  });

  test("a strictly rising map of a score changes neither", () => {
    const pairs = randomPairs(99, 50, 12);
    const stretched = pairs.map(([x, y]): ScorePair => [Math.exp(x), y ** 3]);
    expect(kendallTauB(stretched)).toEqual(kendallTauB(pairs));
    expect(spearman(stretched)).toEqual(spearman(pairs));
  });

  test("Kendall's τ-b takes 100,000 items in seconds, where a pass over all pairs takes minutes", () => {
    const pairs = Array.from({ length: 100_000 }, (_, i): ScorePair => [i, (i * 7919) % 100_000]);
    expect(kendallTauB(pairs).n).toBe(100_000);
  }, 5000);

  test.each([
    [zip([1, 1, 1], [1, 2, 3]), "first score"],
    [zip([1, 2, 3], [4, 4, 4]), "second score"],
    [zip([1], [2]), "2 items"],
    [[], "2 items"],
  ])("of %j is undefined and says why", (pairs, reason) => {
    expect(kendallTauB(pairs)).toMatchObject({ value: null, reason: expect.stringContaining(reason) });
    expect(spearman(pairs)).toMatchObject({ value: null, reason: expect.stringContaining(reason) });
  });

  test("rejects a score that is not finite", () => {
    expect(() => spearman([[1, Number.POSITIVE_INFINITY]])).toThrow("y[0]");
    expect(() => kendallTauB([[Number.NaN, 1]])).toThrow("x[0]");
  });

  test.each([
    [0.6, 189],
    [0.7, 129],
    [0.8, 72],
    [0.9, 27],
  ])("the interval of ρ = %d first reaches ±0.10 at the published n = %i", (rho, n) => {
    const half = (size: number) => {
      const [lower, upper] = spearmanInterval(rho, size)!;
      return (upper - lower) / 2;
    };
    expect(half(n)).toBeLessThanOrEqual(0.1005);
    expect(half(n - 3)).toBeGreaterThan(0.0995);
  });

  test("perfect order has no interval of zero width", () => {
    expect(spearman(zip([1, 2, 3, 4, 5], [2, 4, 6, 8, 9]))).toEqual({ value: 1, n: 5, caution: expect.any(String) });
  });
});
