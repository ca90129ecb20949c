/** Denials for a diagnosis that the signed record holds and the claim does not: left off by the coder, or billed under a code that has been retired. */
import { HCPCS } from "../../reference/hcpcs.js";
import { ICD10 } from "../../reference/icd10.js";
import type { PayerId } from "../../reference/payer-profile.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { settle } from "../settlement.js";
import { EQUIPMENT, labelOf, openDataCase, type Service } from "./data-cases.js";

const family = "claim data";
const ALL: readonly PayerId[] = [
  "northfield",
  "crestway",
  "harborlight-advantage",
  "silverbirch-advantage",
  "medicare-region-c",
];

/** What the coder billed instead: a complaint that supports nothing by itself. */
const COMPLAINTS: Readonly<Record<string, string>> = { E0260: "M62.81", E1390: "R06.02", K0003: "R26.2", A4357: "R32" };

const meaningOf = (code: string) => ICD10.get(code).label;

const leftOff = defineArchetype({
  id: "diagnosis-left-off",
  family,
  share: 2,
  review: "awaiting-expert",
  build(world, draw) {
    const { file, random, service, serviceDate, remitDate, spec } = openDataCase(world, draw, {
      payers: ALL,
      services: EQUIPMENT,
    });
    const right = spec.diagnoses[0]!;
    const complaint = COMPLAINTS[service.hcpcs]!;
    const suspected = random.pick(
      file.diagnosesFor(HCPCS.get(service.hcpcs).category).filter((code) => code !== right),
    );
    const visit = addDays(serviceDate, -random.int(4, 12));
    const note = file.addDocument({
      kind: "note",
      title: "Office visit",
      date: visit,
      author: file.ordering.name,
      pages: [
        `Complains of: ${meaningOf(complaint)}.`,
        `Assessment: ${meaningOf(right)} (${right}), established. Plan: ${labelOf(service.hcpcs)} on account of it. Signed ${visit}.`,
      ],
    });
    file.addDocument({
      kind: "note",
      title: "Draft visit note",
      date: addDays(visit, -30),
      author: "Scribe",
      signed: false,
      pages: [`Possible ${meaningOf(suspected)} (${suspected}); to be ruled out. Draft, not reviewed.`],
    });
    const built = file.addClaim({ ...spec, diagnoses: [complaint] });
    const carc = random.pick(["11", "16"] as const);
    const { remit } = file.answer(
      built,
      remitDate,
      [{ group: "CO", carc, remarks: ["M76"] }],
      file.payer.kind === "original-medicare" ? { remarks: ["MA01"] } : {},
    );
    return settle(file, {
      built,
      carc,
      headline: `CO-${carc} (M76) on ${service.hcpcs}`,
      queue: "coding",
      rootCause: "supporting_diagnosis_omitted",
      remitDate,
      lookAt: [remit.id, note.id, file.section(file.payer.correctionChannel.diagnosis.section)],
      correction: {
        kind: "diagnosis",
        changes: [{ field: "diagnosis", line: null, value: right }],
        contents: [{ diagnoses: [complaint, right] }],
      },
    });
  },
});

const of = (hcpcs: string, retired: string, modifiers: readonly string[] = ["RR"]): Service => ({
  hcpcs,
  modifiers,
  units: [1, 1],
  diagnoses: [retired],
});
const UNDER_OLD_CODES: readonly Service[] = [
  of("K0003", "G20"),
  of("E0260", "G20"),
  of("K0003", "G35"),
  of("E0260", "G35"),
  of("E1390", "I27.2"),
  of("L0648", "M54.5", []),
];

const retired = defineArchetype({
  id: "diagnosis-code-retired",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const { file, random, service, serviceDate, remitDate, spec } = openDataCase(world, draw, {
      payers: ALL,
      services: UNDER_OLD_CODES,
    });
    const old = spec.diagnoses[0]!;
    const right = ICD10.get(old).successors[0]!;
    const visit = addDays(serviceDate, -random.int(4, 12));
    const note = file.addDocument({
      kind: "note",
      title: "Office visit",
      date: visit,
      author: file.ordering.name,
      pages: [`Assessment: ${meaningOf(right)}. Plan: ${labelOf(service.hcpcs)}. Signed ${visit}.`],
    });
    file.addDocument({
      kind: "note",
      title: "Problem list",
      date: addDays(serviceDate, -random.int(900, 1300)),
      author: "Former system",
      signed: false,
      audit: "carried over from the former system; not reviewed since",
      pages: [`${old}. ${random.pick(["I10", "M62.81", "R26.89"])}. Source unknown.`],
    });
    const built = file.addClaim(spec);
    const { remit } = file.answer(
      built,
      remitDate,
      [{ group: "CO", carc: "146", remarks: ["M76"] }],
      file.payer.kind === "original-medicare" ? { remarks: ["MA01"] } : {},
    );
    return settle(file, {
      built,
      carc: "146",
      headline: `CO-146 (M76) on ${service.hcpcs}`,
      queue: "coding",
      rootCause: "diagnosis_invalid_on_date",
      remitDate,
      lookAt: [remit.id, note.id, file.section(file.payer.correctionChannel.diagnosis.section)],
      lookAtEdits: true,
      correction: {
        kind: "diagnosis",
        changes: [{ field: "diagnosis", line: null, value: right }],
        contents: [{ diagnoses: [right] }],
      },
    });
  },
});

export const diagnosisArchetypes: readonly Archetype[] = [leftOff, retired];
