/** Items about money already on the move: duplicates, payments below contract, reversals, and overpayments. */
import { formatCents, toCents } from "../../codec/decimal.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { type BuiltClaim, CaseFile } from "../case-file.js";
import { adjustAll, settle } from "../settlement.js";

const family = "payment";
type Payers = readonly ConstructorParameters<typeof CaseFile>[2]["payer"][];

const SERVICES = [
  ["E0601", "pap"],
  ["E0260", "bed"],
  ["E1390", "oxygen"],
  ["K0003", "wheelchair"],
] as const;

function openPaymentCase(...[world, draw, payers]: [...Parameters<Archetype["build"]>, Payers]) {
  const file = new CaseFile(world, draw, { payer: draw.random.pick(payers) });
  const [hcpcs, category] = draw.random.pick(SERVICES);
  const serviceDate = file.daysAgo(draw.random.int(40, 55));
  const remitDate = file.daysAgo(draw.random.int(3, 9));
  const spec = {
    lines: [{ hcpcs, modifiers: ["RR"] }],
    serviceDate,
    diagnoses: [draw.random.pick(file.diagnosesFor(category))],
  };
  return { file, hcpcs, serviceDate, remitDate, spec, random: draw.random };
}

const COMMERCIAL_AND_MA: Payers = ["northfield", "crestway", "harborlight-advantage", "silverbirch-advantage"];

const originalPaid = defineArchetype({
  id: "duplicate-of-paid-claim",
  family,
  share: 2,
  review: "sourced",
  build(world, draw) {
    const { file, hcpcs, serviceDate, remitDate, spec } = openPaymentCase(world, draw, [
      ...COMMERCIAL_AND_MA,
      "medicare-region-c",
    ]);
    const original = file.addClaim({ ...spec, status: "paid" });
    const first = file.answer(original, addDays(remitDate, -7), [{ paid: true }]);
    file.addClaim({ ...spec, serviceDate: addDays(serviceDate, -30), status: "paid" });
    const built = file.addClaim({ ...spec, submittedOn: addDays(original.claim.submittedOn, 9) });
    const { remit } = file.answer(built, remitDate, [{ group: "OA", carc: "18" }]);
    return settle(file, {
      built,
      carc: "18",
      headline: `OA-18 on ${hcpcs}`,
      queue: "duplicates",
      rootCause: "duplicate_of_paid_claim",
      dispositions: ["closed_paid"],
      remitDate,
      lookAt: [remit.id, original.claim.id, first.remit.id, file.section(file.payer.disputeChannel.duplicate.section)],
      adjustments: adjustAll(built.lines, "contractual"),
      settledBy: original.claim.id,
    });
  },
});

const originalDenied = defineArchetype({
  id: "duplicate-of-denied-original",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const { file, hcpcs, remitDate, spec, random } = openPaymentCase(world, draw, [
      "northfield",
      "crestway",
      "harborlight-advantage",
      "silverbirch-advantage",
    ]);
    const original = file.addClaim({ ...spec, orderingNpi: null });
    const first = file.answer(original, addDays(remitDate, -12), [{ group: "CO", carc: "16", remarks: ["N265"] }]);
    const order = file.addDocument({
      kind: "order",
      title: "Equipment order",
      date: addDays(spec.serviceDate, -4),
      author: file.ordering.name,
      pages: [`Order for ${hcpcs} by ${file.ordering.name}, NPI ${file.ordering.npi}.`],
    });
    file.addDocument({
      kind: "note",
      title: "Office visit",
      date: addDays(spec.serviceDate, -5),
      pages: [`Seen by ${file.rendering.name}, NPI ${file.rendering.npi}. Equipment advised.`],
    });
    const built = file.addClaim({
      ...spec,
      orderingNpi: null,
      submittedOn: addDays(original.claim.submittedOn, random.int(16, 22)),
    });
    const { remit } = file.answer(built, remitDate, [{ group: "OA", carc: "18" }]);
    return settle(file, {
      built,
      carc: "18",
      headline: `OA-18 on ${hcpcs}`,
      queue: "duplicates",
      rootCause: "duplicate_of_denied_original",
      dispositions: ["worked_original"],
      remitDate,
      lookAt: [
        remit.id,
        original.claim.id,
        first.remit.id,
        order.id,
        file.section(file.payer.correctionChannel.provider_npi.section),
      ],
      correction: {
        kind: "provider_npi",
        built: original,
        by: originalDeadline(file, original, addDays(remitDate, -12)),
        payLines: original.lines,
        changes: [{ field: "orderingNpi", line: null, value: file.ordering.npi }],
        contents: [{ orderingNpi: file.ordering.npi }],
      },
      adjustments: adjustAll(built.lines, "contractual"),
    });
  },
});

