/** What became of one mutant: killed, only marked down, survived, equivalent to its seed, or never a mutant at all. */
import type { AnyEnvironment } from "../../core/environment.js";
import { isMet, type Verdict } from "../../core/verdict.js";
import type { ObservedRun } from "./observed-run.js";

/**
 * killed: it does not pass, or a target falls and the reward with it by at least half the target's weight. lowered: the reward falls by less,
 * or for another reason. survived: the reward stands. errored: the verifier gave no score. equivalent: same end state, same verdicts, same outcome.
 */
export type Fate = "killed" | "lowered" | "survived" | "equivalent" | "errored";

const EPSILON = 1e-9;

/** How far a question is met, 0..1; one that does not apply takes nothing away. */
const metBy = (verdict: Verdict | undefined) =>
  verdict === undefined || verdict.kind === "notApplicable" ? 1 : verdict.kind === "scored" ? verdict.value : 0;

/** Questions that are answered worse than in the seed, by their own verdict. */
export const fallenOf = (seed: ObservedRun, mutant: ObservedRun): readonly string[] =>
  [...mutant.verdicts.keys()].filter(
    (name) => metBy(mutant.verdicts.get(name)) < metBy(seed.verdicts.get(name)) - EPSILON,
  );

const sameVerdicts = (a: ObservedRun, b: ObservedRun) =>
  [...a.verdicts].every(([name, verdict]) => {
    const other = b.verdicts.get(name);
    return other?.kind === verdict.kind && metBy(other) === metBy(verdict);
  });

/** Same end state up to dates and minted ids, and the same outcome. */
export const endsLike = (seed: ObservedRun, mutant: ObservedRun) =>
  mutant.state.length === seed.state.length &&
  mutant.state.every((line, i) => line === seed.state[i]) &&
  mutant.value === seed.value &&
  mutant.acceptable === seed.acceptable;

/** The automatic rule: same end, same obligations met, same reward. */
export const isEquivalent = (seed: ObservedRun, mutant: ObservedRun) =>
  endsLike(seed, mutant) && sameVerdicts(seed, mutant) && Math.abs(mutant.reward - seed.reward) <= EPSILON;

/** Do the grader's facts list both values side by side, as alternatives or as parts of one set? */
export function listedTogether(facts: unknown, [was, is]: readonly [unknown, unknown]): boolean {
  if (Array.isArray(facts) && facts.includes(was) && facts.includes(is)) return true;
  return (
    typeof facts === "object" &&
    facts !== null &&
    Object.values(facts).some((inner) => listedTogether(inner, [was, is]))
  );
}

/**
 * The automatic rule where the author declared alternatives: one value of the facts stands for another of the same list, every question is
 * answered as before, and the outcome is as good to the cent.
 */
export const isDeclaredAlternative = (
  seed: ObservedRun,
  mutant: ObservedRun,
  facts: unknown,
  replaced: readonly [unknown, unknown],
) =>
  mutant.acceptable === true &&
  mutant.value === seed.value &&
  Math.abs(mutant.reward - seed.reward) <= EPSILON &&
  sameVerdicts(seed, mutant) &&
  listedTogether(facts, replaced);

/** Share of the reward that a question decides in a run: points among those that applied, or what its cap takes. */
function weightOf({ rubric }: AnyEnvironment, run: ObservedRun, name: string): number {
  const gate = rubric.gates.find((one) => one.name === name);
  if (gate !== undefined) return 1 - gate.cap;
  const total = rubric.criteria
    .filter((criterion) => run.verdicts.get(criterion.name)?.kind !== "notApplicable")
    .reduce((sum, { points }) => sum + points, 0);
  return (rubric.criteria.find((one) => one.name === name)?.points ?? 0) / Math.max(total, EPSILON);
}

export function fateOf(
  environment: AnyEnvironment,
  seed: ObservedRun,
  mutant: ObservedRun,
  targets: ReadonlySet<string>,
): Fate {
  if (!mutant.scored) return "errored";
  if (!mutant.passed) return "killed";
  const fall = seed.reward - mutant.reward;
  const caught = fallenOf(seed, mutant).some(
    (name) => targets.has(name) && fall >= weightOf(environment, mutant, name) / 2 - EPSILON,
  );
  if (caught && fall > EPSILON) return "killed";
  return fall > EPSILON ? "lowered" : "survived";
}

/** How much a benign mutant may move the reward. */
export const BENIGN_EPSILON = 0.01;

/** A benign mutant that the rubric punishes: it does not pass, a gate falls, or the reward moves. */
export const isFalseKill = ({ rubric }: AnyEnvironment, seed: ObservedRun, mutant: ObservedRun): boolean =>
  !mutant.scored ||
  !mutant.passed ||
  Math.abs(mutant.reward - seed.reward) > BENIGN_EPSILON ||
  rubric.gates.some(({ name }) => isMet(seed.verdicts.get(name)!) && !isMet(mutant.verdicts.get(name)!));
