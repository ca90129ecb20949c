import { describe, expect, test } from "vitest";
import { icc } from "./icc.js";

const shroutFleiss = [
  [9, 2, 5, 8],
  [6, 1, 3, 2],
  [8, 4, 6, 8],
  [7, 1, 2, 6],
  [10, 5, 6, 9],
  [6, 2, 4, 7],
];

describe("icc", () => {
  test("of Shrout and Fleiss's table is the published analysis", () => {
    const { msr, msc, mse, msw, single, average } = icc(shroutFleiss);
    const published = { msr: 11.2417, msc: 32.4861, mse: 1.0194, msw: 6.2639 };
    for (const [name, value] of Object.entries(published))
      expect({ msr, msc, mse, msw }).toHaveProperty(name, expect.closeTo(value, 4));
    expect(single.oneWay.value).toBeCloseTo(0.1657, 4);
    expect(single.random.value).toBeCloseTo(0.2898, 4);
    expect(single.fixed.value).toBeCloseTo(0.7148, 4);
    expect(average.oneWay.value).toBeCloseTo(0.4428, 4);
    expect(average.random.value).toBeCloseTo(0.6201, 4);
    expect(average.fixed.value).toBeCloseTo(0.9093, 4);
  });

  test("for consistency ignores a rater's constant leniency, for agreement does not", () => {
    const lenient = shroutFleiss.map(([first, ...rest]) => [first! + 5, ...rest]);
    expect(icc(lenient).single.fixed.value).toBeCloseTo(icc(shroutFleiss).single.fixed.value!, 12);
    expect(icc(lenient).single.random.value).toBeLessThan(icc(shroutFleiss).single.random.value!);
  });

  test("of scores that never vary is undefined", () => {
    const { single, average } = icc([
      [0.1, 0.1, 0.1],
      [0.1, 0.1, 0.1],
      [0.1, 0.1, 0.1],
    ]);
    for (const estimate of [...Object.values(single), ...Object.values(average)])
      expect(estimate).toMatchObject({ value: null, reason: expect.any(String) });
  });

  test.each([
    [[[1, 2]]],
    [[[1], [2]]],
    [[[1, 2], [1]]],
    [
      [
        [1, 2],
        [1, Number.NaN],
      ],
    ],
  ])("rejects %j", (scores) => {
    expect(() => icc(scores)).toThrow(RangeError);
  });
});
