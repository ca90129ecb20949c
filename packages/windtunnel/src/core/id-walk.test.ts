import { expect, test } from "vitest";
import { type IdWalk, numberAt, openIdWalk } from "./id-walk.js";

const numbers = (seed: string, count: number) => {
  let walk: IdWalk = openIdWalk(seed);
  return Array.from({ length: count }, () => {
    const number = numberAt(walk);
    walk = { ...walk, count: walk.count + 1 };
    return number;
  });
};

test("no number comes twice, within the field and beyond it", () => {
  const drawn = numbers("a", 95_000);
  expect(new Set(drawn).size).toBe(drawn.length);
});

test("the same seed gives the same numbers, another seed others", () => {
  expect(numbers("a", 20)).toEqual(numbers("a", 20));
  expect(numbers("b", 20)).not.toEqual(numbers("a", 20));
});

test("the order of the numbers does not follow the order of minting", () => {
  for (const seed of ["a", "b", "c", "d"]) {
    const drawn = numbers(seed, 50);
    expect([...drawn].sort((x, y) => x - y)).not.toEqual(drawn);
  }
});
