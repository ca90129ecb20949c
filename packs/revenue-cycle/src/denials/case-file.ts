/**
 * CaseFile: builds one denial case, with everything around it that an office would have on file. Archetypes say what is special; this
 * owns what every case has: payers and their manuals, a patient with coverage, a claim with its 837, acknowledgment and 835, the ledger.
 */
import type { Draw, Row, World } from "windtunnel";
import { formatCents, toCents } from "../codec/decimal.js";
import { chargeFor, rateFor } from "../reference/contracts.js";
import { HCPCS, type HcpcsCategory } from "../reference/hcpcs.js";
import { ICD10 } from "../reference/icd10.js";
import { CITIES, FIRST_NAMES, LAST_NAMES, PRACTICE_NAMES, REFERRING_DOCTORS, STREETS } from "../reference/names.js";
import type { GroupCode, PayerId, PayerProfile } from "../reference/payer-profile.js";
import { PAYERS } from "../reference/payers.js";
import { addDays, dateOf, daysBetween } from "./calendar.js";
import { acknowledgmentFile, claimFile, remittanceFile } from "./edi-files.js";
import type { DenialFacts } from "./facts.js";
import { digits, drawNpi, fillTemplate } from "./identifiers.js";
import { addPayerLibrary, type Library } from "./library.js";
import type { DenialTables } from "./world.js";

export type DenialWorld = World<DenialTables>;
export type PatientRow = Row<DenialTables["patients"]>;
export type CoverageRow = Row<DenialTables["coverages"]>;
export type ClaimRow = Row<DenialTables["claims"]>;
export type LineRow = Row<DenialTables["claim_lines"]>;
export type RemitRow = Row<DenialTables["remits"]>;
export type AckRow = Row<DenialTables["acknowledgments"]>;
type PayerTruth = Row<DenialTables["payer_truth"]>;
type OfficeTruth = Row<DenialTables["office_truth"]>;

export interface LineSpec {
  readonly hcpcs: string;
  readonly modifiers?: readonly string[];
  readonly units?: number;
  readonly ndc?: string | null;
}

/** How one line fares on a remittance: paid by contract, denied in full, or adjusted as given (amounts of `adjustments` + paid = charge). */
export type LineResult =
  | { readonly paid: true }
  | { readonly group: GroupCode; readonly carc: string; readonly remarks?: readonly string[] }
  | {
      readonly paidAmount: string;
      readonly adjustments: readonly { readonly group: GroupCode; readonly carc: string; readonly amount: string }[];
      readonly remarks?: readonly string[];
    };

/** What a claim's lines are worth under the contract. */
export interface Expected {
  readonly paid: string;
  readonly patient: string;
  readonly contractual: string;
}

/** A claim with its lines, as built. */
export interface BuiltClaim {
  readonly claim: ClaimRow;
  readonly lines: readonly LineRow[];
}

export interface ClaimSpec {
  readonly lines: readonly LineSpec[];
  readonly serviceDate: string;
  readonly diagnoses: readonly string[];
  readonly coverage?: CoverageRow;
  /** What the claim says, when it differs from the coverage on file. */
  readonly memberId?: string;
  readonly submittedOn?: string;
  readonly status?: ClaimRow["status"];
  readonly frequency?: ClaimRow["frequency"];
  readonly renderingNpi?: string | null;
  readonly orderingNpi?: string | null;
  readonly authorization?: string | null;
  readonly placeOfService?: string;
  readonly payerClaimNumber?: string | null;
  readonly patient?: PatientRow;
}

export class CaseFile {
  readonly world: DenialWorld;
  readonly draw: Draw;
  readonly random: Draw["random"];
  readonly payer: PayerProfile;
  readonly today: string;
  readonly patient: PatientRow;
  readonly coverage: CoverageRow;
  readonly billingNpi: string;
  readonly rendering: { readonly name: string; readonly npi: string };
  readonly ordering: { readonly name: string; readonly npi: string };
  readonly practice: string;
  readonly #libraries = new Map<PayerId, Library>();
  readonly #chargePercent: number;

