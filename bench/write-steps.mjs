/** Trivial write steps on one core, without a store: node bench/write-steps.mjs STEPS. Prints one line of JSON. */
import { Episode, openScenario } from "windtunnel";
import { environment } from "./thin-environment.mjs";

const STEPS_PER_EPISODE = 5_000;
const STATUSES = ["picked", "shipped"];
const scenario = openScenario(environment, "train/0/0");
const [order] = scenario.facts.orders;
const actions = STATUSES.map((status) => ({ calls: [{ tool: "set_status", arguments: { order, status } }] }));

function take(steps) {
  const startedMs = performance.now();
  for (let done = 0; done < steps; done += STEPS_PER_EPISODE) {
    const episode = new Episode(environment, scenario, { attemptSeed: `bench/${done}` });
    for (let step = 0; step < STEPS_PER_EPISODE; step++) episode.step(actions[step % 2]);
    if (episode.events.length !== STEPS_PER_EPISODE + 3) throw new Error("a step left no event");
  }
  return (performance.now() - startedMs) / 1000;
}

const steps = Number(process.argv[2]);
take(50_000);
const seconds = take(steps);
console.log(JSON.stringify({ steps, seconds, stepsPerSecond: steps / seconds }));
