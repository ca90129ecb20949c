/**
 * One patient as the office would have them on file: registration, coverages, claims as sent with their answers, the ledger and the chart. Rows say
 * what the files say; what the tables need and no file states is listed in a letter that the agent can read.
 */
import type { Row } from "windtunnel";
import { World } from "windtunnel";
import { formatCents, type Payer, toCents } from "../../codec/index.js";
import { PAYER_IDS, type PayerId } from "../../reference/payer-profile.js";
import { PAYERS } from "../../reference/payers.js";
import { world as definition } from "../definition.js";
import type { DenialTables } from "../world.js";
import type { AccountMoney, Posting } from "./account-money.js";
import { type Account, type Filing, isReplacement } from "./accounts.js";
import { receivedOn } from "./answers.js";
import type { ChartDocument, GrantedAuthorization } from "./chart-documents.js";
import { categoryOf, meaningOf, statusOf } from "./find-work.js";
import { IMPORTED_TABLES, type ImportedPatient } from "./imported-data.js";
import { ownClaimText, ownReceiptText, ownRemittanceText } from "./own-text.js";
import { orderOf, relationshipOf, toCoverage, toPatient, UNSTATED_DATE } from "./people.js";

type Office = World<DenialTables>;

export interface PatientFiles {
  readonly accounts: readonly { readonly account: Account; readonly money: AccountMoney }[];
  readonly documents: readonly ChartDocument[];
  readonly today: string;
  readonly seed: string;
}

export interface BuiltPatient extends Pick<ImportedPatient, "payers" | "rows"> {
  readonly claimOf: ReadonlyMap<Filing, string>;
  mintItem(): string;
}

const NOT_KNOWN = "As the claims on file state it; the payer's own member file is not known here.";
const PROTECTED = new Set(["N781", "N782", "N783"]);

export function buildPatient(files: PatientFiles): BuiltPatient {
  const office: Office = World.open(definition, { seed: files.seed, now: 0 });
  const filings = files.accounts.flatMap(({ account }) => account.filings);
  const payers = new Set<PayerId>();
  const unstated = new Set<string>();

  const payerOf = (payer: Payer): string => {
    const profile = PAYERS.rows.find(({ payerId }) => payerId === payer.id);
    if (profile !== undefined) {
      payers.add(profile.id);
      return profile.id;
    }
    const known = office.where("payers", { payerNumber: payer.id })[0];
    return (known ?? office.insert("payers", { name: payer.name, kind: "unknown", payerNumber: payer.id })).id;
  };

  const latest = toPatient(filings.at(-1)!.claim);
  for (const what of latest.unstated) unstated.add(what);
  const qmb = filings.some(({ decisions }) =>
    decisions.some(({ payment }) =>
      [payment, ...payment.lines].some(({ remarks }) => remarks.some((one) => PROTECTED.has(one))),
    ),
  );
  const patient = office.insert("patients", { ...latest.row, qmb });

  const coverageOf = new Map<Filing, string>();
  for (const filing of filings) {
    const { row, unstated: missing } = toCoverage(filing.claim);
    for (const what of missing) unstated.add(what);
    coverageOf.set(filing, addCoverage(office, patient, filing, payerOf(filing.claim.payer), row));
    for (const other of filing.claim.otherPayers ?? []) {
      if (relationshipOf(other.relationship) !== "self") continue;
      addCoverage(office, patient, filing, payerOf(other.payer), {
        memberId: other.subscriber.memberId,
        subscriber: `${patient.first} ${patient.last}`.trim(),
        subscriberBirthDate: patient.birthDate,
        relationship: "self",
        order: orderOf(other.responsibility),
      });
    }
  }
  for (const coverage of office.all("coverages")) {
    const unknown = filings.some(
      (filing) => coverageOf.get(filing) === coverage.id && filing.decisions.some(isUnknownMember),
    );
    if (unknown || office.where("members", { payer: coverage.payer, memberId: coverage.memberId }).length > 0) continue;
    const { payer, memberId, from } = coverage;
    const { first, last, birthDate } = patient;
    office.insert("members", { payer, memberId, first, last, birthDate, from, to: null, remark: NOT_KNOWN });
  }

  const claimOf = new Map<Filing, string>();
  for (const { account, money } of files.accounts)
    addAccount(office, account, money, { patient: patient.id, coverageOf, claimOf });
  for (const { row, pages, authorization } of [...files.documents].sort((a, b) =>
    a.row.date < b.row.date ? -1 : a.row.date > b.row.date ? 1 : 0,
  )) {
    const document = office.insert("documents", { ...row, patient: patient.id });
    pages.forEach((text, i) => {
      office.insert("pages", { document: document.id, number: i + 1, text });
    });
    if (authorization !== null) addAuthorization(office, authorization);
  }
  if (unstated.size > 0)
    office.insert("letters", {
      patient: patient.id,
      claim: null,
      from: "Import of the office's files",
      channel: "portal",
      date: files.today,
      subject: "What the files do not state",
      text: `The imported files do not state: ${[...unstated].join("; ")}.`,
    });
  const rows = Object.fromEntries(
    IMPORTED_TABLES.map((table) => [table, office.all(table)]),
  ) as unknown as ImportedPatient["rows"];
  return { payers: PAYER_IDS.filter((id) => payers.has(id)), rows, claimOf, mintItem: () => office.mint("items") };
}

