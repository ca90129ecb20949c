/**
 * Claim acknowledgments (277CA, 005010X214) as typed values, read from and written to real X12 text. Owns what each
 * claim was told on arrival; says nothing of adjudication, which only an 835 reports. Totals and line-level statuses
 * are kept in place and not interpreted.
 */

import {
  ackClaimFormat,
  ackPatientFormat,
  ackProviderFormat,
  ackReceiverFormat,
  ackSourceFormat,
  headerFormat,
} from "./acknowledgment-277ca-loops.js";
import type { IsoDate } from "./calendar.js";
import type { Money } from "./decimal.js";
import { type Envelope, type Guide, readFile, writeFile } from "./file.js";
import { type Branch, type HierarchyNode, type Levels, readHierarchy, renderHierarchy } from "./hierarchy.js";
import { readApart, readLoop, renderLoop, type Source, sameRecord } from "./loop.js";
import type { PartyName } from "./party.js";
import type { Parsed, ProblemList } from "./problem.js";
import { positionOf, type Segment, splitBefore } from "./segment.js";
import type { Reading } from "./slots.js";

/** The transaction an acknowledgment stands in; acknowledgments with the same header share it. */
export interface AcknowledgmentHeader {
  /** ST02; numbered from 0001 where left out. */
  control?: string;
  /** Which group of the envelope, from 0; the first where left out. */
  group?: number;
  reference: string;
  date: IsoDate;
  /** HHMM. */
  time: string;
  source?: Source;
}

/** Who acknowledges: the payer, or a clearinghouse ("AY"). */
export interface InformationSource {
  role: "PR" | "AY";
  name: string;
  id: string;
  /** "PI" where left out. */
  idQualifier?: "46" | "XV" | "FI";
  trace?: string;
  receivedDate?: IsoDate;
  processedDate?: IsoDate;
  source?: Source;
}

/** Who sent the claims; `batchReference` is BHT03 of the 837 they came in. */
export interface InformationReceiver extends PartyName {
  id: string;
  batchReference?: string;
  statuses?: readonly ClaimStatus[];
  source?: Source;
}

export interface AcknowledgedProvider extends PartyName {
  npi: string;
  source?: Source;
}

export interface AcknowledgedPatient extends PartyName {
  memberId?: string;
  /** "0" where HL04 states that nothing hangs below; usually left out. */
  childCode?: "0";
  source?: Source;
}

export type StatusCategory = "A0" | "A1" | "A2" | "A3" | "A4" | "A5" | "A6" | "A7" | "A8";

/** A claim status code with the entity it is about, where one is named. */
export interface StatusCode {
  category: StatusCategory;
  status: string;
  entity?: string;
}

/** One STC: what was found, when, and whether the claim is accepted (WQ) or refused (U). */
export interface ClaimStatus extends StatusCode {
  date: IsoDate;
  action?: "U" | "WQ";
  amount?: Money;
  /** Up to two more codes of the same segment. */
  further?: readonly StatusCode[];
  text?: string;
}

export interface ClaimAcknowledgment {
  header: AcknowledgmentHeader;
  informationSource: InformationSource;
  receiver: InformationReceiver;
  provider: AcknowledgedProvider;
  patient: AcknowledgedPatient;
  patientControlNumber: string;
  statuses: readonly ClaimStatus[];
  /** The payer's number for the claim, given when it was accepted. */
  payerClaimControlNumber?: string;
  /** The clearinghouse's own trace of the claim. */
  clearinghouseTrace?: string;
  serviceDate?: IsoDate;
  serviceEnd?: IsoDate;
  source?: Source;
}

export interface AcknowledgmentFile {
  envelope: Envelope;
  acknowledgments: readonly ClaimAcknowledgment[];
}

/** What became of the claim: only "accepted" means it will be adjudicated; "received" and "forwarded" do not. */
export type AcknowledgmentOutcome = "received" | "accepted" | "rejected" | "forwarded" | "notFound" | "split";

const OUTCOMES: Readonly<Record<StatusCategory, AcknowledgmentOutcome>> = {
  A0: "forwarded",
  A1: "received",
  A2: "accepted",
  A3: "rejected",
  A4: "notFound",
  A5: "split",
  A6: "rejected",
  A7: "rejected",
  A8: "rejected",
};
const WEIGHT: readonly AcknowledgmentOutcome[] = ["rejected", "notFound", "accepted", "split", "forwarded", "received"];

/** The weightiest of the statuses: one rejection rejects the claim, whatever else is said; undefined without any. */
export function acknowledgmentOutcome(statuses: readonly ClaimStatus[]): AcknowledgmentOutcome | undefined {
  const codes = statuses.flatMap((status) => [status, ...(status.further ?? [])]);
  const outcomes = new Set(codes.map((code) => OUTCOMES[code.category]));
  return WEIGHT.find((outcome) => outcomes.has(outcome));
}

