import { generatedTasks, referenceAgent, runRollout } from "windtunnel";
import { checkEnvironment } from "windtunnel/testing";
import { expect, it } from "vitest";
import { environment } from "./environment.js";

const tasks = generatedTasks(environment, { split: "train", seed: 0, count: 20 });

async function rewardsOf(agentName: string): Promise<number[]> {
  const rewards: number[] = [];
  for (const id of tasks.ids()) {
    const scenario = tasks.open(id);
    const agent = environment.baselines.find(({ name }) => name === agentName) ?? referenceAgent(environment, scenario);
    const { score } = await runRollout({ environment, scenario, agent, attempt: 0, runSeed: "test" });
    if (score.status !== "scored") throw new Error(score.reason);
    rewards.push(score.reward);
  }
  return rewards;
}

it("is sound by every check", async () => {
  const { checks } = await checkEnvironment(environment);
  expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
});

it("gives the reference full marks on every task", async () => {
  expect(await rewardsOf("reference")).toEqual(Array(20).fill(1));
});

it("gives little to an agent that declines without looking", async () => {
  expect(Math.max(...(await rewardsOf("decline-all")))).toBeLessThanOrEqual(0.2);
});
