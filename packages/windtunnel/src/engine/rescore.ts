/**
 * Rescore: an old run under today's rubric. Each rollout's final world is made again by re-execution and the new score is kept beside the
 * old. A rollout that does not come out as recorded gets no new score: its world is not the one that was judged.
 */
import { scoreEpisode } from "../core/rollout.js";
import type { RolloutRecord, StoredScore } from "../store/store.js";
import type { Difference } from "./difference.js";
import { Pace } from "./pace.js";
import { reexecute } from "./reexecute.js";
import type { ReplayRequest } from "./replay.js";
import { openScenarios } from "./scenarios.js";

export interface RescoreRequest extends Omit<ReplayRequest, "onReplayed"> {
  onRescored?(record: RolloutRecord, score: StoredScore | undefined): void;
}

export interface RunRescore {
  readonly rubricDigest: string;
  readonly rescored: number;
  /** Broken or unopened rollouts: they have no final world to judge, under any rubric. */
  readonly without: number;
  /** Rollouts that did not re-execute as recorded. */
  readonly different: number;
  readonly differences: readonly { readonly record: RolloutRecord; readonly difference: Difference }[];
}

const BATCH = 64;
const DIFFERENCES_KEPT = 20;

/** Adds a score under `environment.rubric.digest` to every rollout of the run that has a final world; one already there is kept. */
export async function rescoreRun(request: RescoreRequest): Promise<RunRescore> {
  const { store, run, environment, tasks, signal } = request;
  const rubricDigest = environment.rubric.digest;
  const scenarioOf = openScenarios(tasks);
  const pace = new Pace();
  const batch: StoredScore[] = [];
  const differences: { record: RolloutRecord; difference: Difference }[] = [];
  let [rescored, without, different] = [0, 0, 0];
  const flush = () => store.addScores(batch.splice(0));
  for (const record of store.rollouts({ run })) {
    if (signal?.aborted === true) break;
    const scenario = scenarioOf(record.task);
    const broken = record.endReason === "fault" || record.endReason === "cancelled";
    if (broken || scenario instanceof Error) {
      without++;
      request.onRescored?.(record, undefined);
      continue;
    }
    const { episode, difference } = await reexecute(
      environment,
      scenario,
      record.provenance.attemptSeed,
      await store.events(record.id),
    );
    const moved = difference ?? stateDifference(record, episode.world.hash());
    let added: StoredScore | undefined;
    if (moved === undefined) {
      const score = scoreEpisode(environment, scenario, episode.events, episode.world);
      added = { rollout: record.id, rubricDigest, score, at: new Date().toISOString() };
      batch.push(added);
      rescored++;
      if (batch.length >= BATCH) flush();
    } else {
      different++;
      if (differences.length < DIFFERENCES_KEPT) differences.push({ record, difference: moved });
    }
    request.onRescored?.(record, added);
    await pace.breathe();
  }
  flush();
  return { rubricDigest, rescored, without, different, differences };
}

const stateDifference = ({ finalState }: RolloutRecord, actual: string): Difference | undefined =>
  actual === finalState ? undefined : { seq: null, path: "finalState", expected: finalState, actual };
