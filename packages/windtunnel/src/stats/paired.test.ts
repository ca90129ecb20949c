import { describe, expect, test } from "vitest";
import { comparePaired, exactMcNemar } from "./paired.js";

const run = (values: readonly number[], from = 0) => values.map((value, i) => ({ key: `task-${from + i}`, value }));
const wave = Array.from({ length: 40 }, (_, i) => ((i * 7) % 10) / 10);

describe("comparePaired", () => {
  test("finds a small steady gain that unpaired spread would hide", () => {
    const better = wave.map((value, i) => value + 0.02 + (i % 3) * 0.01);
    const { difference, direction } = comparePaired(run(wave), run(better), { random: 1 });
    expect(difference).toMatchObject({ n: 40, value: expect.closeTo(0.02975, 10) });
    expect(direction).toBe("increase");
  });

  test("turns its sign when the runs are swapped", () => {
    const worse = wave.map((value, i) => value - 0.1 * (i % 2));
    const forward = comparePaired(run(wave), run(worse), { random: 2 });
    const backward = comparePaired(run(worse), run(wave), { random: 2 });
    expect(forward.direction).toBe("decrease");
    expect(backward.direction).toBe("increase");
    expect(backward.difference.value).toBeCloseTo(-forward.difference.value!, 12);
  });

  test("calls no direction on noise, nor on runs that are the same", () => {
    const noisy = wave.map((value, i) => value + (i % 2 === 0 ? 0.3 : -0.3));
    expect(comparePaired(run(wave), run(noisy), { random: 3 }).direction).toBe("undetermined");
    const same = comparePaired(run(wave), run(wave), { random: 3 });
    expect(same.direction).toBe("undetermined");
    expect(same.difference).not.toHaveProperty("interval");
  });

  test("joins by key whatever the order, and names keys in one run only", () => {
    const { difference, onlyInFirst, onlyInSecond } = comparePaired(run([1, 2, 3]), run([20, 30, 40], 1).reverse(), {
      random: 1,
    });
    expect(difference).toMatchObject({ n: 2, value: 22.5 });
    expect(onlyInFirst).toEqual(["task-0"]);
    expect(onlyInSecond).toEqual(["task-3"]);
  });

  test("widens its interval when results go together in clusters", () => {
    const differences = Array.from({ length: 12 }, (_, c) =>
      new Array<number>(5).fill(c % 2 === 0 ? 0.4 : -0.2),
    ).flat();
    const of = (values: readonly number[], clustered: boolean) =>
      values.map((value, i) => ({ key: `${i}`, value, ...(clustered ? { cluster: `c${Math.floor(i / 5)}` } : {}) }));
    const se = (clustered: boolean) => {
      const zeros = differences.map(() => 0);
      const { difference } = comparePaired(of(zeros, clustered), of(differences, clustered), { random: 4 });
      return difference.value === null ? Number.NaN : difference.se!;
    };
    expect(se(true)).toBeGreaterThan(1.8 * se(false));
  });

  test("counts changed passes, and warns when pairs share clusters", () => {
    const of = (passes: readonly boolean[], cluster?: string) =>
      passes.map((passed, i) => ({ key: `${i}`, value: Number(passed), passed, ...(cluster ? { cluster } : {}) }));
    const [first, second] = [
      [true, true, false, false, false],
      [true, false, true, true, false],
    ];
    const alone = comparePaired(of(first), of(second), { random: 1 }).mcnemar;
    expect(alone).toEqual({ bothPassed: 1, onlyFirstPassed: 1, onlySecondPassed: 2, neitherPassed: 1, pValue: 1 });
    expect(comparePaired(of(first, "t"), of(second, "t"), { random: 1 }).mcnemar).toHaveProperty("caution");
    expect(comparePaired(run([1]), run([1]), { random: 1 }).mcnemar).toBeNull();
  });

  test("of runs without a common key is undefined", () => {
    expect(comparePaired(run([1]), run([1], 5), { random: 1 })).toMatchObject({
      difference: { value: null },
      direction: "undetermined",
      mcnemar: null,
    });
  });

  test("rejects a key twice, clusters that differ, and a value that is not finite", () => {
    const options = { random: 1 };
    expect(() => comparePaired([...run([1]), ...run([2])], run([1]), options)).toThrow(
      'first has the key "task-0" twice',
    );
    expect(() => comparePaired([{ key: "a", value: 1, cluster: "x" }], [{ key: "a", value: 1 }], options)).toThrow(
      "cluster",
    );
    expect(() => comparePaired(run([Number.NaN]), run([1]), options)).toThrow("first.value[0]");
  });
});

describe("exactMcNemar", () => {
  test("equals the two-sided binomial sum", () => {
    expect(exactMcNemar(0, 5)).toBeCloseTo(2 / 32, 12);
    expect(exactMcNemar(1, 9)).toBeCloseTo((2 * 11) / 1024, 12);
    expect(exactMcNemar(9, 1)).toBe(exactMcNemar(1, 9));
    expect(exactMcNemar(0, 0)).toBe(1);
    expect(exactMcNemar(6, 6)).toBe(1);
  });

  test("nears the normal approximation on many changes", () => {
    const z = (5150 - 5000 - 0.5) / Math.sqrt(2500);
    expect(z).toBeCloseTo(2.99, 2);
    expect(exactMcNemar(4850, 5150)).toBeCloseTo(0.00279, 4);
  });
});
