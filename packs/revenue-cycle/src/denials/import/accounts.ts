/**
 * What belongs to what: claims as sent, linked to the claims they repeat or replace, with the decisions and acknowledgments that answer them.
 * One account is one service, first sent and everything sent for it again. Judges nothing and moves no money.
 */
import { compareMoney } from "../../codec/index.js";
import { linkDecisions, linkReceipts } from "./answers.js";
import type { ImportProblem } from "./import-files.js";
import { personKeyOf } from "./people.js";
import type { ReadClaim, ReadDecision, ReadFiles, ReadReceipt } from "./read-files.js";

/** A claim as it was sent once, with what answered it, in the order of dates. */
export interface Filing extends ReadClaim {
  /** Who the patient is, across payers and member ids. */
  readonly person: string;
  /** The filing that this one repeats, replaces or voids. */
  readonly corrects: Filing | null;
  /** The payer's number, once an answer has told it. */
  payerClaimNumber: string | null;
  readonly decisions: ReadDecision[];
  readonly receipts: ReadReceipt[];
}

/** One service: the filing first sent, and those that followed, oldest first. */
export interface Account {
  readonly person: string;
  readonly filings: readonly Filing[];
}

export const isReplacement = ({ claim }: ReadClaim) => claim.frequency !== "1";

/** Everything of one account, in the order of first submission; and what could not be linked, or was there twice. */
export function linkAccounts(files: ReadFiles): { accounts: readonly Account[]; warnings: readonly ImportProblem[] } {
  const warnings: ImportProblem[] = [];
  const controlNumbers = controlNumbersByPayerNumber(files);
  const byControlNumber = new Map<string, Filing[]>();
  const latest = (number: string | undefined, person: string) =>
    byControlNumber.get(number ?? "")?.findLast((filing) => filing.person === person);

  const filings: Filing[] = [];
  for (const read of inOrder(withoutRepeats(files.claims, warnings))) {
    const { claim } = read;
    const person = personKeyOf(claim);
    const original = isReplacement(read) ? controlNumbers.get(claim.originalReference ?? "") : undefined;
    const corrects = latest(original, person) ?? latest(claim.patientControlNumber, person) ?? null;
    if (corrects === null && isReplacement(read)) warnings.push(originalMissing(read));
    const same = byControlNumber.get(claim.patientControlNumber) ?? [];
    if (same.length > 0 && same.every((other) => other.person !== person)) warnings.push(numberShared(read));
    const filing: Filing = { ...read, person, corrects, payerClaimNumber: null, decisions: [], receipts: [] };
    byControlNumber.set(claim.patientControlNumber, [...same, filing]);
    filings.push(filing);
  }
  warnings.push(...linkReceipts(files.receipts, byControlNumber));
  warnings.push(...linkDecisions(files.decisions, byControlNumber, filings));

  const accounts = new Map<Filing, Filing[]>();
  for (const filing of filings) {
    let first = filing;
    while (first.corrects !== null) first = first.corrects;
    const account = accounts.get(first);
    if (account === undefined) accounts.set(first, [filing]);
    else account.push(filing);
  }
  return { accounts: [...accounts.values()].map((list) => ({ person: list[0]!.person, filings: list })), warnings };
}

/** Payers' claim numbers, by which a replacement names its original, to the office's own. */
function controlNumbersByPayerNumber({ decisions, receipts }: ReadFiles): ReadonlyMap<string, string> {
  const numbers = new Map<string, string>();
  for (const { payment } of decisions) numbers.set(payment.payerControlNumber, payment.patientControlNumber);
  for (const { acknowledgment } of receipts)
    if (acknowledgment.payerClaimControlNumber !== undefined)
      numbers.set(acknowledgment.payerClaimControlNumber, acknowledgment.patientControlNumber);
  return numbers;
}

/** The claims without those that stand twice under one submission: a file given twice, or a claim repeated in its batch. */
function withoutRepeats(claims: readonly ReadClaim[], warnings: ImportProblem[]): readonly ReadClaim[] {
  const seen = new Map<string, ReadClaim>();
  return claims.filter((read) => {
    const { submission, subscriber, payer, patientControlNumber, frequency, total, lines } = read.claim;
    const services = lines.map(({ hcpcs, modifiers, charge, units, serviceDate }) => [
      hcpcs,
      modifiers,
      charge,
      units,
      serviceDate,
    ]);
    const key = JSON.stringify([
      submission.reference,
      submission.date,
      subscriber.memberId,
      payer.id,
      patientControlNumber,
      frequency,
      total,
      services,
    ]);
    const earlier = seen.get(key);
    seen.set(key, earlier ?? read);
    if (earlier !== undefined)
      warnings.push({
        file: read.file,
        at: `CLM01 ${patientControlNumber}`,
        code: "same_claim",
        message: `the same claim stands in ${earlier.file} under the same submission; it is kept once`,
      });
    return earlier === undefined;
  });
}

const inOrder = (claims: readonly ReadClaim[]) =>
  [...claims].sort((a, b) => {
    const [x, y] = [a, b].map(({ claim: { submission } }) => `${submission.date} ${submission.time}`) as [
      string,
      string,
    ];
    return x < y ? -1 : x > y ? 1 : 0;
  });

const originalMissing = ({ file, claim }: ReadClaim): ImportProblem => ({
  file,
  at: `CLM01 ${claim.patientControlNumber}`,
  code: "original_not_found",
  message: `frequency ${claim.frequency} of a claim that is not in the files; it stands as the first of its account`,
  expected: "a claim with that payer claim number or the same control number",
  found: claim.originalReference ?? "none",
});

const numberShared = ({ file, claim }: ReadClaim): ImportProblem => ({
  file,
  at: `CLM01 ${claim.patientControlNumber}`,
  code: "control_number_shared",
  message: "another patient's claim has the same control number; the two are kept apart",
});

/** Pairs of accounts that look like one service billed under two numbers: same patient, payer, date and lines. */
export function sameServices(accounts: readonly Account[]): readonly ImportProblem[] {
  const seen = new Map<string, Filing>();
  return accounts.flatMap(({ person, filings }) => {
    const filing = filings[0]!;
    const { payer, lines, total, patientControlNumber } = filing.claim;
    const services = lines.map(({ hcpcs, modifiers, serviceDate }) => [hcpcs, modifiers, serviceDate]);
    const key = JSON.stringify([person, payer.id, services]);
    const other = seen.get(key);
    seen.set(key, other ?? filing);
    return other === undefined || compareMoney(other.claim.total, total) !== 0
      ? []
      : [
          {
            file: filing.file,
            at: `CLM01 ${patientControlNumber}`,
            code: "same_service",
            message: `looks like the service of claim ${other.claim.patientControlNumber}, billed again under another number; the two stay separate accounts`,
          },
        ];
  });
}
