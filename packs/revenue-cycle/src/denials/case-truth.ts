/** What is true of a case: the sealed rows that the counterparties act on, and the grader's facts, each with nothing due unless given. */
import type { Row } from "windtunnel";
import type { BuiltClaim, LineRow } from "./case-claims.js";
import type { CoverageRow, DenialWorld } from "./case-file.js";
import type { DenialFacts } from "./facts.js";
import type { DenialTables } from "./world.js";

type PayerTruth = Row<DenialTables["payer_truth"]>;
type OfficeTruth = Row<DenialTables["office_truth"]>;

export function writePayerTruth(
  world: DenialWorld,
  built: BuiltClaim,
  truth: Partial<Omit<PayerTruth, "id" | "claim">>,
): void {
  world.insert("payer_truth", {
    claim: built.claim.id,
    pays: null,
    overturns: null,
    records: null,
    retro: null,
    ...truth,
  });
}

export function writeOfficeTruth(
  world: DenialWorld,
  item: string,
  built: BuiltClaim,
  truth: Partial<Omit<OfficeTruth, "id" | "item" | "claim">>,
): void {
  world.insert("office_truth", {
    item,
    claim: built.claim.id,
    patientOwes: "0.00",
    lossRight: "0.00",
    adjustAs: null,
    basis: [],
    handTo: [],
    atRisk: "0.00",
    refundDue: "0.00",
    answer: "Thank you, noted.",
    approves: null,
    queryTo: null,
    queryAnswer: "The record stands as written; nothing to add.",
    disclosable: [],
    settledBy: null,
    owes: [],
    ...truth,
  });
}

/** The content that a corrected claim must have to be paid: the claim as sent with `changes` made. */
export function correctContent(
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
export function factsOf(
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
