/** `windtunnel play ENV`: a person takes the agent's place; what they did is kept and scored like any rollout. */
import { openScenario, type TaskSource } from "../core/environment.js";
import { UsageError } from "../core/fault.js";
import type { Split } from "../core/task.js";
import type { RunSpec } from "../store/store.js";
import { toRolloutId } from "../store/store.js";
import { findRollout, openDataDirectory } from "./data-directory.js";
import { EXIT } from "./exit-code.js";
import { type FoundEnvironment, openEnvironment } from "./find-environment.js";
import { watchInterruption } from "./interruption.js";
import { lineAgent } from "./line-agent.js";
import { performRun } from "./perform-run.js";
import { personAgent } from "./person-agent.js";
import type { PickedAgent } from "./pick-agent.js";
import { showOutcome, showScore } from "./show-score.js";
import type { Call, Verb } from "./verb.js";

export const verb: Verb = {
  describe(command) {
    command
      .argument("<environment>", "package/environment, or a path to a .ts or .js file")
      .option("--task <id>", "the task to play: split/seed/number", "train/0/0")
      .addHelpText(
        "after",
        `
Pick a tool, fill its arguments (values seen so far are offered), say something, or finish; your score is shown at the end.
With --json, or without a terminal, actions are read from stdin, one JSON object a line, and what is new goes to stderr.

Examples:
  $ windtunnel play revenue-cycle/denials
  $ windtunnel play ./my-env/environment.ts --task train/7/12
  $ echo '{"calls":[{"tool":"worklist_list","arguments":{}}]}' | windtunnel play revenue-cycle/denials --json`,
      );
  },

  async perform(call) {
    const { terminal, output } = call;
    const found = await openEnvironment(call.args[0]!, terminal.cwd);
    const source = oneTask(found, String(call.options.task));
    const [split, seed] = String(call.options.task).split("/");
    const leaving = new AbortController();
    const interruption = watchInterruption(terminal, output, "nothing of this task is kept");
    const store = openDataDirectory(call);
    try {
      const agent = await player(call, () => leaving.abort());
      const spec: RunSpec = {
        environment: found.name,
        agent: "person",
        split: split as Split,
        seed: Number(seed),
        tasks: 1,
        attempts: 1,
      };
      const signal = AbortSignal.any([interruption.signal, leaving.signal]);
      const { run } = await performRun({
        found,
        agent,
        tasks: source,
        spec,
        store,
        output,
        concurrency: 1,
        signal,
        quiet: true,
      });
      if (signal.aborted) {
        store.removeRun(run.id);
        output.result({ run: null, rollout: null, score: null }, "Left before the end: nothing was kept.");
        return EXIT.cancelled;
      }
      const rollout = findRollout(store, toRolloutId(run.id, String(call.options.task), 0));
      const score = store.score(rollout.id)!.score;
      output.result(
        { run: run.id, rollout, score },
        [
          ...showScore(score, output.colors),
          ...showOutcome(rollout.outcome, output.colors),
          "",
          `Kept: windtunnel show ${rollout.id}`,
        ].join("\n"),
      );
      return rollout.status === "errored" ? EXIT.infrastructure : EXIT.done;
    } finally {
      interruption.end();
      await store.close();
      // A pipe that stays open would keep the process alive.
      terminal.stdin.destroy();
    }
  },
};

async function player({ terminal, output }: Call, leave: () => void): Promise<PickedAgent> {
  const seated = !output.json && terminal.stdin.isTTY === true && terminal.stdout.isTTY === true;
  if (!seated && !output.json) {
    throw new UsageError({
      code: "no_terminal",
      what: "There is no terminal to play in",
      expected: "a terminal, or --json with actions on stdin",
    });
  }
  const agent = seated
    ? personAgent((await import("./terminal-prompter.js")).terminalPrompter(terminal, output, leave))
    : lineAgent(terminal, output);
  return { label: "person", name: agent.name, version: agent.version, agentFor: () => agent };
}

function oneTask({ environment }: FoundEnvironment, id: string): TaskSource {
  openScenario(environment, id);
  return { description: id, size: 1, ids: () => [id], open: (one) => openScenario(environment, one) };
}
