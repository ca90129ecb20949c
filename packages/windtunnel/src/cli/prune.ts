/** `windtunnel prune`: removes runs by age, number or size. Says what it would do; does it only with --yes. A run in progress is kept. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../core/fault.js";
import type { Run, Store } from "../store/store.js";
import { toInstant, toSize } from "./amounts.js";
import { toColumns } from "./columns.js";
import { dataDirectory, findRun, withStore } from "./data-directory.js";
import { EXIT } from "./exit-code.js";
import { parseAge, parseCount, parseSize } from "./option-values.js";
import type { Verb } from "./verb.js";

interface PruneOptions {
  readonly olderThan?: number;
  readonly keepLast?: number;
  readonly maxSize?: number;
  readonly env?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

interface Doomed {
  readonly run: Run;
  readonly reason: string;
  readonly rollouts: number;
  /** This run's share of the data directory by its number of events. */
  readonly approximateBytes: number;
}

export const verb: Verb = {
  describe(command) {
    command
      .argument("[runs...]", "runs to remove, finished or not")
      .option("--older-than <age>", "runs made longer ago than this (30d, 12h, 2w)", parseAge("--older-than"))
      .option("--keep-last <n>", "all but the newest n runs of each environment", parseCount("--keep-last", 0))
      .option(
        "--max-size <size>",
        "the oldest runs, until the rest is about this large (500MB, 2GB)",
        parseSize("--max-size"),
      )
      .option("--env <name>", "only runs of this environment")
      .option("--yes", "remove them; without it nothing is changed")
      .option("--dry-run", "only say what would be removed (the default)")
      .addHelpText(
        "after",
        `
The database file keeps its size; what is freed is used again by later runs.

Examples:
  $ windtunnel prune --older-than 30d
  $ windtunnel prune --keep-last 20 --yes
  $ windtunnel prune denials-idle-7k3f9q --yes`,
      );
  },

  async perform(call) {
    const options = call.options as PruneOptions;
    const named = (call.args[0] ?? []) as unknown as readonly string[];
    const rules = [options.olderThan, options.keepLast, options.maxSize].filter((rule) => rule !== undefined);
    if (named.length === 0 && rules.length === 0) {
      throw new UsageError({
        code: "nothing_to_prune",
        what: "No rule says what to remove",
        expected: "--older-than, --keep-last or --max-size, or the ids of runs",
      });
    }
    return withStore(call, (store) => {
      const before = sizeOf(dataDirectory(call));
      const runs = store
        .runs()
        .filter(
          ({ environment, spec }) =>
            options.env === undefined || environment === options.env || spec.environment === options.env,
        );
      const weights = weigh(store, before);
      const chosen = new Map<string, { run: Run; reason: string }>();
      for (const id of named) chosen.set(findRun(store, id).id, { run: findRun(store, id), reason: "named" });
      if (rules.length > 0)
        for (const one of choose(runs, options, weights)) if (!chosen.has(one.run.id)) chosen.set(one.run.id, one);
      const doomed = [...chosen.values()].map(
        ({ run, reason }): Doomed => ({
          run,
          reason,
          ...(weights.get(run.id) ?? { rollouts: 0, approximateBytes: 0 }),
        }),
      );
      const remove = options.yes === true && options.dryRun !== true;
      if (remove) for (const { run } of doomed) store.removeRun(run.id);
      const removed = doomed.map(({ run, ...rest }) => ({ run: run.id, createdAt: run.createdAt, ...rest }));
      call.output.result(
        { dryRun: !remove, runs: removed, dataDirectory: dataDirectory(call), bytes: before },
        describe(doomed, remove, before),
      );
      return EXIT.done;
    });
  },
};

type Weights = ReadonlyMap<string, { rollouts: number; approximateBytes: number }>;

function weigh(store: Store, bytes: number): Weights {
  const events = new Map<string, { rollouts: number; events: number }>();
  let total = 0;
  for (const { run, eventCount } of store.rollouts({})) {
    const sum = events.get(run) ?? { rollouts: 0, events: 0 };
    events.set(run, { rollouts: sum.rollouts + 1, events: sum.events + eventCount });
    total += eventCount;
  }
  return new Map(
    [...events].map(([run, sum]) => [
      run,
      { rollouts: sum.rollouts, approximateBytes: Math.round((bytes * sum.events) / Math.max(1, total)) },
    ]),
  );
}

/** Newest first in, each rule on its own; runs in progress are never chosen. */
export function choose(
  runs: readonly Run[],
  { olderThan, keepLast, maxSize }: PruneOptions,
  weights: Weights,
  now = Date.now(),
): { run: Run; reason: string }[] {
  const chosen: { run: Run; reason: string }[] = [];
  const kept = new Map<string, number>();
  let bytes = 0;
  for (const run of runs) {
    const rank = (kept.get(run.environment) ?? 0) + 1;
    kept.set(run.environment, rank);
    if (run.status === "running") continue;
    bytes += weights.get(run.id)?.approximateBytes ?? 0;
    if (olderThan !== undefined && now - Date.parse(run.createdAt) > olderThan) chosen.push({ run, reason: "too old" });
    else if (keepLast !== undefined && rank > keepLast)
      chosen.push({ run, reason: `not among the newest ${keepLast} of ${run.environment}` });
    else if (maxSize !== undefined && bytes > maxSize) chosen.push({ run, reason: "beyond the size allowed" });
  }
  return chosen;
}

function describe(doomed: readonly Doomed[], removed: boolean, bytes: number): string {
  if (doomed.length === 0) return "Nothing to remove.";
  const columns = [
    { head: "RUN" },
    { head: "CREATED" },
    { head: "ROLLOUTS", align: "right" as const },
    { head: "ABOUT", align: "right" as const },
    { head: "WHY" },
  ];
  const rows = doomed.map(({ run, rollouts, approximateBytes, reason }) => [
    run.id,
    toInstant(Date.parse(run.createdAt)),
    String(rollouts),
    toSize(approximateBytes),
    reason,
  ]);
  const total = doomed.reduce((sum, one) => sum + one.approximateBytes, 0);
  const last = removed
    ? `Removed ${doomed.length} runs, about ${toSize(total)} of ${toSize(bytes)}.`
    : `Would remove ${doomed.length} runs, about ${toSize(total)} of ${toSize(bytes)}. Nothing was changed: add --yes to remove them.`;
  return `${toColumns(columns, rows)}\n\n${last}`;
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
