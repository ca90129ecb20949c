/**
 * The claims of a case: a claim as it was sent with its 837 text, the acknowledgments and remittances that answered it with theirs, and what
 * each posted to the ledger. Amounts follow from the contract; what an archetype denies, it denies in full.
 */
import type { Row } from "windtunnel";
import { formatCents, toCents } from "../codec/decimal.js";
import { HCPCS } from "../reference/hcpcs.js";
import type { GroupCode, PayerProfile } from "../reference/payer-profile.js";
import { PAYERS } from "../reference/payers.js";
import { addDays } from "./calendar.js";
import type { CaseFile, CoverageRow, PatientRow } from "./case-file.js";
import { acknowledgmentFile, claimFile, remittanceFile } from "./edi-files.js";
import { digits } from "./identifiers.js";
import type { DenialTables } from "./world.js";

export type ClaimRow = Row<DenialTables["claims"]>;
export type LineRow = Row<DenialTables["claim_lines"]>;
export type RemitRow = Row<DenialTables["remits"]>;
export type AckRow = Row<DenialTables["acknowledgments"]>;

export interface LineSpec {
  readonly hcpcs: string;
  readonly modifiers?: readonly string[];
  readonly units?: number;
  readonly ndc?: string | null;
}

/** How one line fares on a remittance: paid by contract, denied in full, or adjusted as given (amounts of `adjustments` + paid = charge). */
export type LineResult =
  | { readonly paid: true }
  | { readonly group: GroupCode; readonly carc: string; readonly remarks?: readonly string[] }
  | {
      readonly paidAmount: string;
      readonly adjustments: readonly { readonly group: GroupCode; readonly carc: string; readonly amount: string }[];
      readonly remarks?: readonly string[];
    };

/** What a claim's lines are worth under the contract. */
export interface Expected {
  readonly paid: string;
  readonly patient: string;
  readonly contractual: string;
}

/** A claim with its lines, as built. */
export interface BuiltClaim {
  readonly claim: ClaimRow;
  readonly lines: readonly LineRow[];
}

export interface RemitOptions {
  /** Claim status code; "1" (processed as primary) by default. */
  readonly status?: string;
  /** Remarks of the whole claim. */
  readonly remarks?: readonly string[];
  /** False when the office has not posted it. */
  readonly post?: boolean;
}

export interface ClaimSpec {
  readonly lines: readonly LineSpec[];
  readonly serviceDate: string;
  readonly diagnoses: readonly string[];
  readonly coverage?: CoverageRow;
  /** What the claim says, when it differs from the coverage on file. */
  readonly memberId?: string;
  readonly submittedOn?: string;
  readonly status?: ClaimRow["status"];
  readonly frequency?: ClaimRow["frequency"];
  readonly renderingNpi?: string | null;
  readonly orderingNpi?: string | null;
  readonly authorization?: string | null;
  readonly placeOfService?: string;
  readonly payerClaimNumber?: string | null;
  readonly patient?: PatientRow;
}

/** A claim as it was sent, with its lines, its 837 text and the charges on the ledger. */
export function writeClaim(file: CaseFile, spec: ClaimSpec): BuiltClaim {
  const { world } = file;
  const coverage = spec.coverage ?? file.coverage;
  const patient = spec.patient ?? file.patient;
  const first = HCPCS.get(spec.lines[0]!.hcpcs);
  const orders = spec.lines.some(({ hcpcs }) => HCPCS.get(hcpcs).requiresOrderingProvider);
  const id = world.mint("claims");
  const charges = spec.lines.map((line) => file.charge(line));
  const submittedOn = spec.submittedOn ?? addDays(spec.serviceDate, file.random.int(2, 6));
  const lines = spec.lines.map((line, i) => {
    const code = HCPCS.get(line.hcpcs);
    return {
      id: world.mint("claim_lines"),
      claim: id,
      number: i + 1,
      hcpcs: line.hcpcs,
      modifiers: [...(line.modifiers ?? [])],
      units: String(line.units ?? 1),
      charge: charges[i]!,
      ndc: line.ndc === undefined ? (code.drugPackage?.ndc ?? null) : line.ndc,
    };
  });
  const row: Omit<ClaimRow, "file"> = {
    id,
    patient: patient.id,
    coverage: coverage.id,
    payer: coverage.payer,
    memberId: spec.memberId ?? coverage.memberId,
    controlNumber: `WT${digits(file.random, 7)}`,
    frequency: spec.frequency ?? "1",
    originalReference: null,
    payerClaimNumber: spec.payerClaimNumber === undefined ? drawPayerClaimNumber(file) : spec.payerClaimNumber,
    status: spec.status ?? "denied",
    serviceDate: spec.serviceDate,
    submittedOn,
    placeOfService: spec.placeOfService ?? first.typicalPos,
    billingNpi: file.billingNpi,
    renderingNpi: spec.renderingNpi === undefined ? file.rendering.npi : spec.renderingNpi,
    orderingNpi: spec.orderingNpi === undefined ? (orders ? file.ordering.npi : null) : spec.orderingNpi,
    authorization: spec.authorization ?? null,
    diagnoses: [...spec.diagnoses],
    total: formatCents(charges.reduce((sum, charge) => sum + toCents(charge), 0)),
    corrects: null,
    channel: null,
  };
  const claim = world.insert("claims", { ...row, file: claimFile(world, row, lines) });
  const stored = lines.map((line) => world.insert("claim_lines", line));
  for (const line of stored) postEntry(file, claim.id, line.id, "charge", line.charge, submittedOn, "office", "charge");
  return { claim, lines: stored };
}

