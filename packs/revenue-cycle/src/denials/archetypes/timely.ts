/** Denials as filed late: in time and provably so, in time but unproven, late without excuse, or late because coverage was granted backwards. */
import type { PayerId } from "../../reference/payer-profile.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { CaseFile, type LineSpec } from "../case-file.js";
import { adjustAll, settle } from "../settlement.js";

const family = "timely filing";
type Draws = Parameters<Archetype["build"]>;

/** Services of every size, with a diagnosis each. */
const SERVICES: readonly { readonly line: LineSpec; readonly diagnoses: readonly string[] }[] = [
  { line: { hcpcs: "E1390", modifiers: ["RR"] }, diagnoses: ["J44.9", "J96.11"] },
  { line: { hcpcs: "K0003", modifiers: ["RR"] }, diagnoses: ["G82.20", "G80.9"] },
  { line: { hcpcs: "E0260", modifiers: ["RR"] }, diagnoses: ["I50.22", "G82.20"] },
  { line: { hcpcs: "A4357", units: 2 }, diagnoses: ["N31.9", "R33.8"] },
  { line: { hcpcs: "A0427" }, diagnoses: ["I63.9", "S72.001A"] },
  { line: { hcpcs: "A0429" }, diagnoses: ["I63.9", "S72.001A"] },
  { line: { hcpcs: "J1439", units: 750 }, diagnoses: ["D50.0", "D50.9"] },
];
const SMALL = SERVICES.slice(0, 4);
/** More than a biller may write off alone, and no more than a lead may. */
const LARGE = SERVICES.slice(4);

interface Timing {
  /** Days before the limit on which the claim was sent; negative when after it. */
  readonly margin: number;
  readonly payers: readonly PayerId[];
  readonly services?: typeof SERVICES;
  readonly age?: readonly [number, number];
}

/** Places a service so that its claim, sent `margin` days before the limit, is answered a few days ago. */
function openTimelyCase(world: Draws[0], draw: Draws[1], timing: Timing) {
  const { random } = draw;
  const file = new CaseFile(world, draw, {
    payer: random.pick(timing.payers),
    ...(timing.age === undefined ? {} : { age: timing.age }),
  });
  const remitDate = file.daysAgo(random.int(3, 9));
  const limit = file.payer.clocks.timelyFilingDays;
  const submittedOn = addDays(remitDate, -random.int(24, 32));
  const serviceDate = addDays(submittedOn, timing.margin - limit);
  const { line, diagnoses } = random.pick(timing.services ?? SERVICES);
  const spec = { lines: [line], serviceDate, submittedOn, diagnoses: [random.pick(diagnoses)] };
  return {
    file,
    random,
    remitDate,
    submittedOn,
    serviceDate,
    lastDay: addDays(serviceDate, limit),
    hcpcs: line.hcpcs,
    spec,
  };
}

const OTHERS: readonly PayerId[] = ["northfield", "crestway", "harborlight-advantage", "silverbirch-advantage"];
const LATE = [{ group: "CO", carc: "29" }] as const;

const provenInTime = defineArchetype({
  id: "filed-in-time-acceptance-held",
  family,
  share: 2,
  review: "sourced",
  build(world, draw) {
    const { file, random, remitDate, submittedOn, lastDay, hcpcs, spec } = openTimelyCase(world, draw, {
      payers: OTHERS,
      margin: draw.random.int(6, 20),
    });
    const sibling = file.addClaim({
      ...spec,
      serviceDate: addDays(spec.serviceDate, 30),
      submittedOn: addDays(submittedOn, -1),
      status: "paid",
    });
    file.answer(sibling, addDays(remitDate, -8), [{ paid: true }]);
    const built = file.addClaim(spec);
    file.acknowledge(built.claim, "A1", submittedOn);
    const { ack, remit } = file.answer(built, remitDate, LATE);
    file.addLetter({
      from: file.payer.name,
      subject: `Claim ${built.claim.payerClaimNumber}`,
      date: addDays(remitDate, 1),
      claim: built.claim.id,
      text: `Our imaging shows this claim on ${addDays(lastDay, random.int(2, 9))}. It was denied as filed after the limit.`,
    });
    return settle(file, {
      built,
      carc: "29",
      headline: `CO-29 on ${hcpcs}`,
      queue: "timely filing",
      rootCause: "filed_on_time_proof_held",
      remitDate,
      lookAt: [remit.id, ack.id, file.section(file.payer.disputeChannel.timely_filing.section)],
      appeal: { denialClass: "timely_filing", evidence: [ack.id] },
    });
  },
});

