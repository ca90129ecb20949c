import { describe, expect, it } from "vitest";
import * as reference from "./index.js";
import {
  ADJUSTMENT_REASONS,
  BUNDLING_PAIRS,
  CARC,
  CONTRACTS,
  DISPOSITION_IDS,
  DISPOSITIONS,
  ESCALATION_REASONS,
  EVIDENCE_FIELDS,
  HCPCS,
  ICD10,
  isDiagnosisValidOn,
  isGroupAllowed,
  MODIFIERS,
  PAYER_IDS,
  PAYERS,
  POLICIES,
  PREVENTION_IDS,
  PREVENTIONS,
  policyForCode,
  RARC,
  ROOT_CAUSE_IDS,
  ROOT_CAUSES,
  rootCausesFor,
  UNIT_CAPS,
} from "./index.js";

const tables = [
  ADJUSTMENT_REASONS,
  BUNDLING_PAIRS,
  CARC,
  CONTRACTS,
  DISPOSITIONS,
  ESCALATION_REASONS,
  EVIDENCE_FIELDS,
  HCPCS,
  ICD10,
  MODIFIERS,
  PAYERS,
  POLICIES,
  PREVENTIONS,
  RARC,
  ROOT_CAUSES,
  UNIT_CAPS,
];
const denials = CARC.rows.filter((row) => row.kind === "denial");

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

describe("every table", () => {
  it("cites a source and a review state on every row, and is frozen", () => {
    for (const table of tables)
      for (const row of table.rows) {
        expect(row.source.length, table.name).toBeGreaterThan(0);
        expect(["sourced", "awaiting-expert"]).toContain(row.review);
        expect(Object.isFrozen(row)).toBe(true);
      }
  });

  it("marks a row that rests on practice alone as awaiting an expert", () => {
    for (const table of tables)
      for (const row of table.rows) if (row.source.startsWith("practice")) expect(row.review).toBe("awaiting-expert");
  });

  it("names an unknown key and the known ones", () => {
    expect(() => HCPCS.get("Z9999")).toThrow(/hcpcs: no row "Z9999"; known keys: .*E1390/);
  });

  it("refuses a repeated key and a row without a source", () => {
    const row = { id: "a", source: "practice", review: "awaiting-expert" } as const;
    expect(() => reference.defineTable("t", (one: typeof row) => one.id, [row, { ...row }])).toThrow(
      /"a" occurs twice/,
    );
    expect(() => reference.defineTable("t", () => "a", [{ ...row, source: " " }])).toThrow(/names no source/);
  });
});

describe("licences", () => {
  it("leaves no procedure outside HCPCS Level II without D codes", () => {
    for (const code of HCPCS.keys) expect(code).toMatch(/^[A-CE-V]\d{4}$/);
  });

  it("has no numeric modifier", () => {
    for (const code of MODIFIERS.keys) expect(code).toMatch(/^[A-Z][A-Z0-9]$/);
  });

  it("has no five-digit procedure code in any text", () => {
    for (const table of tables)
      for (const text of stringsIn(table.rows)) expect(text, table.name).not.toMatch(/(?<![\w-])\d{5}(?!\w)/);
    expect(stringsIn([{ note: "code 12345" }]).some((text) => /(?<![\w-])\d{5}(?!\w)/.test(text))).toBe(true);
  });
});

