/** Denials about codes: bundled pairs, sides, modifiers, units, and codes that the note does not settle. */
import { multiplyMoney } from "../../codec/decimal.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { CaseFile } from "../case-file.js";
import { adjustAll, settle } from "../settlement.js";

const family = "coding";
type Payers = readonly ConstructorParameters<typeof CaseFile>[2]["payer"][];

function openCodingCase(...[world, draw, payers]: [...Parameters<Archetype["build"]>, Payers]) {
  const file = new CaseFile(world, draw, { payer: draw.random.pick(payers) });
  const serviceDate = file.daysAgo(draw.random.int(35, 55));
  const remitDate = file.daysAgo(draw.random.int(3, 12));
  file.addDocument({
    kind: "note",
    title: "Phone call",
    date: addDays(serviceDate, 2),
    pages: ["Patient called about opening hours; no clinical content."],
  });
  return { file, serviceDate, remitDate, random: draw.random };
}

const bundled = defineArchetype({
  id: "bundled-same-session",
  family,
  share: 2,
  review: "sourced",
  build(world, draw) {
    const { file, serviceDate, remitDate, random } = openCodingCase(world, draw, [
      "medicare-region-c",
      "northfield",
      "harborlight-advantage",
    ]);
    const [kept, extra] = random.pick([
      ["E1390", "E0424"],
      ["E1392", "E0431"],
      ["E0260", "E0250"],
      ["A4353", "A4351"],
    ] as const);
    const diagnosis = random.pick(file.diagnosesFor(kept === "E0260" ? "bed" : kept === "A4353" ? "supply" : "oxygen"));
    const ticket = file.addDocument({
      kind: "delivery",
      title: "Delivery ticket",
      date: serviceDate,
      author: "Driver",
      pages: [`Delivered to one home on one visit: ${kept} and ${extra}. Signed by the patient.`],
    });
    file.addDocument({
      kind: "notice",
      title: "Advance notice",
      date: addDays(serviceDate, -1),
      author: "Front desk",
      pages: [`Notice that ${extra} may not be paid. Estimated cost given. Signed by the patient.`],
    });
    const built = file.addClaim({
      lines: [{ hcpcs: kept }, { hcpcs: extra, units: extra === "A4351" ? 20 : 1 }],
      serviceDate,
      diagnoses: [diagnosis],
    });
    const { remit } = file.answer(built, remitDate, [{ paid: true }, { group: "CO", carc: "236", remarks: ["M15"] }]);
    const open = built.lines.slice(1);
    return settle(file, {
      built,
      carc: "236",
      headline: `CO-236 on ${extra}, billed with ${kept}`,
      queue: "coding",
      rootCause: "same_session_bundled",
      dispositions: ["contractual_writeoff"],
      remitDate,
      openLines: open,
      lookAt: [remit.id, ticket.id, file.section(file.payer.disputeChannel.bundling.section)],
      lookAtEdits: true,
      adjustments: adjustAll(open, "contractual"),
    });
  },
});

const otherSide = defineArchetype({
  id: "side-modifier-missing",
  family,
  share: 1,
  review: "sourced",
  build(world, draw) {
    const { file, serviceDate, remitDate, random } = openCodingCase(world, draw, [
      "northfield",
      "harborlight-advantage",
      "crestway",
      "silverbirch-advantage",
      "medicare-region-c",
    ]);
    const [boot, brace] = random.shuffle(["RT", "LT"] as const) as ["RT" | "LT", "RT" | "LT"];
    const word = { RT: "right", LT: "left" };
    const diagnosis = random.pick(file.diagnosesFor("orthosis"));
    const note = file.addDocument({
      kind: "note",
      title: "Orthopaedic visit",
      date: serviceDate,
      pages: [
        `Walking boot fitted to the ${word[boot]} leg.`,
        `Ankle brace fitted to the ${word[brace]} ankle. Both needed; both ordered before fitting.`,
      ],
    });
    const built = file.addClaim({
      lines: [{ hcpcs: "L4360", modifiers: [boot] }, { hcpcs: "L1902" }],
      serviceDate,
      diagnoses: [diagnosis],
    });
    const { remit } = file.answer(built, remitDate, [{ paid: true }, { group: "CO", carc: "236", remarks: ["M15"] }]);
    const open = built.lines.slice(1);
    return settle(file, {
      built,
      carc: "236",
      headline: "CO-236 on L1902, billed with L4360",
      queue: "coding",
      rootCause: "side_modifier_missing",
      remitDate,
      openLines: open,
      lookAt: [remit.id, note.id, file.section(file.payer.correctionChannel.modifier.section)],
      lookAtEdits: true,
      correction: {
        kind: "modifier",
        changes: [{ field: "modifier", line: open[0]!.id, value: brace }],
        contents: [{ lines: [{}, { modifiers: [brace] }] }],
      },
    });
  },
});

