/**
 * What must hold across a professional claim: its total, its frequency, its diagnosis list and its lines. Owns only
 * rules of the file format; what a payer would say to the claim is not asked here.
 */
import type { ProfessionalClaim } from "./claim-837p.js";
import { compareMoney, parseMoney, sumMoney } from "./decimal.js";
import { type Position, type Problem, type ProblemCode, problemOf } from "./problem.js";

const DIAGNOSES = 12;
const LINES = 50;
const POINTERS = 4;

/** Every rule broken, at the given place; amounts that are no amounts are left to the element check. */
export function claimProblems(claim: ProfessionalClaim, at: Position): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (code: ProblemCode, expected: string, found: string) =>
    problems.push(problemOf(code, at, `claim ${claim.patientControlNumber}: ${expected}`, found));
  const { total, lines, diagnoses, frequency, originalReference } = claim;
  const charges = lines.map((line) => line.charge);
  if (
    [total, ...charges].every((amount) => parseMoney(amount) !== undefined) &&
    compareMoney(total, sumMoney(charges)) !== 0
  )
    add("claim-total", `CLM02 equal to the line charges, ${sumMoney(charges)}`, total);
  if (frequency !== "1" && frequency !== "7" && frequency !== "8")
    add("invalid-code-value", "frequency 1, 7 or 8", String(frequency));
  if (frequency !== "1" && (originalReference ?? "") === "")
    add(
      "original-reference-missing",
      `the payer's claim control number (REF*F8), since frequency is ${frequency}`,
      "none",
    );
  if (diagnoses.length < 1 || diagnoses.length > DIAGNOSES)
    add("diagnosis-list", `1 to ${DIAGNOSES} diagnoses`, String(diagnoses.length));
  const misplaced = diagnoses.findIndex((diagnosis, n) => diagnosis.qualifier !== (n === 0 ? "ABK" : "ABF"));
  if (misplaced !== -1)
    add("diagnosis-list", "ABK first and ABF after it", `${diagnoses[misplaced]?.qualifier} in place ${misplaced + 1}`);
  if (lines.length < 1 || lines.length > LINES) add("line-list", `1 to ${LINES} lines`, String(lines.length));
  lines.forEach((line, n) => {
    if (line.number !== n + 1) add("line-list", `line number ${n + 1}`, String(line.number));
    if (line.modifiers.length > 4) add("line-list", "at most 4 modifiers", line.modifiers.join(":"));
    if (line.pointers.length < 1 || line.pointers.length > POINTERS)
      add("line-list", `1 to ${POINTERS} diagnosis pointers`, line.pointers.join(":"));
    for (const pointer of line.pointers)
      if (!Number.isInteger(pointer) || pointer < 1 || pointer > diagnoses.length)
        add("line-list", `a pointer to one of ${diagnoses.length} diagnoses`, String(pointer));
  });
  return problems;
}
