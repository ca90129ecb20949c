/**
 * What each payer has agreed to pay: fee schedules by year, their clauses in our own words, and the house charge beside them.
 * Rates are whole cents per unit and follow from the house charge by a fixed share per payer and category, so that every
 * run of every world computes the same cent. They are invented and await an expert.
 */
import { HCPCS, type HcpcsCategory, type HcpcsCode } from "./hcpcs.js";
import type { PayerId } from "./payer-profile.js";
import { byPractice, defineTable, type Provenance } from "./table.js";

export const CLAUSE_KINDS = [
  "hold_harmless",
  "lesser_of",
  "timely_payment",
  "verification_binding",
  "covered_services",
  "rental_cap",
  "provider_limit",
  "recoupment",
] as const;
export type ClauseKind = (typeof CLAUSE_KINDS)[number];

/** A contract clause; `days` is the number that it turns on, null when it has none. */
export interface ContractClause {
  readonly id: string;
  readonly kind: ClauseKind;
  readonly title: string;
  readonly text: string;
  readonly days: number | null;
}

/** One year's schedule; ISO days, both included. */
export interface FeeSchedule {
  readonly id: string;
  readonly effectiveFrom: string;
  readonly effectiveThrough: string;
  /** Rates relative to the base year, in hundredths of a percent. */
  readonly levelBasisPoints: number;
}

export interface Contract extends Provenance {
  readonly id: string;
  readonly payerId: PayerId;
  readonly schedules: readonly FeeSchedule[];
  /** Share of the house charge that is the base rate, by category, in hundredths of a percent. */
  readonly shareBasisPoints: Readonly<Record<HcpcsCategory, number>>;
  /** Codes whose base rate, in cents, was negotiated apart. */
  readonly carveOutCents: Readonly<Record<string, number>>;
  /** Codes that the schedule leaves out. */
  readonly excludedCodes: readonly string[];
  readonly lesserOfCharge: boolean;
  readonly sequestrationBasisPoints: number;
  readonly clauses: readonly ContractClause[];
}

interface Terms {
  readonly yearlyLevels: readonly [number, number, number, number];
  readonly share: number;
  readonly shares?: Partial<Record<HcpcsCategory, number>>;
  readonly carveOutCents?: Record<string, number>;
  readonly excludedCodes?: readonly string[];
  readonly lesserOfCharge: boolean;
  readonly sequestrationBasisPoints?: number;
  readonly clauses: readonly Omit<ContractClause, "id">[];
}

const firstYear = 2024;

function categories(fill: number, own: Partial<Record<HcpcsCategory, number>>): Record<HcpcsCategory, number> {
  const shares = { ...own } as Record<HcpcsCategory, number>;
  for (const { category } of HCPCS.rows) shares[category] ??= fill;
  return shares;
}

function contract(payerId: PayerId, terms: Terms): Contract {
  return {
    id: `${payerId}-agreement`,
    payerId,
    schedules: terms.yearlyLevels.map((levelBasisPoints, offset) => ({
      id: `${payerId}-${firstYear + offset}`,
      effectiveFrom: `${firstYear + offset}-01-01`,
      effectiveThrough: `${firstYear + offset}-12-31`,
      levelBasisPoints,
    })),
    shareBasisPoints: categories(terms.share, terms.shares ?? {}),
    carveOutCents: terms.carveOutCents ?? {},
    excludedCodes: terms.excludedCodes ?? [],
    lesserOfCharge: terms.lesserOfCharge,
    sequestrationBasisPoints: terms.sequestrationBasisPoints ?? 0,
    clauses: terms.clauses.map((clause, at) => ({ id: `${at + 1}`, ...clause })),
    ...byPractice(),
  };
}

const harmless = (text: string): Omit<ContractClause, "id"> => ({
  kind: "hold_harmless",
  title: "Members held harmless",
  text,
  days: null,
});
const payWithin = (days: number): Omit<ContractClause, "id"> => ({
  kind: "timely_payment",
  title: "Time to pay",
  text: `A clean claim is paid or answered within ${days} days of its acceptance.`,
  days,
});
const listed: Omit<ContractClause, "id"> = {
  kind: "covered_services",
  title: "Services on the schedule",
  text: "A service on the schedule is a covered service. If it is refused as outside the plan, the provider bears it until the parties settle it, and the member is not asked to pay.",
  days: null,
};
const rentalCap = (months: number): Omit<ContractClause, "id"> => ({
  kind: "rental_cap",
  title: "Rental months",
  text: `Rented equipment other than oxygen and ventilators is paid for ${months} months, then belongs to the member.`,
  days: null,
});
const lesserOf: Omit<ContractClause, "id"> = {
  kind: "lesser_of",
  title: "Lesser of charge and rate",
  text: "The payer owes the lesser of the billed charge and the schedule's rate.",
  days: null,
};

