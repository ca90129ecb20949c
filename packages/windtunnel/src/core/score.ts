/**
 * Score: what a rubric made of one rollout. The reward exists only when every applicable question was answered.
 */
import type { Verdict } from "./verdict.js";

export interface CriterionResult {
  readonly name: string;
  readonly version: number;
  readonly role: "gate" | "criterion";
  readonly critical: boolean;
  /** Points of the criterion; 0 for a gate. */
  readonly points: number;
  readonly verdict: Verdict;
  /** Share of the reward this criterion added (0..1), 0 for gates and for what was not scored. */
  readonly earned: number;
}

export type Score =
  | {
      readonly status: "scored";
      /** In 0..1. */
      readonly reward: number;
      readonly passed: boolean;
      readonly results: readonly CriterionResult[];
    }
  | {
      readonly status: "unscored" | "errored";
      readonly reason: string;
      readonly results: readonly CriterionResult[];
    };