/** The original's own clock runs from its own, earlier remittance. */
function originalDeadline(file: CaseFile, original: BuiltClaim, remitDate: string): string {
  const { clock } = file.payer.correctionChannel.provider_npi;
  return addDays(clock?.countedFrom === "dos" ? original.claim.serviceDate : remitDate, clock?.windowDays ?? 60);
}

const genuineRepeat = defineArchetype({
  id: "genuine-repeat-service",
  family,
  share: 0.5,
  review: "awaiting-expert",
  build(world, draw) {
    const file = new CaseFile(world, draw, {
      payer: draw.random.pick([...COMMERCIAL_AND_MA, "medicare-region-c"] as const),
    });
    const serviceDate = file.daysAgo(draw.random.int(40, 55));
    const remitDate = file.daysAgo(draw.random.int(3, 9));
    const spec = {
      lines: [{ hcpcs: "A0429" }],
      serviceDate,
      diagnoses: [draw.random.pick(file.diagnosesFor("ambulance"))],
    };
    const morning = file.addDocument({
      kind: "note",
      title: "Run report 1",
      date: serviceDate,
      author: "Crew 4",
      pages: ["06:20 emergency call at home after a fall, carried to the emergency department, released at noon."],
    });
    const evening = file.addDocument({
      kind: "note",
      title: "Run report 2",
      date: serviceDate,
      author: "Crew 11",
      pages: ["21:50 second emergency call at home, chest pain, carried to the emergency department and admitted."],
    });
    const original = file.addClaim({ ...spec, status: "paid" });
    const first = file.answer(original, addDays(remitDate, -3), [{ paid: true }]);
    const built = file.addClaim(spec);
    const { remit } = file.answer(built, remitDate, [{ group: "OA", carc: "18" }]);
    return settle(file, {
      built,
      carc: "18",
      headline: "OA-18 on A0429",
      queue: "duplicates",
      rootCause: "genuine_repeat_service",
      remitDate,
      lookAt: [
        remit.id,
        original.claim.id,
        first.remit.id,
        morning.id,
        evening.id,
        file.section(file.payer.disputeChannel.duplicate.section),
      ],
      appeal: { denialClass: "duplicate", evidence: [morning.pages[0]!, evening.pages[0]!] },
    });
  },
});

const belowContract = defineArchetype({
  id: "paid-below-contract",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const { file, hcpcs, remitDate, spec, random } = openPaymentCase(world, draw, COMMERCIAL_AND_MA);
    const short = random.int(14, 22);
    const underpay = (offset: number) => {
      const built = file.addClaim({ ...spec, serviceDate: addDays(spec.serviceDate, -offset), status: "paid" });
      const worth = file.expected(built.lines, built.claim.serviceDate);
      const paid = Math.round((toCents(worth.paid) * (100 - short)) / 100);
      const missing = toCents(worth.paid) - paid;
      const adjustments = [
        { group: "CO" as const, carc: "45", amount: formatCents(toCents(worth.contractual) + missing) },
        { group: "PR" as const, carc: "2", amount: worth.patient },
      ].filter(({ amount }) => toCents(amount) > 0);
      const { remit } = file.answer(
        built,
        addDays(remitDate, -offset),
        [{ paidAmount: formatCents(paid), adjustments }],
        { post: false },
      );
      const line = built.lines[0]!.id;
      const post = (entry: "payer_payment" | "contractual" | "patient_billed", cents: number, note: string) => {
        if (cents > 0) file.post(built.claim.id, line, entry, formatCents(-cents), remit.date, note);
      };
      post("payer_payment", paid, "payment");
      post("contractual", toCents(worth.contractual), "contract allowance at the contract rate");
      post("patient_billed", toCents(worth.patient), "cost share billed");
      return { built, remit, missing };
    };
    const others = [underpay(30), underpay(60)];
    const { built, remit, missing } = underpay(0);
    const rule = file.payer.disputeChannel.underpayment;
    const amount = formatCents(missing);
    return settle(file, {
      built,
      carc: "45",
      headline: `${hcpcs} paid; a balance of ${amount} is left`,
      queue: "payment variance",
      rootCause: "paid_below_contract",
      remitDate,
      amount,
      lookAt: [remit.id, file.section(rule.section), ...others.map((other) => other.built.claim.id)],
      appeal: {
        denialClass: "underpayment",
        evidence: [remit.id],
        alsoFitting: others.map((other) => other.remit.id),
        amount,
      },
      escalation: {
        to: ["contract_manager"],
        evidence: [remit.id, ...others.map((other) => other.remit.id)],
        answer: "Thank you, I will raise the pattern with the payer.",
      },
      related: others.map((other) => other.built.claim.id),
    });
  },
});

