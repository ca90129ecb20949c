/**
 * Rollouts logged end to end, in this process: node bench/logged-rollouts.mjs TASKS ATTEMPTS. Prints one line of JSON: rollouts a second
 * from fresh worlds to committed records, and the memory the process held (on average over the last tenth of the run, and at most).
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatedTasks } from "windtunnel";
import { runRollouts } from "../packages/windtunnel/dist/engine/run.js";
import { openStore, STORE_FILE } from "../packages/windtunnel/dist/store/sqlite.js";
import { CALLS_PER_ROLLOUT, environment, scripted } from "./thin-environment.mjs";

const cpuSeconds = (since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

const [tasks, attempts] = process.argv.slice(2).map(Number);
const dir = mkdtempSync(join(tmpdir(), "windtunnel-bench-"));
const store = openStore(dir);

let rss = [];

async function run(id, count) {
  store.createRun({
    id,
    spec: { environment: environment.name, agent: "scripted", split: "train", seed: 0, tasks: count, attempts },
    createdAt: new Date().toISOString(),
    environment: environment.name,
    environmentVersion: environment.version,
    contractDigest: environment.contractDigest,
    rubricDigest: environment.rubric.digest,
    agent: scripted.name,
    agentVersion: scripted.version,
  });
  const startedMs = performance.now();
  const progress = await runRollouts({
    run: id,
    environment,
    tasks: generatedTasks(environment, { split: "train", seed: 0, count }),
    attempts,
    agentFor: () => scripted,
    runSeed: "0",
    store,
    concurrency: "auto",
    onProgress({ completed, total }) {
      if (completed >= 0.9 * total) rss.push(process.memoryUsage.rss());
    },
  });
  if (progress.passed !== count * attempts) throw new Error(`only ${progress.passed} of ${count * attempts} passed`);
  return (performance.now() - startedMs) / 1000;
}

await run("warm-up", Math.ceil(300 / attempts));
rss = [];
const before = process.cpuUsage();
const seconds = await run("measured", tasks);
const spent = cpuSeconds(before);
const [first] = store.rollouts({ run: "measured", limit: 1 });
const traceBytes = (await store.events(first.id)).reduce((sum, event) => sum + JSON.stringify(event).length + 1, 0);
await store.close();
const rollouts = tasks * attempts;
console.log(
  JSON.stringify({
    rollouts,
    seconds,
    rolloutsPerSecond: rollouts / seconds,
    callsPerSecond: (rollouts * CALLS_PER_ROLLOUT) / seconds,
    cpuSeconds: spent,
    traceBytes,
    diskBytesPerRollout: statSync(join(dir, STORE_FILE)).size / rollouts,
    rssMiB: rss.reduce((sum, bytes) => sum + bytes, 0) / rss.length / 2 ** 20,
    peakRssMiB: process.resourceUsage().maxRSS / 1024,
  }),
);
rmSync(dir, { recursive: true, force: true });
