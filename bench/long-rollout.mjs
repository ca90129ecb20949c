/** Keeps one rollout of at least EVENTS events in a new store in DIR: node bench/long-rollout.mjs DIR EVENTS. Prints its id. */
import { openScenario, runRollout, scriptedAgent } from "windtunnel";
import { openStore } from "../packages/windtunnel/dist/store/sqlite.js";
import { toRolloutId } from "../packages/windtunnel/dist/store/store.js";
import { environment } from "./thin-environment.mjs";

const [dir, events] = [process.argv[2], Number(process.argv[3])];
const scenario = openScenario(environment, "train/0/0");
const [order] = scenario.facts.orders;
const actions = Array.from({ length: events }, (_, i) => ({
  calls: [{ tool: "set_status", arguments: { order, status: i % 2 === 0 ? "picked" : "shipped" } }],
}));
const agent = scriptedAgent("tireless", actions);
const rollout = await runRollout({ environment, scenario, agent, attempt: 0, runSeed: "0" });
const store = openStore(dir);
store.createRun({
  id: "long",
  spec: { environment: environment.name, agent: agent.name, split: "train", seed: 0, tasks: 1, attempts: 1 },
  createdAt: new Date().toISOString(),
  environment: environment.name,
  environmentVersion: environment.version,
  contractDigest: environment.contractDigest,
  rubricDigest: environment.rubric.digest,
  agent: agent.name,
  agentVersion: agent.version,
});
await store.commit("long", [rollout]);
await store.close();
console.log(toRolloutId("long", scenario.task.id, 0));