const reversedAndReissued = defineArchetype({
  id: "payment-reversed-and-reissued",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const { file, hcpcs, remitDate, spec } = openPaymentCase(world, draw, COMMERCIAL_AND_MA);
    const built = file.addClaim({ ...spec, status: "paid" });
    file.acknowledge(built.claim, "A", built.claim.submittedOn, "999");
    file.acknowledge(built.claim, "A2", addDays(built.claim.submittedOn, 1));
    const worth = file.expected(built.lines, built.claim.serviceDate);
    const adjustments = [
      { group: "CO" as const, carc: "45", amount: worth.contractual },
      { group: "PR" as const, carc: "2", amount: worth.patient },
    ].filter(({ amount }) => toCents(amount) > 0);
    const line = built.lines[0]!.id;
    const first = file.remit(built, addDays(remitDate, -20), [{ paidAmount: worth.paid, adjustments }]);
    const again = file.remit(built, remitDate, [{ paidAmount: worth.paid, adjustments }], { post: false });
    // The payer took the first payment back with all its adjustments and paid again; the office has posted the money but not the allowance.
    file.post(built.claim.id, line, "takeback", worth.paid, remitDate, `reversal of ${first.trace}`);
    file.post(built.claim.id, line, "contractual", worth.contractual, remitDate, "allowance reversed with the payment");
    file.post(built.claim.id, line, "payer_payment", `-${worth.paid}`, remitDate, `payment ${again.trace}`);
    file.addLetter({
      from: file.payer.name,
      subject: "Claim adjusted",
      date: addDays(remitDate, -1),
      text: `Payment ${first.trace} was reversed and issued again as ${again.trace}. The allowed amount is unchanged.`,
      claim: built.claim.id,
    });
    return settle(file, {
      built,
      carc: null,
      headline: `${hcpcs}: a balance is open after two remittances`,
      queue: "payment variance",
      rootCause: "payment_reversed_and_reissued",
      dispositions: ["reposted"],
      remitDate,
      amount: worth.contractual,
      lookAt: [first.id, again.id, file.section(file.payer.disputeChannel.takeback.section)],
      adjustments: [{ line, type: "contractual", amount: worth.contractual }],
    });
  },
});

const twoPrimaries = defineArchetype({
  id: "two-payers-paid-as-primary",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const file = new CaseFile(world, draw, {
      payer: draw.random.pick(["northfield", "crestway"] as const),
      age: [30, 60],
      relationship: "self",
    });
    const second = file.payer.id === "northfield" ? "crestway" : "northfield";
    const [hcpcs, category] = draw.random.pick(SERVICES);
    const serviceDate = file.daysAgo(draw.random.int(45, 70));
    const remitDate = file.daysAgo(draw.random.int(3, 9));
    const spouse = `${draw.random.pick(["Alex", "Jordan", "Robin", "Casey"])} ${file.patient.last}`;
    const dependent = file.addCoverage({
      payer: second,
      order: "unknown",
      relationship: "spouse",
      subscriber: { name: spouse, birthDate: addDays(file.patient.birthDate, draw.random.int(-900, 900)) },
    });
    const spec = {
      lines: [{ hcpcs, modifiers: ["RR"] }],
      serviceDate,
      diagnoses: [draw.random.pick(file.diagnosesFor(category))],
    };
    const own = file.addClaim({ ...spec, status: "paid" });
    const ownPaid = file.answer(own, addDays(remitDate, -10), [{ paid: true }]);
    const built = file.addClaim({ ...spec, coverage: dependent, status: "paid" });
    const other = file.answer(built, remitDate, [{ paid: true }]);
    const letter = file.addLetter({
      from: `${file.patient.first} ${file.patient.last}`,
      subject: "Which plan pays first",
      date: addDays(remitDate, 1),
      text: "I have my own plan through my job, and I am also on my spouse's plan. Nobody told either of them about the other until now.",
    });
    const amount = other.remit.paid;
    return settle(file, {
      built,
      carc: null,
      headline: `${hcpcs}: the account shows a credit`,
      queue: "credit balances",
      rootCause: "two_payers_paid_primary",
      dispositions: ["refund"],
      remitDate,
      amount,
      openLines: [],
      lookAt: [other.remit.id, own.claim.id, ownPaid.remit.id, letter],
      refund: { claim: built.claim.id, amount },
      escalation: {
        to: ["credit_balance_team", "compliance_officer"],
        evidence: [ownPaid.remit.id, other.remit.id],
        answer: "Thank you, the refund is in the log.",
      },
    });
  },
});

export const paymentArchetypes: readonly Archetype[] = [
  originalPaid,
  originalDenied,
  genuineRepeat,
  belowContract,
  reversedAndReissued,
  twoPrimaries,
];
