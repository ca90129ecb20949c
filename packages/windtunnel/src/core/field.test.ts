import { describe, expect, it } from "vitest";
import { z } from "zod";
import { date, instant, kind, meaningOf, money, prose, ref, refToAny } from "./field.js";

describe("a marked field", () => {
  it.each([
    ["as it is", ref("claims")],
    ["optional", ref("claims").optional()],
    ["nullable", ref("claims").nullable()],
    ["with a default", ref("claims").default("CLM-1")],
    ["wrapped three times", ref("claims").nullable().optional().default(null)],
    ["described", ref("claims").describe("which claim")],
    ["described after wrapping", ref("claims").optional().describe("which claim")],
    ["with a further check", ref("claims").min(3)],
  ])("keeps its meaning %s", (_, schema) => {
    expect(meaningOf(schema)).toEqual({ kind: "ref:claims", table: "claims" });
  });

  it("tells kinds apart, and names a table only for ids of its rows", () => {
    expect(meaningOf(kind("npi"))).toEqual({ kind: "npi" });
    expect(meaningOf(money())).toEqual({ kind: "money:USD" });
    expect(meaningOf(money("EUR"))).toEqual({ kind: "money:EUR" });
    expect(meaningOf(refToAny(["pages", "letters"]))).toEqual({ kind: "ref:pages|ref:letters" });
    expect(meaningOf(prose())).toEqual({ kind: "prose" });
    expect(meaningOf(z.string())).toBeUndefined();
    expect(meaningOf(z.number().optional())).toBeUndefined();
  });

  it("shows its meaning in JSON Schema", () => {
    const schema = z.toJSONSchema(z.object({ claim: ref("claims"), code: kind("hcpcs").optional() }), { io: "input" });
    expect(schema.properties).toMatchObject({
      claim: { type: "string", "x-kind": "ref:claims", "x-table": "claims" },
      code: { type: "string", "x-kind": "hcpcs" },
    });
  });

  it("does not mark other schemas made from the same constructor", () => {
    ref("claims");
    expect(z.toJSONSchema(z.string())).not.toHaveProperty("x-kind");
  });
});

describe("formats", () => {
  it.each(["120.00", "0.05", "-3.10"])("money accepts %s", (text) => {
    expect(money().parse(text)).toBe(text);
  });

  it.each(["120", "120.0", "1,200.00", "$5.00", ".50", "1e2", " 5.00", "5.00\n", 120])("money refuses %j", (value) => {
    expect(money().safeParse(value).success).toBe(false);
  });

  it("instants and dates are refused when they are shaped like neither", () => {
    expect(instant().safeParse("2026-03-02T09:00:00Z").success).toBe(true);
    for (const bad of ["2026-03-02", "2026-03-02T09:00:00+01:00", "2026-03-02T09:00:00.5Z"])
      expect(instant().safeParse(bad).success).toBe(false);
    expect(date().safeParse("2026-03-02").success).toBe(true);
    for (const bad of ["02.03.2026", "2026-3-2", "2026-03-02T00:00:00Z"])
      expect(date().safeParse(bad).success).toBe(false);
  });
});
