/**
 * What a payer's rules look like: three total maps (how a claim is corrected, how a denial is disputed, when a patient
 * may be billed), the clocks, and the manual that an agent can open and cite. There is no right action per denial code;
 * there is only what this payer's profile says. Holds no payer: see payers/.
 */
import type { AdjustmentReasonId } from "./authority.js";
import type { HcpcsCategory } from "./hcpcs.js";
import { freezeDeep, type Provenance } from "./table.js";

export const PAYER_IDS = [
  "medicare-region-c",
  "harborlight-advantage",
  "silverbirch-advantage",
  "northfield",
  "crestway",
  "tri-county-medicaid",
] as const;
export type PayerId = (typeof PAYER_IDS)[number];

export type PayerKind = "original-medicare" | "medicare-advantage" | "commercial" | "medicaid";

/** CO provider, PR patient, OA neither or another payer, PI payer-initiated without a contract. */
export const GROUP_CODES = ["CO", "PR", "OA", "PI"] as const;
export type GroupCode = (typeof GROUP_CODES)[number];

/** What is wrong on the claim and has to be changed. */
export const CORRECTION_KINDS = [
  "identity",
  "provider_npi",
  "diagnosis",
  "procedure_code",
  "modifier",
  "liability_modifier",
  "unbundling_modifier",
  "units",
  "auth_number",
  "ndc",
  "place_of_service",
  "date_of_service",
  "other_payer",
  "unprocessable",
] as const;
export type CorrectionKind = (typeof CORRECTION_KINDS)[number];

/** How a correction travels. The claim frequency follows from it: see CLAIM_FREQUENCY. */
export const CORRECTION_CHANNELS = ["replacement_claim", "new_claim", "reopening", "not_correctable"] as const;
export type CorrectionChannel = (typeof CORRECTION_CHANNELS)[number];

/** The claim frequency code of each correction channel; null when no claim is sent. */
export const CLAIM_FREQUENCY: Readonly<Record<CorrectionChannel, "1" | "7" | null>> = {
  replacement_claim: "7",
  new_claim: "1",
  reopening: null,
  not_correctable: null,
};

/** Why the payer did not pay, as far as the way to disagree is concerned. `no_dispute` is for what nobody disputes. */
export const DENIAL_CLASSES = [
  "medical_necessity",
  "timely_filing",
  "no_auth",
  "emergency_no_auth",
  "underpayment",
  "units_absolute",
  "units_with_records",
  "eligibility_verified",
  "not_covered",
  "exclusion_vs_contract",
  "benefit_limit",
  "duplicate",
  "records_requested",
  "records_missed",
  "bundling",
  "unprocessable",
  "provider_enrollment",
  "takeback",
  "no_dispute",
] as const;
export type DenialClass = (typeof DENIAL_CLASSES)[number];

export const DISPUTE_CHANNELS = [
  "redetermination",
  "reconsideration",
  "appeal",
  "payer_dispute",
  "exception_request",
  "reopening",
  "records_submission",
  "retro_authorization",
  "none",
] as const;
export type DisputeChannel = (typeof DISPUTE_CHANNELS)[number];

/** The event a clock starts from. */
export const CLOCK_STARTS = [
  "dos",
  "remit_date",
  "notice_date",
  "notice_receipt",
  "request_date",
  "primary_remit_date",
] as const;
export type ClockStart = (typeof CLOCK_STARTS)[number];

/** A number of calendar days from an event; the last day still counts. */
export interface Clock {
  readonly windowDays: number;
  readonly countedFrom: ClockStart;
}

/** A clock of so many days from an event. */
export const within = (windowDays: number, countedFrom: ClockStart): Clock => ({ windowDays, countedFrom });

/** One cell of the correction map. `clock` is null exactly when nothing can be corrected. */
export interface CorrectionRule {
  readonly channel: CorrectionChannel;
  readonly clock: Clock | null;
  readonly section: string;
}

/** What a dispute must carry. */
export const PROOFS = ["chart", "acceptance_report", "rate_page", "verification", "plan_document", "remit"] as const;
export type Proof = (typeof PROOFS)[number];

/** One cell of the dispute map. `level` is 0 and `clock` null when there is no channel. */
export interface DisputeRule {
  readonly channel: DisputeChannel;
  readonly level: number;
  readonly clock: Clock | null;
  readonly proofs: readonly Proof[];
  readonly section: string;
}

