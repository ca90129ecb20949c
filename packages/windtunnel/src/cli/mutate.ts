/** `windtunnel mutate ENV`: damages right solutions and leaves others as good as they were, and reports what the rubric makes of both. */
import { readFileSync } from "node:fs";
import { generatedTasks } from "../core/environment.js";
import { UsageError } from "../core/fault.js";
import { SPLITS, type Split } from "../core/task.js";
import type { Estimate } from "../stats/index.js";
import {
  type BarResult,
  checkBars,
  type MutationReport,
  type OperatorReport,
  toMutationReport,
} from "../verify/mutations/mutation-report.js";
import { type PairReport, runPairs } from "../verify/mutations/pairs.js";
import { type MutantRecord, runMutants } from "../verify/mutations/run-mutants.js";
import { labelsOf, runVerifierMutants, type VerifierMutationReport } from "../verify/mutations/verifier-mutants.js";
import { EXIT } from "./exit-code.js";
import { openEnvironment } from "./find-environment.js";
import { parseChoice, parseCount } from "./option-values.js";
import type { Colors } from "./output.js";
import { toTerminalLine } from "./terminal-text.js";
import type { Verb } from "./verb.js";

interface MutateFlags {
  readonly tasks: number;
  readonly seed: number;
  readonly split: Split;
  readonly perOperator: number;
  readonly pairs: number;
  readonly reviewed?: string;
}

/** Mutants and survivors shown to a person; --json has them all. */
const SHOWN = 12;

export const verb: Verb = {
  describe(command) {
    command
      .argument("<environment>", "package/environment, or a path to a .ts or .js file")
      .option("--tasks <n>", "tasks whose reference solutions are mutated", parseCount("--tasks"), 60)
      .option("--seed <n>", "seed of the tasks and of the mutants", parseCount("--seed", 0), 0)
      .option(`--split <name>`, `split of the tasks: ${SPLITS.join(", ")}`, parseChoice("--split", SPLITS), "train")
      .option("--per-operator <n>", "mutants executed per operator at most", parseCount("--per-operator"), 40)
      .option("--pairs <n>", "pairs of damage executed", parseCount("--pairs", 0), 40)
      .option(
        "--reviewed <file>",
        "keys of survivors that an expert calls as good as right, one a line; they count as benign",
      )
      .addHelpText(
        "after",
        `
Exit code 1 when a bar is not reached. What could not be measured is said to be not measured; it is no pass.

Examples:
  $ windtunnel mutate ./my-env/environment.ts
  $ windtunnel mutate revenue-cycle/denials --tasks 200 --per-operator 60
  $ windtunnel mutate revenue-cycle/denials --json | jq '.survivors[] | [.key, .operator, .what]'`,
      );
  },

  async perform({ args, options, terminal, output }) {
    const { tasks, seed, split, perOperator, pairs, reviewed } = options as MutateFlags;
    const { environment } = await openEnvironment(args[0]!, terminal.cwd);
    const source = generatedTasks(environment, { split, seed, count: tasks });
    const subjects = [...source.ids()].map((id) => ({ scenario: source.open(id) }));
    const run = await runMutants(environment, subjects, {
      seed,
      perOperator,
      reviewed: readKeys(reviewed),
      onProgress: ({ operator, executed }) =>
        executed % 20 === 0 && output.progress({ event: "mutants", operator, executed }),
    });
    const report = toMutationReport(run);
    const pairReport = pairs === 0 ? null : await runPairs(environment, subjects, { seed, count: pairs });
    const verifier = runVerifierMutants(environment.rubric, labelsOf(run));
    const bars = checkBars(report);
    const reached = bars.every((bar) => bar.reached !== false);
    output.result(
      {
        ...report,
        survivors: report.survivors.map(plain),
        forReview: report.forReview.map(({ key }) => key),
        falseKills: report.falseKills.map(plain),
        matrix: { ...report.matrix, orphans: report.matrix.orphans.map(({ key }) => key) },
        bars,
        pairs: pairReport,
        verifierMutants: verifier,
      },
      show(report, bars, pairReport, verifier, output.colors).join("\n"),
    );
    return reached ? EXIT.done : EXIT.failed;
  },
};

function readKeys(file: string | undefined): ReadonlySet<string> {
  if (file === undefined) return new Set();
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError({
      code: "invalid_option",
      what: "The file of reviewed mutants cannot be read",
      path: "--reviewed",
      expected: "a text file of mutant keys, one a line",
      actual: (error as Error).message,
    });
  }
  return new Set(text.split(/\s+/).filter((key) => key !== ""));
}

