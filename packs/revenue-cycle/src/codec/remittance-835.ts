/**
 * Remittance advice (835, 005010X221A1) as typed values, read from and written to real X12 text. Owns the payment's
 * shape; whether its amounts add up is asked by `balanceRemittance`, so that an unbalanced file can still be read.
 */
import type { Adjustment, Procedure } from "./adjustment.js";
import type { IsoDate } from "./calendar.js";
import type { Money } from "./decimal.js";
import { type Envelope, type Guide, readFile, writeFile } from "./file.js";
import { readApart, readLoop, renderLoop, type Source, sameRecord } from "./loop.js";
import type { Address, Contact, PartyName } from "./party.js";
import type { Parsed, ProblemList } from "./problem.js";
import { batchFormat, claimPaymentFormat } from "./remittance-835-claim.js";
import { remittanceFormat } from "./remittance-835-header.js";
import { paymentLineFormat } from "./remittance-835-line.js";
import { positionOf, type Segment, type Separators, splitBefore } from "./segment.js";
import type { Reading } from "./slots.js";

/** Bank details of an electronic payment; account kinds are demand deposits where left out. */
export interface Transfer {
  format: "CCP" | "CTX";
  payerRouting: string;
  payerAccount: string;
  /** The payer's company id: 1 and its EIN. */
  originId: string;
  payeeRouting: string;
  payeeAccount: string;
}

export interface RemittancePayer {
  name: string;
  /** A national plan id (XV), where there is one. */
  id?: string;
  address?: Address;
  /** Technical contact (PER*BL). */
  contact?: Contact;
}

export interface RemittancePayee {
  name: string;
  id: string;
  /** FI for a tax id, XV for a plan id; an NPI where left out. */
  idQualifier?: "FI" | "XV";
  /** REF*TJ. */
  taxId?: string;
  address?: Address;
}

/** One amount of a PLB segment: a positive one lowers the payment. */
export interface ProviderAdjustment {
  providerId: string;
  fiscalYearEnd: IsoDate;
  /** WO, FB, CS, 72, L6 and others. */
  reason: string;
  reference?: string;
  amount: Money;
}

/** The LX loop that claims stand in; one loop numbered 1 where left out. */
export interface ClaimBatch {
  number: string;
  source?: Source;
}

export type ClaimPaymentStatus = "1" | "2" | "3" | "4" | "19" | "20" | "21" | "22" | "23" | "25";

export interface PaymentLine extends Procedure {
  charge: Money;
  paid: Money;
  /** Units paid; one where left out. */
  units?: string;
  /** What was billed, where the payer adjudicated another procedure. */
  original?: Procedure;
  originalUnits?: string;
  serviceDate?: IsoDate;
  /** The last day, where the service is a range. */
  serviceEnd?: IsoDate;
  adjustments: readonly Adjustment[];
  /** The provider's own line reference (REF*6R). */
  controlNumber?: string;
  allowed?: Money;
  /** RARCs of the line (LQ*HE). */
  remarks: readonly string[];
  source?: Source;
}

/** One CLP: what a payer did with one claim. Status 4 is a patient not recognised; a denied claim is 1, 2 or 3, paid 0. */
export interface ClaimPayment {
  batch?: ClaimBatch;
  patientControlNumber: string;
  status: ClaimPaymentStatus;
  charge: Money;
  paid: Money;
  /** Left out where the patient owes nothing. */
  patientResponsibility?: Money;
  filingCode: string;
  payerControlNumber: string;
  placeOfService?: string;
  frequency?: string;
  adjustments: readonly Adjustment[];
  patient: PartyName & { memberId?: string };
  insured?: PartyName & { memberId?: string };
  correctedInsured?: PartyName & { memberId?: string };
  renderingProvider?: PartyName & { npi?: string };
  /** RARCs of the claim (MOA). */
  remarks: readonly string[];
  statementFrom?: IsoDate;
  statementTo?: IsoDate;
  receivedDate?: IsoDate;
  lines: readonly PaymentLine[];
  source?: Source;
}

/** One payment with the claims it answers; one transaction of a file. */
export interface Remittance {
  /** ST02; numbered from 0001 where left out. */
  control?: string;
  /** Which group of the envelope, from 0; the first where left out. */
  group?: number;
  /** BPR01; I, remittance and payment together, where left out. */
  handling?: "C" | "D" | "H" | "P" | "U" | "X";
  paid: Money;
  /** Debit where the payee is charged; credit where left out. */
  direction?: "D";
  method: "ACH" | "BOP" | "CHK" | "FWT" | "NON";
  transfer?: Transfer;
  date: IsoDate;
  /** Check or EFT number (TRN02). */
  trace: string;
  /** TRN03: 1 and the payer's EIN. */
  originId: string;
  productionDate?: IsoDate;
  payer: RemittancePayer;
  payee: RemittancePayee;
  claims: readonly ClaimPayment[];
  providerAdjustments: readonly ProviderAdjustment[];
  source?: Source;
}