/** What was given to the patient before the service. */
export const NOTICES = ["none", "abn_signed", "abn_voluntary", "organization_determination", "plan_waiver"] as const;
export type Notice = (typeof NOTICES)[number];

/** What decides whether an amount may go to the patient. `carc` is the reason number; `qmb` a Qualified Medicare Beneficiary. */
export interface LiabilitySituation {
  readonly group: GroupCode;
  readonly carc: string;
  readonly notice: Notice;
  readonly qmb: boolean;
  readonly coverageActive: boolean;
}

/** One row of the liability table; an absent field matches anything, and the first row that matches decides. */
export interface LiabilityRow {
  readonly groups?: readonly GroupCode[];
  readonly carcs?: readonly string[];
  readonly notices?: readonly Notice[];
  readonly qmb?: boolean;
  readonly coverageActive?: boolean;
  readonly mayBill: boolean;
  readonly section: string;
}

export const LATENCIES = [
  "acknowledgment",
  "remit",
  "correction",
  "reopening",
  "dispute",
  "records_review",
  "retro_authorization",
] as const;
export type Latency = (typeof LATENCIES)[number];

/** Whole days, both ends included. */
export interface DayRange {
  readonly minDays: number;
  readonly maxDays: number;
}

export interface PayerClocks {
  readonly timelyFilingDays: number;
  readonly secondaryFiling: Clock;
  readonly correctedClaim: Clock;
  readonly appeal: Clock;
  readonly recordsDueDays: number;
  /** Days from the request for authorization after the service; null when the payer never grants it. */
  readonly retroAuthDays: number | null;
  readonly authDecisionDays: { readonly standard: number; readonly expedited: number };
  readonly latencyDays: Readonly<Record<Latency, DayRange>>;
}

/** What can be offered as proof of filing on time. */
export const FILING_PROOFS = ["277CA_A2", "277CA_A1", "clearinghouse_report", "999", "screen_print"] as const;
export type FilingProof = (typeof FILING_PROOFS)[number];

export interface PayerRules {
  readonly timelyProof: readonly FilingProof[];
  /** Notices that this payer recognises; any other is void. */
  readonly validNotices: readonly Notice[];
  /** Days for which an eligibility answer binds the payer, from the answer; null when it never binds. */
  readonly verificationBindsDays: number | null;
  /** Business days to notify an emergency admission; null when no notice is needed. */
  readonly emergencyNotificationDays: number | null;
  readonly capitatedCategories: readonly HcpcsCategory[];
  readonly coinsuranceBasisPoints: number;
  readonly annualDeductibleCents: number;
}

/** How member ids look: in `template` # is a digit, @ a letter of MEMBER_ID_LETTERS, all else stands for itself. */
export interface MemberIdFormat {
  readonly description: string;
  readonly template: string;
  readonly pattern: string;
}

export const MANUAL_TOPICS = [
  "timely_filing",
  "corrected_claims",
  "unprocessable",
  "authorization",
  "medical_necessity",
  "disputes",
  "records",
  "bundling",
  "units",
  "coordination",
  "eligibility",
  "patient_liability",
  "notices",
  "payment",
  "duplicates",
  "enrollment",
  "takeback",
  "coverage_exclusions",
] as const;
export type ManualTopic = (typeof MANUAL_TOPICS)[number];

export interface ManualSection {
  readonly id: string;
  readonly title: string;
  readonly topics: readonly ManualTopic[];
  readonly text: string;
}

export interface PayerProfile extends Provenance {
  readonly id: PayerId;
  readonly name: string;
  readonly kind: PayerKind;
  /** Claim filing indicator of the subscriber segment. */
  readonly filingCode: string;
  readonly payerId: string;
  readonly correctionChannel: Readonly<Record<CorrectionKind, CorrectionRule>>;
  readonly disputeChannel: Readonly<Record<DenialClass, DisputeRule>>;
  readonly patientLiability: readonly LiabilityRow[];
  readonly clocks: PayerClocks;
  readonly rules: PayerRules;
  readonly memberId: MemberIdFormat;
  readonly writeOffReasons: readonly AdjustmentReasonId[];
  readonly manual: readonly ManualSection[];
}

/** Capital letters that nobody reads as a digit. */
export const MEMBER_ID_LETTERS = "ACDEFGHJKMNPQRTUVWXY";

