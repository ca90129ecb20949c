/**
 * Denials for want of records: asked for and not yet sent, the wrong one sent, or the request missed until its limit. What may leave the
 * office is what the payer's letter names and nothing beside it.
 */
import { HCPCS } from "../../reference/hcpcs.js";
import type { PayerId, PayerKind } from "../../reference/payer-profile.js";
import { PAYERS } from "../../reference/payers.js";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { type BuiltClaim, CaseFile } from "../case-file.js";
import { settle } from "../settlement.js";
import { authorizationFor, labelOf } from "./data-cases.js";
import { instructionArchetypes } from "./records-instructions.js";

const family = "records";
type Draws = Parameters<Archetype["build"]>;

const EVERY: readonly PayerId[] = [
  "medicare-region-c",
  "harborlight-advantage",
  "silverbirch-advantage",
  "northfield",
  "crestway",
  "tri-county-medicaid",
];

/** Services that follow an operation, with the operation. */
const AFTER_OPERATIONS = [
  {
    hcpcs: "A6550",
    units: 10,
    modifiers: [],
    diagnosis: "T81.31XA",
    operation: "closure of a reopened abdominal wound",
    findings: [
      "Wound reopened over 9 cm, 12 mm deep, fascia intact.",
      "Edges freshened, dressing pump applied in theatre.",
    ],
  },
  {
    hcpcs: "L5301",
    units: 1,
    modifiers: ["RT"],
    diagnosis: "Z89.511",
    operation: "amputation below the right knee",
    findings: [
      "Right leg divided 14 cm below the knee; long posterior flap.",
      "Stump closed over a drain, good blood supply.",
    ],
  },
  {
    hcpcs: "E0260",
    units: 1,
    modifiers: ["RR"],
    diagnosis: "L89.154",
    operation: "flap cover of a sacral pressure ulcer",
    findings: [
      "Stage 4 ulcer over the sacrum, bone exposed, excised.",
      "Gluteal flap turned; no pressure on it for six weeks.",
    ],
  },
] as const;

const EARLIER = ["removal of the gallbladder", "cataract removal, left eye", "repair of an inguinal hernia"] as const;

const kindOf = (payer: PayerId): PayerKind => PAYERS.get(payer).kind;

function openFile(world: Draws[0], draw: Draws[1], payers: readonly PayerId[]): CaseFile {
  const payer = draw.random.pick(payers);
  return new CaseFile(world, draw, { payer, age: kindOf(payer) === "commercial" ? [28, 63] : [66, 86] });
}

const nameOf = ({ claim }: BuiltClaim) => `claim ${claim.controlNumber} (${claim.payerClaimNumber})`;

const operativeNote = defineArchetype({
  id: "operative-note-asked-for",
  family,
  share: 4,
  review: "sourced",
  build(world, draw) {
    const { random } = draw;
    const file = openFile(world, draw, EVERY);
    const { hcpcs, units, modifiers, diagnosis, operation, findings } = random.pick(AFTER_OPERATIONS);
    const serviceDate = file.daysAgo(random.int(35, 55));
    const remitDate = file.daysAgo(random.int(3, 10));
    const operatedOn = addDays(serviceDate, -random.int(4, 25));
    const surgeon = file.ordering.name;
    const note = file.addDocument({
      kind: "operative_note",
      title: "Operative note",
      date: operatedOn,
      author: surgeon,
      pages: [
        `${operatedOn}: ${operation}. ${findings[0]}`,
        `${findings[1]} Blood loss small. To the ward in good condition. Signed ${addDays(operatedOn, 1)}.`,
      ],
    });
    const before = addDays(operatedOn, -random.int(300, 900));
    file.addDocument({
      kind: "operative_note",
      title: "Operative note",
      date: before,
      author: "Former surgeon",
      pages: [`${before}: ${random.pick(EARLIER)}. No complication.`],
    });
    file.addDocument({
      kind: "psychotherapy_note",
      title: "Session",
      date: addDays(operatedOn, random.int(5, 12)),
      author: "Psychotherapist",
      pages: ["Grief about the illness; fear of the next admission. Kept apart from the record at the patient's wish."],
    });
    file.addDocument({
      kind: "note",
      title: "Discharge summary",
      date: addDays(operatedOn, 3),
      author: surgeon,
      pages: [`Admitted for ${operation}. Course without trouble. Home with ${labelOf(hcpcs)}.`, "Medication list."],
    });
    const built = file.addClaim({
      lines: [{ hcpcs, modifiers, units }],
      serviceDate,
      diagnoses: [diagnosis],
      authorization: authorizationFor(file, hcpcs, serviceDate, units),
    });
    const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "252", remarks: ["M29"] }]);
    const askedOn = addDays(remitDate, random.int(0, 2));
    const dueOn = addDays(askedOn, file.payer.clocks.recordsDueDays);
    const letter = file.addLetter({
      from: file.payer.name,
      subject: `Request for a record, claim ${built.claim.payerClaimNumber}`,
      date: askedOn,
      claim: built.claim.id,
      text: `To decide ${nameOf(built)} we need the operative note of ${operatedOn}, complete. Please send that document by ${dueOn}.`,
    });
    const request = file.addRecordRequest(built, { letter, asksFor: `Operative note of ${operatedOn}`, dueOn });
    return settle(file, {
      built,
      carc: "252",
      headline: `CO-252 (M29) on ${hcpcs}`,
      queue: "records",
      rootCause: "records_not_yet_sent",
      remitDate,
      lookAt: [remit.id, letter, note.id, file.section(file.payer.disputeChannel.records_requested.section)],
      records: { request, pages: note.pages, by: dueOn },
    });
  },
});

