/**
 * Verdict: the answer to one criterion, and the only maker of numbers. A fault, an abstention and a wrong answer are different kinds,
 * so no path turns a fault into a 0.
 */
import type { Boundary } from "./fault.js";

/** Where a verdict can be seen: an event of the trace, or a row of the world (and one of its fields). */
export type Evidence =
  | { readonly event: number; readonly note?: string }
  | { readonly table: string; readonly id: string; readonly field?: string; readonly note?: string };

export type Verdict =
  | { readonly kind: "scored"; readonly value: number; readonly reason: string; readonly evidence: readonly Evidence[] }
  | { readonly kind: "notApplicable"; readonly reason: string }
  | { readonly kind: "unscored"; readonly reason: string }
  | { readonly kind: "errored"; readonly boundary: Boundary; readonly cause: string };

/** A score in [0, 1]. Anything else is the verifier's fault and comes out as errored. */
export function scored(value: number, reason: string, evidence: readonly Evidence[] = []): Verdict {
  if (!(value >= 0 && value <= 1)) return errored("verifier", `a criterion returned ${value}; a score lies in 0..1`);
  return { kind: "scored", value, reason, evidence };
}

export const met = (reason: string, evidence: readonly Evidence[] = []): Verdict => scored(1, reason, evidence);
export const unmet = (reason: string, evidence: readonly Evidence[] = []): Verdict => scored(0, reason, evidence);
export const notApplicable = (reason: string): Verdict => ({ kind: "notApplicable", reason });
export const unscored = (reason: string): Verdict => ({ kind: "unscored", reason });
export const errored = (boundary: Boundary, cause: string): Verdict => ({ kind: "errored", boundary, cause });

/** True for a scored verdict of full value: the question was answered yes. */
export const isMet = (verdict: Verdict): boolean => verdict.kind === "scored" && verdict.value === 1;

/**
 * Holds for every item, or is unmet at those that fail. Over nothing it is unscored: a for-all with no members is never a pass.
 */
export function forAll<T>(items: readonly T[], what: string, check: (item: T) => Verdict): Verdict {
  if (items.length === 0) return unscored(`nothing to check: no ${what}`);
  const verdicts = items.map(check);
  const broken = verdicts.find((verdict) => verdict.kind !== "scored" && verdict.kind !== "notApplicable");
  if (broken !== undefined) return broken;
  const scores = verdicts.filter((verdict) => verdict.kind === "scored");
  if (scores.length === 0) return notApplicable(`no ${what} that this applies to`);
  const failed = scores.filter((verdict) => verdict.value < 1);
  const evidence = (failed.length > 0 ? failed : scores).flatMap((verdict) => verdict.evidence);
  if (failed.length === 0) return met(`all ${scores.length} ${what} hold`, evidence);
  const held = scores.reduce((sum, verdict) => sum + verdict.value, 0) / scores.length;
  return scored(held, `${failed.length} of ${scores.length} ${what} fail: ${failed[0]!.reason}`, evidence);
}
