import { describe, expect, it } from "vitest";
import { Random } from "./random.js";

const draws = (random: Random, count: number) => Array.from({ length: count }, () => random.float());

describe("a seeded stream", () => {
  it("gives the same draws for the same seed", () => {
    expect(draws(new Random("a"), 50)).toEqual(draws(new Random("a"), 50));
  });

  it("gives other draws for another seed, however near", () => {
    const firsts = Array.from({ length: 2000 }, (_, i) => new Random(`run/task/${i}`).float());
    expect(new Set(firsts).size).toBeGreaterThan(1995);
  });

  it("gives first draws that are spread evenly over consecutive seeds", () => {
    const buckets = Array.from({ length: 10 }, () => 0);
    for (let i = 0; i < 10_000; i++) buckets[Math.floor(new Random(`train/0/${i}`).float() * 10)]!++;
    for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it("derives a stream that does not depend on how much was drawn before, and draws nothing from its parent", () => {
    const parent = new Random("parent");
    const early = draws(parent.derive("child"), 5);
    const next = parent.float();
    expect(draws(parent.derive("child"), 5)).toEqual(early);
    const untouched = new Random("parent");
    expect(untouched.float()).toBe(next);
  });

  it("derives streams that do not follow each other", () => {
    const a = draws(new Random("p").derive("a"), 3000);
    const b = draws(new Random("p").derive("b"), 3000);
    const covariance = a.reduce((sum, x, i) => sum + (x - 0.5) * (b[i]! - 0.5), 0) / a.length;
    expect(Math.abs(covariance / (1 / 12))).toBeLessThan(0.08);
  });
});

describe("draws", () => {
  it("float stays in [0, 1) and integers reach both ends and nothing else, evenly", () => {
    const random = new Random("bounds");
    for (const x of draws(random, 10_000)) expect(x >= 0 && x < 1).toBe(true);
    const counts = new Map<number, number>();
    for (let i = 0; i < 12_000; i++) {
      const value = random.int(-2, 3);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2, 3]);
    for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(220);
  });

  it("weighted picks follow the weights, and a weight of 0 is never picked", () => {
    const random = new Random("weights");
    const counts = { a: 0, b: 0, none: 0 };
    for (let i = 0; i < 10_000; i++) counts[random.weighted({ none: 0, a: 3, b: 1 })]++;
    expect(counts.none).toBe(0);
    expect(Math.abs(counts.a - 7500)).toBeLessThan(250);
  });

  it("shuffles keep every element, leave the list alone and reach every order", () => {
    const random = new Random("shuffle");
    const list = Object.freeze(["a", "b", "c"]);
    const orders = new Set<string>();
    for (let i = 0; i < 300; i++) orders.add(random.shuffle(list).join(""));
    expect(orders).toEqual(new Set(["abc", "acb", "bac", "bca", "cab", "cba"]));
  });

  it("samples are different elements", () => {
    const random = new Random("sample");
    for (let i = 0; i < 100; i++) expect(new Set(random.sample([1, 2, 3, 4], 3)).size).toBe(3);
  });

  it("chance 0 never happens and chance 1 always does", () => {
    const random = new Random("chance");
    for (let i = 0; i < 1000; i++) {
      expect(random.chance(0)).toBe(false);
      expect(random.chance(1)).toBe(true);
    }
  });

  it("impossible requests are refused", () => {
    const random = new Random("refuse");
    expect(() => random.int(3, 2)).toThrow(RangeError);
    expect(() => random.int(Number.NaN, 2)).toThrow(RangeError);
    expect(() => random.pick([])).toThrow(RangeError);
    expect(() => random.weighted({ a: 0 })).toThrow(RangeError);
    expect(() => random.sample([1], 2)).toThrow(RangeError);
  });
});
