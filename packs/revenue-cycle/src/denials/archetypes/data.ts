/** Denials for a field that is missing or mistyped: provider numbers and drug codes, corrected as each payer takes it, before its clock runs out. */
import type { PayerId } from "../../reference/payer-profile.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import type { CaseFile } from "../case-file.js";
import { drawNpi, npiCheckDigit, transpose } from "../identifiers.js";
import { settle } from "../settlement.js";
import { type DataCase, openDataCase } from "./data-cases.js";
import { DRUG_CODE, type Gap, ORDERING, plantVisit, RENDERING } from "./data-gaps.js";

const family = "claim data";
const CONTRACTED: readonly PayerId[] = ["northfield", "crestway", "harborlight-advantage", "silverbirch-advantage"];
const ALL: readonly PayerId[] = [...CONTRACTED, "medicare-region-c"];

/** Original Medicare says on a processed claim that the decision has an appeal, and on an unprocessed one that it has none. */
const claimRemarks = (file: CaseFile) => (file.payer.kind === "original-medicare" ? { remarks: ["MA01"] } : {});

function leftOff(opened: DataCase, gap: Gap, carc: "16" | "206") {
  const { file, service, remitDate, spec } = opened;
  const { document, value } = gap.plant(opened);
  const built = file.addClaim(gap.omit(spec));
  const { remit } = file.answer(built, remitDate, [{ group: "CO", carc, remarks: [gap.remark] }], claimRemarks(file));
  return {
    built,
    carc,
    headline: `CO-${carc} (${gap.remark}) on ${service.hcpcs}`,
    queue: "claim data",
    rootCause: gap.rootCause,
    remitDate,
    lookAt: [remit.id, document, file.section(file.payer.correctionChannel[gap.kind].section)],
    correction: { kind: gap.kind, changes: [gap.changeOf(built, value)], contents: [gap.contentOf(value)] },
  };
}

const renderingDropped = defineArchetype({
  id: "rendering-number-dropped",
  family,
  share: 3,
  review: "sourced",
  build(world, draw) {
    const opened = openDataCase(world, draw, { payers: ALL, services: RENDERING.services });
    const { file, random, service, serviceDate, remitDate, spec } = opened;
    const resolution = leftOff(opened, RENDERING, "16");
    file.addLetter({
      from: "Interface desk",
      channel: "email",
      date: addDays(serviceDate, random.int(5, 8)),
      subject: "Scheduling feed",
      text: "The feed from scheduling to billing ran without the clinician field for three days and is repaired. Claims built in that time were not rebuilt.",
    });
    // Nobody is infused two days running; training sessions may be.
    if (!service.hcpcs.startsWith("G")) return settle(file, resolution);
    const twin = file.addClaim({ ...RENDERING.omit(spec), serviceDate: addDays(serviceDate, random.pick([-1, 1])) });
    file.answer(twin, addDays(remitDate, -1), [{ group: "CO", carc: "16", remarks: ["N290"] }], claimRemarks(file));
    return settle(file, { ...resolution, related: [twin.claim.id] });
  },
});

const orderingMissing = defineArchetype({
  id: "ordering-provider-left-off",
  family,
  share: 3,
  review: "sourced",
  build(world, draw) {
    const opened = openDataCase(world, draw, { payers: CONTRACTED, services: ORDERING.services });
    return settle(opened.file, leftOff(opened, ORDERING, "16"));
  },
});

const drugCodeMissing = defineArchetype({
  id: "drug-code-left-off",
  family,
  share: 3,
  review: "sourced",
  build(world, draw) {
    const opened = openDataCase(world, draw, { payers: ALL, services: DRUG_CODE.services });
    return settle(opened.file, leftOff(opened, DRUG_CODE, "16"));
  },
});

const unprocessable = defineArchetype({
  id: "unprocessable-at-medicare",
  family,
  share: 3,
  review: "sourced",
  build(world, draw) {
    const gap = draw.random.pick([RENDERING, ORDERING, DRUG_CODE]);
    const opened = openDataCase(world, draw, { payers: ["medicare-region-c"], services: gap.services });
    const { file, service, remitDate, spec } = opened;
    const { document, value } = gap.plant(opened);
    const built = file.addClaim(gap.omit(spec));
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "16", remarks: [gap.remark] }], {
      remarks: ["MA130"],
    });
    file.addLetter({
      from: file.payer.name,
      date: addDays(remitDate, -40),
      subject: "Your appeal rights",
      text: "A decision on a processed claim may be appealed within 120 days of receipt of the remittance. Minor errors on a processed claim go to the reopening line.",
    });
    return settle(file, {
      built,
      carc: "16",
      headline: `CO-16 (${gap.remark}, MA130) on ${service.hcpcs}`,
      queue: "claim data",
      rootCause: gap.rootCause,
      remitDate,
      lookAt: [remit.id, document, file.section(file.payer.correctionChannel.unprocessable.section)],
      correction: { kind: "unprocessable", changes: [gap.changeOf(built, value)], contents: [gap.contentOf(value)] },
    });
  },
});

