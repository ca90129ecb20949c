/** Denials at a limit: the member's benefit truly used up, counted wrong by the payer, or the provider's own contracted maximum. */
import { formatCents, toCents } from "../../codec/decimal.js";
import type { PayerId } from "../../reference/payer-profile.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { CaseFile } from "../case-file.js";
import { adjustAll, settle } from "../settlement.js";
import { clauseOf } from "./benefits-contract.js";
import { authorizationFor, labelOf } from "./data-cases.js";

const family = "benefit limits";
type Draws = Parameters<Archetype["build"]>;

const VISITS = ["G0151", "G0152", "G0299", "G0300"] as const;

/** A home visit under a plan that counts visits by the plan year. */
function openVisitCase(
  world: Draws[0],
  draw: Draws[1],
  payers: readonly PayerId[],
  serviceDateOf?: (file: CaseFile) => string,
) {
  const { random } = draw;
  const file = new CaseFile(world, draw, { payer: random.pick(payers) });
  const hcpcs = random.pick(VISITS);
  const serviceDate = serviceDateOf?.(file) ?? file.daysAgo(random.int(35, 55));
  const remitDate = file.daysAgo(random.int(3, 9));
  const units = random.int(3, 6);
  const limit = random.pick([12, 16, 20]);
  const yearStart = addDays(serviceDate, -random.int(150, 260));
  const year = `Plan year ${yearStart} to ${addDays(yearStart, 364)}`;
  const note = file.addDocument({
    kind: "note",
    title: "Home visit",
    date: serviceDate,
    pages: [`${labelOf(hcpcs)}: one visit, ${units} units of 15 minutes, start and end recorded. Signed.`],
  });
  const spec = {
    lines: [{ hcpcs, units }],
    serviceDate,
    diagnoses: [random.pick(["Z47.1", "I50.22", "I69.351", "T81.31XA"])],
    authorization: authorizationFor(file, hcpcs, serviceDate, units),
  };
  return { file, random, hcpcs, serviceDate, remitDate, limit, yearStart, year, note, spec };
}

/** The answer that registration got some weeks before the service; `usedBy` says how many visits had been counted on that day. */
function addEarlierAnswer(
  { file, random, serviceDate, limit, year }: ReturnType<typeof openVisitCase>,
  usedBy: (day: string) => number,
): void {
  const asked = addDays(serviceDate, -random.int(40, 60));
  file.addEligibilityAnswer({
    checkedOn: asked,
    serviceDate: asked,
    active: true,
    text: `${file.payer.name}: active. ${year}. Home visits used so far: ${usedBy(asked)} of ${limit}.`,
  });
}

/** What the payer answers about the member's visits when it is asked again. */
function countAtPayer({ file }: ReturnType<typeof openVisitCase>, remark: string): void {
  for (const { id } of file.world.where("members", { payer: file.payer.id, memberId: file.coverage.memberId }))
    file.world.update("members", id, { remark });
}

const maximumReached = defineArchetype({
  id: "benefit-maximum-reached",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const opened = openVisitCase(world, draw, ["crestway", "northfield"]);
    const { file, random, hcpcs, limit, remitDate, serviceDate, year } = opened;
    addEarlierAnswer(opened, () => random.int(3, 8));
    countAtPayer(
      opened,
      `${year}. Home visits used before ${serviceDate}, by all providers: ${limit} of ${limit}. Later visits are the member's cost.`,
    );
    const built = file.addClaim(opened.spec);
    const { contractual } = file.expected(built.lines, serviceDate);
    const owed = formatCents(toCents(built.claim.total) - toCents(contractual));
    const { remit } = file.answer(built, remitDate, [
      {
        paidAmount: "0.00",
        adjustments: [
          { group: "CO", carc: "45", amount: contractual },
          { group: "PR", carc: "119", amount: owed },
        ],
        remarks: ["N130"],
      },
    ]);
    const section = file.section(file.payer.disputeChannel.benefit_limit.section);
    return settle(file, {
      built,
      carc: "119",
      headline: `PR-119 (N130) on ${hcpcs}`,
      queue: "benefit limits",
      rootCause: "benefit_maximum_reached",
      dispositions: ["patient_responsibility"],
      remitDate,
      amount: owed,
      lookAt: [remit.id, file.coverage.id, section],
      basis: [section],
      patientAmount: owed,
    });
  },
});