/** Fills the template; `draw(bound)` gives a whole number from 0 to bound - 1. */
export function toMemberId(format: MemberIdFormat, draw: (bound: number) => number): string {
  return format.template
    .replace(/#/g, () => String(draw(10)))
    .replace(/@/g, () => MEMBER_ID_LETTERS.charAt(draw(MEMBER_ID_LETTERS.length)));
}

/** Builds a correction rule. */
export const correctBy = (
  channel: Exclude<CorrectionChannel, "not_correctable">,
  section: string,
  clock: Clock,
): CorrectionRule => ({ channel, clock, section });

/** Builds the rule that this kind of error cannot be corrected on the claim. */
export const notCorrectable = (section: string): CorrectionRule => ({
  channel: "not_correctable",
  clock: null,
  section,
});

/** Builds a dispute rule at level 1. */
export function disputeBy(
  channel: Exclude<DisputeChannel, "none">,
  section: string,
  clock: Clock | null,
  proofs: readonly Proof[] = [],
): DisputeRule {
  return { channel, level: 1, clock, proofs, section };
}

/** Builds the rule that a denial of this class cannot be disputed. */
export const noDispute = (section: string): DisputeRule => ({
  channel: "none",
  level: 0,
  clock: null,
  proofs: [],
  section,
});

/**
 * Freezes a profile after checking that it hangs together: every cited section exists and prints the days of the rule
 * that cites it, a rule has a clock where one is needed, and the last liability row catches everything.
 * Throws with every fault at once.
 */
export function definePayerProfile(profile: PayerProfile): PayerProfile {
  const faults: string[] = [];
  const texts = new Map(profile.manual.map((section) => [section.id, section.text]));
  if (texts.size !== profile.manual.length) faults.push("manual: a section id occurs twice");
  const cite = (where: string, section: string, clock: Clock | null) => {
    const text = texts.get(section);
    if (text === undefined) faults.push(`${where}: cites section ${section}, which the manual lacks`);
    else if (clock !== null && !new RegExp(`\\b${clock.windowDays}\\b`).test(text))
      faults.push(`${where}: section ${section} does not state the ${clock.windowDays} days of its rule`);
  };
  for (const [kind, rule] of Object.entries(profile.correctionChannel)) {
    cite(`correctionChannel.${kind}`, rule.section, rule.clock);
    if ((rule.clock === null) !== (rule.channel === "not_correctable"))
      faults.push(`correctionChannel.${kind}: a clock goes with every channel but not_correctable`);
  }
  for (const [kind, rule] of Object.entries(profile.disputeChannel)) {
    cite(`disputeChannel.${kind}`, rule.section, rule.clock);
    if ((rule.level === 0) !== (rule.channel === "none"))
      faults.push(`disputeChannel.${kind}: level 0 goes with channel none and with no other`);
  }
  for (const [at, row] of profile.patientLiability.entries()) cite(`patientLiability[${at}]`, row.section, null);
  const last = profile.patientLiability.at(-1);
  if (last === undefined || Object.keys(last).some((key) => key !== "mayBill" && key !== "section"))
    faults.push("patientLiability: the last row must match everything");
  if (faults.length > 0) throw new Error(`payer profile ${profile.id}:\n  ${faults.join("\n  ")}`);
  return freezeDeep(profile);
}

/** The liability row that decides a situation; `mayBill` says whether the amount may go to the patient. */
export function patientLiability(profile: PayerProfile, situation: LiabilitySituation): LiabilityRow {
  const row = profile.patientLiability.find(
    (candidate) =>
      (candidate.groups?.includes(situation.group) ?? true) &&
      (candidate.carcs?.includes(situation.carc) ?? true) &&
      (candidate.notices?.includes(situation.notice) ?? true) &&
      (candidate.qmb === undefined || candidate.qmb === situation.qmb) &&
      (candidate.coverageActive === undefined || candidate.coverageActive === situation.coverageActive),
  );
  if (row === undefined) throw new Error(`payer profile ${profile.id}: no liability row matches; add a last row`);
  return row;
}

/** The manual sections on a topic, in manual order. */
export function manualSectionsOn(profile: PayerProfile, topic: ManualTopic): readonly ManualSection[] {
  return profile.manual.filter((section) => section.topics.includes(topic));
}