const numberMissing = defineArchetype({
  id: "provider-number-left-off",
  family,
  share: 0.5,
  review: "sourced",
  build(world, draw) {
    const gap = draw.random.pick([RENDERING, ORDERING]);
    const opened = openDataCase(world, draw, { payers: CONTRACTED, services: gap.services });
    return settle(opened.file, leftOff(opened, gap, "206"));
  },
});

/** A number with two neighbouring digits exchanged, which its check digit betrays. */
function misshapen(file: CaseFile, npi: string): string {
  const typed = transpose(file.random, npi);
  if (npiCheckDigit(typed.slice(0, 9)) !== typed[9]) return typed;
  return npi.slice(0, 9) + String((Number(npi[9]) + 1) % 10);
}

const numberMistyped = defineArchetype({
  id: "provider-number-mistyped",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const opened = openDataCase(world, draw, { payers: ALL, services: RENDERING.services });
    const { file, random, service, remitDate, spec } = opened;
    const { document, value } = plantVisit(opened);
    const carc = random.pick(["207", "208"] as const);
    const typed = carc === "207" ? misshapen(file, value) : drawNpi(random);
    const built = file.addClaim({ ...spec, renderingNpi: typed });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc, remarks: ["N290"] }], claimRemarks(file));
    return settle(file, {
      built,
      carc,
      headline: `CO-${carc} (N290) on ${service.hcpcs}`,
      queue: "claim data",
      rootCause: "provider_npi_keyed_wrong",
      remitDate,
      lookAt: [remit.id, document, file.section(file.payer.correctionChannel.provider_npi.section)],
      correction: {
        kind: "provider_npi",
        changes: [RENDERING.changeOf(built, value)],
        contents: [RENDERING.contentOf(value)],
      },
    });
  },
});

/** Dates for which the payer's clock for provider numbers runs out tomorrow. */
function runningOut(file: CaseFile): { serviceDate: string; remitDate: string } {
  const { windowDays, countedFrom } = file.payer.correctionChannel.provider_npi.clock!;
  const started = addDays(file.today, 1 - windowDays);
  const answered = file.random.int(20, 28);
  return countedFrom === "dos"
    ? { serviceDate: started, remitDate: addDays(started, answered) }
    : { serviceDate: addDays(started, -answered), remitDate: started };
}

const lastDay = defineArchetype({
  id: "clock-runs-out-tomorrow",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const gap = draw.random.pick([RENDERING, ORDERING]);
    const opened = openDataCase(world, draw, { payers: ALL, services: gap.services, datesOf: runningOut });
    const { file, random, serviceDate, spec } = opened;
    const clinician = gap === RENDERING ? file.rendering : file.ordering;
    file.addLetter({
      from: clinician.name,
      channel: "email",
      date: file.daysAgo(1),
      subject: "Your question about my provider number",
      text: `I am travelling and back on ${addDays(file.today, random.int(3, 6))}; I will confirm the number then. My notes and orders carry it in the meantime.`,
    });
    const fresh = file.addClaim({ ...spec, serviceDate: file.daysAgo(random.int(26, 34)) });
    file.answer(fresh, file.daysAgo(random.int(1, 4)), [{ group: "CO", carc: "50", remarks: ["N115"] }]);
    file.addItem(fresh, {
      headline: `CO-50 (N115) on ${spec.lines[0]!.hcpcs}`,
      queue: "medical necessity",
      amount: fresh.claim.total,
      causes: ["criterion_met_evidence_not_reviewed", "criterion_not_met", "supporting_diagnosis_omitted"],
      dispositions: ["appeal", "provider_writeoff", "corrected_claim", "coder_query"],
      preventions: ["documentation_before_billing", "coding_education"],
    });
    return settle(file, {
      ...leftOff(opened, gap, "16"),
      headline: `CO-16 (${gap.remark}) on ${spec.lines[0]!.hcpcs}, service of ${serviceDate}`,
    });
  },
});

export const dataArchetypes: readonly Archetype[] = [
  renderingDropped,
  orderingMissing,
  drugCodeMissing,
  unprocessable,
  numberMissing,
  numberMistyped,
  lastDay,
];
