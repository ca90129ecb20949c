/**
 * The acts of an episode in the order they were done, and the payers' answers between them: for questions of sequence that the final state
 * alone does not answer. Reads the trace; judges nothing.
 */
import type { CallEvent, Timeline } from "windtunnel";

/** Tools whose calls move a case; closing the item comes after all of them. */
export const MOVING_TOOLS: ReadonlySet<string> = new Set([
  "correction_submit",
  "appeal_submit",
  "retro_auth_submit",
  "records_send",
  "adjust_post",
  "statement_send",
  "statement_hold",
  "refund_request",
  "query_create",
  "escalate",
]);

const OPEN = new Set(["submitted", "accepted", "pended", "sent"]);

/** Position of the call that inserted or sent the row; undefined when no call did. */
export function positionOf(timeline: Timeline, table: string, id: string): number | undefined {
  const touches = (call: CallEvent) =>
    call.changes.some(
      (change) =>
        change.table === table &&
        change.id === id &&
        (change.op === "insert" ? table !== "appeals" : change.op === "update" && change.fields.status?.[1] === "sent"),
    );
  return timeline.first(touches)?.seq;
}

/** Whether the payer answered the claim or the appeal before position `seq`. */
export function answeredBefore(timeline: Timeline, table: "claims" | "appeals", id: string, seq: number): boolean {
  return timeline.events.some(
    (event) =>
      event.type === "world" &&
      event.seq < seq &&
      event.changes.some((change) => {
        if (change.table !== table || change.id !== id || change.op !== "update") return false;
        const status = change.fields.status?.[1];
        return typeof status === "string" && !OPEN.has(status);
      }),
  );
}
