/**
 * The X12 files of the office: a claim (837P), its acknowledgments (999, 277CA) and its remittances (835), written from rows before they are
 * inserted. Control numbers and times follow from the rows, so the same rows give the same bytes. Promises that every file parses and that
 * every remittance balances, else it throws and says which amount is off. Does not decide anything about a claim.
 */
import type { Row, World } from "windtunnel";
import { hashText } from "windtunnel";
import { compareMoney, subtractMoney, sumMoney, toCents } from "../codec/decimal.js";
import { encodeSegment, STANDARD_SEPARATORS, type Written, written } from "../codec/segment.js";
import { PAYERS } from "../reference/payers.js";
import type { DenialTables } from "./world.js";

type Rows<N extends keyof DenialTables> = Row<DenialTables[N]>;
type Office = World<DenialTables>;

/** A claim row before it has its id and its file. */
export type ClaimDraft = Omit<Rows<"claims">, "id" | "file">;
/** A line of such a claim, in claim order. */
export type ClaimLineDraft = Omit<Rows<"claim_lines">, "id" | "claim">;
/** An acknowledgment before its file. `category` is a code ("A2", "A7:164:IL") for a 277CA; A, E or R for a 999. */
export type AcknowledgmentDraft = Pick<Rows<"acknowledgments">, "source" | "receivedOn" | "category">;
/** A remittance before its file. `status` is a claim status code ("1", "2", "4", "22"), or words that begin with one. */
export type RemitDraft = Omit<Rows<"remits">, "id" | "claim" | "file">;
export type RemitLineDraft = Omit<Rows<"remit_lines">, "id" | "remit">;
/** Money moved outside the claim; a positive amount lowers the payment. `reason` is WO, FB, CS, 72 or L6. */
export interface ProviderAdjustment {
  readonly reason: string;
  readonly reference: string;
  readonly amount: string;
}

/** The billing office as it names itself in files. */
export const OFFICE = {
  name: "MERIDIAN HOME MEDICAL GROUP",
  id: "MERIDIAN01",
  taxId: "841234567",
  taxonomy: "332B00000X",
  address: "400 HARBOR AVENUE",
  city: "COLUMBUS",
  state: "OH",
  zip: "432150001",
  contact: "BILLING OFFICE",
  phone: "6145550142",
} as const;

const FILING_CODES: Readonly<Record<string, string>> = { "original-medicare": "MB", "medicare-advantage": "16", medicaid: "MC", commercial: "CI" };
/** Where an 835 names the plan type otherwise than a claim does. */
const REMIT_FILING_CODES: Readonly<Record<string, string>> = { CI: "12" };

const bare = (date: string) => date.replaceAll("-", "");
const clean = (text: string) => text.replace(/[*:^~]/g, " ").replace(/\s+/g, " ").trim().toUpperCase();
const short = (amount: string) => amount.replace(/\.00$/, "").replace(/(\.\d)0$/, "$1");
const numberFrom = (text: string, digits: number) => String(1 + (Number.parseInt(hashText(text).slice(0, 12), 16) % (10 ** digits - 1))).padStart(digits, "0");