export interface RemittanceFile {
  envelope: Envelope;
  remittances: readonly Remittance[];
}

const GUIDE: Guide = { functionalId: "HP", setId: "835", version: "005010X221A1" };
const PARTS = new Set(["LX", "CLP", "SVC", "PLB"]);
const FIRST_BATCH: ClaimBatch = { number: "1" };

/** Reads every payment of an 835 file; `toRemittanceFile` of the value gives the same bytes. Never throws. */
export function parseRemittances(text: string): Parsed<RemittanceFile> {
  const { problems, file } = readFile(text, GUIDE);
  if (file === undefined) return { ok: false, problems: problems.toArray() };
  const remittances: Remittance[] = [];
  for (const { control, group, segments } of file.transactions) {
    const remittance: Remittance = { ...readRemittance(segments, file.reading), control };
    if (group > 0) remittance.group = group;
    remittances.push(remittance);
    if (problems.full) break;
  }
  if (problems.size > 0) return { ok: false, problems: problems.toArray() };
  return { ok: true, value: { envelope: file.envelope, remittances }, problems: [] };
}

/** What each part of a payment may stand behind; "" is the header. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  LX: ["", "CLP", "SVC"],
  CLP: ["LX", "CLP", "SVC"],
  SVC: ["CLP", "SVC"],
  PLB: ["", "CLP", "SVC", "PLB"],
};

function readRemittance(segments: readonly Segment[], reading: Reading): Remittance {
  const { problems } = reading;
  const [head = [], ...parts] = splitBefore(segments, PARTS);
  const own = [...head];
  const claims: (ClaimPayment & { lines: PaymentLine[] })[] = [];
  let batch: ClaimBatch | undefined;
  let previous = "";
  for (const part of parts) {
    const [first, second] = part;
    if (first === undefined) continue;
    const { id } = first;
    const allowed = FOLLOWS[id] ?? [];
    if (!allowed.includes(previous))
      misplaced(first, `${id} after ${allowed.map((one) => one || "the header").join(" or ")}`, problems);
    previous = id;
    if (id === "LX") batch = readApart(batchFormat, part, reading, batch);
    else if (id === "CLP") {
      const claim = { ...readLoop(claimPaymentFormat, part, reading), lines: [] };
      claims.push(batch === undefined || sameRecord(batch, FIRST_BATCH) ? claim : { ...claim, batch });
    } else if (id === "SVC") claims.at(-1)?.lines.push(readLoop(paymentLineFormat, part, reading));
    else if (second === undefined) own.push(first);
    else misplaced(second, "nothing but PLB after PLB", problems);
  }
  if (previous === "LX") problems.add("no-content", { segment: 1, offset: 0 }, "a claim (CLP) after LX", "none");
  return { ...readLoop(remittanceFormat, own, reading), claims };
}

function misplaced(segment: Segment, expected: string, problems: ProblemList): void {
  problems.add("segment-out-of-place", positionOf(segment), expected, segment.id);
}

/** Writes payments in the order given, one transaction each. Amounts are written as stated, balanced or not. */
export function toRemittanceFile(remittances: readonly Remittance[], envelope: Envelope): string {
  const { separators } = envelope.interchange;
  const transactions = remittances.map((remittance) => {
    const own = renderLoop(remittanceFormat, remittance, separators);
    const claims = remittance.claims.flatMap((claim, n) => renderClaim(claim, remittance.claims[n - 1], separators));
    const head = own.filter((segment) => segment.id !== "PLB");
    const tail = own.filter((segment) => segment.id === "PLB");
    return { group: remittance.group, control: remittance.control, segments: [...head, ...claims, ...tail] };
  });
  return writeFile(envelope, GUIDE, transactions);
}

function renderClaim(claim: ClaimPayment, before: ClaimPayment | undefined, separators: Separators): Segment[] {
  const batch = claim.batch ?? FIRST_BATCH;
  const continues = before !== undefined && sameRecord(batch, before.batch ?? FIRST_BATCH);
  return [
    ...(continues ? [] : renderLoop(batchFormat, batch, separators)),
    ...renderLoop(claimPaymentFormat, claim, separators),
    ...claim.lines.flatMap((line) => renderLoop(paymentLineFormat, line, separators)),
  ];
}
