/** What a run came to: the object that `run --json` ends with, and the same for a person. Means carry their coverage beside them. */
import type { AnyEnvironment } from "../core/environment.js";
import type { CriterionReport } from "../engine/criterion-report.js";
import { type RunReport, reportRun } from "../engine/report.js";
import type { RunProgress } from "../engine/run.js";
import type { Run, Store } from "../store/store.js";
import { toCount, toDuration, toPercent, toReward, toUnit } from "./amounts.js";
import { toColumns } from "./columns.js";
import type { Colors } from "./output.js";
import { toTerminalLine } from "./terminal-text.js";

export interface RunResult {
  readonly run: string;
  readonly status: Run["status"];
  readonly environment: string;
  readonly environmentVersion: string;
  readonly agent: string;
  readonly agentVersion: string;
  /** Planned: tasks times attempts at each. The four numbers of `coverage` sum to it. */
  readonly attempts: number;
  readonly coverage: {
    readonly scored: number;
    readonly unscored: number;
    readonly errored: number;
    readonly cancelled: number;
  };
  /** Every planned attempt was scored; when false, the means below leave some out. */
  readonly complete: boolean;
  readonly reward: RunReport["reward"];
  readonly outcome: RunReport["outcome"];
  /** Share of the scored attempts that passed. */
  readonly passRate: number | null;
  readonly passed: RunReport["passRate"];
  readonly passAtK: RunReport["passAtK"];
  readonly criteria: RunReport["criteria"];
  readonly archetypes: RunReport["archetypes"];
  readonly endReasons: RunReport["endReasons"];
  readonly agreement: RunReport["agreement"];
  readonly tokens: number;
  readonly costUsd: number;
  readonly wallSeconds: number;
  readonly stoppedBy: RunProgress["stoppedBy"];
  /** Commonest causes first, of the first errored attempts. */
  readonly errors: readonly { readonly reason: string; readonly attempts: number }[];
  /** A rollout worth a look: one that did not pass, if there is one. */
  readonly rollout: string | null;
  /** The command that shows it. */
  readonly show: string | null;
  /** The command that goes on with the run, when it was stopped. */
  readonly resume: string | null;
  readonly [key: string]: unknown;
}

export interface Stop {
  readonly stoppedBy: RunProgress["stoppedBy"];
  /** The --data option, when it was given: a command to be repeated needs it. */
  readonly data?: string | undefined;
}

export function toRunResult(
  store: Store,
  runId: string,
  environment: AnyEnvironment,
  { stoppedBy, data }: Stop,
): RunResult {
  const report = reportRun(store, runId, { outcomeUnit: environment.outcome.unit });
  const { run, coverage, complete, reward, outcome, passRate, tokens, costUsd, wallSeconds } = report;
  const place = data === undefined ? "" : ` --data ${data}`;
  const rollout = worthALook(store, runId);
  return {
    run: run.id,
    status: run.status,
    environment: run.environment,
    environmentVersion: run.environmentVersion,
    agent: run.agent,
    agentVersion: run.agentVersion,
    attempts: coverage.planned,
    coverage: {
      scored: coverage.scored,
      unscored: coverage.unscored,
      errored: coverage.errored,
      cancelled: coverage.cancelled + coverage.pending,
    },
    complete,
    reward,
    outcome,
    passRate: passRate.share,
    passed: passRate,
    passAtK: report.passAtK,
    criteria: report.criteria,
    archetypes: report.archetypes,
    endReasons: report.endReasons,
    agreement: report.agreement,
    tokens,
    costUsd,
    wallSeconds,
    stoppedBy,
    errors: errorsOf(store, runId),
    rollout,
    show: rollout === null ? null : `windtunnel show ${rollout}${place}`,
    resume:
      stoppedBy === null
        ? null
        : `windtunnel run --resume ${run.id}${place}${stoppedBy === "cost" ? " --max-cost MORE" : ""}`,
  };
}

const ERRORED_READ = 500;
const REASONS_SHOWN = 5;

function errorsOf(store: Store, run: string): { reason: string; attempts: number }[] {
  const counts = new Map<string, number>();
  for (const { id } of store.rollouts({ run, status: "errored", limit: ERRORED_READ })) {
    const score = store.score(id)?.score;
    const reason = score === undefined || score.status === "scored" ? "no score was kept" : score.reason;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, m], [, n]) => n - m)
    .slice(0, REASONS_SHOWN)
    .map(([reason, attempts]) => ({ reason, attempts }));
}

