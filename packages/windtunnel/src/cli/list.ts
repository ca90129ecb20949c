/** `windtunnel list [runs|rollouts]`: what the data directory holds, newest run first, rollouts in order of commit. */
import type { RolloutQuery, RolloutRecord, Run, RunTotals, Store } from "../store/store.js";
import { toDuration, toInstant, toPercent, toReward, toUnit } from "./amounts.js";
import { toColumns } from "./columns.js";
import { findRun, withStore } from "./data-directory.js";
import { EXIT } from "./exit-code.js";
import { parseChoice, parseCount } from "./option-values.js";
import type { Output } from "./output.js";
import { toTerminalLine } from "./terminal-text.js";
import type { Verb } from "./verb.js";

const STATUSES = ["scored", "unscored", "errored", "cancelled"] as const;

interface ListOptions {
  readonly env?: string;
  readonly agent?: string;
  readonly run?: string;
  readonly status?: RolloutRecord["status"];
  readonly passed?: boolean;
  readonly failed?: boolean;
  readonly archetype?: string;
  readonly task?: string;
  readonly after?: string;
  readonly limit: number;
}

export const verb: Verb = {
  describe(command) {
    command
      .argument("[what]", "runs or rollouts", parseChoice("what", ["runs", "rollouts"]), "runs")
      .option("--env <name>", "runs of this environment")
      .option("--agent <name>", "runs, or rollouts, of this agent")
      .option("--run <id>", "rollouts of this run (an id, its beginning, or last)")
      .option("--status <status>", `rollouts that are ${STATUSES.join(", ")}`, parseChoice("--status", STATUSES))
      .option("--passed", "rollouts that passed")
      .option("--failed", "rollouts that were scored and did not pass")
      .option("--archetype <name>", "rollouts of tasks of this archetype")
      .option("--task <id>", "rollouts of this task")
      .option("--after <rollout>", "rollouts after this one, for the next page")
      .option("--limit <n>", "rows to show", parseCount("--limit"), 50)
      .addHelpText(
        "after",
        `
Examples:
  $ windtunnel list
  $ windtunnel list rollouts --run last --failed
  $ windtunnel list rollouts --archetype missing_modifier --json`,
      );
  },

  async perform(call) {
    const options = call.options as ListOptions;
    return withStore(call, (store) => {
      if (call.args[0] === "rollouts") listRollouts(store, options, call.output);
      else listRuns(store, options, call.output);
      return EXIT.done;
    });
  },
};

function listRuns(store: Store, { env, agent, limit }: ListOptions, output: Output): void {
  const matches = store
    .runs()
    .filter(
      (run) =>
        (env === undefined || run.environment === env || run.spec.environment === env) &&
        (agent === undefined || run.agent === agent || run.spec.agent === agent),
    );
  const runs = matches.slice(0, limit).map((run) => ({ ...run, totals: store.totals(run.id) }));
  const columns = [
    { head: "RUN" },
    { head: "CREATED" },
    { head: "STATUS" },
    { head: "AGENT" },
    { head: "ROLLOUTS", align: "right" as const },
    { head: "REWARD", align: "right" as const },
    { head: "PASSED", align: "right" as const },
    { head: "TIME", align: "right" as const },
  ];
  const text = [
    toColumns(columns, runs.map(toRunRow)),
    ...(matches.length > runs.length ? [`${matches.length - runs.length} older runs: --limit ${matches.length}`] : []),
  ];
  output.result({ runs, total: matches.length }, runs.length === 0 ? "No runs match." : text.join("\n"));
}

/** Attempts without a score are shown beside the mean, never inside it. */
function toRunRow(run: Run & { totals: RunTotals }): string[] {
  const { totals } = run;
  const missing = totals.completed - totals.scored;
  const count = missing === 0 ? String(totals.completed) : `${totals.completed} (${missing} without score)`;
  const mean = totals.scored === 0 ? null : totals.rewardSum / totals.scored;
  const rate = totals.scored === 0 ? null : totals.passed / totals.scored;
  return [
    run.id,
    toInstant(Date.parse(run.createdAt)),
    run.status,
    toTerminalLine(run.agent, 28),
    count,
    toReward(mean),
    toPercent(rate),
    toDuration(run.wallMs),
  ];
}

function listRollouts(store: Store, options: ListOptions, output: Output): void {
  const { limit, agent } = options;
  const rollouts: RolloutRecord[] = [];
  let more = false;
  for (const rollout of store.rollouts(toQuery(store, options))) {
    if (agent !== undefined && rollout.agent !== agent) continue;
    if (rollouts.length === limit) {
      more = true;
      break;
    }
    rollouts.push(rollout);
  }
  const columns = [
    { head: "ROLLOUT" },
    { head: "TASK" },
    { head: "TRY", align: "right" as const },
    { head: "ARCHETYPE" },
    { head: "AGENT" },
    { head: "STATUS" },
    { head: "REWARD", align: "right" as const },
    { head: "OUTCOME", align: "right" as const },
    { head: "END" },
  ];
  const text = [
    toColumns(columns, rollouts.map(toRolloutRow)),
    ...(more ? [`more: --after ${rollouts.at(-1)!.id}`] : []),
  ];
  output.result({ rollouts, more }, rollouts.length === 0 ? "No rollouts match." : text.join("\n"));
}

function toQuery(store: Store, { run, status, passed, failed, archetype, task, after }: ListOptions): RolloutQuery {
  const outcome = passed === true ? { passed: true } : failed === true ? { passed: false } : {};
  return {
    ...(run === undefined ? {} : { run: findRun(store, run).id }),
    ...(status === undefined ? {} : { status }),
    ...outcome,
    ...(archetype === undefined ? {} : { archetype }),
    ...(task === undefined ? {} : { task }),
    ...(after === undefined ? {} : { after }),
  };
}

function toRolloutRow(rollout: RolloutRecord): string[] {
  const { id, task, attempt, archetype, agent, status, passed, reward, outcome, endReason } = rollout;
  const verdict = passed === null ? status : passed ? "passed" : "not passed";
  return [
    id,
    toTerminalLine(task, 40),
    String(attempt),
    toTerminalLine(archetype, 32),
    toTerminalLine(agent, 24),
    verdict,
    toReward(reward),
    toUnit(outcome?.value ?? null),
    endReason,
  ];
}
