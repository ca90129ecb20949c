/** `windtunnel check ENV`: the strict checker over a sample of tasks, each check's answer, and what to do about each problem. */
import { type CheckResult, checkEnvironment, type Problem } from "../testing/index.js";
import { EXIT } from "./exit-code.js";
import { openEnvironment } from "./find-environment.js";
import { parseCount } from "./option-values.js";
import type { Colors } from "./output.js";
import { toPrintableJson, toTerminalLine } from "./terminal-text.js";
import type { Verb } from "./verb.js";

interface CheckFlags {
  readonly tasks: number;
  readonly seed: number;
  readonly publicFacts?: readonly string[];
}

export const verb: Verb = {
  describe(command) {
    command
      .argument("<environment>", "package/environment, or a path to a .ts or .js file")
      .option("--tasks <n>", "tasks of each split to look at; rare criteria need more", parseCount("--tasks", 2), 20)
      .option("--seed <n>", "seed of the tasks", parseCount("--seed", 0), 0)
      .option("--public-facts <paths...>", 'facts that agents may know, such as "facts.order"; not looked for as leaks')
      .addHelpText(
        "after",
        `
Exit code 1 when a check fails. A check that found nothing to measure is said to be not measured; it is no pass.

Examples:
  $ windtunnel check ./my-env/environment.ts
  $ windtunnel check revenue-cycle/denials --tasks 100
  $ windtunnel check revenue-cycle/denials --json | jq '.checks[] | select(.status == "fail")'`,
      );
  },

  async perform({ args, options, terminal, output }) {
    const { tasks, seed, publicFacts = [] } = options as CheckFlags;
    const { environment } = await openEnvironment(args[0]!, terminal.cwd);
    const report = await checkEnvironment(environment, { tasks, seed, publicFacts });
    const failed = report.checks.filter(({ status }) => status === "fail").length;
    const verdict = report.passed
      ? output.colors.green("sound by every check that measured something")
      : output.colors.red(`${failed} of ${report.checks.length} checks fail`);
    output.result(
      { ...report },
      [
        ...report.checks.flatMap((check) => showCheck(check, output.colors)),
        "",
        `${report.environment}: ${verdict}`,
      ].join("\n"),
    );
    return report.passed ? EXIT.done : EXIT.failed;
  },
};

function showCheck({ id, title, status, problems, measured }: CheckResult, colors: Colors): string[] {
  const mark =
    status === "pass"
      ? colors.green("pass        ")
      : status === "fail"
        ? colors.red("FAIL        ")
        : colors.yellow("not measured");
  const figures =
    Object.keys(measured).length === 0 ? "" : colors.dim(` ${toTerminalLine(toPrintableJson(measured), 100)}`);
  return [`${mark}  ${id}: ${toTerminalLine(title)}${figures}`, ...problems.flatMap(showProblem)];
}

function showProblem({ where, message, expected, actual, fix }: Problem): string[] {
  const contrast =
    expected === undefined ? "" : `: expected ${expected}${actual === undefined ? "" : `, found ${actual}`}`;
  return [
    `                ${toTerminalLine(where)}: ${toTerminalLine(message)}${toTerminalLine(contrast)}`,
    `                  ${toTerminalLine(fix)}`,
  ];
}