const secondTrip = defineArchetype({
  id: "separate-encounter-modifier-missing",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const { file, serviceDate, remitDate, random } = openCodingCase(world, draw, [
      "northfield",
      "harborlight-advantage",
      "medicare-region-c",
    ]);
    const diagnosis = random.pick(file.diagnosesFor("ambulance"));
    const reports = file.addDocument({
      kind: "note",
      title: "Ambulance run reports",
      date: serviceDate,
      author: "Crew 9",
      pages: [
        "07:10 emergency call, patient found unresponsive, carried to the emergency department.",
        "16:45 second call: transfer from the hospital to a nursing facility, separate crew and vehicle.",
      ],
    });
    const built = file.addClaim({
      lines: [{ hcpcs: "A0427" }, { hcpcs: "A0428" }],
      serviceDate,
      diagnoses: [diagnosis],
    });
    const { remit } = file.answer(built, remitDate, [{ paid: true }, { group: "CO", carc: "236", remarks: ["M80"] }]);
    const [first, second] = built.lines;
    return settle(file, {
      built,
      carc: "236",
      headline: "CO-236 on the second ambulance line of the day",
      queue: "coding",
      rootCause: "distinct_site_modifier_missing",
      remitDate,
      openLines: [second!],
      lookAt: [remit.id, reports.id, file.section(file.payer.correctionChannel.unbundling_modifier.section)],
      lookAtEdits: true,
      correction: {
        kind: "unbundling_modifier",
        changes: [{ field: "modifier", line: second!.id, value: "XE" }],
        eitherLine: true,
        contents: [{ lines: [{}, { modifiers: ["XE"] }] }, { lines: [{ modifiers: [...first!.modifiers, "XE"] }, {}] }],
      },
    });
  },
});

const unitsKeyed = defineArchetype({
  id: "units-keyed-wrong",
  family,
  share: 0.5,
  review: "sourced",
  build(world, draw) {
    const { file, serviceDate, remitDate, random } = openCodingCase(world, draw, [
      "medicare-region-c",
      "northfield",
      "harborlight-advantage",
      "crestway",
      "silverbirch-advantage",
    ]);
    const keyed = random.int(2, 4);
    const [hcpcs, category] = random.pick([
      ["E0601", "pap"],
      ["E0260", "bed"],
      ["K0001", "wheelchair"],
    ] as const);
    const ticket = file.addDocument({
      kind: "delivery",
      title: "Delivery ticket",
      date: serviceDate,
      author: "Driver",
      pages: [`One ${hcpcs} delivered and set up. Quantity 1. Signed by the patient.`],
    });
    const built = file.addClaim({
      lines: [{ hcpcs, modifiers: ["RR"], units: keyed }],
      serviceDate,
      diagnoses: [random.pick(file.diagnosesFor(category))],
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "151", remarks: ["N362"] }]);
    const line = built.lines[0]!;
    const right = { ...line, units: "1", charge: multiplyMoney(line.charge, 1, keyed) };
    return settle(file, {
      built,
      carc: "151",
      headline: `CO-151 on ${hcpcs}: ${keyed} units billed for one day`,
      queue: "coding",
      rootCause: "units_keyed_wrong",
      remitDate,
      lookAt: [remit.id, ticket.id, file.section(file.payer.correctionChannel.units.section)],
      lookAtEdits: true,
      correction: {
        kind: "units",
        payLines: [right],
        changes: [{ field: "units", line: line.id, value: "1" }],
        contents: [{ lines: [{ units: "1" }] }],
      },
    });
  },
});

const unitsSupported = defineArchetype({
  id: "units-supported-by-records",
  family,
  share: 0.5,
  review: "awaiting-expert",
  build(world, draw) {
    const { file, serviceDate, remitDate, random } = openCodingCase(world, draw, [
      "medicare-region-c",
      "northfield",
      "harborlight-advantage",
      "crestway",
      "silverbirch-advantage",
    ]);
    const boxes = random.int(7, 9);
    const log = file.addDocument({
      kind: "result",
      title: "Glucose log",
      date: addDays(serviceDate, -10),
      author: "Patient, countersigned",
      pages: [
        `Tests ${boxes * 50} times over the period on insulin by pump, each value recorded; reviewed and signed by the treating practitioner.`,
      ],
    });
    const built = file.addClaim({
      lines: [{ hcpcs: "A4253", units: boxes }],
      serviceDate,
      diagnoses: [random.pick(file.diagnosesFor("glucose"))],
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "151", remarks: ["N362"] }]);
    return settle(file, {
      built,
      carc: "151",
      headline: `CO-151 on A4253: ${boxes} units billed for one day`,
      queue: "coding",
      rootCause: "units_supported_above_limit",
      remitDate,
      lookAt: [remit.id, log.id, file.section(file.payer.disputeChannel.units_with_records.section)],
      lookAtEdits: true,
      appeal: { denialClass: "units_with_records", evidence: [log.pages[0]!] },
    });
  },
});

