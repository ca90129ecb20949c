/** Rows of the SQLite store to and from the records of the contract. Only named columns are read: drivers add their own properties. */
import type { Rollout } from "../core/rollout.js";
import type { RolloutRecord, Run, StoredScore } from "./store.js";

export type Cell = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, unknown>>;

export const ROLLOUT_COLUMNS = [
  ...[
    "id",
    "task",
    "attempt",
    "archetype",
    "family",
    "split",
    "agent",
    "status",
    "reward",
    "passed",
    "outcome",
    "end_reason",
  ],
  ...[
    "final_state",
    "digest",
    "event_count",
    "turns",
    "tool_calls",
    "tokens",
    "cost_usd",
    "wall_ms",
    "waited_ms",
    "rubric_digest",
    "provenance",
  ],
] as const;

/** A number that is none (a broken usage report) counts as nothing: one such value must not poison every sum. */
const finite = (value: number) => (Number.isFinite(value) ? value : 0);

/** What a rollout is counted as. A reward that is no number is a fault of the verifier, whatever its score claims. */
export function statusOf({ endReason, score }: Rollout): RolloutRecord["status"] {
  if (endReason === "cancelled") return "cancelled";
  return score.status === "scored" && !Number.isFinite(score.reward) ? "errored" : score.status;
}

/** Cells in the order of ROLLOUT_COLUMNS. */
export function toRolloutCells(id: string, rollout: Rollout, digest: string): Cell[] {
  const { task, score, usage, provenance, outcome } = rollout;
  const status = statusOf(rollout);
  const graded = status === "scored" && score.status === "scored" ? score : undefined;
  return [
    id,
    task.id,
    rollout.attempt,
    task.archetype,
    task.family,
    task.split,
    provenance.agent,
    status,
    graded?.reward ?? null,
    graded === undefined ? null : Number(graded.passed),
    outcome === null || !Number.isFinite(outcome.value) ? null : JSON.stringify(outcome),
    rollout.endReason,
    rollout.finalState,
    digest,
    rollout.events.length,
    usage.turns,
    usage.toolCalls,
    finite(usage.tokens),
    finite(usage.costUsd),
    finite(usage.wallMs),
    finite(usage.waitedMs),
    provenance.rubricDigest,
    JSON.stringify(provenance),
  ];
}

export function toRolloutRecord(row: SqlRow, run: string): RolloutRecord {
  return {
    id: row.id as string,
    run,
    task: row.task as string,
    attempt: row.attempt as number,
    archetype: row.archetype as string,
    family: row.family as string,
    split: row.split as RolloutRecord["split"],
    agent: row.agent as string,
    status: row.status as RolloutRecord["status"],
    reward: row.reward as number | null,
    passed: row.passed === null ? null : row.passed === 1,
    outcome: row.outcome === null ? null : JSON.parse(row.outcome as string),
    endReason: row.end_reason as RolloutRecord["endReason"],
    finalState: row.final_state as string,
    digest: row.digest as string,
    eventCount: row.event_count as number,
    usage: {
      turns: row.turns as number,
      toolCalls: row.tool_calls as number,
      tokens: row.tokens as number,
      costUsd: row.cost_usd as number,
      wallMs: row.wall_ms as number,
      waitedMs: row.waited_ms as number,
    },
    provenance: JSON.parse(row.provenance as string),
  };
}

export function toRun(row: SqlRow): Run {
  return {
    id: row.id as string,
    spec: JSON.parse(row.spec as string),
    status: row.status as Run["status"],
    createdAt: row.created_at as string,
    finishedAt: row.finished_at as string | null,
    environment: row.environment as string,
    environmentVersion: row.environment_version as string,
    contractDigest: row.contract_digest as string,
    rubricDigest: row.rubric_digest as string,
    agent: row.agent as string,
    agentVersion: row.agent_version as string,
    wallMs: row.wall_ms as number,
  };
}

export function toStoredScore(row: SqlRow, rollout: string): StoredScore {
  return {
    rollout,
    rubricDigest: row.rubric_digest as string,
    score: JSON.parse(row.score as string),
    at: row.at as string,
  };
}
