/**
 * Denials as not covered: by a plan whose contract covers the service, off the agreed schedule, excluded by statute, or rented past the last paid
 * month. The group code and the contract decide who bears the amount.
 */
import type { PayerId } from "../../reference/payer-profile.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { CaseFile } from "../case-file.js";
import { adjustAll, settle } from "../settlement.js";
import { clauseOf } from "./benefits-contract.js";
import { limitArchetypes } from "./benefits-limits.js";
import { authorizationFor, labelOf } from "./data-cases.js";

const family = "coverage";

const AGREED = [
  { hcpcs: "E0260", modifiers: ["RR"], units: 1, diagnosis: "G82.20" },
  { hcpcs: "K0003", modifiers: ["RR"], units: 1, diagnosis: "I69.354" },
  { hcpcs: "L0648", modifiers: [], units: 1, diagnosis: "M48.061" },
  { hcpcs: "A4357", modifiers: [], units: 2, diagnosis: "N31.9" },
  { hcpcs: "G0108", modifiers: [], units: 2, diagnosis: "E11.65" },
] as const;

const contractCovers = defineArchetype({
  id: "contract-covers-what-was-excluded",
  family,
  share: 3.5,
  review: "sourced",
  build(world, draw) {
    const { random } = draw;
    const file = new CaseFile(world, draw, {
      payer: random.pick(["northfield", "crestway", "harborlight-advantage", "silverbirch-advantage"] as const),
    });
    const { hcpcs, modifiers, units, diagnosis } = random.pick(AGREED);
    const serviceDate = file.daysAgo(random.int(35, 55));
    const remitDate = file.daysAgo(random.int(4, 12));
    const carc = random.pick(["96", "204"] as const);
    file.addDocument({
      kind: "notice",
      title: "Advance beneficiary notice",
      date: addDays(serviceDate, -1),
      author: `${file.patient.first} ${file.patient.last}`,
      pages: [`${hcpcs} may not be paid. I will pay if it is refused. Signed by the patient.`],
    });
    const built = file.addClaim({
      lines: [{ hcpcs, modifiers, units }],
      serviceDate,
      diagnoses: [diagnosis],
      authorization: authorizationFor(file, hcpcs, serviceDate, units),
    });
    const { remit } = file.answer(built, remitDate, [{ group: "PR", carc, remarks: ["N130"] }]);
    const letter = file.addLetter({
      from: `${file.payer.name}, member services`,
      subject: "Copy of our answer to the member",
      date: addDays(remitDate, random.int(1, 3)),
      claim: built.claim.id,
      text: `${labelOf(hcpcs)} is outside your benefits. You may receive a bill from your provider for $${built.claim.total}.`,
    });
    const clause = clauseOf(file, "covered_services");
    return settle(file, {
      built,
      carc,
      headline: `PR-${carc} (N130) on ${hcpcs}`,
      queue: "coverage",
      rootCause: "contract_covers_denied_exclusion",
      remitDate,
      lookAt: [remit.id, clause, file.section(file.payer.disputeChannel.exclusion_vs_contract.section)],
      appeal: { denialClass: "exclusion_vs_contract", evidence: [clause], alsoFitting: [letter] },
      hold: true,
    });
  },
});

const offSchedule = defineArchetype({
  id: "excluded-without-notice",
  family,
  share: 1.5,
  review: "awaiting-expert",
  build(world, draw) {
    const { random } = draw;
    const file = new CaseFile(world, draw, { payer: "medicare-region-c" });
    const hcpcs = random.pick(["G0151", "G0152", "G0299", "G0300"] as const);
    const serviceDate = file.daysAgo(random.int(35, 55));
    const remitDate = file.daysAgo(random.int(3, 12));
    const units = random.int(3, 5);
    const note = file.addDocument({
      kind: "note",
      title: "Home visit",
      date: serviceDate,
      pages: [
        `${labelOf(hcpcs)}: ${units} units of 15 minutes, start and end recorded. Given and documented as billed. Signed.`,
      ],
    });
    file.addDocument({
      kind: "notice",
      title: "Financial policy",
      date: addDays(serviceDate, -random.int(20, 90)),
      author: `${file.patient.first} ${file.patient.last}`,
      pages: ["I have been told that I am responsible for whatever my insurance does not pay. Signed by the patient."],
    });
    const built = file.addClaim({
      lines: [{ hcpcs, units }],
      serviceDate,
      diagnoses: [random.pick(file.diagnosesFor("home-health"))],
    });
    const carc = random.pick(["96", "204"] as const);
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc, remarks: ["N381"] }]);
    const section = file.section("7.1");
    return settle(file, {
      built,
      carc,
      headline: `CO-${carc} (N381) on ${hcpcs}`,
      queue: "coverage",
      rootCause: "service_excluded_by_plan",
      dispositions: ["provider_writeoff"],
      remitDate,
      lookAt: [remit.id, note.id, file.section("8.3"), section],
      basis: [section],
      adjustments: adjustAll(built.lines, "write_off"),
    });
  },
});

