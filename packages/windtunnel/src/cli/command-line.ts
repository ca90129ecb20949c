/**
 * The command line: finds the verb, loads its module, and turns what it throws into an error for a person (or, with --json, an object).
 * Nothing heavy is imported before a verb is known, so that --help starts as fast as it can.
 */
import { Command, CommanderError, Option } from "commander";
import { EXIT, type ExitCode } from "./exit-code.js";
import type { Terminal } from "./terminal.js";
import type { Verb } from "./verb.js";

interface VerbEntry {
  readonly summary: string;
  load(): Promise<{ verb: Verb }>;
}

const VERBS: Readonly<Record<string, VerbEntry>> = {
  demo: {
    summary: "Run an environment's reference and baselines, and compare them in one report",
    load: () => import("./demo.js"),
  },
  init: { summary: "Write a small, complete environment to start from", load: () => import("./init.js") },
  envs: { summary: "List the environments installed here", load: () => import("./envs.js") },
  check: { summary: "Prove that an environment is sound", load: () => import("./check.js") },
  audit: { summary: "Find checks that cannot fail in foreign task files", load: () => import("./audit.js") },
  mutate: {
    summary: "Damage right solutions and see whether the rubric notices",
    load: () => import("./mutate.js"),
  },
  run: { summary: "Run an agent on tasks of an environment and keep every rollout", load: () => import("./run.js") },
  play: { summary: "Take the agent's place in the terminal", load: () => import("./play.js") },
  list: { summary: "List runs, or rollouts", load: () => import("./list.js") },
  show: {
    summary: "Read one rollout: what was said and done, what changed, and why it scored so",
    load: () => import("./show.js"),
  },
  diff: {
    summary: "Find where two rollouts part, then compare them criterion by criterion",
    load: () => import("./diff.js"),
  },
  compare: {
    summary: "Compare two runs, paired by task and attempt, with intervals",
    load: () => import("./compare.js"),
  },
  replay: {
    summary: "Execute a rollout or a run again and prove it gives the same bytes",
    load: () => import("./replay.js"),
  },
  rescore: {
    summary: "Score old rollouts by the rubric as it is now; old scores stay",
    load: () => import("./rescore.js"),
  },
  export: { summary: "Write a run as JSON lines, one rollout a line", load: () => import("./export.js") },
  prune: { summary: "Remove old runs from the data directory", load: () => import("./prune.js") },
  tasks: { summary: "Make tasks of your own files", load: () => import("./tasks.js") },
};

const FIRST_STEPS = `
First steps:
  $ windtunnel demo                                     the main job, on the denial-management environment
  $ windtunnel init my-env                              a small environment of your own
  $ windtunnel run ./my-env/environment.ts --agent reference

Every command takes --json (progress as JSON lines on stderr, one object on stdout) and teaches by example: windtunnel COMMAND --help.
Exit codes: 0 done, 1 a gate or check failed, 2 usage, 3 infrastructure, 130 cancelled.`;

/** Runs one command line (without the program's own name) and resolves to the exit code; never throws. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const json = argv.includes("--json");
  try {
    return await dispatch(argv, terminal, json);
  } catch (error) {
    const { reportError } = await import("./report-error.js");
    return reportError(error, terminal, { json });
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal, json: boolean): Promise<ExitCode> {
  const words = argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
  const name = words[0];
  if (name === "--version" || name === "-V") {
    const { readVersion } = await import("./version.js");
    terminal.stdout.write(`${readVersion()}\n`);
    return EXIT.done;
  }
  if (name === undefined || name.startsWith("-")) return parse(overview(terminal), words, terminal);
  const entry = Object.hasOwn(VERBS, name) ? VERBS[name]! : undefined;
  if (entry === undefined) {
    const { unknownCommand } = await import("./report-error.js");
    throw unknownCommand(name, Object.keys(VERBS));
  }
  const { verb } = await entry.load();
  let code: ExitCode = EXIT.done;
  const command = new Command(`windtunnel ${name}`).description(`${entry.summary}.`).showHelpAfterError(false);
  verb.describe(command);
  command
    .addOption(new Option("--data <dir>", "data directory (default: $WINDTUNNEL_DATA, else ./.windtunnel)"))
    .addOption(new Option("--json", "progress as JSON lines on stderr, one JSON object on stdout"))
    .action(async () => {
      const { Output } = await import("./output.js");
      code = await verb.perform({
        args: command.processedArgs,
        options: command.opts(),
        terminal,
        output: new Output(terminal, { json }),
      });
    });
  const parsed = await parse(command, words.slice(1), terminal);
  return parsed === EXIT.done ? code : parsed;
}

function overview(terminal: Terminal): Command {
  const program = new Command("windtunnel")
    .description("Build, prove and run the RL environments that enterprise agents train in.")
    .usage("COMMAND [options]")
    .option("-V, --version", "print the version")
    .addHelpText("after", FIRST_STEPS);
  for (const [name, { summary }] of Object.entries(VERBS)) program.command(name).summary(summary).description(summary);
  return program
    .helpCommand(false)
    .action(() => void terminal.stdout.write(program.helpInformation() + FIRST_STEPS.concat("\n")));
}

/** Lets commander parse, writing to the terminal given; its own errors come out as usage errors. */
async function parse(command: Command, words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  command.exitOverride().configureOutput({
    writeOut: (text) => void terminal.stdout.write(text),
    writeErr: (text) => void terminal.stdout.write(text),
    outputError: () => {},
    getOutHelpWidth: () => Math.min(terminal.stdout.columns || 100, 120),
    getOutHasColors: () => false,
  });
  try {
    await command.parseAsync(words, { from: "user" });
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    const { usageErrorOf } = await import("./report-error.js");
    throw usageErrorOf(error, command);
  }
}
