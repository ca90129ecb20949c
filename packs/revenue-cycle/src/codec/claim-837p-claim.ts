/** Loop 2300 of an 837P with its providers, and loop 2320, another payer of the claim. Owns their segments. */
import { ADJUSTMENTS, type Adjustment, readAdjustments, writeAdjustments } from "./adjustment.js";
import type {
  Attachment,
  ClaimNote,
  Diagnosis,
  Facility,
  OtherPayer,
  ProfessionalClaim,
  Provider,
  Responsibility,
} from "./claim-837p.js";
import { readPayer, SUBSCRIBER_RULE, writePayer } from "./claim-837p-levels.js";
import { segmentRule } from "./element.js";
import type { LoopFormat, Source } from "./loop.js";
import { CITY, nameRule, readCity, readName, readStreet, STREET, writeAddress, writeName } from "./party.js";
import { periodRule, readPeriod, writePeriod } from "./period.js";
import { elementOf, type Segment, type Separators, splitComponents, type Written, written } from "./segment.js";
import { SlotTable } from "./slots.js";

/** A claim's own segments; the levels above and the loops below are read and written apart. */
export type ClaimHead = Omit<
  ProfessionalClaim,
  "submission" | "billingProvider" | "subscriber" | "payer" | "patient" | "lines" | "otherPayers"
>;

const REFERENCES = { F8: "originalReference", G1: "priorAuthorization", "9F": "referral", X4: "clia" } as const;
const DIAGNOSES_IN_SEGMENT = 12;
const referenceRule = (qualifier: string) => segmentRule(4, [`=${qualifier}!`, "AN1-50!"]);
const DIAGNOSIS = ["=ABK|ABF!", "AN1-30!", "", "", "", "", "", "", ""];
const DIAGNOSES = segmentRule(12, [["!", ...DIAGNOSIS], ...Array.from({ length: 11 }, () => ["?", ...DIAGNOSIS])]);
const TAXONOMY = segmentRule(6, ["=PE|RF!", "=PXC!", "AN1-50!"]);
const providerRule = (role: string, entities: string) => nameRule(role, entities, "XX", { id: false });

