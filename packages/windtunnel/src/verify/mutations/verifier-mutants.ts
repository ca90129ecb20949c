/**
 * The other direction: the rubric itself is damaged, and the labelled rollouts are asked whether they would notice. A broken verifier that
 * no label contradicts names the label that is missing. Works on recorded verdicts; executes nothing.
 */
import type { AnyEnvironment } from "../../core/environment.js";
import { applyRubric, type Rubric } from "../../core/rubric.js";
import { met, unmet, type Verdict } from "../../core/verdict.js";
import type { MutantRecord, MutationRun } from "./run-mutants.js";

/** A rollout with its verdicts and the label of somebody independent of the rubric. */
export interface LabelledRollout {
  readonly id: string;
  /** Each question's own verdict, before any waits for another. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly accepted: boolean;
}

export interface VerifierMutant {
  readonly id: string;
  readonly what: string;
  /** The kind of label that would tell it from the rubric. */
  readonly wanted: string;
  readonly rubric: Rubric;
}

export interface VerifierMutantResult {
  readonly id: string;
  readonly what: string;
  /** Labels that contradict the mutant and not the rubric. */
  readonly noticedBy: readonly string[];
  /** Labels that contradict the rubric and not the mutant: the mutant is the better rubric there. */
  readonly improves: readonly string[];
  /** It passes and rejects the same rollouts, and pays them the same: no label could tell. */
  readonly sameScores: boolean;
  /** What label is missing; null when it was noticed. */
  readonly wanted: string | null;
}

export interface VerifierMutationReport {
  readonly labels: { readonly accepted: number; readonly rejected: number };
  /** Labels that the rubric as it is contradicts. */
  readonly contradicted: readonly string[];
  readonly mutants: readonly VerifierMutantResult[];
  readonly noticed: number;
  readonly survivors: readonly VerifierMutantResult[];
}

type AnyRubric = AnyEnvironment["rubric"];

const always = (verdict: Verdict) => () => verdict;
const flipped = (verdict: Verdict): Verdict =>
  verdict.kind === "scored" ? { ...verdict, value: 1 - verdict.value } : verdict;

/** Every single damage to a rubric: questions left out, flipped, always yes, always no; caps, points, order, criticality and pass mark weakened. */
export function verifierMutants(rubric: AnyRubric): readonly VerifierMutant[] {
  const { gates, criteria, passMark } = rubric;
  const mutant = (id: string, what: string, wanted: string, change: Partial<AnyRubric>): VerifierMutant => ({
    id,
    what,
    wanted,
    rubric: { ...rubric, ...change },
  });
  const gate = (i: number, change: Partial<AnyRubric["gates"][number]>) => ({
    gates: gates.map((one, at) => (at === i ? { ...one, ...change } : one)),
  });
  const criterion = (i: number, change: Partial<AnyRubric["criteria"][number]>) => ({
    criteria: criteria.map((one, at) => (at === i ? { ...one, ...change } : one)),
  });
  const only = (name: string) => `a rejected rollout in which nothing but "${name}" is wrong`;
  const good = (name: string) => `an accepted rollout to which "${name}" applies`;
  const byPoints = [...criteria.keys()].sort((a, b) => criteria[b]!.points - criteria[a]!.points);
  return [
    ...gates.flatMap(({ name, check, cap }, i) => [
      mutant(`drop-gate:${name}`, `gate "${name}" is left out`, only(name), {
        gates: gates.filter((_, at) => at !== i),
      }),
      mutant(
        `flip-gate:${name}`,
        `gate "${name}" answers the opposite`,
        good(name),
        gate(i, { check: (c) => flipped(check(c)) }),
      ),
      mutant(
        `close-gate:${name}`,
        `gate "${name}" is never passed`,
        good(name),
        gate(i, { check: always(unmet("always")) }),
      ),
      ...(cap < 0.5
        ? [
            mutant(
              `raise-cap:${name}`,
              `gate "${name}" caps at ${cap + 0.5} instead of ${cap}`,
              `a pair of rejected rollouts, the one that trips "${name}" ranked below one that earns ${(cap + 0.1).toFixed(2)}`,
              gate(i, { cap: cap + 0.5 }),
            ),
          ]
        : []),
    ]),
    ...criteria.flatMap(({ name, check, critical, after, points }, i) => [
      ...(criteria.length > 1
        ? [
            mutant(`drop-criterion:${name}`, `criterion "${name}" is left out`, only(name), {
              criteria: criteria
                .filter((_, at) => at !== i)
                .map((one) => ({ ...one, after: one.after.filter((other) => other !== name) })),
            }),
          ]
        : []),
      mutant(
        `flip-criterion:${name}`,
        `criterion "${name}" answers the opposite`,
        good(name),
        criterion(i, { check: (c) => flipped(check(c)) }),
      ),
      mutant(
        `always-met:${name}`,
        `criterion "${name}" is always met`,
        only(name),
        criterion(i, { check: always(met("always")) }),
      ),
      mutant(
        `always-unmet:${name}`,
        `criterion "${name}" is never met`,
        good(name),
        criterion(i, { check: always(unmet("always")) }),
      ),
      ...(critical
        ? [
            mutant(
              `not-critical:${name}`,
              `criterion "${name}" (${points} points) no longer decides a pass`,
              `a rejected rollout that earns ${passMark} or more and misses only "${name}"`,
              criterion(i, { critical: false }),
            ),
          ]
        : []),
      ...(after.length > 0
        ? [
            mutant(
              `no-order:${name}`,
              `criterion "${name}" gives credit whatever came before`,
              `a pair of rejected rollouts that differ in "${name}" alone`,
              criterion(i, { after: [] }),
            ),
          ]
        : []),
    ]),
    ...(byPoints.length > 1
      ? [
          mutant(
            `swap-points:${criteria[byPoints[0]!]!.name}/${criteria[byPoints[byPoints.length - 1]!]!.name}`,
            "the points of the heaviest and the lightest criterion are swapped",
            `a pair of rollouts, one missing only "${criteria[byPoints[0]!]!.name}" ranked below one missing only "${criteria[byPoints[byPoints.length - 1]!]!.name}"`,
            {
              criteria: criteria.map((one, at) =>
                at === byPoints[0]
                  ? { ...one, points: criteria[byPoints[byPoints.length - 1]!]!.points }
                  : at === byPoints[byPoints.length - 1]
                    ? { ...one, points: criteria[byPoints[0]!]!.points }
                    : one,
              ),
            },
          ),
        ]
      : []),
    mutant(
      "pass-mark-down",
      `the pass mark falls from ${passMark} to ${(passMark - 0.2).toFixed(2)}`,
      `a rejected rollout with every critical criterion met that earns between ${(passMark - 0.2).toFixed(2)} and ${passMark}`,
      { passMark: Math.max(0.01, passMark - 0.2) },
    ),
    mutant("pass-mark-up", "the pass mark rises to 1", `an accepted rollout that earns between ${passMark} and 1`, {
      passMark: 1,
    }),
  ];
}