  /** Opens a case with the named payer, its library, a second payer's library as a distractor, and a patient it covers. */
  constructor(
    world: DenialWorld,
    draw: Draw,
    options: {
      payer: PayerId;
      age?: readonly [number, number];
      qmb?: boolean;
      relationship?: CoverageRow["relationship"];
    },
  ) {
    this.world = world;
    this.draw = draw;
    this.random = draw.random;
    world.advanceTo(world.now + this.random.int(0, 170) * 86_400_000);
    this.today = dateOf(world.now);
    this.payer = PAYERS.get(options.payer);
    this.#chargePercent = this.random.int(92, 118);
    this.billingNpi = drawNpi(this.random);
    this.rendering = { name: this.random.pick(REFERRING_DOCTORS), npi: drawNpi(this.random) };
    this.ordering = {
      name: this.random.pick(REFERRING_DOCTORS.filter((name) => name !== this.rendering.name)),
      npi: drawNpi(this.random),
    };
    this.practice = this.random.pick(PRACTICE_NAMES);
    this.library(options.payer);
    this.patient = this.addPatient({
      age: options.age ?? (this.payer.kind === "commercial" ? [19, 63] : [66, 88]),
      qmb: options.qmb ?? false,
    });
    this.coverage = this.addCoverage({
      payer: options.payer,
      order: "primary",
      relationship: options.relationship ?? "self",
    });
  }

  /** A payer's published rules as rows; added on first use. */
  library(payer: PayerId): Library {
    let library = this.#libraries.get(payer);
    if (library === undefined) this.#libraries.set(payer, (library = addPayerLibrary(this.world, PAYERS.get(payer))));
    return library;
  }

  /** The row of a section of the case's payer's manual. */
  section(number: string, payer: PayerId = this.payer.id): string {
    return this.library(payer).manual(number);
  }

  daysAgo(days: number): string {
    return addDays(this.today, -days);
  }

  addPatient(options: {
    age: readonly [number, number];
    qmb?: boolean;
    last?: string;
    first?: string;
    birthDate?: string;
  }): PatientRow {
    const { random } = this;
    const { city, state, zip } = random.pick(CITIES);
    return this.world.insert("patients", {
      first: options.first ?? random.pick(FIRST_NAMES),
      last: options.last ?? random.pick(LAST_NAMES),
      birthDate:
        options.birthDate ??
        addDays(this.today, -Math.round(random.int(options.age[0], options.age[1]) * 365.25 + random.int(1, 360))),
      sex: random.pick(["F", "M"] as const),
      address: `${random.int(10, 990)} ${random.pick(STREETS)}, ${city}, ${state} ${zip}`,
      qmb: options.qmb ?? false,
    });
  }

  /** A coverage on file, and the payer's own member row, which agrees with it unless told otherwise (`member: null` for none). */
  addCoverage(options: {
    payer: PayerId;
    order: CoverageRow["order"];
    relationship?: CoverageRow["relationship"];
    patient?: PatientRow;
    memberId?: string;
    from?: string;
    to?: string | null;
    subscriber?: { name: string; birthDate: string };
    member?: Partial<Row<DenialTables["members"]>> | null;
  }): CoverageRow {
    const patient = options.patient ?? this.patient;
    this.library(options.payer);
    const memberId = options.memberId ?? fillTemplate(this.random, PAYERS.get(options.payer).memberId.template);
    const from = options.from ?? addDays(this.today, -this.random.int(500, 1400));
    const coverage = this.world.insert("coverages", {
      patient: patient.id,
      payer: options.payer,
      memberId,
      subscriber: options.subscriber?.name ?? `${patient.first} ${patient.last}`,
      subscriberBirthDate: options.subscriber?.birthDate ?? patient.birthDate,
      relationship: options.relationship ?? "self",
      order: options.order,
      from,
      to: options.to ?? null,
    });
    if (options.member !== null) {
      this.world.insert("members", {
        payer: options.payer,
        memberId,
        first: patient.first,
        last: patient.last,
        birthDate: patient.birthDate,
        from,
        to: options.to ?? null,
        remark: "",
        ...options.member,
      });
    }
    return coverage;
  }

