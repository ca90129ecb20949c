/**
 * What an agent wrote in free prose, searched for contradictions only: ids, authorization and payer claim numbers that name nothing, and
 * dollar amounts that stand nowhere in the patient's accounts. What prose means is not judged.
 */
import type { Context } from "./gates.js";
import { patientOf } from "./ownership.js";
import type { WorkDone } from "./work-done.js";
import { tables } from "./world.js";

export interface StoredProse {
  readonly table: string;
  readonly id: string;
  readonly text: string;
}

/** Every prose an agent stored, with the row it stands in. */
export const proseOf = (work: WorkDone): StoredProse[] => [
  ...work.notes.map(({ id, text }) => ({ table: "notes", id, text })),
  ...work.appeals.map(({ id, letter }) => ({ table: "appeals", id, text: letter })),
  ...work.escalations.map(({ id, summary }) => ({ table: "escalations", id, text: summary })),
  ...work.queries.map(({ id, question }) => ({ table: "queries", id, text: question })),
];

const PREFIXES = Object.values(tables).map(({ prefix }) => prefix);
const ROW_ID = new RegExp(`\\b(?:${PREFIXES.join("|")})-\\d{3,}\\b`, "gi");
const AUTHORIZATION = /\bA\d{8}\b/gi;
const PAYER_CLAIM = /\bP\d{11}\b/gi;
const DOLLARS = /(?:\$|\bUSD)\s?\d[\d,]*(?:\.\d{1,2})?/g;

/** Names in `text` that nothing in the world answers to. */
export function unknownNames({ after }: Context, text: string): string[] {
  const plain = text.normalize("NFKC");
  const found = (pattern: RegExp) => (plain.match(pattern) ?? []).map((name) => name.toUpperCase());
  return [
    ...found(ROW_ID).filter((id) => !after.tableNames.some((table) => after.get(table, id) !== undefined)),
    ...found(AUTHORIZATION).filter(
      (number) =>
        !after.all("authorizations").some((row) => row.number === number) &&
        !after.all("claims").some((row) => row.authorization === number),
    ),
    ...found(PAYER_CLAIM).filter(
      (number) =>
        !after.all("claims").some((row) => row.payerClaimNumber === number || row.originalReference === number),
    ),
  ];
}

/** Dollar amounts in `text` that stand nowhere in the accounts. */
export function unknownAmounts({ after }: Context, text: string): string[] {
  const named = (text.normalize("NFKC").match(DOLLARS) ?? []).map((amount) => {
    const [whole = "0", cents = ""] = amount.replace(/[^\d.]/g, "").split(".");
    return `${whole}.${cents.padEnd(2, "0")}`;
  });
  if (named.length === 0) return [];
  const known = new Set<string>();
  for (const { total } of after.all("claims")) known.add(total);
  for (const { charge } of after.all("claim_lines")) known.add(charge);
  for (const { charge, paid, patientResponsibility } of after.all("remits"))
    for (const amount of [charge, paid, patientResponsibility]) known.add(amount);
  for (const { paid, adjustments } of after.all("remit_lines"))
    for (const amount of [paid, ...adjustments.map((one) => one.amount)]) known.add(amount);
  for (const { amount } of [
    ...after.all("ledger"),
    ...after.all("statements"),
    ...after.all("refunds"),
    ...after.all("items"),
  ])
    known.add(amount.replace("-", ""));
  return named.filter((amount) => !known.has(amount));
}

/** Ids of the claims that a case is about. */
export const claimsOf = ({ facts, after }: Context): ReadonlySet<string> => {
  const ours = new Set([
    facts.claim,
    ...facts.related,
    ...facts.lookAt,
    ...[facts.correction, facts.appeal, facts.retro, facts.refund].flatMap((due) => (due === null ? [] : [due.claim])),
  ]);
  for (const { id, corrects } of after.all("claims")) if (corrects !== null && ours.has(corrects)) ours.add(id);
  return ours;
};

const idsIn = (text: string) => (text.normalize("NFKC").match(ROW_ID) ?? []).map((id) => id.toUpperCase());

/** Does the text speak of claims, or of work items, and of none that the case is about? */
export function namesAnotherCase(context: Context, text: string): boolean {
  const ours = new Set([context.facts.item, ...claimsOf(context)]);
  return (["claims", "items"] as const).some((table) => {
    const named = idsIn(text).filter((id) => context.after.get(table, id) !== undefined);
    return named.length > 0 && !named.some((id) => ours.has(id));
  });
}

/** Does the text name another patient, or a record of another patient that the case does not call for? */
export function namesAnotherPatient(context: Context, text: string): boolean {
  const { facts, after } = context;
  const patient = after.get("claims", facts.claim)?.patient;
  const ours = claimsOf(context);
  if (idsIn(text).some((id) => !ours.has(id) && (patientOf(after, id) ?? patient) !== patient)) return true;
  const own = after.get("patients", patient ?? "");
  const known = new Set([
    `${own?.first} ${own?.last}`,
    ...after.all("coverages").flatMap((row) => (row.patient === patient ? [row.subscriber] : [])),
  ]);
  return after
    .all("patients")
    .some(({ first, last }) => !known.has(`${first} ${last}`) && text.includes(`${first} ${last}`));
}
