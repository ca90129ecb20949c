/**
 * Replay: proof that a rollout is what it says. Every recorded action is done again in a world made anew, and events, state and score
 * must come out the same, byte for byte.
 */
import type { AnyEnvironment, Scenario, TaskSource } from "../core/environment.js";
import type { Fault } from "../core/fault.js";
import { brokenScore, scoreEpisode } from "../core/rollout.js";
import type { Score } from "../core/score.js";
import type { TraceEvent } from "../core/trace.js";
import { sealRollout, toPages } from "../store/chunk.js";
import type { RolloutRecord, Store } from "../store/store.js";
import { type Difference, firstDifference } from "./difference.js";
import { Pace } from "./pace.js";
import { reexecute } from "./reexecute.js";
import { openScenarios } from "./scenarios.js";

export type ReplayResult =
  | {
      readonly equal: true;
      /** False when the score was not made again: the rubric has changed since, or what broke the rollout came from outside. */
      readonly scoreCompared: boolean;
    }
  | { readonly equal: false; readonly difference: Difference };

export interface ReplayedRollout {
  readonly record: RolloutRecord;
  readonly events: readonly TraceEvent[];
  /** As it was stored, under the rubric the rollout was made with. */
  readonly score: Score;
}

/** Makes one rollout again and compares. `scenario` is its task's, or the error that opening it ended with. */
export async function replayRollout(
  environment: AnyEnvironment,
  scenario: Scenario | Fault,
  rollout: ReplayedRollout,
): Promise<ReplayResult> {
  const { record, events, score } = rollout;
  const seal = sealRollout(toPages(events), record.finalState, JSON.stringify(score));
  if (seal !== record.digest) return differs({ seq: null, path: "digest", expected: record.digest, actual: seal });
  if (scenario instanceof Error || events.length === 0) return replayUnopened(scenario, rollout);

  const { episode, fault, difference } = await reexecute(environment, scenario, record.provenance.attemptSeed, events);
  if (difference !== undefined) return differs(difference);
  const finalState = episode.world.hash();
  if (finalState !== record.finalState)
    return differs({ seq: null, path: "finalState", expected: record.finalState, actual: finalState });
  const broken = episode.ended === "fault" || episode.ended === "cancelled";
  if ((broken && fault === undefined) || environment.rubric.digest !== record.provenance.rubricDigest)
    return { equal: true, scoreCompared: false };
  const again =
    fault === undefined ? scoreEpisode(environment, scenario, episode.events, episode.world) : brokenScore(fault);
  const scoreDifference = firstDifference(score, again, null, "score");
  return scoreDifference === undefined ? { equal: true, scoreCompared: true } : differs(scoreDifference);
}

const differs = (difference: Difference): ReplayResult => ({ equal: false, difference });

/** A rollout whose world could not be generated replays when it still cannot, for the same reason. */
function replayUnopened(scenario: Scenario | Fault, { events, score }: ReplayedRollout): ReplayResult {
  const actual = scenario instanceof Error ? brokenScore(scenario) : undefined;
  if (events.length > 0)
    return differs({
      seq: 0,
      path: "",
      expected: events[0],
      actual: actual?.status === "errored" ? actual.reason : actual,
    });
  const difference = firstDifference(score, actual, null, "score");
  return difference === undefined ? { equal: true, scoreCompared: true } : differs(difference);
}

export interface ReplayRequest {
  readonly store: Store;
  readonly run: string;
  readonly environment: AnyEnvironment;
  readonly tasks: TaskSource;
  readonly signal?: AbortSignal;
  /** Called after each rollout. */
  onReplayed?(record: RolloutRecord, result: ReplayResult): void;
}

export interface RunReplay {
  readonly replayed: number;
  readonly equal: number;
  /** Of the equal ones, those whose score was made again too. */
  readonly scoresCompared: number;
  readonly different: number;
  /** The first few that differ. */
  readonly differences: readonly { readonly record: RolloutRecord; readonly difference: Difference }[];
}

const DIFFERENCES_KEPT = 20;

/** Replays every rollout of a run in the order it was committed, holding one at a time; stops early on `signal`. */
export async function replayRun(request: ReplayRequest): Promise<RunReplay> {
  const { store, run, environment, tasks, signal } = request;
  const scenarioOf = openScenarios(tasks);
  const pace = new Pace();
  const differences: { record: RolloutRecord; difference: Difference }[] = [];
  let [equal, scoresCompared, different] = [0, 0, 0];
  for (const { record, score } of store.graded({ run })) {
    if (signal?.aborted === true) break;
    const result = await replayRollout(environment, scenarioOf(record.task), {
      record,
      score,
      events: await store.events(record.id),
    });
    if (result.equal) {
      equal++;
      if (result.scoreCompared) scoresCompared++;
    } else {
      different++;
      if (differences.length < DIFFERENCES_KEPT) differences.push({ record, difference: result.difference });
    }
    request.onReplayed?.(record, result);
    await pace.breathe();
  }
  return { replayed: equal + different, equal, scoresCompared, different, differences };
}
