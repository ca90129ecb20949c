/** Denials about authorization: on file but not on the claim, transposed, exhausted, missed in an emergency, or never asked for. */
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { CaseFile } from "../case-file.js";
import { transpose } from "../identifiers.js";
import { adjustAll, settle } from "../settlement.js";

const family = "authorization";
const DEVICES = ["E0601", "E0470", "K0823", "E0465"] as const;

/** The usual frame: a device delivered some weeks ago, denied for want of authorization. */
function openAuthorizationCase(
  ...[world, draw, payers]: [
    ...Parameters<Archetype["build"]>,
    readonly ("northfield" | "crestway" | "harborlight-advantage" | "silverbirch-advantage")[],
  ]
) {
  const file = new CaseFile(world, draw, { payer: draw.random.pick(payers) });
  const hcpcs = draw.random.pick(DEVICES);
  const serviceDate = file.daysAgo(draw.random.int(40, 55));
  const remitDate = file.daysAgo(draw.random.int(3, 12));
  const diagnosis = draw.random.pick(
    file.diagnosesFor(hcpcs === "K0823" ? "wheelchair" : hcpcs === "E0465" ? "ventilator" : "pap"),
  );
  file.addDocument({
    kind: "order",
    title: "Equipment order",
    date: addDays(serviceDate, -6),
    author: file.ordering.name,
    pages: [`Order for ${hcpcs}. Diagnosis ${diagnosis}. Signed before delivery.`],
  });
  file.addDocument({
    kind: "note",
    title: "Office visit",
    date: addDays(serviceDate, -9),
    author: file.ordering.name,
    pages: ["Examined in person; equipment discussed and ordered."],
  });
  return { file, hcpcs, serviceDate, remitDate, diagnosis };
}

const notOnClaim = defineArchetype({
  id: "authorization-superseded",
  family,
  share: 3,
  review: "sourced",
  build(world, draw) {
    const { file, hcpcs, serviceDate, remitDate, diagnosis } = openAuthorizationCase(world, draw, [
      "northfield",
      "crestway",
      "harborlight-advantage",
    ]);
    const planned = DEVICES.find((code) => code !== hcpcs)!;
    const stale = file.addAuthorization({
      hcpcs: [planned],
      from: addDays(serviceDate, -30),
      to: addDays(serviceDate, 60),
    });
    const valid = file.addAuthorization({
      hcpcs: [hcpcs],
      from: addDays(serviceDate, -5),
      to: addDays(serviceDate, 85),
    });
    const built = file.addClaim({
      lines: [{ hcpcs, modifiers: ["RR"] }],
      serviceDate,
      diagnoses: [diagnosis],
      authorization: stale.number,
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "197", remarks: ["M62"] }]);
    const rule = file.payer.correctionChannel.auth_number;
    return settle(file, {
      built,
      carc: "197",
      headline: `CO-197 on ${hcpcs}`,
      queue: "authorization",
      rootCause: "authorization_superseded_by_service_change",
      remitDate,
      lookAt: [remit.id, valid.id, file.section(rule.section)],
      correction: {
        kind: "auth_number",
        changes: [{ field: "authorization", line: null, value: valid.number }],
        contents: [{ authorization: valid.number }],
      },
    });
  },
});

const neverAuthorized = defineArchetype({
  id: "elective-never-authorized",
  family,
  share: 3,
  review: "awaiting-expert",
  build(world, draw) {
    const { file, hcpcs, serviceDate, remitDate, diagnosis } = openAuthorizationCase(world, draw, [
      "northfield",
      "crestway",
    ]);
    const built = file.addClaim({
      lines: [{ hcpcs: "E0601", modifiers: ["RR"] }],
      serviceDate,
      diagnoses: [file.diagnosesFor("pap")[0] ?? diagnosis],
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "197", remarks: ["M62"] }]);
    file.addAuthorization({
      hcpcs: [hcpcs],
      from: addDays(serviceDate, -400),
      to: addDays(serviceDate, -310),
      status: "expired",
    });
    return settle(file, {
      built,
      carc: "197",
      headline: "CO-197 on E0601",
      queue: "authorization",
      rootCause: "elective_service_never_authorized",
      dispositions: ["provider_writeoff"],
      remitDate,
      lookAt: [remit.id, file.section(file.payer.disputeChannel.no_auth.section)],
      adjustments: adjustAll(built.lines, "write_off"),
    });
  },
});

