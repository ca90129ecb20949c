/**
 * The strict checker: is this environment fit to measure agents with? Small named checks over a sample of its tasks, with no model and no
 * network. It proves the presence of faults, not their absence: an attack it does not try, and a task it did not draw, go unseen.
 */
import type { AnyEnvironment } from "../core/environment.js";
import { UsageError } from "../core/fault.js";
import { SPLITS, type Split } from "../core/task.js";
import { conformanceChecks } from "./checks/conformance.js";
import { criteriaPurity } from "./checks/criteria-purity.js";
import { determinismChecks } from "./checks/determinism.js";
import { nothingHiddenShows } from "./checks/hidden-values.js";
import { markChecks } from "./checks/marks.js";
import { outcomeSound } from "./checks/outcome.js";
import { rubricChecks } from "./checks/rubric.js";
import { solutionChecks } from "./checks/solutions.js";
import { splitsDisjoint } from "./checks/splits.js";
import { askCheck, type Check, type CheckReport, type CheckResult } from "./report.js";
import { Sample } from "./sample.js";

/** Every check, in the order they are made: later ones are easier to read once earlier ones pass. */
export const CHECKS: readonly Check[] = [
  ...determinismChecks,
  ...conformanceChecks,
  ...markChecks,
  ...solutionChecks,
  ...rubricChecks,
  criteriaPurity,
  nothingHiddenShows,
  splitsDisjoint,
  outcomeSound,
];

export interface CheckOptions {
  /** Tasks of each split; default 20. A rubric with rare criteria needs more. */
  readonly tasks?: number;
  readonly seed?: number;
  readonly splits?: readonly Split[];
  /** Facts that agents may know, as paths such as "facts.order", with all that is in them; they are not looked for as leaks. */
  readonly publicFacts?: readonly string[];
}

/**
 * Checks an environment. Never throws for a fault of the environment: what is wrong comes back as problems.
 * @example
 * const report = await checkEnvironment(exampleEnvironment, { tasks: 10 });
 * expect(report.checks.flatMap(({ problems }) => problems)).toEqual([]);
 */
export async function checkEnvironment(environment: AnyEnvironment, options: CheckOptions = {}): Promise<CheckReport> {
  const { tasks = 20, seed = 0, splits = SPLITS, publicFacts = [] } = options;
  if (!Number.isInteger(tasks) || tasks < 2 || splits.length === 0) {
    throw new UsageError({
      code: "invalid_sample",
      what: "A check needs tasks to look at",
      path: "options",
      expected: "tasks of at least 2 and one split",
      actual: `tasks ${tasks}, ${splits.length} splits`,
      fix: "Leave the options out for the defaults.",
    });
  }
  const sample = new Sample(environment, { tasks, seed, splits, publicFacts });
  const checks: CheckResult[] = [];
  for (const check of CHECKS) checks.push(await askCheck(check, sample));
  const passed = checks.every(({ status }) => status !== "fail") && checks.some(({ status }) => status === "pass");
  return { environment: environment.name, passed, checks };
}
