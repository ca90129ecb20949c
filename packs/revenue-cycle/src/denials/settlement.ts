/**
 * Settlement: from what should become of a case, everything that follows: the work item with its pick lists, what the payer and the office
 * will really do (sealed), and the facts the grader judges by. Archetypes state the resolution once, so the three cannot disagree.
 */
import type { Row } from "windtunnel";
import { formatCents, toCents } from "../codec/decimal.js";
import type { EscalationOwner } from "../reference/authority.js";
import { DISPOSITION_IDS, DISPOSITIONS, type DispositionId } from "../reference/dispositions.js";
import type { Clock, CorrectionKind, DenialClass, PayerProfile } from "../reference/payer-profile.js";
import { PREVENTION_IDS } from "../reference/prevention.js";
import type { RootCauseId } from "../reference/root-cause.js";
import { ROOT_CAUSES } from "../reference/root-causes.js";
import { addDays } from "./calendar.js";
import type { BuiltClaim, CaseFile, LineRow } from "./case-file.js";
import { correctContent, factsOf, writeOfficeTruth, writePayerTruth } from "./case-truth.js";
import type { AppealChannel, ClaimChange, CorrectionChannel, DenialFacts } from "./facts.js";
import type { DenialTables } from "./world.js";

type Content = Parameters<typeof correctContent>[1];
type Adjustment = DenialFacts["adjustments"][number];

/** What should become of a case. Give only what is due. */
export interface Resolution {
  readonly built: BuiltClaim;
  /** Reason code of the denial, for the pick list of causes; null when there is no denial code (a rejection, a credit). */
  readonly carc: string | null;
  readonly headline: string;
  readonly queue: string;
  readonly rootCause: RootCauseId;
  /** Acceptable dispositions, the best first; defaults to what the channel of the correction or the appeal is called. */
  readonly dispositions?: readonly DispositionId[];
  readonly lookAt: readonly string[];
  readonly lookAtEdits?: boolean;
  /** Date of the remittance that clocks run from; today when there is none. */
  readonly remitDate?: string;
  /** Amount the item is about; defaults to the charge of the lines that are open. */
  readonly amount?: string;
  /** Lines that the denial left open; defaults to all. */
  readonly openLines?: readonly LineRow[];

  readonly correction?: {
    /** Which cell of the payer's correction map governs it. */
    readonly kind: CorrectionKind;
    /** When something other than the map decides (a rejected claim goes out again as it was). */
    readonly channel?: CorrectionChannel;
    readonly by?: string;
    /** The claim to correct, when it is not the item's own. */
    readonly built?: BuiltClaim;
    /** Lines that the payer pays once the claim is right; defaults to the open ones. */
    readonly payLines?: readonly LineRow[];
    readonly changes: readonly ClaimChange[];
    /** What the right claim says; give one per equally good version. */
    readonly contents: readonly Content[];
    readonly eitherLine?: boolean;
    /** The payer that will adjudicate, when it is another one. */
    readonly payer?: PayerProfile;
  };
  readonly appeal?: {
    readonly denialClass: DenialClass;
    readonly channel?: AppealChannel;
    readonly by?: string;
    readonly evidence: readonly string[];
    readonly alsoFitting?: readonly string[];
    readonly payLines?: readonly LineRow[];
    /** When the amount is not the contract's worth of the lines (an underpayment's difference). */
    readonly amount?: string;
  };
  readonly records?: { readonly request: string; readonly pages: readonly string[]; readonly by: string };
  readonly retro?: { readonly evidence: readonly string[]; readonly number: string; readonly by: string };
  readonly adjustments?: readonly Adjustment[];
  readonly patientAmount?: string;
  /** What an adjustment or a statement rests on; defaults to the sections among `lookAt`. */
  readonly basis?: readonly string[];
  readonly hold?: boolean;
  readonly refund?: DenialFacts["refund"];
  readonly query?: NonNullable<DenialFacts["query"]>["to"];
  readonly escalation?: {
    readonly to: readonly EscalationOwner[];
    readonly evidence: readonly string[];
    readonly answer?: string;
    /** Write-off that the owner approves, which must be awaited. */
    readonly approves?: string;
  };
  /** Value that only the escalation, the query or the hold protects; defaults to the item's amount when one of them is the whole resolution. */
  readonly atRisk?: string;
  readonly queryAnswer?: string;
  readonly related?: readonly string[];
  readonly settledBy?: string;
  readonly actBy?: string;
  readonly followUp?: boolean;
}

