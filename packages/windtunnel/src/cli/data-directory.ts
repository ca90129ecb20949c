/** The data directory: where it is, and its store, with secrets kept out of it. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { UsageError } from "../core/fault.js";
import { openStore, STORE_FILE } from "../store/sqlite.js";
import type { RolloutRecord, Run, Store } from "../store/store.js";
import { suggest } from "./nearest.js";
import { redactingStore } from "./redacting-store.js";
import { redactorOf } from "./secrets.js";
import type { Call } from "./verb.js";

type Place = Pick<Call, "options" | "terminal">;

/** --data, else WINDTUNNEL_DATA, else ./.windtunnel. */
export function dataDirectory({ options, terminal }: Place): string {
  const named = options.data ?? terminal.env.WINDTUNNEL_DATA;
  return resolve(terminal.cwd, named === undefined || named === "" ? ".windtunnel" : named);
}

/** Opens the store, making it when absent. */
export function openDataDirectory(place: Place): Store {
  return redactingStore(openStore(dataDirectory(place)), redactorOf(place.terminal.env));
}

/** Lends the store to `work`, and closes it. Refuses, and makes nothing, where there is no store: for commands that only read. */
export async function withStore<R>(place: Place, work: (store: Store) => R | Promise<R>): Promise<R> {
  const folder = dataDirectory(place);
  if (!existsSync(join(folder, STORE_FILE))) {
    throw new UsageError({
      code: "no_data",
      what: "No rollouts are kept here",
      path: folder,
      fix: "Run something first (`windtunnel demo`), or name another place with --data or WINDTUNNEL_DATA.",
    });
  }
  const store = openDataDirectory(place);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The run of that id, or of the only id that begins so; "last" is the newest. Throws UsageError when there is none. */
export function findRun(store: Store, id: string): Run {
  const exact = store.run(id);
  if (exact !== undefined) return exact;
  const runs = store.runs();
  const newest = runs[0];
  if (id === "last" && newest !== undefined) return newest;
  const matches = runs.filter((run) => run.id.startsWith(id));
  if (matches.length === 1) return matches[0]!;
  if (matches.length > 1) {
    throw new UsageError({
      code: "ambiguous_run",
      what: `"${id}" begins the ids of ${matches.length} runs`,
      expected: "one of them",
      actual: matches
        .slice(0, 4)
        .map((run) => run.id)
        .join(", "),
    });
  }
  throw new UsageError({
    code: "unknown_run",
    what: `There is no run "${id}"`,
    fix: suggest(
      id,
      runs.map((run) => run.id),
      "List them with `windtunnel list`.",
    ),
  });
}

/** The rollout of that id. Throws UsageError when there is none. */
export function findRollout(store: Store, id: string): RolloutRecord {
  const rollout = store.rollout(id);
  if (rollout !== undefined) return rollout;
  const hint =
    store.run(id) === undefined
      ? "List them with `windtunnel list rollouts`."
      : `That is a run: list its rollouts with \`windtunnel list rollouts --run ${id}\`.`;
  throw new UsageError({ code: "unknown_rollout", what: `There is no rollout "${id}"`, fix: hint });
}
