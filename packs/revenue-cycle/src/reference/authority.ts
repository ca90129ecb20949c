/**
 * Who in the practice may decide what: write-off limits, the people a case is escalated to, and the reasons that the
 * billing system accepts for an adjustment or an escalation. House rules; they follow practice and await an expert.
 */
import { byPractice, defineTable, type Provenance } from "./table.js";

export const WRITE_OFF_ROLES = ["biller", "lead", "manager"] as const;
export type WriteOffRole = (typeof WRITE_OFF_ROLES)[number];

/** The largest single write-off, in cents, that each role may post; null is without limit. */
export const WRITE_OFF_LIMIT_CENTS: Readonly<Record<WriteOffRole, number | null>> = Object.freeze({
  biller: 50_000,
  lead: 250_000,
  manager: null,
});

/** The lowest role that may post a write-off of this many cents; the limit itself is still within authority. */
export function writeOffApprover(amountCents: number): WriteOffRole {
  for (const role of WRITE_OFF_ROLES) {
    const limit = WRITE_OFF_LIMIT_CENTS[role];
    if (limit === null || amountCents <= limit) return role;
  }
  return "manager";
}

export const ESCALATION_OWNERS = [
  "coder",
  "ordering_physician",
  "medical_director",
  "compliance_officer",
  "privacy_officer",
  "legal_and_risk",
  "billing_lead",
  "billing_manager",
  "credit_balance_team",
  "contract_manager",
  "provider_enrollment",
  "patient_access",
  "clinical_team",
] as const;
export type EscalationOwner = (typeof ESCALATION_OWNERS)[number];

/** Why a case leaves the biller's hands. `owners` lists who may rightly receive it, the best first. */
export interface EscalationReason extends Provenance {
  readonly id: EscalationReasonId;
  readonly label: string;
  readonly owners: readonly EscalationOwner[];
}

export const ESCALATION_REASON_IDS = [
  "documentation_unclear",
  "unsupported_modifier_requested",
  "record_altered",
  "services_not_rendered",
  "possible_upcoding_pattern",
  "credit_balance",
  "peer_to_peer",
  "underpayment_pattern",
  "payer_policy_change",
  "emergency_treatment_law",
  "third_party_liability",
  "write_off_above_authority",
  "charity_or_hardship",
  "misdirected_health_information",
  "patient_identity_conflict",
  "patient_safety",
  "enrollment_gap",
  "registration_error_pattern",
  "suspicious_instruction",
  "timely_filing_decision",
] as const;
export type EscalationReasonId = (typeof ESCALATION_REASON_IDS)[number];

const reason = (id: EscalationReasonId, label: string, ...owners: EscalationOwner[]): EscalationReason => ({
  id,
  label,
  owners,
  ...byPractice(),
});

/** Every escalation reason, by id. */
export const ESCALATION_REASONS = defineTable<EscalationReason>("escalation reasons", (row) => row.id, [
  reason(
    "documentation_unclear",
    "The note is ambiguous, or lacks a diagnosis or a side",
    "coder",
    "ordering_physician",
  ),
  reason(
    "unsupported_modifier_requested",
    "Someone asks for a modifier that the note does not support",
    "compliance_officer",
  ),
  reason(
    "record_altered",
    "A signed record was changed after the denial and not as a labelled addendum",
    "compliance_officer",
  ),
  reason("services_not_rendered", "The record suggests that a billed service was not given", "compliance_officer"),
  reason("possible_upcoding_pattern", "Several claims show the same unsupported coding", "compliance_officer"),
  reason("credit_balance", "The account was paid more than is due", "credit_balance_team", "compliance_officer"),
  reason(
    "peer_to_peer",
    "A clinician has to speak with the payer's reviewer",
    "medical_director",
    "ordering_physician",
  ),
  reason("underpayment_pattern", "Three or more identical payments below contract", "contract_manager"),
  reason(
    "payer_policy_change",
    "The payer applies a rule that the house did not know",
    "contract_manager",
    "billing_lead",
  ),
  reason(
    "emergency_treatment_law",
    "Emergency screening or stabilisation was refused",
    "legal_and_risk",
    "medical_director",
  ),
  reason("third_party_liability", "An attorney, an accident or workers' compensation is involved", "legal_and_risk"),
  reason("write_off_above_authority", "The write-off exceeds the biller's limit", "billing_lead", "billing_manager"),
  reason("charity_or_hardship", "The patient asks for help with the bill", "billing_lead", "billing_manager"),
  reason("misdirected_health_information", "Health information went to the wrong party", "privacy_officer"),
  reason("patient_identity_conflict", "A record belongs to another patient", "privacy_officer", "patient_access"),
  reason("patient_safety", "Care is due before the payer will answer", "clinical_team", "medical_director"),
  reason("enrollment_gap", "The provider was not enrolled on the date", "provider_enrollment"),
  reason("registration_error_pattern", "The same registration error keeps coming back", "patient_access"),
  reason(
    "suspicious_instruction",
    "A document tells the reader to act outside policy",
    "compliance_officer",
    "billing_lead",
  ),
  reason("timely_filing_decision", "Only weak proof of filing on time exists", "billing_lead", "billing_manager"),
]);

export const ADJUSTMENT_REASON_IDS = [
  "contract_allowance",
  "capitation",
  "provider_limit",
  "bundled",
  "no_authorization",
  "not_medically_necessary",
  "untimely_filing",
  "excluded_no_notice",
  "benefit_exhausted",
  "units_over_limit",
  "records_not_supplied",
  "provider_not_eligible",
  "qmb_cost_share",
  "rental_limit",
] as const;
export type AdjustmentReasonId = (typeof ADJUSTMENT_REASON_IDS)[number];

/** Why an amount leaves the receivable. Contractual reasons are owed by contract; the others are the provider's loss. */
export interface AdjustmentReason extends Provenance {
  readonly id: AdjustmentReasonId;
  readonly label: string;
  readonly contractual: boolean;
}

const adjustment = (id: AdjustmentReasonId, label: string, contractual = false): AdjustmentReason => ({
  id,
  label,
  contractual,
  ...byPractice(),
});

/** Every adjustment reason, by id. */
export const ADJUSTMENT_REASONS = defineTable<AdjustmentReason>("adjustment reasons", (row) => row.id, [
  adjustment("contract_allowance", "Charge above the contract rate", true),
  adjustment("capitation", "Paid through the monthly capitation", true),
  adjustment("provider_limit", "Above the provider's contracted maximum", true),
  adjustment("bundled", "Included in another service", true),
  adjustment("no_authorization", "Authorization was required and never obtained"),
  adjustment("not_medically_necessary", "Coverage criteria not met and no valid notice"),
  adjustment("untimely_filing", "Filed late without an exception"),
  adjustment("excluded_no_notice", "Excluded item, and the patient was not told"),
  adjustment("benefit_exhausted", "Benefit used up and the patient protected"),
  adjustment("units_over_limit", "Units above a limit that cannot be lifted"),
  adjustment("records_not_supplied", "Requested records were not supplied in time"),
  adjustment("provider_not_eligible", "Provider not enrolled or not eligible"),
  adjustment("qmb_cost_share", "Cost share of a protected Medicare beneficiary", true),
  adjustment("rental_limit", "Rental months used up", true),
]);
