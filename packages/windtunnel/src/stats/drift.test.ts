import { describe, expect, test } from "vitest";
import { toDraws } from "./draw.js";
import { ks, psi, psiOfSamples } from "./drift.js";

const normalish = (seed: number, n: number, shift = 0) => {
  const draw = toDraws(seed);
  return Array.from({ length: n }, () => shift + draw() + draw() + draw() + draw() - 2);
};

describe("psi", () => {
  test("is the published value", () => {
    expect(psi([10, 20, 40, 20, 10], [5, 15, 35, 25, 20]).value).toBeCloseTo(0.13619, 5);
  });

  test("is the same from either side and 0 against itself", () => {
    const [a, b] = [
      [100, 250, 650],
      [300, 300, 400],
    ];
    expect(psi(a, b).value).toBeCloseTo(psi(b, a).value!, 12);
    expect(psi(a, a).value).toBe(0);
  });

  test("past the alarm line stays finite when a bin is new or gone", () => {
    expect(psi([500, 500, 0], [300, 300, 400]).value).toBeGreaterThan(0.25);
    expect(psi([300, 300, 400], [500, 500, 0]).value).toBeGreaterThan(0.25);
  });

  test("warns when samples are too small to tell drift from noise", () => {
    expect(psi([5, 5, 5, 5, 5], [5, 5, 5, 5, 5])).toHaveProperty("caution");
    expect(psi([500, 500], [500, 500])).not.toHaveProperty("caution");
  });

  test("is undefined against nothing, and rejects bins that do not match or negative counts", () => {
    expect(psi([1, 2], [0, 0])).toMatchObject({ value: null, reason: "current is empty" });
    expect(() => psi([1, 2], [1, 2, 3])).toThrow(RangeError);
    expect(() => psi([1, -2], [1, 2])).toThrow("reference[1]");
  });
});

describe("psiOfSamples", () => {
  test("separates a shift from none", () => {
    const reference = normalish(1, 4000);
    expect(psiOfSamples(reference, normalish(2, 4000)).value).toBeLessThan(0.02);
    expect(psiOfSamples(reference, normalish(3, 4000, 0.5)).value).toBeGreaterThan(0.25);
  });

  test.each([
    ["nearly all 1", 0.02],
    ["all 1", 0],
  ])("sees zeros spread among rewards that were %s", (_, zeros) => {
    const rewards = (share: number) => Array.from({ length: 1000 }, (_, i) => (i < share * 1000 ? 0 : 1));
    expect(psiOfSamples(rewards(zeros), rewards(zeros)).value).toBe(0);
    expect(psiOfSamples(rewards(zeros), rewards(0.4)).value).toBeGreaterThan(0.25);
  });

  test("sees a spike rise beside its own continuum", () => {
    const reference = [...normalish(5, 400).map((x) => x / 10), ...new Array<number>(600).fill(0)];
    const current = normalish(6, 1000).map((x) => x / 10);
    expect(psiOfSamples(reference, current).value).toBeGreaterThan(0.25);
  });
});

describe("ks", () => {
  test("is the greatest distance over all points of both samples", () => {
    const [a, b] = [
      normalish(7, 31).map((x) => Math.round(x * 4)),
      normalish(8, 23, 0.3).map((x) => Math.round(x * 4)),
    ];
    const share = (values: readonly number[], at: number) =>
      values.filter((value) => value <= at).length / values.length;
    const distance = Math.max(...[...a, ...b].map((at) => Math.abs(share(a, at) - share(b, at))));
    expect(ks(a, b).value).toBeCloseTo(distance, 12);
  });

  test("rejects at its p-value about as often as it says when nothing moved", () => {
    let rejected = 0;
    for (let seed = 0; seed < 1000; seed++)
      if (ks(normalish(2 * seed, 60), normalish(2 * seed + 1, 80)).pValue! < 0.05) rejected++;
    expect(rejected / 1000).toBeGreaterThan(0.02);
    expect(rejected / 1000).toBeLessThan(0.07);
  });

  test("has a p-value of 1 on equal samples and near 0 on separate ones", () => {
    expect(ks([1, 2, 3], [3, 2, 1])).toMatchObject({ value: 0, pValue: 1 });
    expect(ks(normalish(1, 50), normalish(1, 50, 10))).toMatchObject({ value: 1, pValue: expect.closeTo(0, 9) });
  });

  test("of an empty sample is undefined", () => {
    expect(ks([], [1])).toMatchObject({ value: null, pValue: null });
  });
});
