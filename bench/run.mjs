/**
 * The benchmark: npm run bench [-- --json] [-- --rss]. Each figure comes from processes of its own, three times, best and median shown:
 * other work on the machine only ever makes a figure worse. --rss adds the memory of a run of 100,000 rollouts over one of 10,000 (minutes).
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const windtunnel = here("../packages/windtunnel/bin/windtunnel.js");
const flags = new Set(process.argv.slice(2));
if (!existsSync(here("../packages/windtunnel/dist/index.js"))) {
  console.error("Nothing is built: run `npm run build` first.");
  process.exit(2);
}

/** Runs node with `args` and gives what it printed and how long it took, ms. */
function node(...args) {
  const startedMs = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr}`);
  return { stdout, ms: performance.now() - startedMs };
}

const script = (name, ...args) => JSON.parse(node(here(name), ...args.map(String)).stdout);
const times = (count, take) => Array.from({ length: count }, take);
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const figures = [];

/** `bar` is the least a figure must reach, or the most when `atMost`. */
function report(name, unit, values, bar, { atMost = false, digits = 0 } = {}) {
  const best = atMost ? Math.min(...values) : Math.max(...values);
  const met = bar === undefined ? undefined : atMost ? best <= bar : best >= bar;
  figures.push({
    name,
    unit,
    best,
    median: median(values),
    runs: values.length,
    ...(bar === undefined ? {} : { bar, met }),
  });
  if (flags.has("--json")) return;
  const number = (value) =>
    value.toLocaleString("en-US", { maximumFractionDigits: digits, minimumFractionDigits: digits });
  const verdict =
    bar === undefined ? "" : `${met ? "met" : "NOT MET"}: ${atMost ? "at most" : "at least"} ${number(bar)}`;
  console.log(
    `${name.padEnd(52)} ${number(best).padStart(10)} ${unit.padEnd(12)} (median ${number(median(values))})  ${verdict}`,
  );
}

const machine = {
  cpu: cpus()[0].model.trim(),
  cores: availableParallelism(),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  system: `${process.platform} ${process.arch}`,
  loadAverage: loadavg()[0],
};
if (!flags.has("--json")) {
  console.log(
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, node ${machine.node}, ${machine.system}`,
  );
  if (machine.loadAverage > 0.5)
    console.log(
      `Other work is running (load average ${machine.loadAverage.toFixed(1)}): figures are lower than the machine allows.`,
    );
  console.log();
}

const fresh = times(3, () => script("logged-rollouts.mjs", 3_000, 1));
report(
  "logged rollouts, a fresh world each",
  "rollouts/s",
  fresh.map((run) => run.rolloutsPerSecond),
  1_000,
);
report(
  "logged tool calls, a fresh world each",
  "calls/s",
  fresh.map((run) => run.callsPerSecond),
  14_000,
);
const shared = times(3, () => script("logged-rollouts.mjs", 1_000, 8));
report(
  "logged rollouts, 8 attempts a task",
  "rollouts/s",
  shared.map((run) => run.rolloutsPerSecond),
  3_000,
);
report(
  "trace of such a rollout",
  "bytes",
  shared.map((run) => run.traceBytes),
);
report(
  "disk for such a rollout",
  "bytes",
  shared.map((run) => run.diskBytesPerRollout),
  undefined,
  { atMost: true },
);
const steps = times(3, () => script("write-steps.mjs", 300_000));
report(
  "trivial write steps, one core, no store",
  "steps/s",
  steps.map((run) => run.stepsPerSecond),
  150_000,
);

const bare = median(times(15, () => node("-e", "0").ms));
const help = times(15, () => node(windtunnel, "--help").ms);
report("windtunnel --help over bare node", "ms", [median(help) - bare], undefined, { atMost: true });

const dir = mkdtempSync(join(tmpdir(), "windtunnel-bench-"));
const rollout = node(here("long-rollout.mjs"), dir, "100000").stdout.trim();
const show = times(5, () => node(windtunnel, "show", rollout, "--limit", "100", "--data", dir).ms);
report("first page of a 100,000-event rollout, whole process", "ms", show, 1_000, { atMost: true });
rmSync(dir, { recursive: true, force: true });

if (flags.has("--rss")) {
  const [small, large] = [1_250, 12_500].map((tasks) => script("logged-rollouts.mjs", tasks, 8));
  report("memory at 100,000 rollouts", "MiB", [large.rssMiB], undefined, { atMost: true });
  report("at its peak", "MiB", [large.peakRssMiB], undefined, { atMost: true });
  report("memory at 100,000 rollouts over at 10,000", "times", [large.rssMiB / small.rssMiB], 1.15, {
    atMost: true,
    digits: 2,
  });
}

if (flags.has("--json")) console.log(JSON.stringify({ machine, figures }, null, 2));