/** Scores recorded verdicts by a rubric whose checks read `verdicts` by the name of the question. */
function judge(rubric: AnyRubric, verdicts: ReadonlyMap<string, Verdict>) {
  const score = applyRubric(rubric, { recorded: verdicts } as never);
  return score.status === "scored" ? { passed: score.passed, reward: score.reward } : { passed: false, reward: 0 };
}

/** The rubric with checks that give back what was recorded. */
function recorded(rubric: AnyRubric): AnyRubric {
  const recall = <Q extends { readonly name: string }>(question: Q): Q => ({
    ...question,
    check: (context: { recorded: ReadonlyMap<string, Verdict> }) =>
      context.recorded.get(question.name) ?? { kind: "notApplicable", reason: "not recorded" },
  });
  return { ...rubric, gates: rubric.gates.map(recall), criteria: rubric.criteria.map(recall) };
}

/** The executed rollouts of a mutation run that an outcome speaks about: seeds and mutants, labelled by whether it is acceptable. */
export function labelsOf(run: MutationRun): readonly LabelledRollout[] {
  const label = (id: string, { verdicts, acceptable }: Pick<MutantRecord, "verdicts" | "acceptable">) =>
    acceptable === null ? [] : [{ id, verdicts, accepted: acceptable }];
  return [
    ...run.seeds.flatMap((seed) => label(`reference ${seed.task}`, seed)),
    ...run.mutants.flatMap((mutant) => label(`${mutant.operator} ${mutant.key}`, mutant)),
  ];
}

/** Asks the labels about every damage to the rubric. A mutant is noticed when a label contradicts it and not the rubric. */
export function runVerifierMutants(rubric: AnyRubric, labels: readonly LabelledRollout[]): VerifierMutationReport {
  const original = recorded(rubric);
  const known = labels.map((label) => ({ label, was: judge(original, label.verdicts) }));
  const mutants = verifierMutants(original).map(({ id, what, wanted, rubric: broken }): VerifierMutantResult => {
    const judged = known.map(({ label, was }) => ({ label, was, is: judge(broken, label.verdicts) }));
    const contradicts = (passed: boolean, { accepted }: LabelledRollout) => passed !== accepted;
    const noticedBy = judged
      .filter(({ label, was, is }) => contradicts(is.passed, label) && !contradicts(was.passed, label))
      .map(({ label }) => label.id);
    const improves = judged
      .filter(({ label, was, is }) => !contradicts(is.passed, label) && contradicts(was.passed, label))
      .map(({ label }) => label.id);
    return {
      id,
      what,
      noticedBy,
      improves,
      sameScores: judged.every(({ was, is }) => was.passed === is.passed && Math.abs(was.reward - is.reward) < 1e-9),
      wanted: noticedBy.length > 0 ? null : wanted,
    };
  });
  const survivors = mutants.filter(({ noticedBy }) => noticedBy.length === 0);
  return {
    labels: {
      accepted: labels.filter(({ accepted }) => accepted).length,
      rejected: labels.filter(({ accepted }) => !accepted).length,
    },
    contradicted: known.filter(({ label, was }) => was.passed !== label.accepted).map(({ label }) => label.id),
    mutants,
    noticed: mutants.length - survivors.length,
    survivors,
  };
}
