/**
 * Does reward track the business result? The reward is judged as a test for an acceptable outcome over all rollouts (AUC), and as an
 * order among attempts of one task (Kendall's tau-b), where the difficulty of the task cannot help it.
 */
import { type Estimate, kendallTauB, meanEstimate, rocAuc, type ScorePair } from "../stats/index.js";
import type { RolloutRecord, Store } from "../store/store.js";

export interface RewardOutcomeAgreement {
  /** Rollouts that have both a reward and an outcome. */
  readonly rollouts: number;
  /** Chance that an acceptable rollout has a higher reward than an unacceptable one. */
  readonly auc: Estimate;
  /** Mean over tasks of tau-b between reward and outcome value among the task's rollouts. */
  readonly withinTaskTau: Estimate;
  /** Tasks left out of that mean: one rollout only, or all alike in reward or in outcome. */
  readonly tasksWithoutOrder: number;
}

/** Gathers rollouts one by one. Tasks of one id in different environments are kept apart. */
export class RewardOutcome {
  readonly #acceptable: number[] = [];
  readonly #unacceptable: number[] = [];
  readonly #tasks = new Map<string, ScorePair[]>();

  /** A rollout without a reward or without an outcome says nothing of their agreement. */
  add({ task, outcome, provenance }: RolloutRecord, reward: number | null): void {
    if (reward === null || outcome === null || !Number.isFinite(reward) || !Number.isFinite(outcome.value)) return;
    (outcome.acceptable ? this.#acceptable : this.#unacceptable).push(reward);
    const key = `${provenance.environment} ${task}`;
    const pairs = this.#tasks.get(key);
    if (pairs === undefined) this.#tasks.set(key, [[reward, outcome.value]]);
    else pairs.push([reward, outcome.value]);
  }

  toAgreement(): RewardOutcomeAgreement {
    const rollouts = this.#acceptable.length + this.#unacceptable.length;
    const taus: number[] = [];
    for (const pairs of this.#tasks.values()) {
      const { value } = kendallTauB(pairs);
      if (value !== null) taus.push(value);
    }
    return {
      rollouts,
      auc: this.#auc(rollouts > this.#tasks.size),
      withinTaskTau: meanEstimate(taus),
      tasksWithoutOrder: this.#tasks.size - taus.length,
    };
  }

  /** The interval takes rollouts as independent, which several attempts of one task are not. */
  #auc(clustered: boolean): Estimate {
    const auc = rocAuc(this.#acceptable, this.#unacceptable);
    if (auc.value === null || !clustered) return auc;
    return { value: auc.value, n: auc.n, caution: "no interval: attempts of one task are not independent" };
  }
}

/** Agreement over the rollouts of several runs taken together, each under the rubric it was made with. */
export function reportAgreement(store: Store, runs: readonly string[]): RewardOutcomeAgreement {
  const gathered = new RewardOutcome();
  for (const run of runs) for (const record of store.rollouts({ run })) gathered.add(record, record.reward);
  return gathered.toAgreement();
}
