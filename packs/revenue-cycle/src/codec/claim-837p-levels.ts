/** The loops of an 837P above the claim: header, billing provider, member with payer, patient. Owns their segments. */
import { fromIsoDate, toIsoDate } from "./calendar.js";
import type { BillingProvider, Patient, Payer, Responsibility, Submission, Subscriber } from "./claim-837p.js";
import { segmentRule } from "./element.js";
import type { LoopFormat, Source } from "./loop.js";
import {
  BIRTH,
  CITY,
  contactRule,
  nameRule,
  readBirth,
  readCity,
  readContact,
  readName,
  readStreet,
  STREET,
  writeAddress,
  writeBirth,
  writeContact,
  writeName,
} from "./party.js";
import { elementOf, positionOf, type Segment, type Written, written } from "./segment.js";
import { SlotTable } from "./slots.js";

/** What one HL 22 says: the member, the payer, and whether the member is the patient (SBR02 18). */
export interface MemberLevel {
  subscriber: Omit<Subscriber, "source">;
  payer: Payer;
  self: boolean;
  source?: Source;
}

const ALIEN = ["CLM", "LX", "SV1", "HI", "SVD", "CAS"];
const PARTY_ORDER = "NM1 PRV N2 N3 N4 DMG REF PER";
export const SUBSCRIBER_RULE = (self: string) =>
  segmentRule(9, ["=P|S|T|A|B|C|D|E|F|G|H|U!", self, "AN1-50", "AN1-60", "", "", "", "", "AN1-2"]);

export const submissionFormat: LoopFormat<Submission> = {
  slots: new SlotTable(
    {
      "BHT!": segmentRule(6, ["=0019!", "=00|18!", "AN1-50!", "D!", "T!", "=CH|RP|31!"]),
      "NM1*41!": nameRule("41", "1|2", "46"),
      "NM1*41 PER*IC+": contactRule("IC"),
      "NM1*40!": nameRule("40", "2", "46"),
    },
    { order: `BHT ${PARTY_ORDER}`, openers: ["NM1"], alien: [...ALIEN, "SBR", "PAT", "DMG", "DTP"] },
  ),
  read(segments, { separators, problems }) {
    const value: Submission = {
      reference: "",
      date: "",
      time: "",
      submitter: { name: "", id: "" },
      receiver: { name: "", id: "" },
    };
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        switch (slot?.name) {
          case "BHT":
            value.reference = elementOf(segment, 3);
            value.date = toIsoDate(elementOf(segment, 4));
            value.time = elementOf(segment, 5);
            if (elementOf(segment, 2) === "18") value.purpose = "18";
            if (elementOf(segment, 6) !== "CH") value.use = elementOf(segment, 6) as "RP" | "31";
            break;
          case "NM1*41":
            value.submitter = { ...readName(segment, "organization"), id: elementOf(segment, 9) };
            break;
          case "NM1*41 PER*IC":
            value.submitter.contact ??= readContact(segment);
            break;
          case "NM1*40":
            value.receiver = { ...readName(segment, "organization"), id: elementOf(segment, 9) };
        }
      },
      problems,
    );
    return value;
  },
  write({ reference, date, time, purpose = "00", use = "CH", submitter, receiver }) {
    return [
      written("BHT", "0019", purpose, reference, fromIsoDate(date), time, use),
      writeName("41", submitter, "organization", "46", submitter.id),
      ...(submitter.contact === undefined ? [] : [writeContact("IC", submitter.contact)]),
      writeName("40", receiver, "organization", "46", receiver.id),
    ];
  },
};

const taxRule = (qualifier: string) => segmentRule(4, [`=${qualifier}!`, "AN1-50!"]);

export const billingFormat: LoopFormat<BillingProvider> = {
  slots: new SlotTable(
    {
      "PRV*BI": segmentRule(6, ["=BI!", "=PXC!", "AN1-50!"]),
      "NM1*85!": nameRule("85", "1|2", "XX"),
      "NM1*85 N3": STREET,
      "NM1*85 N4": CITY,
      "NM1*85 REF*EI": taxRule("EI"),
      "NM1*85 REF*SY": taxRule("SY"),
    },
    { order: "PRV CUR NM1 N3 N4 REF PER", openers: ["NM1"], alien: [...ALIEN, "SBR", "PAT", "DMG", "BHT"] },
  ),
  read(segments, { separators, problems }) {
    let value: BillingProvider = { name: "", npi: "", taxId: "" };
    let taxonomy = "";
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        switch (slot?.name) {
          case "PRV*BI":
            taxonomy = elementOf(segment, 3);
            break;
          case "NM1*85":
            value = { ...readName(segment, "organization"), npi: elementOf(segment, 9), taxId: "" };
            if (taxonomy !== "") value.taxonomy = taxonomy;
            break;
          case "NM1*85 N3":
            value.address = readStreet(segment, value.address);
            break;
          case "NM1*85 N4":
            value.address = readCity(segment, value.address);
            break;
          case "NM1*85 REF*EI":
          case "NM1*85 REF*SY":
            value.taxId = elementOf(segment, 2);
            if (elementOf(segment, 1) === "SY") value.taxIdType = "SY";
        }
      },
      problems,
    );
    const [first] = segments;
    if (value.taxId === "" && first !== undefined)
      problems.add("required-segment-missing", positionOf(first), "REF*EI or REF*SY under NM1*85", "none");
    return value;
  },
  write(value) {
    return [
      ...(value.taxonomy === undefined ? [] : [written("PRV", "BI", "PXC", value.taxonomy)]),
      writeName("85", value, "organization", "XX", value.npi),
      ...writeAddress(value.address),
      written("REF", value.taxIdType ?? "EI", value.taxId),
    ];
  },
};