/** Records that a payer asks for about an item: what it is called, and what stands on its pages. */
const RECORDS = [
  {
    kind: "delivery",
    title: "Delivery ticket",
    called: "delivery ticket signed by the patient",
    author: "Driver",
    pages: (hcpcs: string, on: string) => [
      `${hcpcs} delivered on ${on}, quantity 1. Received and signed by the patient.`,
    ],
  },
  {
    kind: "note",
    title: "Office visit",
    called: "signed office note",
    author: "",
    pages: (hcpcs: string, on: string) => [
      `Seen in person on ${on}. History, examination of strength and gait.`,
      `Assessment and plan: ${labelOf(hcpcs)} ordered today. Signed ${on}.`,
    ],
  },
  {
    kind: "result",
    title: "Home assessment",
    called: "home assessment",
    author: "Therapist",
    pages: (hcpcs: string, on: string) => [
      `Visited the home on ${on}. Doors and floors measured; room for ${hcpcs}.`,
      `Patient and family instructed. Signed ${on}.`,
    ],
  },
] as const;

const ITEMS = [
  { hcpcs: "K0003", diagnosis: "G82.20" },
  { hcpcs: "K0001", diagnosis: "I69.354" },
  { hcpcs: "E0260", diagnosis: "G82.20" },
  { hcpcs: "E0250", diagnosis: "I50.22" },
] as const;

/** An item, the record that the payer wants, and one of the same title that it does not want. */
function openMissingRecord(
  world: Draws[0],
  draw: Draws[1],
  payers: readonly PayerId[],
  serviceAgo: readonly [number, number],
) {
  const { random } = draw;
  const file = openFile(world, draw, payers);
  const { hcpcs, diagnosis } = random.pick(ITEMS);
  const wanted = random.pick(RECORDS);
  const serviceDate = file.daysAgo(random.int(serviceAgo[0], serviceAgo[1]));
  const madeOn = wanted.kind === "delivery" ? serviceDate : addDays(serviceDate, -random.int(4, 12));
  const author = wanted.author === "" ? file.ordering.name : wanted.author;
  const document = file.addDocument({
    kind: wanted.kind,
    title: wanted.title,
    date: madeOn,
    author,
    pages: wanted.pages(hcpcs, madeOn),
  });
  const other = addDays(madeOn, -random.int(60, 200));
  file.addDocument({
    kind: wanted.kind,
    title: wanted.title,
    date: other,
    author,
    pages: [`${other}: about another item, ${random.pick(["A4357", "L1902", "E0607"])}. Signed ${other}.`],
  });
  const order = file.addDocument({
    kind: "order",
    title: "Equipment order",
    date: addDays(serviceDate, -3),
    author: file.ordering.name,
    pages: [`${HCPCS.get(hcpcs).label} (${hcpcs}). ${diagnosis}. Signed ${addDays(serviceDate, -3)}.`],
  });
  const built = file.addClaim({
    lines: [{ hcpcs, modifiers: ["RR"] }],
    serviceDate,
    diagnoses: [diagnosis],
    authorization: authorizationFor(file, hcpcs, serviceDate, 1),
  });
  return { file, random, hcpcs, wanted: `${wanted.called} of ${madeOn}`, document, order, built };
}

