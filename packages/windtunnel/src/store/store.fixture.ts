/** Runs and rollouts made by hand, for tests of what keeps and reads them. */
import type { Rollout } from "../core/rollout.js";
import type { Score } from "../core/score.js";
import type { TraceEvent } from "../core/trace.js";
import type { Run } from "./store.js";

export function runOf(id: string, over: Partial<Run> = {}): Omit<Run, "finishedAt" | "wallMs" | "status"> {
  return {
    id,
    spec: { environment: "desk", agent: "reference", split: "train", seed: 7, tasks: 4, attempts: 2 },
    createdAt: "2026-03-02T09:00:00.000Z",
    environment: "desk",
    environmentVersion: "1.0.0",
    contractDigest: "c".repeat(32),
    rubricDigest: "r1",
    agent: "reference",
    agentVersion: "1",
    ...over,
  };
}

export function eventsOf(count: number, text = "hello"): TraceEvent[] {
  return Array.from({ length: count }, (_, seq) => ({
    seq,
    at: 1_000 + seq,
    type: "message" as const,
    turn: seq,
    role: "assistant" as const,
    text: `${text} ${seq}`,
  }));
}

export function scoreOf(reward: number): Score {
  return { status: "scored", reward, passed: reward >= 0.9, results: [] };
}

export function rolloutOf(task: string, attempt: number, over: Partial<Rollout> = {}): Rollout {
  return {
    task: {
      id: task,
      environment: "desk",
      prompt: "Answer the ticket.",
      seed: `desk/${task}`,
      family: "tickets",
      archetype: "refund",
      split: "train",
      sourceGroup: task,
      limits: { turns: 50, toolCalls: 200 },
    },
    attempt,
    events: eventsOf(3, `${task}/${attempt}`),
    endReason: "finished",
    finalState: "f".repeat(32),
    score: scoreOf(1),
    outcome: { value: 12.5, unit: "USD", parts: { paid: 12.5 }, acceptable: true, normalised: 1 },
    provenance: {
      environment: "desk",
      environmentVersion: "1.0.0",
      contractDigest: "c".repeat(32),
      rubricDigest: "r1",
      agent: "reference",
      agentVersion: "1",
      attemptSeed: `7/${task}/${attempt}`,
    },
    usage: { turns: 3, toolCalls: 2, tokens: 100, costUsd: 0.25, wallMs: 12, waitedMs: 2 },
    ...over,
  };
}