const MEMBER_ORDER = `SBR PAT ${PARTY_ORDER}`;

export const memberFormat: LoopFormat<MemberLevel> = {
  slots: new SlotTable(
    {
      "SBR!": SUBSCRIBER_RULE("=18"),
      "NM1*IL!": nameRule("IL", "1|2", "MI"),
      "NM1*IL N3": STREET,
      "NM1*IL N4": CITY,
      "NM1*IL DMG": BIRTH,
      "NM1*PR!": nameRule("PR", "2", "PI|XV"),
    },
    { order: MEMBER_ORDER, openers: ["NM1"], alien: [...ALIEN, "BHT"] },
  ),
  read(segments, { separators, problems }) {
    let subscriber: Subscriber = { name: "", memberId: "", responsibility: "P", filingCode: "" };
    let payer: Payer = { name: "", id: "" };
    let self = false;
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        switch (slot?.name) {
          case "SBR": {
            const [, responsibility, relationship, groupNumber = "", groupName = ""] = segment.elements;
            self = relationship === "18";
            subscriber.responsibility = responsibility as Responsibility;
            subscriber.filingCode = elementOf(segment, 9);
            if (groupNumber !== "") subscriber.groupNumber = groupNumber;
            if (groupName !== "") subscriber.groupName = groupName;
            break;
          }
          case "NM1*IL":
            subscriber = { ...subscriber, ...readName(segment, "person"), memberId: elementOf(segment, 9) };
            break;
          case "NM1*IL N3":
            subscriber.address = readStreet(segment, subscriber.address);
            break;
          case "NM1*IL N4":
            subscriber.address = readCity(segment, subscriber.address);
            break;
          case "NM1*IL DMG":
            Object.assign(subscriber, readBirth(segment));
            break;
          case "NM1*PR":
            payer = readPayer(segment);
        }
      },
      problems,
    );
    return { subscriber, payer, self };
  },
  write({ subscriber, payer, self }) {
    const { responsibility, groupNumber = "", groupName = "", filingCode } = subscriber;
    return [
      written(
        "SBR",
        responsibility,
        self ? "18" : "",
        groupNumber,
        groupName,
        undefined,
        undefined,
        undefined,
        undefined,
        filingCode,
      ),
      writeName("IL", subscriber, "person", "MI", subscriber.memberId),
      ...writeAddress(subscriber.address),
      ...writeBirth(subscriber),
      writePayer(payer),
    ];
  },
};

export function readPayer(segment: Segment): Payer {
  const payer: Payer = { name: elementOf(segment, 3), id: elementOf(segment, 9) };
  if (elementOf(segment, 8) === "XV") payer.idQualifier = "XV";
  return payer;
}

export function writePayer({ name, id, idQualifier }: Payer): Written {
  return writeName("PR", { name }, "organization", idQualifier ?? "PI", id);
}

export const patientFormat: LoopFormat<Patient> = {
  slots: new SlotTable(
    {
      "PAT!": segmentRule(9, ["AN2-2!"]),
      "NM1*QC!": nameRule("QC", "1", "MI", { id: false }),
      "NM1*QC N3": STREET,
      "NM1*QC N4": CITY,
      "NM1*QC DMG": BIRTH,
    },
    { order: `PAT ${PARTY_ORDER}`, openers: ["NM1"], alien: [...ALIEN, "SBR", "BHT"] },
  ),
  read(segments, { separators, problems }) {
    let value: Patient = { relationship: "", name: "" };
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        switch (slot?.name) {
          case "PAT":
            value.relationship = elementOf(segment, 1);
            break;
          case "NM1*QC":
            value = { ...value, ...readName(segment, "person") };
            break;
          case "NM1*QC N3":
            value.address = readStreet(segment, value.address);
            break;
          case "NM1*QC N4":
            value.address = readCity(segment, value.address);
            break;
          case "NM1*QC DMG":
            Object.assign(value, readBirth(segment));
        }
      },
      problems,
    );
    return value;
  },
  write(value) {
    return [
      written("PAT", value.relationship),
      writeName("QC", value, "person", "MI"),
      ...writeAddress(value.address),
      ...writeBirth(value),
    ];
  },
};
