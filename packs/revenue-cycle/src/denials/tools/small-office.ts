/** A hand-made office for tests: one patient, one denied claim of two lines, one work item, and something of everything a tool can open. */
import { type Row, ToolError, toCanonicalJson, World } from "windtunnel";
import { addDays, msOf } from "../calendar.js";
import { world as definition } from "../definition.js";
import { acknowledgmentFile, claimFile, remittanceFile } from "../edi-files.js";
import type { DenialTables } from "../world.js";
import { systems } from "./index.js";

export type Office = World<DenialTables>;
type Pays = NonNullable<Row<DenialTables["payer_truth"]>["pays"]>;

export const TODAY = "2026-03-02";
export const SERVICE_DATE = "2026-01-20";
export const NPI = "1234567893";
export const OTHER_NPI = "1679576722";

/** The version of the claim that would be paid: with its authorization number. */
export function rightContent(): Pays {
  return {
    coverage: "COV-1",
    memberId: "NF123456789",
    renderingNpi: NPI,
    orderingNpi: OTHER_NPI,
    authorization: "A55501234",
    diagnoses: ["G47.33", "I10"],
    lines: [
      { hcpcs: "E0601", modifiers: ["RR", "KX"], units: "1", ndc: null },
      { hcpcs: "J1745", modifiers: [], units: "10", ndc: "57894003001" },
    ],
    channels: ["replacement_claim"],
    by: "2026-06-30",
    amount: "640.00",
    patient: "160.00",
  };
}

/** Opens the office. `truth` states what the payer would do; by default a corrected claim is paid. */
export function openSmallOffice(truth: Partial<Row<DenialTables["payer_truth"]>> = { pays: rightContent() }): Office {
  const world = World.open(definition, { seed: "small-office", now: msOf(TODAY) + 9 * 3_600_000 });
  world.insert("payers", {
    id: "northfield",
    name: "Northfield Health Plan",
    kind: "commercial",
    payerNumber: "NFHP1",
  });
  world.insert("payers", {
    id: "medicare-region-c",
    name: "Medicare Region C",
    kind: "original-medicare",
    payerNumber: "MRC01",
  });
  world.insert("sections", {
    id: "SEC-1",
    payer: "northfield",
    source: "manual",
    number: "4.2",
    title: "Corrected claims",
    text: "Correct with frequency 7 within 180 days.",
  });
  world.insert("patients", {
    id: "PT-1",
    first: "Ada",
    last: "Okafor",
    birthDate: "1961-04-09",
    sex: "F",
    address: "12 Elm Street, Dayton, OH 45402",
    qmb: false,
  });
  world.insert("patients", {
    id: "PT-2",
    first: "Ida",
    last: "Okafor",
    birthDate: "1990-01-01",
    sex: "F",
    address: "9 Oak Road, Dayton, OH 45402",
    qmb: false,
  });
  const person = { subscriber: "Ada Okafor", subscriberBirthDate: "1961-04-09", relationship: "self" as const };
  world.insert("coverages", {
    id: "COV-1",
    patient: "PT-1",
    payer: "northfield",
    memberId: "NF123456789",
    ...person,
    order: "primary",
    from: "2024-01-01",
    to: null,
  });
  world.insert("coverages", {
    id: "COV-2",
    patient: "PT-1",
    payer: "medicare-region-c",
    memberId: "1AC2DE3FG45",
    ...person,
    order: "secondary",
    from: "2026-01-01",
    to: null,
  });
  world.insert("coverages", {
    id: "COV-3",
    patient: "PT-2",
    payer: "northfield",
    memberId: "NF999999999",
    subscriber: "Ida Okafor",
    subscriberBirthDate: "1990-01-01",
    relationship: "self",
    order: "primary",
    from: "2024-01-01",
    to: null,
  });
  world.insert("coverages", {
    id: "COV-4",
    patient: "PT-1",
    payer: "northfield",
    memberId: "NF111111111",
    ...person,
    order: "unknown",
    from: "2023-01-01",
    to: "2023-12-31",
  });
  const member = { first: "Ada", last: "Okafor", birthDate: "1961-04-09", to: null, remark: "" };
  world.insert("members", { id: "MEM-1", payer: "northfield", memberId: "NF123456789", ...member, from: "2024-01-01" });
  world.insert("members", {
    id: "MEM-2",
    payer: "medicare-region-c",
    memberId: "1AC2DE3FG45",
    ...member,
    from: "2026-02-01",
    remark: "Secondary to Northfield.",
  });
  world.insert("members", {
    id: "MEM-3",
    payer: "northfield",
    memberId: "NF111111111",
    ...member,
    from: "2023-01-01",
    to: "2023-12-31",
  });
  addChart(world);
  addDeniedClaim(world);
  world.insert("items", {
    id: "ITM-1",
    claim: "CLM-1",
    queue: "authorization",
    openedOn: TODAY,
    amount: "1200.00",
    headline: "CO-197 on two lines",
    status: "open",
    causes: ["authorization_on_file_not_sent", "elective_service_never_authorized"],
    dispositions: ["corrected_claim", "appeal"],
    preventions: ["claim_scrub_edit", "none"],
    cause: null,
    disposition: null,
    prevention: null,
    closedOn: null,
  });
  world.insert("payer_truth", {
    id: "TRU-1",
    claim: "CLM-1",
    pays: null,
    overturns: null,
    records: null,
    retro: null,
    ...truth,
  });
  world.insert("office_truth", {
    id: "OFT-1",
    item: "ITM-1",
    claim: "CLM-1",
    patientOwes: "0.00",
    lossRight: "0.00",
    adjustAs: null,
    basis: [],
    queryTo: "coder",
    handTo: ["billing_lead"],
    atRisk: "0.00",
    refundDue: "0.00",
    answer: "Approved, go ahead.",
    approves: "1200.00",
    queryAnswer: "The right knee was treated.",
    disclosable: [],
    settledBy: null,
    owes: [],
  });
  return world;
}

