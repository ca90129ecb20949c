/**
 * What a check of an environment answers. Problems are data; rendering them is left to the caller.
 */
import type { Awaitable } from "../core/message.js";
import type { Sample } from "./sample.js";

/** One thing that is wrong. */
export interface Problem {
  /** A task, a tool, a criterion, or a place within one: "train/0/3, call 2 get_order, result.note". */
  readonly where: string;
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  /** What to do about it. */
  readonly fix: string;
}

export interface CheckResult {
  readonly id: string;
  /** A sentence that is true when the check passes. */
  readonly title: string;
  /** `notMeasured` when the sample gave nothing to measure; never a pass. */
  readonly status: "pass" | "fail" | "notMeasured";
  /** At most MAX_PROBLEMS, the first found; `measured.problems` counts them all. */
  readonly problems: readonly Problem[];
  readonly measured: Readonly<Record<string, unknown>>;
}

export interface CheckReport {
  readonly environment: string;
  /** No check failed, and at least one measured something. */
  readonly passed: boolean;
  readonly checks: readonly CheckResult[];
}

/** What a check finds. `notMeasured` says why there was nothing to look at. */
export interface Finding {
  readonly problems: readonly Problem[];
  readonly measured?: Readonly<Record<string, unknown>>;
  readonly notMeasured?: string;
}

/** One small question about an environment. */
export interface Check {
  readonly id: string;
  readonly title: string;
  find(sample: Sample): Awaitable<Finding>;
}

export const MAX_PROBLEMS = 25;

/** Asks one check. A check that cannot be made at all is a failed one: the environment broke it. */
export async function askCheck({ id, title, find }: Check, sample: Sample): Promise<CheckResult> {
  try {
    const { problems, measured = {}, notMeasured } = await find(sample);
    if (problems.length > 0) {
      return {
        id,
        title,
        status: "fail",
        problems: problems.slice(0, MAX_PROBLEMS),
        measured: { ...measured, problems: problems.length },
      };
    }
    return notMeasured === undefined
      ? { id, title, status: "pass", problems: [], measured }
      : { id, title, status: "notMeasured", problems: [], measured: { ...measured, reason: notMeasured } };
  } catch (error) {
    const problem: Problem = {
      where: id,
      message: `the check could not be made: ${messageOf(error)}`,
      fix: "Make the environment's functions return instead of throwing.",
    };
    return { id, title, status: "fail", problems: [problem], measured: { problems: 1 } };
  }
}

/** Keeps the first problem of each kind: one broken field would otherwise fill a report. */
export class FirstOfEach {
  readonly #problems = new Map<string, Problem>();

  add(kind: string, problem: Problem): void {
    if (!this.#problems.has(kind)) this.#problems.set(kind, problem);
  }

  get list(): readonly Problem[] {
    return [...this.#problems.values()];
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const LONGEST = 160;

/** A value as short text for a problem. */
export function show(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
