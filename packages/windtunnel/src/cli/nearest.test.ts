import { expect, it } from "vitest";
import { nearest } from "./nearest.js";

const known = ["reference", "idle", "close-all", "revenue-cycle/denials"];

it("finds the word that was meant", () => {
  expect(nearest("refrence", known)).toBe("reference");
  expect(nearest("close-al", known)).toBe("close-all");
  expect(nearest("ilde", known)).toBe("idle");
  expect(nearest("denials", known)).toBe("revenue-cycle/denials");
});

it("offers nothing for a word that is like none", () => {
  expect(nearest("zzzzzz", known)).toBeUndefined();
  expect(nearest("x", [])).toBeUndefined();
});
