/**
 * A payer's published rules as rows an agent can search, open and cite: its manual, the coverage policies it applies, and the clauses of
 * the office's contract with it.
 */
import { CONTRACTS } from "../reference/contracts.js";
import type { CoveragePolicy } from "../reference/coverage-policy.js";
import type { PayerId, PayerProfile } from "../reference/payer-profile.js";
import { appliedPolicy, POLICIES } from "../reference/policies.js";
import type { DenialWorld } from "./case-file.js";

/** Finds the rows of a payer's library. Throws when it has no such section. */
export interface Library {
  manual(number: string): string;
  policy(id: string): string;
  clause(number: string): string;
}

/** Adds a payer and everything it publishes to the world. */
export function addPayerLibrary(world: DenialWorld, profile: PayerProfile): Library {
  const payer = profile.id;
  world.insert("payers", { id: payer, name: profile.name, kind: profile.kind, payerNumber: profile.payerId });
  const rows = new Map<string, string>();
  const add = (source: "manual" | "policy" | "contract", number: string, title: string, text: string) => {
    rows.set(`${source}/${number}`, world.insert("sections", { payer, source, number, title, text }).id);
  };
  for (const section of profile.manual) add("manual", section.id, section.title, section.text);
  for (const policy of POLICIES.rows)
    if (policy.payers.includes(payer)) add("policy", policy.id, policy.title, policyText(policy, payer));
  for (const clause of CONTRACTS.get(payer)?.clauses ?? []) add("contract", clause.id, clause.title, clause.text);
  const find = (source: string) => (number: string) => {
    const id = rows.get(`${source}/${number}`);
    if (id === undefined) throw new Error(`the library of ${payer} has no ${source} section "${number}"`);
    return id;
  };
  return { manual: find("manual"), policy: find("policy"), clause: find("contract") };
}

const texts = new Map<string, string>();

/** A coverage policy as this payer publishes it: codes, diagnoses, conditions and limits. */
function policyText(policy: CoveragePolicy, payer: PayerId): string {
  const key = `${payer}/${policy.id}`;
  let text = texts.get(key);
  if (text === undefined) {
    const parts = policy.coverage.flatMap(({ hcpcs, diagnoses }) => {
      const applied = appliedPolicy(hcpcs[0]!, payer);
      const conditions = [...(applied?.criteria.values() ?? [])].map((alternatives) =>
        alternatives.map(({ statement }) => statement).join(" Or: "),
      );
      const limits = (applied?.frequencyLimits ?? []).map(
        ({ units, perDays }) => `At most ${units} units in ${perDays} days.`,
      );
      return [`Codes ${hcpcs.join(", ")}, with one of ${diagnoses.join(", ")}.`, ...conditions, ...limits];
    });
    const authorization =
      policy.authRequired[payer] && policy.authCodes.length > 0
        ? [`Authorization is needed for ${policy.authCodes.join(", ")}.`]
        : [];
    text = [...new Set([...parts, ...authorization])].join("\n");
    texts.set(key, text);
  }
  return text;
}