const transposed = defineArchetype({
  id: "authorization-digits-transposed",
  family,
  share: 4,
  review: "sourced",
  build(world, draw) {
    const { file, hcpcs, serviceDate, remitDate, diagnosis } = openAuthorizationCase(world, draw, [
      "northfield",
      "crestway",
      "harborlight-advantage",
    ]);
    const valid = file.addAuthorization({
      hcpcs: [hcpcs],
      from: addDays(serviceDate, -10),
      to: addDays(serviceDate, 80),
    });
    const built = file.addClaim({
      lines: [{ hcpcs, modifiers: ["RR"] }],
      serviceDate,
      diagnoses: [diagnosis],
      authorization: transpose(draw.random, valid.number),
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "284" }]);
    const rule = file.payer.correctionChannel.auth_number;
    return settle(file, {
      built,
      carc: "284",
      headline: `CO-284 on ${hcpcs}`,
      queue: "authorization",
      rootCause: "authorization_number_transposed",
      remitDate,
      lookAt: [remit.id, valid.id, file.section(rule.section)],
      correction: {
        kind: "auth_number",
        changes: [{ field: "authorization", line: null, value: valid.number }],
        contents: [{ authorization: valid.number }],
      },
    });
  },
});

const emergencyAdmission = defineArchetype({
  id: "emergency-admission-unauthorized",
  family,
  share: 2,
  review: "sourced",
  build(world, draw) {
    const { file, serviceDate, remitDate } = openAuthorizationCase(world, draw, ["northfield"]);
    const diagnosis = draw.random.pick(file.diagnosesFor("ventilator"));
    const record = file.addDocument({
      kind: "note",
      title: "Emergency department record",
      date: serviceDate,
      pages: [
        `Arrived by ambulance at 02:40 in respiratory distress. ${diagnosis}. Stabilised; admitted at 04:10 with ventilator support for the transfer home.`,
        "Family could not be reached until the morning; payer's line was closed.",
      ],
    });
    const number = `A${draw.random.int(10_000_000, 99_999_999)}`;
    const built = file.addClaim({
      lines: [{ hcpcs: "E0466", modifiers: ["RR"] }],
      serviceDate,
      diagnoses: [diagnosis],
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "197" }]);
    const rule = file.payer.disputeChannel.emergency_no_auth;
    return settle(file, {
      built,
      carc: "197",
      headline: "CO-197 on E0466",
      queue: "authorization",
      rootCause: "emergency_service_unauthorized",
      dispositions: ["corrected_claim", "retro_authorization"],
      remitDate,
      lookAt: [remit.id, record.id, file.section(rule.section)],
      retro: { evidence: [record.pages[0]!], number, by: addDays(serviceDate, rule.clock!.windowDays) },
      correction: {
        kind: "auth_number",
        changes: [{ field: "authorization", line: null, value: number }],
        contents: [{ authorization: number }],
      },
    });
  },
});

const emergencyCare = defineArchetype({
  id: "emergency-care-needs-no-authorization",
  family,
  share: 2,
  review: "sourced",
  build(world, draw) {
    const file = new CaseFile(world, draw, { payer: draw.random.pick(["crestway", "harborlight-advantage"] as const) });
    const serviceDate = file.daysAgo(draw.random.int(35, 50));
    const remitDate = file.daysAgo(draw.random.int(3, 12));
    const diagnosis = draw.random.pick(file.diagnosesFor("ambulance"));
    const report = file.addDocument({
      kind: "note",
      title: "Ambulance run report",
      date: serviceDate,
      author: "Crew 14",
      pages: [
        `Called at 01:15 for chest pressure and faintness. Carried to the nearest emergency department. Working diagnosis ${diagnosis}.`,
      ],
    });
    file.addDocument({
      kind: "note",
      title: "Discharge letter",
      date: addDays(serviceDate, 3),
      pages: ["Discharged home in stable condition; follow up with cardiology."],
    });
    const built = file.addClaim({ lines: [{ hcpcs: "A0427", modifiers: [] }], serviceDate, diagnoses: [diagnosis] });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "197" }]);
    return settle(file, {
      built,
      carc: "197",
      headline: "CO-197 on A0427",
      queue: "authorization",
      rootCause: "emergency_service_unauthorized",
      remitDate,
      lookAt: [remit.id, report.id, file.section(file.payer.disputeChannel.emergency_no_auth.section)],
      appeal: { denialClass: "emergency_no_auth", evidence: [report.pages[0]!] },
    });
  },
});

