/** What tokens cost. Prices are the caller's: none are built in, since those go stale. */
import type { ChatUsage } from "./chat-message.js";

/** USD per million tokens. */
export interface TokenPrice {
  readonly inputUsdPerMillion: number;
  readonly outputUsdPerMillion: number;
  /** Price of input tokens served from the endpoint's cache; the input price when absent. */
  readonly cachedInputUsdPerMillion?: number;
}

/** Cost of a usage, USD. Cached input is counted once, at its own price; an endpoint that does not tell of its cache is charged as if it had none, so the figure never falls short. */
export function costOfTokens(usage: ChatUsage, price: TokenPrice): number {
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
  const cachedPrice = price.cachedInputUsdPerMillion ?? price.inputUsdPerMillion;
  const input = (usage.inputTokens - cached) * price.inputUsdPerMillion + cached * cachedPrice;
  return (input + usage.outputTokens * price.outputUsdPerMillion) / 1e6;
}
