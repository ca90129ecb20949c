/**
 * Professional claims (837P, 005010X222A1) as typed values, read from and written to real X12 text. Owns the claim's
 * shape and how claims share the levels of a file. What a claim may say is checked in claim-837p-check; segments that
 * are not modelled are kept in place and never interpreted.
 */
import type { Adjustment, Procedure } from "./adjustment.js";
import type { IsoDate } from "./calendar.js";
import { claimProblems } from "./claim-837p-check.js";
import { claimFormat, otherPayerFormat } from "./claim-837p-claim.js";
import { billingFormat, type MemberLevel, memberFormat, patientFormat, submissionFormat } from "./claim-837p-levels.js";
import { lineFormat } from "./claim-837p-line.js";
import type { Money } from "./decimal.js";
import { type Envelope, type Guide, readFile, writeFile } from "./file.js";
import { type Branch, type HierarchyNode, type Levels, readHierarchy, renderHierarchy } from "./hierarchy.js";
import { readApart, readLoop, renderLoop, type Source, sameRecord } from "./loop.js";
import type { Address, Birth, Contact, PartyName } from "./party.js";
import { type Parsed, type Problem, type ProblemList, X12WriteError } from "./problem.js";
import { positionOf, type Segment, type Separators, splitBefore } from "./segment.js";
import type { Reading } from "./slots.js";

/** Who sent the claims, to whom, under which reference; claims with the same submission share a transaction. */
export interface Submission {
  /** ST02; numbered from 0001 where left out. */
  control?: string;
  /** Which group of the envelope, from 0; the first where left out. */
  group?: number;
  reference: string;
  date: IsoDate;
  /** HHMM. */
  time: string;
  /** "18" for a reissue; an original where left out. */
  purpose?: "18";
  /** RP for encounter reports, 31 for subrogation; chargeable claims where left out. */
  use?: "RP" | "31";
  submitter: PartyName & { id: string; contact?: Contact };
  receiver: PartyName & { id: string };
  source?: Source;
}

export interface BillingProvider extends PartyName {
  npi: string;
  /** Nine digits, an EIN unless `taxIdType` says otherwise. */
  taxId: string;
  taxIdType?: "SY";
  taxonomy?: string;
  address?: Address;
  source?: Source;
}

export type Responsibility = "P" | "S" | "T" | "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "U";

/** The member; also the patient unless the claim names one. */
export interface Subscriber extends PartyName, Birth {
  memberId: string;
  responsibility: Responsibility;
  filingCode: string;
  groupNumber?: string;
  groupName?: string;
  address?: Address;
  source?: Source;
}

export interface Payer {
  name: string;
  id: string;
  /** "XV" where the id is a national plan id; a payer id (PI) where left out. */
  idQualifier?: "XV";
}

/** A patient who is not the subscriber; `relationship` is the individual relationship code (01 spouse, 19 child). */
export interface Patient extends PartyName, Birth {
  relationship: string;
  address?: Address;
  source?: Source;
}

export interface Diagnosis {
  qualifier: "ABK" | "ABF";
  /** ICD-10-CM without the point. */
  code: string;
}

export interface Attachment {
  reportType: string;
  transmission: string;
  control?: string;
}

export interface ClaimNote {
  code: string;
  text: string;
}

export interface Provider extends PartyName {
  npi?: string;
  taxonomy?: string;
}

export interface Facility extends PartyName {
  npi?: string;
  address?: Address;
}

/** Another payer of the same claim (loop 2320), in the file's order. */
export interface OtherPayer {
  responsibility: Responsibility;
  /** How the patient is related to this payer's subscriber; 18 is self. */
  relationship: string;
  groupNumber?: string;
  groupName?: string;
  filingCode?: string;
  adjustments: readonly Adjustment[];
  paid?: Money;
  benefitsAssigned?: "N" | "W";
  releaseOfInformation?: "I";
  subscriber: PartyName & { memberId: string };
  payer: Payer;
  paidDate?: IsoDate;
  /** The other payer's claim control number. */
  claimControlNumber?: string;
  source?: Source;
}

/** What another payer decided on a line (loop 2430). */
export interface LineAdjudication extends Procedure {
  payerId: string;
  paid: Money;
  units: string;
  adjustments: readonly Adjustment[];
  date: IsoDate;
}

