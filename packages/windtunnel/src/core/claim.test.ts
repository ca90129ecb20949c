import { describe, expect, it } from "vitest";
import { z } from "zod";
import { findContradictions, reconcileClaims } from "./claim.js";
import { money, ref } from "./field.js";
import { isMet } from "./verdict.js";
import { defineTable, defineWorld, World } from "./world.js";

const definition = defineWorld({
  claims: defineTable("CLM", { id: ref("claims"), paid: money(), codes: z.array(z.string()) }),
  truths: defineTable("TRU", { id: ref("truths"), paid: money() }, { sealed: true }),
});
const world = World.open(definition, { seed: "s", now: 0 });
world.insert("claims", { id: "CLM-1", paid: "19.00", codes: ["00420"] });
world.insert("truths", { id: "TRU-1", paid: "19.00" });
const claim = (field: string, value: unknown, id = "CLM-1", table = "claims") => ({ table, id, field, value });

describe("claims", () => {
  it("hold when every one is what the record says", () => {
    expect(isMet(reconcileClaims(world, [claim("paid", "19.00"), claim("codes", ["00420"])]))).toBe(true);
  });

  it.each([
    ["another value", claim("paid", "19.01")],
    ["another spelling of the value", claim("paid", "19")],
    ["a number for the text", claim("paid", 19)],
    ["a code without its zeros", claim("codes", ["420"])],
    ["a record that does not exist", claim("paid", "19.00", "CLM-2")],
    ["a table that does not exist", claim("paid", "19.00", "CLM-1", "claim")],
    ["a field that does not exist", claim("colour", "red")],
  ])("fail on %s, and count in proportion beside one that holds", (_, wrong) => {
    expect(reconcileClaims(world, [wrong])).toMatchObject({ kind: "scored", value: 0 });
    expect(reconcileClaims(world, [claim("paid", "19.00"), wrong])).toMatchObject({ kind: "scored", value: 0.5 });
  });

  it("of sealed records fail, whatever they say, for whoever sees only what is visible", () => {
    expect(isMet(reconcileClaims(world.visible(), [claim("paid", "19.00", "TRU-1", "truths")]))).toBe(false);
  });

  it("that are none are unscored, never a pass", () => {
    expect(reconcileClaims(world, []).kind).toBe("unscored");
  });
});

describe("prose", () => {
  const known = { ids: new Set(["CLM-4100"]), amounts: new Set(["1200.00", "19.50"]) };

  it("that names known ids and amounts, however written, contradicts nothing", () => {
    expect(findContradictions("CLM-4100 paid $1,200 and $19.5 ($ 1,200.00).", known)).toEqual([]);
  });

  it("contradicts with each unknown id and amount", () => {
    expect(findContradictions("CLM-4101 paid $12.00, not $1,200.01; see CLM-4100.", known)).toEqual([
      "CLM-4101",
      "$12.00",
      "$1,200.01",
    ]);
  });

  it("is read the same in full-width characters", () => {
    expect(findContradictions("ＣＬＭ-４１０１", known)).toEqual(["CLM-4101"]);
  });
});
