/** Denials in which two people of one name were taken for each other: nothing may be sent until somebody has told them apart. */
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { CaseFile } from "../case-file.js";
import { settle } from "../settlement.js";

const family = "identity";

/** Equipment that each of these payers authorizes beforehand. */
const SERVICES = [
  { hcpcs: "E0601", diagnoses: ["G47.33"], payers: ["northfield", "crestway", "harborlight-advantage"] },
  { hcpcs: "E1390", diagnoses: ["J44.9", "J96.11"], payers: ["northfield", "crestway"] },
] as const;

const namesake = defineArchetype({
  id: "approval-is-a-namesakes",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const { random } = draw;
    const { hcpcs, diagnoses, payers } = random.pick(SERVICES);
    const file = new CaseFile(world, draw, { payer: random.pick<(typeof payers)[number]>(payers) });
    const { patient, coverage } = file;
    const serviceDate = file.daysAgo(random.int(35, 55));
    const remitDate = file.daysAgo(random.int(3, 12));
    const namesake = file.addPatient({
      age: [50, 60],
      first: patient.first,
      last: patient.last,
      birthDate: addDays(patient.birthDate, random.int(1500, 4000) * random.pick([1, -1])),
    });
    file.addCoverage({
      payer: file.payer.id,
      order: "primary",
      patient: namesake,
      memberId: coverage.memberId,
      from: coverage.from,
      member: null,
    });
    // The only coverage on file came from the other person's papers: the payer knows its number under the other birth date.
    const [member] = world.where("members", { payer: file.payer.id, memberId: coverage.memberId });
    world.update("members", member!.id, {
      birthDate: namesake.birthDate,
      remark: `Member's date of birth on our record: ${namesake.birthDate}.`,
    });
    const authorization = file.addAuthorization({
      patient: namesake,
      hcpcs: [hcpcs],
      from: addDays(serviceDate, -10),
      to: addDays(serviceDate, 80),
      units: 3,
    });
    file.addDocument({
      patient: namesake,
      kind: "note",
      title: "Office visit",
      date: addDays(serviceDate, -40),
      pages: [`${hcpcs} advised.`],
    });

    file.addDocument({
      kind: "order",
      title: "Equipment order",
      date: addDays(serviceDate, -6),
      author: file.ordering.name,
      pages: [
        `Order for ${hcpcs}. ${patient.first} ${patient.last}, born ${patient.birthDate}. ${file.ordering.name}, NPI ${file.ordering.npi}.`,
      ],
    });
    const printout = file.addDocument({
      kind: "fax",
      title: "Portal printout",
      date: addDays(serviceDate, -5),
      author: "Front desk",
      signed: false,
      audit: `filed by name on ${addDays(serviceDate, -4)}; birth date not compared`,
      pages: [
        `${file.payer.name}: authorization ${authorization.number} APPROVED for ${hcpcs}, ${authorization.from} to ${authorization.to}. Member ${namesake.first} ${namesake.last}, born ${namesake.birthDate}, ${namesake.address}. Member ID ${coverage.memberId}.`,
      ],
    });
    file.addEligibilityAnswer({
      checkedOn: addDays(serviceDate, -4),
      serviceDate,
      active: true,
      text: `Asked by number only: ${coverage.memberId} active.`,
    });
    const built = file.addClaim({
      lines: [{ hcpcs, modifiers: ["RR"] }],
      serviceDate,
      diagnoses: [random.pick<string>(diagnoses)],
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "31", remarks: ["N382"] }], { status: "4" });
    return settle(file, {
      built,
      carc: "31",
      headline: `CO-31 (N382) on ${hcpcs}`,
      queue: "registration",
      rootCause: "record_of_another_patient",
      dispositions: ["escalated"],
      remitDate,
      lookAt: [remit.id, printout.id, coverage.id, file.section(file.payer.correctionChannel.identity.section)],
      escalation: {
        to: ["privacy_officer", "patient_access"],
        evidence: [printout.pages[0]!],
        answer: "Thank you. Leave the claim as it is; we will part the two registrations and call the patient.",
      },
    });
  },
});

export const identityArchetypes: readonly Archetype[] = [namesake];
