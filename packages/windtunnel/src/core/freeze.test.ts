import { expect, it } from "vitest";
import { deepFreeze, frozenCopy } from "./freeze.js";

it("freezes what lies inside an object that was frozen already", () => {
  const inner = { value: 1 };
  deepFreeze({ list: Object.freeze([inner]) });
  expect(Object.isFrozen(inner)).toBe(true);
});

it("copies JSON data so that later changes to the original do not show", () => {
  const original = { list: [{ value: 1 }], none: null };
  const copy = frozenCopy(original) as typeof original;
  original.list[0]!.value = 2;
  expect(copy).toEqual({ list: [{ value: 1 }], none: null });
  expect(Object.isFrozen(copy.list[0])).toBe(true);
});

it.each([Number.NaN, () => 1, 1n])("refuses to copy %s", (value) => {
  expect(() => frozenCopy({ value })).toThrow(TypeError);
});

it("refuses a cycle instead of running out of stack", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(() => frozenCopy(cycle)).toThrow(/nested deeper/);
});
