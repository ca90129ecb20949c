/** Denials because another plan should have been billed: order of plans, managed care, plans that took over, claims that went astray. */
import type { HcpcsCategory } from "../../reference/hcpcs.js";
import { EMPLOYERS, FIRST_NAMES } from "../../reference/names.js";
import type { PayerId } from "../../reference/payer-profile.js";
import { PAYERS } from "../../reference/payers.js";
import type { RootCauseId } from "../../reference/root-cause.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { CaseFile, type CoverageRow } from "../case-file.js";
import type { DenialFacts } from "../facts.js";
import { settle } from "../settlement.js";

const family = "coverage";
type Service = readonly [hcpcs: string, category: HcpcsCategory];
const SERVICES: readonly Service[] = [
  ["E0601", "pap"],
  ["E0260", "bed"],
  ["E1390", "oxygen"],
  ["K0003", "wheelchair"],
];
const CHILD_SERVICES: readonly Service[] = [
  ["E0607", "glucose"],
  ["L1902", "orthosis"],
];

type Random = Parameters<Archetype["build"]>[1]["random"];

const otherThan = (payer: PayerId, random: Random) =>
  random.pick((["northfield", "crestway"] as const).filter((one) => one !== payer));

/** The case's claim went to `file.payer`; the plan of `right` should have had it. */
function billElsewhere(
  file: CaseFile,
  right: CoverageRow,
  denial: {
    carc: string;
    rootCause: RootCauseId;
    lookAt: readonly string[];
    section: string;
    child?: boolean;
    serviceDate?: string;
  },
): DenialFacts {
  const { random } = file;
  const [hcpcs, category] = random.pick(denial.child === true ? CHILD_SERVICES : SERVICES);
  const serviceDate = denial.serviceDate ?? file.daysAgo(random.int(30, 45));
  const remitDate = file.daysAgo(random.int(2, 8));
  const built = file.addClaim({
    lines: [{ hcpcs, modifiers: hcpcs === "L1902" ? ["RT"] : [] }],
    serviceDate,
    diagnoses: [random.pick(file.diagnosesFor(category))],
  });
  const { remit } = file.answer(built, remitDate, [{ group: "OA", carc: denial.carc, remarks: [] }]);
  const payer = PAYERS.get(right.payer);
  return settle(file, {
    built,
    carc: denial.carc,
    headline: `OA-${denial.carc} on ${hcpcs}`,
    queue: "coverage",
    rootCause: denial.rootCause,
    dispositions: ["bill_other_payer"],
    remitDate,
    lookAt: [remit.id, right.id, file.section(denial.section), ...denial.lookAt],
    correction: {
      kind: "other_payer",
      channel: "new_claim",
      payer,
      by: addDays(serviceDate, payer.clocks.timelyFilingDays),
      changes: [{ field: "coverage", line: null, value: right.id }],
      contents: [{ coverage: right }],
    },
  });
}

/** A birthday (month and day) of the given year offset, `days` days after the anchor's. */
const shiftedBirthday = (birthDate: string, years: number, days: number) =>
  addDays(`${Number(birthDate.slice(0, 4)) - years}${birthDate.slice(4)}`, days);

/** A child of two covered parents; the office billed `wrong`'s plan and should have billed the other's. */
function openChildCase(...[world, draw]: Parameters<Archetype["build"]>) {
  const { random } = draw;
  const file = new CaseFile(world, draw, {
    payer: random.pick(["northfield", "crestway"] as const),
    age: [3, 15],
    relationship: "child",
  });
  const anchor = `${1978 + random.int(0, 12)}-0${random.int(2, 5)}-${random.int(10, 27)}`;
  const days = random.int(20, 150);
  const later = shiftedBirthday(anchor, random.int(-4, 6), days);
  const name = () => `${random.pick(FIRST_NAMES)} ${file.patient.last}`;
  return { file, random, earlier: anchor, later, name };
}

const birthdayRule = defineArchetype({
  id: "child-of-two-plans",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const { file, random, earlier, later, name } = openChildCase(world, draw);
    const parents = [name(), name()] as const;
    // The billed plan is the parent's whose birthday falls later in the year; years of birth decide nothing.
    file.world.update("coverages", file.coverage.id, {
      subscriber: parents[0],
      subscriberBirthDate: later,
      order: "unknown",
    });
    const right = file.addCoverage({
      payer: otherThan(file.payer.id, random),
      order: "unknown",
      relationship: "child",
      subscriber: { name: parents[1], birthDate: earlier },
    });
    const form = file.addDocument({
      kind: "card",
      title: random.pick(["Registration form", "Intake form", "Family information sheet"]),
      author: "Front desk",
      date: file.daysAgo(random.int(60, 200)),
      pages: [
        `Child lives with both parents, ${parents[0]} and ${parents[1]}, who are married. No court order concerns the child. Both parents have a plan through work.`,
      ],
    });
    return billElsewhere(file, right, {
      carc: "22",
      rootCause: "other_parent_primary_by_birthday",
      section: file.payer.disputeChannel.no_dispute.section,
      lookAt: [form.id],
      child: true,
    });
  },
});

