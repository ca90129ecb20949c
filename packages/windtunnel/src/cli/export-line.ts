/** One line of an export: a rollout whole, as JSON. The schema here is the published one; a change that breaks readers changes its name. */
import { z } from "zod";
import type { TraceEvent } from "../core/trace.js";
import type { RolloutRecord, StoredScore } from "../store/store.js";

const record = z.record(z.string(), z.unknown());
const base = {
  seq: z.int().describe("Position in the trace, from 0."),
  at: z.number().describe("The world's clock, ms since the Unix epoch."),
};
const row = { table: z.string(), id: z.string() };
const change = z.discriminatedUnion("op", [
  z.strictObject({ ...row, op: z.literal("insert"), row: record }),
  z.strictObject({ ...row, op: z.literal("remove"), row: record }),
  z.strictObject({
    ...row,
    op: z.literal("update"),
    fields: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])).describe("Changed fields as [before, after]."),
  }),
]);
const event = z.discriminatedUnion("type", [
  z.strictObject({ ...base, type: z.literal("start"), version: z.int(), task: z.string(), state: z.string() }),
  z.strictObject({
    ...base,
    type: z.literal("message"),
    turn: z.int(),
    role: z.enum(["system", "user", "assistant"]),
    text: z.string(),
  }),
  z.strictObject({
    ...base,
    type: z.literal("call"),
    turn: z.int(),
    call: z.string(),
    tool: z.string(),
    arguments: z.unknown().describe("As the agent gave them: an object, or the raw text it wrote. Encoded once."),
    ok: z.boolean(),
    result: z.unknown().describe("The value returned, or the failure."),
    fault: z.string().optional().describe("The outage that the simulated system met on this call."),
    changes: z.array(change),
    state: z.string(),
  }),
  z.strictObject({ ...base, type: z.literal("world"), kind: z.string(), changes: z.array(change) }),
  z.strictObject({
    ...base,
    type: z.literal("end"),
    terminated: z.boolean(),
    truncated: z.boolean(),
    reason: z.string(),
    state: z.string(),
  }),
]);
const evidence = z.union([
  z.strictObject({ event: z.int(), note: z.string().optional() }),
  z.strictObject({ ...row, field: z.string().optional(), note: z.string().optional() }),
]);
const verdict = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("scored"),
    value: z.number().min(0).max(1),
    reason: z.string(),
    evidence: z.array(evidence),
  }),
  z.strictObject({ kind: z.literal("notApplicable"), reason: z.string() }),
  z.strictObject({ kind: z.literal("unscored"), reason: z.string() }),
  z.strictObject({ kind: z.literal("errored"), boundary: z.string(), cause: z.string() }),
]);
const result = z.strictObject({
  name: z.string(),
  version: z.int(),
  role: z.enum(["gate", "criterion"]),
  critical: z.boolean(),
  points: z.number(),
  verdict,
  earned: z.number().describe("Share of the reward that this criterion added, 0 to 1."),
});

export const EXPORT_FORMAT = "windtunnel.rollout/1";

export const exportLine = z
  .strictObject({
    format: z.literal(EXPORT_FORMAT),
    id: z.string(),
    run: z.string(),
    task: z.strictObject({
      id: z.string(),
      archetype: z.string(),
      family: z.string(),
      split: z.enum(["train", "validation", "sealed"]),
    }),
    attempt: z.int().min(0),
    status: z.enum(["scored", "unscored", "errored", "cancelled"]),
    reward: z.number().min(0).max(1).nullable().describe("Null unless status is scored: a missing reward is never 0."),
    passed: z.boolean().nullable(),
    reason: z.string().nullable().describe("Why there is no reward, when there is none."),
    rubricDigest: z.string(),
    results: z.array(result),
    outcome: z
      .strictObject({
        value: z.number(),
        normalised: z
          .number()
          .nullable()
          .describe("0 for doing nothing, 1 for the reference; null where the two are equal."),
        acceptable: z.boolean(),
        parts: z.record(z.string(), z.number()),
      })
      .nullable(),
    endReason: z.string(),
    terminated: z.boolean(),
    truncated: z.boolean(),
    events: z.array(event),
    finalState: z.string(),
    digest: z.string().describe("SHA-256 of the rollout's canonical bytes: trace, final state, score."),
    usage: z.strictObject({
      turns: z.int(),
      toolCalls: z.int(),
      tokens: z.number(),
      costUsd: z.number(),
      wallMs: z.number(),
      waitedMs: z.number(),
    }),
    provenance: z.record(z.string(), z.string()),
  })
  .meta({ title: "Windtunnel rollout", description: `One line of \`windtunnel export\`, format ${EXPORT_FORMAT}.` });

export type ExportLine = z.input<typeof exportLine>;

/** The line of a rollout. `stored` is the score to export: by default the one it was made with. */
export function toExportLine(
  rollout: RolloutRecord,
  events: readonly TraceEvent[],
  stored: StoredScore | undefined,
): ExportLine {
  const {
    id,
    run,
    task,
    archetype,
    family,
    split,
    attempt,
    status,
    outcome,
    endReason,
    finalState,
    digest,
    usage,
    provenance,
  } = rollout;
  const score = stored?.score;
  const end = events.at(-1);
  const line = {
    format: EXPORT_FORMAT,
    id,
    run,
    task: { id: task, archetype, family, split },
    attempt,
    status,
    reward: rollout.reward,
    passed: rollout.passed,
    reason: score === undefined || score.status === "scored" ? null : score.reason,
    rubricDigest: stored?.rubricDigest ?? provenance.rubricDigest,
    results: score?.results ?? [],
    outcome:
      outcome === null
        ? null
        : {
            value: outcome.value,
            normalised: outcome.normalised,
            acceptable: outcome.acceptable,
            parts: outcome.parts,
          },
    endReason,
    terminated: end?.type === "end" && end.terminated,
    truncated: end?.type === "end" && end.truncated,
    events,
    finalState,
    digest,
    usage,
    provenance,
  };
  return line as unknown as ExportLine;
}

/** The published JSON Schema (2020-12) of a line. */
export const exportSchema = () => z.toJSONSchema(exportLine, { target: "draft-2020-12", io: "input" });