/** A mutant as data, without its verdicts. */
const plain = ({ verdicts: _, ...record }: MutantRecord) => record;

const percent = ({ value, ...rest }: Estimate) => {
  if (value === null) return `not measured (${(rest as { reason: string }).reason})`;
  const { interval } = rest as { interval?: readonly [number, number] };
  const range = interval === undefined ? "" : ` (95 % ${interval.map((end) => (100 * end).toFixed(1)).join("–")})`;
  return `${(100 * value).toFixed(1)} %${range}`;
};

function show(
  report: MutationReport,
  bars: readonly BarResult[],
  pairs: PairReport | null,
  verifier: VerifierMutationReport,
  colors: Colors,
): string[] {
  return [
    `${report.environment}: ${report.seeds} right solutions mutated`,
    "",
    ...report.operators.map((one) => showOperator(one, colors)),
    "",
    `mutation score ${percent(report.mutationScore)}, of which rejected outright ${percent(report.rejectionRate)}`,
    `false-kill rate ${percent(report.falseKillRate)}, J ${report.jMut === null ? "not measured" : report.jMut.toFixed(3)}, attribution ${percent(report.attribution)}`,
    ...lines("got through", report.survivors, colors),
    ...lines("punished though right", report.falseKills, colors),
    `dead questions: ${names(report, "dead")}; never the only one to fall: ${names(report, "redundant")}; smallest cover: ${report.matrix.cover.join(", ") || "none"}`,
    ...(pairs === null
      ? []
      : [`pairs of damage: ${pairs.rejected} of ${pairs.executed} rejected, ${pairs.masked.length} hide each other`]),
    `damage to the rubric itself: ${verifier.noticed} of ${verifier.mutants.length} noticed by ${verifier.labels.accepted} accepted and ${verifier.labels.rejected} rejected rollouts`,
    ...verifier.survivors
      .slice(0, SHOWN)
      .map(({ what, wanted }) => colors.dim(`    ${toTerminalLine(what)}: wants ${toTerminalLine(wanted ?? "")}`)),
    "",
    ...bars.map(
      ({ measure, value, bar, sense, reached }) =>
        `${reached === null ? colors.yellow("not measured") : reached ? colors.green("reached     ") : colors.red("NOT REACHED ")}  ${measure}: ${value === null ? "–" : value.toFixed(3)} (${sense} ${bar})`,
    ),
  ];
}

function showOperator(one: OperatorReport, colors: Colors): string {
  const head = `  ${one.id.padEnd(4)}${one.name.padEnd(22)}`;
  if (one.mutants === 0) {
    const reasons = Object.entries(one.seeds > 0 ? one.stillborn : one.missing);
    const [reason, count] = reasons.sort(([, a], [, b]) => b - a)[0] ?? ["no seed", 0];
    return colors.dim(`${head}   not measured: ${toTerminalLine(reason, 80)} (${count} ×)`);
  }
  if (!one.harmful) {
    const punished = `${String(one.falseKills).padStart(4)} of ${one.mutants} punished`;
    return head + (one.falseKills > 0 ? colors.red(punished) : punished);
  }
  const parts = [
    `${String(one.killed).padStart(4)} of ${one.mutants - one.equivalent} caught`,
    one.stillPassing > 0 ? `${one.stillPassing} by marks alone` : "",
    one.lowered > 0 ? colors.yellow(`${one.lowered} marked down too little`) : "",
    one.survived > 0 ? colors.red(`${one.survived} got through`) : "",
    one.equivalent > 0 ? `${one.equivalent} equivalent` : "",
  ];
  return head + parts.filter((part) => part !== "").join(", ");
}

const names = (report: MutationReport, what: "dead" | "redundant") =>
  report.matrix.questions
    .filter((question) => question[what])
    .map(({ name }) => name)
    .join(", ") || "none";

function lines(title: string, mutants: readonly MutantRecord[], colors: Colors): string[] {
  if (mutants.length === 0) return [];
  return [
    `${title}: ${mutants.length}`,
    ...mutants
      .slice(0, SHOWN)
      .map(
        ({ key, operator, task, what, reward, acceptable }) =>
          `    ${operator.padEnd(4)}${colors.dim(key)} ${task} ${reward.toFixed(3)} ${toTerminalLine(what, 80)}${acceptable === true ? colors.dim(" (the outcome is acceptable: for review)") : ""}`,
      ),
    ...(mutants.length > SHOWN ? [colors.dim(`    and ${mutants.length - SHOWN} more; see --json`)] : []),
  ];
}
