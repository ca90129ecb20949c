/** Denials because a clinician is not on the payer's list: wrongly, with the payer's own letter to show it, or rightly, and then the loss is the office's. */
import type { PayerId } from "../../reference/payer-profile.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { adjustAll, settle } from "../settlement.js";
import { type DataCase, labelOf, openDataCase, paidEarlier, type Service, VISITS } from "./data-cases.js";
import { colleagueOf } from "./data-gaps.js";

const family = "claim data";
const LISTED: readonly PayerId[] = ["northfield", "harborlight-advantage"];
const STRICT: readonly PayerId[] = ["crestway", "silverbirch-advantage", "medicare-region-c"];

/** Sessions whose charge stays within what a biller may write off. */
const SESSIONS: readonly Service[] = VISITS.filter(({ hcpcs }) => hcpcs.startsWith("G")).map((one) => ({
  ...one,
  units: [2, 3],
}));

/** The visit itself, and an earlier paid one by a colleague who is on the payer's list. */
function plantStaff(opened: DataCase) {
  const { file, random, service, serviceDate } = opened;
  const colleague = colleagueOf(file);
  paidEarlier(opened, random.int(28, 40), { renderingNpi: colleague.npi });
  const note = file.addDocument({
    kind: "note",
    title: "Encounter note",
    date: serviceDate,
    pages: [
      `${labelOf(service.hcpcs)}, given in person by ${file.rendering.name}, NPI ${file.rendering.npi}. ${colleague.name} was not in the building.`,
    ],
  });
  return { note, colleague };
}

const recordedWrongly = defineArchetype({
  id: "participation-recorded-wrongly",
  family,
  share: 1,
  review: "awaiting-expert",
  build(world, draw) {
    const opened = openDataCase(world, draw, { payers: LISTED, services: VISITS });
    const { file, random, service, serviceDate, remitDate, spec } = opened;
    const { note, colleague } = plantStaff(opened);
    const from = addDays(serviceDate, -random.int(20, 90));
    const welcome = (who: { name: string; npi: string }, effective: string, date: string) =>
      file.addLetter({
        from: file.payer.name,
        subject:
          file.payer.id === "northfield"
            ? `Welcome, ${who.name}`
            : `Participation agreement of ${who.name}, countersigned`,
        date,
        text: `${who.name}, NPI ${who.npi}, takes part in our network from ${effective}.`,
      });
    const letter = welcome(file.rendering, from, addDays(from, -9));
    welcome(colleague, addDays(serviceDate, -random.int(200, 400)), addDays(serviceDate, -420));
    const built = file.addClaim(spec);
    const carc = random.pick(["B7", "208"] as const);
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc, remarks: ["N570"] }]);
    return settle(file, {
      built,
      carc,
      headline: `CO-${carc} (N570) on ${service.hcpcs}`,
      queue: "enrollment",
      rootCause: "provider_not_on_payer_file",
      remitDate,
      lookAt: [remit.id, note.id, letter, file.section(file.payer.disputeChannel.provider_enrollment.section)],
      appeal: { denialClass: "provider_enrollment", evidence: [letter] },
    });
  },
});

const notEnrolled = defineArchetype({
  id: "clinician-not-enrolled-on-date",
  family,
  share: 0.5,
  review: "awaiting-expert",
  build(world, draw) {
    const opened = openDataCase(world, draw, { payers: STRICT, services: SESSIONS });
    const { file, random, service, serviceDate, remitDate, spec } = opened;
    const { note } = plantStaff(opened);
    const letter = file.addLetter({
      from: "Provider enrollment",
      channel: "email",
      subject: `${file.rendering.name} and ${file.payer.name}`,
      date: addDays(remitDate, 1),
      text: `${file.rendering.name}, NPI ${file.rendering.npi}, is enrolled from ${addDays(serviceDate, random.int(6, 20))}; the application went in late. We have asked for an earlier date and were refused in writing. Visits before that day are known to us.`,
    });
    file.addLetter({
      from: file.payer.name,
      subject: "Network news",
      date: addDays(serviceDate, -random.int(20, 50)),
      text: "Applications are decided in 60 to 90 days. Clinicians already enrolled need do nothing.",
    });
    const built = file.addClaim(spec);
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "B7", remarks: ["N570"] }]);
    return settle(file, {
      built,
      carc: "B7",
      headline: `CO-B7 (N570) on ${service.hcpcs}`,
      queue: "enrollment",
      rootCause: "provider_enrollment_gap",
      dispositions: ["provider_writeoff"],
      remitDate,
      lookAt: [remit.id, note.id, letter, file.section(file.payer.disputeChannel.provider_enrollment.section)],
      adjustments: adjustAll(built.lines, "write_off"),
    });
  },
});

export const enrollmentArchetypes: readonly Archetype[] = [recordedWrongly, notEnrolled];
