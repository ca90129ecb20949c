/**
 * How a denial work item can end: a closed vocabulary, and the lookup from a root cause's remedy and a payer's profile to the
 * disposition that the profile calls for. Clocks, amounts and authority are not looked at here: a window that has run out
 * turns a correction or a dispute into what `accept` gives.
 */
import {
  type CorrectionChannel,
  type DisputeChannel,
  type LiabilitySituation,
  type PayerProfile,
  patientLiability,
} from "./payer-profile.js";
import { RARC } from "./rarc.js";
import type { Remedy, RootCauseId } from "./root-cause.js";
import { ROOT_CAUSES } from "./root-causes.js";
import { byPractice, defineTable, type Provenance } from "./table.js";

export const DISPOSITION_IDS = [
  "corrected_claim",
  "new_claim",
  "reopening",
  "appeal",
  "payer_dispute",
  "underpayment_dispute",
  "exception_request",
  "retro_authorization",
  "reprocess_request",
  "records_sent",
  "bill_other_payer",
  "bill_secondary",
  "patient_responsibility",
  "contractual_writeoff",
  "provider_writeoff",
  "closed_paid",
  "worked_original",
  "reposted",
  "refund",
  "held_for_patient_information",
  "held_for_payer",
  "coder_query",
  "escalated",
] as const;
export type DispositionId = (typeof DISPOSITION_IDS)[number];

/** The stored act that must exist before a work item may carry the disposition; none means that nothing need be sent. */
export const REQUIRED_ACTS = [
  "claim_submission",
  "reopening_request",
  "dispute_submission",
  "authorization_request",
  "records_submission",
  "patient_statement",
  "adjustment",
  "posting",
  "refund_request",
  "query",
  "escalation",
  "follow_up_task",
  "none",
] as const;
export type RequiredAct = (typeof REQUIRED_ACTS)[number];

export interface Disposition extends Provenance {
  readonly id: DispositionId;
  readonly label: string;
  readonly requires: RequiredAct;
  /** Whether the item is done, or waits for somebody's answer and needs a dated follow-up. */
  readonly final: boolean;
}

const end = (id: DispositionId, label: string, requires: RequiredAct, final: boolean): Disposition => ({
  id,
  label,
  requires,
  final,
  ...byPractice(),
});

/** Every disposition, by id. */
export const DISPOSITIONS = defineTable<Disposition>("dispositions", (row) => row.id, [
  end("corrected_claim", "Replacement claim sent (frequency 7)", "claim_submission", false),
  end("new_claim", "New claim sent (frequency 1)", "claim_submission", false),
  end("reopening", "Reopening of the processed claim requested", "reopening_request", false),
  end("appeal", "Appeal sent at the payer's first level", "dispute_submission", false),
  end("payer_dispute", "Dispute opened against the contract or the payer's own answer", "dispute_submission", false),
  end("underpayment_dispute", "Payment below contract disputed", "dispute_submission", false),
  end("exception_request", "Exception to the filing limit requested", "dispute_submission", false),
  end("retro_authorization", "Authorization after the service requested", "authorization_request", false),
  end("reprocess_request", "Payer asked to process a correct claim again", "reopening_request", false),
  end("records_sent", "Requested records sent", "records_submission", false),
  end("bill_other_payer", "Claim sent to the payer that covers the service", "claim_submission", false),
  end("bill_secondary", "Claim sent to the secondary payer with the primary's remittance", "claim_submission", false),
  end("patient_responsibility", "Amount moved to the patient", "patient_statement", true),
  end("contractual_writeoff", "Amount that the contract waives written off", "adjustment", true),
  end("provider_writeoff", "Amount that the provider bears written off", "adjustment", true),
  end("closed_paid", "Closed: the service is already paid", "none", true),
  end("worked_original", "Closed here: the original claim is worked instead", "claim_submission", true),
  end("reposted", "Reversal and new payment posted", "posting", true),
  end("refund", "Overpayment reported and refund requested", "refund_request", false),
  end("held_for_patient_information", "Held until the patient answers", "follow_up_task", false),
  end("held_for_payer", "Held until the payer settles an open state", "follow_up_task", false),
  end("coder_query", "Question put to the coder or the clinician", "query", false),
  end("escalated", "Handed to the person who may decide, with the packet", "escalation", false),
]);

const ofCorrection: Readonly<Record<Exclude<CorrectionChannel, "not_correctable">, DispositionId>> = {
  replacement_claim: "corrected_claim",
  new_claim: "new_claim",
  reopening: "reopening",
};

const ofDispute: Readonly<Record<Exclude<DisputeChannel, "none">, DispositionId>> = {
  redetermination: "appeal",
  reconsideration: "appeal",
  appeal: "appeal",
  payer_dispute: "payer_dispute",
  exception_request: "exception_request",
  reopening: "reopening",
  records_submission: "records_sent",
  retro_authorization: "retro_authorization",
};

/** How the denial stands: its liability situation, its remarks, and whether the claim was rejected before adjudication. */
export interface DenialFacts extends LiabilitySituation {
  readonly remarks?: readonly string[];
  readonly rejected?: boolean;
}

/**
 * The disposition that the profile calls for, given what lies behind the denial and how it stands.
 * A claim that was rejected or marked unprocessable follows the row for that. A correction that the payer does not take
 * becomes a dispute; a dispute that it does not hear becomes an acceptance, which the liability table sends to the patient
 * or to a write-off.
 */
export function dispositionFor(rootCause: RootCauseId, profile: PayerProfile, facts: DenialFacts): DispositionId {
  const { remedy, denialClass } = ROOT_CAUSES.get(rootCause);
  const neverAdjudicated =
    facts.rejected === true || (facts.remarks ?? []).some((code) => RARC.find(code)?.pointsAt === "unprocessable");
  return resolve(remedy);

  function resolve(step: Remedy): DispositionId {
    switch (step.act) {
      case "correct": {
        const { channel } = profile.correctionChannel[neverAdjudicated ? "unprocessable" : step.kind];
        return channel === "not_correctable" ? resolve({ act: "dispute" }) : ofCorrection[channel];
      }
      case "dispute": {
        const { channel } = profile.disputeChannel[denialClass];
        if (channel === "none") return resolve({ act: "accept", contractual: false });
        return denialClass === "underpayment" && channel === "payer_dispute"
          ? "underpayment_dispute"
          : ofDispute[channel];
      }
      case "accept":
        if (patientLiability(profile, facts).mayBill) return "patient_responsibility";
        return step.contractual ? "contractual_writeoff" : "provider_writeoff";
      case "end":
        return step.disposition;
    }
  }
}
