/**
 * The tables of the provider billing office and of the payers it deals with. What only the simulated counterparties know lives in the
 * two sealed tables at the end. Amounts are decimal strings in USD; dates are calendar dates; ids are minted by the world.
 */
import { date, defineTable, kind, money, ref, refToAny } from "windtunnel";
import { z } from "zod";
import { ESCALATION_OWNERS } from "../reference/authority.js";

const text = z.string();
/** Dates of one meaning, told apart so that a birth date is never tried as a date of service. */
export const serviceDate = () => date().meta({ "x-kind": "service_date" });
const birthDate = () => date().meta({ "x-kind": "birth_date" });
const maybe = <T extends z.ZodType>(schema: T) => schema.nullable();

/** Tables whose rows can be cited as evidence. */
export const EVIDENCE_TABLES = [
  "pages",
  "acknowledgments",
  "eligibility_answers",
  "sections",
  "letters",
  "remits",
  "authorizations",
] as const;

export const APPEAL_CHANNELS = [
  "redetermination",
  "reconsideration",
  "appeal",
  "payer_dispute",
  "exception_request",
] as const;
export const CORRECTION_CHANNELS = ["replacement_claim", "new_claim", "reopening"] as const;
export const ADJUSTMENT_TYPES = ["contractual", "write_off"] as const;