/** The 837P of one claim. `lines` in claim order. Throws when the lines do not add up to the claim. */
export function claimFile(world: Office, claim: ClaimDraft, lines: readonly ClaimLineDraft[]): string {
  expectEqual(`claim ${claim.controlNumber} total`, claim.total, sumMoney(lines.map((line) => line.charge)));
  const patient = world.need("patients", claim.patient);
  const coverage = world.need("coverages", claim.coverage);
  const payer = world.need("payers", claim.payer);
  const self = coverage.relationship === "self";
  const [subscriberFirst, subscriberLast] = self ? [patient.first, patient.last] : splitName(coverage.subscriber);
  const sequence = { primary: "P", secondary: "S", unknown: "U" }[coverage.order];
  const key = `claim/${claim.controlNumber}/${claim.submittedOn}/${claim.frequency}`;
  const segments: Written[] = [
    written("BHT", "0019", "00", numberFrom(`${key}/reference`, 9), bare(claim.submittedOn), "0800", "CH"),
    written("NM1", "41", "2", OFFICE.name, "", "", "", "", "46", OFFICE.id),
    written("PER", "IC", OFFICE.contact, "TE", OFFICE.phone),
    written("NM1", "40", "2", clean(payer.name), "", "", "", "", "46", payer.payerNumber),
    written("HL", "1", "", "20", "1"),
    written("PRV", "BI", "PXC", OFFICE.taxonomy),
    written("NM1", "85", "2", OFFICE.name, "", "", "", "", "XX", claim.billingNpi),
    written("N3", OFFICE.address),
    written("N4", OFFICE.city, OFFICE.state, OFFICE.zip),
    written("REF", "EI", OFFICE.taxId),
    written("HL", "2", "1", "22", self ? "0" : "1"),
    written("SBR", sequence, self ? "18" : "", "", "", "", "", "", "", filingCodeOf(payer)),
    written("NM1", "IL", "1", clean(subscriberLast), clean(subscriberFirst), "", "", "", "MI", claim.memberId),
    ...(self ? address(patient.address) : []),
    ...(self ? [written("DMG", "D8", bare(patient.birthDate), patient.sex)] : []),
    written("NM1", "PR", "2", clean(payer.name), "", "", "", "", "PI", payer.payerNumber),
  ];
  if (!self) {
    segments.push(
      written("HL", "3", "2", "23", "0"),
      written("PAT", coverage.relationship === "spouse" ? "01" : "19"),
      written("NM1", "QC", "1", clean(patient.last), clean(patient.first)),
      ...address(patient.address),
      written("DMG", "D8", bare(patient.birthDate), patient.sex),
    );
  }
  segments.push(written("CLM", claim.controlNumber, short(claim.total), "", "", [claim.placeOfService, "B", claim.frequency], "Y", "A", "Y", "Y"));
  if (claim.authorization !== null) segments.push(written("REF", "G1", clean(claim.authorization)));
  if (claim.originalReference !== null) segments.push(written("REF", "F8", clean(claim.originalReference)));
  segments.push(written("HI", ...claim.diagnoses.map((code, at) => [at === 0 ? "ABK" : "ABF", code.replace(".", "")])));
  if (claim.renderingNpi !== null) segments.push(written("NM1", "82", "2", "RENDERING PROVIDER", "", "", "", "", "XX", claim.renderingNpi));
  const pointers = claim.diagnoses.slice(0, 4).map((_, at) => String(at + 1));
  for (const line of lines) {
    segments.push(
      written("LX", String(line.number)),
      written("SV1", ["HC", line.hcpcs, ...line.modifiers], short(line.charge), "UN", line.units, "", "", pointers),
      written("DTP", "472", "D8", bare(claim.serviceDate)),
      written("REF", "6R", `${claim.controlNumber}-${line.number}`),
    );
    if (line.ndc !== null) segments.push(written("LIN", "", "N4", line.ndc.replaceAll("-", "")), written("CTP", "", "", "", line.units, ["UN"]));
    if (claim.orderingNpi !== null) segments.push(written("NM1", "DK", "1", "ORDERING PROVIDER", "", "", "", "", "XX", claim.orderingNpi));
  }
  return interchange({ key, group: "HC", set: "837", guide: "005010X222A1", on: claim.submittedOn, from: OFFICE.id, to: payer.payerNumber, body: segments });
}

