/** The accounts of one endpoint: every request ends as completed or failed, and numbers that no endpoint gave are counted as missing, not as zero. */
import type { ChatCompletion } from "./chat-endpoint.js";
import type { ModelErrorCode } from "./model-error.js";

export interface EndpointTally {
  readonly requests: number;
  readonly completed: number;
  readonly failed: Readonly<Partial<Record<ModelErrorCode, number>>>;
  /** HTTP requests sent, first tries and retries together. */
  readonly attempts: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Completions whose tokens are not in the sums, since the endpoint did not tell them. */
  readonly withoutUsage: number;
  /** Of completed requests whose cost is known, USD. */
  readonly costUsd: number;
  readonly withoutCost: number;
  /** Sums over completed requests, ms. */
  readonly latencyMs: number;
  readonly waitedMs: number;
}

export interface TallyKeeper {
  requested(): void;
  attempted(): void;
  completed(completion: ChatCompletion): void;
  failed(code: ModelErrorCode): void;
  read(): EndpointTally;
}

export function endpointTally(): TallyKeeper {
  const failed: Partial<Record<ModelErrorCode, number>> = {};
  const sum = {
    requests: 0,
    completed: 0,
    attempts: 0,
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    withoutUsage: 0,
    costUsd: 0,
    withoutCost: 0,
    latencyMs: 0,
    waitedMs: 0,
  };
  return {
    requested() {
      sum.requests++;
    },
    attempted() {
      sum.attempts++;
    },
    completed({ usage, costUsd, latencyMs, waitedMs }) {
      sum.completed++;
      sum.latencyMs += latencyMs;
      sum.waitedMs += waitedMs;
      if (costUsd === null) sum.withoutCost++;
      else sum.costUsd += costUsd;
      if (usage === null) {
        sum.withoutUsage++;
        return;
      }
      sum.inputTokens += usage.inputTokens;
      sum.cachedInputTokens += usage.cachedInputTokens ?? 0;
      sum.outputTokens += usage.outputTokens;
      sum.reasoningTokens += usage.reasoningTokens ?? 0;
    },
    failed(code) {
      failed[code] = (failed[code] ?? 0) + 1;
    },
    read: () => ({ ...sum, failed: { ...failed } }),
  };
}
