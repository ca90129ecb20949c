/** Denials about which of several plans pays first: two parents, a court's word, a spouse's employer, and a patient who has yet to tell the payer. */
import { EMPLOYERS, FIRST_NAMES } from "../../reference/names.js";
import { PAYERS } from "../../reference/payers.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import type { CaseFile, CoverageRow } from "../case-file.js";
import { settle } from "../settlement.js";
import {
  ADVANTAGE,
  addCard,
  addEndedMedicaid,
  atPayer,
  billElsewhere,
  CHILD_SERVICES,
  COMMERCIAL,
  nameOf,
  onFile,
  openCoverageCase,
  otherOf,
} from "./coverage-cases.js";

const family = "coverage";
type Draws = Parameters<Archetype["build"]>;

const SMALL = EMPLOYERS.filter(({ employees }) => employees < 20);
const LARGE = EMPLOYERS.filter(({ employees }) => employees >= 20);

const twoDigits = (n: number) => String(n).padStart(2, "0");

/** A child with a plan through each parent. `early` has the birthday that comes first in the year; years of birth decide nothing. */
function openChildCase(...[world, draw]: Draws) {
  const opened = openCoverageCase(world, draw, {
    payers: COMMERCIAL,
    age: [5, 15],
    relationship: "child",
    services: CHILD_SERVICES,
  });
  const { file, random, serviceDate } = opened;
  const [one, two] = random.sample(FIRST_NAMES, 2).map((first) => `${first} ${file.patient.last}`) as [string, string];
  const born = (months: readonly [number, number]) =>
    `${random.int(1978, 1992)}-${twoDigits(random.int(...months))}-${twoDigits(random.int(1, 28))}`;
  const early = { name: one, birthDate: born([1, 5]) };
  const late = { name: two, birthDate: born([7, 12]) };
  // The state pays last, whether or not its coverage is still in force.
  if (random.int(0, 1) === 1) addEndedMedicaid(file, serviceDate);
  else file.addCoverage({ payer: "tri-county-medicaid", order: "unknown" });
  const plans = (billed: typeof early, right: typeof early): CoverageRow => {
    onFile(file, file.coverage, { subscriber: billed.name, subscriberBirthDate: billed.birthDate, order: "unknown" });
    const payer = otherOf(COMMERCIAL, file.payer.id);
    return file.addCoverage({ payer, order: "unknown", relationship: "child", subscriber: right });
  };
  return { opened, file, random, serviceDate, early, late, plans };
}

const birthday = defineArchetype({
  id: "birthday-decides-between-parents",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const { opened, file, random, serviceDate, early, late, plans } = openChildCase(world, draw);
    const right = plans(late, early);
    const form = file.addDocument({
      kind: "notice",
      title: random.pick(["Registration form", "Family information sheet"]),
      author: "Front desk",
      date: addDays(serviceDate, -random.int(20, 200)),
      pages: [
        `${nameOf(file.patient)} lives with both parents, ${late.name} and ${early.name}, who are married to each other. Court orders about the child: none. Health plans: one through each parent's work.`,
      ],
    });
    file.addLetter({
      from: late.name,
      channel: "email",
      subject: "Which insurance to use",
      date: addDays(serviceDate, random.int(1, 4)),
      text: "We would like mine to be used for everything, please. Its deductible is already met this year.",
    });
    return billElsewhere(opened, right, {
      group: "CO",
      carc: "22",
      remark: "MA04",
      rootCause: "other_parent_primary_by_birthday",
      section: file.payer.disputeChannel.no_dispute.section,
      lookAt: [form.id],
    });
  },
});