export const claimFormat: LoopFormat<ClaimHead> = {
  slots: new SlotTable(
    {
      "CLM!": segmentRule(20, [
        "AN1-38!",
        "M1-18!",
        "",
        "",
        ["!", "AN1-2!", "=B!", "=1|7|8!"],
        "=Y|N!",
        "=A|B|C!",
        "=N|W|Y!",
        "=I|Y!",
      ]),
      "PWK+": segmentRule(9, ["AN2-2!", "AN1-2!", "", "", "=AC", "AN2-80"]),
      "REF*9F": referenceRule("9F"),
      "REF*F8": referenceRule("F8"),
      "REF*X4": referenceRule("X4"),
      "REF*G1": referenceRule("G1"),
      "NTE+": segmentRule(2, ["AN3-3!", "AN1-80!"]),
      "HI*ABK+": DIAGNOSES,
      "HI*ABF+": DIAGNOSES,
      // ICD-9 lists are modelled only to be refused: no claim of this guide may carry them any more.
      "HI*BK+": DIAGNOSES,
      "HI*BF+": DIAGNOSES,
      "NM1*DN": providerRule("DN", "1"),
      "NM1*82": providerRule("82", "1|2"),
      "NM1*82 PRV*PE": TAXONOMY,
      "NM1*77": providerRule("77", "2"),
      "NM1*77 N3": STREET,
      "NM1*77 N4": CITY,
    },
    {
      order: "CLM DTP PWK CN1 AMT REF K3 NTE CR1 CR2 CR3 CRC HI HCP NM1 PRV N3 N4 PER",
      openers: ["NM1"],
      alien: ["SV1", "SVD", "CAS", "LIN", "PAT", "DMG", "BHT", "OI"],
    },
  ),
  read(segments, { separators, problems }) {
    const value: ClaimHead = { patientControlNumber: "", total: "", placeOfService: "", frequency: "1", diagnoses: [] };
    const diagnoses: Diagnosis[] = [];
    const attachments: Attachment[] = [];
    const notes: ClaimNote[] = [];
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        switch (slot?.name) {
          case "CLM":
            readClaimSegment(segment, value, separators);
            break;
          case "PWK":
            attachments.push(readAttachment(segment));
            break;
          case "REF*9F":
          case "REF*F8":
          case "REF*X4":
          case "REF*G1":
            value[REFERENCES[elementOf(segment, 1) as keyof typeof REFERENCES]] = elementOf(segment, 2);
            break;
          case "NTE":
            notes.push({ code: elementOf(segment, 1), text: elementOf(segment, 2) });
            break;
          case "HI*ABK":
          case "HI*ABF":
            diagnoses.push(...readDiagnoses(segment, separators));
            break;
          case "NM1*DN":
            value.referringProvider = readProvider(segment, "person");
            break;
          case "NM1*82":
            value.renderingProvider = readProvider(segment, "person");
            break;
          case "NM1*82 PRV*PE":
            if (value.renderingProvider !== undefined) value.renderingProvider.taxonomy = elementOf(segment, 3);
            break;
          case "NM1*77":
            value.facility = readProvider(segment, "organization");
            break;
          case "NM1*77 N3":
            if (value.facility !== undefined) value.facility.address = readStreet(segment, value.facility.address);
            break;
          case "NM1*77 N4":
            if (value.facility !== undefined) value.facility.address = readCity(segment, value.facility.address);
        }
      },
      problems,
    );
    value.diagnoses = diagnoses;
    if (attachments.length > 0) value.attachments = attachments;
    if (notes.length > 0) value.notes = notes;
    return value;
  },
  write(value) {
    const { referringProvider, renderingProvider, facility } = value;
    const { taxonomy } = renderingProvider ?? {};
    return [
      writeClaimSegment(value),
      ...(value.attachments ?? []).map(writeAttachment),
      ...(["9F", "F8", "X4", "G1"] as const).flatMap((qualifier) =>
        writeReference(qualifier, value[REFERENCES[qualifier]]),
      ),
      ...(value.notes ?? []).map(({ code, text }) => written("NTE", code, text)),
      ...writeDiagnoses(value.diagnoses),
      ...(referringProvider === undefined
        ? []
        : [writeName("DN", referringProvider, "person", "XX", referringProvider.npi)]),
      ...(renderingProvider === undefined
        ? []
        : [writeName("82", renderingProvider, "person", "XX", renderingProvider.npi)]),
      ...(taxonomy === undefined ? [] : [written("PRV", "PE", "PXC", taxonomy)]),
      ...(facility === undefined
        ? []
        : [writeName("77", facility, "organization", "XX", facility.npi), ...writeAddress(facility.address)]),
    ];
  },
};

function readClaimSegment(segment: Segment, value: ClaimHead, separators: Separators): void {
  const [, patientControlNumber = "", total = "", , , place = "", signature, assignment, benefits, release] =
    segment.elements;
  const [placeOfService = "", , frequency] = splitComponents(place, separators);
  Object.assign(value, { patientControlNumber, total, placeOfService, frequency });
  if (signature === "N") value.signatureOnFile = signature;
  if (assignment === "B" || assignment === "C") value.acceptsAssignment = assignment;
  if (benefits === "N" || benefits === "W") value.benefitsAssigned = benefits;
  if (release === "I") value.releaseOfInformation = release;
}

function writeClaimSegment(value: ClaimHead): Written {
  return written(
    "CLM",
    value.patientControlNumber,
    value.total,
    undefined,
    undefined,
    [value.placeOfService, "B", value.frequency],
    value.signatureOnFile ?? "Y",
    value.acceptsAssignment ?? "A",
    value.benefitsAssigned ?? "Y",
    value.releaseOfInformation ?? "Y",
  );
}

function readAttachment(segment: Segment): Attachment {
  const attachment: Attachment = { reportType: elementOf(segment, 1), transmission: elementOf(segment, 2) };
  const control = elementOf(segment, 6);
  if (control !== "") attachment.control = control;
  return attachment;
}

function writeAttachment({ reportType, transmission, control }: Attachment): Written {
  return written(
    "PWK",
    reportType,
    transmission,
    undefined,
    undefined,
    control === undefined ? "" : "AC",
    control ?? "",
  );
}

export function writeReference(qualifier: string, value: string | undefined): Written[] {
  return value === undefined ? [] : [written("REF", qualifier, value)];
}

function readDiagnoses(segment: Segment, separators: Separators): Diagnosis[] {
  return segment.elements.slice(1).flatMap((element) => {
    const [qualifier, code = ""] = splitComponents(element, separators);
    return element === "" ? [] : [{ qualifier: qualifier as Diagnosis["qualifier"], code }];
  });
}

