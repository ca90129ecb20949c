/** The coverage policies of the worlds, by id, and how each reads for one payer. */
import type { CoveragePolicy, Criterion, FrequencyLimit, PolicyId } from "./coverage-policy.js";
import type { PayerId } from "./payer-profile.js";
import { AMBULANCE_TRANSPORT } from "./policies/ambulance-transport.js";
import { GLUCOSE_MONITORING } from "./policies/glucose-monitoring.js";
import { HOME_HEALTH_VISIT } from "./policies/home-health-visit.js";
import { HOME_OXYGEN } from "./policies/home-oxygen.js";
import { HOME_VENTILATOR } from "./policies/home-ventilator.js";
import { HOSPITAL_BED } from "./policies/hospital-bed.js";
import { INFUSION_DRUG } from "./policies/infusion-drug.js";
import { LIMB_PROSTHESIS } from "./policies/limb-prosthesis.js";
import { NEGATIVE_PRESSURE_WOUND } from "./policies/negative-pressure-wound.js";
import { ORTHOSIS } from "./policies/orthosis.js";
import { POSITIVE_AIRWAY_PRESSURE } from "./policies/positive-airway-pressure.js";
import { UROLOGICAL_SUPPLIES } from "./policies/urological-supplies.js";
import { WHEELCHAIR } from "./policies/wheelchair.js";
import { defineTable } from "./table.js";

const policies: Readonly<Record<PolicyId, CoveragePolicy>> = {
  "home-oxygen": HOME_OXYGEN,
  "positive-airway-pressure": POSITIVE_AIRWAY_PRESSURE,
  "home-ventilator": HOME_VENTILATOR,
  "hospital-bed": HOSPITAL_BED,
  "glucose-monitoring": GLUCOSE_MONITORING,
  wheelchair: WHEELCHAIR,
  "urological-supplies": UROLOGICAL_SUPPLIES,
  "negative-pressure-wound": NEGATIVE_PRESSURE_WOUND,
  "infusion-drug": INFUSION_DRUG,
  "ambulance-transport": AMBULANCE_TRANSPORT,
  "limb-prosthesis": LIMB_PROSTHESIS,
  orthosis: ORTHOSIS,
  "home-health-visit": HOME_HEALTH_VISIT,
};

/** Every coverage policy, by id. */
export const POLICIES = defineTable<CoveragePolicy>("policies", (row) => row.id, Object.values(policies));

/** The policy that covers a HCPCS code; undefined when none does. */
export function policyForCode(hcpcs: string): CoveragePolicy | undefined {
  return POLICIES.rows.find((policy) => policy.coverage.some((group) => group.hcpcs.includes(hcpcs)));
}

/** A policy as one payer applies it to one code. */
export interface AppliedPolicy {
  readonly policy: CoveragePolicy;
  readonly diagnoses: readonly string[];
  /** Alternatives by group: of each group one criterion must be met. */
  readonly criteria: ReadonlyMap<string, readonly Criterion[]>;
  readonly frequencyLimits: readonly FrequencyLimit[];
  readonly authRequired: boolean;
}

/** The policy for a code with the payer's variants applied; undefined when no policy or not this payer's. */
export function appliedPolicy(hcpcs: string, payerId: PayerId): AppliedPolicy | undefined {
  const policy = policyForCode(hcpcs);
  if (policy === undefined || !policy.payers.includes(payerId)) return undefined;
  const variant = policy.variants[payerId] ?? {};
  const criteria = new Map<string, Criterion[]>();
  for (const row of [...policy.criteria, ...(variant.addedCriteria ?? [])]) {
    if (row.hcpcs !== null && !row.hcpcs.includes(hcpcs)) continue;
    const evidence = {
      ...row.evidence,
      threshold: variant.thresholds?.[row.id] ?? row.evidence.threshold,
      withinDays: variant.withinDays?.[row.id] ?? row.evidence.withinDays,
    };
    const applied = Object.freeze({ ...row, statement: statementOf(row, evidence), evidence: Object.freeze(evidence) });
    criteria.set(row.group, [...(criteria.get(row.group) ?? []), applied]);
  }
  const limits = [...policy.frequencyLimits, ...(variant.frequencyLimits ?? [])].filter((row) => row.hcpcs === hcpcs);
  return {
    policy,
    diagnoses: policy.coverage.filter((group) => group.hcpcs.includes(hcpcs)).flatMap((group) => group.diagnoses),
    criteria,
    frequencyLimits: limits.slice(-1),
    authRequired: policy.authRequired[payerId] && policy.authCodes.includes(hcpcs),
  };
}

/** Statements carry {threshold} and {withinDays}, so that what a payer's text says is what its numbers say. */
function statementOf(row: Criterion, evidence: Criterion["evidence"]): string {
  const { threshold, withinDays } = evidence;
  return row.statement
    .replaceAll("{threshold}", Array.isArray(threshold) ? threshold.join(" or ") : String(threshold))
    .replaceAll("{withinDays}", String(withinDays));
}