/** The denial, and the letter that had asked for the record and that nobody answered. */
function missRequest(opened: ReturnType<typeof openMissingRecord>) {
  const { file, random, built, wanted } = opened;
  const remitDate = file.daysAgo(random.int(3, 12));
  const dueOn = addDays(remitDate, -random.int(3, 8));
  const askedOn = addDays(dueOn, -file.payer.clocks.recordsDueDays);
  const remark = random.pick(["M127", "N706"] as const);
  const { remit } = file.answer(built, remitDate, [{ group: "CO", carc: "226", remarks: [remark] }]);
  const letter = file.addLetter({
    from: file.payer.name,
    channel: random.pick(["letter", "fax", "portal"] as const),
    subject: `Claim ${built.claim.payerClaimNumber}`,
    date: askedOn,
    claim: built.claim.id,
    text: `To decide ${nameOf(built)} we ask for one document: the ${wanted}. It is due on ${dueOn}.`,
  });
  file.addLetter({
    from: file.payer.name,
    subject: "Electronic remittances",
    date: addDays(askedOn, random.int(2, 9)),
    text: "Remittances can now be fetched every working day. Nothing changes for claims already sent.",
  });
  return { remit, remitDate, letter, dueOn, headline: `CO-226 (${remark}) on ${opened.hcpcs}` };
}

const missedThenDispute = defineArchetype({
  id: "records-request-missed-dispute",
  family,
  share: 2,
  review: "sourced",
  build(world, draw) {
    // The request was never logged, which is why it was missed: nothing is open to send pages for, and the payer hears a dispute.
    const opened = openMissingRecord(
      world,
      draw,
      ["northfield", "crestway", "silverbirch-advantage", "tri-county-medicaid"],
      [80, 95],
    );
    const { file, built, document } = opened;
    const { remit, remitDate, letter, headline } = missRequest(opened);
    return settle(file, {
      built,
      carc: "226",
      headline,
      queue: "records",
      rootCause: "records_request_missed",
      remitDate,
      lookAt: [remit.id, letter, document.id, file.section(file.payer.disputeChannel.records_missed.section)],
      appeal: { denialClass: "records_missed", evidence: document.pages },
    });
  },
});

const missedThenSent = defineArchetype({
  id: "records-request-missed-reopened",
  family,
  share: 1.5,
  review: "sourced",
  build(world, draw) {
    const opened = openMissingRecord(world, draw, ["medicare-region-c", "harborlight-advantage"], [80, 95]);
    const { file, built, document, wanted } = opened;
    const { remit, remitDate, letter, dueOn, headline } = missRequest(opened);
    const request = file.addRecordRequest(built, { letter, asksFor: wanted, dueOn, status: "overdue" });
    const rule = file.payer.disputeChannel.records_missed;
    return settle(file, {
      built,
      carc: "226",
      headline,
      queue: "records",
      rootCause: "records_request_missed",
      remitDate,
      lookAt: [remit.id, letter, document.id, file.section(rule.section)],
      records: { request, pages: document.pages, by: addDays(remitDate, rule.clock!.windowDays) },
    });
  },
});

const wrongDocument = defineArchetype({
  id: "wrong-document-sent",
  family,
  share: 1.5,
  review: "awaiting-expert",
  build(world, draw) {
    const opened = openMissingRecord(world, draw, EVERY, [50, 65]);
    const { file, random, built, document, order, wanted, hcpcs } = opened;
    const remitDate = file.daysAgo(random.int(3, 10));
    const askedOn = addDays(remitDate, -random.int(16, 20));
    const first = file.addLetter({
      from: file.payer.name,
      subject: `Request for a record, claim ${built.claim.payerClaimNumber}`,
      date: askedOn,
      claim: built.claim.id,
      text: `To decide ${nameOf(built)} we need the ${wanted}.`,
    });
    const { remit } = file.answer(built, remitDate, [
      { group: "CO", carc: "250", remarks: [random.pick(["M127", "N706"] as const)] },
    ]);
    const againOn = addDays(remitDate, random.int(0, 1));
    const dueOn = addDays(againOn, file.payer.clocks.recordsDueDays);
    const second = file.addLetter({
      from: file.payer.name,
      subject: `Still missing, claim ${built.claim.payerClaimNumber}`,
      date: againOn,
      claim: built.claim.id,
      text: `Of ${nameOf(built)} we received the equipment order. We had asked for another document, named in our first letter, and do not have it. It is now due on ${dueOn}.`,
    });
    const request = file.addRecordRequest(built, { letter: second, asksFor: "As named in the first letter", dueOn });
    world.insert("disclosures", {
      request,
      page: order.pages[0]!,
      payer: file.payer.id,
      on: addDays(askedOn, random.int(3, 6)),
    });
    return settle(file, {
      built,
      carc: "250",
      headline: `CO-250 on ${hcpcs}: records were sent once`,
      queue: "records",
      rootCause: "wrong_or_partial_records_sent",
      remitDate,
      lookAt: [remit.id, first, second, document.id, file.section(file.payer.disputeChannel.records_requested.section)],
      records: { request, pages: document.pages, by: dueOn },
    });
  },
});

export const recordsArchetypes: readonly Archetype[] = [
  operativeNote,
  missedThenDispute,
  missedThenSent,
  wrongDocument,
  ...instructionArchetypes,
];
