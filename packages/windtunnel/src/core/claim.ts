/**
 * Claims: what an agent asserts (in a closing note, an escalation, an appeal) reconciled with what the world holds.
 * Typed claims are compared field by field; free prose is only searched for ids and amounts that contradict.
 */
import { forAll, met, unmet, type Verdict } from "./verdict.js";
import type { Tables, World } from "./world.js";

/** An assertion: the row `id` of `table` has `value` in `field`. */
export interface Claim {
  readonly table: string;
  readonly id: string;
  readonly field: string;
  readonly value: unknown;
}

/** Every claim holds in the world. No claims at all is unscored, never a pass. */
export function reconcileClaims<T extends Tables>(world: World<T>, claims: readonly Claim[]): Verdict {
  return forAll(claims, "claims", ({ table, id, field, value }) => {
    if (!world.tableNames.includes(table))
      return unmet(`claims something of "${table}", which is no record of this world`);
    const row = world.get(table, id) as Readonly<Record<string, unknown>> | undefined;
    if (row === undefined) return unmet(`claims something of ${table} ${id}, which does not exist`);
    const evidence = [{ table, id, field }];
    return JSON.stringify(row[field]) === JSON.stringify(value)
      ? met(`${id}.${field} is ${JSON.stringify(value)}`, evidence)
      : unmet(`claims ${id}.${field} is ${JSON.stringify(value)}; it is ${JSON.stringify(row[field])}`, evidence);
  });
}

/** Ids of the given shape and amounts of money in `text` that are not among the known ones, in order of appearance. */
export function findContradictions(
  text: string,
  known: { ids: ReadonlySet<string>; amounts: ReadonlySet<string> },
): string[] {
  const plain = text.normalize("NFKC");
  const unknownIds = (plain.match(/\b[A-Z]{2,5}-\d{4,}\b/g) ?? []).filter((id) => !known.ids.has(id));
  const amounts = (plain.match(/\$\s?\d[\d,]*(?:\.\d{1,2})?/g) ?? []).map((text) => {
    const [whole = "0", cents = ""] = text.replace(/[$,\s]/g, "").split(".");
    return { text, value: `${whole}.${cents.padEnd(2, "0")}` };
  });
  return [...unknownIds, ...amounts.filter(({ value }) => !known.amounts.has(value)).map(({ text }) => text)];
}
