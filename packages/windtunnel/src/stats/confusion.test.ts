import { describe, expect, test } from "vitest";
import { confusionMetrics, confusionOf, mcc, precisionAt, youdenJ } from "./confusion.js";

const judge = { tp: 15933, fp: 5481, fn: 3871, tn: 4225 };

describe("confusionMetrics", () => {
  test("of a real judge are the published values", () => {
    const metrics = confusionMetrics(judge);
    expect(metrics.accuracy.value).toBeCloseTo(0.683, 3);
    expect(metrics.truePositiveRate.value).toBeCloseTo(0.8045, 4);
    expect(metrics.trueNegativeRate.value).toBeCloseTo(0.4353, 4);
    expect(metrics.youdenJ.value).toBeCloseTo(0.2398, 4);
    expect(metrics.kappa.value).toBeCloseTo(0.2504, 4);
    expect(metrics.ac1.value).toBeCloseTo(0.4524, 4);
    expect(metrics.mcc.value).toBeCloseTo(0.2525, 4);
    expect(metrics.macroF1.value).toBeCloseTo(0.6239, 4);
    expect(metrics.balancedAccuracy.value).toBeCloseTo((0.8045 + 0.4353) / 2, 4);
  });

  test("without a truly negative item say so wherever one is needed, and only there", () => {
    const metrics = confusionMetrics({ tp: 9, fp: 0, fn: 1, tn: 0 });
    const missing = Object.entries(metrics).filter(([, estimate]) => estimate.value === null);
    expect(missing.map(([name]) => name)).toEqual([
      "trueNegativeRate",
      "falsePositiveRate",
      "balancedAccuracy",
      "youdenJ",
      "mcc",
    ]);
  });

  test("of no items are all undefined", () => {
    for (const estimate of Object.values(confusionMetrics({ tp: 0, fp: 0, fn: 0, tn: 0 })))
      expect(estimate).toMatchObject({ value: null, reason: expect.any(String) });
  });

  test("reject a count below 0", () => {
    expect(() => confusionMetrics({ ...judge, fp: -1 })).toThrow("fp");
  });
});

describe("a confusion table", () => {
  test("counts what was said against what is true", () => {
    const items = [
      { predicted: true, actual: true },
      { predicted: true, actual: false },
      { predicted: true, actual: false },
      { predicted: false, actual: true },
    ];
    expect(confusionOf(items)).toEqual({ tp: 1, fp: 2, fn: 1, tn: 0 });
  });

  test("has as MCC the correlation of the 0/1 labels", () => {
    const { tp, fp, fn, tn } = { tp: 7, fp: 3, fn: 2, tn: 11 };
    const n = tp + fp + fn + tn;
    const [said, real] = [(tp + fp) / n, (tp + fn) / n];
    const correlation = (tp / n - said * real) / Math.sqrt(said * (1 - said) * real * (1 - real));
    expect(mcc({ tp, fp, fn, tn }).value).toBeCloseTo(correlation, 12);
  });

  test("of a perfect verifier has J = 1 with an interval that small samples widen", () => {
    const lower = (size: number) => {
      const j = youdenJ({ tp: size, fp: 0, fn: 0, tn: size });
      if (j.value !== 1) throw new Error("J is not 1");
      expect(j.interval![1]).toBe(1);
      return j.interval![0];
    };
    expect(lower(10)).toBeLessThan(lower(100));
    expect(lower(100)).toBeLessThan(1);
  });

  test("has its own precision at its own base rate, and less at a lower one", () => {
    const { tp, fp, fn, tn } = judge;
    const own = precisionAt(judge, (tp + fn) / (tp + fp + fn + tn)).value!;
    expect(own).toBeCloseTo(tp / (tp + fp), 12);
    expect(precisionAt(judge, 0.05).value).toBeLessThan(own);
    expect(() => precisionAt(judge, 5)).toThrow(RangeError);
  });
});
