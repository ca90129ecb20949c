/** From a draft of changes to the claim that is sent: the new claim row, its lines and its 837P file. Judges nothing. */
import type { Row, World } from "windtunnel";
import { formatCents, multiplyMoney, toCents } from "../codec/decimal.js";
import { ICD10 } from "../reference/icd10.js";
import { linesOf } from "./account.js";
import { claimFile } from "./edi-files.js";
import type { DenialTables } from "./world.js";

type Claim = Row<DenialTables["claims"]>;
type Correction = Row<DenialTables["corrections"]>;

/** Inserts the claim that the correction sends on `submittedOn`, with its lines, and returns it. */
export function draftCorrection(world: World<DenialTables>, correction: Correction, submittedOn: string): Claim {
  const source = world.need("claims", correction.claim);
  const changes = world.where("correction_changes", { correction: correction.id });
  const set = (field: string, line: string | null = null) =>
    changes.find((change) => change.field === field && change.line === line)?.value;
  const added = (field: string, line: string | null = null) =>
    changes.filter((change) => change.field === field && change.line === line).map(({ value }) => value);

  const id = world.mint("claims");
  const lines = linesOf(world, source.id).map((line) => {
    const units = set("units", line.id) ?? line.units;
    return {
      claim: id,
      number: line.number,
      hcpcs: line.hcpcs,
      modifiers: [...line.modifiers, ...added("modifier", line.id)],
      units,
      charge:
        units === line.units
          ? line.charge
          : multiplyMoney(line.charge, Math.round(Number(units) * 1000), Math.round(Number(line.units) * 1000)),
      ndc: set("ndc", line.id) ?? line.ndc,
    };
  });
  const coverage = world.need("coverages", set("coverage") ?? source.coverage);
  const replaces =
    correction.channel === "replacement_claim" ||
    (correction.channel === "new_claim" && source.status === "rejected" && source.frequency === "7");
  const draft = {
    id,
    patient: source.patient,
    coverage: coverage.id,
    payer: coverage.payer,
    memberId: set("memberId") ?? (set("coverage") === undefined ? source.memberId : coverage.memberId),
    controlNumber: controlNumberOf(id),
    frequency: replaces ? ("7" as const) : ("1" as const),
    originalReference: replaces ? (source.payerClaimNumber ?? source.originalReference) : null,
    payerClaimNumber: null,
    status: "submitted" as const,
    serviceDate: source.serviceDate,
    submittedOn,
    placeOfService: source.placeOfService,
    billingNpi: source.billingNpi,
    renderingNpi: set("renderingNpi") ?? source.renderingNpi,
    orderingNpi: set("orderingNpi") ?? source.orderingNpi,
    authorization: set("authorization") ?? source.authorization,
    diagnoses: withDiagnoses(source.diagnoses, added("diagnosis")),
    total: formatCents(lines.reduce((sum, line) => sum + toCents(line.charge), 0)),
    corrects: source.id,
    channel: correction.channel,
  };
  const claim = world.insert("claims", { ...draft, file: claimFile(world, draft, lines) });
  for (const line of lines) world.insert("claim_lines", line);
  return claim;
}

/** The diagnoses with `more` after them; one that took over from a retired code takes its place instead. */
function withDiagnoses(diagnoses: readonly string[], more: readonly string[]): string[] {
  const heirOf = (code: string) => more.find((one) => ICD10.find(code)?.successors.includes(one));
  const kept = diagnoses.map((code) => heirOf(code) ?? code);
  return [...kept, ...more.filter((code) => !kept.includes(code))];
}

/** The office's own number for a claim that it sends again: its id, in the form that files carry. */
const controlNumberOf = (claim: string) => `WT${claim.replace(/\D/g, "").padStart(7, "0")}`;
