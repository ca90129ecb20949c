/**
 * Does a remittance add up? Owns the balance formulas of an 835 and nothing else: an unbalanced file is still a
 * file. Adjustments lower a payment, so a positive PLB amount lowers it too.
 */
import { compareMoney, type Money, subtractMoney, sumMoney } from "./decimal.js";
import type { ClaimPayment, PaymentLine, Remittance } from "./remittance-835.js";

/**
 * line: SVC03 = SVC02 − ΣCAS(line). claim: CLP04 = CLP03 − ΣCAS(claim) − ΣCAS(lines). claim-lines: ΣSVC03 = CLP04 +
 * ΣCAS(claim), where the claim has lines. patient-responsibility: CLP05 = ΣPR of claim and lines, reversals (22)
 * excepted. payment: BPR02 = ΣCLP04 − ΣPLB. payment-sign: BPR02 is never negative; an FB adjustment carries the rest.
 */
export type BalanceFormula = "line" | "claim" | "claim-lines" | "patient-responsibility" | "payment" | "payment-sign";

export interface BalanceProblem {
  readonly formula: BalanceFormula;
  /** The claim's place in the remittance, from 0, and its number; absent for the payment's formulas. */
  readonly claim?: { readonly index: number; readonly patientControlNumber: string };
  /** The line's place in the claim, from 0. */
  readonly line?: number;
  readonly expected: Money;
  readonly found: Money;
  readonly message: string;
}

const REVERSAL = "22";

/** Every formula that does not hold, with what it asks and what the file says; empty for a remittance that adds up. */
export function balanceRemittance(remittance: Remittance): BalanceProblem[] {
  const problems: BalanceProblem[] = [];
  remittance.claims.forEach((claim, index) => {
    problems.push(...balanceClaim(claim, index));
  });
  const { paid } = remittance;
  const claims = sumMoney(remittance.claims.map((claim) => claim.paid));
  const withheld = sumMoney(remittance.providerAdjustments.map((adjustment) => adjustment.amount));
  compare(problems, { formula: "payment" }, subtractMoney(claims, withheld), paid);
  if (compareMoney(paid, "0") < 0) problems.push(problem({ formula: "payment-sign" }, "0.00", paid));
  return problems;
}

type Place = Pick<BalanceProblem, "formula" | "claim" | "line">;

function balanceClaim(claim: ClaimPayment, index: number): BalanceProblem[] {
  const problems: BalanceProblem[] = [];
  const at = { index, patientControlNumber: claim.patientControlNumber };
  const { lines, charge, paid } = claim;
  lines.forEach((line, n) => {
    const expected = subtractMoney(line.charge, adjusted(line));
    compare(problems, { formula: "line", claim: at, line: n }, expected, line.paid);
  });
  const atLines = sumMoney(lines.map((line) => adjusted(line)));
  const atClaim = adjusted(claim);
  compare(problems, { formula: "claim", claim: at }, subtractMoney(charge, sumMoney([atClaim, atLines])), paid);
  const linesPaid = sumMoney(lines.map((line) => line.paid));
  if (lines.length > 0) compare(problems, { formula: "claim-lines", claim: at }, sumMoney([paid, atClaim]), linesPaid);
  if (claim.status === REVERSAL) return problems;
  const owed = sumMoney([claim, ...lines].map((part) => adjusted(part, "PR")));
  compare(problems, { formula: "patient-responsibility", claim: at }, owed, claim.patientResponsibility ?? "0");
  return problems;
}

function adjusted({ adjustments }: Pick<ClaimPayment | PaymentLine, "adjustments">, group?: "PR"): Money {
  const counted = group === undefined ? adjustments : adjustments.filter((adjustment) => adjustment.group === group);
  return sumMoney(counted.map((adjustment) => adjustment.amount));
}

function compare(problems: BalanceProblem[], place: Place, expected: Money, found: Money): void {
  if (compareMoney(expected, found) !== 0) problems.push(problem(place, expected, found));
}

function problem(place: Place, expected: Money, found: Money): BalanceProblem {
  const claim = place.claim === undefined ? "payment" : `claim ${place.claim.patientControlNumber}`;
  const line = place.line === undefined ? "" : `, line ${place.line + 1}`;
  return {
    ...place,
    expected,
    found,
    message: `${place.formula} of ${claim}${line}: expected ${expected}, found ${found}`,
  };
}