const unsupportedModifier = defineArchetype({
  id: "modifier-asked-for-without-support",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const { file, serviceDate, remitDate, random } = openCodingCase(world, draw, [
      "northfield",
      "harborlight-advantage",
    ]);
    const note = file.addDocument({
      kind: "note",
      title: "Nursing visit",
      date: serviceDate,
      pages: ["One nurse, one visit, wound care and teaching in the same thirty minutes."],
    });
    const email = file.addLetter({
      from: file.rendering.name,
      channel: "email",
      date: addDays(remitDate, 1),
      subject: "Denied nursing line",
      text: "Please just add XE to the second line and send it again, we always do that here and it pays.",
    });
    const built = file.addClaim({
      lines: [{ hcpcs: "G0299" }, { hcpcs: "G0300" }],
      serviceDate,
      diagnoses: [random.pick(file.diagnosesFor("home-health"))],
    });
    const { remit } = file.answer(built, remitDate, [{ paid: true }, { group: "CO", carc: "236", remarks: ["M80"] }]);
    const open = built.lines.slice(1);
    return settle(file, {
      built,
      carc: "236",
      headline: "CO-236 on G0300, billed with G0299",
      queue: "coding",
      rootCause: "modifier_unsupported_by_record",
      dispositions: ["escalated"],
      remitDate,
      openLines: open,
      lookAt: [remit.id, note.id, email, file.section(file.payer.disputeChannel.bundling.section)],
      lookAtEdits: true,
      query: "coder",
      queryAnswer: "One nurse and one visit: the record supports no modifier.",
      escalation: {
        to: ["compliance_officer"],
        evidence: [email],
        answer: "Thank you. Leave the claim as it is; we will speak with the clinician.",
      },
    });
  },
});

const rentalModifier = defineArchetype({
  id: "pricing-modifier-missing",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const { file, serviceDate, remitDate, random } = openCodingCase(world, draw, [
      "medicare-region-c",
      "northfield",
      "harborlight-advantage",
      "crestway",
      "silverbirch-advantage",
    ]);
    const [hcpcs, category] = random.pick([
      ["E0601", "pap"],
      ["E0260", "bed"],
      ["E1390", "oxygen"],
      ["K0003", "wheelchair"],
    ] as const);
    const agreement = file.addDocument({
      kind: "delivery",
      title: "Rental agreement",
      date: serviceDate,
      author: "Front desk",
      pages: [`${hcpcs} supplied on monthly rental from ${serviceDate}. Not sold.`],
    });
    const built = file.addClaim({
      lines: [{ hcpcs }],
      serviceDate,
      diagnoses: [random.pick(file.diagnosesFor(category))],
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "4", remarks: ["N519"] }]);
    return settle(file, {
      built,
      carc: "4",
      headline: `CO-4 on ${hcpcs}`,
      queue: "coding",
      rootCause: "modifier_missing_or_wrong",
      remitDate,
      lookAt: [remit.id, agreement.id, file.section(file.payer.correctionChannel.modifier.section)],
      lookAtEdits: true,
      correction: {
        kind: "modifier",
        changes: [{ field: "modifier", line: built.lines[0]!.id, value: "RR" }],
        contents: [{ lines: [{ modifiers: ["RR"] }] }],
      },
    });
  },
});

const unclearNote = defineArchetype({
  id: "note-does-not-settle-the-side",
  family,
  share: 0.5,
  review: "awaiting-expert",
  build(world, draw) {
    const { file, serviceDate, remitDate, random } = openCodingCase(world, draw, [
      "northfield",
      "harborlight-advantage",
      "crestway",
    ]);
    const note = file.addDocument({
      kind: "note",
      title: "Orthopaedic visit",
      date: serviceDate,
      pages: ["Knee brace fitted for instability. Side not stated; examination describes both knees."],
    });
    const built = file.addClaim({
      lines: [{ hcpcs: "L1833" }],
      serviceDate,
      diagnoses: [random.pick(file.diagnosesFor("orthosis"))],
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "4", remarks: ["N519"] }]);
    return settle(file, {
      built,
      carc: "4",
      headline: "CO-4 on L1833",
      queue: "coding",
      rootCause: "documentation_unclear",
      dispositions: ["coder_query"],
      remitDate,
      lookAt: [remit.id, note.id],
      lookAtEdits: true,
      query: "physician",
      queryAnswer: "I will look at the images and write an addendum this week.",
    });
  },
});

export const codingArchetypes: readonly Archetype[] = [
  bundled,
  otherSide,
  secondTrip,
  unitsKeyed,
  unitsSupported,
  unsupportedModifier,
  rentalModifier,
  unclearNote,
];
