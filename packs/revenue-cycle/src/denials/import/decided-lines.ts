/** Which line of a claim a remittance line decides on, and what is decided on the claim as a whole. */
import {
  type Adjustment,
  type ClaimLine,
  type ClaimPayment,
  compareMoney,
  type PaymentLine,
  type Procedure,
} from "../../codec/index.js";
import type { Filing } from "./accounts.js";

/** One decision on one line; `line` is the claim line's number. */
export interface DecidedLine {
  readonly line: number;
  readonly hcpcs: string;
  readonly charge: string;
  readonly paid: string;
  readonly adjustments: readonly Adjustment[];
  readonly remarks: readonly string[];
}

export interface DecidedClaim {
  readonly lines: readonly DecidedLine[];
  /** What no line of the claim carries: adjustments of the whole claim, and lines that the claim does not have. */
  readonly rest: readonly { readonly paid: string; readonly adjustments: readonly Adjustment[] }[];
  /** Lines of the remittance that fit none of the claim. */
  readonly strangers: readonly PaymentLine[];
}

/** Splits a decision by the lines of the filing that it is about. */
export function decidedLines(filing: Filing, payment: ClaimPayment): DecidedClaim {
  const { lines: billed } = filing.claim;
  const whole = { paid: "0", adjustments: payment.adjustments };
  if (payment.lines.length === 0) {
    const lines = spreadWhole(billed, payment);
    return { lines, rest: lines.length > 0 ? [] : [{ ...whole, paid: payment.paid }], strangers: [] };
  }
  const taken = new Set<number>();
  const lines: DecidedLine[] = [];
  const strangers: PaymentLine[] = [];
  for (const decided of payment.lines) {
    const line = fitting(billed, decided, taken);
    if (line === undefined) strangers.push(decided);
    else {
      taken.add(line.number);
      const { hcpcs, charge, paid, adjustments, remarks } = decided;
      lines.push({ line: line.number, hcpcs, charge, paid, adjustments, remarks });
    }
  }
  return { lines, rest: [...(payment.adjustments.length > 0 ? [whole] : []), ...strangers], strangers };
}

/** A decision without lines, put on the claim's lines where that is exact: the claim has one line, or is refused whole for one reason. */
function spreadWhole(
  billed: readonly ClaimLine[],
  { charge, paid, adjustments, remarks }: ClaimPayment,
): DecidedLine[] {
  const [only, ...others] = billed;
  if (only !== undefined && others.length === 0)
    return [{ line: only.number, hcpcs: only.hcpcs, charge, paid, adjustments, remarks }];
  const [reason, ...further] = adjustments;
  const refusedWhole =
    reason !== undefined &&
    further.length === 0 &&
    compareMoney(paid, "0") === 0 &&
    compareMoney(reason.amount, charge) === 0;
  if (!refusedWhole) return [];
  return billed.map((line) => ({
    line: line.number,
    hcpcs: line.hcpcs,
    charge: line.charge,
    paid: "0",
    adjustments: [{ group: reason.group, reason: reason.reason, amount: line.charge }],
    remarks,
  }));
}

const sameProcedure = (a: Procedure, b: Procedure) =>
  a.hcpcs === b.hcpcs && JSON.stringify([...a.modifiers].sort()) === JSON.stringify([...b.modifiers].sort());

/** The line by its own reference, else by what was billed; a payer may decide one line in several parts. */
function fitting(
  billed: readonly ClaimLine[],
  decided: PaymentLine,
  taken: ReadonlySet<number>,
): ClaimLine | undefined {
  const procedure = decided.original ?? decided;
  const sameCharge = (line: ClaimLine) => compareMoney(line.charge, decided.charge.replace("-", "")) === 0;
  const free = billed.filter(({ number }) => !taken.has(number));
  return (
    billed.find(({ controlNumber }) => controlNumber !== undefined && controlNumber === decided.controlNumber) ??
    free.find((line) => sameProcedure(line, procedure) && sameCharge(line)) ??
    free.find((line) => sameProcedure(line, procedure)) ??
    free.find((line) => line.hcpcs === procedure.hcpcs) ??
    billed.find((line) => line.hcpcs === procedure.hcpcs) ??
    free.find(sameCharge)
  );
}
