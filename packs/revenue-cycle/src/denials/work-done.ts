/**
 * WorkDone: what an agent made during an episode, read from the visible tables at the end. The rubric asks its questions of this.
 * Knows nothing of what should have been done.
 */
import type { Change, Row, World } from "windtunnel";
import { dateOf } from "./calendar.js";
import type { ClaimChange } from "./facts.js";
import type { DenialTables } from "./world.js";

type Rows<N extends keyof DenialTables> = readonly Row<DenialTables[N]>[];

/** A corrected claim that was sent: the claim first sent of its family, and how it differs from that one, in order of sending. */
export interface SentClaim {
  readonly claim: Row<DenialTables["claims"]>;
  readonly first: Row<DenialTables["claims"]>;
  /** Net differences from the first, in field then line order; lines are the first claim's. */
  readonly changes: readonly ClaimChange[];
}

export interface WorkDone {
  readonly item: Row<DenialTables["items"]> | undefined;
  readonly sent: readonly SentClaim[];
  readonly appeals: Rows<"appeals">;
  readonly retro: Rows<"retro_requests">;
  readonly citations: Rows<"citations">;
  readonly disclosures: Rows<"disclosures">;
  readonly statements: Rows<"statements">;
  readonly holds: Rows<"holds">;
  readonly refunds: Rows<"refunds">;
  readonly queries: Rows<"queries">;
  readonly escalations: Rows<"escalations">;
  readonly notes: Rows<"notes">;
  readonly followUps: Rows<"follow_ups">;
  readonly adjustments: Rows<"ledger">;
  /** Dates of the acts that move the case, earliest first. */
  readonly actDates: readonly string[];
}

const cache = new WeakMap<readonly Change[], WorkDone>();

/** Reads the work of one episode; computed once for all questions of a score. */
export function readWork(context: {
  after: World<DenialTables>;
  before: World<DenialTables>;
  changes: readonly Change[];
  facts: { item: string };
}): WorkDone {
  let work = cache.get(context.changes);
  if (work === undefined) {
    work = read(context.after, context.before, context.facts.item);
    cache.set(context.changes, work);
  }
  return work;
}

function read(after: World<DenialTables>, before: World<DenialTables>, item: string): WorkDone {
  const made = <N extends keyof DenialTables & string>(table: N): Rows<N> =>
    after.all(table).filter((row) => before.get(table, row.id as string) === undefined);
  const firstOf = (claim: Row<DenialTables["claims"]>): Row<DenialTables["claims"]> =>
    claim.corrects === null ? claim : firstOf(after.need("claims", claim.corrects));
  const sent = made("claims")
    .filter(({ corrects }) => corrects !== null)
    .map((claim) => {
      const first = firstOf(claim);
      return { claim, first, changes: differences(after, first, claim) };
    });
  const appeals = after.all("appeals").filter(({ status }) => status !== "draft");
  const retro = after.all("retro_requests").filter(({ status }) => status !== "draft");
  const adjustments = made("ledger").filter(({ by }) => by === "agent");
  const [disclosures, statements, holds, refunds, queries, escalations] = [
    made("disclosures"),
    made("statements"),
    made("holds"),
    made("refunds"),
    made("queries"),
    made("escalations"),
  ] as const;
  const actDates = [
    ...sent.map(({ claim }) => claim.submittedOn),
    ...[...appeals, ...retro].map(({ sentOn }) => sentOn ?? dateOf(after.now)),
    ...[...disclosures, ...statements, ...holds, ...refunds, ...queries, ...escalations, ...adjustments].map(
      ({ on }) => on,
    ),
  ].sort();
  return {
    item: after.get("items", item),
    sent,
    appeals,
    retro,
    citations: after.all("citations"),
    disclosures,
    statements,
    holds,
    refunds,
    queries,
    escalations,
    notes: made("notes"),
    followUps: made("follow_ups"),
    adjustments,
    actDates,
  };
}

function differences(
  world: World<DenialTables>,
  source: Row<DenialTables["claims"]>,
  claim: Row<DenialTables["claims"]>,
): ClaimChange[] {
  const changes: ClaimChange[] = [];
  const note = (field: ClaimChange["field"], line: string | null, value: string) =>
    changes.push({ field, line, value });
  if (claim.coverage !== source.coverage) note("coverage", null, claim.coverage);
  // A claim sent to another coverage carries that coverage's member id; only a member id that differs from it is a change of its own.
  const expectedMember =
    claim.coverage === source.coverage ? source.memberId : world.need("coverages", claim.coverage).memberId;
  if (claim.memberId !== expectedMember) note("memberId", null, claim.memberId);
  for (const field of ["renderingNpi", "orderingNpi", "authorization"] as const) {
    if (claim[field] !== source[field]) note(field, null, claim[field] ?? "");
  }
  for (const diagnosis of claim.diagnoses)
    if (!source.diagnoses.includes(diagnosis)) note("diagnosis", null, diagnosis);
  const lines = world.where("claim_lines", { claim: claim.id });
  for (const old of world.where("claim_lines", { claim: source.id })) {
    const line = lines.find(({ number }) => number === old.number);
    if (line === undefined) continue;
    for (const modifier of line.modifiers) if (!old.modifiers.includes(modifier)) note("modifier", old.id, modifier);
    if (line.units !== old.units) note("units", old.id, line.units);
    if (line.ndc !== old.ndc) note("ndc", old.id, line.ndc ?? "");
  }
  return changes;
}