  /** A claim as it was sent, with its lines, its 837 text and the charges on the ledger. */
  addClaim(spec: ClaimSpec): BuiltClaim {
    const { world } = this;
    const coverage = spec.coverage ?? this.coverage;
    const patient = spec.patient ?? this.patient;
    const first = HCPCS.get(spec.lines[0]!.hcpcs);
    const orders = spec.lines.some(({ hcpcs }) => HCPCS.get(hcpcs).requiresOrderingProvider);
    const id = world.mint("claims");
    const charges = spec.lines.map((line) => this.charge(line));
    const submittedOn = spec.submittedOn ?? addDays(spec.serviceDate, this.random.int(2, 6));
    const lines = spec.lines.map((line, i) => {
      const code = HCPCS.get(line.hcpcs);
      return {
        id: world.mint("claim_lines"),
        claim: id,
        number: i + 1,
        hcpcs: line.hcpcs,
        modifiers: [...(line.modifiers ?? [])],
        units: String(line.units ?? 1),
        charge: charges[i]!,
        ndc: line.ndc === undefined ? (code.drugPackage?.ndc ?? null) : line.ndc,
      };
    });
    const row: Omit<ClaimRow, "file"> = {
      id,
      patient: patient.id,
      coverage: coverage.id,
      payer: coverage.payer,
      memberId: spec.memberId ?? coverage.memberId,
      controlNumber: `WT${digits(this.random, 7)}`,
      frequency: spec.frequency ?? "1",
      originalReference: null,
      payerClaimNumber: spec.payerClaimNumber === undefined ? this.#payerClaimNumber() : spec.payerClaimNumber,
      status: spec.status ?? "denied",
      serviceDate: spec.serviceDate,
      submittedOn,
      placeOfService: spec.placeOfService ?? first.typicalPos,
      billingNpi: this.billingNpi,
      renderingNpi: spec.renderingNpi === undefined ? this.rendering.npi : spec.renderingNpi,
      orderingNpi: spec.orderingNpi === undefined ? (orders ? this.ordering.npi : null) : spec.orderingNpi,
      authorization: spec.authorization ?? null,
      diagnoses: [...spec.diagnoses],
      total: formatCents(charges.reduce((sum, charge) => sum + toCents(charge), 0)),
      corrects: null,
      channel: null,
    };
    const claim = world.insert("claims", { ...row, file: claimFile(world, row, lines) });
    const stored = lines.map((line) => world.insert("claim_lines", line));
    for (const line of stored) this.#post(claim.id, line.id, "charge", line.charge, submittedOn, "office", "charge");
    return { claim, lines: stored };
  }

  /** The clearinghouse's or the payer's answer to a submission. `category` is "A1", "A2", "A3", "A7" for 277CA, "A" or "R" for 999. */
  acknowledge(
    claim: ClaimRow,
    category: string,
    receivedOn: string,
    source: AckRow["source"] = "277CA",
    meaning?: string,
  ): AckRow {
    const row = {
      id: this.world.mint("acknowledgments"),
      claim: claim.id,
      source,
      receivedOn,
      category,
      meaning: meaning ?? ACK_MEANING[`${source}/${category}`] ?? "",
    };
    return this.world.insert("acknowledgments", { ...row, file: acknowledgmentFile(this.world, row, claim) });
  }