/** The 999 or 277CA that answered a claim. */
export function acknowledgmentFile(world: Office, ack: AcknowledgmentDraft, claim: ClaimDraft): string {
  const payer = world.need("payers", claim.payer);
  const key = `ack/${claim.controlNumber}/${ack.source}/${ack.receivedOn}`;
  const envelope = { key, on: ack.receivedOn, from: payer.payerNumber, to: OFFICE.id };
  if (ack.source === "999") {
    const letter = /^[AER]$/.test(ack.category.charAt(0)) ? ack.category.charAt(0) : "A";
    const claimKey = `claim/${claim.controlNumber}/${claim.submittedOn}/${claim.frequency}`;
    const body = [
      written("AK1", "HC", numberFrom(`${claimKey}/group`, 6), "005010X222A1"),
      written("AK2", "837", "0001", "005010X222A1"),
      letter === "A" ? written("IK5", "A") : written("IK5", letter, "I5"),
      written("AK9", letter, "1", "1", letter === "R" ? "0" : "1"),
    ];
    return interchange({ ...envelope, group: "FA", set: "999", guide: "005010X231A1", body });
  }
  const patient = world.need("patients", claim.patient);
  const [category = "A2", status = STATUS_OF[category] ?? "19", entity] = ack.category.split(/[\s(,]/)[0]!.split(":");
  const accepted = category === "A1" || category === "A2";
  const body = [
    written("BHT", "0085", "08", numberFrom(`${key}/reference`, 9), bare(ack.receivedOn), "0900", "TH"),
    written("HL", "1", "", "20", "1"),
    written("NM1", "PR", "2", clean(payer.name), "", "", "", "", "PI", payer.payerNumber),
    written("TRN", "1", numberFrom(`${key}/trace`, 9)),
    written("DTP", "050", "D8", bare(ack.receivedOn)),
    written("DTP", "009", "D8", bare(ack.receivedOn)),
    written("HL", "2", "1", "21", "1"),
    written("NM1", "41", "2", OFFICE.name, "", "", "", "", "46", OFFICE.id),
    written("TRN", "2", numberFrom(`claim/${claim.controlNumber}/${claim.submittedOn}/${claim.frequency}/reference`, 9)),
    written("STC", ["A1", "19", "PR"], bare(ack.receivedOn), "WQ", short(claim.total)),
    written("HL", "3", "2", "19", "1"),
    written("NM1", "85", "2", OFFICE.name, "", "", "", "", "XX", claim.billingNpi),
    written("HL", "4", "3", "PT"),
    written("NM1", "QC", "1", clean(patient.last), clean(patient.first), "", "", "", "MI", claim.memberId),
    written("TRN", "2", claim.controlNumber),
    written("STC", entity === undefined ? [category, status] : [category, status, entity], bare(ack.receivedOn), accepted ? "WQ" : "U", short(claim.total)),
    ...(accepted && claim.payerClaimNumber !== null ? [written("REF", "1K", claim.payerClaimNumber)] : []),
    written("DTP", "472", "D8", bare(claim.serviceDate)),
  ];
  return interchange({ ...envelope, group: "HN", set: "277", guide: "005010X214", body });
}

/** The status that goes with a category when the row names none. */
const STATUS_OF: Readonly<Record<string, string>> = { A1: "19", A2: "20", A3: "21", A6: "21", A7: "33", A8: "21" };

/** The 835 of one claim; the claim lines named by `lines` must be in the world. Throws when the rows do not balance. */
export function remittanceFile(
  world: Office,
  remit: RemitDraft,
  lines: readonly RemitLineDraft[],
  claim: ClaimDraft,
  providerAdjustments: readonly ProviderAdjustment[] = [],
): string {
  expectBalanced(remit, lines);
  const payer = world.need("payers", remit.payer);
  const patient = world.need("patients", claim.patient);
  const key = `remit/${claim.controlNumber}/${remit.trace}/${remit.date}`;
  const adjustments = [...providerAdjustments];
  let net = subtractMoney(remit.paid, sumMoney(adjustments.map((one) => one.amount)));
  if (toCents(net) < 0) {
    // A payment cannot be negative: what the payer is owed is carried forward.
    adjustments.push({ reason: "FB", reference: remit.trace, amount: net });
    net = "0.00";
  }
  const pays = toCents(net) > 0;
  const filing = filingCodeOf(payer);
  const segments: Written[] = [
    pays
      ? written("BPR", "I", short(net), "C", "ACH", "CCP", "01", "021000021", "DA", "5550001", `1${numberFrom(payer.payerNumber, 9)}`, "", "01", "044000037", "DA", "7770002", bare(remit.date))
      : written("BPR", "H", "0", "C", "NON", "", "", "", "", "", "", "", "", "", "", "", bare(remit.date)),
    written("TRN", "1", clean(remit.trace), `1${numberFrom(payer.payerNumber, 9)}`),
    written("DTM", "405", bare(remit.date)),
    written("N1", "PR", clean(payer.name), "XV", payer.payerNumber),
    written("N3", "PO BOX 1000"),
    written("N4", "COLUMBUS", "OH", "432160001"),
    written("PER", "BL", "PROVIDER SERVICES", "TE", "8005550100"),
    written("N1", "PE", OFFICE.name, "XX", claim.billingNpi),
    written("LX", "1"),
    written("CLP", claim.controlNumber, claimStatus(remit.status), short(remit.charge), short(remit.paid), toCents(remit.patientResponsibility) === 0 ? "" : short(remit.patientResponsibility), REMIT_FILING_CODES[filing] ?? filing, clean(remit.payerClaimNumber), claim.placeOfService, claim.frequency),
    written("NM1", "QC", "1", clean(patient.last), clean(patient.first), "", "", "", "MI", claim.memberId),
    ...(remit.remarks.length > 0 ? [written("MOA", "", "", ...remit.remarks.slice(0, 5))] : []),
    written("DTM", "232", bare(claim.serviceDate)),
  ];
  for (const line of lines) {
    const billed = world.need("claim_lines", line.line);
    segments.push(written("SVC", ["HC", line.hcpcs, ...billed.modifiers], short(line.charge), short(line.paid), "", billed.units), written("DTM", "472", bare(claim.serviceDate)));
    for (const group of new Set(line.adjustments.map((one) => one.group))) {
      const mine = line.adjustments.filter((one) => one.group === group);
      for (let at = 0; at < mine.length; at += 6) segments.push(written("CAS", group, ...mine.slice(at, at + 6).flatMap((one, i) => (i === 0 ? [one.carc, short(one.amount)] : ["", one.carc, short(one.amount)]))));
    }
    segments.push(written("REF", "6R", `${claim.controlNumber}-${billed.number}`));
    for (const remark of line.remarks) segments.push(written("LQ", "HE", remark));
  }
  if (adjustments.length > 0) {
    const yearEnd = `${remit.date.slice(0, 4)}1231`;
    segments.push(written("PLB", claim.billingNpi, yearEnd, ...adjustments.flatMap((one) => [[one.reason, clean(one.reference)], short(one.amount)])));
  }
  return interchange({ key, group: "HP", set: "835", guide: "005010X221A1", on: remit.date, from: payer.payerNumber, to: OFFICE.id, body: segments });
}

function interchange(file: { key: string; group: string; set: string; guide: string; on: string; from: string; to: string; body: readonly Written[] }): string {
  const control = numberFrom(`${file.key}/interchange`, 9);
  const group = numberFrom(`${file.key}/group`, 6);
  const id = (text: string) => text.padEnd(15, " ").slice(0, 15);
  const separators = STANDARD_SEPARATORS;
  // ISA16 is itself the component separator, so the header is written as text.
  const header = ["ISA", "00", " ".repeat(10), "00", " ".repeat(10), "ZZ", id(file.from), "ZZ", id(file.to), bare(file.on).slice(2), "0800", separators.repetition, "00501", control, "0", "P", separators.component];
  const reference = file.set === "835" ? [] : [file.guide];
  const segments = [
    written("GS", file.group, file.from, file.to, bare(file.on), "0800", group, "X", file.guide),
    written("ST", file.set, "0001", ...reference),
    ...file.body,
    written("SE", String(file.body.length + 2), "0001"),
    written("GE", "1", group),
    written("IEA", "1", control),
  ];
  const texts = [header.join(separators.element), ...segments.map((segment) => encodeSegment(segment, separators).elements.join(separators.element))];
  return texts.map((text) => text + separators.segment + separators.lineBreak).join("");
}

/** Charge = paid + adjustments on every line; lines = claim; PR adjustments = patient responsibility. */
function expectBalanced(remit: RemitDraft, lines: readonly RemitLineDraft[]): void {
  const all = lines.flatMap((line) => line.adjustments);
  for (const line of lines) expectEqual(`remittance ${remit.trace} line ${line.line}: paid plus adjustments`, line.charge, sumMoney([line.paid, ...line.adjustments.map((one) => one.amount)]));
  expectEqual(`remittance ${remit.trace} charge`, remit.charge, sumMoney(lines.map((line) => line.charge)));
  expectEqual(`remittance ${remit.trace} paid`, remit.paid, sumMoney(lines.map((line) => line.paid)));
  expectEqual(`remittance ${remit.trace} patient responsibility`, remit.patientResponsibility, sumMoney(all.filter((one) => one.group === "PR").map((one) => one.amount)));
}

function expectEqual(what: string, expected: string, actual: string): void {
  if (compareMoney(expected, actual) !== 0) throw new Error(`${what} does not balance: expected ${expected}, the lines give ${actual}`);
}

function filingCodeOf(payer: Rows<"payers">): string {
  return PAYERS.rows.find((profile) => profile.payerId === payer.payerNumber)?.filingCode ?? FILING_CODES[payer.kind] ?? "CI";
}

function claimStatus(status: string): string {
  return /^\d{1,2}/.exec(status)?.[0] ?? "1";
}

function splitName(name: string): [first: string, last: string] {
  const comma = name.split(",");
  if (comma.length === 2) return [comma[1]!.trim(), comma[0]!.trim()];
  const words = name.trim().split(/\s+/);
  return [words.slice(0, -1).join(" "), words.at(-1) ?? ""];
}

/** "12 Oak St, Dayton, OH 45402" as N3 and N4; whatever has another form goes whole into N3, with the office's city. */
function address(text: string): Written[] {
  const match = /^(.*?),\s*([^,]+),\s*([A-Za-z]{2})\s+(\d{5}(?:-?\d{4})?)$/.exec(text);
  if (match === null) return [written("N3", clean(text).slice(0, 55)), written("N4", OFFICE.city, OFFICE.state, OFFICE.zip)];
  return [written("N3", clean(match[1]!).slice(0, 55)), written("N4", clean(match[2]!).slice(0, 30), match[3]!.toUpperCase(), match[4]!.replace("-", ""))];
}

