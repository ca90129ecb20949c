import { describe, expect, test } from "vitest";
import { toDraws } from "./draw.js";
import { histogram, quantiles, Summary } from "./summary.js";

const draw = toDraws(12);
const values = Array.from({ length: 501 }, () => Math.round(draw() * 1000) / 10);

describe("Summary", () => {
  test("equals the two-pass formulas, far from 0 too", () => {
    const far = values.map((value) => value + 1e9);
    const mean = far.reduce((sum, value) => sum + value, 0) / far.length;
    const variance = far.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (far.length - 1);
    const summary = Summary.of(far);
    expect(summary.mean).toBeCloseTo(mean, 5);
    expect(summary.variance! / variance).toBeCloseTo(1, 6);
    expect([summary.min, summary.max]).toEqual([Math.min(...far), Math.max(...far)]);
  });

  test("of parts merges into that of the whole", () => {
    const merged = Summary.of(values.slice(0, 100));
    for (const part of [values.slice(100, 101), [], values.slice(101)]) merged.merge(Summary.of(part));
    const whole = Summary.of(values);
    expect(merged.n).toBe(whole.n);
    expect(merged.mean).toBeCloseTo(whole.mean!, 10);
    expect(merged.variance).toBeCloseTo(whole.variance!, 8);
    expect([merged.min, merged.max]).toEqual([whole.min, whole.max]);
  });

  test("of nothing is null throughout, of one value has no spread", () => {
    const { n, mean, variance, min, max } = new Summary();
    expect([n, mean, variance, min, max]).toEqual([0, null, null, null, null]);
    expect(Summary.of([3])).toMatchObject({ mean: 3, variance: null, deviation: null });
  });

  test("rejects NaN", () => {
    expect(() => new Summary().add(Number.NaN)).toThrow(RangeError);
  });
});

describe("quantiles", () => {
  test("interpolate between order statistics", () => {
    expect(quantiles([4, 1, 3, 2], [0, 0.1, 0.5, 0.75, 1])).toEqual([1, expect.closeTo(1.3, 12), 2.5, 3.25, 4]);
  });

  test("of nothing are null, and reject percentages and NaN", () => {
    expect(quantiles([], [0.5])).toEqual([null]);
    expect(() => quantiles([1], [10])).toThrow(RangeError);
    expect(() => quantiles([Number.NaN], [0.5])).toThrow(RangeError);
  });
});

describe("histogram", () => {
  test("counts each value in the bin whose edges hold it, and every value once", () => {
    const { bins, below, above } = histogram(values, { bins: 10, range: [10, 90] });
    for (const [i, { from, to, count }] of bins.entries())
      expect(count).toBe(values.filter((value) => value >= from && (i === 9 ? value <= to : value < to)).length);
    expect(bins.reduce((sum, bin) => sum + bin.count, below + above)).toBe(values.length);
  });

  test("holds rewards on bin edges where the edges say", () => {
    const { bins } = histogram([0, 0.1, 0.2, 0.3, 0.6, 0.7, 1], { bins: 10, range: [0, 1] });
    expect(bins.map((bin) => bin.count)).toEqual([1, 1, 1, 1, 0, 0, 1, 1, 0, 1]);
  });

  test("of equal values puts them in the first bin, of none counts nothing", () => {
    expect(histogram([5, 5], { bins: 2 }).bins.map((bin) => bin.count)).toEqual([2, 0]);
    expect(histogram([], { bins: 2 }).bins.map((bin) => bin.count)).toEqual([0, 0]);
  });

  test("rejects no bins and a range that descends", () => {
    expect(() => histogram([1], { bins: 0 })).toThrow(RangeError);
    expect(() => histogram([1], { bins: 2, range: [1, 0] })).toThrow(RangeError);
  });
});