const unitsExhausted = defineArchetype({
  id: "authorized-visits-exhausted",
  family,
  share: 3,
  review: "awaiting-expert",
  build(world, draw) {
    const file = new CaseFile(world, draw, { payer: "crestway" });
    const serviceDate = file.daysAgo(draw.random.int(40, 60));
    const remitDate = file.daysAgo(draw.random.int(3, 12));
    const authorized = file.addAuthorization({
      hcpcs: ["G0299"],
      from: addDays(serviceDate, -40),
      to: addDays(serviceDate, 20),
      units: 12,
      status: "expired",
    });
    const diagnosis = draw.random.pick(file.diagnosesFor("home-health"));
    const note = file.addDocument({
      kind: "note",
      title: "Nursing visit",
      date: serviceDate,
      pages: ["Visits thirteen and fourteen of the episode; no extension was requested before them."],
    });
    const built = file.addClaim({
      lines: [{ hcpcs: "G0299", units: draw.random.int(4, 6) }],
      serviceDate,
      diagnoses: [diagnosis],
      authorization: authorized.number,
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "198", remarks: ["M62"] }]);
    return settle(file, {
      built,
      carc: "198",
      headline: "CO-198 on G0299",
      queue: "authorization",
      rootCause: "authorized_units_exhausted",
      dispositions: ["provider_writeoff"],
      remitDate,
      lookAt: [remit.id, authorized.id, note.id, file.section(file.payer.disputeChannel.no_auth.section)],
      adjustments: adjustAll(built.lines, "write_off"),
    });
  },
});

const letterDisagrees = defineArchetype({
  id: "letter-and-remittance-disagree",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const { file, hcpcs, serviceDate, remitDate, diagnosis } = openAuthorizationCase(world, draw, [
      "northfield",
      "crestway",
      "harborlight-advantage",
    ]);
    const valid = file.addAuthorization({ hcpcs: [hcpcs], from: serviceDate, to: addDays(serviceDate, 30) });
    const built = file.addClaim({
      lines: [
        { hcpcs, modifiers: ["RR"] },
        { hcpcs: "A7034", modifiers: ["NU"] },
      ],
      serviceDate,
      diagnoses: [diagnosis],
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "197", remarks: ["M62"] }, { paid: true }]);
    const letter = file.addLetter({
      from: file.payer.name,
      date: addDays(remitDate, 1),
      subject: `Claim ${built.claim.payerClaimNumber}: not authorized`,
      text: `All services of ${serviceDate} to ${addDays(serviceDate, 4)} on this claim were denied as not authorized.`,
      claim: built.claim.id,
    });
    return settle(file, {
      built,
      carc: "197",
      headline: `CO-197 on ${hcpcs}; a letter about the claim has come`,
      queue: "authorization",
      rootCause: "authorization_on_file_not_sent",
      remitDate,
      openLines: built.lines.slice(0, 1),
      lookAt: [remit.id, letter, valid.id, file.section(file.payer.correctionChannel.auth_number.section)],
      correction: {
        kind: "auth_number",
        changes: [{ field: "authorization", line: null, value: valid.number }],
        contents: [{ authorization: valid.number }],
      },
    });
  },
});

export const authorizationArchetypes: readonly Archetype[] = [
  notOnClaim,
  transposed,
  emergencyAdmission,
  emergencyCare,
  neverAuthorized,
  unitsExhausted,
  letterDisagrees,
];
