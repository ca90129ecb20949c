/** Drugs given by injection or infusion in the office, each with its diagnoses, in our own words. */
import { authorizedBy, criterion, defineCoveragePolicy } from "../coverage-policy.js";
import { PAYER_IDS } from "../payer-profile.js";
import { byPractice } from "../table.js";

const infliximab = ["J1745", "Q5103"];

export const INFUSION_DRUG = defineCoveragePolicy({
  id: "infusion-drug",
  title: "Drugs given by injection or infusion",
  topic: "drug",
  payers: PAYER_IDS,
  coverage: [
    { hcpcs: infliximab, diagnoses: ["K50.00", "K50.90", "K51.90", "M05.79", "M06.9", "L40.0", "L40.50", "M45.9"] },
    { hcpcs: ["J0585"], diagnoses: ["G43.709", "G43.719"] },
    { hcpcs: ["J9035"], diagnoses: ["C18.9", "C34.11", "C34.12", "C56.1", "C56.2"] },
    { hcpcs: ["J0897"], diagnoses: ["M81.0"] },
    { hcpcs: ["J1439"], diagnoses: ["D50.0", "D50.9"] },
  ],
  criteria: [
    criterion(
      "dose-recorded",
      "The infusion record gives dose, drug code, lot and wasted amount.",
      "dose_and_waste_recorded",
      "present",
      { circumstances: ["signed_and_dated"] },
    ),
    criterion("signed-order", "An order signed before the dose.", "signed_order", "present", {
      circumstances: ["signed_and_dated"],
    }),
    criterion(
      "prior-therapy",
      "Ordinary treatment was tried for {threshold} weeks or more without success.",
      "prior_therapy_weeks",
      "gte",
      { threshold: 12, hcpcs: infliximab },
    ),
    criterion(
      "tuberculosis",
      "A negative tuberculosis screen within {withinDays} days before the dose.",
      "tuberculosis_screen_negative",
      "present",
      { withinDays: 365, before: "service", hcpcs: infliximab },
    ),
    criterion(
      "weight",
      "Body weight of {threshold} kg or more, recorded within {withinDays} days before the dose, from which the dose follows.",
      "body_weight_kg",
      "gte",
      { threshold: 20, withinDays: 30, before: "service", hcpcs: [...infliximab, "J9035"] },
    ),
    criterion(
      "headache-days",
      "{threshold} or more headache days a month before treatment.",
      "headache_days_per_month",
      "gte",
      { threshold: 15, hcpcs: ["J0585"] },
    ),
    criterion(
      "bone-density",
      "Bone density T-score of {threshold} or lower within {withinDays} days before the dose.",
      "bone_density_t_score",
      "lte",
      { threshold: -2.5, withinDays: 730, before: "service", hcpcs: ["J0897"] },
    ),
    criterion(
      "ferritin",
      "Ferritin of {threshold} ng/mL or lower within {withinDays} days before the dose.",
      "ferritin_ng_per_ml",
      "lte",
      { threshold: 100, withinDays: 60, before: "service", hcpcs: ["J1439"] },
    ),
  ],
  frequencyLimits: [
    { hcpcs: "J0585", units: 400, perDays: 84 },
    { hcpcs: "J0897", units: 60, perDays: 180 },
    { hcpcs: "J1439", units: 1500, perDays: 30 },
  ],
  authRequired: authorizedBy("harborlight-advantage", "silverbirch-advantage", "northfield", "crestway"),
  authCodes: ["J1745", "Q5103", "J0585", "J9035", "J0897"],
  documents: ["order", "infusion_record", "office_note", "test_report"],
  variants: {
    crestway: { thresholds: { "prior-therapy": 16, ferritin: 30 }, withinDays: { tuberculosis: 180 } },
    northfield: { thresholds: { "prior-therapy": 8 } },
    "silverbirch-advantage": { thresholds: { "headache-days": 20 } },
  },
  ...byPractice(),
});
