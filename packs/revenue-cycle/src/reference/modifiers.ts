/**
 * HCPCS Level II modifiers (published by CMS), in our own words. Numeric (Level I) modifiers are licensed and absent.
 * `correction` names the row of a payer's correction map that governs adding or changing the modifier later.
 */
import type { CorrectionKind } from "./payer-profile.js";
import { byPractice, bySource, defineTable, type Provenance } from "./table.js";

export const MODIFIER_KINDS = [
  "rental-or-purchase",
  "coverage-statement",
  "anatomic",
  "distinct-service",
  "liability",
  "drug",
  "hospice",
  "functional-level",
  "transport",
] as const;
export type ModifierKind = (typeof MODIFIER_KINDS)[number];

export interface Modifier extends Provenance {
  readonly code: string;
  readonly meaning: string;
  readonly kind: ModifierKind;
  readonly correction: CorrectionKind;
  /** Modifiers that may not stand on the same line. */
  readonly excludes: readonly string[];
}

const cms = bySource("CMS HCPCS Level II modifier list");
const add =
  (kind: ModifierKind, correction: CorrectionKind, provenance: Provenance = cms) =>
  (code: string, meaning: string, excludes: readonly string[] = []): Modifier => ({
    code,
    meaning,
    kind,
    correction,
    excludes,
    ...provenance,
  });

const tenure = add("rental-or-purchase", "modifier");
const coverage = add("coverage-statement", "liability_modifier");
const side = add("anatomic", "modifier", bySource("findacode.com NCCI modifiers"));
const distinct = add("distinct-service", "unbundling_modifier", bySource("texmed.org 1579"));
const notice = add("liability", "liability_modifier", bySource("Noridian JD DME liability modifiers"));
const waste = add("drug", "modifier");
const hospice = add("hospice", "modifier");
const ability = add("functional-level", "modifier");
const trip = add("transport", "modifier", byPractice());

/** Every modifier the worlds use, by code. */
export const MODIFIERS = defineTable<Modifier>("modifiers", (row) => row.code, [
  tenure("NU", "Bought new", ["RR", "UE"]),
  tenure("UE", "Bought used", ["NU", "RR"]),
  tenure("RR", "Rented", ["NU", "UE"]),
  tenure("KH", "First rental month, or the purchase itself", ["KI", "KJ"]),
  tenure("KI", "Second or third rental month", ["KH", "KJ"]),
  tenure("KJ", "Fourth to thirteenth rental month", ["KH", "KI"]),
  coverage("KX", "The supplier states that the policy's coverage conditions are met and on file", ["GA", "GZ", "GY"]),
  coverage("KS", "Glucose supplies for a patient who does not inject insulin", ["KX"]),
  side("LT", "Left side"),
  side("RT", "Right side"),
  side("LM", "Left main coronary artery"),
  side("RI", "Ramus intermedius coronary artery"),
  side("E1", "Upper left eyelid"),
  side("E2", "Lower left eyelid"),
  side("E3", "Upper right eyelid"),
  side("E4", "Lower right eyelid"),
  side("FA", "Left thumb"),
  side("F5", "Right thumb"),
  side("TA", "Left great toe"),
  side("T5", "Right great toe"),
  distinct("XE", "Separate encounter"),
  distinct("XS", "Separate organ or structure"),
  distinct("XP", "Separate practitioner"),
  distinct("XU", "Unusual service that does not overlap the main one"),
  notice("GA", "Signed advance notice on file: expected to be refused as not necessary", ["GZ", "GX"]),
  notice("GX", "Voluntary notice given for an excluded item", ["GA", "GZ"]),
  notice("GY", "Excluded by statute, no notice needed", ["GA", "GZ"]),
  notice("GZ", "Expected to be refused as not necessary, and no signed notice", ["GA", "GX", "GY"]),
  waste("JW", "Amount of a single-dose drug thrown away"),
  waste("JZ", "Nothing of a single-dose drug thrown away", ["JW"]),
  hospice("GW", "Has nothing to do with the illness that hospice treats"),
  ability("K2", "Functional level 2: limited community walker"),
  ability("K3", "Functional level 3: walks in the community at changing speeds"),
  ability("K4", "Functional level 4: exceeds basic walking"),
  trip("RH", "From home to hospital"),
  trip("HR", "From hospital to home"),
  trip("RJ", "From home to a free-standing dialysis facility"),
  trip("JR", "From a free-standing dialysis facility to home"),
  trip("HN", "From hospital to a skilled nursing facility"),
  trip("NH", "From a skilled nursing facility to hospital"),
  trip("SH", "From the scene to hospital"),
]);

/** Pairs of modifiers on one line that exclude each other; empty when the line is sound. Unknown codes are ignored. */
export function conflictingModifiers(codes: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  codes.forEach((left, at) => {
    for (const right of codes.slice(at + 1)) {
      const excluded = MODIFIERS.find(left)?.excludes.includes(right) || MODIFIERS.find(right)?.excludes.includes(left);
      if (excluded) pairs.push([left, right]);
    }
  });
  return pairs;
}
