/**
 * The coverage family: which plan, if any, had to pay on the date of service. Here are the managed-care cases, in which the plan on the card is not the
 * one that pays for this care; membership and the order of several plans have files of their own.
 */
import { PAYERS } from "../../reference/payers.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { CaseFile, type LineSpec } from "../case-file.js";
import { adjustAll, settle } from "../settlement.js";
import {
  ADULT_SERVICES,
  ADVANTAGE,
  addCard,
  addEndedMedicaid,
  atPayer,
  billElsewhere,
  COMMERCIAL,
  nameOf,
  openCoverageCase,
  otherOf,
  specOf,
} from "./coverage-cases.js";
import { membershipArchetypes } from "./coverage-membership.js";
import { orderArchetypes } from "./coverage-order.js";

const family = "coverage";

const joinedAdvantage = defineArchetype({
  id: "original-medicare-billed-for-an-advantage-member",
  family,
  share: 2.5,
  review: "sourced",
  build(world, draw) {
    const opened = openCoverageCase(world, draw, { payers: ["medicare-region-c"] });
    const { file, random, service, serviceDate, spec } = opened;
    const first = `${serviceDate.slice(0, 8)}01`;
    const joined = random.pick(ADVANTAGE);
    const right = file.addCoverage({ payer: joined, order: "unknown", from: first });
    // A plan that the patient had been in and left: its number is still on file.
    file.addCoverage({
      payer: otherOf(ADVANTAGE, joined),
      order: "unknown",
      from: addDays(first, -random.int(700, 1000)),
      to: addDays(first, -random.int(300, 500)),
    });
    atPayer(file, file.coverage, {
      remark: `Enrolled in a Medicare Advantage plan: ${PAYERS.get(joined).name} from ${first}.`,
    });
    addCard(file, file.coverage, addDays(first, -random.int(500, 900)), { title: "Medicare card" });
    const earlier = file.addClaim({
      ...specOf(service, addDays(first, -random.int(4, 20)), spec.diagnoses[0]!),
      status: "paid",
    });
    file.answer(earlier, addDays(earlier.claim.submittedOn, random.int(15, 21)), [{ paid: true }]);
    return billElsewhere(opened, right, {
      group: "CO",
      carc: "24",
      rootCause: "moved_to_medicare_advantage",
      section: "1.3",
      lookAt: [file.coverage.id],
    });
  },
});

const carvedOut = defineArchetype({
  id: "care-carved-out-to-another-plan",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const services = ADULT_SERVICES.filter(({ kind }) => kind !== "Ambulance");
    const opened = openCoverageCase(world, draw, { payers: COMMERCIAL, services });
    const { file, random, service, serviceDate } = opened;
    const right = file.addCoverage({
      payer: otherOf(COMMERCIAL, file.payer.id),
      order: "unknown",
      from: file.coverage.from,
    });
    const contractor = PAYERS.get(otherOf(COMMERCIAL, file.payer.id)).name;
    addEndedMedicaid(file, serviceDate);
    atPayer(file, file.coverage, { remark: `${service.kind} for this group: ${contractor}.` });
    const card = addCard(file, file.coverage, addDays(serviceDate, -random.int(20, 200)), {
      back: `Claims for ${service.kind.toLowerCase()}: ${contractor}, member ID ${right.memberId}. All other claims: ${file.payer.name}.`,
    });
    const other = random.pick(ADULT_SERVICES.filter(({ kind }) => kind !== service.kind));
    const paid = file.addClaim({
      ...specOf(other, addDays(serviceDate, -random.int(10, 40)), random.pick(other.diagnoses)),
      status: "paid",
    });
    file.answer(paid, addDays(paid.claim.submittedOn, random.int(15, 21)), [{ paid: true }]);
    return billElsewhere(opened, right, {
      group: "OA",
      carc: "109",
      remark: "N418",
      rootCause: "hospice_or_carve_out",
      section: file.payer.disputeChannel.no_dispute.section,
      lookAt: [file.coverage.id, card],
    });
  },
});

/** What each payer pays by the month, and where its manual says so. */
const CAPITATED = [
  {
    payer: "crestway",
    section: "A-3",
    lines: [{ hcpcs: "A4253", units: 3 }, { hcpcs: "A4259", units: 1 }, { hcpcs: "E0607" }] satisfies LineSpec[],
    diagnoses: ["E10.65", "E11.65", "E11.9"],
  },
  {
    payer: "silverbirch-advantage",
    section: "I.3",
    lines: [{ hcpcs: "E0601", modifiers: ["RR"] }, { hcpcs: "A7030" }, { hcpcs: "A7034" }] satisfies LineSpec[],
    diagnoses: ["G47.33"],
  },
] as const;

const capitated = defineArchetype({
  id: "capitated-supplies-on-the-roster",
  family,
  share: 1.5,
  review: "awaiting-expert",
  build(world, draw) {
    const { random } = draw;
    const { payer, section, lines, diagnoses } = random.pick<(typeof CAPITATED)[number]>(CAPITATED);
    const file = new CaseFile(world, draw, { payer });
    const serviceDate = file.daysAgo(random.int(35, 55));
    const remitDate = file.daysAgo(random.int(5, 12));
    const month = serviceDate.slice(0, 7);
    const member = `${file.coverage.memberId} ${nameOf(file.patient)}`;
    const roster = (of: string, date: string, text: string) =>
      file.addLetter({
        from: `${file.payer.name}, provider payments`,
        channel: "portal",
        subject: `Capitation roster ${of}`,
        date,
        text,
      });
    const before = addDays(`${month}-01`, -1).slice(0, 7);
    roster(before, `${before}-01`, `Practice's members of ${before}, extract by name: no entry for ${member}.`);
    const listed = roster(
      month,
      `${month}-01`,
      `Practice's members of ${month}, extract by name: ${member}, listed, paid.`,
    );
    const built = file.addClaim({
      lines: random.sample<LineSpec>(lines, 2),
      serviceDate,
      diagnoses: [random.pick<string>(diagnoses)],
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "24", remarks: ["N381"] }]);
    const basis = file.section(section);
    return settle(file, {
      built,
      carc: "24",
      headline: `CO-24 (N381) on ${built.lines.map(({ hcpcs }) => hcpcs).join(" and ")}`,
      queue: "coverage",
      rootCause: "capitated_service",
      dispositions: ["contractual_writeoff"],
      remitDate,
      lookAt: [remit.id, listed, basis],
      basis: [basis],
      adjustments: adjustAll(built.lines, "contractual"),
    });
  },
});

export const coverageArchetypes: readonly Archetype[] = [
  ...membershipArchetypes,
  ...orderArchetypes,
  joinedAdvantage,
  carvedOut,
  capitated,
];
