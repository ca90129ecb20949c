/**
 * Claim adjustment reasons: the public numbers with our own short wording, the group codes each may carry, and the rows of a
 * payer profile that can govern it. Retired reasons (15, 165) are absent. A reason alone never
 * decides what to do: the profile of the payer does.
 */
import type { CorrectionKind, DenialClass, GroupCode } from "./payer-profile.js";
import { bySource, defineTable, type Provenance } from "./table.js";

export const REASON_KINDS = ["denial", "pricing", "cost-share", "other-payer"] as const;
export type ReasonKind = (typeof REASON_KINDS)[number];

/** One adjustment reason. `groups` lists the allowed group codes, the usual one first. */
export interface AdjustmentReasonCode extends Provenance {
  readonly code: string;
  readonly label: string;
  readonly kind: ReasonKind;
  readonly groups: readonly GroupCode[];
  /** Rows of the dispute map that can govern it, the usual one first. */
  readonly denialClasses: readonly DenialClass[];
  /** Rows of the correction map that can govern it; empty when no field is at fault. */
  readonly corrections: readonly CorrectionKind[];
  /** Whether the reason must come with a remark that is not an alert. */
  readonly needsRemark: boolean;
  /** Remarks that go with it. */
  readonly remarks: readonly string[];
  /** Whether any payer may hear a dispute of it. */
  readonly disputable: boolean;
}

interface Rules {
  readonly groups: readonly GroupCode[];
  readonly classes: readonly DenialClass[];
  readonly corrections?: readonly CorrectionKind[];
  readonly remarks?: readonly string[];
  readonly needsRemark?: boolean;
}

const listed = bySource("adjustment reason list, CARC mirror 2026-08 (number, status and group rule; own wording)");
const reason = (
  kind: ReasonKind,
  code: string,
  label: string,
  rules: Rules,
  provenance: Provenance = listed,
): AdjustmentReasonCode => ({
  code,
  label,
  kind,
  groups: rules.groups,
  denialClasses: rules.classes,
  corrections: rules.corrections ?? [],
  needsRemark: rules.needsRemark ?? false,
  remarks: rules.remarks ?? [],
  disputable: rules.classes.some((row) => row !== "no_dispute" && row !== "unprocessable"),
  ...provenance,
});
const denial = (code: string, label: string, rules: Rules) => reason("denial", code, label, rules);

const identity = ["MA27", "N382"];
const authNumber = ["M62"];
const bundled = ["M15", "N19", "N20", "M80"];

