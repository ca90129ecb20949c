import { describe, expect, it } from "vitest";
import {
  appliedPolicy,
  BUNDLING_PAIRS,
  bundlingPair,
  CONTRACTS,
  chargeFor,
  codesOnSchedule,
  conflictingModifiers,
  criterion,
  defineCoveragePolicy,
  HCPCS,
  MODIFIERS,
  PAYER_IDS,
  PAYERS,
  POLICIES,
  rateFor,
  UNIT_CAPS,
  writeOffApprover,
} from "./index.js";

const oxygen = POLICIES.get("home-oxygen");

describe("a coverage policy", () => {
  it("has diagnoses, criteria and documents for every code of every payer that covers it", () => {
    for (const policy of POLICIES.rows)
      for (const payer of policy.payers)
        for (const code of policy.coverage.flatMap((group) => group.hcpcs)) {
          const applied = appliedPolicy(code, payer);
          expect(applied?.diagnoses.length, `${code} ${payer}`).toBeGreaterThan(0);
          expect(applied?.criteria.size, `${code} ${payer}`).toBeGreaterThan(0);
          expect(policy.documents.length).toBeGreaterThan(0);
        }
  });

  it("prints the payer's own numbers in its statements", () => {
    for (const policy of POLICIES.rows)
      for (const payer of policy.payers)
        for (const code of policy.coverage.flatMap((group) => group.hcpcs))
          for (const row of [...(appliedPolicy(code, payer)?.criteria.values() ?? [])].flat()) {
            expect(row.statement).not.toMatch(/[{}]|null/);
            if (typeof row.evidence.threshold === "number" && row.evidence.comparator !== "present")
              expect(row.statement).toContain(String(row.evidence.threshold));
          }
  });

  it("differs between payers where it says so, and stands unchanged elsewhere", () => {
    const days = (payer: (typeof PAYER_IDS)[number]) =>
      appliedPolicy("E1390", payer)?.criteria.get("low-oxygen")?.[0]?.evidence.withinDays;
    expect(days("crestway")).toBe(14);
    expect(days("medicare-region-c")).toBe(30);
    expect(oxygen.criteria[0]?.evidence.withinDays).toBe(30);
  });

  it("accepts no oxygen value measured by the supplier or on oxygen", () => {
    for (const row of appliedPolicy("E1390", "medicare-region-c")?.criteria.get("low-oxygen") ?? [])
      expect(row.evidence.circumstances).toEqual(expect.arrayContaining(["room_air", "not_measured_by_supplier"]));
  });

  it("is absent for a payer that does not cover the service so", () => {
    expect(appliedPolicy("G0151", "medicare-region-c")).toBeUndefined();
    expect(appliedPolicy("Z0000", "northfield")).toBeUndefined();
  });

  it("varies a rule for at least one payer in every policy", () => {
    for (const policy of POLICIES.rows) expect(Object.keys(policy.variants).length, policy.id).toBeGreaterThan(0);
  });

  it("is refused when it names an unknown code, an ill-fitting comparison or a criterion that it lacks", () => {
    const broken = {
      ...oxygen,
      authCodes: ["K0001"],
      criteria: [criterion("bad", "Flag at least 3", "signed_order", "gte", { threshold: 3 })],
      variants: { crestway: { thresholds: { nowhere: 1 } } },
    };
    expect(() => defineCoveragePolicy(broken)).toThrow(
      /K0001 is limited[\s\S]*gte does not fit the flag[\s\S]*no criterion nowhere/,
    );
    const unknown = { ...oxygen, coverage: [{ hcpcs: ["E9999"], diagnoses: ["X1"] }] };
    expect(() => defineCoveragePolicy(unknown)).toThrow(/unknown HCPCS code E9999[\s\S]*unknown diagnosis X1/);
  });
});

describe("edits", () => {
  it("join known codes, no pair twice in either order, with known modifiers where they can be parted", () => {
    const seen = new Set<string>();
    for (const row of BUNDLING_PAIRS.rows) {
      expect(HCPCS.has(row.column1) && HCPCS.has(row.column2) && row.column1 !== row.column2).toBe(true);
      const key = [row.column1, row.column2].sort().join();
      expect(seen.has(key)).toBe(false);
      seen.add(key);
      expect(row.acceptedModifiers.length > 0).toBe(row.indicator === 1);
      for (const modifier of row.acceptedModifiers) expect(MODIFIERS.has(modifier)).toBe(true);
      expect(bundlingPair(row.column2, row.column1)).toBe(row);
    }
    expect(bundlingPair("E1390", "J1745")).toBeUndefined();
  });

  it("cap every code and let records lift only indicator 3", () => {
    expect(UNIT_CAPS.keys).toEqual(HCPCS.keys);
    for (const row of UNIT_CAPS.rows) expect(row.liftedByRecords).toBe(row.mai === 3);
    expect(new Set(UNIT_CAPS.rows.map((row) => row.mai))).toEqual(new Set([1, 2, 3]));
  });

  it("reject modifiers that exclude each other", () => {
    expect(conflictingModifiers(["GA", "GZ"])).toEqual([["GA", "GZ"]]);
    expect(conflictingModifiers(["RR", "KX", "NU"])).toEqual([["RR", "NU"]]);
    expect(conflictingModifiers(["RR", "KX", "LT"])).toEqual([]);
  });
});

describe("contracts", () => {
  it("pay a positive whole number of cents below the house charge for every code on the schedule, in every year", () => {
    for (const payer of PAYER_IDS)
      for (const code of codesOnSchedule(payer))
        for (const modifiers of [[], ["NU"], ["RR", "KJ"]])
          for (const day of ["2024-01-01", "2025-06-15", "2027-12-31"]) {
            const rate = rateFor(payer, code, modifiers, day);
            if (!rate.found) throw new Error(`${payer} ${code} ${day}: ${rate.reason}`);
            expect(Number.isInteger(rate.unitRateCents) && rate.unitRateCents > 0).toBe(true);
            expect(rate.unitRateCents, `${payer} ${code} ${day}`).toBeLessThan(chargeFor(code, modifiers));
          }
  });

  it("say why there is no rate", () => {
    expect(rateFor("northfield", "E1390", [], "2023-12-31")).toEqual({ found: false, reason: "no_schedule_on_date" });
    expect(rateFor("tri-county-medicaid", "L5856", [], "2026-01-01")).toEqual({
      found: false,
      reason: "code_not_on_schedule",
    });
    expect(() => rateFor("northfield", "X0000", [], "2026-01-01")).toThrow(/no row "X0000"/);
  });

  it("state the days for which an eligibility answer binds as the payer's profile does", () => {
    for (const { id, rules, kind } of PAYERS.rows) {
      const clause = CONTRACTS.get(id).clauses.find((one) => one.kind === "verification_binding");
      if (kind !== "medicaid") expect(clause?.days ?? null, id).toBe(rules.verificationBindsDays);
    }
  });

  it("hold members harmless everywhere", () => {
    for (const { clauses } of CONTRACTS.rows) expect(clauses.some((one) => one.kind === "hold_harmless")).toBe(true);
  });
});

describe("write-off authority", () => {
  it("passes to the next role one cent above each limit", () => {
    expect([50_000, 50_001, 250_000, 250_001].map(writeOffApprover)).toEqual(["biller", "lead", "lead", "manager"]);
  });
});
