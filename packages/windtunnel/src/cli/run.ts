/** `windtunnel run ENV --agent A`: an agent's attempts at tasks of an environment, every rollout kept; and going on with a run. */
import { resolve } from "node:path";
import { UsageError } from "../core/fault.js";
import { SPLITS, type Split } from "../core/task.js";
import type { Run, RunSpec, Store } from "../store/store.js";
import { findRun, openDataDirectory } from "./data-directory.js";
import { EXIT, type ExitCode } from "./exit-code.js";
import { type FoundEnvironment, openEnvironment } from "./find-environment.js";
import { watchInterruption } from "./interruption.js";
import { addModelOptions, type ModelFlags, toModelOptions } from "./model-options.js";
import { parseAmount, parseChoice, parseCount } from "./option-values.js";
import { checkResumable, performRun } from "./perform-run.js";
import { type PickedAgent, pickAgent } from "./pick-agent.js";
import { showRunResult, toRunResult } from "./run-result.js";
import { countImported, openTasks } from "./task-source.js";
import type { Call, Verb } from "./verb.js";

interface RunFlags extends ModelFlags {
  readonly agent?: string;
  readonly tasks?: number;
  readonly attempts?: number;
  readonly split?: Split;
  readonly seed?: number;
  readonly concurrency: number | "auto";
  readonly maxCost?: number;
  readonly resume?: string;
  readonly tasksFrom?: string;
  readonly allowEgress?: boolean;
}

const DEFAULTS = { split: "train" as Split, seed: 0, tasks: 20, attempts: 1 };

export const verb: Verb = {
  describe(command) {
    command
      .argument("[environment]", "package/environment, or a path to a .ts or .js file; not needed with --resume")
      .option(
        "--agent <name>",
        "reference, random, a baseline of the environment, replay:RUN, or a path to a .ts or .js file",
      )
      .option("--tasks <n>", "tasks to attempt (default: 20; all of an imported file)", parseCount("--tasks"))
      .option("--attempts <k>", "attempts at each task (default: 1)", parseCount("--attempts"))
      .option("--split <split>", `${SPLITS.join(", ")} (default: train)`, parseChoice("--split", SPLITS))
      .option("--seed <n>", "seed of tasks and of agents (default: 0)", parseCount("--seed", 0))
      .option(
        "--concurrency <n>",
        "rollouts at once, or auto",
        (text) => (text === "auto" ? "auto" : parseCount("--concurrency")(text)),
        "auto",
      )
      .option(
        "--max-cost <usd>",
        "stop once the run has cost this much",
        parseAmount("--max-cost", "an amount in USD such as 2.50"),
      )
      .option("--resume <run>", "go on with a run that was stopped");
    addModelOptions(command);
    command
      .option("--tasks-from <file>", "tasks that `windtunnel tasks import` made of your own files")
      .option("--allow-egress", "let imported tasks be sent to an endpoint on another machine")
      .addHelpText(
        "after",
        `
The same command makes the same rollouts again, whatever the concurrency (a model's own sampling aside).

Examples:
  $ windtunnel run revenue-cycle/denials --agent reference --tasks 100
  $ windtunnel run revenue-cycle/denials --agent ./my-agent.ts --attempts 4 --split validation
  $ windtunnel run ./my-env/environment.ts --model qwen3-8b --base-url http://127.0.0.1:8000/v1 --max-cost 2
  $ windtunnel run --resume denials-rules-7k3f9q`,
      );
  },

  async perform(call) {
    const flags = call.options as RunFlags;
    const store = openDataDirectory(call);
    try {
      const resume = flags.resume === undefined ? undefined : findRun(store, flags.resume);
      return await runWith(call, flags, store, resume);
    } finally {
      await store.close();
    }
  },
};