export interface ClaimLine extends Procedure {
  /** From 1, without gaps. */
  number: number;
  charge: Money;
  unitBasis: "UN" | "MJ";
  units: string;
  placeOfService?: string;
  /** Places in the claim's diagnosis list, from 1. */
  pointers: readonly number[];
  serviceDate: IsoDate;
  /** The last day, where the service is a range. */
  serviceEnd?: IsoDate;
  priorAuthorization?: string;
  /** The provider's own line reference, which the payer returns on the 835. */
  controlNumber?: string;
  ndc?: { code: string; quantity: string; unit: string };
  orderingProvider?: Provider;
  adjudications?: readonly LineAdjudication[];
  source?: Source;
}

export interface ProfessionalClaim {
  submission: Submission;
  billingProvider: BillingProvider;
  subscriber: Subscriber;
  payer: Payer;
  patient?: Patient;
  patientControlNumber: string;
  total: Money;
  placeOfService: string;
  /** 1 original, 7 replacement, 8 void; the only ones that 837P takes. */
  frequency: "1" | "7" | "8";
  signatureOnFile?: "N";
  acceptsAssignment?: "B" | "C";
  benefitsAssigned?: "N" | "W";
  releaseOfInformation?: "I";
  originalReference?: string;
  priorAuthorization?: string;
  referral?: string;
  clia?: string;
  diagnoses: readonly Diagnosis[];
  attachments?: readonly Attachment[];
  notes?: readonly ClaimNote[];
  referringProvider?: Provider;
  renderingProvider?: Provider;
  facility?: Facility;
  otherPayers?: readonly OtherPayer[];
  lines: readonly ClaimLine[];
  source?: Source;
}

export interface ClaimFile {
  envelope: Envelope;
  claims: readonly ProfessionalClaim[];
}

const CLAIM_START = new Set(["CLM"]);
const CLAIM_PARTS = new Set(["CLM", "SBR", "LX"]);
const GUIDE: Guide = { functionalId: "HC", setId: "837", version: "005010X222A1" };
const LEVELS: Levels = {
  "20": { above: "", childless: [] },
  "22": { above: "20", childless: ["0"] },
  "23": { above: "22", childless: ["0"] },
};

/** Reads every claim of an 837P file; `toClaimFile(value.claims, value.envelope)` gives the same bytes. Never throws. */
export function parseClaims(text: string): Parsed<ClaimFile> {
  const { problems, file } = readFile(text, GUIDE);
  if (file === undefined) return { ok: false, problems: problems.toArray() };
  const claims: ProfessionalClaim[] = [];
  for (const { control, group, segments } of file.transactions) {
    const { head, nodes } = readHierarchy(segments, LEVELS, problems);
    const submission: Submission = { ...readLoop(submissionFormat, head, file.reading), control };
    if (group > 0) submission.group = group;
    const before = claims.length;
    readNodes(nodes, submission, file.reading, claims);
    if (claims.length === before) problems.add("no-content", start(head), "at least one claim (CLM)", "none");
    if (problems.full) break;
  }
  if (problems.size > 0) return { ok: false, problems: problems.toArray() };
  return { ok: true, value: { envelope: file.envelope, claims }, problems: [] };
}

function start(segments: readonly Segment[]) {
  const [first] = segments;
  return first === undefined ? { segment: 1, offset: 0 } : positionOf(first);
}

/** The open levels above a claim. */
interface Above {
  billing?: BillingProvider;
  member?: MemberLevel;
  patient?: Patient;
}

function readNodes(
  nodes: readonly HierarchyNode[],
  submission: Submission,
  reading: Reading,
  claims: ProfessionalClaim[],
): void {
  let above: Above = {};
  for (const node of nodes) {
    const [own = [], ...bodies] = splitBefore(node.segments, CLAIM_START);
    const { billing, member } = above;
    if (node.level === "20") above = { billing: readApart(billingFormat, own, reading, billing) };
    else if (node.level === "22" && billing !== undefined)
      above = { billing, member: readApart(memberFormat, own, reading, member) };
    else if (node.level === "23" && billing !== undefined && member !== undefined)
      above = { billing, member, patient: readApart(patientFormat, own, reading, above.patient) };
    checkLevel(node, bodies.length, above, reading.problems);
    const levels = levelsOf(above, submission);
    if (levels === undefined) continue;
    for (const body of bodies) claims.push(readClaim(body, levels, reading));
  }
}