/** Every contract, by payer id. */
export const CONTRACTS = defineTable<Contract>("contracts", (row) => row.payerId, [
  contract("medicare-region-c", {
    yearlyLevels: [10_000, 10_240, 10_460, 10_690],
    share: 6200,
    shares: { drug: 7400, ambulance: 6800, oxygen: 5600, prosthesis: 7000 },
    excludedCodes: ["G0151", "G0152", "G0299", "G0300"],
    lesserOfCharge: true,
    sequestrationBasisPoints: 200,
    clauses: [
      harmless(
        "A participating supplier accepts the schedule as full payment and collects no more than the cost share.",
      ),
      payWithin(30),
      lesserOf,
      rentalCap(13),
    ],
  }),
  contract("harborlight-advantage", {
    yearlyLevels: [10_000, 10_150, 10_300, 10_500],
    share: 6000,
    shares: { drug: 7500, ambulance: 6600, wheelchair: 5800 },
    lesserOfCharge: true,
    clauses: [
      harmless(
        "Members owe the cost share and nothing more, unless an organization determination made them liable first.",
      ),
      payWithin(30),
      {
        kind: "verification_binding",
        title: "Eligibility answers",
        text: "An answer of active membership binds the plan for services within 5 days of it.",
        days: 5,
      },
      listed,
      lesserOf,
      rentalCap(13),
    ],
  }),
  contract("silverbirch-advantage", {
    yearlyLevels: [10_000, 10_000, 10_180, 10_180],
    share: 5700,
    shares: { drug: 7300, pap: 5000, ambulance: 6400 },
    lesserOfCharge: false,
    clauses: [
      harmless("The supplier looks to the plan alone for payment and bills members for cost share only."),
      payWithin(45),
      listed,
      rentalCap(10),
    ],
  }),
  contract("northfield", {
    yearlyLevels: [10_000, 10_300, 10_600, 10_900],
    share: 7200,
    shares: { drug: 8200, oxygen: 6800, orthosis: 7600 },
    carveOutCents: { E1390: 21_500, L3908: 8_640, K0823: 49_000 },
    lesserOfCharge: false,
    clauses: [
      harmless("CO and PI amounts are never charged to members; excluded services only with the plan's signed waiver."),
      payWithin(30),
      {
        kind: "verification_binding",
        title: "Verification of coverage",
        text: "The plan will not refuse for loss of coverage a service given within 30 days of its answer that coverage was active.",
        days: 30,
      },
      listed,
      rentalCap(10),
      {
        kind: "recoupment",
        title: "Recovery of payments",
        text: "No payment is recovered more than 365 days after it was made, fraud apart.",
        days: 365,
      },
    ],
  }),
  contract("crestway", {
    yearlyLevels: [10_000, 10_100, 10_100, 10_350],
    share: 6600,
    shares: { drug: 7800, orthosis: 6200, prosthesis: 6900 },
    carveOutCents: { E0601: 10_400, E0470: 22_900 },
    lesserOfCharge: true,
    clauses: [
      harmless(
        "Members owe deductible, coinsurance, copayment and services beyond a yearly benefit limit, and nothing else.",
      ),
      payWithin(40),
      listed,
      lesserOf,
      {
        kind: "provider_limit",
        title: "Visits per provider",
        text: "One provider is paid for no more than 60 home visits a month in all; visits beyond that are not charged to members.",
        days: null,
      },
      rentalCap(12),
    ],
  }),
  contract("tri-county-medicaid", {
    yearlyLevels: [10_000, 10_000, 10_000, 10_200],
    share: 4600,
    shares: { drug: 7000, ambulance: 4200 },
    excludedCodes: ["L5856"],
    lesserOfCharge: true,
    clauses: [
      harmless("The program's payment is payment in full; a member owes at most the stated copayment."),
      payWithin(30),
      lesserOf,
      rentalCap(10),
    ],
  }),
]);

/** A rate per unit in cents, and where it stands. */
export interface Rate {
  readonly found: true;
  readonly unitRateCents: number;
  readonly scheduleId: string;
  readonly effectiveFrom: string;
  readonly effectiveThrough: string;
  readonly lesserOfCharge: boolean;
}

/** Why there is no rate. */
export interface NoRate {
  readonly found: false;
  readonly reason: "no_schedule_on_date" | "code_not_on_schedule";
}

const purchaseMonths = 10;

/** The multiple of the base price, in hundredths of a percent, that the tenure modifiers ask for. */
function tenureBasisPoints(row: HcpcsCode, modifiers: readonly string[]): number {
  const purchase = row.rental ? purchaseMonths * 10_000 : 10_000;
  if (modifiers.includes("UE")) return (purchase * 3) / 4;
  if (modifiers.includes("NU")) return purchase;
  return row.rental && modifiers.includes("KJ") ? 7_500 : 10_000;
}

/**
 * The contract rate of one unit on an ISO day. A rental code is priced by the month; NU is ten months, UE three quarters of
 * that, KJ three quarters of a month. Throws on an unknown payer or code.
 */
export function rateFor(payerId: PayerId, code: string, modifiers: readonly string[], isoDay: string): Rate | NoRate {
  const agreement = CONTRACTS.get(payerId);
  const row = HCPCS.get(code);
  const schedule = agreement.schedules.find((one) => one.effectiveFrom <= isoDay && isoDay <= one.effectiveThrough);
  if (schedule === undefined) return { found: false, reason: "no_schedule_on_date" };
  if (agreement.excludedCodes.includes(code)) return { found: false, reason: "code_not_on_schedule" };
  const baseCents =
    agreement.carveOutCents[code] ??
    Math.round((row.typicalChargeCents * agreement.shareBasisPoints[row.category]) / 10_000);
  const levelled = Math.round((baseCents * schedule.levelBasisPoints) / 10_000);
  return {
    found: true,
    unitRateCents: Math.round((levelled * tenureBasisPoints(row, modifiers)) / 10_000),
    scheduleId: schedule.id,
    effectiveFrom: schedule.effectiveFrom,
    effectiveThrough: schedule.effectiveThrough,
    lesserOfCharge: agreement.lesserOfCharge,
  };
}

/** The house charge of one unit in cents, with the same modifier rules as the rate. Throws on an unknown code. */
export function chargeFor(code: string, modifiers: readonly string[]): number {
  const row = HCPCS.get(code);
  return Math.round((row.typicalChargeCents * tenureBasisPoints(row, modifiers)) / 10_000);
}

/** Codes on a payer's schedule, in table order. */
export const codesOnSchedule = (payerId: PayerId): readonly string[] =>
  HCPCS.keys.filter((code) => !CONTRACTS.get(payerId).excludedCodes.includes(code));
