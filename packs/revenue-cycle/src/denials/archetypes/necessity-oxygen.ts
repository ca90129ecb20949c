/**
 * Home oxygen refused as not necessary: the qualifying value stands in another note, or no value qualifies, with or without a notice that makes
 * the patient liable. What qualifies, and which notice counts, is the payer's policy and manual.
 */
import { type PayerId, patientLiability } from "../../reference/payer-profile.js";
import { PAYERS } from "../../reference/payers.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { CaseFile, type LineSpec } from "../case-file.js";
import { adjustAll, settle } from "../settlement.js";
import { labelOf } from "./data-cases.js";

const family = "medical necessity";
type Draws = Parameters<Archetype["build"]>;

const STATIONARY = ["E0424", "E0439", "E1390"] as const;
const PORTABLE = ["E0431", "E0434"] as const;
/** Payers that authorize stationary equipment beforehand: there only what needs no authorization is billed, so that none is in question. */
const AUTHORIZING: readonly PayerId[] = ["northfield", "crestway", "silverbirch-advantage"];

/** An order, the visit before it, and the supplier's own reading at set-up, which no payer takes. */
function openOxygenCase(world: Draws[0], draw: Draws[1], payers: readonly PayerId[], order: readonly string[] = []) {
  const { random } = draw;
  const chosen = random.pick(payers);
  const working = PAYERS.get(chosen).kind === "commercial";
  const file = new CaseFile(world, draw, { payer: chosen, age: working ? [45, 63] : [66, 86] });
  const { payer, ordering } = file;
  const hcpcs = random.pick<string>(AUTHORIZING.includes(payer.id) ? PORTABLE : [...STATIONARY, ...PORTABLE]);
  const serviceDate = file.daysAgo(random.int(35, 55));
  const remitDate = file.daysAgo(random.int(3, 12));
  const orderedOn = addDays(serviceDate, -random.int(2, 6));
  const seenOn = addDays(orderedOn, -random.int(0, 2));
  const testedOn = addDays(seenOn, -2);
  const diagnosis = random.pick(["J44.9", "J84.10", "J84.112", "J96.11"]);
  const orderForm = file.addDocument({
    kind: "order",
    title: "Oxygen order",
    date: orderedOn,
    author: ordering.name,
    pages: [
      `${labelOf(hcpcs)} (${hcpcs}), ${random.int(2, 3)} litres a minute, ${random.int(15, 24)} hours a day. Diagnosis ${diagnosis}. Signed ${orderedOn}.`,
      ...order,
    ],
  });
  const visit = file.addDocument({
    kind: "note",
    title: "Office visit",
    date: seenOn,
    author: ordering.name,
    pages: [
      `Seen in person. Breathless on the stairs; need for oxygen at home discussed. On ${random.int(2, 3)} litres in the room today: saturation ${random.int(94, 97)} %. Equipment to be ordered.`,
    ],
  });
  file.addDocument({
    kind: "result",
    title: "Set-up check",
    date: serviceDate,
    author: "Delivery technician",
    signed: false,
    pages: [
      `Measured by our technician before the equipment was switched on: ${random.int(84, 87)} %, seated, room air. ${hcpcs} set up and explained.`,
    ],
  });
  const necessity = payer.disputeChannel.medical_necessity.section;
  return {
    file,
    random,
    hcpcs,
    diagnosis,
    serviceDate,
    remitDate,
    testedOn,
    orderForm,
    visit,
    remarks: [payer.kind === "commercial" || payer.kind === "medicaid" ? "N115" : "N386"],
    options: payer.kind === "original-medicare" ? { remarks: ["MA01"] } : {},
    policy: file.library(payer.id).policy("home-oxygen"),
    necessity: file.section(necessity),
  };
}

type OxygenCase = ReturnType<typeof openOxygenCase>;

/** A test by the treating practitioner in which nothing is low enough under any payer's policy. */
function addHighValues({ file, random, testedOn }: OxygenCase) {
  return file.addDocument({
    kind: "result",
    title: "Oxygen testing",
    date: testedOn,
    author: file.ordering.name,
    pages: [
      `Room air, stable, no acute illness. At rest, awake: ${random.int(91, 93)} %. Walking six minutes: lowest ${random.int(90, 91)} %. Overnight: lowest ${random.int(90, 91)} %. Arterial oxygen pressure at rest: ${random.int(62, 69)} mmHg. Signed ${testedOn}.`,
    ],
  });
}

const cost = (file: CaseFile, line: LineSpec) => `$${file.charge(line)} a month`;

