/**
 * Task: what an agent is asked to do. Frozen JSON. What only the grader may know lives in a separate type, `GradedTask`,
 * so no function that faces the agent can return it by accident.
 */

export const SPLITS = ["train", "validation", "sealed"] as const;
export type Split = (typeof SPLITS)[number];

/** Where an episode stops whatever the agent wants. `working` time excludes waiting for a provider; `wall` includes everything. */
export interface Limits {
  readonly turns: number;
  readonly toolCalls: number;
  readonly tokens?: number;
  readonly wallMs?: number;
  readonly workingMs?: number;
  readonly costUsd?: number;
}

/** The policy-facing half. */
export interface Task {
  /** Names the task within its environment and regenerates it: "train/7/12" is number 12 of split train under seed 7. */
  readonly id: string;
  readonly environment: string;
  readonly prompt: string;
  readonly seed: string;
  readonly family: string;
  readonly archetype: string;
  readonly split: Split;
  /** Tasks that share a source (one patient, one document) share a group, and a group never crosses splits. */
  readonly sourceGroup: string;
  readonly limits: Limits;
}

/** The grader-facing whole: the task and what is true of it. */
export interface GradedTask<F = unknown> {
  readonly task: Task;
  readonly facts: F;
}
