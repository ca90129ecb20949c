/** `windtunnel rescore RUN`: the rubric as it is now over old rollouts; each new score is kept beside the old. */
import { rescoreRun } from "../engine/rescore.js";
import type { Store } from "../store/store.js";
import { toPercent, toReward } from "./amounts.js";
import { findRun, withStore } from "./data-directory.js";
import { EXIT, type ExitCode } from "./exit-code.js";
import { watchInterruption } from "./interruption.js";
import { openRecordedRun } from "./recorded-run.js";
import { showDifference } from "./replay.js";
import type { Call, Verb } from "./verb.js";

export const verb: Verb = {
  describe(command) {
    command
      .argument("<run>", "id of a run, its beginning, or last")
      .option("--env <name>", "take the rubric of this environment instead of the one the run names")
      .addHelpText(
        "after",
        `
Each rollout is executed again first; one that does not come out as recorded gets no new score, and the exit code is 1.
A rubric is known by its digest: names, versions, points, caps and pass mark. Raise a criterion's version when its code changes.

Examples:
  $ windtunnel rescore denials-rules-7k3f9q
  $ windtunnel rescore last --json`,
      );
  },

  perform: (call) => withStore(call, (store) => rescore(call, store)),
};

async function rescore(call: Call, store: Store): Promise<ExitCode> {
  const { output, terminal } = call;
  const { run, found, tasks } = await openRecordedRun(
    findRun(store, call.args[0]!),
    call.options.env as string | undefined,
    terminal.cwd,
    output,
  );
  const interruption = watchInterruption(terminal, output, "the new scores so far are kept");
  const before = summarise(store, run.id, run.rubricDigest);
  const result = await rescoreRun({
    store,
    run: run.id,
    environment: found.environment,
    tasks,
    signal: interruption.signal,
  });
  interruption.end();
  const after = summarise(store, run.id, result.rubricDigest);
  const { differences, ...counts } = result;
  const same =
    result.rubricDigest === run.rubricDigest
      ? ["The rubric's digest is the one the run was made with: the scores are the ones it has."]
      : [];
  const text = [
    `${run.id}: ${result.rescored} rescored, ${result.without} without a final world, ${result.different} not as recorded`,
    `  then  ${line(before, run.rubricDigest)}`,
    `  now   ${line(after, result.rubricDigest)}`,
    ...same,
    ...differences.flatMap(({ record, difference }) => showDifference(record, difference)),
  ];
  output.result(
    {
      run: run.id,
      ...counts,
      before: { rubricDigest: run.rubricDigest, ...before },
      after: { rubricDigest: result.rubricDigest, ...after },
      differences: differences.map(({ record, difference }) => ({ rollout: record.id, ...difference })),
    },
    text.join("\n"),
  );
  if (interruption.signal.aborted) return EXIT.cancelled;
  return result.different > 0 ? EXIT.failed : EXIT.done;
}

interface Summary {
  readonly scores: number;
  readonly scored: number;
  readonly meanReward: number | null;
  readonly passRate: number | null;
}

function summarise(store: Store, run: string, rubricDigest: string): Summary {
  let [scores, scored, sum, passed] = [0, 0, 0, 0];
  for (const { score } of store.graded({ run }, rubricDigest)) {
    scores++;
    if (score.status !== "scored") continue;
    scored++;
    sum += score.reward;
    passed += Number(score.passed);
  }
  return {
    scores,
    scored,
    meanReward: scored === 0 ? null : sum / scored,
    passRate: scored === 0 ? null : passed / scored,
  };
}

const line = ({ scores, scored, meanReward, passRate }: Summary, digest: string) =>
  `reward ${toReward(meanReward)}, passed ${toPercent(passRate)} over ${scored} scored of ${scores}; rubric ${digest.slice(0, 12)}`;
