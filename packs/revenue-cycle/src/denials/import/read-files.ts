/**
 * Reads a user's X12 files whole: every claim, every decision and every acknowledgment in them, or every problem of every file. What belongs
 * to what is not asked here.
 */
import {
  balanceRemittance,
  type ClaimAcknowledgment,
  type ClaimPayment,
  type Envelope,
  type Parsed,
  type ProfessionalClaim,
  parseAcknowledgments,
  parseClaims,
  parseRemittances,
  type Remittance,
} from "../../codec/index.js";
import type { ImportFiles, ImportProblem, NamedText } from "./import-files.js";
import { Places } from "./places.js";

/** A claim as one file sent it. */
export interface ReadClaim {
  readonly file: string;
  readonly envelope: Envelope;
  readonly claim: ProfessionalClaim;
}

/** What one remittance says of one claim. */
export interface ReadDecision {
  readonly file: string;
  readonly envelope: Envelope;
  readonly remittance: Remittance;
  readonly payment: ClaimPayment;
}

/** What one claim was told on arrival. */
export interface ReadReceipt {
  readonly file: string;
  readonly envelope: Envelope;
  readonly acknowledgment: ClaimAcknowledgment;
}

export interface ReadFiles {
  readonly claims: readonly ReadClaim[];
  readonly decisions: readonly ReadDecision[];
  readonly receipts: readonly ReadReceipt[];
  /** Not empty when any file is malformed or does not balance; nothing may be made then. */
  readonly problems: readonly ImportProblem[];
}

const byName = (files: readonly NamedText[]) =>
  [...files].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

/** Reads all files, in the order of their names. */
export function readFiles(files: Pick<ImportFiles, "claims" | "remits" | "acks">): ReadFiles {
  const problems: ImportProblem[] = [];
  const read = <T>(
    texts: readonly NamedText[],
    parse: (text: string) => Parsed<T>,
    use: (file: NamedText, value: T) => void,
  ) => {
    for (const file of byName(texts)) {
      const parsed = parse(file.text);
      if (parsed.ok) use(file, parsed.value);
      else problems.push(...malformed(file, parsed.problems));
    }
  };
  const claims: ReadClaim[] = [];
  const decisions: ReadDecision[] = [];
  const receipts: ReadReceipt[] = [];
  read(files.claims, parseClaims, ({ name: file }, { envelope, claims: list }) => {
    for (const claim of list) claims.push({ file, envelope, claim });
  });
  read(files.remits, parseRemittances, (file, { envelope, remittances }) => {
    problems.push(...unbalanced(file, remittances));
    for (const remittance of remittances)
      for (const payment of remittance.claims) decisions.push({ file: file.name, envelope, remittance, payment });
  });
  read(files.acks, parseAcknowledgments, ({ name: file }, { envelope, acknowledgments }) => {
    for (const acknowledgment of acknowledgments) receipts.push({ file, envelope, acknowledgment });
  });
  return { claims, decisions, receipts, problems };
}

function malformed(
  { name, text }: NamedText,
  problems: Extract<Parsed<unknown>, { ok: false }>["problems"],
): ImportProblem[] {
  const places = new Places(text);
  return problems.map(({ code, at, expected, found }) => ({
    file: name,
    at: places.describe(at),
    code,
    message: code.replaceAll("-", " "),
    expected,
    found,
  }));
}

function unbalanced({ name, text }: NamedText, remittances: readonly Remittance[]): ImportProblem[] {
  const found = remittances.flatMap((remittance, n) =>
    balanceRemittance(remittance).map((problem) => ({ n, problem })),
  );
  if (found.length === 0) return [];
  const places = new Places(text);
  return found.map(({ n, problem }) => ({
    file: name,
    at: places.describeBalance(n, problem),
    code: "unbalanced",
    message: `the ${problem.formula} amounts do not add up${problem.claim === undefined ? "" : ` (claim ${problem.claim.patientControlNumber})`}`,
    expected: problem.expected,
    found: problem.found,
  }));
}