function checkLevel(node: HierarchyNode, claims: number, { member, patient }: Above, problems: ProblemList): void {
  const at = positionOf(node.start);
  if (node.children === 0 && claims === 0) problems.add("hierarchy", at, "a claim (CLM) or a level below", "neither");
  if (claims === 0 || (node.level !== "20" && member?.self === (patient === undefined))) return;
  const expected = "a claim under its patient: level 23, or level 22 with SBR02 18";
  problems.add("hierarchy", at, expected, `a claim at level ${node.level}`);
}

type ClaimLevels = Pick<ProfessionalClaim, "submission" | "billingProvider" | "subscriber" | "payer" | "patient">;

function levelsOf({ billing, member, patient }: Above, submission: Submission): ClaimLevels | undefined {
  if (billing === undefined || member === undefined) return undefined;
  const { source, payer } = member;
  const subscriber = source === undefined ? member.subscriber : { ...member.subscriber, source };
  const levels: ClaimLevels = { submission, billingProvider: billing, subscriber, payer };
  if (patient !== undefined) levels.patient = patient;
  return levels;
}

function readClaim(body: readonly Segment[], levels: ClaimLevels, reading: Reading): ProfessionalClaim {
  const { problems } = reading;
  const before = problems.size;
  const [, head = [], ...loops] = splitBefore(body, CLAIM_PARTS);
  const otherPayers: OtherPayer[] = [];
  const lines: ClaimLine[] = [];
  for (const loop of loops) {
    const [first] = loop;
    if (first?.id === "LX") lines.push(readLoop(lineFormat, loop, reading));
    else if (lines.length === 0) otherPayers.push(readLoop(otherPayerFormat, loop, reading));
    else if (first !== undefined)
      problems.add("segment-out-of-place", positionOf(first), "SBR before the first LX", "SBR");
  }
  const claim: ProfessionalClaim = { ...levels, ...readLoop(claimFormat, head, reading), lines };
  if (otherPayers.length > 0) claim.otherPayers = otherPayers;
  if (problems.size === before) problems.addAll(claimProblems(claim, start(head)));
  return claim;
}

/** Writes claims in the order given; neighbours share a transaction, a provider or a member where theirs are the same. */
export function toClaimFile(claims: readonly ProfessionalClaim[], envelope: Envelope): string {
  const problems = claims.flatMap((claim) => claimProblems(claim, { segment: 0, offset: 0 }));
  if (problems.length > 0) throw new X12WriteError(problems);
  const { separators } = envelope.interchange;
  const runs: ProfessionalClaim[][] = [];
  for (const claim of claims) {
    const run = runs.at(-1);
    if (run !== undefined && sameRecord(run[0]?.submission, claim.submission)) run.push(claim);
    else runs.push([claim]);
  }
  const transactions = runs.map((run) => {
    const [{ submission }] = run as [ProfessionalClaim];
    const head = renderLoop(submissionFormat, submission, separators);
    const levels = renderHierarchy(
      run,
      (claim) => branchesOf(claim, separators),
      (claim) => renderClaim(claim, separators),
    );
    return { group: submission.group, control: submission.control, segments: [...head, ...levels] };
  });
  return writeFile(envelope, GUIDE, transactions);
}

function branchesOf(claim: ProfessionalClaim, separators: Separators): Branch[] {
  const { billingProvider, subscriber, payer, patient } = claim;
  const member: MemberLevel = { subscriber, payer, self: patient === undefined };
  if (subscriber.source !== undefined) member.source = subscriber.source;
  const branches: Branch[] = [
    branch("20", billingProvider, () => renderLoop(billingFormat, billingProvider, separators)),
    branch("22", member, () => renderLoop(memberFormat, member, separators)),
  ];
  if (patient !== undefined) branches.push(branch("23", patient, () => renderLoop(patientFormat, patient, separators)));
  return branches;
}

function branch(level: string, record: unknown, render: () => readonly Segment[]): Branch {
  return { level, record, childless: "0", render };
}

function renderClaim(claim: ProfessionalClaim, separators: Separators): Segment[] {
  return [
    ...renderLoop(claimFormat, claim, separators),
    ...(claim.otherPayers ?? []).flatMap((payer) => renderLoop(otherPayerFormat, payer, separators)),
    ...claim.lines.flatMap((line) => renderLoop(lineFormat, line, separators)),
  ];
}

/** What is wrong with a claim as a whole (total, frequency, diagnoses, lines); empty for a claim that can be sent. */
export function checkClaim(claim: ProfessionalClaim): readonly Problem[] {
  return claimProblems(claim, { segment: 0, offset: 0 });
}