function worthALook(store: Store, run: string): string | null {
  for (const query of [
    { run, passed: false, limit: 1 },
    { run, limit: 1 },
  ])
    for (const { id } of store.rollouts(query)) return id;
  return null;
}

/** The result as text. */
export function showRunResult(result: RunResult, colors: Colors): string {
  const { reward, outcome, passed, coverage, attempts } = result;
  const partial = result.complete
    ? ""
    : colors.yellow(`  over ${toCount(coverage.scored)} of ${toCount(attempts)} attempts`);
  const lines = [
    `${colors.bold(toTerminalLine(`${result.environment} by ${result.agent}`))}  run ${result.run}`,
    "",
    `  attempts  ${showCoverage(result, colors)}`,
    `  reward    ${toReward(reward.mean)}${showInterval(reward.ci95, toReward)}  min ${toReward(reward.min)}, p10 ${toReward(reward.p10)}, max ${toReward(reward.max)}${partial}`,
    `  passed    ${toPercent(passed.share)}${showInterval(passed.ci95, toPercent)}  ${toCount(passed.passed)} of ${toCount(passed.scored)}${partial}`,
    `  outcome   ${toUnit(outcome.mean, outcome.unit ?? "")} mean, ${outcome.normalisedMean === null ? "–" : outcome.normalisedMean.toFixed(2)} normalised (0 doing nothing, 1 the reference), ${toPercent(outcome.acceptableShare)} acceptable`,
    ...(result.tokens > 0 || result.costUsd > 0
      ? [`  spent     ${toCount(result.tokens)} tokens, $${result.costUsd.toFixed(4)}`]
      : []),
    `  time      ${toDuration(result.wallSeconds * 1000)}`,
    ...showPassAtK(result.passAtK),
    "",
    showCriteria(result.criteria),
    ...result.errors.map(({ reason, attempts: count }) =>
      colors.red(`  ${count} errored: ${toTerminalLine(reason, 300)}`),
    ),
  ];
  if (result.stoppedBy !== null)
    lines.push(
      "",
      `Stopped ${result.stoppedBy === "cost" ? "at the cost limit" : "by you"}; everything finished is kept. Go on with:`,
      `  $ ${result.resume}`,
    );
  if (result.show !== null) lines.push("", "Look at one:", `  $ ${result.show}`);
  return lines.join("\n");
}

function showCoverage({ attempts, coverage, complete }: RunResult, colors: Colors): string {
  if (complete) return `${toCount(attempts)}, all scored`;
  const missing = Object.entries(coverage).filter(([name, count]) => name !== "scored" && count > 0);
  return colors.yellow(
    `${toCount(coverage.scored)} of ${toCount(attempts)} scored; ${missing.map(([name, count]) => `${toCount(count)} ${name}`).join(", ")}`,
  );
}

export const showInterval = (interval: readonly [number, number] | null, show: (value: number) => string): string =>
  interval === null ? "" : ` [${show(interval[0])}, ${show(interval[1])}]`;

/** One attempt a task has nothing to tell beyond the pass rate. */
function showPassAtK(table: RunReport["passAtK"]): string[] {
  if (table.length < 2) return [];
  const share = (estimate: { value: number | null }) => toPercent(estimate.value);
  return table.map(
    ({ k, passAtK, passHatK }) =>
      `  k = ${String(k).padEnd(4)}  pass@${k} ${share(passAtK.estimate)} (some of ${k} attempts at a task passes), pass^${k} ${share(passHatK.estimate)} (all ${k} pass)`,
  );
}

export function showCriteria(criteria: readonly CriterionReport[]): string {
  const right = "right" as const;
  const columns = [
    { head: "  CRITERION" },
    { head: "POINTS", align: right },
    { head: "FULLY MET", align: right },
    { head: "MEAN", align: right },
    { head: "ANSWERED", align: right },
    { head: "NOT APPLICABLE", align: right },
    { head: "NO ANSWER", align: right },
  ];
  const rows = criteria.map(
    ({ name, role, critical, points, metShare, meanValue, answered, notApplicable, unscored, errored }) => [
      `  ${toTerminalLine(name, 48)}${critical && role === "criterion" ? " *" : ""}`,
      role === "gate" ? "gate" : String(points),
      toPercent(metShare),
      meanValue === null ? "–" : meanValue.toFixed(2),
      toCount(answered),
      toCount(notApplicable),
      toCount(unscored + errored),
    ],
  );
  return `${toColumns(columns, rows)}\n  * critical: must be fully met to pass`;
}
