/**
 * What a run of mutants says about a rubric: the mutation score (mean over operators, with an interval over seed trajectories), the worst operator,
 * the false-kill rate, their difference, how often the right question fell, and every mutant that got through.
 */
import { notEstimable } from "../../stats/estimate.js";
import { bootstrap, clopperPearson, type Estimate } from "../../stats/index.js";
import { type KillMatrix, killMatrix, validDamage } from "./kill-matrix.js";
import type { MutantRecord, MutationRun, OperatorTally } from "./run-mutants.js";

export interface OperatorReport {
  readonly id: string;
  readonly name: string;
  readonly what: string;
  readonly harmful: boolean;
  readonly critical: boolean;
  /** Seeds it applies to, and why it does not apply to the others. */
  readonly seeds: number;
  readonly missing: Readonly<Record<string, number>>;
  /** Drafts that came to nothing, by reason: the tools refuse them, or they change nothing. */
  readonly stillborn: Readonly<Record<string, number>>;
  readonly mutants: number;
  readonly equivalent: number;
  readonly killed: number;
  /** Killed by marks alone: still passing. */
  readonly stillPassing: number;
  readonly lowered: number;
  readonly survived: number;
  readonly errored: number;
  readonly falseKills: number;
  /** Killed of those that count (damage), with an exact interval. */
  readonly score: Estimate;
}

export interface MutationReport {
  readonly environment: string;
  readonly rubricDigest: string;
  readonly seed: number;
  readonly seeds: number;
  /** Seeds that the rubric does not pass: references, or accepted rollouts, that it rejects. */
  readonly rejectedSeeds: readonly string[];
  readonly unusable: MutationRun["unusable"];
  /** Mean over damaging operators; interval by bootstrap over seed trajectories. */
  readonly mutationScore: Estimate;
  /** The same over mutants that do not pass: what the pass mark catches without the marks in between. */
  readonly rejectionRate: Estimate;
  readonly worst: { readonly operator: string; readonly score: number } | null;
  readonly worstCritical: { readonly operator: string; readonly score: number; readonly lower: number } | null;
  readonly falseKillRate: Estimate;
  /** Mutation score less false-kill rate: 0 for a rubric that rejects everything, or nothing. */
  readonly jMut: number | null;
  /** Kills on which an intended question fell. */
  readonly attribution: Estimate;
  readonly operators: readonly OperatorReport[];
  readonly matrix: KillMatrix;
  readonly criticalOrphans: number;
  /** Damage that got through, in whole or in part. */
  readonly survivors: readonly MutantRecord[];
  /** Survivors that pass and whose outcome would be accepted: for an expert to say whether they are damage at all. */
  readonly forReview: readonly MutantRecord[];
  readonly falseKills: readonly MutantRecord[];
}

const RESAMPLES = 500;

/** Sums a run up. Deterministic. */
export function toMutationReport(run: MutationRun): MutationReport {
  const critical = new Map(run.tallies.map(({ operator }) => [operator.id, operator.critical]));
  const damage = validDamage(run);
  const benign = run.mutants.filter(({ falseKill }) => falseKill !== null);
  const operators = run.tallies.map((tally) => operatorReport(tally, run.mutants));
  const scored = operators.filter(({ harmful, score }) => harmful && score.value !== null);
  const lowest = (list: readonly OperatorReport[]) =>
    list.reduce<OperatorReport | null>(
      (low, one) => (low === null || one.score.value! < low.score.value! ? one : low),
      null,
    );
  const worst = lowest(scored);
  const worstCritical = lowest(scored.filter((one) => one.critical));
  const mutationScore =
    damage.length === 0
      ? notEstimable("no mutant was executed", 0)
      : bootstrap(damage, (list) => macroShare(list, ({ fate }) => fate === "killed"), {
          random: run.seed,
          resamples: RESAMPLES,
          cluster: ({ task }) => task,
        });
  const rejectionRate =
    damage.length === 0
      ? notEstimable("no mutant was executed", 0)
      : bootstrap(damage, (list) => macroShare(list, ({ passed }) => !passed), {
          random: run.seed,
          resamples: RESAMPLES,
          cluster: ({ task }) => task,
        });
  const falseKills = benign.filter(({ falseKill }) => falseKill === true);
  const falseKillRate = share(falseKills.length, benign.length, "no benign mutant was executed");
  const killed = damage.filter(({ fate, operator }) => fate === "killed" && operator !== "H25");
  const attributed = killed.filter(({ fell, targets }) => fell.some((name) => targets.includes(name)));
  const survivors = damage.filter(({ fate }) => fate !== "killed");
  const matrix = killMatrix(run);
  return {
    environment: run.environment.name,
    rubricDigest: run.environment.rubric.digest,
    seed: run.seed,
    seeds: run.seeds.length,
    rejectedSeeds: run.seeds.filter(({ passed }) => !passed).map(({ task }) => task),
    unusable: run.unusable,
    mutationScore,
    rejectionRate,
    worst: worst === null ? null : { operator: worst.id, score: worst.score.value! },
    worstCritical:
      worstCritical?.score.value == null
        ? null
        : {
            operator: worstCritical.id,
            score: worstCritical.score.value,
            lower: worstCritical.score.interval?.[0] ?? 0,
          },
    falseKillRate,
    jMut:
      mutationScore.value === null || falseKillRate.value === null ? null : mutationScore.value - falseKillRate.value,
    attribution: share(attributed.length, killed.length, "nothing was killed"),
    operators,
    matrix,
    criticalOrphans: matrix.orphans.filter(({ operator }) => critical.get(operator) === true).length,
    survivors,
    forReview: survivors.filter(({ passed, acceptable }) => passed && acceptable === true),
    falseKills,
  };
}

