/** The loops of a 277CA: header, source, receiver, provider, patient and claim. Owns their segments and rules. */
import type {
  AcknowledgedPatient,
  AcknowledgedProvider,
  AcknowledgmentHeader,
  ClaimAcknowledgment,
  ClaimStatus,
  InformationReceiver,
  InformationSource,
  StatusCategory,
  StatusCode,
} from "./acknowledgment-277ca.js";
import { fromIsoDate, toIsoDate } from "./calendar.js";
import { segmentRule } from "./element.js";
import type { LoopFormat } from "./loop.js";
import { nameRule, readName, writeName } from "./party.js";
import { periodRule, readPeriod, writePeriod } from "./period.js";
import { elementOf, type Segment, type Separators, splitComponents, type Written, written } from "./segment.js";
import { SlotTable } from "./slots.js";

type ClaimPart = Omit<ClaimAcknowledgment, "header" | "informationSource" | "receiver" | "provider" | "patient">;

const STATUS_CODE = ["=A0|A1|A2|A3|A4|A5|A6|A7|A8!", "AN1-30!", "AN1-3", "AN1-3"];
const statusRule = (action: "!" | "") =>
  segmentRule(12, [
    ["!", ...STATUS_CODE],
    "D!",
    `=U|WQ${action}`,
    "M1-18",
    "",
    "",
    "",
    "",
    "",
    ["?", ...STATUS_CODE],
    ["?", ...STATUS_CODE],
    "AN1-264",
  ]);
const traceRule = (kind: string) => segmentRule(4, [`=${kind}!`, "AN1-50!"]);
const referenceRule = (qualifier: string) => segmentRule(4, [`=${qualifier}!`, "AN1-50!"]);
const ALIEN = ["CLM", "CLP", "SBR", "LX", "BPR"];
const ORDER = "BHT NM1 TRN STC QTY AMT REF DTP SVC";

export const headerFormat: LoopFormat<AcknowledgmentHeader> = {
  slots: new SlotTable(
    { "BHT!": segmentRule(6, ["=0085!", "=08!", "AN1-50!", "D!", "T!", "=TH!"]) },
    { order: ORDER, alien: [...ALIEN, "NM1", "TRN", "STC"] },
  ),
  read(segments, { separators, problems }) {
    const value: AcknowledgmentHeader = { reference: "", date: "", time: "" };
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        if (slot?.name !== "BHT") return;
        value.reference = elementOf(segment, 3);
        value.date = toIsoDate(elementOf(segment, 4));
        value.time = elementOf(segment, 5);
      },
      problems,
    );
    return value;
  },
  write({ reference, date, time }) {
    return [written("BHT", "0085", "08", reference, fromIsoDate(date), time, "TH")];
  },
};

export const ackSourceFormat: LoopFormat<InformationSource> = {
  slots: new SlotTable(
    {
      "NM1*PR": nameRule("PR", "2", "PI|46|XV|FI"),
      "NM1*AY": nameRule("AY", "2", "PI|46|XV|FI"),
      "TRN*1": traceRule("1"),
      "DTP*050": periodRule("050"),
      "DTP*009": periodRule("009"),
    },
    { order: ORDER, alien: [...ALIEN, "STC", "BHT"] },
  ),
  read(segments, { separators, problems }) {
    const value: InformationSource = { role: "PR", name: "", id: "" };
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        switch (slot?.name) {
          case "NM1*PR":
          case "NM1*AY": {
            const qualifier = elementOf(segment, 8);
            value.role = elementOf(segment, 1) as InformationSource["role"];
            value.name = elementOf(segment, 3);
            value.id = elementOf(segment, 9);
            if (qualifier !== "PI") value.idQualifier = qualifier as "46" | "XV" | "FI";
            break;
          }
          case "TRN*1":
            value.trace = elementOf(segment, 2);
            break;
          case "DTP*050":
            value.receivedDate = readPeriod(segment).from;
            break;
          case "DTP*009":
            value.processedDate = readPeriod(segment).from;
        }
      },
      problems,
    );
    const [first] = segments;
    if (value.name === "" && first !== undefined)
      problems.add(
        "required-segment-missing",
        { segment: first.index, offset: first.offset },
        "NM1*PR or NM1*AY",
        "none",
      );
    return value;
  },
  write({ role, name, id, idQualifier, trace, receivedDate, processedDate }) {
    return [
      writeName(role, { name }, "organization", idQualifier ?? "PI", id),
      ...(trace === undefined ? [] : [written("TRN", "1", trace)]),
      ...(receivedDate === undefined ? [] : [writePeriod("050", receivedDate)]),
      ...(processedDate === undefined ? [] : [writePeriod("009", processedDate)]),
    ];
  },
};

