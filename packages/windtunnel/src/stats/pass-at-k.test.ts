import { describe, expect, test } from "vitest";
import { meanPassAtK, meanPassHatK, passAtK, passHatK } from "./pass-at-k.js";

/** Shares of all k-subsets of n attempts, the first c of which passed. */
function bySubsets(n: number, c: number, k: number): { any: number; all: number } {
  let [total, any, all] = [0, 0, 0];
  for (let set = 0; set < 2 ** n; set++) {
    const members = Array.from({ length: n }, (_, i) => i).filter((i) => (set >> i) & 1);
    if (members.length !== k) continue;
    total++;
    if (members.some((i) => i < c)) any++;
    if (members.every((i) => i < c)) all++;
  }
  return { any: any / total, all: all / total };
}

describe("pass@k and pass^k", () => {
  test.each([
    [1, 0.75],
    [2, 0.5357],
    [4, 0.2143],
    [8, 0],
  ])("pass^%i of 6 in 8 is the published value", (k, value) => {
    expect(passHatK(8, 6, k)).toBeCloseTo(value, 4);
  });

  test("pass@2 of 6 in 8 is the published value", () => {
    expect(passAtK(8, 6, 2)).toBeCloseTo(0.9643, 4);
  });

  test("both equal the share of all subsets of attempts", () => {
    for (let n = 1; n <= 8; n++)
      for (let c = 0; c <= n; c++)
        for (let k = 1; k <= n; k++) {
          const { any, all } = bySubsets(n, c, k);
          expect(passAtK(n, c, k)).toBeCloseTo(any, 12);
          expect(passHatK(n, c, k)).toBeCloseTo(all, 12);
        }
  });

  test("both are exact at the ends over many attempts", () => {
    expect(passAtK(5000, 0, 1000)).toBe(0);
    expect(passAtK(5000, 5000, 1000)).toBe(1);
    expect(passHatK(5000, 5000, 1000)).toBe(1);
    expect(passHatK(5000, 999, 1000)).toBe(0);
  });

  test.each([
    [4, 2, 5],
    [4, 5, 2],
    [4, 2, 0],
    [4, 2, 1.5],
  ])("reject n = %d, c = %d, k = %d", (n, c, k) => {
    expect(() => passAtK(n, c, k)).toThrow(RangeError);
    expect(() => passHatK(n, c, k)).toThrow(RangeError);
  });
});

describe("means over tasks", () => {
  const tasks = [
    { task: "a", n: 8, c: 6 },
    { task: "b", n: 4, c: 4 },
    { task: "c", n: 1, c: 1 },
  ];

  test("name the tasks with too few attempts and leave them out", () => {
    const { estimate, excluded } = meanPassHatK(tasks, 2);
    expect(excluded).toEqual(["c"]);
    expect(estimate).toMatchObject({ n: 2, value: expect.closeTo((15 / 28 + 1) / 2, 12) });
  });

  test("weigh tasks alike whatever their attempts", () => {
    expect(meanPassAtK(tasks, 1).estimate.value).toBeCloseTo((0.75 + 1 + 1) / 3, 12);
  });

  test("keep their interval within 0..1", () => {
    expect(meanPassAtK(tasks, 1).estimate).toMatchObject({ interval: [expect.any(Number), 1] });
  });

  test("are undefined when no task has k attempts", () => {
    expect(meanPassAtK(tasks, 9)).toMatchObject({ estimate: { value: null }, excluded: ["a", "b", "c"] });
  });
});
