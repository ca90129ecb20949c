/**
 * A process of its own that runs the desk in a store: for tests that kill one, or set two on the same store. Says on stdout what it opens
 * ("open TASK ATTEMPT") and how much is committed ("kept N"), unbuffered, and takes: DIR RUN COUNT ATTEMPTS DELAY_MS.
 */
import { writeSync } from "node:fs";
import { defineAgent } from "../core/agent.js";
import { openStore } from "../store/sqlite.js";
import { chancyAgent, openDesk, runDesk } from "./desk.fixture.js";

const [dir, run, count, attempts, delayMs] = process.argv.slice(2) as [string, string, string, string, string];
const say = (line: string) => void writeSync(1, `${line}\n`);
const store = openStore(dir);
const inner = chancyAgent(Number(delayMs) > 0 ? { delayMs: Number(delayMs) } : {});
await runDesk(store, run, {
  environment: openDesk(),
  count: Number(count),
  attempts: Number(attempts),
  concurrency: 8,
  agentFor: (scenario, attempt) =>
    defineAgent({
      ...inner,
      open(context) {
        say(`open ${scenario.task.id} ${attempt}`);
        return inner.open(context);
      },
    }),
  onProgress: ({ completed }) => say(`kept ${completed}`),
});
await store.close();