const courtOrder = defineArchetype({
  id: "court-order-decides-between-parents",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const { opened, file, random, serviceDate, early, late, plans } = openChildCase(world, draw);
    const right = plans(early, late);
    const decreedOn = addDays(serviceDate, -random.int(200, 500));
    file.addDocument({
      kind: "court_order",
      title: "Temporary order",
      author: "County court",
      date: addDays(decreedOn, -random.int(100, 200)),
      pages: [
        `Until the final hearing ${early.name} keeps the child on the present health plan. Ends with the decree.`,
      ],
    });
    const decree = file.addDocument({
      kind: "court_order",
      title: random.pick(["Decree of dissolution", "Final custody judgment"]),
      author: "County court",
      date: decreedOn,
      pages: [
        `The marriage of ${early.name} and ${late.name} is dissolved. The child lives with ${early.name}; the parents decide together.`,
        `${late.name} shall carry health coverage for the child and answers for the child's health care expenses. Earlier orders end today.`,
      ],
    });
    const notice = file.addLetter({
      from: PAYERS.get(otherOf(COMMERCIAL, file.payer.id)).name,
      subject: "Court order recorded",
      date: addDays(decreedOn, random.int(10, 30)),
      text: `We have received the court's decree of ${decreedOn} about ${nameOf(file.patient)} and keep it on our record.`,
    });
    file.addDocument({
      kind: "notice",
      title: "Registration form",
      author: "Front desk",
      date: addDays(serviceDate, -random.int(5, 60)),
      pages: [`Brought in by ${early.name}, with whom the child lives. Cards of both parents copied.`],
    });
    return billElsewhere(opened, right, {
      group: "CO",
      carc: "22",
      remark: "MA04",
      rootCause: "other_parent_primary_by_court_order",
      section: file.payer.disputeChannel.no_dispute.section,
      lookAt: [decree.id, notice],
    });
  },
});

/** What an employer writes about somebody at work: the headcount that decides who pays first is among it. */
const employment = (file: CaseFile, who: string, employer: (typeof EMPLOYERS)[number], from: string) =>
  `${who} works for us, from ${from}. In this calendar year and the last we had ${employer.employees} employees. Our health plan is for our own people only, not shared with other employers. It covers ${nameOf(file.patient)}.`;

const smallEmployer = defineArchetype({
  id: "medicare-first-for-a-small-employer",
  family,
  share: 2,
  review: "sourced",
  build(world, draw) {
    const { file, random, service, serviceDate, remitDate, spec } = openCoverageCase(world, draw, {
      payers: ["medicare-region-c"],
      age: [66, 70],
    });
    const [before, now] = [random.pick(LARGE), random.pick(SMALL)];
    const changed = addDays(serviceDate, -random.int(40, 120));
    const spouse = {
      name: `${random.pick(FIRST_NAMES)} ${file.patient.last}`,
      birthDate: addDays(file.patient.birthDate, random.int(400, 3000)),
    };
    const [oldPlan, newPlan] = random.shuffle([...COMMERCIAL]) as [
      (typeof COMMERCIAL)[number],
      (typeof COMMERCIAL)[number],
    ];
    const group = { relationship: "spouse", subscriber: spouse, order: "unknown" } as const;
    const until = addDays(changed, -1);
    file.addCoverage({ ...group, payer: oldPlan, to: until });
    file.addCoverage({ ...group, payer: newPlan, from: changed });
    // Two spells of one Medicare number: second while the large employer's plan came first, and first since.
    onFile(file, file.coverage, { order: "secondary", to: until });
    const right = file.addCoverage({
      payer: "medicare-region-c",
      order: "primary",
      memberId: file.coverage.memberId,
      from: changed,
      member: null,
    });
    file.addDocument({
      kind: "employer_letter",
      title: "Employer's letter",
      author: before.name,
      date: addDays(changed, -random.int(200, 500)),
      pages: [employment(file, spouse.name, before, addDays(changed, -random.int(1500, 3000)))],
    });
    const letter = file.addDocument({
      kind: "employer_letter",
      title: "Employer's letter",
      author: now.name,
      date: addDays(changed, random.int(5, 25)),
      pages: [
        employment(file, spouse.name, now, changed),
        `${nameOf(file.patient)} has Medicare by age; no kidney failure and no disability award.`,
      ],
    });
    const built = file.addClaim(spec);
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "22", remarks: ["MA04"] }], { status: "2" });
    const closedOn = addDays(remitDate, random.int(1, 4));
    atPayer(file, file.coverage, {
      remark: `Record of a group plan ahead of Medicare closed on ${closedOn}, ended as of ${until}.`,
    });
    file.addLetter({
      from: "Patient access",
      channel: "email",
      subject: "Order of plans",
      date: closedOn,
      text: `Sent the letter of ${now.name} to the coordination contractor; they corrected Medicare's record today. Registration has the new spell. We do not touch claims.`,
    });
    return settle(file, {
      built,
      carc: "22",
      headline: `CO-22 (MA04) on ${service.hcpcs}`,
      queue: "coverage",
      rootCause: "medicare_primary_small_employer",
      remitDate,
      lookAt: [remit.id, letter.id, right.id, file.section("8.1")],
      correction: {
        kind: "other_payer",
        changes: [{ field: "coverage", line: null, value: right.id }],
        contents: [{ coverage: right }],
      },
    });
  },
});