const isUnknownMember = ({ payment }: Filing["decisions"][number]) =>
  payment.status === "4" ||
  [payment, ...payment.lines].some(({ adjustments }) => adjustments.some(({ reason }) => reason === "31"));

const earliest = (dates: readonly string[]) => [...dates].sort()[0]!;

const firstDay = (filing: Filing) => earliest(filing.claim.lines.map(({ serviceDate }) => serviceDate));

function addCoverage(
  office: Office,
  patient: Row<DenialTables["patients"]>,
  filing: Filing,
  payer: string,
  row: Omit<Row<DenialTables["coverages"]>, "id" | "patient" | "payer" | "from" | "to">,
): string {
  const from = firstDay(filing);
  const known = office.where("coverages", { payer, memberId: row.memberId, order: row.order })[0];
  if (known === undefined) return office.insert("coverages", { ...row, patient: patient.id, payer, from, to: null }).id;
  const better = known.subscriberBirthDate === UNSTATED_DATE ? row.subscriberBirthDate : known.subscriberBirthDate;
  office.update("coverages", known.id, { from: earliest([from, known.from]), subscriberBirthDate: better });
  return known.id;
}

/** Filed under the payer and the provider of the claim that bills one of its codes, the last such; else of the last claim. */
function addAuthorization(office: Office, granted: GrantedAuthorization): void {
  const billing = office.all("claim_lines").findLast(({ hcpcs }) => granted.hcpcs.includes(hcpcs));
  const claims = office.all("claims");
  const claim = claims.find(({ id }) => id === billing?.claim) ?? claims.at(-1)!;
  const { patient, payer, renderingNpi, billingNpi } = claim;
  office.insert("authorizations", {
    ...granted,
    patient,
    payer,
    providerNpi: renderingNpi ?? billingNpi,
    status: "approved",
  });
}

interface Register {
  readonly patient: string;
  readonly coverageOf: ReadonlyMap<Filing, string>;
  readonly claimOf: Map<Filing, string>;
}