const share = (part: number, of: number, none: string): Estimate =>
  of === 0 ? notEstimable(none, 0) : clopperPearson(part, of);

/** Mean over operators of the share that `counts`; null over nothing. */
function macroShare(mutants: readonly MutantRecord[], counts: (mutant: MutantRecord) => boolean): number | null {
  const byOperator = new Map<string, { hits: number; all: number }>();
  for (const mutant of mutants) {
    const tally = byOperator.get(mutant.operator) ?? { hits: 0, all: 0 };
    byOperator.set(mutant.operator, tally);
    tally.all++;
    if (counts(mutant)) tally.hits++;
  }
  if (byOperator.size === 0) return null;
  return [...byOperator.values()].reduce((sum, { hits, all }) => sum + hits / all, 0) / byOperator.size;
}

function operatorReport({ operator, ...tally }: OperatorTally, all: readonly MutantRecord[]): OperatorReport {
  const mutants = all.filter((one) => one.operator === operator.id);
  const count = (fits: (one: MutantRecord) => boolean) => mutants.filter(fits).length;
  const counted = mutants.filter(({ falseKill, fate }) => falseKill === null && fate !== "equivalent");
  const killed = counted.filter(({ fate }) => fate === "killed");
  return {
    id: operator.id,
    name: operator.name,
    what: operator.what,
    harmful: operator.harmful,
    critical: operator.critical,
    seeds: tally.seeds,
    missing: Object.fromEntries(tally.missing),
    stillborn: Object.fromEntries(tally.stillborn),
    mutants: mutants.length,
    equivalent: count(({ fate, falseKill }) => falseKill === null && fate === "equivalent"),
    killed: killed.length,
    stillPassing: killed.filter(({ passed }) => passed).length,
    lowered: counted.filter(({ fate }) => fate === "lowered").length,
    survived: counted.filter(({ fate }) => fate === "survived").length,
    errored: counted.filter(({ fate }) => fate === "errored").length,
    falseKills: count(({ falseKill }) => falseKill === true),
    score: operator.harmful
      ? share(killed.length, counted.length, "no mutant of it was executed")
      : notEstimable("it damages nothing", mutants.length),
  };
}

/** What a rubric must reach before it may be trained on; every bar is a stated convention. */
export interface MutationBars {
  readonly mutationScore: number;
  readonly worstCritical: number;
  /** Lower end of the exact 95 % interval of the worst critical operator. */
  readonly worstCriticalLower: number;
  readonly falseKillRate: number;
  readonly attribution: number;
  readonly criticalOrphans: number;
}

export const MUTATION_BARS: MutationBars = {
  mutationScore: 0.95,
  worstCritical: 0.9,
  worstCriticalLower: 0.8,
  falseKillRate: 0.02,
  attribution: 0.9,
  criticalOrphans: 0,
};

export interface BarResult {
  readonly measure: string;
  readonly value: number | null;
  readonly bar: number;
  readonly sense: "at least" | "at most";
  /** Null when nothing was measured: that is no pass. */
  readonly reached: boolean | null;
}

/** The report against the bars. */
export function checkBars(report: MutationReport, bars: MutationBars = MUTATION_BARS): readonly BarResult[] {
  const bar = (measure: string, value: number | null, sense: BarResult["sense"], limit: number): BarResult => ({
    measure,
    value,
    bar: limit,
    sense,
    reached: value === null ? null : sense === "at least" ? value >= limit : value <= limit,
  });
  const measured = report.survivors.length + report.operators.reduce((sum, { killed }) => sum + killed, 0) > 0;
  return [
    bar("mutation score, mean over operators", report.mutationScore.value, "at least", bars.mutationScore),
    bar("worst critical operator", report.worstCritical?.score ?? null, "at least", bars.worstCritical),
    bar("its lower bound", report.worstCritical?.lower ?? null, "at least", bars.worstCriticalLower),
    bar("false-kill rate", report.falseKillRate.value, "at most", bars.falseKillRate),
    bar("attribution", report.attribution.value, "at least", bars.attribution),
    bar("orphans of critical operators", measured ? report.criticalOrphans : null, "at most", bars.criticalOrphans),
    bar("seeds that the rubric rejects", report.seeds > 0 ? report.rejectedSeeds.length : null, "at most", 0),
  ];
}
