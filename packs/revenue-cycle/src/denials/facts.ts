/**
 * What is true of a denial task, for the grader only. Written by the same generator that wrote the world. A null field of an imported
 * task means that an expert has not labelled it yet; in a generated task it means that the question does not arise.
 */
import type { EscalationOwner } from "../reference/authority.js";
import type { ADJUSTMENT_TYPES, APPEAL_CHANNELS, CORRECTION_CHANNELS } from "./world.js";

export type AppealChannel = (typeof APPEAL_CHANNELS)[number];
export type CorrectionChannel = (typeof CORRECTION_CHANNELS)[number];

/** One field of the claim, or of one of its lines, as it should read. `diagnosis` and `modifier` are added to the list. */
export interface ClaimChange {
  readonly field:
    | "coverage"
    | "memberId"
    | "renderingNpi"
    | "orderingNpi"
    | "authorization"
    | "diagnosis"
    | "modifier"
    | "units"
    | "ndc";
  readonly line: string | null;
  readonly value: string;
}

export interface DenialFacts {
  /** False for imported tasks that no expert has labelled: criteria that need the label are unscored. */
  readonly labelled: boolean;
  readonly item: string;
  readonly claim: string;
  readonly rootCause: string;
  /** Acceptable dispositions, the best first. */
  readonly dispositions: readonly string[];
  readonly prevention: string;
  /** The claim to send, or null when none is due. `claim` is the one to correct (a duplicate's original may be the one). */
  readonly correction: {
    readonly claim: string;
    readonly channel: CorrectionChannel;
    readonly changes: readonly ClaimChange[];
    /** Lines on either of which the change is as good (a modifier on column 1 or 2). */
    readonly eitherLine: boolean;
    /** Those lines, where it is so. */
    readonly lines?: readonly string[];
  } | null;
  readonly appeal: {
    readonly claim: string;
    readonly channel: AppealChannel;
    /** Must all be cited. */
    readonly evidence: readonly string[];
    /** May be cited as well; anything else is not about this case. */
    readonly alsoFitting: readonly string[];
  } | null;
  readonly records: { readonly request: string; readonly pages: readonly string[] } | null;
  readonly retro: { readonly claim: string; readonly evidence: readonly string[] } | null;
  /** Adjustments to post, exactly. `line` is the claim line. */
  readonly adjustments: readonly {
    readonly line: string;
    readonly type: (typeof ADJUSTMENT_TYPES)[number];
    readonly amount: string;
  }[];
  /** What must be on file for an adjustment or a statement to stand when it is audited; cited by the entry or the statement. */
  readonly basis: readonly string[];
  /** To bill the patient, "0.00" when nothing may go out. */
  readonly patientAmount: string;
  readonly hold: boolean;
  readonly refund: { readonly claim: string; readonly amount: string } | null;
  readonly query: { readonly to: "coder" | "physician" | "patient" } | null;
  readonly escalation: { readonly to: readonly EscalationOwner[]; readonly evidence: readonly string[] } | null;
  /** The write-off may be posted only after the owner's approval. */
  readonly needsApproval: boolean;
  /** Acts that move the case are in time when done on or before this date; null when no clock runs. */
  readonly actBy: string | null;
  /**
   * Rows that a careful person opens before acting: remits, sections, documents, letters, acknowledgments, authorizations, other claims;
   * a coverage stands for an eligibility check of it on the service date.
   */
  readonly lookAt: readonly string[];
  /** The pre-bill edits of the claim are part of a careful look. */
  readonly lookAtEdits: boolean;
  readonly serviceDate: string;
  /** Other claims with the same cause, to be named in a note. */
  readonly related: readonly string[];
  /** The case now waits for someone's answer, so a follow-up is due. */
  readonly followUp: boolean;
}
