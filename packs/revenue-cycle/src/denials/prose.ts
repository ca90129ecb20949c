/**
 * What an agent wrote in free prose, searched for contradictions only: ids, authorization and payer claim numbers that name nothing, and
 * dollar amounts that stand nowhere in the patient's accounts. What prose means is not judged.
 */
import type { Context } from "./gates.js";
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
const DOLLARS = /\$\s?\d[\d,]*(?:\.\d{1,2})?/g;

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
    const [whole = "0", cents = ""] = amount.replace(/[$,\s]/g, "").split(".");
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