const byStatute = defineArchetype({
  id: "excluded-by-statute",
  family,
  share: 1.5,
  review: "awaiting-expert",
  build(world, draw) {
    const { random } = draw;
    const file = new CaseFile(world, draw, { payer: "medicare-region-c" });
    const serviceDate = file.daysAgo(random.int(35, 55));
    const remitDate = file.daysAgo(random.int(3, 12));
    const weeks = random.int(2, 4);
    const note = file.addDocument({
      kind: "note",
      title: "Urology visit",
      date: addDays(serviceDate, -random.int(1, 5)),
      author: file.ordering.name,
      pages: [
        `Cannot empty the bladder since the operation last week. Catheterizes ${random.int(3, 4)} times a day. Expected to pass within ${weeks} weeks; not permanent. Signed.`,
      ],
    });
    file.addDocument({
      kind: "notice",
      title: "Voluntary notice",
      date: serviceDate,
      author: "Front desk",
      signed: false,
      pages: ["Catheters: Medicare does not pay for these in a passing condition. Patient's signature: (blank)"],
    });
    const built = file.addClaim({
      lines: [{ hcpcs: "A4351", modifiers: ["GY"], units: random.int(60, 110) }],
      serviceDate,
      diagnoses: ["R33.9"],
    });
    const { remit } = file.answer(built, remitDate, [{ group: "PR", carc: "96", remarks: ["N425"] }]);
    const section = file.section("8.3");
    return settle(file, {
      built,
      carc: "96",
      headline: "PR-96 (N425) on A4351",
      queue: "coverage",
      rootCause: "service_excluded_by_plan",
      dispositions: ["patient_responsibility"],
      remitDate,
      lookAt: [remit.id, note.id, file.library(file.payer.id).policy("urological-supplies"), section],
      basis: [section],
      patientAmount: built.claim.total,
    });
  },
});

const RENTED = [
  { hcpcs: "K0003", diagnosis: "G82.20" },
  { hcpcs: "K0001", diagnosis: "I69.351" },
  { hcpcs: "E0250", diagnosis: "I50.22" },
] as const;

/** Paid rental months that stand on the account; earlier ones have been archived. */
const KEPT_MONTHS = 3;

const rentalMonthsUsed = defineArchetype({
  id: "rental-months-used-up",
  family,
  share: 1.5,
  review: "awaiting-expert",
  build(world, draw) {
    const { random } = draw;
    const payers: readonly PayerId[] = [
      "medicare-region-c",
      "harborlight-advantage",
      "silverbirch-advantage",
      "northfield",
      "crestway",
      "tri-county-medicaid",
    ];
    const file = new CaseFile(world, draw, { payer: random.pick(payers) });
    const { hcpcs, diagnosis } = random.pick(RENTED);
    const serviceDate = file.daysAgo(random.int(35, 55));
    const remitDate = file.daysAgo(random.int(3, 12));
    const clause = clauseOf(file, "rental_cap");
    const months = Number(/\d+/.exec(world.need("sections", clause).text)![0]);
    const month = (n: number) => addDays(serviceDate, -30 * (months + 1 - n));
    const agreement = file.addDocument({
      kind: "delivery",
      title: "Rental agreement",
      date: month(1),
      author: "Front desk",
      pages: [
        `${labelOf(hcpcs)} (${hcpcs}) on monthly rental. First month: ${month(1)}. Still in use; picked up by nobody since.`,
      ],
    });
    const ledger = file.addDocument({
      kind: "delivery",
      title: "Rental ledger",
      date: addDays(serviceDate, -1),
      author: "Billing",
      pages: [
        `${hcpcs}, months billed and paid: ${Array.from({ length: months }, (_, i) => `${i + 1}: ${month(i + 1)}`).join("; ")}. Next: ${serviceDate}.`,
      ],
    });
    const spec = { lines: [{ hcpcs, modifiers: ["RR"] }], diagnoses: [diagnosis] };
    for (let back = KEPT_MONTHS; back >= 1; back--) {
      const paid = file.addClaim({ ...spec, serviceDate: addDays(serviceDate, -30 * back), status: "paid" });
      file.answer(paid, addDays(paid.claim.submittedOn, random.int(15, 20)), [{ paid: true }]);
    }
    const built = file.addClaim({ ...spec, serviceDate });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "96", remarks: ["M7"] }]);
    return settle(file, {
      built,
      carc: "96",
      headline: `CO-96 (M7) on ${hcpcs}, paid every month until now`,
      queue: "coverage",
      rootCause: "rental_months_used_up",
      dispositions: ["contractual_writeoff"],
      remitDate,
      lookAt: [remit.id, agreement.id, ledger.id, clause],
      basis: [clause],
      adjustments: adjustAll(built.lines, "contractual"),
    });
  },
});

export const benefitsArchetypes: readonly Archetype[] = [
  contractCovers,
  offSchedule,
  byStatute,
  rentalMonthsUsed,
  ...limitArchetypes,
];
