import { expect, it } from "vitest";
import { watchAmbient } from "./watch-ambient.js";

const usedBy = (work: () => unknown): string[] => {
  const used = new Set<string>();
  watchAmbient(0, used, work);
  return [...used];
};

it.each<[string, () => unknown, string[]]>([
  ["Date.now", () => Date.now(), ["Date.now()"]],
  ["a date of now", () => new Date(), ["new Date()"]],
  ["the date as text", () => Date(), ["Date()"]],
  ["a subclass of Date", () => new (class extends Date {})(), ["new Date()"]],
  ["the performance clock", () => performance.now(), ["performance.now()"]],
  ["unseeded randomness", () => Math.random(), ["Math.random()"]],
  [
    "a date of a given instant",
    () => [new Date(0), new Date("2026-01-01"), new Date(2026, 0, 1), Date.UTC(2026, 0), Date.parse("2026-01-01")],
    [],
  ],
  ["other mathematics", () => Math.floor(1.5), []],
])("names what the work draws on: %s", (_, work, expected) => {
  expect(usedBy(work)).toEqual(expected);
});

it("moves the wall clock for the work and puts everything back, even when the work throws", () => {
  const before = [Date, Math.random, performance.now];
  const away = watchAmbient(1e9, new Set(), () => Date.now());
  expect(away - Date.now()).toBeGreaterThan(9e8);
  expect(() =>
    watchAmbient(0, new Set(), () => {
      throw new Error("boom");
    }),
  ).toThrow("boom");
  expect([Date, Math.random, performance.now]).toEqual(before);
});

it("gives dates that are dates", () => {
  expect(watchAmbient(0, new Set(), () => new Date(0) instanceof Date && new Date(0).toISOString())).toBe(
    "1970-01-01T00:00:00.000Z",
  );
});
