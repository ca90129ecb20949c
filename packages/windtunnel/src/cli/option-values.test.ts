import { expect, it } from "vitest";
import { parseAge, parseAmount, parseChoice, parseCount, parseSize } from "./option-values.js";

it("reads counts, amounts, ages and sizes in their units", () => {
  expect(parseCount("--n")("12")).toBe(12);
  expect(parseAmount("--usd", "an amount")("$2.50")).toBe(2.5);
  expect(parseAge("--age")("1.5d")).toBe(129_600_000);
  expect(parseSize("--size")("2GB")).toBe(2e9);
  expect(parseSize("--size")("1MiB")).toBe(1_048_576);
});

it("refuses what it cannot read, naming the option", () => {
  const bad: (() => unknown)[] = [
    () => parseCount("--n")("0"),
    () => parseCount("--n")("1e3"),
    () => parseCount("--n")("-1"),
    () => parseCount("--n")(""),
    () => parseAmount("--n", "an amount")("NaN"),
    () => parseAge("--n")("30"),
    () => parseSize("--n")("2"),
    () => parseChoice("--n", ["a", "b"])("c"),
  ];
  for (const read of bad)
    expect(read).toThrow(expect.objectContaining({ name: "UsageError", code: "invalid_option", path: "--n" }));
});