function addAccount(
  office: Office,
  account: Account,
  money: AccountMoney,
  { patient, coverageOf, claimOf }: Register,
): void {
  const lineOf = new Map<number, string>();
  for (const filing of account.filings) {
    const claim = addClaim(office, filing, statusOf(filing, account, money), {
      patient,
      coverage: coverageOf.get(filing)!,
      corrects: filing.corrects === null ? null : claimOf.get(filing.corrects)!,
    });
    claimOf.set(filing, claim);
    const own = new Map(office.where("claim_lines", { claim }).map(({ number, id }) => [number, id]));
    for (const [number, id] of own) if (!lineOf.has(number)) lineOf.set(number, id);
    for (const receipt of filing.receipts) {
      const { statuses } = receipt.acknowledgment;
      office.insert("acknowledgments", {
        claim,
        source: "277CA",
        receivedOn: receivedOn(receipt),
        category: categoryOf(statuses),
        meaning: meaningOf(statuses),
        file: ownReceiptText(receipt),
      });
    }
    for (const answered of money.answers.get(filing) ?? []) {
      const { payment, remittance } = answered.decision;
      const remit = office.insert("remits", {
        claim,
        payer: office.need("claims", claim).payer,
        date: remittance.date,
        trace: remittance.trace,
        status: payment.status,
        payerClaimNumber: payment.payerControlNumber,
        charge: exact(payment.charge),
        paid: exact(payment.paid),
        patientResponsibility: exact(payment.patientResponsibility ?? "0"),
        remarks: [...payment.remarks],
        file: ownRemittanceText(filing, answered.decision),
      });
      for (const { line, hcpcs, charge, paid, adjustments, remarks } of answered.decided.lines)
        office.insert("remit_lines", {
          remit: remit.id,
          line: own.get(line)!,
          hcpcs,
          charge: exact(charge),
          paid: exact(paid),
          adjustments: adjustments.map(({ group, reason, amount }) => ({ group, carc: reason, amount: exact(amount) })),
          remarks: [...remarks],
        });
    }
  }
  const claim = claimOf.get(account.filings[0]!)!;
  for (const posting of money.postings) office.insert("ledger", entryOf(claim, lineOf, posting));
}

const exact = (amount: string) => formatCents(toCents(amount));

const entryOf = (claim: string, lineOf: ReadonlyMap<number, string>, { line, cents, ...rest }: Posting) => ({
  claim,
  line: line === null ? null : lineOf.get(line)!,
  amount: formatCents(cents),
  ...rest,
});

function addClaim(
  office: Office,
  filing: Filing,
  status: Row<DenialTables["claims"]>["status"],
  {
    patient,
    coverage,
    corrects,
  }: { readonly patient: string; readonly coverage: string; readonly corrects: string | null },
): string {
  const { claim } = filing;
  const orderedBy = claim.lines.find(({ orderingProvider }) => orderingProvider?.npi !== undefined)?.orderingProvider
    ?.npi;
  const authorized =
    claim.priorAuthorization ??
    claim.lines.find(({ priorAuthorization }) => priorAuthorization !== undefined)?.priorAuthorization;
  const { id } = office.insert("claims", {
    patient,
    coverage,
    payer: office.need("coverages", coverage).payer,
    memberId: claim.subscriber.memberId,
    controlNumber: claim.patientControlNumber,
    frequency: claim.frequency,
    originalReference: claim.originalReference ?? null,
    payerClaimNumber: filing.payerClaimNumber,
    status,
    serviceDate: firstDay(filing),
    submittedOn: claim.submission.date,
    placeOfService: claim.placeOfService,
    billingNpi: claim.billingProvider.npi,
    renderingNpi: claim.renderingProvider?.npi ?? null,
    orderingNpi: orderedBy ?? null,
    authorization: authorized ?? null,
    diagnoses: claim.diagnoses.map(({ code }) =>
      code.length > 3 && !code.includes(".") ? `${code.slice(0, 3)}.${code.slice(3)}` : code,
    ),
    total: exact(claim.total),
    corrects,
    channel:
      claim.frequency === "8" || corrects === null ? null : isReplacement(filing) ? "replacement_claim" : "new_claim",
    file: ownClaimText(filing),
  });
  for (const line of claim.lines)
    office.insert("claim_lines", {
      claim: id,
      number: line.number,
      hcpcs: line.hcpcs,
      modifiers: [...line.modifiers],
      units: line.units.replace(/\.0+$/, ""),
      charge: exact(line.charge),
      ndc: line.ndc?.code ?? null,
    });
  return id;
}
