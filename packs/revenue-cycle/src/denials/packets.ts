/**
 * Packets: what an appeal, a request, an escalation, an adjustment or a statement must cite, and what it may. A packet is complete when all
 * it needs is cited; it strays when it cites a record of the patient that has nothing to do with the case.
 */
import type { Row } from "windtunnel";
import type { DenialFacts } from "./facts.js";
import type { Context } from "./gates.js";
import type { WorkDone } from "./work-done.js";
import type { DenialTables } from "./world.js";

export interface Packet {
  readonly required: readonly string[];
  readonly rows: readonly Row<DenialTables["citations"]>[];
}

/** The packets that the facts call for, with what was cited for each. */
export function packetsOf(facts: DenialFacts, work: WorkDone): Packet[] {
  const cited = (rows: readonly { readonly id: string }[]) =>
    work.citations.filter(({ by }) => rows.some(({ id }) => id === by));
  const packets: Packet[] = [];
  if (facts.appeal !== null) packets.push({ required: facts.appeal.evidence, rows: cited(work.appeals) });
  if (facts.retro !== null) packets.push({ required: facts.retro.evidence, rows: cited(work.retro) });
  if (facts.escalation !== null && facts.escalation.evidence.length > 0)
    packets.push({ required: facts.escalation.evidence, rows: cited(work.escalations) });
  if (facts.basis.length > 0)
    packets.push({ required: facts.basis, rows: cited([...work.adjustments, ...work.statements]) });
  return packets;
}

/** What a packet lacks. */
export const missingFrom = ({ required, rows }: Packet): string[] =>
  required.filter((id) => !rows.some(({ evidence }) => evidence === id));

/**
 * Cited records that prove nothing here. What a payer publishes, and what came with the claims at hand, is never out of place; neither is
 * what a careful person would have opened.
 */
export function strayIn({ after, facts }: Context, packet: Packet, work: WorkDone): string[] {
  const claims = new Set([
    facts.claim,
    facts.correction?.claim,
    ...facts.related,
    ...work.sent.map(({ claim }) => claim.id),
  ]);
  const fitting = new Set([
    ...facts.lookAt,
    ...packet.required,
    ...(facts.appeal?.alsoFitting ?? []),
    ...(facts.escalation?.evidence ?? []),
  ]);
  return packet.rows
    .map(({ evidence }) => evidence)
    .filter((id) => {
      if (fitting.has(id) || after.get("sections", id) !== undefined) return false;
      const claim = after.get("remits", id)?.claim ?? after.get("acknowledgments", id)?.claim;
      if (claim !== undefined) return !claims.has(claim);
      const document = after.get("pages", id)?.document;
      if (document !== undefined) return !fitting.has(document);
      const coverage = after.get("eligibility_answers", id)?.coverage;
      return coverage === undefined || !fitting.has(coverage);
    });
}