/** The last day of a clock of the payer's profile. The notice is presumed received five days after its date. */
export function endOf(clock: Clock, dates: { serviceDate: string; remitDate: string; requestDate?: string }): string {
  const from = {
    dos: dates.serviceDate,
    remit_date: dates.remitDate,
    notice_date: dates.remitDate,
    notice_receipt: addDays(dates.remitDate, 5),
    request_date: dates.requestDate ?? dates.remitDate,
    primary_remit_date: dates.remitDate,
  }[clock.countedFrom];
  return addDays(from, clock.windowDays);
}

/** A write-off or contractual adjustment of the whole open balance of each line. */
export const adjustAll = (lines: readonly LineRow[], type: Adjustment["type"]): Adjustment[] =>
  lines.map(({ id, charge }) => ({ line: id, type, amount: charge }));

/** Writes the item and the sealed truth, and returns the grader's facts. */
export function settle(file: CaseFile, resolution: Resolution): DenialFacts {
  const { built, rootCause } = resolution;
  const { claim } = built;
  const remitDate = resolution.remitDate ?? file.today;
  const dates = { serviceDate: claim.serviceDate, remitDate };
  const openLines = resolution.openLines ?? built.lines;
  const amount = resolution.amount ?? sum(openLines.map(({ charge }) => charge));
  const prevention = ROOT_CAUSES.get(rootCause).prevention;

  const correction = correctionOf(file, resolution, dates, openLines);
  const appeal = appealOf(file, resolution, dates, openLines);
  const dispositions = resolution.dispositions ?? [dispositionOf(resolution, correction?.channel, appeal?.channel)];

  const item = file.addItem(built, {
    headline: resolution.headline,
    queue: resolution.queue,
    amount,
    causes: causeOptions(file, resolution),
    dispositions: dispositionOptions(file, dispositions),
    preventions: [prevention, ...file.random.sample(PREVENTION_IDS, 3)],
  });

  const records = recordsOf(file, resolution, openLines);
  const retro =
    resolution.retro === undefined
      ? null
      : { evidence: [...resolution.retro.evidence], by: resolution.retro.by, number: resolution.retro.number };

  for (const [i, pays] of (correction?.pays ?? [null]).entries()) {
    const target = resolution.correction?.built ?? built;
    if (i > 0) writePayerTruth(file.world, target, { pays });
    else if (target === built)
      writePayerTruth(file.world, built, { pays, overturns: appeal?.overturns ?? null, records, retro });
    else {
      writePayerTruth(file.world, target, { pays });
      writePayerTruth(file.world, built, { overturns: appeal?.overturns ?? null, records, retro });
    }
  }

  const adjustments = resolution.adjustments ?? [];
  const rests = adjustments.length > 0 || (resolution.patientAmount ?? "0.00") !== "0.00";
  const basis = rests ? (resolution.basis ?? resolution.lookAt.filter((id) => id.startsWith("SEC-"))) : [];
  if (rests && basis.length === 0)
    throw new Error(
      `archetype with root cause "${rootCause}" adjusts or bills on no basis: put the governing section in lookAt, or give a basis`,
    );
  const handed = resolution.escalation !== undefined || resolution.query !== undefined || resolution.hold === true;
  const moneyMoves =
    correction !== null ||
    appeal !== null ||
    records !== null ||
    adjustments.length > 0 ||
    resolution.refund != null ||
    resolution.patientAmount !== undefined;
  writeOfficeTruth(file.world, item, built, {
    patientOwes: resolution.patientAmount ?? "0.00",
    adjustAs: adjustments[0]?.type ?? null,
    lossRight: sum(adjustments.map((adjustment) => adjustment.amount)),
    basis: [...basis],
    handTo: [...(resolution.escalation?.to ?? [])],
    atRisk: resolution.atRisk ?? (handed && !moneyMoves ? amount : "0.00"),
    refundDue: resolution.refund?.amount ?? "0.00",
    answer: resolution.escalation?.answer ?? "Thank you, I have it.",
    approves: resolution.escalation?.approves ?? null,
    queryTo: resolution.query ?? null,
    queryAnswer: resolution.queryAnswer ?? "The record stands as written; nothing to add.",
    disclosable: [...(resolution.records?.pages ?? [])],
    settledBy: resolution.settledBy ?? null,
    owes: [
      ...(resolution.query === undefined ? [] : (["query"] as const)),
      ...(resolution.hold === true ? (["hold"] as const) : []),
    ],
  });

  const deadlines = [correction?.by, appeal?.by, records?.by, retro?.by].filter((by) => by !== undefined).sort();
  const waits = !DISPOSITIONS.get(dispositions[0]!).final;
  return factsOf({
    item,
    claim: claim.id,
    serviceDate: claim.serviceDate,
    rootCause,
    dispositions,
    prevention,
    lookAt: resolution.lookAt,
    lookAtEdits: resolution.lookAtEdits ?? false,
    correction:
      resolution.correction === undefined
        ? null
        : {
            claim: (resolution.correction.built ?? built).claim.id,
            channel: correction!.channel,
            changes: resolution.correction.changes,
            eitherLine: resolution.correction.eitherLine ?? false,
            ...(resolution.correction.eitherLine === true
              ? { lines: (resolution.correction.built ?? built).lines.map(({ id }) => id) }
              : {}),
          },
    appeal:
      resolution.appeal === undefined
        ? null
        : {
            claim: claim.id,
            channel: appeal!.channel,
            evidence: resolution.appeal.evidence,
            alsoFitting: [...(resolution.appeal.alsoFitting ?? []), ...resolution.lookAt],
          },
    records:
      resolution.records === undefined
        ? null
        : { request: resolution.records.request, pages: resolution.records.pages },
    retro: resolution.retro === undefined ? null : { claim: claim.id, evidence: resolution.retro.evidence },
    adjustments,
    basis,
    patientAmount: resolution.patientAmount ?? "0.00",
    hold: resolution.hold ?? false,
    refund: resolution.refund ?? null,
    query: resolution.query === undefined ? null : { to: resolution.query },
    escalation:
      resolution.escalation === undefined
        ? null
        : { to: resolution.escalation.to, evidence: resolution.escalation.evidence },
    needsApproval: resolution.escalation?.approves !== undefined,
    related: resolution.related ?? [],
    actBy: resolution.actBy ?? deadlines[0] ?? null,
    followUp: resolution.followUp ?? waits,
  });
}

