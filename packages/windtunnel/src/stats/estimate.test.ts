import { expect, test } from "vitest";
import { estimated } from "./estimate.js";
import { betaQuantile, normalQuantile, tQuantile } from "./quantiles.js";

test("an estimate is never NaN or infinite", () => {
  expect(() => estimated(Number.NaN, 3)).toThrow(RangeError);
  expect(() => estimated(Number.POSITIVE_INFINITY, 3)).toThrow(RangeError);
  expect(estimated(0, 3)).toEqual({ value: 0, n: 3 });
});

test("quantiles are those of the printed tables", () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.959964, 6);
  expect(tQuantile(0.975, 10)).toBeCloseTo(2.228139, 6);
  expect(betaQuantile(0.975, 3, 5)).toBeCloseTo(0.709579, 6);
});