const countedWrong = defineArchetype({
  id: "benefit-visits-counted-wrong",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const opened = openVisitCase(world, draw, [
      "northfield",
      "harborlight-advantage",
      "silverbirch-advantage",
      "tri-county-medicaid",
    ]);
    const { file, random, hcpcs, limit, remitDate, serviceDate, yearStart, year } = opened;
    const before = random.int(3, 5);
    const dates = Array.from({ length: limit }, (_, i) =>
      i < before ? addDays(yearStart, -7 * (before - i)) : addDays(yearStart, 7 * (i - before) + 2),
    );
    addEarlierAnswer(opened, (day) => dates.filter((date) => yearStart <= date && date <= day).length);
    countAtPayer(opened, `${year}. Home visits counted before ${serviceDate}: ${limit} of ${limit}.`);
    const built = file.addClaim(opened.spec);
    const group = ["northfield", "harborlight-advantage"].includes(file.payer.id) ? "PR" : "CO";
    const { remit } = file.answer(built, remitDate, [{ group, carc: "119", remarks: ["N640"] }]);
    const letter = file.addLetter({
      from: file.payer.name,
      subject: "Home visits counted toward the limit",
      date: addDays(remitDate, random.int(1, 2)),
      claim: built.claim.id,
      text: `${year}, limit ${limit}. Counted: ${dates.join(", ")}. The visit of ${serviceDate} is beyond the limit.`,
    });
    return settle(file, {
      built,
      carc: "119",
      headline: `${group}-119 (N640) on ${hcpcs}`,
      queue: "benefit limits",
      rootCause: "accumulator_counted_wrong",
      remitDate,
      lookAt: [remit.id, letter, file.coverage.id, file.section(file.payer.disputeChannel.benefit_limit.section)],
      appeal: { denialClass: "benefit_limit", evidence: [letter] },
    });
  },
});

const providerMaximum = defineArchetype({
  id: "provider-maximum-reached",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    // Late in a month: the provider's visits of the month have to be used up by then.
    const opened = openVisitCase(world, draw, ["crestway"], (file) => {
      return `${file.daysAgo(60).slice(0, 8)}${file.random.int(22, 28)}`;
    });
    const { file, random, hcpcs, limit, remitDate, serviceDate, year, note } = opened;
    addEarlierAnswer(opened, () => random.int(2, 6));
    countAtPayer(opened, `${year}. Home visits used before ${serviceDate}, by all providers: 8 of ${limit}.`);
    const clause = clauseOf(file, "provider_limit");
    const tally = file.addLetter({
      from: "Scheduling",
      channel: "email",
      subject: `${file.payer.name}: visits of ${serviceDate.slice(0, 7)}`,
      date: addDays(serviceDate, random.int(8, 12)),
      text: `Our visits to members of this plan in ${serviceDate.slice(0, 7)}: number 60 was on ${addDays(serviceDate, -random.int(1, 3))}. ${file.patient.first} ${file.patient.last} on ${serviceDate} was number ${random.int(62, 67)}.`,
    });
    const built = file.addClaim(opened.spec);
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "222", remarks: ["N381"] }]);
    return settle(file, {
      built,
      carc: "222",
      headline: `CO-222 (N381) on ${hcpcs}`,
      queue: "benefit limits",
      rootCause: "provider_limit_reached",
      dispositions: ["contractual_writeoff"],
      remitDate,
      lookAt: [remit.id, tally, note.id, clause],
      basis: [clause],
      adjustments: adjustAll(built.lines, "contractual"),
    });
  },
});

export const limitArchetypes: readonly Archetype[] = [maximumReached, countedWrong, providerMaximum];
