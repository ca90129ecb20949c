/** `windtunnel compare A B`: two runs of one environment, paired by task and attempt. What cannot be paired is counted, never averaged in. */
import { UsageError } from "../core/fault.js";
import {
  comparePaired,
  type Estimate,
  meanPassAtK,
  meanPassHatK,
  type PairedComparison,
  type PairedResult,
} from "../stats/index.js";
import type { Run, Store } from "../store/store.js";
import { toPercent, toReward } from "./amounts.js";
import { toColumns } from "./columns.js";
import { findRun, withStore } from "./data-directory.js";
import { EXIT } from "./exit-code.js";
import type { Output } from "./output.js";
import { toTerminalLine } from "./terminal-text.js";
import type { Verb } from "./verb.js";

/** Fixed, so that a comparison gives the same intervals whenever it is made. */
const RESAMPLING_SEED = 20_260_105;

const DEFINITIONS = {
  "pass@k": "chance that at least one of k attempts at a task passes; mean over tasks",
  "pass^k": "chance that all of k attempts at a task pass; mean over tasks",
  difference: "mean of B minus A over the pairs; 95 % interval by bootstrap over tasks",
};

interface Side {
  readonly run: Run;
  readonly attempts: number;
  readonly scored: number;
  readonly rewards: readonly PairedResult[];
  readonly outcomes: readonly PairedResult[];
  readonly byTask: ReadonlyMap<string, { n: number; c: number }>;
}

export const verb: Verb = {
  describe(command) {
    command
      .argument("<a>", "id of a run, its beginning, or last")
      .argument("<b>", "another run of the same environment")
      .addHelpText(
        "after",
        `
pass@k: ${DEFINITIONS["pass@k"]}.
pass^k: ${DEFINITIONS["pass^k"]}.

Examples:
  $ windtunnel compare denials-rules-7k3f9q denials-reference-2m8d4x
  $ windtunnel compare denials-rules-7k3f9q last --json`,
      );
  },

  async perform(call) {
    return withStore(call, (store) => {
      const [a, b] = [findRun(store, call.args[0]!), findRun(store, call.args[1]!)];
      const cautions = checkComparable(a, b);
      const [mine, theirs] = [gather(store, a), gather(store, b)];
      const reward = comparePaired(mine.rewards, theirs.rewards, { random: RESAMPLING_SEED });
      const outcome = comparePaired(mine.outcomes, theirs.outcomes, { random: RESAMPLING_SEED });
      const passes = { a: passTable(mine), b: passTable(theirs) };
      const data = {
        a: summary(mine),
        b: summary(theirs),
        paired: {
          pairs: reward.difference.n,
          reward: reward.difference,
          direction: reward.direction,
          mcnemar: reward.mcnemar,
          normalisedOutcome: outcome.difference,
        },
        unpaired: { onlyInA: reward.onlyInFirst.length, onlyInB: reward.onlyInSecond.length },
        passes,
        definitions: DEFINITIONS,
        cautions,
      };
      call.output.result(data);
      if (!call.output.json) print(call.output, { mine, theirs, reward, outcome, passes, cautions });
      return EXIT.done;
    });
  },
};

/** Task ids repeat from one environment to another, so runs of two are refused; other differences are said aloud. */
function checkComparable(a: Run, b: Run): string[] {
  if (a.environment !== b.environment) {
    throw new UsageError({
      code: "not_comparable",
      what: "The runs are of different environments",
      expected: "two runs of one environment",
      actual: `${a.environment} and ${b.environment}`,
    });
  }
  const cautions: string[] = [];
  if (a.environmentVersion !== b.environmentVersion)
    cautions.push(
      `the environment's version differs (${a.environmentVersion}, ${b.environmentVersion}): a task of one name may not be the same task`,
    );
  if (a.contractDigest !== b.contractDigest) cautions.push("the tool contract differs");
  if (a.rubricDigest !== b.rubricDigest) cautions.push("the rubric differs: rewards were given by different questions");
  return cautions;
}

function gather(store: Store, run: Run): Side {
  const rewards: PairedResult[] = [];
  const outcomes: PairedResult[] = [];
  const byTask = new Map<string, { n: number; c: number }>();
  let attempts = 0;
  for (const { task, attempt, reward, passed, outcome } of store.rollouts({ run: run.id })) {
    attempts++;
    const key = `${task} ${attempt}`;
    if (outcome?.normalised != null) outcomes.push({ key, value: outcome.normalised, cluster: task });
    if (reward === null || passed === null) continue;
    rewards.push({ key, value: reward, passed, cluster: task });
    const tally = byTask.get(task) ?? { n: 0, c: 0 };
    byTask.set(task, { n: tally.n + 1, c: tally.c + Number(passed) });
  }
  return { run, attempts, scored: rewards.length, rewards, outcomes, byTask };
}