const courtOrder = defineArchetype({
  id: "child-under-a-court-order",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const { file, random, earlier, later, name } = openChildCase(world, draw);
    const parents = [name(), name()] as const;
    // The billed plan would be first by birthday; the decree overrides it.
    file.world.update("coverages", file.coverage.id, {
      subscriber: parents[0],
      subscriberBirthDate: earlier,
      order: "unknown",
    });
    const right = file.addCoverage({
      payer: otherThan(file.payer.id, random),
      order: "unknown",
      relationship: "child",
      subscriber: { name: parents[1], birthDate: later },
    });
    const decree = file.addDocument({
      kind: "court_order",
      title: random.pick(["Decree of dissolution", "Custody judgment", "Order on parental responsibility"]),
      author: "County court",
      date: file.daysAgo(random.int(300, 700)),
      pages: [
        "The parties are divorced and share custody of the child.",
        `${parents[1]} shall provide and be responsible for the child's health coverage. A copy was sent to both plans.`,
      ],
    });
    file.addDocument({
      kind: "card",
      title: "Registration form",
      author: "Front desk",
      date: file.daysAgo(random.int(60, 200)),
      pages: [`Accompanied today by ${parents[0]}. Insurance: both cards copied.`],
    });
    return billElsewhere(file, right, {
      carc: "22",
      rootCause: "other_parent_primary_by_court_order",
      section: file.payer.disputeChannel.no_dispute.section,
      lookAt: [decree.id],
      child: true,
    });
  },
});

const smallEmployer = defineArchetype({
  id: "spouse-at-a-small-employer",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const { random } = draw;
    const file = new CaseFile(world, draw, {
      payer: random.pick(["northfield", "crestway"] as const),
      age: [66, 71],
      relationship: "spouse",
    });
    const employer = random.pick(EMPLOYERS.filter(({ employees }) => employees < 20));
    const medicare = file.addCoverage({ payer: "medicare-region-c", order: "unknown" });
    const letter = file.addDocument({
      kind: "employer_letter",
      title: random.pick(["Employer's letter", "Statement of employment", "Letter about the group plan"]),
      author: employer.name,
      date: file.daysAgo(random.int(20, 90)),
      pages: [
        `The spouse works here. We employ ${employer.employees} people in all, are a single employer and take part in no plan of several employers. The patient is covered as a spouse, is over 65, and has neither kidney failure nor a disability entitlement.`,
      ],
    });
    return billElsewhere(file, medicare, {
      carc: "22",
      rootCause: "medicare_primary_small_employer",
      section: file.payer.disputeChannel.no_dispute.section,
      lookAt: [letter.id],
    });
  },
});

const joinedMedicareAdvantage = defineArchetype({
  id: "joined-a-medicare-advantage-plan",
  family,
  share: 3,
  review: "sourced",
  build(world, draw) {
    const { random } = draw;
    const file = new CaseFile(world, draw, { payer: "medicare-region-c" });
    const serviceDate = file.daysAgo(random.int(30, 45));
    const first = `${serviceDate.slice(0, 8)}01`;
    const plan = file.addCoverage({
      payer: random.pick(["harborlight-advantage", "silverbirch-advantage"] as const),
      order: "unknown",
      from: first,
    });
    file.addDocument({
      kind: "note",
      title: "Office visit",
      date: addDays(serviceDate, -3),
      author: file.ordering.name,
      pages: ["Equipment ordered. Patient mentions many calls from insurance agents lately."],
    });
    return billElsewhere(file, plan, {
      carc: "24",
      rootCause: "moved_to_medicare_advantage",
      section: "1.3",
      lookAt: [],
      serviceDate,
    });
  },
});

const planTookOver = defineArchetype({
  id: "another-plan-took-over",
  family,
  share: 3,
  review: "awaiting-expert",
  build(world, draw) {
    const { random } = draw;
    const file = new CaseFile(world, draw, { payer: random.pick(["northfield", "crestway"] as const) });
    const serviceDate = file.daysAgo(random.int(30, 45));
    const change = addDays(serviceDate, -random.int(5, 25));
    file.world.update("coverages", file.coverage.id, { to: null });
    const member = file.world.where("members", { memberId: file.coverage.memberId })[0]!;
    file.world.update("members", member.id, { to: addDays(change, -1), remark: "coverage ended" });
    const right = file.addCoverage({ payer: otherThan(file.payer.id, random), order: "unknown", from: change });
    return billElsewhere(file, right, {
      carc: "109",
      rootCause: "coverage_moved_to_other_plan",
      section: file.payer.disputeChannel.no_dispute.section,
      lookAt: [file.coverage.id],
      serviceDate,
    });
  },
});

const beforePrimary = defineArchetype({
  id: "secondary-billed-first",
  family,
  share: 3,
  review: "awaiting-expert",
  build(world, draw) {
    const { random } = draw;
    const file = new CaseFile(world, draw, {
      payer: random.pick(["northfield", "crestway"] as const),
      age: [28, 60],
      relationship: "spouse",
    });
    const spouse = `${random.pick(FIRST_NAMES)} ${file.patient.last}`;
    file.world.update("coverages", file.coverage.id, { order: "unknown", subscriber: spouse });
    const own = file.addCoverage({ payer: otherThan(file.payer.id, random), order: "unknown", relationship: "self" });
    const letter = file.addLetter({
      from: file.payer.name,
      date: file.daysAgo(random.int(3, 9)),
      channel: "letter",
      subject: "Other coverage",
      text: "Our records show that this member is also covered through an employer of their own.",
    });
    return billElsewhere(file, own, {
      carc: "22",
      rootCause: "billed_before_primary",
      section: file.payer.disputeChannel.no_dispute.section,
      lookAt: [letter],
    });
  },
});

export const otherCoverageArchetypes: readonly Archetype[] = [
  birthdayRule,
  courtOrder,
  smallEmployer,
  joinedMedicareAdvantage,
  planTookOver,
  beforePrimary,
];
