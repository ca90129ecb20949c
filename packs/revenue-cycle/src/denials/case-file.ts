/**
 * CaseFile: builds one denial case, with everything around it that an office would have on file. Archetypes say what is special; this
 * owns what every case has: payers and their manuals, a patient with coverage, a claim with its 837, acknowledgment and 835, the ledger.
 */
import type { Draw, Row, World } from "windtunnel";
import { formatCents } from "../codec/decimal.js";
import { chargeFor, rateFor } from "../reference/contracts.js";
import type { HcpcsCategory } from "../reference/hcpcs.js";
import { ICD10 } from "../reference/icd10.js";
import { CITIES, FIRST_NAMES, LAST_NAMES, PRACTICE_NAMES, REFERRING_DOCTORS, STREETS } from "../reference/names.js";
import type { PayerId, PayerProfile } from "../reference/payer-profile.js";
import { PAYERS } from "../reference/payers.js";
import { addDays, dateOf, daysBetween } from "./calendar.js";
import {
  type AckRow,
  type BuiltClaim,
  type ClaimRow,
  type ClaimSpec,
  type Expected,
  expectedOf,
  type LineResult,
  type LineRow,
  type LineSpec,
  postEntry,
  type RemitOptions,
  type RemitRow,
  writeAcknowledgment,
  writeClaim,
  writeRemit,
} from "./case-claims.js";
import { digits, drawNpi, fillTemplate } from "./identifiers.js";
import { addPayerLibrary, type Library } from "./library.js";
import type { DenialTables } from "./world.js";

export type DenialWorld = World<DenialTables>;
export type PatientRow = Row<DenialTables["patients"]>;
export type CoverageRow = Row<DenialTables["coverages"]>;

export type { AckRow, BuiltClaim, ClaimRow, ClaimSpec, Expected, LineResult, LineRow, LineSpec, RemitRow };

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
    if (library === undefined) {
      library = addPayerLibrary(this.world, PAYERS.get(payer));
      this.#libraries.set(payer, library);
    }
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
    return writeClaim(this, spec);
  }

  /** The clearinghouse's or the payer's answer to a submission. `category` is "A1", "A2", "A3", "A7" for 277CA, "A" or "R" for 999. */
  acknowledge(
    claim: ClaimRow,
    category: string,
    receivedOn: string,
    source: AckRow["source"] = "277CA",
    meaning?: string,
  ): AckRow {
    return writeAcknowledgment(this, claim, category, receivedOn, source, meaning);
  }

  /** A remittance for every line of the claim, with its 835 text; posts what was paid and waived to the ledger. */
  remit(built: BuiltClaim, on: string, results: readonly LineResult[], options: RemitOptions = {}): RemitRow {
    return writeRemit(this, built, on, results, options);
  }

  /** What the contract pays for these lines of a claim of `payer`. */
  expected(lines: readonly LineRow[], serviceDate: string, payer: PayerProfile = this.payer): Expected {
    return expectedOf(this, lines, serviceDate, payer);
  }

  /** The usual paperwork of a claim that was accepted and answered: a 999, an A2, and the remittance. Returns the acknowledgment and the remit. */
  answer(
    built: BuiltClaim,
    remitOn: string,
    results: readonly LineResult[],
    options: RemitOptions = {},
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
    postEntry(
      this,
      claim,
      line,
      entry,
      amount,
      on,
      entry === "payer_payment" || entry === "takeback" ? "payer" : "office",
      note,
    );
  }
}