/** A complete advance notice of Original Medicare, signed before delivery. */
function addAdvanceNotice({ file, hcpcs, serviceDate }: OxygenCase, on = addDays(serviceDate, -1)) {
  return file.addDocument({
    kind: "notice",
    title: "Advance beneficiary notice",
    date: on,
    author: `${file.patient.first} ${file.patient.last}`,
    pages: [
      `Item: ${labelOf(hcpcs)} (${hcpcs}). Reason it may not be paid: the oxygen values are above the limit. Estimated cost: ${cost(file, { hcpcs, modifiers: ["RR"] })}. Choice: option 1, I want the item, please bill, I will pay if it is refused. Signed by the patient on ${on}.`,
    ],
  });
}

/** A form that every new patient signs; it names no item. */
function addGeneralForm({ file, serviceDate }: OxygenCase) {
  file.addDocument({
    kind: "notice",
    title: "Financial policy",
    date: addDays(serviceDate, -20),
    author: `${file.patient.first} ${file.patient.last}`,
    pages: ["I have been told that I am responsible for whatever my insurance does not pay. Signed by the patient."],
  });
}

const ANY: readonly PayerId[] = [
  "medicare-region-c",
  "harborlight-advantage",
  "silverbirch-advantage",
  "northfield",
  "crestway",
  "tri-county-medicaid",
];

const valueElsewhere = defineArchetype({
  id: "oxygen-value-in-another-note",
  family,
  share: 2,
  review: "sourced",
  build(world, draw) {
    const opened = openOxygenCase(world, draw, ANY);
    const { file, random, hcpcs, testedOn, remitDate } = opened;
    const value = random.int(85, 88);
    const clinic = file.addDocument({
      kind: "note",
      title: "Breathing clinic",
      date: testedOn,
      author: file.ordering.name,
      pages: [
        "Cough as before, no fever, no change of treatment in two months. Inhaler technique reviewed.",
        `Measured by me today: ${value} % at rest, awake, on room air, stable. Rises to ${random.int(93, 95)} % on 2 litres. Signed ${testedOn}.`,
      ],
    });
    file.addDocument({
      kind: "result",
      title: "Hospital discharge values",
      date: addDays(testedOn, -random.int(90, 140)),
      author: "Hospital laboratory",
      pages: [`During pneumonia: ${random.int(84, 87)} % at rest on room air.`],
    });
    const built = file.addClaim({
      lines: [{ hcpcs, modifiers: ["RR"] }],
      serviceDate: opened.serviceDate,
      diagnoses: [opened.diagnosis],
    });
    const { remit } = file.answer(
      built,
      remitDate,
      [{ group: "CO", carc: "50", remarks: opened.remarks }],
      opened.options,
    );
    return settle(file, {
      built,
      carc: "50",
      headline: `CO-50 (${opened.remarks[0]}) on ${hcpcs}`,
      queue: "medical necessity",
      rootCause: "criterion_met_evidence_not_reviewed",
      remitDate,
      lookAt: [remit.id, clinic.id, opened.policy, opened.necessity],
      appeal: {
        denialClass: "medical_necessity",
        evidence: [clinic.pages[1]!],
        alsoFitting: [opened.visit.id, opened.orderForm.id],
      },
    });
  },
});

const notMet = defineArchetype({
  id: "oxygen-criterion-not-met",
  family,
  share: 1.25,
  review: "sourced",
  build(world, draw) {
    const opened = openOxygenCase(world, draw, ANY, [
      "If coverage is refused, the clinical team is to be told: the patient goes on using the equipment meanwhile and the need has to be reviewed.",
    ]);
    const { file, hcpcs, remitDate } = opened;
    const test = addHighValues(opened);
    // Original Medicare alone recognises the advance notice: elsewhere a complete one is as void as the general form is everywhere.
    if (file.payer.kind === "original-medicare") addGeneralForm(opened);
    else addAdvanceNotice(opened);
    const built = file.addClaim({
      lines: [{ hcpcs, modifiers: ["RR"] }],
      serviceDate: opened.serviceDate,
      diagnoses: [opened.diagnosis],
    });
    const { remit } = file.answer(
      built,
      remitDate,
      [{ group: "CO", carc: "50", remarks: opened.remarks }],
      opened.options,
    );
    const liability = patientLiability(file.payer, {
      group: "CO",
      carc: "50",
      notice: "none",
      qmb: false,
      coverageActive: true,
    });
    return settle(file, {
      built,
      carc: "50",
      headline: `CO-50 (${opened.remarks[0]}) on ${hcpcs}`,
      queue: "medical necessity",
      rootCause: "criterion_not_met",
      dispositions: ["provider_writeoff"],
      remitDate,
      lookAt: [remit.id, test.id, opened.orderForm.id, opened.policy, file.section(liability.section)],
      basis: [opened.policy],
      adjustments: adjustAll(built.lines, "write_off"),
      escalation: {
        to: ["clinical_team", "ordering_physician"],
        evidence: [test.pages[0]!],
        answer: "Thank you. We will see the patient and test again before the next month.",
      },
    });
  },
});