/** The clearinghouse's or the payer's answer to a submission. `category` is "A1", "A2", "A3", "A7" for 277CA, "A" or "R" for 999. */
export function writeAcknowledgment(
  file: CaseFile,
  claim: ClaimRow,
  category: string,
  receivedOn: string,
  source: AckRow["source"] = "277CA",
  meaning?: string,
): AckRow {
  const row = {
    id: file.world.mint("acknowledgments"),
    claim: claim.id,
    source,
    receivedOn,
    category,
    meaning: meaning ?? ACK_MEANING[`${source}/${category}`] ?? "",
  };
  return file.world.insert("acknowledgments", { ...row, file: acknowledgmentFile(file.world, row, claim) });
}

/** A remittance for every line of the claim, with its 835 text; posts what was paid and waived to the ledger. */
export function writeRemit(
  file: CaseFile,
  built: BuiltClaim,
  on: string,
  results: readonly LineResult[],
  options: RemitOptions = {},
): RemitRow {
  const { world } = file;
  const { claim, lines } = built;
  const id = world.mint("remits");
  const parts = lines.map((line, i) => remitLineOf(file, id, line, results[i] ?? results[0]!, claim));
  const sum = (pick: (part: (typeof parts)[number]) => string) =>
    formatCents(parts.reduce((total, part) => total + toCents(pick(part)), 0));
  const patientResponsibility = formatCents(
    parts
      .flatMap((part) => part.adjustments)
      .reduce((total, { group, amount }) => total + (group === "PR" ? toCents(amount) : 0), 0),
  );
  const row = {
    id,
    claim: claim.id,
    payer: claim.payer,
    date: on,
    trace: digits(file.random, 12),
    status: options.status ?? "1",
    payerClaimNumber: claim.payerClaimNumber ?? drawPayerClaimNumber(file),
    charge: claim.total,
    paid: sum((part) => part.paid),
    patientResponsibility,
    remarks: [...(options.remarks ?? [])],
  };
  const remit = world.insert("remits", { ...row, file: remittanceFile(world, row, parts, claim) });
  for (const part of parts) {
    world.insert("remit_lines", part);
    if (options.post === false) continue;
    if (toCents(part.paid) > 0)
      postEntry(file, claim.id, part.line, "payer_payment", `-${part.paid}`, on, "payer", "payment");
    for (const { group, carc, amount } of part.adjustments) {
      if (carc === "45" && group === "CO")
        postEntry(file, claim.id, part.line, "contractual", `-${amount}`, on, "office", "contract allowance");
      if (group === "PR" && ["1", "2", "3"].includes(carc))
        postEntry(file, claim.id, part.line, "patient_billed", `-${amount}`, on, "office", "cost share billed");
    }
  }
  return remit;
}

/** What the contract pays for these lines of a claim of `payer`. */
export function expectedOf(
  file: CaseFile,
  lines: readonly LineRow[],
  serviceDate: string,
  payer: PayerProfile = file.payer,
): Expected {
  let paid = 0;
  let patient = 0;
  let contractual = 0;
  for (const line of lines) {
    const charge = toCents(line.charge);
    const allowed = Math.min(charge, file.rate(line.hcpcs, line.modifiers, serviceDate, payer) * Number(line.units));
    const share = Math.round((allowed * payer.rules.coinsuranceBasisPoints) / 10_000);
    paid += allowed - share;
    patient += share;
    contractual += charge - allowed;
  }
  return { paid: formatCents(paid), patient: formatCents(patient), contractual: formatCents(contractual) };
}

function remitLineOf(file: CaseFile, remit: string, line: LineRow, result: LineResult, claim: ClaimRow) {
  const shared = { id: file.world.mint("remit_lines"), remit, line: line.id, hcpcs: line.hcpcs, charge: line.charge };
  if ("paidAmount" in result)
    return {
      ...shared,
      paid: result.paidAmount,
      adjustments: [...result.adjustments],
      remarks: [...(result.remarks ?? [])],
    };
  if (!("paid" in result)) {
    return {
      ...shared,
      paid: "0.00",
      adjustments: [{ group: result.group, carc: result.carc, amount: line.charge }],
      remarks: [...(result.remarks ?? [])],
    };
  }
  const worth = file.expected([line], claim.serviceDate, PAYERS.get(claim.payer));
  const adjustments = [
    { group: "CO" as const, carc: "45", amount: worth.contractual },
    { group: "PR" as const, carc: "2", amount: worth.patient },
  ].filter(({ amount }) => toCents(amount) > 0);
  return { ...shared, paid: worth.paid, adjustments, remarks: [] as string[] };
}

const drawPayerClaimNumber = (file: CaseFile) => `P${digits(file.random, 11)}`;

export function postEntry(
  file: CaseFile,
  claim: string,
  line: string | null,
  entry: Row<DenialTables["ledger"]>["entry"],
  amount: string,
  on: string,
  by: "office" | "payer",
  note: string,
): void {
  file.world.insert("ledger", { claim, line, entry, amount, on, by, note });
}

const ACK_MEANING: Readonly<Record<string, string>> = {
  "999/A": "the file's syntax was accepted; says nothing about the claim",
  "999/R": "the file's syntax was rejected",
  "277CA/A1": "received by the payer; not yet accepted for adjudication",
  "277CA/A2": "accepted by the payer for adjudication",
  "277CA/A3": "returned as unprocessable",
  "277CA/A6": "rejected for missing information",
  "277CA/A7": "rejected for invalid information",
  "277CA/A8": "rejected for a relational error",
};
