/** A claim as the office sends it: 837P text from rows. To a secondary payer it carries what the primary decided, line by line. */
import type { Row, World } from "windtunnel";
import type { Adjustment, AdjustmentGroup } from "../../codec/adjustment.js";
import { type LineAdjudication, type OtherPayer, type ProfessionalClaim, toClaimFile } from "../../codec/claim-837p.js";
import { compareMoney, sumMoney } from "../../codec/decimal.js";
import type { DenialTables } from "../world.js";
import {
  addressOf,
  clean,
  envelopeOf,
  filingCodeOf,
  nameOf,
  numberFrom,
  OFFICE,
  personName,
  short,
  submissionKey,
} from "./parties.js";

type Rows<N extends keyof DenialTables> = Row<DenialTables[N]>;

/** A claim row before it has its id and its file. */
export type ClaimDraft = Omit<Rows<"claims">, "id" | "file">;
/** A line of such a claim, in claim order. */
export type ClaimLineDraft = Omit<Rows<"claim_lines">, "id" | "claim">;

const RESPONSIBILITY = { primary: "P", secondary: "S", unknown: "U" } as const;
const RELATIONSHIP = { self: "18", spouse: "01", child: "19" } as const;
const POINTERS = 4;

/** The 837P of one claim. Throws when the lines do not add up to the claim, or when a replacement names no original. */
export function claimFile(world: World<DenialTables>, claim: ClaimDraft, lines: readonly ClaimLineDraft[]): string {
  const charges = sumMoney(lines.map(({ charge }) => charge));
  if (compareMoney(claim.total, charges) !== 0)
    throw new Error(`claim ${claim.controlNumber}: the total is ${claim.total}, the lines give ${charges}`);
  const patient = world.need("patients", claim.patient);
  const coverage = world.need("coverages", claim.coverage);
  const payer = world.need("payers", claim.payer);
  const key = submissionKey(claim);
  const self = coverage.relationship === "self";
  const person = {
    ...personName(patient.first, patient.last),
    birthDate: patient.birthDate,
    sex: patient.sex,
    address: addressOf(patient.address),
  };
  const decided = coverage.order === "secondary" ? primaryDecision(world, claim) : undefined;
  const file: ProfessionalClaim = {
    submission: {
      reference: String(numberFrom(`${key}/reference`, 9)),
      date: claim.submittedOn,
      time: "0800",
      submitter: { name: OFFICE.name, id: OFFICE.id, contact: OFFICE.contact },
      receiver: { name: clean(payer.name), id: payer.payerNumber },
    },
    billingProvider: {
      name: OFFICE.name,
      npi: claim.billingNpi,
      taxId: OFFICE.taxId,
      taxonomy: OFFICE.taxonomy,
      address: OFFICE.address,
    },
    subscriber: {
      ...(self
        ? person
        : { ...nameOf(coverage.subscriber), birthDate: coverage.subscriberBirthDate, sex: "U" as const }),
      memberId: claim.memberId,
      responsibility: RESPONSIBILITY[coverage.order],
      filingCode: filingCodeOf(payer),
    },
    payer: { name: clean(payer.name), id: payer.payerNumber },
    ...(self ? {} : { patient: { ...person, relationship: RELATIONSHIP[coverage.relationship] } }),
    patientControlNumber: claim.controlNumber,
    total: short(claim.total),
    placeOfService: claim.placeOfService,
    frequency: claim.frequency,
    ...(claim.originalReference === null ? {} : { originalReference: clean(claim.originalReference) }),
    ...(claim.authorization === null ? {} : { priorAuthorization: clean(claim.authorization) }),
    diagnoses: claim.diagnoses.map((code, i) => ({ qualifier: i === 0 ? "ABK" : "ABF", code: code.replace(".", "") })),
    ...(claim.renderingNpi === null
      ? {}
      : { renderingProvider: { name: "PROVIDER", firstName: "RENDERING", npi: claim.renderingNpi } }),
    ...(decided === undefined ? {} : { otherPayers: [decided.payer] }),
    lines: lines.map((line) => {
      const adjudication = decided?.lines.get(line.number);
      return {
        number: line.number,
        hcpcs: line.hcpcs,
        modifiers: line.modifiers,
        charge: short(line.charge),
        unitBasis: "UN",
        units: line.units,
        pointers: claim.diagnoses.slice(0, POINTERS).map((_, i) => i + 1),
        serviceDate: claim.serviceDate,
        controlNumber: lineControlNumber(claim, line.number),
        ...(line.ndc === null ? {} : { ndc: { code: line.ndc.replaceAll("-", ""), quantity: line.units, unit: "UN" } }),
        ...(claim.orderingNpi === null
          ? {}
          : { orderingProvider: { name: "PROVIDER", firstName: "ORDERING", npi: claim.orderingNpi } }),
        ...(adjudication === undefined ? {} : { adjudications: [adjudication] }),
      };
    }),
  };
  return toClaimFile([file], envelopeOf(key, claim.submittedOn, OFFICE.id, payer.payerNumber));
}

/** The office's own reference of a line, which payers return. */
export const lineControlNumber = (claim: Pick<ClaimDraft, "controlNumber">, line: number) =>
  `${claim.controlNumber}-${line}`;

/** What another payer decided on an earlier claim of the same service: the latest such remittance. */
function primaryDecision(
  world: World<DenialTables>,
  claim: ClaimDraft,
): { payer: OtherPayer; lines: ReadonlyMap<number, LineAdjudication> } | undefined {
  for (let at = claim.corrects; at !== null; at = world.need("claims", at).corrects) {
    const earlier = world.need("claims", at);
    const remit = world.where("remits", { claim: at }).at(-1);
    if (remit === undefined || earlier.payer === claim.payer) continue;
    const payer = world.need("payers", earlier.payer);
    const coverage = world.need("coverages", earlier.coverage);
    const lines = new Map<number, LineAdjudication>();
    for (const row of world.where("remit_lines", { remit: remit.id })) {
      const line = world.need("claim_lines", row.line);
      lines.set(line.number, {
        payerId: payer.payerNumber,
        hcpcs: row.hcpcs,
        modifiers: line.modifiers,
        paid: short(row.paid),
        units: line.units,
        adjustments: row.adjustments.map(toAdjustment),
        date: remit.date,
      });
    }
    return {
      payer: {
        responsibility: "P",
        relationship: RELATIONSHIP[coverage.relationship],
        filingCode: filingCodeOf(payer),
        adjustments: [],
        paid: short(remit.paid),
        subscriber: { ...nameOf(coverage.subscriber), memberId: earlier.memberId },
        payer: { name: clean(payer.name), id: payer.payerNumber },
        claimControlNumber: clean(remit.payerClaimNumber),
      },
      lines,
    };
  }
  return undefined;
}

export const toAdjustment = ({ group, carc, amount }: Rows<"remit_lines">["adjustments"][number]): Adjustment => ({
  group: group as AdjustmentGroup,
  reason: carc,
  amount: short(amount),
});