/** Every adjustment reason the worlds use, by code. */
export const CARC = defineTable<AdjustmentReasonCode>("carc", (row) => row.code, [
  reason("cost-share", "1", "Deductible", { groups: ["PR"], classes: ["no_dispute"], remarks: ["N781"] }),
  reason("cost-share", "2", "Coinsurance", { groups: ["PR"], classes: ["no_dispute"], remarks: ["N782"] }),
  reason("cost-share", "3", "Copayment", { groups: ["PR"], classes: ["no_dispute"], remarks: ["N783"] }),
  denial("4", "Code and modifier do not fit", {
    groups: ["CO"],
    classes: ["bundling", "no_dispute"],
    corrections: ["modifier", "liability_modifier", "procedure_code"],
    remarks: ["N822", "N823", "N519"],
  }),
  denial("5", "Code does not fit the place of service", {
    groups: ["CO"],
    classes: ["no_dispute"],
    corrections: ["place_of_service", "procedure_code"],
    remarks: ["M77"],
  }),
  denial("11", "Diagnosis does not fit the procedure", {
    groups: ["CO"],
    classes: ["medical_necessity"],
    corrections: ["diagnosis"],
    remarks: ["M76", "M64"],
  }),
  denial("16", "Information is missing or wrong", {
    groups: ["CO"],
    classes: ["no_dispute", "unprocessable"],
    corrections: [
      "provider_npi",
      "diagnosis",
      "ndc",
      "identity",
      "modifier",
      "place_of_service",
      "units",
      "other_payer",
    ],
    needsRemark: true,
    remarks: [
      ...["N290", "N265", "N286", "N257", "M76", "M64", "MA63", "M119", "MA27", "N382", "MA130", "M20", "M51", "M52"],
      ...["M53", "M77", "M62", "N822", "N823", "MA04", "N4"],
    ],
  }),
  denial("18", "Exact duplicate", {
    groups: ["OA"],
    classes: ["duplicate"],
    corrections: ["modifier", "unbundling_modifier", "units"],
    remarks: ["N522"],
  }),
  denial("22", "Another payer should pay first", {
    groups: ["CO", "OA"],
    classes: ["no_dispute"],
    corrections: ["other_payer"],
    remarks: ["MA04", "N4"],
  }),
  reason("other-payer", "23", "Effect of what an earlier payer decided", {
    groups: ["OA"],
    classes: ["no_dispute", "takeback"],
  }),
  denial("24", "Covered under a capitation or managed-care plan", {
    groups: ["CO", "OA"],
    classes: ["no_dispute"],
    remarks: ["N418", "N381"],
  }),
  denial("26", "Service before coverage began", {
    groups: ["PR", "CO"],
    classes: ["eligibility_verified", "no_dispute"],
    corrections: ["identity"],
    remarks: ["N30"],
  }),
  denial("27", "Service after coverage ended", {
    groups: ["PR", "CO"],
    classes: ["eligibility_verified", "no_dispute"],
    corrections: ["identity"],
    remarks: ["N30"],
  }),
  denial("29", "Filed after the limit", { groups: ["CO"], classes: ["timely_filing"] }),
  denial("31", "Patient not recognised as a member", {
    groups: ["PR", "CO"],
    classes: ["no_dispute", "unprocessable"],
    corrections: ["identity"],
    remarks: identity,
  }),
  reason("pricing", "45", "Charge above the fee schedule or contract", {
    groups: ["CO", "PR"],
    classes: ["underpayment", "no_dispute"],
    remarks: ["N381"],
  }),
  denial("50", "Not seen as medically necessary", {
    groups: ["CO", "PR"],
    classes: ["medical_necessity"],
    corrections: ["diagnosis", "liability_modifier"],
    remarks: ["N115", "N386", "M8", "M38", "M39", "MA01"],
  }),
  reason("pricing", "59", "Priced under a multiple-service rule", {
    groups: ["CO"],
    classes: ["underpayment", "bundling"],
  }),
  denial("96", "Charge not covered", {
    groups: ["CO", "PR"],
    classes: ["not_covered", "exclusion_vs_contract"],
    corrections: ["procedure_code", "liability_modifier"],
    needsRemark: true,
    remarks: ["N130", "N425", "N30", "N381"],
  }),
  denial("97", "Included in the payment of another service", {
    groups: ["CO"],
    classes: ["bundling"],
    corrections: ["modifier", "unbundling_modifier"],
    remarks: bundled,
  }),
  denial("108", "Rental or purchase rules not met", {
    groups: ["CO"],
    classes: ["not_covered", "benefit_limit"],
    corrections: ["modifier"],
    remarks: ["M3", "M7"],
  }),
  denial("109", "Belongs to another payer or contractor", {
    groups: ["OA", "CO"],
    classes: ["no_dispute"],
    corrections: ["other_payer"],
    remarks: ["N418", "N104"],
  }),
  denial("116", "The patient's advance notice is not valid", {
    groups: ["CO"],
    classes: ["medical_necessity"],
    corrections: ["liability_modifier"],
    remarks: ["M39"],
  }),
  denial("119", "Benefit maximum of the period reached", {
    groups: ["PR", "CO"],
    classes: ["benefit_limit"],
    corrections: ["liability_modifier", "units"],
    remarks: ["N640", "N130"],
  }),
  denial("140", "Number and name of the patient do not agree", {
    groups: ["CO", "PR"],
    classes: ["no_dispute", "unprocessable"],
    corrections: ["identity"],
    remarks: identity,
  }),
  denial("146", "Diagnosis not valid on the date", {
    groups: ["CO"],
    classes: ["no_dispute"],
    corrections: ["diagnosis"],
    remarks: ["M76"],
  }),
  denial("150", "Records do not support this level of service", {
    groups: ["CO"],
    classes: ["medical_necessity", "units_with_records"],
    corrections: ["procedure_code", "units"],
    remarks: ["N115", "MA01"],
  }),
  denial("151", "Records do not support this many services", {
    groups: ["CO"],
    classes: ["units_with_records", "units_absolute"],
    corrections: ["units"],
    remarks: ["N362", "N435", "M86", "MA01"],
  }),
  denial("181", "Code not valid on the date", {
    groups: ["CO"],
    classes: ["no_dispute"],
    corrections: ["procedure_code", "date_of_service"],
    remarks: ["N56", "M20"],
  }),
  denial("182", "Modifier not valid on the date", {
    groups: ["CO"],
    classes: ["no_dispute"],
    corrections: ["modifier", "procedure_code"],
    remarks: ["N823"],
  }),
  denial("185", "Rendering provider may not give this service", {
    groups: ["CO"],
    classes: ["provider_enrollment"],
    corrections: ["provider_npi"],
    remarks: ["N95"],
  }),
  denial("197", "Authorization or notification is absent", {
    groups: ["CO", "PR"],
    classes: ["no_auth", "emergency_no_auth"],
    corrections: ["auth_number"],
    remarks: authNumber,
  }),
  denial("198", "Authorization exceeded", {
    groups: ["CO", "PR"],
    classes: ["no_auth", "medical_necessity"],
    corrections: ["auth_number", "units"],
    remarks: authNumber,
  }),
  denial("204", "Not covered under the patient's plan", {
    groups: ["PR", "CO"],
    classes: ["not_covered", "exclusion_vs_contract"],
    corrections: ["procedure_code", "liability_modifier"],
    remarks: ["N130", "N381"],
  }),
  denial("206", "Provider number is missing", {
    groups: ["CO"],
    classes: ["no_dispute"],
    corrections: ["provider_npi"],
    remarks: ["N290", "N265", "N257"],
  }),
  denial("207", "Provider number has an invalid form", {
    groups: ["CO"],
    classes: ["no_dispute"],
    corrections: ["provider_npi"],
    remarks: ["N290", "N265", "N257"],
  }),
  denial("208", "Provider number is not on the payer's file", {
    groups: ["CO"],
    classes: ["no_dispute", "provider_enrollment"],
    corrections: ["provider_npi"],
    remarks: ["N290", "N257", "N570"],
  }),
  reason("other-payer", "209", "Not collectable from the patient; a later payer may be billed", {
    groups: ["OA"],
    classes: ["no_dispute"],
    remarks: ["N781", "N782", "N783"],
  }),
  denial("210", "Authorization was not asked for in time", {
    groups: ["CO"],
    classes: ["no_auth", "emergency_no_auth"],
    corrections: ["auth_number"],
    remarks: authNumber,
  }),
  denial("222", "Above the provider's contracted maximum", {
    groups: ["CO"],
    classes: ["no_dispute"],
    corrections: ["units"],
    remarks: ["N381", "N362"],
  }),
  denial("226", "Information asked of the provider came late, incomplete or not at all", {
    groups: ["CO"],
    classes: ["records_missed"],
    needsRemark: true,
    remarks: ["M127", "M29", "N706"],
  }),
  denial("227", "Information asked of the patient has not come", {
    groups: ["PR", "CO"],
    classes: ["no_dispute"],
    corrections: ["other_payer"],
    needsRemark: true,
    remarks: ["N179"],
  }),
  denial("231", "These services exclude each other on one day", {
    groups: ["CO"],
    classes: ["bundling"],
    corrections: ["unbundling_modifier", "modifier"],
    remarks: bundled,
  }),
  denial("234", "Not paid separately", {
    groups: ["CO"],
    classes: ["bundling"],
    corrections: ["unbundling_modifier", "modifier"],
    needsRemark: true,
    remarks: bundled,
  }),
  denial("236", "Conflicts with another code of the day under the coding edits", {
    groups: ["CO"],
    classes: ["bundling"],
    corrections: ["unbundling_modifier", "modifier"],
    remarks: bundled,
  }),
  denial("250", "The wrong document was sent; the asked one is still missing", {
    groups: ["CO"],
    classes: ["records_requested"],
    needsRemark: true,
    remarks: ["M127", "M29", "N706"],
  }),
  denial("251", "The document sent is incomplete", {
    groups: ["CO"],
    classes: ["records_requested"],
    needsRemark: true,
    remarks: ["M127", "M29", "N706"],
  }),
  denial("252", "A document is needed to decide", {
    groups: ["CO"],
    classes: ["records_requested"],
    needsRemark: true,
    remarks: ["M127", "M29", "N706"],
  }),
  reason("pricing", "253", "Federal payment reduction (sequestration)", { groups: ["CO"], classes: ["no_dispute"] }),
  denial("257", "Undecided during a premium grace period", { groups: ["OA"], classes: ["no_dispute"] }),
  denial("284", "Authorization number may be valid, but not for these services", {
    groups: ["CO"],
    classes: ["no_auth"],
    corrections: ["auth_number"],
    remarks: authNumber,
  }),
  denial("288", "Referral is absent", { groups: ["CO", "PR"], classes: ["no_auth"], corrections: ["auth_number"] }),
  denial("296", "Authorization number may be valid, but not for this provider", {
    groups: ["CO"],
    classes: ["no_auth"],
    corrections: ["auth_number", "provider_npi"],
    remarks: authNumber,
  }),
  denial("299", "Billing provider may not be paid for this service", {
    groups: ["CO"],
    classes: ["provider_enrollment"],
    corrections: ["provider_npi"],
    remarks: ["N95", "N570"],
  }),
  denial("302", "Time limit of the authorization has passed", {
    groups: ["CO"],
    classes: ["no_auth", "emergency_no_auth"],
    corrections: ["auth_number"],
    remarks: authNumber,
  }),
  reason("cost-share", "303", "Cost share of a protected Medicare beneficiary, not payable", {
    groups: ["CO"],
    classes: ["no_dispute"],
    remarks: ["N781", "N782", "N783"],
  }),
  denial("B7", "Provider was not certified or eligible on the date", {
    groups: ["CO"],
    classes: ["provider_enrollment"],
    corrections: ["provider_npi"],
    remarks: ["N570"],
  }),
  denial("B9", "Patient is in hospice", {
    groups: ["CO", "OA"],
    classes: ["no_dispute"],
    corrections: ["modifier"],
    remarks: ["N418"],
  }),
]);

/** Reasons whose list entry or meaning binds them to their listed groups, so that PI may not stand with them. */
export const GROUP_BOUND_REASONS: readonly string[] = Object.freeze(["18", "23", "45", "209", "222", "257", "303"]);

/** Whether the group may stand with the reason: a listed group, or PI where the reason is bound to none. */
export function isGroupAllowed(carc: string, group: GroupCode): boolean {
  const row = CARC.find(carc);
  if (row === undefined) return false;
  return row.groups.includes(group) || (group === "PI" && !GROUP_BOUND_REASONS.includes(carc) && row.kind === "denial");
}
