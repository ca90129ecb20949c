/**
 * Criterion: one named, versioned question the verifier asks. A gate vetoes or caps; a weighted criterion adds points.
 * Criteria are pure: they look at frozen records and read-only worlds, and return a Verdict with evidence.
 */
import type { Task } from "./task.js";
import type { Timeline } from "./timeline.js";
import type { Verdict } from "./verdict.js";
import type { Change, Tables, World } from "./world.js";

/** What a criterion sees. Sealed tables are out of its reach. */
export interface CriterionContext<T extends Tables = Tables, F = unknown> {
  readonly task: Task;
  readonly facts: F;
  readonly timeline: Timeline;
  readonly before: World<T>;
  readonly after: World<T>;
  /** Net changes from start to end. */
  readonly changes: readonly Change[];
}

type Check<T extends Tables, F> = (context: CriterionContext<T, F>) => Verdict;

/** A question that must be answered yes: `veto` makes the reward 0, `cap` limits it. */
export interface Gate<T extends Tables = Tables, F = unknown> {
  readonly name: string;
  readonly version: number;
  readonly description: string;
  /** Highest reward once tripped: 0 is a veto. */
  readonly cap: number;
  readonly check: Check<T, F>;
}

/** A question worth points. */
export interface Criterion<T extends Tables = Tables, F = unknown> {
  readonly name: string;
  readonly version: number;
  readonly description: string;
  readonly points: number;
  /** Must be fully met for a pass, whatever the reward. */
  readonly critical: boolean;
  /** Names of criteria that must be fully met before this one gives credit (procedure counts once the disposition is right). */
  readonly after: readonly string[];
  readonly check: Check<T, F>;
}

/** Defines a gate; `cap` defaults to 0 (a veto). */
export function defineGate<T extends Tables, F>(
  gate: Omit<Gate<T, F>, "version" | "cap"> & { version?: number; cap?: number },
): Gate<T, F> {
  return { version: 1, cap: 0, ...gate };
}

/** Defines a weighted criterion. */
export function defineCriterion<T extends Tables, F>(
  criterion: Omit<Criterion<T, F>, "version" | "critical" | "after"> & {
    version?: number;
    critical?: boolean;
    after?: readonly string[];
  },
): Criterion<T, F> {
  return { version: 1, critical: false, after: [], ...criterion };
}