const unproven = defineArchetype({
  id: "filed-in-time-receipt-only",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const { file, random, remitDate, submittedOn, lastDay, hcpcs, spec } = openTimelyCase(world, draw, {
      payers: OTHERS.slice(0, 3),
      margin: draw.random.int(6, 14),
      services: LARGE,
    });
    const built = file.addClaim(spec);
    const syntax = file.acknowledge(built.claim, "A", submittedOn, "999");
    const receipt = file.acknowledge(built.claim, "A1", addDays(submittedOn, 1));
    const accepted = file.acknowledge(built.claim, "A2", addDays(lastDay, random.int(1, 4)));
    const remit = file.remit(built, remitDate, LATE);
    file.addLetter({
      from: "Clearinghouse",
      channel: "portal",
      subject: `Batch of ${submittedOn}`,
      date: addDays(submittedOn, 1),
      text: "All claims of the batch were passed on. Payers hold some batches before they take them in.",
    });
    const section = file.section(file.payer.disputeChannel.timely_filing.section);
    return settle(file, {
      built,
      carc: "29",
      headline: `CO-29 on ${hcpcs}`,
      queue: "timely filing",
      rootCause: "filed_late_or_unproven",
      dispositions: ["provider_writeoff"],
      remitDate,
      lookAt: [remit.id, syntax.id, receipt.id, accepted.id, section],
      basis: [section],
      escalation: {
        to: ["billing_lead", "billing_manager"],
        evidence: [syntax.id, receipt.id],
        answer: "These two show receipt and nothing more. I approve the write-off.",
        approves: built.claim.total,
      },
      adjustments: adjustAll(built.lines, "write_off"),
    });
  },
});

const trulyLate = defineArchetype({
  id: "filed-late-no-exception",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const opened = openTimelyCase(world, draw, {
      payers: ["medicare-region-c", "medicare-region-c", "crestway"],
      margin: -draw.random.int(4, 20),
      services: SMALL,
    });
    const { file, random, remitDate, submittedOn, hcpcs, spec } = opened;
    file.addLetter({
      from: "Billing, night shift",
      channel: "email",
      subject: "Held batch",
      date: submittedOn,
      text: "We found a batch that had been on hold since the system change and sent it tonight. It had never gone out before.",
    });
    const sibling = file.addClaim({
      ...spec,
      serviceDate: addDays(spec.serviceDate, 31),
      submittedOn: addDays(submittedOn, -random.int(8, 12)),
      status: "paid",
    });
    file.answer(sibling, addDays(remitDate, -8), [{ paid: true }]);
    const built = file.addClaim(spec);
    const { ack, remit } = file.answer(built, remitDate, LATE);
    const section = file.section(file.payer.disputeChannel.timely_filing.section);
    return settle(file, {
      built,
      carc: "29",
      headline: `CO-29 on ${hcpcs}`,
      queue: "timely filing",
      rootCause: "filed_late_or_unproven",
      dispositions: ["provider_writeoff"],
      remitDate,
      lookAt: [remit.id, ack.id, section],
      basis: [section],
      adjustments: adjustAll(built.lines, "write_off"),
    });
  },
});

const grantedBackwards = defineArchetype({
  id: "late-because-granted-backwards",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const payers = ["medicare-region-c", "tri-county-medicaid"] as const;
    const opened = openTimelyCase(world, draw, {
      payers,
      margin: -draw.random.int(15, 45),
      services: SMALL,
      age: [40, 64],
    });
    const { file, random, remitDate, submittedOn, serviceDate, hcpcs, spec } = opened;
    const office = file.payer.id === "medicare-region-c" ? "Social Security office" : "County benefits office";
    // The payer's record, and with it the registration, reach back to the day that the award names.
    const from = addDays(serviceDate, -random.int(30, 90));
    world.update("coverages", file.coverage.id, { from });
    for (const { id } of world.where("members", { memberId: file.coverage.memberId }))
      world.update("members", id, { from });
    const who = `${file.patient.first} ${file.patient.last}`;
    file.addLetter({
      from: office,
      subject: "Your application",
      date: addDays(serviceDate, random.int(20, 60)),
      text: `The application of ${who} cannot be decided yet. A medical review has been ordered. You are not entitled at this time.`,
    });
    const letter = file.addLetter({
      from: office,
      subject: "Notice of award",
      date: addDays(submittedOn, -random.int(5, 12)),
      text: `${who} is entitled from ${from}, decided today. Member number ${file.coverage.memberId}. This replaces our earlier letter.`,
    });
    const built = file.addClaim(spec);
    const { ack, remit } = file.answer(built, remitDate, LATE);
    return settle(file, {
      built,
      carc: "29",
      headline: `CO-29 on ${hcpcs}`,
      queue: "timely filing",
      rootCause: "late_because_coverage_granted_backwards",
      remitDate,
      lookAt: [remit.id, ack.id, letter, file.section(file.payer.disputeChannel.timely_filing.section)],
      appeal: { denialClass: "timely_filing", evidence: [letter] },
    });
  },
});

export const timelyArchetypes: readonly Archetype[] = [provenInTime, unproven, trulyLate, grantedBackwards];
