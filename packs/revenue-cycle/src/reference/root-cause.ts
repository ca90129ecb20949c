/**
 * What can truly lie behind a denial: a closed vocabulary. Each cause says which reason codes it can stand behind (so that
 * every denial offers several plausible causes), which rows of a payer's maps govern its remedy, and what would have
 * prevented it. It does not say what to do: a remedy becomes a disposition only through a payer profile.
 */
import type { EscalationReasonId } from "./authority.js";
import type { DispositionId } from "./dispositions.js";
import type { CorrectionKind, DenialClass } from "./payer-profile.js";
import type { PreventionId } from "./prevention.js";
import { byPractice, type Provenance } from "./table.js";

/** Where a work item can start. */
export const SIGNALS = [
  "remit_denial",
  "claim_rejection",
  "remit_payment",
  "remit_reversal",
  "credit_balance",
  "correspondence",
  "portal_answer",
] as const;
export type Signal = (typeof SIGNALS)[number];

/** Which map to read: correct a field, dispute, accept the loss, or an end that no payer's map decides. */
export type Remedy =
  | { readonly act: "correct"; readonly kind: CorrectionKind }
  | { readonly act: "dispute" }
  | { readonly act: "accept"; readonly contractual: boolean }
  | { readonly act: "end"; readonly disposition: DispositionId };

export interface RootCause extends Provenance {
  readonly id: RootCauseId;
  readonly label: string;
  readonly carcs: readonly string[];
  readonly signals: readonly Signal[];
  readonly denialClass: DenialClass;
  readonly remedy: Remedy;
  readonly prevention: PreventionId;
  /** Set when the remedy also needs somebody else to know or decide. */
  readonly escalation: EscalationReasonId | null;
  /** Numbers of the case archetypes that it carries. */
  readonly archetypes: readonly number[];
}

export const ROOT_CAUSE_IDS = [
  "rendering_npi_dropped",
  "ordering_provider_missing",
  "provider_npi_keyed_wrong",
  "provider_not_on_payer_file",
  "provider_enrollment_gap",
  "provider_type_not_eligible",
  "member_id_keyed_wrong",
  "name_or_birthdate_mismatch",
  "coverage_moved_to_other_plan",
  "coverage_ended_no_other_plan",
  "retro_termination_after_verification",
  "premium_grace_period",
  "moved_to_medicare_advantage",
  "hospice_or_carve_out",
  "unrelated_to_hospice_condition",
  "misrouted_claim",
  "capitated_service",
  "other_parent_primary_by_birthday",
  "other_parent_primary_by_court_order",
  "medicare_primary_small_employer",
  "billed_before_primary",
  "two_payers_paid_primary",
  "authorization_on_file_not_sent",
  "authorization_superseded_by_service_change",
  "authorization_number_transposed",
  "authorization_for_other_provider",
  "authorization_expired_before_service",
  "authorized_units_exhausted",
  "emergency_service_unauthorized",
  "elective_service_never_authorized",
  "authorization_missed_coverage_unknown",
  "referral_on_file_not_sent",
  "criterion_met_evidence_not_reviewed",
  "criterion_not_met",
  "criterion_not_met_valid_notice",
  "notice_invalid",
  "supporting_diagnosis_omitted",
  "diagnosis_invalid_on_date",
  "documentation_unclear",
  "record_changed_after_denial",
  "service_excluded_by_plan",
  "contract_covers_denied_exclusion",
  "benefit_maximum_reached",
  "accumulator_counted_wrong",
  "provider_limit_reached",
  "rental_months_used_up",
  "code_not_as_documented",
  "code_retired_on_date",
  "modifier_missing_or_wrong",
  "modifier_unsupported_by_record",
  "place_of_service_wrong",
  "drug_code_missing",
  "units_keyed_wrong",
  "units_above_absolute_limit",
  "units_supported_above_limit",
  "same_session_bundled",
  "distinct_site_modifier_missing",
  "side_modifier_missing",
  "duplicate_of_paid_claim",
  "duplicate_of_denied_original",
  "genuine_repeat_service",
  "filed_on_time_proof_held",
  "filed_late_or_unproven",
  "late_because_coverage_granted_backwards",
  "records_not_yet_sent",
  "wrong_or_partial_records_sent",
  "records_request_missed",
  "patient_has_not_answered",
  "patient_answer_not_forwarded",
  "paid_below_contract",
  "paid_at_contract",
  "house_fee_schedule_outdated",
  "payment_reversed_and_reissued",
  "letter_and_remittance_disagree",
  "record_of_another_patient",
] as const;
export type RootCauseId = (typeof ROOT_CAUSE_IDS)[number];

/** Remedies: correct a field, dispute, bear the loss, waive it by contract, or a fixed end. */
export const correct = (kind: CorrectionKind): Remedy => ({ act: "correct", kind });
export const dispute: Remedy = { act: "dispute" };
export const bear: Remedy = { act: "accept", contractual: false };
export const waive: Remedy = { act: "accept", contractual: true };
export const endWith = (disposition: DispositionId): Remedy => ({ act: "end", disposition });

interface Extras {
  readonly signals?: readonly Signal[];
  readonly escalation?: EscalationReasonId;
  readonly archetypes?: readonly number[];
}

/** Builds a row; `carcs` is a list of reason numbers parted by blanks. */
export const cause = (
  id: RootCauseId,
  label: string,
  carcs: string,
  denialClass: DenialClass,
  remedy: Remedy,
  prevention: PreventionId,
  extras: Extras = {},
): RootCause => ({
  id,
  label,
  carcs: carcs.split(" ").filter((code) => code !== ""),
  denialClass,
  remedy,
  prevention,
  signals: extras.signals ?? ["remit_denial"],
  escalation: extras.escalation ?? null,
  archetypes: extras.archetypes ?? [],
  ...byPractice(),
});
