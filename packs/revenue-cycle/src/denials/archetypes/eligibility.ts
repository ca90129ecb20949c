/** Denials about whether the patient was a member at all, under this id, on this date, and who owes when not. */
import { sumMoney } from "../../codec/decimal.js";
import { HCPCS } from "../../reference/hcpcs.js";
import { patientLiability } from "../../reference/payer-profile.js";
import { PAYERS } from "../../reference/payers.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { CaseFile } from "../case-file.js";
import { transpose } from "../identifiers.js";
import { adjustAll, settle } from "../settlement.js";

const family = "eligibility";
const SERVICES = [
  ["E0601", "pap"],
  ["E0260", "bed"],
  ["E1390", "oxygen"],
  ["K0003", "wheelchair"],
] as const;
const EVERYONE = [
  "northfield",
  "crestway",
  "harborlight-advantage",
  "silverbirch-advantage",
  "medicare-region-c",
] as const;

function openEligibilityCase(
  ...[world, draw, payers]: [...Parameters<Archetype["build"]>, readonly (typeof EVERYONE)[number][]]
) {
  const { random } = draw;
  const file = new CaseFile(world, draw, { payer: random.pick(payers) });
  const [hcpcs, category] = random.pick(SERVICES);
  const serviceDate = file.daysAgo(random.int(30, 45));
  const remitDate = file.daysAgo(random.int(2, 8));
  const spec = {
    lines: [{ hcpcs, modifiers: ["RR"] }],
    serviceDate,
    diagnoses: [random.pick(file.diagnosesFor(category))],
  };
  const card = () =>
    file.addDocument({
      kind: "card",
      title: random.pick(["Insurance card", "Copy of card", "Member card, front"]),
      author: "Front desk",
      date: addDays(serviceDate, -random.int(3, 40)),
      pages: [`${file.payer.name}. Member ${file.coverage.memberId}. ${file.patient.first} ${file.patient.last}.`],
    });
  return { file, random, hcpcs, serviceDate, remitDate, spec, card };
}

const rejectedMemberId = defineArchetype({
  id: "member-id-rejected-on-arrival",
  family,
  share: 2,
  review: "sourced",
  build(world, draw) {
    const { file, random, hcpcs, serviceDate, spec, card } = openEligibilityCase(world, draw, EVERYONE);
    const cardCopy = card();
    const submittedOn = file.daysAgo(random.int(6, 14));
    const built = file.addClaim({
      ...spec,
      memberId: transpose(random, file.coverage.memberId),
      submittedOn,
      status: "rejected",
      payerClaimNumber: null,
    });
    file.acknowledge(built.claim, "A", submittedOn, "999");
    const ack = file.acknowledge(
      built.claim,
      "A7",
      addDays(submittedOn, 1),
      "277CA",
      "rejected: subscriber and subscriber id not found",
    );
    return settle(file, {
      built,
      carc: null,
      headline: `277CA A7 on ${hcpcs}`,
      queue: "rejections",
      rootCause: "member_id_keyed_wrong",
      lookAt: [ack.id, cardCopy.id, file.coverage.id],
      correction: {
        kind: "unprocessable",
        channel: "new_claim",
        by: addDays(serviceDate, file.payer.clocks.timelyFilingDays),
        changes: [{ field: "memberId", line: null, value: file.coverage.memberId }],
        contents: [{ memberId: file.coverage.memberId }],
      },
    });
  },
});

const unknownMember = defineArchetype({
  id: "member-not-recognised",
  family,
  share: 5,
  review: "sourced",
  build(world, draw) {
    const { file, random, hcpcs, remitDate, spec, card } = openEligibilityCase(world, draw, EVERYONE);
    const cardCopy = card();
    file.addLookAlike();
    const built = file.addClaim({ ...spec, memberId: transpose(random, file.coverage.memberId) });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "31", remarks: ["N382"] }], { status: "4" });
    const rule = file.payer.correctionChannel.identity;
    return settle(file, {
      built,
      carc: "31",
      headline: `CO-31 on ${hcpcs}`,
      queue: "eligibility",
      rootCause: "member_id_keyed_wrong",
      remitDate,
      lookAt: [remit.id, cardCopy.id, file.coverage.id, file.section(rule.section)],
      correction: {
        kind: "identity",
        changes: [{ field: "memberId", line: null, value: file.coverage.memberId }],
        contents: [{ memberId: file.coverage.memberId }],
      },
    });
  },
});

