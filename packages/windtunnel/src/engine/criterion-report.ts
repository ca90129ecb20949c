/** What each question of the rubric did to the rewards of a run. */
import type { CriterionResult, Score } from "../core/score.js";
import { isMet } from "../core/verdict.js";

export interface CriterionReport {
  readonly name: string;
  readonly role: "gate" | "criterion";
  readonly critical: boolean;
  readonly points: number;
  /** Rollouts in which it was asked and answered. */
  readonly answered: number;
  readonly notApplicable: number;
  readonly unscored: number;
  readonly errored: number;
  /** Share of the answered that were fully met; null when none was. */
  readonly metShare: number | null;
  readonly meanValue: number | null;
  /** Points of 100 that it cost, summed over scored rollouts. A tripped gate costs what the criteria had earned above its cap. */
  readonly pointsLost: number;
}

interface Counts {
  readonly name: string;
  readonly role: CriterionResult["role"];
  readonly critical: boolean;
  readonly points: number;
  answered: number;
  notApplicable: number;
  unscored: number;
  errored: number;
  met: number;
  valueSum: number;
  pointsLost: number;
}

export class CriterionCounts {
  readonly #counts = new Map<string, Counts>();

  add(score: Score): void {
    const applicable = score.results.filter(({ role, verdict }) => role === "criterion" && verdict.kind === "scored");
    const total = applicable.reduce((sum, { points }) => sum + points, 0);
    for (const result of score.results) this.#count(result, score.status === "scored" ? total : 0);
    if (score.status === "scored") this.#chargeGates(score.results, score.reward);
  }

  #count(result: CriterionResult, total: number): void {
    const { verdict, role, points, earned } = result;
    const counts = this.#of(result);
    if (verdict.kind !== "scored") {
      counts[verdict.kind]++;
      return;
    }
    counts.answered++;
    counts.valueSum += verdict.value;
    if (isMet(verdict)) counts.met++;
    if (role === "criterion" && total > 0) counts.pointsLost += 100 * Math.max(0, points / total - earned);
  }

  /** What a cap took is shared evenly by the gates that tripped: the score does not say which of them was the lowest. */
  #chargeGates(results: readonly CriterionResult[], reward: number): void {
    const tripped = results.filter(
      ({ role, verdict }) => role === "gate" && verdict.kind === "scored" && !isMet(verdict),
    );
    const taken = results.reduce((sum, { earned }) => sum + earned, 0) - reward;
    for (const gate of tripped) this.#of(gate).pointsLost += (100 * Math.max(0, taken)) / tripped.length;
  }

  #of({ name, role, critical, points }: CriterionResult): Counts {
    let counts = this.#counts.get(name);
    if (counts === undefined) {
      counts = {
        name,
        role,
        critical,
        points,
        answered: 0,
        notApplicable: 0,
        unscored: 0,
        errored: 0,
        met: 0,
        valueSum: 0,
        pointsLost: 0,
      };
      this.#counts.set(name, counts);
    }
    return counts;
  }

  /** In the order of the rubric: gates, then criteria. */
  toReport(): CriterionReport[] {
    return [...this.#counts.values()].map(({ met, valueSum, ...rest }) => ({
      ...rest,
      metShare: rest.answered === 0 ? null : met / rest.answered,
      meanValue: rest.answered === 0 ? null : valueSum / rest.answered,
    }));
  }
}
