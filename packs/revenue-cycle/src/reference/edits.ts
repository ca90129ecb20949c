/**
 * House coding edits on HCPCS Level II codes, in the manner of the public edit files: pairs that are not paid together and
 * unit caps. They are our own, not a copy of any published file, and await an expert.
 */
import { type AdjudicationIndicator, HCPCS } from "./hcpcs.js";
import { byPractice, defineTable, type Provenance } from "./table.js";

/** `column2` is bundled into `column1`. Indicator 0 never parts them; 1 does with a listed modifier on either code. */
export interface BundlingPair extends Provenance {
  readonly id: string;
  readonly column1: string;
  readonly column2: string;
  readonly indicator: 0 | 1;
  readonly acceptedModifiers: readonly string[];
  readonly reason: string;
}

const never = (column1: string, column2: string, reason: string): BundlingPair => ({
  id: `${column1}/${column2}`,
  column1,
  column2,
  indicator: 0,
  acceptedModifiers: [],
  reason,
  ...byPractice(),
});
const unless = (
  column1: string,
  column2: string,
  acceptedModifiers: readonly string[],
  reason: string,
): BundlingPair => ({ ...never(column1, column2, reason), indicator: 1, acceptedModifiers });

const onePlace = "Two devices of one kind for one home";
const sameTrip = "One trip has one level of service";
const sameLimb = "One joint takes one brace at a time";
const sides = ["LT", "RT", "XS"];

/** Every bundling pair, by "column1/column2". */
export const BUNDLING_PAIRS = defineTable<BundlingPair>("bundling pairs", (row) => row.id, [
  never("E1390", "E0424", onePlace),
  never("E1390", "E0439", onePlace),
  never("E0439", "E0424", onePlace),
  never("E1392", "E0431", onePlace),
  never("E1392", "E0434", onePlace),
  never("E0434", "E0431", onePlace),
  never("E0470", "E0601", onePlace),
  never("E0471", "E0601", onePlace),
  never("E0471", "E0470", onePlace),
  never("E0466", "E0470", "A ventilator takes in what the bi-level device does"),
  never("E0466", "E0471", "A ventilator takes in what the bi-level device does"),
  never("E0465", "E0466", onePlace),
  never("E0260", "E0250", onePlace),
  never("E0260", "E0255", onePlace),
  never("E0255", "E0250", onePlace),
  never("E2100", "E0607", onePlace),
  never("K0823", "K0001", "One chair for one patient"),
  never("K0823", "K0003", "One chair for one patient"),
  never("K0003", "K0001", "One chair for one patient"),
  never("A4353", "A4351", "The kit holds the catheter"),
  never("A4353", "A4310", "The kit holds the insertion supplies"),
  never("L0650", "L0648", "One spine takes one brace"),
  never("J1745", "Q5103", "A patient receives one infliximab product"),
  unless("A7030", "A7034", ["XU"], "One mask at a time, unless the prescription changed"),
  unless("L4360", "L1902", sides, sameLimb),
  unless("L1833", "L1902", sides, "Knee and ankle braces on one leg overlap"),
  unless("L1833", "L4360", sides, "Knee brace and boot on one leg overlap"),
  unless("A0426", "A0428", ["XE"], sameTrip),
  unless("A0427", "A0429", ["XE"], sameTrip),
  unless("A0427", "A0428", ["XE"], sameTrip),
  unless("G0299", "G0300", ["XE", "XP"], "One nursing visit is billed by one nurse"),
  unless("G0151", "G0152", ["XE", "XP"], "Therapists of two kinds do not share the same minutes"),
  unless("G0108", "G0109", ["XE"], "Training is single or in a group in one session"),
]);

/** The pair that joins two codes, in either order; undefined when none does. */
export function bundlingPair(one: string, other: string): BundlingPair | undefined {
  return BUNDLING_PAIRS.find(`${one}/${other}`) ?? BUNDLING_PAIRS.find(`${other}/${one}`);
}

/** A cap on units of one code for one patient and day (per line where `mai` is 1). */
export interface UnitCap extends Provenance {
  readonly code: string;
  readonly maxUnits: number;
  readonly mai: AdjudicationIndicator;
  /** 1: the excess only; 2 and 3: every unit of the code on that day. */
  readonly denies: "excess_of_line" | "all_units_of_day";
  /** Whether records can lift the cap on appeal. */
  readonly liftedByRecords: boolean;
}

/** Every unit cap, by code; the numbers are those of the code's row. */
export const UNIT_CAPS = defineTable<UnitCap>(
  "unit caps",
  (row) => row.code,
  HCPCS.rows.map(({ code, maxUnitsPerDay, mai }) => ({
    code,
    maxUnits: maxUnitsPerDay,
    mai,
    denies: mai === 1 ? "excess_of_line" : "all_units_of_day",
    liftedByRecords: mai === 3,
    ...byPractice(),
  })),
);