  /** A remittance for every line of the claim, with its 835 text; posts what was paid and waived to the ledger. */
  remit(
    built: BuiltClaim,
    on: string,
    results: readonly LineResult[],
    options: { status?: string; remarks?: readonly string[]; post?: boolean } = {},
  ): RemitRow {
    const { world } = this;
    const { claim, lines } = built;
    const id = world.mint("remits");
    const parts = lines.map((line, i) => this.#remitLine(id, line, results[i] ?? results[0]!, claim));
    const sum = (pick: (part: (typeof parts)[number]) => string) =>
      formatCents(parts.reduce((total, part) => total + toCents(pick(part)), 0));
    const patientResponsibility = formatCents(
      parts
        .flatMap((part) => part.adjustments)
        .reduce((total, { group, amount }) => total + (group === "PR" ? toCents(amount) : 0), 0),
    );
    const row = {
      id,
      claim: claim.id,
      payer: claim.payer,
      date: on,
      trace: digits(this.random, 12),
      status: options.status ?? "1",
      payerClaimNumber: claim.payerClaimNumber ?? this.#payerClaimNumber(),
      charge: claim.total,
      paid: sum((part) => part.paid),
      patientResponsibility,
      remarks: [...(options.remarks ?? [])],
    };
    const remit = world.insert("remits", { ...row, file: remittanceFile(world, row, parts, claim) });
    for (const part of parts) {
      world.insert("remit_lines", part);
      if (options.post === false) continue;
      if (toCents(part.paid) > 0)
        this.#post(claim.id, part.line, "payer_payment", `-${part.paid}`, on, "payer", "payment");
      for (const { group, carc, amount } of part.adjustments) {
        if (carc === "45" && group === "CO")
          this.#post(claim.id, part.line, "contractual", `-${amount}`, on, "office", "contract allowance");
        if (group === "PR" && ["1", "2", "3"].includes(carc))
          this.#post(claim.id, part.line, "patient_billed", `-${amount}`, on, "office", "cost share billed");
      }
    }
    return remit;
  }

  /** The usual paperwork of a claim that was accepted and answered: a 999, an A2, and the remittance. Returns the acknowledgment and the remit. */
  answer(
    built: BuiltClaim,
    remitOn: string,
    results: readonly LineResult[],
    options: Parameters<CaseFile["remit"]>[3] = {},
  ): { ack: AckRow; remit: RemitRow } {
    this.acknowledge(built.claim, "A", built.claim.submittedOn, "999");
    const ack = this.acknowledge(built.claim, "A2", addDays(built.claim.submittedOn, 1));
    return { ack, remit: this.remit(built, remitOn, results, options) };
  }

  addDocument(document: {
    kind: Row<DenialTables["documents"]>["kind"];
    title: string;
    date: string;
    pages: readonly string[];
    author?: string;
    signed?: boolean;
    audit?: string;
    patient?: PatientRow;
  }): { id: string; pages: readonly string[] } {
    const row = this.world.insert("documents", {
      patient: (document.patient ?? this.patient).id,
      kind: document.kind,
      title: document.title,
      author: document.author ?? this.rendering.name,
      date: document.date,
      signed: document.signed ?? true,
      audit: document.audit ?? "",
    });
    const pages = document.pages.map(
      (text, i) => this.world.insert("pages", { document: row.id, number: i + 1, text }).id,
    );
    return { id: row.id, pages };
  }

  addLetter(letter: {
    from: string;
    subject: string;
    text: string;
    date: string;
    channel?: "letter" | "fax" | "email" | "portal";
    claim?: string | null;
    patient?: string | null;
  }): string {
    return this.world.insert("letters", { channel: "letter", claim: null, patient: this.patient.id, ...letter }).id;
  }

  addAuthorization(authorization: {
    hcpcs: readonly string[];
    from: string;
    to: string;
    units?: number;
    providerNpi?: string;
    payer?: PayerId;
    status?: "approved" | "pending" | "denied" | "expired";
    patient?: PatientRow;
  }): Row<DenialTables["authorizations"]> {
    return this.world.insert("authorizations", {
      patient: (authorization.patient ?? this.patient).id,
      payer: authorization.payer ?? this.payer.id,
      number: `A${digits(this.random, 8)}`,
      hcpcs: [...authorization.hcpcs],
      from: authorization.from,
      to: authorization.to,
      units: String(authorization.units ?? 1),
      providerNpi: authorization.providerNpi ?? this.rendering.npi,
      status: authorization.status ?? "approved",
    });
  }

  addEligibilityAnswer(answer: {
    coverage?: CoverageRow;
    checkedOn: string;
    serviceDate: string;
    active: boolean;
    text: string;
  }): string {
    const coverage = answer.coverage ?? this.coverage;
    return this.world.insert("eligibility_answers", {
      coverage: coverage.id,
      checkedOn: answer.checkedOn,
      serviceDate: answer.serviceDate,
      active: answer.active,
      memberId: coverage.memberId,
      answer: answer.text,
    }).id;
  }

  addRecordRequest(
    built: BuiltClaim,
    request: { letter: string; asksFor: string; dueOn: string; status?: "open" | "overdue" },
  ): string {
    return this.world.insert("record_requests", {
      claim: built.claim.id,
      payer: built.claim.payer,
      status: "open",
      ...request,
    }).id;
  }

  /** The work item, with the pick lists a person would see: the given options plus the right ones, in a seeded order. */
  addItem(
    built: BuiltClaim,
    item: {
      headline: string;
      queue: string;
      amount: string;
      causes: readonly string[];
      dispositions: readonly string[];
      preventions: readonly string[];
      openedOn?: string;
    },
  ): string {
    return this.world.insert("items", {
      claim: built.claim.id,
      queue: item.queue,
      openedOn: item.openedOn ?? this.today,
      amount: item.amount,
      headline: item.headline,
      status: "open",
      causes: this.random.shuffle([...new Set(item.causes)]),
      dispositions: this.random.shuffle([...new Set(item.dispositions)]),
      preventions: this.random.shuffle([...new Set(item.preventions)]),
      cause: null,
      disposition: null,
      prevention: null,
      closedOn: null,
    }).id;
  }

  /** What the contract pays for these lines of a claim of `payer`. */
  expected(lines: readonly LineRow[], serviceDate: string, payer: PayerProfile = this.payer): Expected {
    let paid = 0;
    let patient = 0;
    let contractual = 0;
    for (const line of lines) {
      const charge = toCents(line.charge);
      const allowed = Math.min(charge, this.rate(line.hcpcs, line.modifiers, serviceDate, payer) * Number(line.units));
      const share = Math.round((allowed * payer.rules.coinsuranceBasisPoints) / 10_000);
      paid += allowed - share;
      patient += share;
      contractual += charge - allowed;
    }
    return { paid: formatCents(paid), patient: formatCents(patient), contractual: formatCents(contractual) };
  }

  /** The contract rate of one unit, in cents. Throws when the payer has none. */
  rate(hcpcs: string, modifiers: readonly string[], serviceDate: string, payer: PayerProfile = this.payer): number {
    const rate = rateFor(payer.id, hcpcs, modifiers, serviceDate);
    if (!rate.found)
      throw new Error(
        `${payer.id} has no rate for ${hcpcs} on ${serviceDate} (${rate.reason}): choose another code or payer`,
      );
    return rate.unitRateCents;
  }

  /** A patient of the same office with a confusingly similar name: reading or citing their chart is a mistake. */
  addLookAlike(): PatientRow {
    const other = this.addPatient({
      age: [30, 80],
      last: this.patient.last,
      first: this.random.pick(
        FIRST_NAMES.filter((name) => name !== this.patient.first && name[0] === this.patient.first[0]).concat(
          FIRST_NAMES[0]!,
        ),
      ),
    });
    this.addDocument({
      patient: other,
      kind: "note",
      title: "Office visit",
      date: this.daysAgo(this.random.int(20, 200)),
      pages: [`Visit note for ${other.first} ${other.last}. Stable on current therapy.`],
    });
    return other;
  }

  /** Diagnoses of the table that support a category, dotted. */
  diagnosesFor(category: HcpcsCategory): readonly string[] {
    return ICD10.rows
      .filter((row) => row.supports.includes(category) && row.validThrough === null)
      .map((row) => row.code);
  }

  payerTruth(built: BuiltClaim, truth: Partial<Omit<PayerTruth, "id" | "claim">>): void {
    this.world.insert("payer_truth", {
      claim: built.claim.id,
      pays: null,
      overturns: null,
      records: null,
      retro: null,
      ...truth,
    });
  }

  officeTruth(item: string, built: BuiltClaim, truth: Partial<Omit<OfficeTruth, "id" | "item" | "claim">>): void {
    this.world.insert("office_truth", {
      item,
      claim: built.claim.id,
      patientOwes: "0.00",
      lossRight: "0.00",
      basis: [],
      handTo: [],
      atRisk: "0.00",
      refundDue: "0.00",
      answer: "Thank you, noted.",
      approves: null,
      queryAnswer: "The record stands as written; nothing to add.",
      disclosable: [],
      settledBy: null,
      owes: [],
      ...truth,
    });
  }

  /** The content that a corrected claim must have to be paid: the claim as sent with `changes` made. */
  correctContent(
    built: BuiltClaim,
    changes: {
      coverage?: CoverageRow;
      memberId?: string;
      renderingNpi?: string | null;
      orderingNpi?: string | null;
      authorization?: string | null;
      diagnoses?: readonly string[];
      lines?: readonly Partial<Pick<LineRow, "modifiers" | "units" | "ndc">>[];
    },
  ): Omit<NonNullable<PayerTruth["pays"]>, "channels" | "by" | "amount" | "patient"> {
    const { claim, lines } = built;
    return {
      coverage: changes.coverage?.id ?? claim.coverage,
      memberId: changes.memberId ?? changes.coverage?.memberId ?? claim.memberId,
      renderingNpi: changes.renderingNpi === undefined ? claim.renderingNpi : changes.renderingNpi,
      orderingNpi: changes.orderingNpi === undefined ? claim.orderingNpi : changes.orderingNpi,
      authorization: changes.authorization === undefined ? claim.authorization : changes.authorization,
      diagnoses: [...(changes.diagnoses ?? claim.diagnoses)],
      lines: lines.map((line, i) => ({
        hcpcs: line.hcpcs,
        modifiers: [...(changes.lines?.[i]?.modifiers ?? line.modifiers)],
        units: changes.lines?.[i]?.units ?? line.units,
        ndc: changes.lines?.[i]?.ndc === undefined ? line.ndc : changes.lines[i].ndc,
      })),
    };
  }

  /** Grader facts: nothing due but what is given. */
  facts(
    facts: Pick<
      DenialFacts,
      "item" | "claim" | "rootCause" | "dispositions" | "prevention" | "lookAt" | "actBy" | "serviceDate"
    > &
      Partial<DenialFacts>,
  ): DenialFacts {
    return {
      labelled: true,
      correction: null,
      appeal: null,
      records: null,
      retro: null,
      adjustments: [],
      basis: [],
      patientAmount: "0.00",
      hold: false,
      refund: null,
      query: null,
      escalation: null,
      needsApproval: false,
      lookAtEdits: false,
      related: [],
      followUp: false,
      ...facts,
    };
  }

  /** The last day of a clock that started on `from`. */
  deadline(from: string, days: number): string {
    return addDays(from, days);
  }

  ageOf(patient: PatientRow, on: string): number {
    return Math.floor(daysBetween(patient.birthDate, on) / 365.25);
  }

  charge(line: LineSpec): string {
    return formatCents(
      Math.round((chargeFor(line.hcpcs, line.modifiers ?? []) * this.#chargePercent) / 100) * (line.units ?? 1),
    );
  }

  /** Posts an entry of the past to the ledger. */
  post(
    claim: string,
    line: string | null,
    entry: Row<DenialTables["ledger"]>["entry"],
    amount: string,
    on: string,
    note: string,
  ): void {
    this.#post(
      claim,
      line,
      entry,
      amount,
      on,
      entry === "payer_payment" || entry === "takeback" ? "payer" : "office",
      note,
    );
  }

  #post(
    claim: string,
    line: string | null,
    entry: Row<DenialTables["ledger"]>["entry"],
    amount: string,
    on: string,
    by: "office" | "payer",
    note: string,
  ): void {
    this.world.insert("ledger", { claim, line, entry, amount, on, by, note });
  }

  #payerClaimNumber(): string {
    return `P${digits(this.random, 11)}`;
  }

