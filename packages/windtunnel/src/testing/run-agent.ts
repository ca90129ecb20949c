/**
 * Runs an agent over some tasks for a test: no store, no engine, one after another.
 */
import type { Agent } from "../core/agent.js";
import { type AnyEnvironment, generatedTasks, type Scenario } from "../core/environment.js";
import { type Rollout, referenceAgent, runRollout } from "../core/rollout.js";
import type { Split } from "../core/task.js";

/**
 * The rollouts of `agent` ("reference" for the environment's own) on the first `tasks` tasks of `split` under `seed`, one attempt each.
 * @example
 * const rollouts = await runAgent(exampleEnvironment, idleAgent, { tasks: 5 });
 * expect(rollouts.every(({ score }) => score.status === "scored" && !score.passed)).toBe(true);
 */
export async function runAgent(
  environment: AnyEnvironment,
  agent: Agent | "reference" | ((scenario: Scenario) => Agent),
  { tasks = 10, split = "train", seed = 0 }: { tasks?: number; split?: Split; seed?: number } = {},
): Promise<Rollout[]> {
  const source = generatedTasks(environment, { split, seed, count: tasks });
  const rollouts: Rollout[] = [];
  for (const id of source.ids()) {
    const scenario: Scenario = source.open(id);
    const chosen =
      agent === "reference"
        ? referenceAgent(environment, scenario)
        : typeof agent === "function"
          ? agent(scenario)
          : agent;
    rollouts.push(await runRollout({ environment, scenario, agent: chosen, attempt: 0, runSeed: `test/${seed}` }));
  }
  return rollouts;
}
