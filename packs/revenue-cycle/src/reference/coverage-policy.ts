/**
 * What a coverage policy looks like: which codes and diagnoses it joins, the criteria that a chart must meet, how a payer may
 * change them, and which payers want authorization. Holds no policy: see policies/.
 */
import type { Circumstance, DocumentType, EvidenceKind } from "./evidence.js";
import { EVIDENCE_FIELDS } from "./evidence.js";
import { HCPCS } from "./hcpcs.js";
import { ICD10 } from "./icd10.js";
import { PAYER_IDS, type PayerId } from "./payer-profile.js";
import { freezeDeep, type Provenance } from "./table.js";

export const POLICY_IDS = [
  "home-oxygen",
  "positive-airway-pressure",
  "home-ventilator",
  "hospital-bed",
  "glucose-monitoring",
  "wheelchair",
  "urological-supplies",
  "negative-pressure-wound",
  "infusion-drug",
  "ambulance-transport",
  "limb-prosthesis",
  "orthosis",
  "home-health-visit",
] as const;
export type PolicyId = (typeof POLICY_IDS)[number];

/** How a field's value is compared: numbers by lte/gte, a choice by one_of, a flag by present. */
export type Comparator = "lte" | "gte" | "one_of" | "present";

/** What would show that a criterion is met. `withinDays` counts back from `before`; null when time does not matter. */
export interface CriterionEvidence {
  readonly kind: EvidenceKind;
  readonly field: string;
  readonly comparator: Comparator;
  readonly threshold: number | readonly string[] | null;
  readonly unit: string | null;
  readonly withinDays: number | null;
  readonly before: "order" | "service" | null;
  readonly circumstances: readonly Circumstance[];
}

/**
 * One criterion. Criteria that share a `group` are alternatives, of which one suffices; every group must be met.
 * `hcpcs` narrows the criterion to some codes of the policy; null is all of them.
 */
export interface Criterion {
  readonly id: string;
  readonly group: string;
  readonly statement: string;
  readonly hcpcs: readonly string[] | null;
  readonly evidence: CriterionEvidence;
}

/** Codes and the diagnoses of which one must stand with them. */
export interface CoverageGroup {
  readonly hcpcs: readonly string[];
  readonly diagnoses: readonly string[];
}

export interface FrequencyLimit {
  readonly hcpcs: string;
  readonly units: number;
  readonly perDays: number;
}

/** How a payer departs from the policy: thresholds or windows of single criteria, or criteria of its own. */
export interface PolicyVariant {
  readonly thresholds?: Readonly<Record<string, number | readonly string[]>>;
  readonly withinDays?: Readonly<Record<string, number>>;
  readonly addedCriteria?: readonly Criterion[];
  readonly frequencyLimits?: readonly FrequencyLimit[];
}

export interface CoveragePolicy extends Provenance {
  readonly id: PolicyId;
  readonly title: string;
  readonly topic: string;
  /** Payers that cover these services on a professional claim under this policy. */
  readonly payers: readonly PayerId[];
  readonly coverage: readonly CoverageGroup[];
  readonly criteria: readonly Criterion[];
  readonly frequencyLimits: readonly FrequencyLimit[];
  readonly authRequired: Readonly<Record<PayerId, boolean>>;
  /** Codes that need authorization, where the payer requires it at all. */
  readonly authCodes: readonly string[];
  readonly documents: readonly DocumentType[];
  readonly variants: Readonly<Partial<Record<PayerId, PolicyVariant>>>;
}

interface EvidenceTerms {
  readonly threshold?: number | readonly string[];
  readonly withinDays?: number;
  readonly before?: "order" | "service";
  readonly circumstances?: readonly Circumstance[];
  readonly hcpcs?: readonly string[];
  /** The group of alternatives; a criterion without one stands alone. */
  readonly group?: string;
}

/** Builds a criterion on a known evidence field; kind and unit come from the field. */
export function criterion(
  id: string,
  statement: string,
  field: string,
  comparator: Comparator,
  terms: EvidenceTerms = {},
): Criterion {
  const { kind, unit } = EVIDENCE_FIELDS.get(field);
  return {
    id,
    group: terms.group ?? id,
    statement,
    hcpcs: terms.hcpcs ?? null,
    evidence: {
      kind,
      field,
      comparator,
      threshold: terms.threshold ?? null,
      unit,
      withinDays: terms.withinDays ?? null,
      before: terms.withinDays === undefined ? null : (terms.before ?? "order"),
      circumstances: terms.circumstances ?? [],
    },
  };
}

/** The authorization map of a policy: true for the payers named. */
export function authorizedBy(...payers: readonly PayerId[]): Readonly<Record<PayerId, boolean>> {
  return Object.fromEntries(PAYER_IDS.map((id) => [id, payers.includes(id)])) as Record<PayerId, boolean>;
}

/** Freezes a policy after checking that codes, diagnoses, fields and varied criteria exist. Throws with every fault. */
export function defineCoveragePolicy(policy: CoveragePolicy): CoveragePolicy {
  const faults: string[] = [];
  const codes = new Set(policy.coverage.flatMap((group) => group.hcpcs));
  for (const code of codes) if (!HCPCS.has(code)) faults.push(`coverage: unknown HCPCS code ${code}`);
  for (const code of policy.coverage.flatMap((group) => group.diagnoses))
    if (!ICD10.has(code)) faults.push(`coverage: unknown diagnosis ${code}`);
  for (const code of [...policy.authCodes, ...policy.frequencyLimits.map((limit) => limit.hcpcs)])
    if (!codes.has(code)) faults.push(`${code} is limited or authorized but not covered by the policy`);
  const ids = new Set<string>();
  for (const { id, hcpcs, evidence } of policy.criteria) {
    if (ids.has(id)) faults.push(`criterion ${id} occurs twice`);
    ids.add(id);
    for (const code of hcpcs ?? []) if (!codes.has(code)) faults.push(`criterion ${id}: ${code} is not in the policy`);
    const { value, choices } = EVIDENCE_FIELDS.get(evidence.field);
    const fits = { lte: "number", gte: "number", one_of: "choice", present: "flag" }[evidence.comparator] === value;
    if (!fits) faults.push(`criterion ${id}: ${evidence.comparator} does not fit the ${value} ${evidence.field}`);
    const { threshold } = evidence;
    if (value === "number" && typeof threshold !== "number")
      faults.push(`criterion ${id}: needs a number to compare with`);
    if (value === "choice" && !(Array.isArray(threshold) && threshold.every((one: string) => choices.includes(one))))
      faults.push(`criterion ${id}: needs values among ${choices.join(", ")}`);
  }
  for (const [payer, variant] of Object.entries(policy.variants))
    for (const id of [...Object.keys(variant.thresholds ?? {}), ...Object.keys(variant.withinDays ?? {})])
      if (!ids.has(id)) faults.push(`variant of ${payer}: no criterion ${id}`);
  if (faults.length > 0) throw new Error(`coverage policy ${policy.id}:\n  ${faults.join("\n  ")}`);
  return freezeDeep(policy);
}