/** What the payer pays for once it has the records; a service off the schedule has no worth, and none is asked for. */
function recordsOf(file: CaseFile, { records, built }: Resolution, openLines: readonly LineRow[]) {
  if (records === undefined) return null;
  const { paid, patient } = file.expected(openLines, built.claim.serviceDate);
  return { ...records, pages: [...records.pages], amount: paid, patient };
}

const OF_CORRECTION = { replacement_claim: "corrected_claim", new_claim: "new_claim", reopening: "reopening" } as const;
const OF_APPEAL = {
  redetermination: "appeal",
  reconsideration: "appeal",
  appeal: "appeal",
  payer_dispute: "payer_dispute",
  exception_request: "exception_request",
} as const;

function dispositionOf(
  resolution: Resolution,
  correction: CorrectionChannel | undefined,
  appeal: AppealChannel | undefined,
): DispositionId {
  if (correction !== undefined) return OF_CORRECTION[correction];
  if (appeal !== undefined)
    return resolution.appeal?.denialClass === "underpayment" && appeal === "payer_dispute"
      ? "underpayment_dispute"
      : OF_APPEAL[appeal];
  if (resolution.records !== undefined) return "records_sent";
  if (resolution.refund != null) return "refund";
  throw new Error(
    `archetype with root cause "${resolution.rootCause}" must name its dispositions: nothing it sends implies one`,
  );
}

