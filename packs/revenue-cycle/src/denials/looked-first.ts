/**
 * What was opened before the case was moved, and whether what was put on record had been seen: identifiers that no answer of any system
 * had shown were guessed, or came from elsewhere. Reads the trace; judges nothing.
 */
import type { CallEvent } from "windtunnel";
import { MOVING_TOOLS } from "./case-acts.js";
import type { Context } from "./gates.js";

const OPENS: Readonly<Record<string, string>> = {
  item_get: "item",
  claim_get: "claim",
  remit_get: "remit",
  ack_get: "acknowledgment",
  chart_read: "document",
  correspondence_read: "letter",
  library_read: "section",
};

/** Arguments that hold a number which only a record can tell. */
const IDENTIFIERS: ReadonlySet<string> = new Set(["member_id", "npi", "authorization", "ndc"]);
const ROW_ID = /^[A-Z]{2,4}-\d{3,}$/;

type Listing = {
  authorizations?: { authorization: string }[];
  eligibility_answers?: { answer: string }[];
};

/** Records that a call opened. */
function openedBy({ tool, arguments: args, result }: CallEvent, serviceDate: string): string[] {
  const given = args as Readonly<Record<string, string>>;
  const field = OPENS[tool];
  if (field !== undefined) return [given[field] ?? ""];
  const listing = result as Listing;
  if (tool === "auth_search") return (listing.authorizations ?? []).map(({ authorization }) => authorization);
  if (tool === "patient_get") return (listing.eligibility_answers ?? []).map(({ answer }) => answer);
  if (tool === "edits_check") return [`edits of ${given.claim}`];
  if (tool === "eligibility_check" && given.service_date === serviceDate) return [given.coverage ?? ""];
  return [];
}

/** What the case calls for opening and was not opened before it was moved, and the calls that opened the rest. */
export function lookAround({ facts, timeline }: Context): {
  readonly wanted: number;
  readonly unseen: readonly string[];
  readonly events: readonly number[];
} {
  const firstAct =
    timeline.done.find(({ tool }) => MOVING_TOOLS.has(tool) || tool === "item_close")?.seq ?? Number.POSITIVE_INFINITY;
  const opened = new Map<string, number>();
  for (const call of timeline.done) {
    if (call.seq > firstAct) break;
    for (const id of openedBy(call, facts.serviceDate)) if (!opened.has(id)) opened.set(id, call.seq);
  }
  const wanted = [facts.item, facts.claim, ...facts.lookAt, ...(facts.lookAtEdits ? [`edits of ${facts.claim}`] : [])];
  return {
    wanted: wanted.length,
    unseen: wanted.filter((id) => !opened.has(id)),
    events: [...new Set(wanted.flatMap((id) => opened.get(id) ?? []))],
  };
}

/** Identifiers that a call put forward before anything had shown them, with the call. */
export function unseenIdentifiers({ task, timeline }: Context): { value: string; event: number }[] {
  const seen = new Set<string>();
  const texts: string[] = [task.prompt];
  const show = (value: unknown): void => {
    if (typeof value === "string") {
      seen.add(value);
      if (value.length > 12) texts.push(value);
    } else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) show(inner);
  };
  const found: { value: string; event: number }[] = [];
  for (const { seq, arguments: args, result, changes } of timeline.done) {
    for (const [name, value] of Object.entries(args as Record<string, unknown>)) {
      if (changes.length === 0 || typeof value !== "string" || !(IDENTIFIERS.has(name) || ROW_ID.test(value))) continue;
      if (!seen.has(value) && !texts.some((text) => text.includes(value))) found.push({ value, event: seq });
    }
    show(result);
  }
  return found;
}
