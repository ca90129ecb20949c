import { describe, expect, test } from "vitest";
import { benjaminiHochberg, benjaminiYekutieli, holm } from "./multiple.js";

const pValues = [0.01, 0.04, 0.03, 0.005, 0.5];
const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 12));

describe("adjusted p-values", () => {
  test("by Holm step down through the multipliers m, m−1, …", () => {
    expect(holm(pValues)).toEqual(close([0.04, 0.09, 0.09, 0.025, 0.5]));
  });

  test("by Benjamini–Hochberg are min over larger p of p·m/rank", () => {
    expect(benjaminiHochberg(pValues)).toEqual(close([0.025, 0.05, 0.05, 0.025, 0.5]));
  });

  test("by Benjamini–Yekutieli are Benjamini–Hochberg's times Σ1/i, at most 1", () => {
    const factor = 1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5;
    expect(benjaminiYekutieli(pValues)).toEqual(close(benjaminiHochberg(pValues).map((p) => Math.min(1, p * factor))));
  });

  test.each([holm, benjaminiHochberg, benjaminiYekutieli])("keep the order of the raw ones (%o)", (adjust) => {
    const adjusted = adjust(pValues);
    for (const [i, p] of pValues.entries())
      for (const [j, q] of pValues.entries()) if (p < q) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]!);
  });

  test.each([holm, benjaminiHochberg, benjaminiYekutieli])("leave one p-value alone, none empty (%o)", (adjust) => {
    expect(adjust([0.03])).toEqual([0.03]);
    expect(adjust([])).toEqual([]);
  });

  test.each([[[1.2]], [[Number.NaN]], [[-0.1]]])("reject %j", (bad) => {
    expect(() => holm(bad)).toThrow(RangeError);
    expect(() => benjaminiHochberg(bad)).toThrow(RangeError);
  });
});
