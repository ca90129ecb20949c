/** Denials as not necessary that turn on the record itself: a supporting diagnosis that the claim left out, or a note that was changed after the denial. */

import type { PolicyId } from "../../reference/coverage-policy.js";
import { HCPCS } from "../../reference/hcpcs.js";
import { ICD10 } from "../../reference/icd10.js";
import type { PayerId } from "../../reference/payer-profile.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { CaseFile } from "../case-file.js";
import { settle } from "../settlement.js";
import { authorizationFor, labelOf } from "./data-cases.js";
import { oxygenArchetypes } from "./necessity-oxygen.js";

const family = "medical necessity";
const PAYERS: readonly PayerId[] = [
  "medicare-region-c",
  "harborlight-advantage",
  "silverbirch-advantage",
  "northfield",
  "crestway",
];

const necessityRemark = (file: CaseFile) => (file.payer.kind === "commercial" ? "N115" : "N386");
const meaningOf = (code: string) => ICD10.get(code).label;

/** A service, what was billed for it, what the signed note establishes, and what somebody only suspected. */
interface Omission {
  readonly hcpcs: string;
  readonly modifiers: readonly string[];
  readonly units: number;
  readonly policy: PolicyId;
  readonly complaint: string;
  readonly established: string;
  readonly suspected: string;
  /** The rest of what the payer's policy asks for. */
  readonly finding: string;
}

const knee = (side: "RT" | "LT", complaint: string, established: string, suspected: string): Omission => ({
  hcpcs: "L1833",
  modifiers: [side],
  units: 1,
  policy: "orthosis",
  complaint,
  established,
  suspected,
  finding: "Knee unstable on examination by me; extension short by 15 degrees.",
});

const OMISSIONS: readonly Omission[] = [
  knee("RT", "M25.561", "M17.11", "S83.511A"),
  knee("LT", "M25.562", "M17.12", "S83.512A"),
  {
    hcpcs: "J1439",
    modifiers: [],
    units: 750,
    policy: "infusion-drug",
    complaint: "M62.81",
    established: "D50.0",
    suspected: "D50.9",
    finding: "Ferritin 11 ng/mL this week. Oral iron not tolerated.",
  },
  {
    hcpcs: "A4351",
    modifiers: [],
    units: 90,
    policy: "urological-supplies",
    complaint: "R32",
    established: "N31.9",
    suspected: "R33.8",
    finding: "Permanent; catheterizes three times a day.",
  },
];

const diagnosisOmitted = defineArchetype({
  id: "not-necessary-diagnosis-left-off",
  family,
  share: 1.5,
  review: "awaiting-expert",
  build(world, draw) {
    const { random } = draw;
    const file = new CaseFile(world, draw, { payer: random.pick(PAYERS) });
    const omission = random.pick(OMISSIONS);
    const { hcpcs, complaint, established, suspected } = omission;
    const serviceDate = file.daysAgo(random.int(35, 55));
    const remitDate = file.daysAgo(random.int(3, 12));
    const seenOn = addDays(serviceDate, -random.int(3, 9));
    const author = HCPCS.get(hcpcs).requiresOrderingProvider ? file.ordering.name : file.rendering.name;
    const note = file.addDocument({
      kind: "note",
      title: "Office visit",
      date: seenOn,
      author,
      pages: [
        `Came because of: ${meaningOf(complaint)}.`,
        `${omission.finding} Assessment: ${meaningOf(established)} (${established}). Plan: ${labelOf(hcpcs)} for it. Signed ${seenOn}.`,
      ],
    });
    file.addDocument({
      kind: "order",
      title: "Order",
      date: seenOn,
      author,
      pages: [`${[hcpcs, ...omission.modifiers].join(" ")}, quantity ${omission.units}. Signed ${seenOn}.`],
    });
    file.addDocument({
      kind: "note",
      title: "Telephone note",
      date: addDays(seenOn, -random.int(10, 40)),
      author: "Answering service",
      signed: false,
      pages: [`Caller wonders about ${meaningOf(suspected)} (${suspected}). Nobody has examined for it.`],
    });
    const built = file.addClaim({
      lines: [{ hcpcs, modifiers: omission.modifiers, units: omission.units }],
      serviceDate,
      diagnoses: [complaint],
      authorization: authorizationFor(file, hcpcs, serviceDate, omission.units),
    });
    const remark = necessityRemark(file);
    const { remit } = file.answer(
      built,
      remitDate,
      [{ group: "CO", carc: "50", remarks: [remark] }],
      file.payer.kind === "original-medicare" ? { remarks: ["MA01"] } : {},
    );
    return settle(file, {
      built,
      carc: "50",
      headline: `CO-50 (${remark}) on ${hcpcs}`,
      queue: "medical necessity",
      rootCause: "supporting_diagnosis_omitted",
      remitDate,
      lookAt: [
        remit.id,
        note.id,
        file.library(file.payer.id).policy(omission.policy),
        file.section(file.payer.correctionChannel.diagnosis.section),
      ],
      correction: {
        kind: "diagnosis",
        changes: [{ field: "diagnosis", line: null, value: established }],
        contents: [{ diagnoses: [complaint, established] }],
      },
    });
  },
});

