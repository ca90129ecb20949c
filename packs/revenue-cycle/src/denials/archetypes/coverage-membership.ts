/** Denials because the payer did not find the member, or because the membership did not reach the date of service. */
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import type { CaseFile } from "../case-file.js";
import { fillTemplate, transpose } from "../identifiers.js";
import { settle } from "../settlement.js";
import {
  ADVANTAGE,
  addActiveAnswer,
  addCard,
  addEndedMedicaid,
  atPayer,
  billElsewhere,
  COMMERCIAL,
  nameOf,
  notInForce,
  onFile,
  openCoverageCase,
  otherOf,
} from "./coverage-cases.js";

const family = "coverage";
const EVERYONE = [...COMMERCIAL, ...ADVANTAGE, "medicare-region-c"] as const;

/** A number that the payer gave this member in an earlier year and no longer knows. */
const formerCard = (file: CaseFile, date: string) =>
  addCard(file, { payer: file.payer.id, memberId: fillTemplate(file.random, file.payer.memberId.template) }, date);

const rejected = defineArchetype({
  id: "rejected-for-a-mistyped-member-id",
  family,
  share: 1.5,
  review: "sourced",
  build(world, draw) {
    const { file, random, service, serviceDate, spec } = openCoverageCase(world, draw, { payers: EVERYONE });
    const { memberId } = file.coverage;
    formerCard(file, addDays(serviceDate, -random.int(400, 700)));
    const card = addCard(file, file.coverage, addDays(serviceDate, -random.int(2, 60)));
    const earlier = file.addClaim({ ...spec, serviceDate: addDays(serviceDate, -random.int(31, 60)), status: "paid" });
    file.answer(earlier, addDays(earlier.claim.submittedOn, random.int(15, 21)), [{ paid: true }]);
    const submittedOn = file.daysAgo(random.int(6, 14));
    const built = file.addClaim({
      ...spec,
      memberId: transpose(random, memberId),
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
      headline: `277CA of category A7 for ${service.hcpcs}; no remittance`,
      queue: "rejections",
      rootCause: "member_id_keyed_wrong",
      lookAt: [ack.id, card, file.coverage.id, file.section(file.payer.correctionChannel.unprocessable.section)],
      correction: {
        kind: "unprocessable",
        changes: [{ field: "memberId", line: null, value: memberId }],
        contents: [{ memberId }],
      },
    });
  },
});

const notRecognised = defineArchetype({
  id: "mistyped-member-id-not-recognised",
  family,
  share: 2.5,
  review: "sourced",
  build(world, draw) {
    const { file, random, service, serviceDate, remitDate, spec } = openCoverageCase(world, draw, { payers: EVERYONE });
    const { memberId } = file.coverage;
    const typed = transpose(random, memberId);
    formerCard(file, addDays(serviceDate, -random.int(400, 700)));
    const card = addCard(file, file.coverage, addDays(serviceDate, -random.int(2, 60)));
    file.addLookAlike();
    // The slip sits in the registration, where every later claim would repeat it, or in this claim alone.
    if (random.int(0, 1) === 1) onFile(file, file.coverage, { memberId: typed });
    const built = file.addClaim({ ...spec, memberId: typed });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "31", remarks: ["N382"] }], { status: "4" });
    return settle(file, {
      built,
      carc: "31",
      headline: `CO-31 (N382) on ${service.hcpcs}`,
      queue: "registration",
      rootCause: "member_id_keyed_wrong",
      remitDate,
      lookAt: [remit.id, card, file.coverage.id, file.section(file.payer.correctionChannel.identity.section)],
      correction: {
        kind: "identity",
        changes: [{ field: "memberId", line: null, value: memberId }],
        contents: [{ memberId }],
      },
    });
  },
});

const endedBackwards = defineArchetype({
  id: "retro-terminated-after-a-binding-answer",
  family,
  share: 2.5,
  review: "sourced",
  build(world, draw) {
    const { file, random, service, serviceDate, remitDate, spec } = openCoverageCase(world, draw, {
      payers: ["northfield", "tri-county-medicaid"],
      age: [22, 60],
    });
    const { coverage, payer } = file;
    const binds = payer.rules.verificationBindsDays!;
    const ended = addDays(serviceDate, -random.int(2, 25));
    const reportedOn = addDays(serviceDate, random.int(6, 18));
    const group = payer.kind === "commercial";
    addCard(file, coverage, addDays(serviceDate, -random.int(100, 300)), group ? { text: "Group plan." } : {});
    const stale = addDays(serviceDate, -binds - random.int(20, 60));
    addActiveAnswer(file, coverage, { checkedOn: stale, serviceDate: stale });
    const answer = addActiveAnswer(file, coverage, {
      checkedOn: addDays(serviceDate, -random.int(0, binds)),
      serviceDate,
    });
    atPayer(file, coverage, {
      to: ended,
      remark: `End date recorded on ${reportedOn}${group ? ", reported late by the employer" : " after a review"}.`,
    });
    const built = file.addClaim(spec);
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "27", remarks: ["N30"] }]);
    file.addLetter({
      from: `${payer.name}, enrolment`,
      subject: "End of coverage",
      date: addDays(remitDate, random.int(0, 3)),
      text: `Coverage of ${nameOf(file.patient)} ended on ${ended}. Claims for later dates are refused. Providers may wish to speak with the patient about other arrangements.`,
    });
    return settle(file, {
      built,
      carc: "27",
      headline: `CO-27 (N30) on ${service.hcpcs}`,
      queue: "coverage",
      rootCause: "retro_termination_after_verification",
      remitDate,
      lookAt: [remit.id, answer, coverage.id, file.section(payer.disputeChannel.eligibility_verified.section)],
      appeal: { denialClass: "eligibility_verified", evidence: [answer] },
    });
  },
});