function writeDiagnoses(diagnoses: readonly Diagnosis[]): Written[] {
  const list: Written[] = [];
  for (let n = 0; n < diagnoses.length; n += DIAGNOSES_IN_SEGMENT) {
    const some = diagnoses.slice(n, n + DIAGNOSES_IN_SEGMENT);
    list.push(written("HI", ...some.map(({ qualifier, code }) => [qualifier, code])));
  }
  return list;
}

export function readProvider(segment: Segment, usual: "person" | "organization"): Provider & Facility {
  const provider: Provider & Facility = readName(segment, usual);
  const npi = elementOf(segment, 9);
  if (npi !== "") provider.npi = npi;
  return provider;
}

export const otherPayerFormat: LoopFormat<OtherPayer & { source?: Source }> = {
  slots: new SlotTable(
    {
      "SBR!": SUBSCRIBER_RULE("AN2-2!"),
      "CAS+": ADJUSTMENTS,
      "AMT*D": segmentRule(3, ["=D!", "M1-18!"]),
      "OI!": segmentRule(6, ["", "", "=N|W|Y!", "", "", "=I|Y!"]),
      "NM1*IL!": nameRule("IL", "1|2", "MI"),
      "NM1*PR!": nameRule("PR", "2", "PI|XV"),
      "NM1*PR DTP*573": periodRule("573"),
      "NM1*PR REF*F8": referenceRule("F8"),
    },
    {
      order: "SBR CAS AMT OI MIA MOA NM1 N3 N4 DTP REF",
      openers: ["NM1"],
      alien: ["CLM", "HI", "SV1", "SVD", "LIN", "PAT", "BHT"],
    },
  ),
  read(segments, { separators, problems }) {
    const adjustments: Adjustment[] = [];
    const value: OtherPayer = {
      responsibility: "P",
      relationship: "",
      adjustments,
      subscriber: { name: "", memberId: "" },
      payer: { name: "", id: "" },
    };
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        switch (slot?.name) {
          case "SBR": {
            const [, responsibility, relationship = "", groupNumber = "", groupName = ""] = segment.elements;
            const filingCode = elementOf(segment, 9);
            Object.assign(value, { responsibility: responsibility as Responsibility, relationship });
            if (groupNumber !== "") value.groupNumber = groupNumber;
            if (groupName !== "") value.groupName = groupName;
            if (filingCode !== "") value.filingCode = filingCode;
            break;
          }
          case "CAS":
            adjustments.push(...readAdjustments(segment));
            break;
          case "AMT*D":
            value.paid = elementOf(segment, 2);
            break;
          case "OI": {
            const [benefits, release] = [elementOf(segment, 3), elementOf(segment, 6)];
            if (benefits === "N" || benefits === "W") value.benefitsAssigned = benefits;
            if (release === "I") value.releaseOfInformation = release;
            break;
          }
          case "NM1*IL":
            value.subscriber = { ...readName(segment, "person"), memberId: elementOf(segment, 9) };
            break;
          case "NM1*PR":
            value.payer = readPayer(segment);
            break;
          case "NM1*PR DTP*573":
            value.paidDate = readPeriod(segment).from;
            break;
          case "NM1*PR REF*F8":
            value.claimControlNumber = elementOf(segment, 2);
        }
      },
      problems,
    );
    return value;
  },
  write(value) {
    const { responsibility, relationship, groupNumber = "", groupName = "", filingCode = "", paid, paidDate } = value;
    return [
      written(
        "SBR",
        responsibility,
        relationship,
        groupNumber,
        groupName,
        undefined,
        undefined,
        undefined,
        undefined,
        filingCode,
      ),
      ...writeAdjustments(value.adjustments),
      ...(paid === undefined ? [] : [written("AMT", "D", paid)]),
      written(
        "OI",
        undefined,
        undefined,
        value.benefitsAssigned ?? "Y",
        undefined,
        undefined,
        value.releaseOfInformation ?? "Y",
      ),
      writeName("IL", value.subscriber, "person", "MI", value.subscriber.memberId),
      writePayer(value.payer),
      ...(paidDate === undefined ? [] : [writePeriod("573", paidDate)]),
      ...writeReference("F8", value.claimControlNumber),
    ];
  },
};
