/** `windtunnel replay ROLLOUT|RUN`: executes it again and proves byte equality of events, state and score, or prints the first difference. */
import type { Difference } from "../engine/difference.js";
import { type ReplayResult, replayRollout, replayRun } from "../engine/replay.js";
import { openScenarios } from "../engine/scenarios.js";
import type { RolloutRecord, Store } from "../store/store.js";
import { findRollout, findRun, withStore } from "./data-directory.js";
import { EXIT, type ExitCode } from "./exit-code.js";
import { watchInterruption } from "./interruption.js";
import { openRecordedRun } from "./recorded-run.js";
import { toPrintableJson, toTerminalLine } from "./terminal-text.js";
import type { Call, Verb } from "./verb.js";

export const verb: Verb = {
  describe(command) {
    command
      .argument("<id>", "id of a rollout, or of a run")
      .option("--env <name>", "execute in this environment instead of the one the run names")
      .addHelpText(
        "after",
        `
Exit code 1 when anything differs. The agent is not asked again: what it did is taken from the record.

Examples:
  $ windtunnel replay ro-5f0c1d2e3a4b5c6d
  $ windtunnel replay denials-rules-7k3f9q --json`,
      );
  },

  async perform(call) {
    const id = call.args[0]!;
    return withStore(call, (store) =>
      store.rollout(id) !== undefined || /^ro-[0-9a-f]{16}$/.test(id)
        ? oneRollout(call, store, id)
        : wholeRun(call, store, id),
    );
  },
};

async function oneRollout(call: Call, store: Store, id: string): Promise<ExitCode> {
  const record = findRollout(store, id);
  const { found, tasks } = await openRecordedRun(
    findRun(store, record.run),
    call.options.env as string | undefined,
    call.terminal.cwd,
    call.output,
  );
  const scenario = openScenarios(tasks)(record.task);
  const result = await replayRollout(found.environment, scenario, {
    record,
    events: await store.events(id),
    score: store.score(id)!.score,
  });
  const difference = result.equal ? [] : showDifference(record, result.difference);
  call.output.result(
    { rollout: id, ...result },
    [
      result.equal
        ? `${id}: equal, byte for byte (${record.eventCount} events, final state, ${scoreNote(result)})`
        : `${id}: not equal`,
      ...difference,
    ].join("\n"),
  );
  return result.equal ? EXIT.done : EXIT.failed;
}

const scoreNote = (result: ReplayResult) =>
  result.equal && result.scoreCompared
    ? "score"
    : "score not made again: the rubric has changed, or the fault came from outside";

async function wholeRun(call: Call, store: Store, id: string): Promise<ExitCode> {
  const { output, terminal } = call;
  const { run, found, tasks } = await openRecordedRun(
    findRun(store, id),
    call.options.env as string | undefined,
    terminal.cwd,
    output,
  );
  const interruption = watchInterruption(terminal, output, "the rollouts replayed so far are reported");
  let replayed = 0;
  const result = await replayRun({
    store,
    run: run.id,
    environment: found.environment,
    tasks,
    signal: interruption.signal,
    onReplayed() {
      if (++replayed % 1000 === 0) output.progress({ event: "progress", replayed });
    },
  });
  interruption.end();
  const differences = result.differences.flatMap(({ record, difference }) => showDifference(record, difference));
  const scores = result.scoresCompared === result.equal ? "" : ` (scores of ${result.scoresCompared} made again)`;
  output.result(
    {
      run: run.id,
      ...result,
      differences: result.differences.map(({ record, difference }) => ({ rollout: record.id, ...difference })),
    },
    [
      `${run.id}: ${result.equal} of ${result.replayed} rollouts equal, byte for byte${scores}; ${result.different} different`,
      ...differences,
    ].join("\n"),
  );
  if (interruption.signal.aborted) return EXIT.cancelled;
  return result.different > 0 ? EXIT.failed : EXIT.done;
}

/** Where a re-execution first parted from the record. */
export function showDifference(record: RolloutRecord, { seq, path, expected, actual }: Difference): string[] {
  const where = [seq === null ? "" : `event ${seq}`, path].filter((part) => part !== "").join(", ");
  const shown = (value: unknown) => toTerminalLine(value === undefined ? "nothing" : toPrintableJson(value), 300);
  return [
    `  ${record.id} (${toTerminalLine(record.task)}, attempt ${record.attempt}) first differs at ${toTerminalLine(where)}:`,
    `    recorded  ${shown(expected)}`,
    `    now       ${shown(actual)}`,
  ];
}
