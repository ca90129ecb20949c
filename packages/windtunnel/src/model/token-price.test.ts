import { expect, it } from "vitest";
import { costOfTokens } from "./token-price.js";

const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000, reasoningTokens: null };

it("charges cached input once, at its own price", () => {
  const price = { inputUsdPerMillion: 2, cachedInputUsdPerMillion: 0.5, outputUsdPerMillion: 10 };
  expect(costOfTokens(usage, price)).toBeCloseTo(0.6 * 2 + 0.4 * 0.5 + 0.1 * 10, 12);
});

it("charges cached input as input when it has no price of its own, or is not told", () => {
  expect(costOfTokens(usage, { inputUsdPerMillion: 2, outputUsdPerMillion: 0 })).toBe(2);
  const untold = { ...usage, cachedInputTokens: null };
  expect(costOfTokens(untold, { inputUsdPerMillion: 2, cachedInputUsdPerMillion: 0, outputUsdPerMillion: 0 })).toBe(2);
});

it("never charges less than nothing for a cache larger than the input", () => {
  const odd = { ...usage, cachedInputTokens: 5_000_000 };
  expect(costOfTokens(odd, { inputUsdPerMillion: 2, cachedInputUsdPerMillion: 1, outputUsdPerMillion: 0 })).toBe(1);
});
