/**
 * HCPCS Level II codes (published by CMS; no dental D codes, no Level I) that the worlds bill.
 * The code and what it stands for follow the public file, in our own words. Charges, unit caps, adjudication
 * indicators and typical places of service are house values: they follow practice and await an expert.
 */
import { defineTable, type Provenance } from "./table.js";

export const HCPCS_CATEGORIES = [
  "oxygen",
  "pap",
  "ventilator",
  "bed",
  "glucose",
  "wheelchair",
  "orthosis",
  "prosthesis",
  "supply",
  "wound",
  "drug",
  "ambulance",
  "home-health",
  "other",
] as const;
export type HcpcsCategory = (typeof HCPCS_CATEGORIES)[number];

/** How a unit cap is judged: 1 per line, 2 per day and absolute, 3 per day and open to records. */
export type AdjudicationIndicator = 1 | 2 | 3;

/** A drug's package: the 11-digit NDC and how many HCPCS units one package holds. */
export interface DrugPackage {
  readonly ndc: string;
  readonly unitsPerPackage: number;
}

/** One billable code. `typicalChargeCents` is the house charge for one unit; for a rental, one month. */
export interface HcpcsCode extends Provenance {
  readonly code: string;
  readonly label: string;
  readonly category: HcpcsCategory;
  readonly typicalChargeCents: number;
  readonly unitBasis: string;
  readonly rental: boolean;
  readonly requiresOrderingProvider: boolean;
  readonly requiresNdc: boolean;
  readonly drugPackage: DrugPackage | null;
  readonly lateralityApplies: boolean;
  readonly maxUnitsPerDay: number;
  readonly mai: AdjudicationIndicator;
  readonly typicalPos: string;
}

const provenance: Provenance = {
  source: "CMS HCPCS Level II quarterly file (code and meaning); charge, cap and place are house values",
  review: "awaiting-expert",
};

type House = Pick<HcpcsCode, "typicalChargeCents" | "maxUnitsPerDay" | "mai">;
const house = (dollars: number, maxUnitsPerDay: number, mai: AdjudicationIndicator): House => ({
  typicalChargeCents: Math.round(dollars * 100),
  maxUnitsPerDay,
  mai,
});

function home(category: HcpcsCategory, unitBasis: string, flags: { rental?: boolean; sided?: boolean } = {}) {
  return (code: string, label: string, values: House): HcpcsCode => ({
    code,
    label,
    category,
    unitBasis,
    ...values,
    rental: flags.rental ?? false,
    requiresOrderingProvider: true,
    requiresNdc: false,
    drugPackage: null,
    lateralityApplies: flags.sided ?? false,
    typicalPos: "12",
    ...provenance,
  });
}

const drug = (code: string, label: string, unitBasis: string, values: House, drugPackage: DrugPackage): HcpcsCode => ({
  ...home("drug", unitBasis)(code, label, values),
  requiresOrderingProvider: false,
  requiresNdc: true,
  drugPackage,
  typicalPos: "11",
});

const ride = (code: string, label: string, unitBasis: string, values: House): HcpcsCode => ({
  ...home("ambulance", unitBasis)(code, label, values),
  requiresOrderingProvider: false,
  typicalPos: "41",
});

const oxygen = home("oxygen", "month", { rental: true });
const pap = home("pap", "month", { rental: true });
const papPart = home("pap", "each");
const ventilator = home("ventilator", "month", { rental: true });
const bed = home("bed", "month", { rental: true });
const chair = home("wheelchair", "month", { rental: true });
const meter = home("glucose", "each");
const brace = home("orthosis", "each", { sided: true });
const spinalBrace = home("orthosis", "each");
const limb = home("prosthesis", "each", { sided: true });
const supply = home("supply", "each");
const visit = home("home-health", "15 minutes");
const training = (code: string, label: string, values: House): HcpcsCode => ({
  ...home("other", "30 minutes")(code, label, values),
  typicalPos: "11",
});