export const tables = {
  // — reference seen by the office —
  payers: defineTable("PAY", { id: ref("payers"), name: text, kind: text, payerNumber: text }),
  /** What a payer publishes: manual sections, coverage policies, and the office's contract clauses with it. */
  sections: defineTable("SEC", {
    id: ref("sections"),
    payer: ref("payers"),
    source: z.enum(["manual", "policy", "contract"]),
    number: text,
    title: text,
    text,
  }),

  // — registration —
  patients: defineTable("PT", {
    id: ref("patients"),
    first: text,
    last: text,
    birthDate: birthDate(),
    sex: z.enum(["F", "M"]),
    address: text,
    qmb: z.boolean(),
  }),
  coverages: defineTable("COV", {
    id: ref("coverages"),
    patient: ref("patients"),
    payer: ref("payers"),
    memberId: kind("member_id"),
    subscriber: text,
    subscriberBirthDate: birthDate(),
    relationship: z.enum(["self", "spouse", "child"]),
    order: z.enum(["primary", "secondary", "unknown"]),
    from: date(),
    to: maybe(date()),
  }),
  /** The payer's own member file: answered from by eligibility checks, never listed. */
  members: defineTable("MEM", {
    id: ref("members"),
    payer: ref("payers"),
    memberId: kind("member_id"),
    first: text,
    last: text,
    birthDate: birthDate(),
    from: date(),
    to: maybe(date()),
    /** What the payer says beside active or inactive: another payer, a plan it handed the member to, a grace period. */
    remark: text,
  }),
  eligibility_answers: defineTable("ELG", {
    id: ref("eligibility_answers"),
    coverage: ref("coverages"),
    checkedOn: date(),
    serviceDate: serviceDate(),
    active: z.boolean(),
    memberId: maybe(kind("member_id")),
    answer: text,
  }),

  // — chart —
  documents: defineTable("DOC", {
    id: ref("documents"),
    patient: ref("patients"),
    kind: z.enum([
      "note",
      "order",
      "result",
      "operative_note",
      "psychotherapy_note",
      "delivery",
      "notice",
      "card",
      "court_order",
      "employer_letter",
      "fax",
      "email",
    ]),
    title: text,
    author: text,
    date: date(),
    signed: z.boolean(),
    /** Audit trail: when and how it was last changed; empty when it never was. */
    audit: text,
  }),
  pages: defineTable("PG", { id: ref("pages"), document: ref("documents"), number: z.int(), text }),

  // — billing —
  claims: defineTable("CLM", {
    id: ref("claims"),
    patient: ref("patients"),
    coverage: ref("coverages"),
    payer: ref("payers"),
    memberId: kind("member_id"),
    controlNumber: kind("control_number"),
    /** 1 original, 7 replacement, 8 void. */
    frequency: z.enum(["1", "7", "8"]),
    originalReference: maybe(kind("payer_claim_number")),
    payerClaimNumber: maybe(kind("payer_claim_number")),
    status: z.enum([
      "rejected",
      "accepted",
      "pended",
      "paid",
      "partly_paid",
      "denied",
      "reversed",
      "submitted",
      "voided",
    ]),
    serviceDate: serviceDate(),
    submittedOn: date(),
    placeOfService: text,
    billingNpi: kind("npi"),
    renderingNpi: maybe(kind("npi")),
    orderingNpi: maybe(kind("npi")),
    authorization: maybe(kind("authorization_number")),
    diagnoses: z.array(kind("icd10")),
    total: money(),
    /** The claim this one corrects, when it does. */
    corrects: maybe(ref("claims")),
    /** How it was sent as a correction; null for a first submission. */
    channel: maybe(z.enum(CORRECTION_CHANNELS)),
    /** The file as sent: X12 837P text. */
    file: text,
  }),
  claim_lines: defineTable("LIN", {
    id: ref("claim_lines"),
    claim: ref("claims"),
    number: z.int(),
    hcpcs: kind("hcpcs"),
    modifiers: z.array(kind("modifier")),
    units: kind("units"),
    charge: money(),
    ndc: maybe(kind("ndc")),
  }),
  acknowledgments: defineTable("ACK", {
    id: ref("acknowledgments"),
    claim: ref("claims"),
    source: z.enum(["999", "277CA"]),
    receivedOn: date(),
    category: text,
    meaning: text,
    file: text,
  }),
  remits: defineTable("ERA", {
    id: ref("remits"),
    claim: ref("claims"),
    payer: ref("payers"),
    date: date(),
    trace: text,
    status: text,
    payerClaimNumber: kind("payer_claim_number"),
    charge: money(),
    paid: money(),
    patientResponsibility: money(),
    remarks: z.array(kind("rarc")),
    /** The remittance as received: X12 835 text. */
    file: text,
  }),
  remit_lines: defineTable("ERL", {
    id: ref("remit_lines"),
    remit: ref("remits"),
    line: ref("claim_lines"),
    hcpcs: kind("hcpcs"),
    charge: money(),
    paid: money(),
    adjustments: z.array(z.object({ group: kind("adjustment_group"), carc: kind("carc"), amount: money() })),
    remarks: z.array(kind("rarc")),
  }),
  authorizations: defineTable("AUT", {
    id: ref("authorizations"),
    patient: ref("patients"),
    payer: ref("payers"),
    number: kind("authorization_number"),
    hcpcs: z.array(kind("hcpcs")),
    from: date(),
    to: date(),
    units: kind("units"),
    providerNpi: kind("npi"),
    status: z.enum(["approved", "pending", "denied", "expired"]),
  }),
  /** Money on an account: charge and patient positive, what reduces the balance negative. */
  ledger: defineTable("LED", {
    id: ref("ledger"),
    claim: ref("claims"),
    line: maybe(ref("claim_lines")),
    entry: z.enum(["charge", "payer_payment", "contractual", "write_off", "patient_billed", "refund", "takeback"]),
    amount: money(),
    on: date(),
    by: z.enum(["office", "payer", "agent"]),
    note: text,
  }),
  letters: defineTable("LTR", {
    id: ref("letters"),
    patient: maybe(ref("patients")),
    claim: maybe(ref("claims")),
    from: text,
    channel: z.enum(["letter", "fax", "email", "portal"]),
    date: date(),
    subject: text,
    text,
  }),
  record_requests: defineTable("REQ", {
    id: ref("record_requests"),
    claim: ref("claims"),
    payer: ref("payers"),
    letter: ref("letters"),
    asksFor: text,
    dueOn: date(),
    status: z.enum(["open", "answered", "overdue"]),
  }),

  // — the work —
  items: defineTable("ITM", {
    id: ref("items"),
    claim: ref("claims"),
    queue: text,
    openedOn: date(),
    amount: money(),
    headline: text,
    status: z.enum(["open", "closed"]),
    causes: z.array(kind("root_cause")),
    dispositions: z.array(kind("disposition")),
    preventions: z.array(kind("prevention")),
    cause: maybe(kind("root_cause")),
    disposition: maybe(kind("disposition")),
    prevention: maybe(kind("prevention")),
    closedOn: maybe(date()),
  }),

  // — what an agent makes —
  corrections: defineTable("COR", {
    id: ref("corrections"),
    claim: ref("claims"),
    channel: z.enum(CORRECTION_CHANNELS),
    status: z.enum(["draft", "sent"]),
    sentAs: maybe(ref("claims")),
  }),
  correction_changes: defineTable("CHG", {
    id: ref("correction_changes"),
    correction: ref("corrections"),
    line: maybe(ref("claim_lines")),
    field: z.enum([
      "coverage",
      "memberId",
      "renderingNpi",
      "orderingNpi",
      "authorization",
      "diagnosis",
      "modifier",
      "units",
      "ndc",
    ]),
    value: text,
  }),
  appeals: defineTable("APL", {
    id: ref("appeals"),
    claim: ref("claims"),
    channel: z.enum(APPEAL_CHANNELS),
    status: z.enum(["draft", "sent", "upheld", "overturned", "dismissed"]),
    letter: text,
    sentOn: maybe(date()),
  }),
  retro_requests: defineTable("RTR", {
    id: ref("retro_requests"),
    claim: ref("claims"),
    status: z.enum(["draft", "sent", "approved", "refused"]),
    sentOn: maybe(date()),
    authorization: maybe(ref("authorizations")),
  }),
  escalations: defineTable("ESC", {
    id: ref("escalations"),
    item: ref("items"),
    to: z.enum(ESCALATION_OWNERS),
    summary: text,
    on: date(),
    status: z.enum(["sent", "answered"]),
    answer: text,
    /** Set when the owner approves a write-off above the biller's limit. */
    approves: maybe(money()),
  }),
  citations: defineTable("CIT", {
    id: ref("citations"),
    by: refToAny(["appeals", "retro_requests", "escalations", "ledger", "statements"]),
    evidence: refToAny([...EVIDENCE_TABLES] as [string, string, ...string[]]),
  }),
  disclosures: defineTable("DIS", {
    id: ref("disclosures"),
    request: ref("record_requests"),
    page: ref("pages"),
    payer: ref("payers"),
    on: date(),
  }),
  statements: defineTable("STM", {
    id: ref("statements"),
    claim: ref("claims"),
    patient: ref("patients"),
    amount: money(),
    on: date(),
  }),
  holds: defineTable("HLD", { id: ref("holds"), claim: ref("claims"), on: date() }),
  refunds: defineTable("RFD", {
    id: ref("refunds"),
    claim: ref("claims"),
    payer: ref("payers"),
    amount: money(),
    on: date(),
  }),
  queries: defineTable("QRY", {
    id: ref("queries"),
    claim: ref("claims"),
    to: z.enum(["coder", "physician", "patient"]),
    question: text,
    on: date(),
    answer: maybe(text),
  }),
  notes: defineTable("NOT", { id: ref("notes"), item: ref("items"), about: maybe(text), text, on: date() }),
  follow_ups: defineTable("FUP", { id: ref("follow_ups"), item: ref("items"), dueOn: date() }),

  // — sealed: what only the counterparties know —
  /** How the payer will really decide what reaches it about a claim. Amounts in USD. */
  payer_truth: defineTable(
    "TRU",
    {
      id: text,
      /** The claim as first sent. */
      claim: ref("claims"),
      /** A corrected claim is paid when it says exactly this, by one of these channels, on or before this date. Null when none would be. */
      pays: maybe(
        z.object({
          coverage: text,
          memberId: text,
          renderingNpi: maybe(text),
          orderingNpi: maybe(text),
          authorization: maybe(text),
          diagnoses: z.array(text),
          lines: z.array(z.object({ hcpcs: text, modifiers: z.array(text), units: text, ndc: maybe(text) })),
          channels: z.array(z.enum(CORRECTION_CHANNELS)),
          by: date(),
          amount: money(),
          patient: money(),
        }),
      ),
      /** An appeal is won by one of these channels, with all of this evidence, on or before this date. */
      overturns: maybe(
        z.object({
          channels: z.array(z.enum(APPEAL_CHANNELS)),
          evidence: z.array(text),
          by: date(),
          amount: money(),
          patient: money(),
        }),
      ),
      /** Records are accepted when all these pages arrive on or before this date. */
      records: maybe(z.object({ request: text, pages: z.array(text), by: date(), amount: money(), patient: money() })),
      /** A retrospective authorization is granted with this evidence, with this number. */
      retro: maybe(z.object({ evidence: z.array(text), by: date(), number: text })),
    },
    { sealed: true },
  ),
  /** What is really owed and due on the item: how money and harm are read off at the end. */
  office_truth: defineTable(
    "OFT",
    {
      id: text,
      item: ref("items"),
      claim: ref("claims"),
      /** The patient rightly owes this now. */
      patientOwes: money(),
      /** The most that may be written off as the provider's loss. */
      lossRight: money(),
      /** How it is rightly labelled; an adjustment under the other label does not stand. */
      adjustAs: maybe(z.enum(ADJUSTMENT_TYPES)),
      /** An auditor who samples the file lets an adjustment or a statement stand only with all of these cited for it. */
      basis: z.array(text),
      /** Due to be handed to one of these owners; the value at risk until it is. */
      handTo: z.array(text),
      atRisk: money(),
      /** An overpayment to give back. */
      refundDue: money(),
      /** What an owner answers to an escalation, and how much write-off it approves. */
      answer: text,
      approves: maybe(money()),
      /** What a coder, physician or patient answers. */
      /** Who can answer a question about this case, and the answer; anybody else has nothing to add. */
      queryTo: maybe(text),
      queryAnswer: text,
      /** Pages that may leave the office to the payer. */
      disclosable: z.array(text),
      /** A claim that already answers this one: nothing is due here. */
      settledBy: maybe(text),
      /** Acts that are owed though no money shows: a query, a hold, a note on a related claim. */
      owes: z.array(z.enum(["query", "hold", "close"])),
    },
    { sealed: true },
  ),
} as const;

export type DenialTables = typeof tables;
