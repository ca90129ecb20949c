/**
 * The in-process engine: many rollouts of one run, bounded, in batches, resumable. Results are committed before they are counted.
 */
import type { Agent } from "../core/agent.js";
import type { AnyEnvironment, Scenario, TaskSource } from "../core/environment.js";
import type { Rollout } from "../core/rollout.js";
import type { Store } from "../store/store.js";

export interface RunRequest {
  /** Id of a run made with `store.createRun`; what it has committed is not run again. `runRollouts` sets its status and wall time. */
  readonly run: string;
  readonly environment: AnyEnvironment;
  readonly tasks: TaskSource;
  readonly attempts: number;
  /** The agent for a scenario; the reference solution and a replay depend on it, other agents do not. */
  agentFor(scenario: Scenario, attempt: number): Agent;
  readonly runSeed: string;
  readonly store: Store;
  /** Rollouts in flight; "auto" suits the agent (1 for synchronous ones). */
  readonly concurrency: number | "auto";
  readonly maxCostUsd?: number;
  readonly signal?: AbortSignal;
  /** Called after each commit with totals so far. */
  onProgress?(progress: RunProgress): void;
}

export interface RunProgress {
  readonly total: number;
  readonly completed: number;
  /** Committed by an earlier try of this run. */
  readonly resumed: number;
  readonly scored: number;
  readonly unscored: number;
  readonly errored: number;
  readonly cancelled: number;
  readonly passed: number;
  readonly rewardSum: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly last: Rollout | undefined;
  /** Why it stopped before the end, when it did. */
  readonly stoppedBy: "signal" | "cost" | null;
}
