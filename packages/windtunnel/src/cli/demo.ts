/**
 * `windtunnel demo`: the main job in one command. The reference, every baseline and the random agent attempt the same tasks; one report
 * compares them, says whether reward tracks the business outcome, and names a rollout to look at.
 */
import { randomAgent } from "../core/candidates.js";
import type { AnyEnvironment } from "../core/environment.js";
import { reportAgreement } from "../engine/reward-outcome.js";
import type { RunSpec, Store } from "../store/store.js";
import { openDataDirectory } from "./data-directory.js";
import { showDemo } from "./demo-report.js";
import { EXIT, type ExitCode } from "./exit-code.js";
import { openEnvironment } from "./find-environment.js";
import { watchInterruption } from "./interruption.js";
import { parseCount } from "./option-values.js";
import { performRun } from "./perform-run.js";
import { pickAgent } from "./pick-agent.js";
import { type RunResult, toRunResult } from "./run-result.js";
import { openTasks } from "./task-source.js";
import type { Call, Verb } from "./verb.js";

interface DemoFlags {
  readonly tasks: number;
  readonly seed: number;
}

export const verb: Verb = {
  describe(command) {
    command
      .argument("[environment]", "package/environment, or a path to a .ts or .js file", "revenue-cycle/denials")
      .option("--tasks <n>", "tasks that each agent attempts", parseCount("--tasks"), 40)
      .option("--seed <n>", "seed of tasks and of agents", parseCount("--seed", 0), 0)
      .addHelpText(
        "after",
        `
Examples:
  $ windtunnel demo
  $ windtunnel demo --tasks 100 --json
  $ windtunnel demo ./my-env/environment.ts`,
      );
  },

  async perform(call) {
    const found = await openEnvironment(call.args[0]!, call.terminal.cwd);
    const store = openDataDirectory(call);
    const interruption = watchInterruption(call.terminal, call.output, "what is finished is kept and reported");
    try {
      return await demonstrate(call, found, store, interruption.signal);
    } finally {
      interruption.end();
      await store.close();
    }
  },
};

async function demonstrate(
  call: Call<DemoFlags>,
  found: Awaited<ReturnType<typeof openEnvironment>>,
  store: Store,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { output, terminal } = call;
  const { environment } = found;
  const { tasks: count, seed } = call.options;
  const names = agentNames(environment);
  output.say(
    `${output.colors.bold(environment.name)}: ${names.length} agents on the same ${count} tasks, ${names.length * count} rollouts`,
  );
  output.say();
  const results: RunResult[] = [];
  for (const named of names) {
    if (signal.aborted) break;
    const agent = await pickAgent({ named, environment, store, from: terminal.cwd, model: undefined });
    const spec: RunSpec = {
      environment: found.name,
      agent: agent.label,
      split: "train",
      seed,
      tasks: count,
      attempts: 1,
    };
    const plan = {
      found,
      agent,
      tasks: openTasks(found, spec),
      spec,
      store,
      output,
      concurrency: "auto" as const,
      signal,
      brief: true,
    };
    const { run, stoppedBy } = await performRun(plan);
    results.push(toRunResult(store, run.id, environment, { stoppedBy, data: call.options.data }));
  }
  const agreement = reportAgreement(
    store,
    results.map(({ run }) => run),
  );
  const look = resultToShow(results);
  const wallSeconds = results.reduce((sum, result) => sum + result.wallSeconds, 0);
  const rollouts = results.reduce(
    (sum, { coverage }) => sum + coverage.scored + coverage.unscored + coverage.errored,
    0,
  );
  const show = look?.show ?? null;
  output.result(
    {
      environment: environment.name,
      tasks: count,
      seed,
      rollouts,
      wallSeconds,
      agents: results,
      agreement,
      rollout: look?.rollout ?? null,
      show,
    },
    showDemo({ results, agreement, rollouts, wallSeconds, show }, output.colors),
  );
  if (signal.aborted) return EXIT.cancelled;
  return results.some(({ coverage }) => coverage.errored > 0) ? EXIT.infrastructure : EXIT.done;
}

/** The reference first, then agents that see only what an agent sees. */
function agentNames({ baselines }: AnyEnvironment): string[] {
  return [...new Set(["reference", ...baselines.map(({ name }) => name), randomAgent.name])];
}

/** Of the honest agent that did best: where it failed is what there is to learn. */
function resultToShow(results: readonly RunResult[]): RunResult | undefined {
  const honest = results.filter(({ agent, rollout }) => agent !== "reference" && rollout !== null);
  return honest.sort((a, b) => (b.reward.mean ?? -1) - (a.reward.mean ?? -1))[0] ?? results[0];
}
