/**
 * Report: what a run says, read from the store in one pass. Every planned attempt is accounted for, and a mean over some of them says so:
 * faults and missing attempts are counted beside the numbers, never inside them.
 */
import { UsageError } from "../core/fault.js";
import type { Score } from "../core/score.js";
import type { EndReason } from "../core/trace.js";
import {
  clusteredMean,
  type Estimate,
  type Interval,
  type MeanOverTasks,
  meanPassAtK,
  meanPassHatK,
  quantiles,
  Summary,
  wilson,
} from "../stats/index.js";
import type { RolloutRecord, Run, Store } from "../store/store.js";
import { CriterionCounts, type CriterionReport } from "./criterion-report.js";
import { RewardOutcome, type RewardOutcomeAgreement } from "./reward-outcome.js";

/** Where the planned attempts are; the others sum to `planned`. */
export interface Coverage {
  readonly planned: number;
  readonly scored: number;
  readonly unscored: number;
  readonly errored: number;
  /** Cut off or never begun, in a run that has stopped. */
  readonly cancelled: number;
  /** Not there yet, in a run that goes on (or whose process died: resume it). */
  readonly pending: number;
}

/** All null when no attempt was scored. */
export interface RewardReport {
  readonly mean: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly p10: number | null;
  /** Of the mean, with attempts of one task going together; null when the data give none. */
  readonly ci95: Interval | null;
}

export interface PassReport {
  readonly passed: number;
  readonly scored: number;
  readonly planned: number;
  /** passed / scored. */
  readonly share: number | null;
  /** Wilson's interval of the share. */
  readonly ci95: Interval | null;
  /** False when the share leaves attempts out: it then says nothing of those. */
  readonly complete: boolean;
}

export interface OutcomeReport {
  readonly unit: string | null;
  /** Attempts that have an outcome. */
  readonly read: number;
  readonly mean: number | null;
  /** 0 is doing nothing, 1 the reference solution. */
  readonly normalisedMean: number | null;
  readonly acceptableShare: number | null;
}

export interface ArchetypeReport {
  readonly archetype: string;
  readonly attempts: number;
  readonly scored: number;
  readonly passed: number;
  readonly passShare: number | null;
  readonly passCi95: Interval | null;
  readonly rewardMean: number | null;
  readonly outcomeMean: number | null;
}

export interface PassAtK {
  readonly k: number;
  /** Some of k attempts passes. */
  readonly passAtK: MeanOverTasks;
  /** All k attempts pass. */
  readonly passHatK: MeanOverTasks;
}

export interface RunReport {
  readonly run: Run;
  /** The rubric that the scores are under. */
  readonly rubricDigest: string;
  readonly coverage: Coverage;
  /** Every planned attempt was scored. */
  readonly complete: boolean;
  readonly reward: RewardReport;
  readonly passRate: PassReport;
  readonly outcome: OutcomeReport;
  readonly criteria: readonly CriterionReport[];
  readonly archetypes: readonly ArchetypeReport[];
  readonly endReasons: Readonly<Partial<Record<EndReason, number>>>;
  readonly agreement: RewardOutcomeAgreement;
  /** For k = 1, 2, 4, ... up to the attempts of a task. */
  readonly passAtK: readonly PassAtK[];
  readonly turns: number;
  readonly toolCalls: number;
  readonly tokens: number;
  readonly costUsd: number;
  /** Wall time of the run over all its resumes. */
  readonly wallSeconds: number;
}

export interface ReportOptions {
  /** Scores under this rubric instead of the run's own (see rescoreRun). */
  readonly rubricDigest?: string;
  /** What outcomes are counted in, for a run that has none yet; otherwise its rollouts say. */
  readonly outcomeUnit?: string;
}

/** Reports on one run. Throws UsageError when the store has no such run. */
export function reportRun(store: Store, runId: string, options: ReportOptions = {}): RunReport {
  const run = store.run(runId);
  if (run === undefined) {
    throw new UsageError({
      code: "unknown_run",
      what: "No such run",
      expected: "the id of a run in this store",
      actual: runId,
      fix: "List runs with `windtunnel list`.",
    });
  }
  const reader = new Reader();
  for (const { record, score } of store.graded({ run: runId }, options.rubricDigest)) reader.add(record, score);
  return reader.toReport(run, options, store.totals(runId).completed);
}

interface TaskCounts {
  n: number;
  c: number;
}

class Part {
  attempts = 0;
  passed = 0;
  readonly rewards = new Summary();
  readonly outcomes = new Summary();
  readonly normalised = new Summary();
  acceptable = 0;

  add({ outcome }: RolloutRecord, reward: number | null, passed: boolean): void {
    this.attempts++;
    if (reward !== null) this.rewards.add(reward);
    if (passed) this.passed++;
    if (outcome === null || !Number.isFinite(outcome.value)) return;
    this.outcomes.add(outcome.value);
    if (outcome.normalised !== null && Number.isFinite(outcome.normalised)) this.normalised.add(outcome.normalised);
    if (outcome.acceptable) this.acceptable++;
  }
}

