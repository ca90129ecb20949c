/** Loops 2000 and 2100 of an 835: the batch that claims stand in, and one claim's payment. Owns their segments. */
import { ADJUSTMENTS, type Adjustment, readAdjustments, writeAdjustments } from "./adjustment.js";
import { fromIsoDate, toIsoDate } from "./calendar.js";
import { segmentRule } from "./element.js";
import { type LoopFormat, refuseToWrite } from "./loop.js";
import { nameRule, type PartyName, readName, writeName } from "./party.js";
import type { ClaimBatch, ClaimPayment, ClaimPaymentStatus } from "./remittance-835.js";
import { elementOf, type Segment, type Written, written } from "./segment.js";
import { SlotTable } from "./slots.js";

/** A claim's own segments; its lines and its batch are read and written apart. */
export type ClaimPaymentHead = Omit<ClaimPayment, "lines" | "batch">;

const STATUSES = "=1|2|3|4|19|20|21|22|23|25";
const MEMBER_IDS = "MI|HN|II|34|C|MR";
const dateRule = (qualifier: string) => segmentRule(6, [`=${qualifier}!`, "D!"]);
const memberRule = (role: string) => nameRule(role, "1|2", MEMBER_IDS, { id: false, name: false });

export const batchFormat: LoopFormat<ClaimBatch> = {
  slots: new SlotTable(
    { "LX!": segmentRule(1, ["N1-6!"]) },
    { order: "LX TS3 TS2", alien: ["CAS", "NM1", "DTM", "AMT", "REF", "MOA", "LQ"] },
  ),
  read(segments, { separators, problems }) {
    const value: ClaimBatch = { number: "" };
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        if (slot?.name === "LX") value.number = elementOf(segment, 1);
      },
      problems,
    );
    return value;
  },
  write: ({ number }) => [written("LX", number)],
};

export const claimPaymentFormat: LoopFormat<ClaimPaymentHead> = {
  slots: new SlotTable(
    {
      "CLP!": segmentRule(14, [
        "AN1-38!",
        `${STATUSES}!`,
        "M1-18!",
        "M1-18!",
        "M1-18",
        "AN1-2!",
        "AN1-50!",
        "AN1-2",
        "AN1-1",
      ]),
      "CAS+": ADJUSTMENTS,
      "NM1*QC!": memberRule("QC"),
      "NM1*IL": memberRule("IL"),
      "NM1*74": memberRule("74"),
      "NM1*82": nameRule("82", "1|2", "XX|FI|PC|SL|BS|MC", { id: false, name: false }),
      MOA: segmentRule(9, ["", "", "AN1-50", "AN1-50", "AN1-50", "AN1-50", "AN1-50"]),
      "DTM*232": dateRule("232"),
      "DTM*233": dateRule("233"),
      "DTM*050": dateRule("050"),
    },
    {
      order: "CLP CAS NM1 MIA MOA REF DTM PER AMT QTY",
      alien: ["BPR", "TRN", "N1", "BHT", "HL", "LQ", "SV1"],
    },
  ),
  read(segments, { separators, problems }) {
    const adjustments: Adjustment[] = [];
    const value: ClaimPaymentHead = {
      patientControlNumber: "",
      status: "1",
      charge: "",
      paid: "",
      filingCode: "",
      payerControlNumber: "",
      adjustments,
      patient: { name: "" },
      remarks: [],
    };
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        switch (slot?.name) {
          case "CLP":
            readPayment(segment, value);
            break;
          case "CAS":
            adjustments.push(...readAdjustments(segment));
            break;
          case "NM1*QC":
            value.patient = readMember(segment);
            break;
          case "NM1*IL":
            value.insured = readMember(segment);
            break;
          case "NM1*74":
            value.correctedInsured = readMember(segment);
            break;
          case "NM1*82": {
            const npi = elementOf(segment, 9);
            value.renderingProvider = readName(segment, "person");
            if (npi !== "" && elementOf(segment, 8) === "XX") value.renderingProvider.npi = npi;
            break;
          }
          case "MOA":
            value.remarks = segment.elements.slice(3, 8).filter((remark) => remark !== "");
            break;
          case "DTM*232":
            value.statementFrom = toIsoDate(elementOf(segment, 2));
            break;
          case "DTM*233":
            value.statementTo = toIsoDate(elementOf(segment, 2));
            break;
          case "DTM*050":
            value.receivedDate = toIsoDate(elementOf(segment, 2));
        }
      },
      problems,
    );
    return value;
  },
  write(value) {
    const { insured, correctedInsured, renderingProvider: rendering } = value;
    return [
      writePayment(value),
      ...writeAdjustments(value.adjustments),
      writeMember("QC", value.patient),
      ...(insured === undefined ? [] : [writeMember("IL", insured)]),
      ...(correctedInsured === undefined ? [] : [writeMember("74", correctedInsured)]),
      ...(rendering === undefined ? [] : [writeName("82", rendering, "person", "XX", rendering.npi)]),
      ...writeRemarks(value.remarks),
      ...writeDate("232", value.statementFrom),
      ...writeDate("233", value.statementTo),
      ...writeDate("050", value.receivedDate),
    ];
  },
};

function readPayment(segment: Segment, value: ClaimPaymentHead): void {
  const [, patientControlNumber = "", status, charge = "", paid = "", responsibility = "", filingCode = ""] =
    segment.elements;
  const [payerControlNumber, placeOfService, frequency] = [7, 8, 9].map((n) => elementOf(segment, n));
  Object.assign(value, { patientControlNumber, charge, paid, filingCode, payerControlNumber });
  value.status = status as ClaimPaymentStatus;
  if (responsibility !== "") value.patientResponsibility = responsibility;
  if (placeOfService) value.placeOfService = placeOfService;
  if (frequency) value.frequency = frequency;
}

function writePayment(value: ClaimPaymentHead): Written {
  const { patientControlNumber, status, charge, paid, patientResponsibility = "", filingCode } = value;
  const { payerControlNumber, placeOfService = "", frequency = "" } = value;
  const ours = [patientControlNumber, status, charge, paid, patientResponsibility, filingCode];
  return written("CLP", ...ours, payerControlNumber, placeOfService, frequency);
}

function readMember(segment: Segment): PartyName & { memberId?: string } {
  const member: PartyName & { memberId?: string } = readName(segment, "person");
  const id = elementOf(segment, 9);
  if (id !== "" && elementOf(segment, 8) !== "34") member.memberId = id;
  return member;
}

function writeMember(role: string, member: PartyName & { memberId?: string }): Written {
  return writeName(role, member, "person", role === "74" ? "C" : "MI", member.memberId);
}

function writeRemarks(remarks: readonly string[]): Written[] {
  if (remarks.length > 5)
    throw refuseToWrite("too-many-elements", "at most 5 claim remarks (MOA03 to MOA07)", remarks.join(" "));
  return remarks.length === 0 ? [] : [written("MOA", undefined, undefined, ...remarks)];
}

function writeDate(qualifier: string, date: string | undefined): Written[] {
  return date === undefined ? [] : [written("DTM", qualifier, fromIsoDate(date))];
}
