/**
 * Which filing an answer is about. Answers carry the office's control number and often the payer's; where several filings share them, what
 * else agrees decides (patient, payer's number, batch, payer's place in line, amount, date), and the latest wins among equals.
 */
import { compareMoney, type Responsibility } from "../../codec/index.js";
import type { Filing } from "./accounts.js";
import type { ImportProblem } from "./import-files.js";
import type { ReadDecision, ReadReceipt } from "./read-files.js";

type Index = ReadonlyMap<string, readonly Filing[]>;

const same = (a: string | undefined, b: string | undefined) =>
  a !== undefined && b !== undefined && a.trim().toUpperCase() === b.trim().toUpperCase();

/** The best of the filings by points; the latest among equals. */
function best(filings: readonly Filing[], points: (filing: Filing) => number): Filing | undefined {
  let [winner, most]: [Filing | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
  for (const filing of filings) {
    const own = points(filing);
    if (own >= most) [winner, most] = [filing, own];
  }
  return winner;
}

function isOf({ claim }: Filing, patient: { readonly name: string; readonly memberId?: string } | undefined): boolean {
  return (
    same(claim.subscriber.memberId, patient?.memberId) ||
    same((claim.patient ?? claim.subscriber).name, patient?.name) ||
    same(claim.subscriber.name, patient?.name)
  );
}

function withoutRepeats<T extends { readonly file: string }>(
  list: readonly T[],
  keyOf: (one: T) => unknown,
  placeOf: (one: T) => string,
  warnings: ImportProblem[],
): T[] {
  const seen = new Set<string>();
  return list.filter((one) => {
    const key = JSON.stringify(keyOf(one));
    const again = seen.has(key);
    seen.add(key);
    if (again)
      warnings.push({
        file: one.file,
        at: placeOf(one),
        code: "same_answer",
        message: "the same answer stands twice in the files; it is kept once",
      });
    return !again;
  });
}

const unmatched = (file: string, at: string, code: string, what: string): ImportProblem => ({
  file,
  at,
  code,
  message: `${what} that is in none of the claim files; it is left out`,
});

/** Puts each acknowledgment with its filing; returns what is about no claim of the files. */
export function linkReceipts(receipts: readonly ReadReceipt[], index: Index): readonly ImportProblem[] {
  const warnings: ImportProblem[] = [];
  const placeOf = ({ acknowledgment }: ReadReceipt) => `TRN02 ${acknowledgment.patientControlNumber}`;
  const keyOf = ({ acknowledgment: { header, patientControlNumber, statuses, informationSource } }: ReadReceipt) => [
    header.reference,
    header.date,
    informationSource.id,
    patientControlNumber,
    statuses,
  ];
  const list = withoutRepeats(receipts, keyOf, placeOf, warnings);
  for (const receipt of list.sort((a, b) => compare(receivedOn(a), receivedOn(b)))) {
    const { acknowledgment } = receipt;
    const filing = best(
      index.get(acknowledgment.patientControlNumber) ?? [],
      (one) =>
        (isOf(one, acknowledgment.patient) ? 16 : 0) +
        (same(one.claim.submission.reference, acknowledgment.receiver.batchReference) ? 8 : 0) +
        (one.claim.submission.date <= receivedOn(receipt) ? 4 : 0),
    );
    if (filing === undefined) {
      warnings.push(unmatched(receipt.file, placeOf(receipt), "ack_unmatched", "acknowledges a claim"));
      continue;
    }
    filing.receipts.push(receipt);
    filing.payerClaimNumber = acknowledgment.payerClaimControlNumber ?? filing.payerClaimNumber;
  }
  return warnings;
}

/** The day an acknowledgment speaks of. */
export const receivedOn = ({ acknowledgment: { statuses, header } }: ReadReceipt) => statuses[0]?.date ?? header.date;

const PLACES: Readonly<Record<string, Responsibility>> = {
  "1": "P",
  "19": "P",
  "2": "S",
  "20": "S",
  "3": "T",
  "21": "T",
};

/** Puts each decision with its filing; returns what is about no claim of the files. */
export function linkDecisions(
  decisions: readonly ReadDecision[],
  index: Index,
  filings: readonly Filing[],
): readonly ImportProblem[] {
  const warnings: ImportProblem[] = [];
  const placeOf = ({ payment }: ReadDecision) => `CLP01 ${payment.patientControlNumber}`;
  const keyOf = ({ remittance: { originId, trace, date }, payment }: ReadDecision) => {
    const { patientControlNumber, payerControlNumber, status, charge, paid, lines } = payment;
    return [originId, trace, date, patientControlNumber, payerControlNumber, status, charge, paid, lines.length];
  };
  const byPayerNumber = new Map<string, Filing>();
  for (const filing of filings)
    if (filing.payerClaimNumber !== null) byPayerNumber.set(filing.payerClaimNumber, filing);
  const list = withoutRepeats(decisions, keyOf, placeOf, warnings);
  for (const decision of list.sort((a, b) => compare(a.remittance.date, b.remittance.date))) {
    const { payment } = decision;
    const number = payment.payerControlNumber;
    const byNumber = byPayerNumber.get(number);
    const filing = best(index.get(payment.patientControlNumber) ?? [], (one) => pointsOf(one, decision)) ?? byNumber;
    if (filing === undefined) {
      warnings.push(unmatched(decision.file, placeOf(decision), "remit_unmatched", "decides on a claim"));
      continue;
    }
    filing.decisions.push(decision);
    if (!/^0*$/.test(number)) {
      filing.payerClaimNumber ??= number;
      byPayerNumber.set(number, filing);
    }
  }
  return warnings;
}

function pointsOf({ claim, payerClaimNumber, ...filing }: Filing, { payment, remittance }: ReadDecision): number {
  const { payerControlNumber, status, charge, frequency, insured, patient } = payment;
  const known = payerClaimNumber === null ? 0 : payerClaimNumber === payerControlNumber ? 32 : -8;
  const party = { ...patient, ...(insured?.memberId === undefined ? {} : { memberId: insured.memberId }) };
  return (
    known +
    (isOf({ claim, payerClaimNumber, ...filing }, party) ? 16 : 0) +
    (claim.submission.date <= remittance.date ? 16 : 0) +
    (PLACES[status] === claim.subscriber.responsibility ? 4 : 0) +
    (same(remittance.payer.name, claim.payer.name) || same(remittance.payer.id, claim.payer.id) ? 4 : 0) +
    (compareMoney(charge.replace("-", ""), claim.total) === 0 ? 2 : 0) +
    (frequency === claim.frequency ? 2 : 0)
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