const noticeSigned = defineArchetype({
  id: "oxygen-not-met-advance-notice-signed",
  family,
  share: 0.75,
  review: "sourced",
  build(world, draw) {
    const opened = openOxygenCase(world, draw, ["medicare-region-c"]);
    const { file, random, hcpcs, serviceDate, remitDate } = opened;
    const test = addHighValues(opened);
    const notice = addAdvanceNotice(opened);
    addGeneralForm(opened);
    const other = random.pick(["K0003", "E0260"] as const);
    const withOther = random.int(0, 1) === 1;
    const built = file.addClaim({
      lines: [{ hcpcs, modifiers: ["RR", "GA"] }, ...(withOther ? [{ hcpcs: other, modifiers: ["RR"] }] : [])],
      serviceDate,
      diagnoses: [opened.diagnosis, ...(withOther ? [other === "K0003" ? "G82.20" : "I50.22"] : [])],
    });
    const { remit } = file.answer(
      built,
      remitDate,
      [{ group: "PR", carc: "50", remarks: ["N386", "M38"] }, { paid: true }],
      opened.options,
    );
    const [refused] = built.lines;
    const section = file.section("7.2");
    return settle(file, {
      built,
      carc: "50",
      headline: `PR-50 (N386, M38) on ${hcpcs}`,
      queue: "medical necessity",
      rootCause: "criterion_not_met_valid_notice",
      dispositions: ["patient_responsibility"],
      remitDate,
      openLines: [refused!],
      lookAt: [remit.id, notice.id, test.id, opened.policy, section],
      basis: [section, notice.pages[0]!],
      patientAmount: refused!.charge,
    });
  },
});

const ownFormSigned = defineArchetype({
  id: "oxygen-not-met-payers-own-notice",
  family,
  share: 0.5,
  review: "awaiting-expert",
  build(world, draw) {
    const opened = openOxygenCase(world, draw, ["northfield", "harborlight-advantage"]);
    const { file, hcpcs, serviceDate, remitDate, random } = opened;
    const test = addHighValues(opened);
    const toldOn = addDays(serviceDate, -1);
    addAdvanceNotice(opened, toldOn);
    const commercial = file.payer.id === "northfield";
    const notice = commercial
      ? file.addDocument({
          kind: "notice",
          title: "Northfield member waiver",
          date: toldOn,
          author: `${file.patient.first} ${file.patient.last}`,
          pages: [
            `Northfield's form for services that the plan may find not necessary. Service: ${labelOf(hcpcs)} (${hcpcs}). Cost: ${cost(file, { hcpcs, modifiers: ["RR"] })}. I agree to pay if it is refused. Signed by the member on ${toldOn}.`,
          ],
        })
      : undefined;
    const letter = commercial
      ? undefined
      : file.addLetter({
          from: file.payer.name,
          subject: "Organization determination",
          date: toldOn,
          text: `To ${file.patient.first} ${file.patient.last}, copy to the supplier. You asked before delivery whether ${labelOf(hcpcs)} (${hcpcs}) will be covered. It will not: the values sent to us are above the limit. If you receive it all the same, you are liable for its cost.`,
        });
    file.addLetter({
      from: file.payer.name,
      subject: "Change of address of our mail room",
      date: addDays(remitDate, -random.int(20, 60)),
      text: "From the first of next month please send paper mail to the address on our web site.",
    });
    const built = file.addClaim({
      lines: [{ hcpcs, modifiers: ["RR"] }],
      serviceDate,
      diagnoses: [opened.diagnosis],
    });
    const { remit } = file.answer(built, remitDate, [{ group: "PR", carc: "50", remarks: opened.remarks }]);
    const section = file.section(commercial ? "8.2" : "9.2");
    return settle(file, {
      built,
      carc: "50",
      headline: `PR-50 (${opened.remarks[0]}) on ${hcpcs}`,
      queue: "medical necessity",
      rootCause: "criterion_not_met_valid_notice",
      dispositions: ["patient_responsibility"],
      remitDate,
      lookAt: [remit.id, notice?.id ?? letter!, test.id, opened.policy, section],
      basis: [section, notice?.pages[0] ?? letter!],
      patientAmount: built.claim.total,
    });
  },
});

export const oxygenArchetypes: readonly Archetype[] = [valueElsewhere, notMet, noticeSigned, ownFormSigned];