const endedBackwards = defineArchetype({
  id: "ended-backwards-after-verification",
  family,
  share: 2,
  review: "sourced",
  build(world, draw) {
    const { file, random, hcpcs, serviceDate, remitDate, spec } = openEligibilityCase(world, draw, [
      "northfield",
      "harborlight-advantage",
    ]);
    const binds = file.payer.rules.verificationBindsDays!;
    const checkedOn = addDays(serviceDate, -random.int(0, Math.min(binds, 4)));
    const answer = file.addEligibilityAnswer({
      checkedOn,
      serviceDate,
      active: true,
      text: "active coverage on the date asked about",
    });
    file.addEligibilityAnswer({
      checkedOn: addDays(checkedOn, -300),
      serviceDate: addDays(checkedOn, -300),
      active: true,
      text: "active coverage on the date asked about",
    });
    const member = file.world.where("members", { memberId: file.coverage.memberId })[0]!;
    file.world.update("members", member.id, {
      to: addDays(serviceDate, -random.int(3, 20)),
      remark: "coverage ended backwards",
    });
    const built = file.addClaim(spec);
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "27" }]);
    return settle(file, {
      built,
      carc: "27",
      headline: `CO-27 on ${hcpcs}`,
      queue: "eligibility",
      rootCause: "retro_termination_after_verification",
      remitDate,
      lookAt: [remit.id, answer, file.section(file.payer.disputeChannel.eligibility_verified.section)],
      appeal: { denialClass: "eligibility_verified", evidence: [answer] },
    });
  },
});

const noCoverage = defineArchetype({
  id: "no-plan-on-the-date",
  family,
  share: 6,
  review: "awaiting-expert",
  build(world, draw) {
    const payers = EVERYONE.filter(
      (id) =>
        patientLiability(PAYERS.get(id), { group: "PR", carc: "27", notice: "none", qmb: false, coverageActive: false })
          .mayBill,
    );
    const { file, random, hcpcs, serviceDate, remitDate, spec } = openEligibilityCase(world, draw, payers);
    const member = file.world.where("members", { memberId: file.coverage.memberId })[0]!;
    file.world.update("members", member.id, {
      to: addDays(serviceDate, -random.int(10, 60)),
      remark: "coverage ended; no other plan known",
    });
    const built = file.addClaim(spec);
    const { remit } = file.answer(built, remitDate, [{ group: "PR", carc: "27" }]);
    const situation = { group: "PR", carc: "27", notice: "none", qmb: false, coverageActive: false } as const;
    return settle(file, {
      built,
      carc: "27",
      headline: `PR-27 on ${hcpcs}`,
      queue: "eligibility",
      rootCause: "coverage_ended_no_other_plan",
      dispositions: ["patient_responsibility"],
      remitDate,
      lookAt: [remit.id, file.coverage.id, file.section(patientLiability(file.payer, situation).section)],
      patientAmount: sumMoney(built.lines.map(({ charge }) => charge)),
    });
  },
});

const capitated = defineArchetype({
  id: "paid-by-capitation",
  family,
  share: 2,
  review: "awaiting-expert",
  build(world, draw) {
    const { random } = draw;
    const file = new CaseFile(world, draw, { payer: random.pick(["crestway", "silverbirch-advantage"] as const) });
    const category = file.payer.rules.capitatedCategories[0]!;
    const hcpcs = random.pick(
      HCPCS.rows.filter((row) => row.category === category && row.typicalChargeCents < 30_000),
    ).code;
    const serviceDate = file.daysAgo(random.int(30, 45));
    const remitDate = file.daysAgo(random.int(2, 8));
    const built = file.addClaim({
      lines: [{ hcpcs }],
      serviceDate,
      diagnoses: [random.pick(file.diagnosesFor(category))],
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "24", remarks: ["N381"] }]);
    const section = file.payer.manual.find(({ text }) => /capitat/i.test(text))!;
    return settle(file, {
      built,
      carc: "24",
      headline: `CO-24 on ${hcpcs}`,
      queue: "coverage",
      rootCause: "capitated_service",
      dispositions: ["contractual_writeoff"],
      remitDate,
      lookAt: [remit.id, file.section(section.id)],
      adjustments: adjustAll(built.lines, "contractual"),
    });
  },
});

const waitingForPatient = defineArchetype({
  id: "patient-has-not-answered-the-payer",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const { file, random, hcpcs, remitDate, spec } = openEligibilityCase(world, draw, ["northfield", "crestway"]);
    const built = file.addClaim(spec);
    const { remit } = file.answer(built, remitDate, [{ group: "PR", carc: "227" }]);
    const letter = file.addLetter({
      from: file.payer.name,
      date: addDays(remitDate, 1),
      subject: random.pick([
        "Questionnaire not returned",
        "Information wanted from the member",
        "Other coverage questionnaire",
      ]),
      text: "We asked the member about other coverage and have no answer. We decide when we have it. Providers need send nothing.",
      claim: built.claim.id,
    });
    return settle(file, {
      built,
      carc: "227",
      headline: `PR-227 on ${hcpcs}`,
      queue: "coverage",
      rootCause: "patient_has_not_answered",
      dispositions: ["held_for_patient_information"],
      remitDate,
      lookAt: [remit.id, letter],
      hold: true,
      query: "patient",
      queryAnswer: "Sorry, I found the form and have sent it in today.",
    });
  },
});

export const eligibilityArchetypes: readonly Archetype[] = [
  rejectedMemberId,
  unknownMember,
  endedBackwards,
  noCoverage,
  capitated,
  waitingForPatient,
];