function addChart(world: Office): void {
  world.insert("documents", {
    id: "DOC-1",
    patient: "PT-1",
    kind: "note",
    title: "Sleep study",
    author: "Nadia Reyes",
    date: "2026-01-10",
    signed: true,
    audit: "",
  });
  world.insert("pages", { id: "PG-1", document: "DOC-1", number: 1, text: "AHI 32." });
  world.insert("pages", { id: "PG-2", document: "DOC-1", number: 2, text: "Order for E0601." });
  for (let n = 2; n <= 12; n++) {
    world.insert("documents", {
      id: `DOC-${n}`,
      patient: "PT-1",
      kind: "note",
      title: `Visit ${n}`,
      author: "Nadia Reyes",
      date: addDays("2025-01-01", n),
      signed: true,
      audit: "",
    });
  }
  world.insert("letters", {
    id: "LTR-1",
    patient: "PT-1",
    claim: "CLM-1",
    from: "Northfield Health Plan",
    channel: "letter",
    date: "2026-02-20",
    subject: "Records wanted",
    text: "Send the sleep study.",
  });
  world.insert("authorizations", {
    id: "AUT-1",
    patient: "PT-1",
    payer: "northfield",
    number: "A55501234",
    hcpcs: ["E0601"],
    from: "2026-01-01",
    to: "2026-06-30",
    units: "3",
    providerNpi: NPI,
    status: "approved",
  });
}

function addDeniedClaim(world: Office): void {
  const draft = {
    id: "CLM-1",
    patient: "PT-1",
    coverage: "COV-1",
    payer: "northfield",
    memberId: "NF123456789",
    controlNumber: "WT1000001",
    frequency: "1" as const,
    originalReference: null,
    payerClaimNumber: "P00000000001",
    status: "denied" as const,
    serviceDate: SERVICE_DATE,
    submittedOn: "2026-01-24",
    placeOfService: "12",
    billingNpi: NPI,
    renderingNpi: NPI,
    orderingNpi: OTHER_NPI,
    authorization: null,
    diagnoses: ["G47.33", "I10"],
    total: "1200.00",
    corrects: null,
    channel: null,
  };
  const lines = [
    {
      id: "LIN-1",
      claim: "CLM-1",
      number: 1,
      hcpcs: "E0601",
      modifiers: ["RR", "KX"],
      units: "1",
      charge: "200.00",
      ndc: null,
    },
    {
      id: "LIN-2",
      claim: "CLM-1",
      number: 2,
      hcpcs: "J1745",
      modifiers: [],
      units: "10",
      charge: "1000.00",
      ndc: "57894003001",
    },
  ];
  const claim = world.insert("claims", { ...draft, file: claimFile(world, draft, lines) });
  for (const line of lines) {
    world.insert("claim_lines", line);
    world.insert("ledger", {
      claim: "CLM-1",
      line: line.id,
      entry: "charge",
      amount: line.charge,
      on: "2026-01-24",
      by: "office",
      note: "charge",
    });
  }
  const ack = {
    id: "ACK-1",
    claim: "CLM-1",
    source: "277CA" as const,
    receivedOn: "2026-01-25",
    category: "A2",
    meaning: "accepted for adjudication",
  };
  world.insert("acknowledgments", { ...ack, file: acknowledgmentFile(world, ack, claim) });
  const remit = {
    id: "ERA-1",
    payer: "northfield",
    date: "2026-02-15",
    trace: "000111222333",
    status: "1",
    payerClaimNumber: "P00000000001",
    charge: "1200.00",
    paid: "0.00",
    patientResponsibility: "0.00",
    remarks: ["MA01"],
  };
  const remitLines = lines.map((line) => ({
    remit: "ERA-1",
    line: line.id,
    hcpcs: line.hcpcs,
    charge: line.charge,
    paid: "0.00",
    adjustments: [{ group: "CO", carc: "197", amount: line.charge }],
    remarks: ["M62"],
  }));
  world.insert("remits", { ...remit, claim: "CLM-1", file: remittanceFile(world, remit, remitLines, claim) });
  for (const line of remitLines) world.insert("remit_lines", line);
  world.insert("record_requests", {
    id: "REQ-1",
    claim: "CLM-1",
    payer: "northfield",
    letter: "LTR-1",
    asksFor: "the sleep study",
    dueOn: "2026-04-06",
    status: "open",
  });
}

/** A tool's result, loosely typed: its schema has checked it. */
// biome-ignore lint/suspicious/noExplicitAny: tests read fields that the tool's own schema has just checked.
export type Result = Record<string, any>;

const tools = new Map(systems.flatMap((system) => system.tools.map((tool) => [tool.name, tool] as const)));

/** Calls a tool as an agent would: arguments checked, sealed tables out of reach, the result checked against its schema to the last field. */
export function use(world: Office, name: string, args: Record<string, unknown>): Result {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const result = tool.handle(world.visible(), tool.input.parse(args), { finish: () => undefined });
  const parsed = tool.output.parse(result);
  if (toCanonicalJson(parsed) !== toCanonicalJson(result))
    throw new Error(`${name} returned what its schema does not declare: ${JSON.stringify(result)}`);
  return result as Result;
}

/** The code with which a tool refuses. Throws when it does not. */
export function refusal(world: Office, name: string, args: Record<string, unknown>): string {
  try {
    use(world, name, args);
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
  throw new Error(`${name} did not refuse`);
}

/** Lets so many days pass. */
export const pass = (world: Office, days: number) => world.advanceTo(world.now + days * 86_400_000);
