/**
 * `windtunnel tasks import ENV`: a user's own files as tasks. The environment's package reads the formats; this command finds the files,
 * shows every problem with its place, and writes either a whole task file or nothing.
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { UsageError } from "../core/fault.js";
import type { ImportProblem, NamedText } from "./environment-module.js";
import { EXIT } from "./exit-code.js";
import { openEnvironment } from "./find-environment.js";
import { parseChoice } from "./option-values.js";
import { toTerminalLine } from "./terminal-text.js";
import type { Verb } from "./verb.js";

interface ImportOptions {
  readonly claims: readonly string[];
  readonly remits: readonly string[];
  readonly acks?: readonly string[];
  readonly charts?: string;
  readonly labels?: readonly string[];
  readonly out: string;
}

const PROBLEMS_SHOWN = 50;

export const verb: Verb = {
  describe(command) {
    command
      .argument("<action>", "import", parseChoice("action", ["import"]))
      .argument("<environment>", "package/environment, or a path")
      .requiredOption("--claims <files...>", "claim files (837)")
      .requiredOption("--remits <files...>", "remittance files (835)")
      .option("--acks <files...>", "acknowledgment files (277CA)")
      .option("--charts <dir>", "folder of chart documents")
      .option("--labels <files...>", "expert labels, JSON lines: one task a line")
      .option("--out <file>", "task file to write", "tasks.json")
      .addHelpText(
        "after",
        `
What only an expert can know of your cases is left unlabelled: criteria that need it come back unscored, with that reason.
The data stays on this machine: a run over it refuses a remote endpoint unless you add --allow-egress.

Examples:
  $ windtunnel tasks import revenue-cycle/denials --claims *.837 --remits *.835 --out mine.json
  $ windtunnel run revenue-cycle/denials --agent rules --tasks-from mine.json`,
      );
  },

  async perform({ args, options, terminal, output }) {
    const { claims, remits, acks = [], charts, labels = [], out } = options as ImportOptions;
    const { module, name } = await openEnvironment(args[1]!, terminal.cwd);
    if (module.importTasks === undefined) {
      throw new UsageError({
        code: "cannot_import",
        what: `${name} makes no tasks of files`,
        expected: "an environment whose module exports importTasks",
        fix: "See `windtunnel envs --json` (importsFiles).",
      });
    }
    const read = (paths: readonly string[]) => paths.map((path) => readNamed(resolve(terminal.cwd, path), path));
    const result = await module.importTasks({
      claims: read(claims),
      remits: read(remits),
      acks: read(acks),
      charts: charts === undefined ? [] : readFolder(resolve(terminal.cwd, charts)),
      labels: read(labels),
    });
    if (!result.ok) {
      output.result(
        { ok: false, tasks: 0, problems: result.problems },
        [...listProblems(result.problems), "", `${result.problems.length} problems; nothing was written.`].join("\n"),
      );
      return EXIT.failed;
    }
    const file = resolve(terminal.cwd, out);
    writeWhole(file, JSON.stringify({ format: "windtunnel.tasks/1", environment: name, data: result.data }));
    const next = `windtunnel run ${args[1]} --agent AGENT --tasks-from ${relative(terminal.cwd, file) || basename(file)}`;
    const { warnings } = result;
    output.result(
      { ok: true, tasks: result.tasks, file, warnings, next },
      [...listProblems(warnings), `Wrote ${result.tasks} tasks to ${file}.`, "", `  $ ${next}`].join("\n"),
    );
    return EXIT.done;
  },
};

function readNamed(path: string, name: string): NamedText {
  try {
    return { name, text: readFileSync(path, "utf8") };
  } catch (error) {
    throw new UsageError({
      code: "cannot_read",
      what: "A file cannot be read",
      path,
      actual: (error as Error).message,
      expected: "a text file",
    });
  }
}

function readFolder(folder: string): NamedText[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    return names
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => readNamed(join(folder, name), name));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError({
      code: "cannot_read",
      what: "A folder cannot be read",
      path: folder,
      expected: "a folder of chart documents",
      actual: (error as Error).message,
    });
  }
}

/** A file of that name is either what it was or the whole of this. */
function writeWhole(file: string, text: string): void {
  const aside = `${file}.${randomUUID().slice(0, 8)}.partial`;
  try {
    writeFileSync(aside, text);
    renameSync(aside, file);
  } catch (error) {
    throw new UsageError({
      code: "cannot_write",
      what: "Cannot write the task file",
      path: file,
      expected: "a file in a folder this user may write",
      actual: (error as Error).message,
    });
  }
}

function listProblems(problems: readonly ImportProblem[]): string[] {
  const lines = problems.slice(0, PROBLEMS_SHOWN).map(({ file, at, code, message, expected, found }) => {
    const contrast =
      expected === undefined ? "" : ` (expected ${expected}${found === undefined ? "" : `, found ${found}`})`;
    return toTerminalLine(`${file}: ${at}: ${message}${contrast} [${code}]`);
  });
  return problems.length > PROBLEMS_SHOWN
    ? [...lines, `… and ${problems.length - PROBLEMS_SHOWN} more (all with --json)`]
    : lines;
}