const secondaryFirst = defineArchetype({
  id: "secondary-billed-before-the-primary",
  family,
  share: 3,
  review: "sourced",
  build(world, draw) {
    const aged = draw.random.int(0, 1) === 1;
    const opened = openCoverageCase(world, draw, {
      payers: [aged ? "medicare-region-c" : "tri-county-medicaid"],
      age: aged ? [66, 69] : [22, 60],
    });
    const { file, random, serviceDate } = opened;
    const employer = random.pick(LARGE);
    onFile(file, file.coverage, { order: "secondary" });
    const since = addDays(serviceDate, -random.int(400, 1500));
    const right = file.addCoverage({ payer: random.pick(COMMERCIAL), order: "primary", from: since });
    file.addCoverage({
      payer: otherOf(COMMERCIAL, right.payer as (typeof COMMERCIAL)[number]),
      order: "unknown",
      from: addDays(since, -800),
      to: addDays(since, -1),
    });
    atPayer(file, file.coverage, {
      remark: `Other coverage on record: ${PAYERS.get(right.payer as (typeof COMMERCIAL)[number]).name}, through work, from ${since}.`,
    });
    const letter = file.addDocument({
      kind: "employer_letter",
      title: "Employer's letter",
      author: employer.name,
      date: addDays(serviceDate, -random.int(20, 90)),
      pages: [employment(file, nameOf(file.patient), employer, since)],
    });
    addCard(file, right, addDays(serviceDate, -random.int(20, 90)));
    file.addDocument({
      kind: "note",
      title: "Office visit",
      date: addDays(serviceDate, -random.int(3, 30)),
      pages: ["Feels well at work. Thinks of retiring in a year or two. Medication unchanged."],
    });
    return billElsewhere(opened, right, {
      group: "CO",
      carc: "22",
      remark: "MA04",
      rootCause: "billed_before_primary",
      section: aged ? "8.1" : file.payer.disputeChannel.no_dispute.section,
      lookAt: [file.coverage.id, letter.id],
      status: "2",
    });
  },
});

const unanswered = defineArchetype({
  id: "patient-owes-the-payer-an-answer",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const { file, random, service, serviceDate, remitDate, spec } = openCoverageCase(world, draw, {
      payers: [...COMMERCIAL, ...ADVANTAGE],
    });
    const dueOn = addDays(remitDate, random.int(30, 60));
    file.addDocument({
      kind: "notice",
      title: "Other insurance questionnaire",
      author: nameOf(file.patient),
      date: addDays(serviceDate, -random.int(500, 800)),
      pages: [`Other insurance in that year: none. Signed for the plan year that has since ended.`],
    });
    const built = file.addClaim(spec);
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "227", remarks: ["N179"] }]);
    const letter = file.addLetter({
      from: file.payer.name,
      subject: `Copy of our letter to the member, claim ${built.claim.payerClaimNumber}`,
      date: remitDate,
      claim: built.claim.id,
      text: `Please complete this year's form about other insurance and accidents and return it by ${dueOn}. Only the member can answer. When we have it we decide the claim; the provider need not send it again. Until then nothing is the member's.`,
    });
    return settle(file, {
      built,
      carc: "227",
      headline: `CO-227 (N179) on ${service.hcpcs}`,
      queue: "coverage",
      rootCause: "patient_has_not_answered",
      dispositions: ["held_for_patient_information"],
      remitDate,
      lookAt: [remit.id, letter, file.section(file.payer.disputeChannel.no_dispute.section)],
      hold: true,
      query: "patient",
      queryAnswer: "I had put it aside. I have filled it in and sent it to them today.",
      actBy: dueOn,
    });
  },
});

export const orderArchetypes: readonly Archetype[] = [birthday, courtOrder, smallEmployer, secondaryFirst, unanswered];