class Reader {
  readonly #all = new Part();
  readonly #archetypes = new Map<string, Part>();
  readonly #tasks = new Map<string, TaskCounts>();
  readonly #rewards: { cluster: string; value: number }[] = [];
  readonly #criteria = new CriterionCounts();
  readonly #agreement = new RewardOutcome();
  readonly #endReasons: Partial<Record<EndReason, number>> = {};
  readonly #without = { unscored: 0, errored: 0, cancelled: 0 };
  #unit: string | null = null;
  #turns = 0;
  #toolCalls = 0;
  #tokens = 0;
  #costUsd = 0;

  add(record: RolloutRecord, score: Score): void {
    const graded =
      record.status !== "cancelled" && score.status === "scored" && Number.isFinite(score.reward) ? score : undefined;
    const reward = graded?.reward ?? null;
    this.#all.add(record, reward, graded?.passed === true);
    mapped(this.#archetypes, record.archetype, () => new Part()).add(record, reward, graded?.passed === true);
    this.#unit ??= record.outcome?.unit ?? null;
    this.#agreement.add(record, reward);
    this.#criteria.add(score);
    this.#endReasons[record.endReason] = (this.#endReasons[record.endReason] ?? 0) + 1;
    const { turns, toolCalls, tokens, costUsd } = record.usage;
    this.#turns += turns;
    this.#toolCalls += toolCalls;
    this.#tokens += tokens;
    this.#costUsd += costUsd;
    const task = mapped(this.#tasks, record.task, () => ({ n: 0, c: 0 }));
    if (graded === undefined) {
      this.#without[
        record.status === "cancelled" ? "cancelled" : score.status === "unscored" ? "unscored" : "errored"
      ]++;
      return;
    }
    this.#rewards.push({ cluster: record.task, value: graded.reward });
    task.n++;
    if (graded.passed) task.c++;
  }

  toReport(run: Run, { rubricDigest, outcomeUnit }: ReportOptions, committed: number): RunReport {
    const planned = Math.max(run.spec.tasks * run.spec.attempts, committed);
    const coverage = this.#coverage(run, planned, committed);
    const complete = coverage.scored === planned;
    const { rewards, outcomes, normalised, acceptable, attempts, passed } = this.#all;
    const passes = wilson(passed, coverage.scored);
    return {
      run,
      rubricDigest: rubricDigest ?? run.rubricDigest,
      coverage,
      complete,
      reward: {
        mean: rewards.mean,
        min: rewards.min,
        max: rewards.max,
        p10: quantiles(
          this.#rewards.map(({ value }) => value),
          [0.1],
        )[0]!,
        ci95: within(intervalOf(clusteredMean(this.#rewards)), 0, 1),
      },
      passRate: { passed, scored: coverage.scored, planned, share: passes.value, ci95: intervalOf(passes), complete },
      outcome: {
        unit: outcomeUnit ?? this.#unit,
        read: outcomes.n,
        mean: outcomes.mean,
        normalisedMean: normalised.mean,
        acceptableShare: outcomes.n === 0 ? null : acceptable / outcomes.n,
      },
      criteria: this.#criteria.toReport(),
      archetypes: this.#archetypeReports(),
      endReasons: this.#endReasons,
      agreement: this.#agreement.toAgreement(),
      passAtK: attempts === 0 ? [] : this.#passAtK(run.spec.attempts),
      turns: this.#turns,
      toolCalls: this.#toolCalls,
      tokens: this.#tokens,
      costUsd: this.#costUsd,
      wallSeconds: run.wallMs / 1000,
    };
  }

  /** Attempts committed but without a score under the rubric asked for are unscored. */
  #coverage(run: Run, planned: number, committed: number): Coverage {
    const { unscored, errored, cancelled } = this.#without;
    const missing = planned - committed;
    const going = run.status === "running";
    return {
      planned,
      scored: this.#rewards.length,
      unscored: unscored + committed - this.#all.attempts,
      errored,
      cancelled: cancelled + (going ? 0 : missing),
      pending: going ? missing : 0,
    };
  }

  #archetypeReports(): ArchetypeReport[] {
    const named = [...this.#archetypes].sort(([a], [b]) => (a < b ? -1 : 1));
    return named.map(([archetype, { attempts, rewards, passed, outcomes }]) => {
      const passes = wilson(passed, rewards.n);
      return {
        archetype,
        attempts,
        scored: rewards.n,
        passed,
        passShare: passes.value,
        passCi95: intervalOf(passes),
        rewardMean: rewards.mean,
        outcomeMean: outcomes.mean,
      };
    });
  }

  #passAtK(attempts: number): PassAtK[] {
    const tasks = [...this.#tasks].map(([task, { n, c }]) => ({ task, n, c }));
    const report: PassAtK[] = [];
    for (let k = 1; k <= attempts; k *= 2)
      report.push({ k, passAtK: meanPassAtK(tasks, k), passHatK: meanPassHatK(tasks, k) });
    return report;
  }
}

const intervalOf = (estimate: Estimate): Interval | null =>
  estimate.value === null ? null : (estimate.interval ?? null);

/** A t interval knows nothing of the range that its mean lies in. */
const within = (interval: Interval | null, min: number, max: number): Interval | null =>
  interval === null ? null : [Math.max(min, interval[0]), Math.min(max, interval[1])];

function mapped<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