const summary = ({ run, attempts, scored }: Side) => ({
  run: run.id,
  agent: run.agent,
  attempts,
  coverage: { scored, withoutScore: attempts - scored },
});

interface PassRow {
  readonly k: number;
  readonly passAtK: Estimate;
  readonly passHatK: Estimate;
  /** Tasks with fewer than k scored attempts. */
  readonly tasksLeftOut: number;
}

function passTable({ run, byTask }: Side): PassRow[] {
  const tasks = [...byTask].map(([task, tally]) => ({ task, ...tally }));
  const most = Math.max(run.spec.attempts, 1);
  const ks = [...new Set([1, 2, 4, 8, 16, 32, 64, most])].filter((k) => k <= most).sort((x, y) => x - y);
  return ks.map((k) => {
    const any = meanPassAtK(tasks, k);
    return { k, passAtK: any.estimate, passHatK: meanPassHatK(tasks, k).estimate, tasksLeftOut: any.excluded.length };
  });
}

interface Comparison {
  readonly mine: Side;
  readonly theirs: Side;
  readonly reward: PairedComparison;
  readonly outcome: PairedComparison;
  readonly passes: { readonly a: readonly PassRow[]; readonly b: readonly PassRow[] };
  readonly cautions: readonly string[];
}

function print(output: Output, { mine, theirs, reward, outcome, passes, cautions }: Comparison): void {
  const { colors } = output;
  for (const [name, side] of [
    ["A", mine],
    ["B", theirs],
  ] as const) {
    output.say(
      `${colors.bold(name)}  ${side.run.id} by ${toTerminalLine(side.run.agent)}: ${side.scored} of ${side.attempts} attempts scored`,
    );
  }
  for (const caution of cautions) output.say(colors.yellow(`caution: ${toTerminalLine(caution)}`));
  output.say();
  output.say(
    `reward, B - A    ${showEstimate(reward.difference, true)}  over ${reward.difference.n} pairs; ${reward.direction}`,
  );
  output.say(
    `outcome, B - A   ${showEstimate(outcome.difference, true)}  normalised: doing nothing 0, the reference 1`,
  );
  if (reward.mcnemar !== null) {
    const { bothPassed, onlyFirstPassed, onlySecondPassed, neitherPassed, pValue, caution } = reward.mcnemar;
    output.say(
      `passed           both ${bothPassed}, only A ${onlyFirstPassed}, only B ${onlySecondPassed}, neither ${neitherPassed}; McNemar p = ${pValue.toFixed(4)}${caution === undefined ? "" : ` (${caution})`}`,
    );
  }
  const [onlyA, onlyB] = [reward.onlyInFirst.length, reward.onlyInSecond.length];
  if (onlyA + onlyB > 0)
    output.say(
      colors.yellow(`not paired       ${onlyA} scored only in A, ${onlyB} only in B: they are in no mean above`),
    );
  output.say();
  const right = "right" as const;
  const columns = [
    { head: "k", align: right },
    { head: "pass@k A" },
    { head: "pass@k B" },
    { head: "pass^k A" },
    { head: "pass^k B" },
  ];
  const ks = [...new Set([...passes.a, ...passes.b].map(({ k }) => k))];
  const rows = ks.map((k) => {
    const [inA, inB] = [passes.a, passes.b].map((table) => table.find((row) => row.k === k));
    return [
      String(k),
      showShare(inA?.passAtK),
      showShare(inB?.passAtK),
      showShare(inA?.passHatK),
      showShare(inB?.passHatK),
    ];
  });
  output.say(toColumns(columns, rows));
  for (const [name, text] of Object.entries(DEFINITIONS)) output.say(colors.dim(`${name}: ${text}`));
}

function showEstimate(estimate: Estimate, signed: boolean): string {
  if (estimate.value === null) return `unknown (${estimate.reason})`;
  const sign = (value: number) => `${signed && value >= 0 ? "+" : ""}${toReward(value)}`;
  const interval =
    estimate.interval === undefined ? "" : ` [${sign(estimate.interval[0])}, ${sign(estimate.interval[1])}]`;
  return `${sign(estimate.value)}${interval}${estimate.caution === undefined ? "" : ` (${estimate.caution})`}`;
}

function showShare(estimate: Estimate | undefined): string {
  if (estimate === undefined || estimate.value === null) return "–";
  const interval =
    estimate.interval === undefined ? "" : ` [${toPercent(estimate.interval[0])}, ${toPercent(estimate.interval[1])}]`;
  return `${toPercent(estimate.value)}${interval}`;
}
