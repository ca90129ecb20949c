/** What would have kept a denial from happening: a closed vocabulary that closes the loop from a root cause to a process. */
import { byPractice, defineTable, type Provenance } from "./table.js";

export const PREVENTION_IDS = [
  "interface_monitoring",
  "claim_scrub_edit",
  "registration_check",
  "eligibility_recheck",
  "coverage_order_questions",
  "authorization_at_scheduling",
  "authorization_update",
  "emergency_notification",
  "documentation_before_billing",
  "notice_before_delivery",
  "coding_education",
  "code_set_update",
  "compliance_training",
  "unit_entry_check",
  "rental_tracking",
  "records_tracking",
  "filing_monitoring",
  "denial_follow_up",
  "posting_control",
  "contract_audit",
  "payer_rule_review",
  "enrollment_tracking",
  "none",
] as const;
export type PreventionId = (typeof PREVENTION_IDS)[number];

export interface Prevention extends Provenance {
  readonly id: PreventionId;
  readonly label: string;
}

const measure = (id: PreventionId, label: string): Prevention => ({ id, label, ...byPractice() });

/** Every prevention code, by id. */
export const PREVENTIONS = defineTable<Prevention>("preventions", (row) => row.id, [
  measure("interface_monitoring", "Watch the interface for dropped fields"),
  measure("claim_scrub_edit", "Add or repair an edit before billing"),
  measure("registration_check", "Check card and identity at registration"),
  measure("eligibility_recheck", "Ask for eligibility again on the day of service"),
  measure("coverage_order_questions", "Ask which plan pays first"),
  measure("authorization_at_scheduling", "Obtain authorization when scheduling"),
  measure("authorization_update", "Update the authorization when the plan of care changes"),
  measure("emergency_notification", "Notify emergency admissions in time"),
  measure("documentation_before_billing", "Hold the claim until the criteria are documented"),
  measure("notice_before_delivery", "Give a complete notice before delivery"),
  measure("coding_education", "Teach coding and documentation"),
  measure("code_set_update", "Load code set changes before they take effect"),
  measure("compliance_training", "Train on records and modifiers that need support"),
  measure("unit_entry_check", "Check units against delivery"),
  measure("rental_tracking", "Count rental months"),
  measure("records_tracking", "Track requests for documents to their date"),
  measure("filing_monitoring", "Watch unbilled and unaccepted claims"),
  measure("denial_follow_up", "Work the first denial before sending again"),
  measure("posting_control", "Reconcile postings and credits"),
  measure("contract_audit", "Compare payments and schedules with the contract"),
  measure("payer_rule_review", "Review the payer's rule with its representative"),
  measure("enrollment_tracking", "Track enrolment dates before scheduling"),
  measure("none", "Nothing to prevent"),
]);