export const ackReceiverFormat: LoopFormat<InformationReceiver> = {
  slots: new SlotTable(
    { "NM1*41!": nameRule("41", "1|2", "46"), "TRN*2": traceRule("2"), "STC+": statusRule("") },
    { order: ORDER, alien: [...ALIEN, "BHT", "SVC"] },
  ),
  read(segments, { separators, problems }) {
    let value: InformationReceiver = { name: "", id: "" };
    const statuses: ClaimStatus[] = [];
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        switch (slot?.name) {
          case "NM1*41":
            value = { ...readName(segment, "organization"), id: elementOf(segment, 9) };
            break;
          case "TRN*2":
            value.batchReference = elementOf(segment, 2);
            break;
          case "STC":
            statuses.push(readStatus(segment, separators));
        }
      },
      problems,
    );
    if (statuses.length > 0) value.statuses = statuses;
    return value;
  },
  write(value) {
    return [
      writeName("41", value, "organization", "46", value.id),
      ...(value.batchReference === undefined ? [] : [written("TRN", "2", value.batchReference)]),
      ...(value.statuses ?? []).map(writeStatus),
    ];
  },
};

export const ackProviderFormat: LoopFormat<AcknowledgedProvider> = {
  slots: new SlotTable({ "NM1*85!": nameRule("85", "1|2", "XX") }, { order: ORDER, alien: [...ALIEN, "BHT", "SVC"] }),
  read(segments, { separators, problems }) {
    let value: AcknowledgedProvider = { name: "", npi: "" };
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        if (slot?.name === "NM1*85") value = { ...readName(segment, "organization"), npi: elementOf(segment, 9) };
      },
      problems,
    );
    return value;
  },
  write(value) {
    return [writeName("85", value, "organization", "XX", value.npi)];
  },
};

export const ackPatientFormat: LoopFormat<AcknowledgedPatient> = {
  slots: new SlotTable(
    { "NM1*QC!": nameRule("QC", "1", "MI", { id: false }) },
    { order: ORDER, alien: [...ALIEN, "BHT", "SVC", "STC"] },
  ),
  read(segments, { separators, problems }) {
    let value: AcknowledgedPatient = { name: "" };
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        if (slot?.name !== "NM1*QC") return;
        value = readName(segment, "person");
        const memberId = elementOf(segment, 9);
        if (memberId !== "") value.memberId = memberId;
      },
      problems,
    );
    return value;
  },
  write(value) {
    return [writeName("QC", value, "person", "MI", value.memberId)];
  },
};

export const ackClaimFormat: LoopFormat<ClaimPart> = {
  slots: new SlotTable(
    {
      "TRN*2!": traceRule("2"),
      "STC!+": statusRule("!"),
      "REF*1K": referenceRule("1K"),
      "REF*D9": referenceRule("D9"),
      "DTP*472": periodRule("472"),
    },
    { order: ORDER, openers: ["SVC"], alien: [...ALIEN, "BHT", "NM1"] },
  ),
  read(segments, { separators, problems }) {
    const statuses: ClaimStatus[] = [];
    const value: ClaimPart = { patientControlNumber: "", statuses };
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        switch (slot?.name) {
          case "TRN*2":
            value.patientControlNumber = elementOf(segment, 2);
            break;
          case "STC":
            statuses.push(readStatus(segment, separators));
            break;
          case "REF*1K":
            value.payerClaimControlNumber = elementOf(segment, 2);
            break;
          case "REF*D9":
            value.clearinghouseTrace = elementOf(segment, 2);
            break;
          case "DTP*472": {
            const { from, to } = readPeriod(segment);
            value.serviceDate = from;
            if (to !== undefined) value.serviceEnd = to;
          }
        }
      },
      problems,
    );
    return value;
  },
  write(value) {
    const { payerClaimControlNumber, clearinghouseTrace, serviceDate } = value;
    return [
      written("TRN", "2", value.patientControlNumber),
      ...value.statuses.map(writeStatus),
      ...(payerClaimControlNumber === undefined ? [] : [written("REF", "1K", payerClaimControlNumber)]),
      ...(clearinghouseTrace === undefined ? [] : [written("REF", "D9", clearinghouseTrace)]),
      ...(serviceDate === undefined ? [] : [writePeriod("472", serviceDate, value.serviceEnd)]),
    ];
  },
};

function readStatus(segment: Segment, separators: Separators): ClaimStatus {
  const status: ClaimStatus = {
    ...readStatusCode(elementOf(segment, 1), separators),
    date: toIsoDate(elementOf(segment, 2)),
  };
  const [action, amount, text] = [elementOf(segment, 3), elementOf(segment, 4), elementOf(segment, 12)];
  const further = [10, 11].map((n) => elementOf(segment, n)).filter((element) => element !== "");
  if (action === "U" || action === "WQ") status.action = action;
  if (amount !== "") status.amount = amount;
  if (further.length > 0) status.further = further.map((element) => readStatusCode(element, separators));
  if (text !== "") status.text = text;
  return status;
}

function readStatusCode(element: string, separators: Separators): StatusCode {
  const [category, status = "", entity = ""] = splitComponents(element, separators);
  const code: StatusCode = { category: category as StatusCategory, status };
  if (entity !== "") code.entity = entity;
  return code;
}

function writeStatus(value: ClaimStatus): Written {
  const { date, action, amount = "", further = [], text = "" } = value;
  const code = ({ category, status, entity = "" }: StatusCode) => [category, status, entity];
  const [second, third] = further;
  return written(
    "STC",
    code(value),
    fromIsoDate(date),
    action ?? "",
    amount,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    second === undefined ? "" : code(second),
    third === undefined ? "" : code(third),
    text,
  );
}
