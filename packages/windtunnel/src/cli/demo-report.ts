/** The comparative report of `windtunnel demo`, as text: agents side by side, every criterion, and whether reward tracks the outcome. */
import type { RewardOutcomeAgreement } from "../engine/reward-outcome.js";
import type { Estimate } from "../stats/index.js";
import { toCount, toDuration, toPercent, toReward, toUnit } from "./amounts.js";
import { toColumns } from "./columns.js";
import type { Colors } from "./output.js";
import { type RunResult, showInterval } from "./run-result.js";
import { toTerminalLine } from "./terminal-text.js";

export interface DemoReport {
  readonly results: readonly RunResult[];
  readonly agreement: RewardOutcomeAgreement;
  readonly rollouts: number;
  readonly wallSeconds: number;
  readonly show: string | null;
}

const right = "right" as const;

export function showDemo({ results, agreement, rollouts, wallSeconds, show }: DemoReport, colors: Colors): string {
  const lines = [showAgents(results, colors), "", showCriteriaByAgent(results), "", ...showAgreement(agreement)];
  const missing = results.filter(({ complete }) => !complete);
  for (const { agent, coverage, attempts } of missing)
    lines.push(
      colors.yellow(
        `${toTerminalLine(agent)}: ${coverage.scored} of ${attempts} attempts scored; its means leave ${attempts - coverage.scored} out`,
      ),
    );
  for (const { agent, errors } of results)
    for (const { reason, attempts } of errors)
      lines.push(colors.red(`${toTerminalLine(agent)}: ${attempts} errored: ${toTerminalLine(reason, 300)}`));
  lines.push("", `${toCount(rollouts)} rollouts in ${toDuration(wallSeconds * 1000)}, every one kept and replayable.`);
  if (show !== null) lines.push("", "Look at one:", `  $ ${show}`);
  return lines.join("\n");
}

function showAgents(results: readonly RunResult[], colors: Colors): string {
  const columns = [
    { head: "" },
    { head: "AGENT" },
    { head: "REWARD" },
    { head: "PASSED", align: right },
    { head: "OUTCOME, MEAN", align: right },
    { head: "NORMALISED", align: right },
    { head: "ACCEPTABLE", align: right },
    { head: "SCORED", align: right },
  ];
  const rows = results.map(({ agent, reward, passRate, outcome, coverage, attempts, complete }, i) => [
    letterOf(i),
    colors.bold(toTerminalLine(agent, 24)),
    `${toReward(reward.mean)}${showInterval(reward.ci95, toReward)}`,
    toPercent(passRate),
    toUnit(outcome.mean, outcome.unit ?? ""),
    outcome.normalisedMean === null ? "–" : outcome.normalisedMean.toFixed(2),
    toPercent(outcome.acceptableShare),
    complete ? `${coverage.scored}` : colors.yellow(`${coverage.scored} of ${attempts}`),
  ]);
  return toColumns(columns, rows);
}

/** Agents are named by letter in the wide table. */
const letterOf = (i: number) => String.fromCharCode(65 + (i % 26));

/** Mean value of each question for each agent; a dash where it was never asked and answered. */
function showCriteriaByAgent(results: readonly RunResult[]): string {
  const names = [
    ...new Map(results.flatMap(({ criteria }) => criteria.map((one) => [one.name, one] as const))).values(),
  ];
  const columns = [
    { head: "CRITERION, MEAN" },
    { head: "POINTS", align: right },
    ...results.map((_, i) => ({ head: letterOf(i), align: right })),
  ];
  const rows = names.map(({ name, role, points }) => [
    toTerminalLine(name, 40),
    role === "gate" ? "gate" : String(points),
    ...results.map(({ criteria }) => {
      const value = criteria.find((one) => one.name === name)?.meanValue;
      return value == null ? "–" : value.toFixed(2);
    }),
  ]);
  return toColumns(columns, rows);
}

function showAgreement({ rollouts, auc, withinTaskTau, tasksWithoutOrder }: RewardOutcomeAgreement): string[] {
  return [
    `Does reward track the outcome? Over ${toCount(rollouts)} rollouts of all agents:`,
    `  AUC     ${showEstimate(auc)}  chance that a rollout with an acceptable outcome has the higher reward`,
    `  tau-b   ${showEstimate(withinTaskTau)}  rank agreement of reward and outcome within a task, mean over tasks${tasksWithoutOrder === 0 ? "" : ` (${tasksWithoutOrder} tasks without any order left out)`}`,
  ];
}

const showEstimate = (estimate: Estimate): string =>
  estimate.value === null
    ? `unknown (${estimate.reason})`
    : `${estimate.value.toFixed(3)}${showInterval(estimate.interval ?? null, (value) => value.toFixed(3))}`;
