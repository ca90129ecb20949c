/**
 * What the denial-management environment shows, measured on fresh tasks: recall@64, the reference, every baseline, reward against outcome.
 * `node bench/denials.mjs [--tasks 500] [--seed 7] [--json]`. Build first.
 */
import { parseArgs } from "node:util";
import { environment } from "@windtunnel/revenue-cycle";
import { generatedTasks, recallOf, referenceAgent, runRollout } from "windtunnel";
import { kendallTauB, meanEstimate, rocAuc } from "windtunnel/stats";

const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "500" },
    seed: { type: "string", default: "7" },
    json: { type: "boolean", default: false },
  },
});
const count = Number(values.tasks);
const seed = Number(values.seed);
const tasks = generatedTasks(environment, { split: "validation", seed, count });

const agents = new Map();
const acceptable = [];
const rejected = [];
const taus = [];
const archetypes = new Set();
const disagreements = { passedNotAcceptable: 0, acceptableNotPassed: 0 };

for (const id of tasks.ids()) {
  const scenario = tasks.open(id);
  archetypes.add(scenario.task.archetype);
  const points = [];
  for (const agent of [referenceAgent(environment, scenario), ...environment.baselines]) {
    const { score, outcome } = await runRollout({ environment, scenario, agent, attempt: 0, runSeed: `bars/${seed}` });
    const row = agents.get(agent.name) ?? { rewards: [], passed: 0, unscored: 0, acceptable: 0, normalised: [] };
    agents.set(agent.name, row);
    if (score.status !== "scored" || outcome === null) {
      row.unscored++;
      continue;
    }
    row.rewards.push(score.reward);
    if (score.passed) row.passed++;
    if (outcome.acceptable) row.acceptable++;
    if (score.passed && !outcome.acceptable) disagreements.passedNotAcceptable++;
    if (!score.passed && outcome.acceptable) disagreements.acceptableNotPassed++;
    if (outcome.normalised !== null) row.normalised.push(outcome.normalised);
    (outcome.acceptable ? acceptable : rejected).push(score.reward);
    points.push([score.reward, outcome.value]);
  }
  const tau = kendallTauB(points);
  if (tau.value !== null) taus.push(tau.value);
}

const recall = await recallOf(
  environment,
  [...generatedTasks(environment, { split: "sealed", seed, count: Math.min(count, 200) }).ids()].map((id) =>
    tasks.open(id),
  ),
);
const mean = (list) => (list.length === 0 ? null : list.reduce((sum, value) => sum + value, 0) / list.length);
const result = {
  tasks: count,
  seed,
  archetypes: archetypes.size,
  recallAt64: { calls: recall.calls, recall: recall.recall },
  agents: Object.fromEntries(
    [...agents].map(([name, { rewards, passed, unscored, acceptable: good, normalised }]) => [
      name,
      {
        meanReward: mean(rewards),
        passRate: passed / count,
        acceptable: good / count,
        meanNormalisedOutcome: mean(normalised),
        unscored,
      },
    ]),
  ),
  auc: rocAuc(acceptable, rejected),
  tauB: meanEstimate(taus),
  disagreements,
};

if (values.json) console.log(JSON.stringify(result));
else {
  console.log(`${count} fresh tasks (validation, seed ${seed}), ${result.archetypes} archetypes`);
  console.log(`recall@64 of the reference's calls: ${(100 * recall.recall).toFixed(1)} % of ${recall.calls}`);
  for (const [name, row] of Object.entries(result.agents)) {
    console.log(
      `${name.padEnd(18)} reward ${row.meanReward?.toFixed(3)}  passed ${(100 * row.passRate).toFixed(1)} %  outcome ${row.meanNormalisedOutcome?.toFixed(3)}  acceptable ${(100 * row.acceptable).toFixed(1)} %  unscored ${row.unscored}`,
    );
  }
  console.log(`AUC of reward for an acceptable outcome: ${result.auc.value?.toFixed(4)}`);
  console.log(`within-task rank agreement (tau-b), mean: ${result.tauB.value?.toFixed(3)} over ${result.tauB.n} tasks`);
  console.log(
    `passed but not acceptable ${disagreements.passedNotAcceptable}, acceptable but not passed ${disagreements.acceptableNotPassed}`,
  );
}