const GUIDE: Guide = { functionalId: "HN", setId: "277", version: "005010X214" };
const LEVELS: Levels = {
  "20": { above: "", childless: ["0"] },
  "21": { above: "20", childless: ["0"] },
  "19": { above: "21", childless: ["0"] },
  PT: { above: "19", childless: ["", "0"] },
};
const TRACE_START = new Set(["TRN"]);

/** Reads every claim's acknowledgment; `toAcknowledgmentFile` of the value gives the same bytes. Never throws. */
export function parseAcknowledgments(text: string): Parsed<AcknowledgmentFile> {
  const { problems, file } = readFile(text, GUIDE);
  if (file === undefined) return { ok: false, problems: problems.toArray() };
  const acknowledgments: ClaimAcknowledgment[] = [];
  for (const { control, group, segments } of file.transactions) {
    const { head, nodes } = readHierarchy(segments, LEVELS, problems);
    const header: AcknowledgmentHeader = { ...readLoop(headerFormat, head, file.reading), control };
    if (group > 0) header.group = group;
    readNodes(nodes, header, file.reading, acknowledgments);
    if (nodes.length === 0) problems.add("no-content", { segment: 1, offset: 0 }, "at least one level (HL)", "none");
    if (problems.full) break;
  }
  if (problems.size > 0) return { ok: false, problems: problems.toArray() };
  return { ok: true, value: { envelope: file.envelope, acknowledgments }, problems: [] };
}

function readNodes(
  nodes: readonly HierarchyNode[],
  header: AcknowledgmentHeader,
  reading: Reading,
  list: ClaimAcknowledgment[],
): void {
  let source: InformationSource | undefined;
  let receiver: InformationReceiver | undefined;
  let provider: AcknowledgedProvider | undefined;
  let patient: AcknowledgedPatient | undefined;
  for (const node of nodes) {
    const { segments } = node;
    checkNode(node, reading.problems);
    if (node.level === "20") {
      source = readApart(ackSourceFormat, segments, reading, source);
      receiver = provider = patient = undefined;
    } else if (node.level === "21") {
      receiver = readApart(ackReceiverFormat, segments, reading, receiver);
      provider = patient = undefined;
    } else if (node.level === "19") {
      provider = readApart(ackProviderFormat, segments, reading, provider);
      patient = undefined;
    } else if (source !== undefined && receiver !== undefined && provider !== undefined) {
      const [own = [], ...claims] = splitBefore(segments, TRACE_START);
      patient = readPatient(own, node.childCode, reading, patient);
      const levels = { header, informationSource: source, receiver, provider, patient };
      for (const claim of claims) list.push({ ...levels, ...readLoop(ackClaimFormat, claim, reading) });
    }
  }
}

function readPatient(
  own: readonly Segment[],
  childCode: string,
  reading: Reading,
  neighbour: AcknowledgedPatient | undefined,
): AcknowledgedPatient {
  const patient = readApart(ackPatientFormat, own, reading, neighbour && withoutChildCode(neighbour));
  return childCode === "0" ? { ...patient, childCode } : patient;
}

function withoutChildCode({ childCode: _, ...patient }: AcknowledgedPatient): AcknowledgedPatient {
  return patient;
}

function checkNode({ level, children, segments, start }: HierarchyNode, problems: ProblemList): void {
  const claims = level === "PT" && segments.some((segment) => segment.id === "TRN");
  if (children > 0 || claims) return;
  problems.add("hierarchy", positionOf(start), "a claim (TRN at level PT) or a level below", "neither");
}

/** Writes acknowledgments in the order given; neighbours share a transaction and levels where theirs are the same. */
export function toAcknowledgmentFile(acknowledgments: readonly ClaimAcknowledgment[], envelope: Envelope): string {
  const { separators } = envelope.interchange;
  const runs: ClaimAcknowledgment[][] = [];
  for (const one of acknowledgments) {
    const run = runs.at(-1);
    if (run !== undefined && sameRecord(run[0]?.header, one.header)) run.push(one);
    else runs.push([one]);
  }
  const branchesOf = ({ informationSource, receiver, provider, patient }: ClaimAcknowledgment): Branch[] => {
    const level = (code: string, record: unknown, render: () => readonly Segment[], childless = "0"): Branch => ({
      level: code,
      record,
      childless,
      render,
    });
    return [
      level("20", informationSource, () => renderLoop(ackSourceFormat, informationSource, separators)),
      level("21", receiver, () => renderLoop(ackReceiverFormat, receiver, separators)),
      level("19", provider, () => renderLoop(ackProviderFormat, provider, separators)),
      level("PT", patient, () => renderLoop(ackPatientFormat, patient, separators), patient.childCode ?? ""),
    ];
  };
  const transactions = runs.map((run) => {
    const [{ header }] = run as [ClaimAcknowledgment];
    const levels = renderHierarchy(run, branchesOf, (one) => renderLoop(ackClaimFormat, one, separators));
    return {
      group: header.group,
      control: header.control,
      segments: [...renderLoop(headerFormat, header, separators), ...levels],
    };
  });
  return writeFile(envelope, GUIDE, transactions);
}