async function runWith(call: Call, flags: RunFlags, store: Store, resume: Run | undefined): Promise<ExitCode> {
  const { terminal, output } = call;
  const found = await openEnvironment(environmentName(call.args[0], resume), terminal.cwd);
  const model = toModelOptions(
    resume === undefined ? flags : { ...flags, ...modelOf(resume) },
    terminal.env,
    flags.concurrency,
  );
  const named = flags.agent ?? (model === undefined ? resume?.spec.agent : undefined);
  const agent = await pickAgent({ named, environment: found.environment, store, from: terminal.cwd, model });
  const interruption = watchInterruption(terminal, output, "what is finished is kept");
  try {
    const spec = resume === undefined ? planSpec(flags, found, agent, terminal.cwd) : resumedSpec(resume, flags);
    if (resume !== undefined) checkResumable(resume, found, agent);
    refuseEgress(spec, agent, flags.allowEgress === true);
    const tasks = openTasks(found, spec);
    const plan = {
      found,
      agent,
      tasks,
      spec,
      store,
      output,
      concurrency: flags.concurrency,
      signal: interruption.signal,
    };
    const { run, stoppedBy } = await performRun(resume === undefined ? plan : { ...plan, resume });
    const result = toRunResult(store, run.id, found.environment, { stoppedBy, data: call.options.data });
    output.result(result, showRunResult(result, output.colors));
    if (stoppedBy === "signal") return EXIT.cancelled;
    if (stoppedBy === "cost") return EXIT.failed;
    return result.coverage.errored > 0 ? EXIT.infrastructure : EXIT.done;
  } finally {
    interruption.end();
    await agent.close?.();
  }
}

function environmentName(given: string | undefined, resume: Run | undefined): string {
  const name = given ?? resume?.spec.environment;
  if (name === undefined)
    throw new UsageError({
      code: "no_environment",
      what: "No environment is named",
      expected: "windtunnel run ENV --agent A",
      fix: "List them with `windtunnel envs`.",
    });
  return name;
}

const modelOf = ({ spec }: Run): ModelFlags => ({
  ...(spec.model === undefined ? {} : { model: spec.model }),
  ...(spec.baseUrl === undefined ? {} : { baseUrl: spec.baseUrl }),
});

function planSpec(flags: RunFlags, found: FoundEnvironment, agent: PickedAgent, from: string): RunSpec {
  const { covers = {} } = agent;
  const tasksFrom = flags.tasksFrom === undefined ? covers.tasksFrom : resolve(from, flags.tasksFrom);
  const imported = tasksFrom === undefined ? undefined : countImported(found, tasksFrom);
  return {
    environment: found.name,
    agent: agent.label,
    split: flags.split ?? covers.split ?? DEFAULTS.split,
    seed: flags.seed ?? covers.seed ?? DEFAULTS.seed,
    tasks: Math.min(flags.tasks ?? covers.tasks ?? imported ?? DEFAULTS.tasks, imported ?? Number.POSITIVE_INFINITY),
    attempts: flags.attempts ?? covers.attempts ?? DEFAULTS.attempts,
    ...(agent.endpoint === undefined ? {} : { model: agent.name, baseUrl: agent.endpoint }),
    ...(tasksFrom === undefined ? {} : { tasksFrom }),
    ...(flags.maxCost === undefined ? {} : { maxCostUsd: flags.maxCost }),
  };
}

/** What a run covers is settled when it is made; only its cost limit may be raised. */
function resumedSpec(run: Run, flags: RunFlags): RunSpec {
  for (const option of ["tasks", "attempts", "split", "seed", "tasksFrom"] as const) {
    const [given, settled] = [flags[option], run.spec[option]];
    if (given !== undefined && given !== settled) {
      throw new UsageError({
        code: "not_resumable",
        what: `Run ${run.id} was made to cover something else`,
        path: `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        expected: String(settled),
        actual: String(given),
        fix: "Leave the option out, or start a new run.",
      });
    }
  }
  const { maxCostUsd: _settled, ...spec } = run.spec;
  const maxCostUsd = flags.maxCost ?? run.spec.maxCostUsd;
  return maxCostUsd === undefined ? spec : { ...spec, maxCostUsd };
}

function refuseEgress({ tasksFrom }: RunSpec, { remote }: PickedAgent, allowed: boolean): void {
  if (tasksFrom === undefined || remote === undefined || allowed) return;
  throw new UsageError({
    code: "egress_refused",
    what: "These tasks were made of your own files and would be sent to another machine",
    path: remote,
    expected: "an endpoint on this machine",
    fix: "Add --allow-egress if that data may leave.",
  });
}
