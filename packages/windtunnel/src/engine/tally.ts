/** The running totals of a run, and what became of every planned attempt. */
import type { Rollout } from "../core/rollout.js";
import { statusOf } from "../store/row.js";
import type { RunTotals } from "../store/store.js";
import type { RunProgress } from "./run.js";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class Tally {
  readonly #total: number;
  readonly #resumed: number;
  #counts: Mutable<RunTotals>;
  /** Of rollouts that have ended, committed or not, USD. */
  spentUsd: number;

  constructor(total: number, before: RunTotals) {
    this.#total = total;
    this.#resumed = before.completed;
    this.#counts = { ...before };
    this.spentUsd = before.costUsd;
  }

  /** Counts a batch and lets go of it: the answer adds the counts once the batch is committed. */
  count(batch: readonly Rollout[]): () => void {
    const added = countsOf(batch);
    return () => {
      for (const key of Object.keys(added) as (keyof RunTotals)[]) this.#counts[key] += added[key];
    };
  }

  progress(): RunProgress {
    return { total: this.#total, resumed: this.#resumed, ...this.#counts, stoppedBy: null };
  }

  /** At the end, from what the store holds: attempts it does not hold were cancelled. */
  settle(kept: RunTotals, stoppedBy: RunProgress["stoppedBy"]): RunProgress {
    const left = Math.max(0, this.#total - kept.completed);
    this.#counts = { ...kept, cancelled: kept.cancelled + left };
    return { ...this.progress(), stoppedBy: left === 0 ? null : stoppedBy };
  }
}

function countsOf(batch: readonly Rollout[]): RunTotals {
  const counts: Mutable<RunTotals> = {
    completed: batch.length,
    scored: 0,
    unscored: 0,
    errored: 0,
    cancelled: 0,
    passed: 0,
    rewardSum: 0,
    tokens: 0,
    costUsd: 0,
  };
  for (const rollout of batch) {
    const { score, usage } = rollout;
    const status = statusOf(rollout);
    counts[status]++;
    if (status === "scored" && score.status === "scored") {
      counts.rewardSum += score.reward;
      if (score.passed) counts.passed++;
    }
    if (Number.isFinite(usage.tokens)) counts.tokens += usage.tokens;
    if (Number.isFinite(usage.costUsd)) counts.costUsd += usage.costUsd;
  }
  return counts;
}
