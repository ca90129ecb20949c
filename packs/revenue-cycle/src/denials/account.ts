/**
 * The account of a claim: everything sent for one service is one family (the claim as first sent and its corrections), and its money lives on
 * the first. Owns who belongs to a family and what is still open. Posts nothing.
 */
import type { Row, World } from "windtunnel";
import { formatCents, toCents } from "../codec/decimal.js";
import type { DenialTables } from "./world.js";

type Claim = Row<DenialTables["claims"]>;
type Line = Row<DenialTables["claim_lines"]>;

/** The claim as first sent, of which `claim` is a correction, or itself. */
export function firstSent(world: World<DenialTables>, claim: Claim): Claim {
  let first = claim;
  while (first.corrects !== null) first = world.need("claims", first.corrects);
  return first;
}

/** The claim as first sent and every correction of it, in the order they were made. */
export function familyOf(world: World<DenialTables>, claim: Claim): readonly Claim[] {
  const first = firstSent(world, claim);
  return world.all("claims").filter((other) => firstSent(world, other).id === first.id);
}

/** The lines of a claim by number. */
export function linesOf(world: World<DenialTables>, claim: string): readonly Line[] {
  return [...world.where("claim_lines", { claim })].sort((a, b) => a.number - b.number);
}

/** The line that carries the money: the same number on the claim as first sent. */
export function accountLine(world: World<DenialTables>, line: Line): Line {
  const first = firstSent(world, world.need("claims", line.claim));
  return linesOf(world, first.id).find(({ number }) => number === line.number) ?? line;
}

/** What is still open on a claim's account; negative is a credit. */
export function openBalance(world: World<DenialTables>, claim: Claim): string {
  return sumOf(entriesOf(world, claim));
}

/** What is still open on one line; entries of no line are left out. */
export function openLineBalance(world: World<DenialTables>, line: Line): string {
  return sumOf(world.where("ledger", { line: accountLine(world, line).id }));
}

/** Ledger entries of a claim's family. */
export function entriesOf(world: World<DenialTables>, claim: Claim): readonly Row<DenialTables["ledger"]>[] {
  const family = new Set(familyOf(world, claim).map(({ id }) => id));
  return world.all("ledger").filter((entry) => family.has(entry.claim));
}

const sumOf = (entries: readonly { readonly amount: string }[]) =>
  formatCents(entries.reduce((sum, { amount }) => sum + toCents(amount), 0));
