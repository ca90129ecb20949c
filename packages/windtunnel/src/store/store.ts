/**
 * Store: where rollouts are kept. This file is the contract; sqlite.ts is the embedded implementation and store.suite.ts is what any
 * implementation must pass. Completed means committed: nothing is acknowledged before it is durable against the death of the process.
 */
import { hashText } from "../core/hash.js";
import type { OutcomeResult, Provenance, Rollout, RolloutUsage } from "../core/rollout.js";
import type { Score } from "../core/score.js";
import type { Split } from "../core/task.js";
import type { EndReason, TraceEvent } from "../core/trace.js";

export type RunStatus = "running" | "done" | "cancelled" | "failed";

/** What a run was asked to do: enough to resume it. */
export interface RunSpec {
  /** As the user named it: "revenue-cycle/denials" or a path. */
  readonly environment: string;
  /** As the user named it: "reference", "idle", "replay:RUN", a path, or "model". */
  readonly agent: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly split: Split;
  readonly seed: number;
  readonly tasks: number;
  readonly attempts: number;
  /** File of imported tasks, when the tasks are not generated. */
  readonly tasksFrom?: string;
  readonly maxCostUsd?: number;
}

export interface Run {
  readonly id: string;
  readonly spec: RunSpec;
  readonly status: RunStatus;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly environment: string;
  readonly environmentVersion: string;
  readonly contractDigest: string;
  readonly rubricDigest: string;
  readonly agent: string;
  readonly agentVersion: string;
  /** Wall time spent running, over all its resumes, ms. */
  readonly wallMs: number;
}

/** One row of a list of rollouts: everything but the trace. */
export interface RolloutRecord {
  readonly id: string;
  readonly run: string;
  readonly task: string;
  readonly attempt: number;
  readonly archetype: string;
  readonly family: string;
  readonly split: Split;
  readonly agent: string;
  readonly status: "scored" | "unscored" | "errored" | "cancelled";
  /** Null unless status is scored. */
  readonly reward: number | null;
  readonly passed: boolean | null;
  readonly outcome: OutcomeResult | null;
  readonly endReason: EndReason;
  readonly finalState: string;
  /** SHA-256 of the rollout's canonical bytes: trace, final state, score. */
  readonly digest: string;
  readonly eventCount: number;
  readonly usage: RolloutUsage;
  readonly provenance: Provenance;
}

export interface RolloutQuery {
  readonly run?: string;
  readonly status?: RolloutRecord["status"];
  readonly passed?: boolean;
  readonly archetype?: string;
  readonly task?: string;
  /** Rows after this rollout id, for paging. */
  readonly after?: string;
  readonly limit?: number;
}

/** A score given to a rollout; a changed rubric adds one, it never replaces one. */
export interface StoredScore {
  readonly rollout: string;
  readonly rubricDigest: string;
  readonly score: Score;
  readonly at: string;
}

export interface GradedRecord {
  readonly record: RolloutRecord;
  readonly score: Score;
}

/** What a run has committed so far, in one count. */
export interface RunTotals {
  readonly completed: number;
  readonly scored: number;
  readonly unscored: number;
  readonly errored: number;
  readonly cancelled: number;
  readonly passed: number;
  /** Over scored rollouts. */
  readonly rewardSum: number;
  readonly tokens: number;
  readonly costUsd: number;
}

/** The id of a rollout: the same whoever commits it. */
export const toRolloutId = (run: string, task: string, attempt: number) =>
  `ro-${hashText(`${run}/${task}/${attempt}`).slice(0, 16)}`;

export interface Store {
  /** Throws UsageError when a run of this id exists. */
  createRun(run: Omit<Run, "finishedAt" | "wallMs" | "status">): void;
  /** Sets the status ("running" when a run is resumed) and adds to the wall time. Throws UsageError on an unknown run. */
  finishRun(id: string, status: RunStatus, addWallMs: number): void;
  run(id: string): Run | undefined;
  /** Newest first. */
  runs(options?: { limit?: number; environment?: string }): Run[];
  /** Keys "task attempt" of what a run has committed. */
  completed(run: string): Set<string>;
  /** Attempts of one task that a run has committed, ascending. */
  completedAttempts(run: string, task: string): number[];
  totals(run: string): RunTotals;
  /** Commits a batch in one transaction and resolves when it is durable. A rollout already there (same run, task, attempt) is kept as it was. */
  commit(run: string, rollouts: readonly Rollout[]): Promise<void>;
  /** Streams in order of commit; never loads the whole run. */
  rollouts(query: RolloutQuery): Iterable<RolloutRecord>;
  /** The same with each rollout's score under a rubric (by default the one it was made with); those that have none are left out. */
  graded(query: RolloutQuery, rubricDigest?: string): Iterable<GradedRecord>;
  rollout(id: string): RolloutRecord | undefined;
  /** Events `from` .. `from + limit` of a rollout's trace, without loading the rest; all from `from` on when no limit is given. */
  events(rollout: string, options?: { from?: number; limit?: number }): Promise<TraceEvent[]>;
  /** By default under the rubric the rollout was made with. */
  score(rollout: string, rubricDigest?: string): StoredScore | undefined;
  scores(rollout: string): StoredScore[];
  /** One transaction. A score already there (same rollout and rubric) is kept as it was. */
  addScores(scores: readonly StoredScore[]): void;
  /** With all its rollouts. No-op when there is none. */
  removeRun(id: string): void;
  close(): Promise<void>;
}
