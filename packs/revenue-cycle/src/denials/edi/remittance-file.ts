/** A payer's remittance about one claim as text: 835, with the reversal of an earlier decision where this one takes its place. */
import type { Row, World } from "windtunnel";
import { compareMoney, subtractMoney, sumMoney, toCents } from "../../codec/decimal.js";
import {
  type ClaimPayment,
  type ClaimPaymentStatus,
  type PaymentLine,
  type Remittance,
  toRemittanceFile,
} from "../../codec/remittance-835.js";
import type { DenialTables } from "../world.js";
import { type ClaimDraft, lineControlNumber, toAdjustment } from "./claim-file.js";
import { clean, envelopeOf, filingCodeOf, numberFrom, OFFICE, personName, short } from "./parties.js";

type Rows<N extends keyof DenialTables> = Row<DenialTables[N]>;
type Office = World<DenialTables>;

/** A remittance before its file. `status` is a claim status code, or words that begin with one ("22 reversal"); others are taken as "1". */
export type RemitDraft = Omit<Rows<"remits">, "id" | "claim" | "file">;
export type RemitLineDraft = Omit<Rows<"remit_lines">, "id" | "remit">;

/** Money moved outside the claim; a positive amount lowers the payment. `reason` is WO, FB, CS, 72 or L6. */
export interface ProviderAdjustment {
  readonly reason: string;
  readonly reference: string;
  readonly amount: string;
}

/** An earlier decision that this file takes back, as it was made. */
export interface ReversedDecision {
  readonly remit: RemitDraft;
  readonly lines: readonly RemitLineDraft[];
  readonly claim: ClaimDraft;
}

/** Where an 835 names the plan type otherwise than a claim does. */
const REMIT_FILING_CODES: Readonly<Record<string, string>> = { CI: "12" };

/**
 * The 835 of one claim; the claim lines that `lines` name must be in the world. Throws when the rows do not balance. A payment below zero is
 * carried forward (PLB FB), since no file pays less than nothing.
 */
export function remittanceFile(
  world: Office,
  remit: RemitDraft,
  lines: readonly RemitLineDraft[],
  claim: ClaimDraft,
  providerAdjustments: readonly ProviderAdjustment[] = [],
  reverses?: ReversedDecision,
): string {
  expectBalanced(remit, lines);
  const payer = world.need("payers", remit.payer);
  const key = `remittance/${claim.controlNumber}/${remit.trace}/${remit.date}`;
  const claims = [
    ...(reverses === undefined
      ? []
      : [toReversal(claimPayment(world, reverses.remit, reverses.lines, reverses.claim))]),
    claimPayment(world, remit, lines, claim),
  ];
  const moved = [...providerAdjustments];
  const due = subtractMoney(sumMoney(claims.map(({ paid }) => paid)), sumMoney(moved.map(({ amount }) => amount)));
  if (toCents(due) < 0) moved.push({ reason: "FB", reference: remit.trace, amount: due });
  const pays = toCents(due) > 0;
  const originId = `1${String(numberFrom(payer.payerNumber, 9)).padStart(9, "0")}`;
  const remittance: Remittance = {
    ...(pays ? {} : { handling: "H" as const }),
    paid: pays ? short(due) : "0",
    method: pays ? "ACH" : "NON",
    ...(pays
      ? {
          transfer: {
            format: "CCP" as const,
            payerRouting: "021000021",
            payerAccount: "5550001",
            originId,
            payeeRouting: "044000037",
            payeeAccount: "7770002",
          },
        }
      : {}),
    date: remit.date,
    trace: clean(remit.trace),
    originId,
    productionDate: remit.date,
    payer: {
      name: clean(payer.name),
      address: { line1: "PO BOX 1000", city: "COLUMBUS", state: "OH", postalCode: "432160001" },
      contact: { name: "PROVIDER SERVICES", phone: "8005550100" },
    },
    payee: { name: OFFICE.name, id: claim.billingNpi, taxId: OFFICE.taxId },
    claims,
    providerAdjustments: moved.map(({ reason, reference, amount }) => ({
      providerId: claim.billingNpi,
      fiscalYearEnd: `${remit.date.slice(0, 4)}-12-31`,
      reason,
      reference: clean(reference),
      amount: short(amount),
    })),
  };
  return toRemittanceFile([remittance], envelopeOf(key, remit.date, payer.payerNumber, OFFICE.id));
}

function claimPayment(
  world: Office,
  remit: RemitDraft,
  lines: readonly RemitLineDraft[],
  claim: ClaimDraft,
): ClaimPayment {
  const patient = world.need("patients", claim.patient);
  const filing = filingCodeOf(world.need("payers", remit.payer));
  return {
    patientControlNumber: claim.controlNumber,
    status: (/^\d{1,2}/.exec(remit.status)?.[0] ?? "1") as ClaimPaymentStatus,
    charge: short(remit.charge),
    paid: short(remit.paid),
    ...(toCents(remit.patientResponsibility) === 0
      ? {}
      : { patientResponsibility: short(remit.patientResponsibility) }),
    filingCode: REMIT_FILING_CODES[filing] ?? filing,
    payerControlNumber: clean(remit.payerClaimNumber),
    placeOfService: claim.placeOfService,
    frequency: claim.frequency,
    adjustments: [],
    patient: { ...personName(patient.first, patient.last), memberId: claim.memberId },
    remarks: remit.remarks.slice(0, 5),
    statementFrom: claim.serviceDate,
    lines: lines.map((line): PaymentLine => {
      const billed = world.need("claim_lines", line.line);
      return {
        hcpcs: line.hcpcs,
        modifiers: billed.modifiers,
        charge: short(line.charge),
        paid: short(line.paid),
        units: billed.units,
        serviceDate: claim.serviceDate,
        adjustments: line.adjustments.map(toAdjustment),
        controlNumber: lineControlNumber(claim, billed.number),
        remarks: line.remarks,
      };
    }),
  };
}

/** Status 22: every amount negated under the original group codes, at the same level. */
function toReversal(payment: ClaimPayment): ClaimPayment {
  const negated = (amount: string) => short(subtractMoney("0", amount));
  const { patientResponsibility: _, ...rest } = payment;
  return {
    ...rest,
    status: "22",
    charge: negated(payment.charge),
    paid: negated(payment.paid),
    lines: payment.lines.map((line) => ({
      ...line,
      charge: negated(line.charge),
      paid: negated(line.paid),
      adjustments: line.adjustments.map((one) => ({ ...one, amount: negated(one.amount) })),
    })),
  };
}

/** Charge is paid plus adjustments on every line; the lines are the claim; PR adjustments are the patient's. */
function expectBalanced(remit: RemitDraft, lines: readonly RemitLineDraft[]): void {
  const expect = (what: string, stated: string, computed: string) => {
    if (compareMoney(stated, computed) !== 0)
      throw new Error(`remittance ${remit.trace} does not balance: ${what} is ${stated}, the lines give ${computed}`);
  };
  const sum = (amounts: readonly { readonly amount: string }[]) => sumMoney(amounts.map(({ amount }) => amount));
  for (const line of lines)
    expect(`the charge of line ${line.line}`, line.charge, sumMoney([line.paid, sum(line.adjustments)]));
  expect("the charge", remit.charge, sumMoney(lines.map(({ charge }) => charge)));
  expect("what is paid", remit.paid, sumMoney(lines.map(({ paid }) => paid)));
  expect(
    "the patient's part",
    remit.patientResponsibility,
    sum(lines.flatMap(({ adjustments }) => adjustments.filter(({ group }) => group === "PR"))),
  );
}