const endedAlone = defineArchetype({
  id: "coverage-ended-and-no-other-found",
  family,
  share: 2.5,
  review: "awaiting-expert",
  build(world, draw) {
    const { file, random, service, serviceDate, remitDate, spec } = openCoverageCase(world, draw, {
      payers: [...COMMERCIAL, "medicare-region-c"],
    });
    const { coverage, payer } = file;
    const carc = random.pick(["26", "27"] as const);
    const edge = carc === "27" ? addDays(serviceDate, -random.int(4, 30)) : addDays(serviceDate, random.int(4, 20));
    atPayer(file, coverage, {
      ...(carc === "27" ? { to: edge } : { from: edge }),
      remark: "No other coverage on our record.",
    });
    if (carc === "26") onFile(file, coverage, { from: addDays(serviceDate, -random.int(2, 20)) });
    else {
      // Too old an answer to bind the one payer that is ever bound.
      const stale = addDays(serviceDate, -(payer.rules.verificationBindsDays ?? 0) - random.int(31, 60));
      addActiveAnswer(file, coverage, { checkedOn: stale, serviceDate: stale });
    }
    const earlier = addEndedMedicaid(file, serviceDate);
    const note = file.addDocument({
      kind: "note",
      title: "Front desk note",
      author: "Front desk",
      date: addDays(serviceDate, random.int(8, 20)),
      pages: [
        `${nameOf(file.patient)} came by about another matter. Told us on being asked: no other insurance ${carc === "27" ? "since the old one stopped" : "before the new one starts"}, none through family, no accident or claim against anybody.`,
      ],
    });
    file.addLetter({
      from: "Billing, shared mailbox",
      channel: "email",
      subject: "For the new starters",
      date: addDays(remitDate, -random.int(60, 200)),
      text: "A rule of thumb, right nearly always: CO is ours, PR is theirs.",
    });
    const built = file.addClaim(spec);
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc, remarks: ["N30"] }]);
    const section = file.section(notInForce(file));
    return settle(file, {
      built,
      carc,
      headline: `CO-${carc} (N30) on ${service.hcpcs}`,
      queue: "coverage",
      rootCause: "coverage_ended_no_other_plan",
      dispositions: ["patient_responsibility"],
      remitDate,
      lookAt: [remit.id, coverage.id, earlier.id, note.id, section],
      basis: [section],
      patientAmount: built.claim.total,
    });
  },
});

const changedPlans = defineArchetype({
  id: "old-plan-billed-after-a-change-of-plans",
  family,
  share: 3,
  review: "sourced",
  build(world, draw) {
    const opened = openCoverageCase(world, draw, { payers: COMMERCIAL });
    const { file, random, serviceDate } = opened;
    const starts = addDays(serviceDate, -random.int(3, 28));
    const next = otherOf(COMMERCIAL, file.payer.id);
    const right = file.addCoverage({ payer: next, order: "unknown", from: starts });
    addEndedMedicaid(file, serviceDate);
    addCard(file, file.coverage, addDays(serviceDate, -random.int(200, 400)));
    const card = addCard(file, right, serviceDate, { text: `Effective ${starts}.` });
    const stale = addDays(serviceDate, -random.int(60, 100));
    addActiveAnswer(file, file.coverage, { checkedOn: stale, serviceDate: stale });
    atPayer(file, file.coverage, { to: addDays(starts, -1) });
    return billElsewhere(opened, right, {
      group: "CO",
      carc: "27",
      remark: "N30",
      rootCause: "coverage_moved_to_other_plan",
      section: notInForce(file),
      lookAt: [file.coverage.id, card],
    });
  },
});

const leftAdvantage = defineArchetype({
  id: "advantage-plan-billed-after-it-was-left",
  family,
  share: 2,
  review: "sourced",
  build(world, draw) {
    const opened = openCoverageCase(world, draw, { payers: ADVANTAGE });
    const { file, random, serviceDate } = opened;
    const first = `${serviceDate.slice(0, 8)}01`;
    const right = file.addCoverage({ payer: "medicare-region-c", order: "unknown", from: addDays(first, -1600) });
    const former = otherOf(ADVANTAGE, file.payer.id);
    file.addCoverage({
      payer: former,
      order: "unknown",
      from: addDays(file.coverage.from, -400),
      to: addDays(file.coverage.from, -1),
    });
    atPayer(file, file.coverage, { to: addDays(first, -1), remark: "Left the plan at the member's wish." });
    atPayer(file, right, { remark: "No Medicare Advantage enrolment on this date." });
    addCard(file, file.coverage, addDays(serviceDate, -random.int(200, 400)));
    addCard(file, right, addDays(serviceDate, -random.int(500, 900)), { title: "Medicare card" });
    const stale = addDays(first, -random.int(5, 25));
    addActiveAnswer(file, file.coverage, { checkedOn: stale, serviceDate: stale });
    return billElsewhere(opened, right, {
      group: "OA",
      carc: "109",
      remark: "N418",
      rootCause: "coverage_moved_to_other_plan",
      section: file.payer.disputeChannel.no_dispute.section,
      lookAt: [file.coverage.id],
    });
  },
});

export const membershipArchetypes: readonly Archetype[] = [
  rejected,
  notRecognised,
  endedBackwards,
  endedAlone,
  changedPlans,
  leftAdvantage,
];