  #remitLine(remit: string, line: LineRow, result: LineResult, claim: ClaimRow) {
    const shared = { id: this.world.mint("remit_lines"), remit, line: line.id, hcpcs: line.hcpcs, charge: line.charge };
    if ("paidAmount" in result)
      return {
        ...shared,
        paid: result.paidAmount,
        adjustments: [...result.adjustments],
        remarks: [...(result.remarks ?? [])],
      };
    if (!("paid" in result)) {
      return {
        ...shared,
        paid: "0.00",
        adjustments: [{ group: result.group, carc: result.carc, amount: line.charge }],
        remarks: [...(result.remarks ?? [])],
      };
    }
    const worth = this.expected([line], claim.serviceDate, PAYERS.get(claim.payer));
    const adjustments = [
      { group: "CO" as const, carc: "45", amount: worth.contractual },
      { group: "PR" as const, carc: "2", amount: worth.patient },
    ].filter(({ amount }) => toCents(amount) > 0);
    return { ...shared, paid: worth.paid, adjustments, remarks: [] as string[] };
  }
}

const ACK_MEANING: Readonly<Record<string, string>> = {
  "999/A": "the file's syntax was accepted; says nothing about the claim",
  "999/R": "the file's syntax was rejected",
  "277CA/A1": "received by the payer; not yet accepted for adjudication",
  "277CA/A2": "accepted by the payer for adjudication",
  "277CA/A3": "returned as unprocessable",
  "277CA/A6": "rejected for missing information",
  "277CA/A7": "rejected for invalid information",
  "277CA/A8": "rejected for a relational error",
};
