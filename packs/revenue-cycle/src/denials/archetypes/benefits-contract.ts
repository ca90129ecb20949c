/** Finds the clause of the office's contract that a coverage case turns on. */
import { type ClauseKind, CONTRACTS } from "../../reference/contracts.js";
import type { CaseFile } from "../case-file.js";

/** The row of the clause of a kind in the contract with the case's payer. Throws when the contract has none. */
export function clauseOf(file: CaseFile, kind: ClauseKind): string {
  const clause = CONTRACTS.get(file.payer.id).clauses.find((one) => one.kind === kind);
  if (clause === undefined) throw new Error(`the contract with ${file.payer.id} has no ${kind} clause`);
  return file.library(file.payer.id).clause(clause.id);
}