const sum = (amounts: readonly string[]) => formatCents(amounts.reduce((total, amount) => total + toCents(amount), 0));

/** What a screen always offers, whatever the case. */
const USUAL_ENDS: readonly DispositionId[] = [
  "corrected_claim",
  "new_claim",
  "reopening",
  "appeal",
  "provider_writeoff",
  "contractual_writeoff",
  "patient_responsibility",
  "escalated",
];
const ENDS_OFFERED = 9;

/** The usual ends, the right ones, and others up to a fixed number: neither length nor contents tell which is right. */
function dispositionOptions(file: CaseFile, right: readonly DispositionId[]): DispositionId[] {
  const offered = [...new Set([...USUAL_ENDS, ...right])];
  const others = file.random.shuffle(DISPOSITION_IDS.filter((id) => !offered.includes(id)));
  return [...offered, ...others].slice(0, ENDS_OFFERED);
}

function causeOptions(file: CaseFile, { carc, rootCause }: Resolution): string[] {
  const right = ROOT_CAUSES.get(rootCause);
  const plausible = ROOT_CAUSES.rows.filter(
    ({ id, carcs, signals }) =>
      id !== rootCause &&
      (carc === null ? signals.some((signal) => right.signals.includes(signal)) : carcs.includes(carc)),
  );
  const options = file.random.sample(plausible, Math.min(4, plausible.length));
  // Where few causes share the signal, others fill the list: a list of one would give the answer away.
  const others = ROOT_CAUSES.rows.filter((row) => row.id !== rootCause && !options.includes(row));
  const filled = [...options, ...file.random.sample(others, 4 - options.length)];
  return [rootCause, ...filled.map(({ id }) => id)];
}

type Dates = { serviceDate: string; remitDate: string };

function correctionOf(file: CaseFile, resolution: Resolution, dates: Dates, openLines: readonly LineRow[]) {
  const { correction } = resolution;
  if (correction === undefined) return null;
  const payer = correction.payer ?? file.payer;
  const rule = payer.correctionChannel[correction.kind];
  const channel = correction.channel ?? rule.channel;
  if (channel === "not_correctable")
    throw new Error(`${payer.id} takes no correction of ${correction.kind}: choose another payer for this archetype`);
  const by = correction.by ?? endOf(rule.clock!, dates);
  const target = correction.built ?? resolution.built;
  const worth = file.expected(correction.payLines ?? openLines, target.claim.serviceDate, payer);
  const pays = correction.contents.map((content) => ({
    ...correctContent(target, content),
    channels: [channel],
    by,
    amount: worth.paid,
    patient: worth.patient,
  }));
  return { channel, by, pays };
}

function appealOf(file: CaseFile, resolution: Resolution, dates: Dates, openLines: readonly LineRow[]) {
  const { appeal } = resolution;
  if (appeal === undefined) return null;
  const rule = file.payer.disputeChannel[appeal.denialClass];
  const channel = appeal.channel ?? (rule.channel as AppealChannel);
  if (!["redetermination", "reconsideration", "appeal", "payer_dispute", "exception_request"].includes(channel)) {
    throw new Error(
      `${file.payer.id} hears ${appeal.denialClass} by ${channel}, which is no appeal: choose another payer for this archetype`,
    );
  }
  const by = appeal.by ?? (rule.clock === null ? addDays(file.today, 60) : endOf(rule.clock, dates));
  const worth = file.expected(appeal.payLines ?? openLines, dates.serviceDate);
  const overturns: NonNullable<Row<DenialTables["payer_truth"]>["overturns"]> = {
    channels: [channel],
    evidence: [...appeal.evidence],
    by,
    amount: appeal.amount ?? worth.paid,
    patient: appeal.amount === undefined ? worth.patient : "0.00",
  };
  return { channel, by, overturns };
}