/** What a note said when it was signed, what it says now, and what a colleague wrote on the same day. */
const REWRITTEN = [
  {
    hcpcs: "E1390",
    diagnosis: "J44.9",
    policy: "home-oxygen",
    was: "Saturation 92 % at rest, awake, on room air.",
    is: "Saturation 87 % at rest, awake, on room air.",
    witness: { title: "Vital signs sheet", text: "Saturation 92 %, sitting, room air. Pulse 78." },
  },
  {
    hcpcs: "E0260",
    diagnosis: "I50.22",
    policy: "hospital-bed",
    was: "Sleeps on two pillows without trouble.",
    is: "The head has to be raised more than 30 degrees most of the night because of heart failure; pillows were tried.",
    witness: { title: "Nurse intake", text: "Sleeps well, two pillows, own bed. No swelling at night." },
  },
  {
    hcpcs: "K0003",
    diagnosis: "G20.A1",
    policy: "wheelchair",
    was: "Walks about the house with a cane.",
    is: "A cane or walker is not enough; cannot reach kitchen or toilet without a chair.",
    witness: { title: "Nurse intake", text: "Walked in from the waiting room with a cane, unaided." },
  },
] as const satisfies readonly {
  hcpcs: string;
  diagnosis: string;
  policy: PolicyId;
  was: string;
  is: string;
  witness: { title: string; text: string };
}[];

const changedAfterDenial = defineArchetype({
  id: "note-changed-after-denial",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const { random } = draw;
    const file = new CaseFile(world, draw, { payer: random.pick(PAYERS) });
    const { hcpcs, diagnosis, policy, was, is, witness } = random.pick(REWRITTEN);
    const author = file.ordering.name;
    const serviceDate = file.daysAgo(random.int(35, 55));
    const remitDate = file.daysAgo(random.int(6, 12));
    const seenOn = addDays(serviceDate, -random.int(3, 9));
    const savedOn = addDays(remitDate, random.int(1, 2));
    const note = file.addDocument({
      kind: "note",
      title: "Office visit",
      date: seenOn,
      author,
      audit: `Signed ${seenOn} 16:${random.int(10, 55)} by ${author}. Page 1 overwritten ${savedOn} 19:${random.int(10, 55)} by ${author}, signature date kept, no addendum recorded. Text before: "${was}"`,
      pages: [`Seen in person. ${is} ${labelOf(hcpcs)} advised. Signed ${seenOn}.`],
    });
    const sheet = file.addDocument({
      kind: "note",
      title: witness.title,
      date: seenOn,
      author: "Clinic nurse",
      pages: [witness.text],
    });
    file.addDocument({
      kind: "order",
      title: "Equipment order",
      date: addDays(seenOn, 1),
      author,
      audit: `Addendum of ${addDays(seenOn, 3)}, labelled and signed by ${author}: delivery address corrected. The first text is kept.`,
      pages: [
        `${hcpcs}, ${diagnosis}. Signed ${addDays(seenOn, 1)}. ADDENDUM ${addDays(seenOn, 3)}: deliver to the daughter's address. Signed.`,
      ],
    });
    const mail = file.addLetter({
      from: author,
      channel: "email",
      subject: "Refused equipment",
      date: savedOn,
      text: "The visit note now has everything that the plan wants. Please appeal with it today.",
    });
    const built = file.addClaim({
      lines: [{ hcpcs, modifiers: ["RR"] }],
      serviceDate,
      diagnoses: [diagnosis],
      authorization: authorizationFor(file, hcpcs, serviceDate, 1),
    });
    const remark = necessityRemark(file);
    const { remit } = file.answer(
      built,
      remitDate,
      [{ group: "CO", carc: "50", remarks: [remark] }],
      file.payer.kind === "original-medicare" ? { remarks: ["MA01"] } : {},
    );
    return settle(file, {
      built,
      carc: "50",
      headline: `CO-50 (${remark}) on ${hcpcs}; the clinician asks for an appeal`,
      queue: "medical necessity",
      rootCause: "record_changed_after_denial",
      dispositions: ["escalated"],
      remitDate,
      lookAt: [remit.id, note.id, sheet.id, mail, file.library(file.payer.id).policy(policy)],
      escalation: {
        to: ["compliance_officer"],
        evidence: [note.pages[0]!],
        answer: "Thank you. Send nothing on this claim; I am taking it up with the clinician.",
      },
    });
  },
});

export const necessityArchetypes: readonly Archetype[] = [...oxygenArchetypes, diagnosisOmitted, changedAfterDenial];
