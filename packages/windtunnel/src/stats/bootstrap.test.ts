import { describe, expect, test } from "vitest";
import { bootstrap } from "./bootstrap.js";
import { toDraws } from "./draw.js";
import { clusteredMean, meanEstimate } from "./intervals.js";

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const skewed = Array.from({ length: 60 }, (_, i) => ((i * 37) % 60) ** 2 / 100);

describe("bootstrap", () => {
  test.each(["percentile", "bca"] as const)(
    "by %s repeats exactly under one seed and differs under another",
    (method) => {
      const run = (random: number) => bootstrap(skewed, mean, { random, method });
      expect(run(1)).toEqual(run(1));
      expect(run(1)).not.toEqual(run(2));
    },
  );

  test("draws from the stream that it is given", () => {
    expect(bootstrap(skewed, mean, { random: toDraws(5) })).toEqual(bootstrap(skewed, mean, { random: 5 }));
  });

  test("of a mean comes close to the t interval when values are many", () => {
    const values = Array.from({ length: 400 }, (_, i) => (i * 0.618034) % 1);
    const [boot, t] = [bootstrap(values, mean, { random: 3, resamples: 4000 }), meanEstimate(values)];
    if (boot.value === null || t.value === null) throw new Error("undefined");
    expect(boot.value).toBe(t.value);
    expect(boot.se).toBeCloseTo(t.se!, 3);
    expect(boot.interval![0]).toBeCloseTo(t.interval![0], 2);
    expect(boot.interval![1]).toBeCloseTo(t.interval![1], 2);
  });

  test("by BCa moves towards the long tail, as the percentile interval does not", () => {
    const options = { random: 11, resamples: 4000 };
    const [bca, percentile] = [
      bootstrap(skewed, mean, options),
      bootstrap(skewed, mean, { ...options, method: "percentile" }),
    ];
    if (bca.value === null || percentile.value === null) throw new Error("undefined");
    expect(bca.interval![1]).toBeGreaterThan(percentile.interval![1]);
    expect(bca.interval![0]).toBeGreaterThan(percentile.interval![0]);
  });

  test("by BCa covers a skewed mean about as often as it says", () => {
    const draw = toDraws(2024);
    let covered = 0;
    for (let trial = 0; trial < 300; trial++) {
      const values = Array.from({ length: 40 }, () => -Math.log(1 - draw()));
      const estimate = bootstrap(values, mean, { random: draw, resamples: 400, level: 0.9 });
      if (estimate.value === null) throw new Error("undefined");
      if (estimate.interval![0] <= 1 && estimate.interval![1] >= 1) covered++;
    }
    expect(covered / 300).toBeGreaterThan(0.84);
    expect(covered / 300).toBeLessThan(0.96);
  });

  test("over clusters has the clustered standard error, not the naive one", () => {
    const items = Array.from({ length: 60 }, (_, c) =>
      Array.from({ length: 5 }, () => ({ cluster: `${c}`, value: c % 3 === 0 ? 1 : 0 })),
    ).flat();
    const statistic = (sample: readonly { value: number }[]) => mean(sample.map((item) => item.value));
    const estimate = bootstrap(items, statistic, { random: 8, cluster: (item) => item.cluster });
    const clustered = clusteredMean(items);
    if (estimate.value === null || clustered.value === null) throw new Error("undefined");
    expect(estimate.se! / clustered.se!).toBeGreaterThan(0.95);
    expect(estimate.se! / clustered.se!).toBeLessThan(1.05);
  });

  test("of a constant sample gives no interval of zero width", () => {
    const estimate = bootstrap([1, 1, 1, 1], mean, { random: 1 });
    expect(estimate).toEqual({ value: 1, n: 4, caution: expect.stringContaining("exact interval") });
  });

  test("gives no interval when the statistic is often undefined on a resample", () => {
    const onlyWithNine = (values: readonly number[]) => (values.includes(9) ? mean(values) : null);
    const estimate = bootstrap([1, 2, 3, 9], onlyWithNine, { random: 1 });
    expect(estimate).not.toHaveProperty("interval");
    expect(estimate).toMatchObject({ value: 3.75, caution: expect.stringContaining("undefined on") });
  });

  test("is undefined where the statistic is", () => {
    expect(bootstrap([1, 2], () => null, { random: 1 })).toMatchObject({ value: null, n: 2 });
    expect(bootstrap([], mean, { random: 1 })).toMatchObject({ value: null, n: 0 });
  });

  test.each([{ random: 0.5 }, { random: 1, level: 95 }, { random: 1, resamples: 10 }])("rejects %j", (options) => {
    expect(() => bootstrap([1, 2, 3], mean, options)).toThrow(RangeError);
  });
});

describe("toDraws", () => {
  test("spreads evenly over [0, 1)", () => {
    const draw = toDraws(7);
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 20_000; i++) counts[Math.floor(draw() * 10)]!++;
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });
});