describe("coverage of the domain", () => {
  it("is as large as the worlds need", () => {
    expect(HCPCS.rows.length).toBeGreaterThanOrEqual(40);
    expect(ICD10.rows.length).toBeGreaterThanOrEqual(60);
    expect(POLICIES.rows.length).toBeGreaterThanOrEqual(12);
    expect(PAYERS.keys).toEqual([...PAYER_IDS]);
    expect(new Set(reference.FIRST_NAMES).size).toBeGreaterThanOrEqual(120);
    expect(new Set(reference.LAST_NAMES).size).toBeGreaterThanOrEqual(120);
  });

  it("uses only letters that a claim file can carry in names", () => {
    const names = [...reference.FIRST_NAMES, ...reference.LAST_NAMES, ...reference.REFERRING_DOCTORS];
    for (const name of [...names, ...reference.STREETS]) expect(name).toMatch(/^[A-Za-z' -]+$/);
  });

  it("covers every code by exactly one policy", () => {
    for (const code of HCPCS.keys) {
      const covering = POLICIES.rows.filter((policy) => policy.coverage.some((group) => group.hcpcs.includes(code)));
      expect(covering.length, code).toBe(1);
      expect(policyForCode(code)).toBe(covering[0]);
    }
  });
});

describe("diagnoses", () => {
  it("carry the same letters with and without the dot", () => {
    for (const row of ICD10.rows) expect(row.bare).toBe(row.code.replace(".", ""));
  });

  it("support the category of every code that a policy joins them to", () => {
    for (const policy of POLICIES.rows)
      for (const group of policy.coverage)
        for (const code of group.hcpcs)
          for (const dx of group.diagnoses)
            expect(ICD10.get(dx).supports, `${code} ${dx}`).toContain(HCPCS.get(code).category);
  });

  it("are invalid after their last day, when the successor starts", () => {
    for (const { code, validThrough, successors } of ICD10.rows) {
      for (const next of successors) expect(ICD10.has(next)).toBe(true);
      if (validThrough === null) continue;
      expect(isDiagnosisValidOn(code, validThrough)).toBe(true);
      expect(isDiagnosisValidOn(code, "2026-01-01")).toBe(false);
      for (const next of successors) {
        expect(isDiagnosisValidOn(next, validThrough)).toBe(false);
        expect(isDiagnosisValidOn(next, "2026-01-01")).toBe(true);
      }
    }
    expect(isDiagnosisValidOn("X00.0", "2026-01-01")).toBe(false);
  });
});

describe("drug codes", () => {
  it("ask for a national drug code of eleven digits exactly when they are drugs", () => {
    for (const row of HCPCS.rows) {
      expect(row.requiresNdc).toBe(row.category === "drug");
      expect(row.drugPackage === null).toBe(!row.requiresNdc);
      if (row.drugPackage !== null) expect(row.drugPackage.ndc).toMatch(/^\d{11}$/);
    }
  });
});

describe("reason codes", () => {
  it("keep the group rules of the list", () => {
    const bound = {
      "18": ["OA"],
      "23": ["OA"],
      "45": ["CO", "PR"],
      "209": ["OA"],
      "222": ["CO"],
      "257": ["OA"],
      "303": ["CO"],
    };
    for (const [carc, groups] of Object.entries(bound)) {
      expect(CARC.get(carc).groups).toEqual(groups);
      for (const group of reference.GROUP_CODES)
        expect(isGroupAllowed(carc, group)).toBe((groups as string[]).includes(group));
    }
  });

  it("reject a group that the reason does not allow, and an unknown reason", () => {
    expect(isGroupAllowed("18", "CO")).toBe(false);
    expect(isGroupAllowed("97", "PR")).toBe(false);
    expect(isGroupAllowed("999", "CO")).toBe(false);
  });

  it("leave out retired reasons and remarks", () => {
    for (const code of ["15", "165"]) expect(CARC.has(code)).toBe(false);
    expect(RARC.has("N29")).toBe(false);
  });

  it("name existing remarks, one of them no alert where a remark is needed", () => {
    for (const row of CARC.rows) {
      for (const remark of row.remarks) expect(RARC.has(remark), `${row.code} ${remark}`).toBe(true);
      if (row.needsRemark) expect(row.remarks.some((remark) => !RARC.get(remark).alert)).toBe(true);
    }
  });

  it("offer three to six causes for every denial", () => {
    for (const { code } of denials) {
      expect(rootCausesFor(code).length, code).toBeGreaterThanOrEqual(3);
      expect(rootCausesFor(code).length, code).toBeLessThanOrEqual(6);
    }
  });
});

describe("root causes", () => {
  it("are exactly the vocabulary", () => {
    expect([...ROOT_CAUSES.keys].sort()).toEqual([...ROOT_CAUSE_IDS].sort());
  });

  it("are each reachable from a reason code or from another signal", () => {
    for (const row of ROOT_CAUSES.rows) {
      for (const carc of row.carcs) expect(CARC.has(carc), `${row.id} ${carc}`).toBe(true);
      const otherSignal = row.signals.some((signal) => signal !== "remit_denial");
      expect(row.carcs.length > 0 || otherSignal, row.id).toBe(true);
    }
  });

  it("carry every case archetype that has a cause of its own", () => {
    const carried = new Set(ROOT_CAUSES.rows.flatMap((row) => row.archetypes));
    const expected = [...Array.from({ length: 31 }, (_, at) => at + 1), 37, 38];
    expect([...carried].sort((a, b) => a - b)).toEqual(expected);
  });

  it("name an existing prevention and escalation reason, and leave no prevention unused", () => {
    const used = new Set(ROOT_CAUSES.rows.map((row) => row.prevention));
    for (const id of used) expect(PREVENTIONS.has(id)).toBe(true);
    expect([...used].sort()).toEqual([...PREVENTION_IDS].sort());
    for (const row of ROOT_CAUSES.rows)
      if (row.escalation !== null) expect(ESCALATION_REASONS.has(row.escalation)).toBe(true);
  });

  it("correct only fields that a reason code they stand behind can blame", () => {
    const strays = ROOT_CAUSES.rows.flatMap(({ id, remedy, carcs }) =>
      remedy.act === "correct"
        ? carcs
            .filter((carc) => !CARC.get(carc).corrections.includes(remedy.kind))
            .map((carc) => `${id} behind ${carc}`)
        : [],
    );
    expect(strays).toEqual([]);
  });
});

describe("dispositions", () => {
  it("are exactly the vocabulary", () => {
    expect([...DISPOSITIONS.keys].sort()).toEqual([...DISPOSITION_IDS].sort());
  });
});