/** Every code the worlds bill, by code. */
export const HCPCS = defineTable<HcpcsCode>("hcpcs", (row) => row.code, [
  oxygen("E0424", "Stationary compressed-gas oxygen system, rental", house(310, 1, 2)),
  oxygen("E0431", "Portable gaseous oxygen system, rental", house(120, 1, 2)),
  oxygen("E0434", "Portable liquid oxygen system, rental", house(135, 1, 2)),
  oxygen("E0439", "Stationary liquid oxygen system, rental", house(315, 1, 2)),
  oxygen("E1390", "Oxygen concentrator, one delivery port", house(300, 1, 2)),
  oxygen("E1392", "Portable oxygen concentrator, rental", house(145, 1, 2)),
  pap("E0601", "Continuous positive airway pressure device", house(168, 1, 2)),
  pap("E0470", "Bi-level device without backup rate, mask interface", house(355, 1, 2)),
  pap("E0471", "Bi-level device with backup rate, mask interface", house(690, 1, 2)),
  papPart("E0562", "Heated humidifier for a positive-pressure device", house(395, 1, 2)),
  papPart("A7030", "Full face mask for a positive-pressure device", house(265, 1, 3)),
  papPart("A7034", "Nasal interface for a positive-pressure device", house(165, 1, 3)),
  papPart("A7037", "Tubing for a positive-pressure device", house(58, 1, 1)),
  papPart("A7038", "Disposable filter for a positive-pressure device", house(9, 2, 1)),
  ventilator("E0465", "Home ventilator used through an invasive interface", house(1980, 1, 2)),
  ventilator("E0466", "Home ventilator used through a mask or shell", house(1980, 1, 2)),
  bed("E0250", "Fixed-height hospital bed with side rails and mattress", house(150, 1, 2)),
  bed("E0255", "Variable-height hospital bed with side rails and mattress", house(175, 1, 2)),
  bed("E0260", "Semi-electric hospital bed with side rails and mattress", house(215, 1, 2)),
  meter("E0607", "Home blood glucose monitor", house(95, 1, 2)),
  meter("E2100", "Blood glucose monitor with built-in voice", house(820, 1, 2)),
  home("glucose", "box of 50")("A4253", "Blood glucose test strips", house(48, 6, 3)),
  home("glucose", "box of 100")("A4259", "Lancets", house(18, 3, 3)),
  chair("K0001", "Standard manual wheelchair", house(98, 1, 2)),
  chair("K0003", "Lightweight manual wheelchair", house(172, 1, 2)),
  chair("K0823", "Power wheelchair, group 2 standard, captain's chair", house(690, 1, 2)),
  supply("A4310", "Catheter insertion tray without bag or catheter", house(14, 2, 3)),
  supply("A4351", "Intermittent urinary catheter, straight tip", house(4, 200, 3)),
  supply("A4353", "Intermittent urinary catheter kit with insertion supplies", house(13, 200, 3)),
  supply("A4357", "Bedside urinary drainage bag", house(16, 2, 3)),
  home("wound", "each")("A6550", "Dressing set for a negative-pressure wound pump", house(52, 15, 3)),
  home("wound", "month", { rental: true })("E2402", "Negative-pressure wound therapy pump", house(2650, 1, 2)),
  limb("L5301", "Below-knee prosthesis, molded socket, shin and foot", house(4650, 1, 3)),
  limb("L5321", "Above-knee prosthesis, molded socket, single-axis knee", house(7200, 1, 3)),
  limb("L5856", "Microprocessor knee addition, swing and stance control", house(34500, 1, 3)),
  brace("L3908", "Wrist-hand orthosis, off the shelf", house(110, 2, 2)),
  brace("L1833", "Knee orthosis with adjustable joints, off the shelf", house(980, 2, 2)),
  brace("L1902", "Ankle orthosis, gauntlet style, off the shelf", house(145, 2, 2)),
  brace("L4360", "Walking boot, pneumatic, custom fitted", house(465, 2, 2)),
  spinalBrace("L0648", "Lumbar-sacral orthosis, sagittal control, off the shelf", house(1390, 1, 2)),
  spinalBrace("L0650", "Lumbar-sacral orthosis, sagittal-coronal control, off the shelf", house(1720, 1, 2)),
  drug("J0585", "OnabotulinumtoxinA", "1 unit", house(12.4, 400, 3), { ndc: "00023114501", unitsPerPackage: 100 }),
  drug("J0897", "Denosumab", "1 mg", house(41, 120, 3), { ndc: "55513071001", unitsPerPackage: 60 }),
  drug("J1439", "Ferric carboxymaltose", "1 mg", house(2.6, 1000, 3), { ndc: "00517065001", unitsPerPackage: 750 }),
  drug("J1745", "Infliximab, not a biosimilar", "10 mg", house(165, 150, 3), {
    ndc: "57894003001",
    unitsPerPackage: 10,
  }),
  drug("J9035", "Bevacizumab", "10 mg", house(152, 170, 3), { ndc: "50242006001", unitsPerPackage: 10 }),
  drug("Q5103", "Infliximab biosimilar (dyyb)", "10 mg", house(118, 150, 3), {
    ndc: "00069080901",
    unitsPerPackage: 10,
  }),
  ride("A0425", "Ground ambulance mileage", "mile", house(18, 250, 1)),
  ride("A0426", "Ambulance, advanced life support level 1, not an emergency", "trip", house(720, 2, 3)),
  ride("A0427", "Ambulance, advanced life support level 1, emergency", "trip", house(1180, 2, 3)),
  ride("A0428", "Ambulance, basic life support, not an emergency", "trip", house(560, 4, 3)),
  ride("A0429", "Ambulance, basic life support, emergency", "trip", house(890, 2, 3)),
  visit("G0151", "Physical therapist in the home", house(62, 6, 3)),
  visit("G0152", "Occupational therapist in the home", house(62, 6, 3)),
  visit("G0299", "Registered nurse in the home, direct skilled care", house(58, 8, 3)),
  visit("G0300", "Licensed practical nurse in the home, direct skilled care", house(46, 8, 3)),
  training("G0108", "Diabetes self-management training, one patient", house(110, 6, 3)),
  training("G0109", "Diabetes self-management training, group", house(38, 12, 3)),
]);
