/** Urinary catheters and bags, after the prosthetic-device benefit and contractor policy, in our own words. */
import { authorizedBy, criterion, defineCoveragePolicy } from "../coverage-policy.js";
import { PAYER_IDS } from "../payer-profile.js";
import { byPractice } from "../table.js";

const catheters = ["A4351", "A4353"];

export const UROLOGICAL_SUPPLIES = defineCoveragePolicy({
  id: "urological-supplies",
  title: "Urological supplies",
  topic: "supply",
  payers: PAYER_IDS,
  coverage: [
    {
      hcpcs: ["A4310", "A4357", ...catheters],
      diagnoses: ["N31.9", "R33.8", "R33.9", "N39.498", "G35.A", "G82.20", "G82.50"],
    },
  ],
  criteria: [
    criterion("permanent", "Incontinence or retention that is permanent.", "permanent_urinary_impairment", "present", {
      group: "lasting",
    }),
    criterion(
      "long-lasting",
      "An impairment expected to last {threshold} months or more.",
      "impairment_expected_months",
      "gte",
      { threshold: 3, group: "lasting" },
    ),
    criterion(
      "frequency",
      "The order or the note states {threshold} or more catheterizations a day.",
      "catheterizations_per_day",
      "gte",
      { threshold: 1, hcpcs: catheters },
    ),
    criterion(
      "infections",
      "Infections on clean technique within {withinDays} days before the order.",
      "recurrent_infection_on_clean_technique",
      "present",
      { withinDays: 365, hcpcs: ["A4353"] },
    ),
    criterion("signed-order", "A signed order names the item and the monthly quantity.", "signed_order", "present", {
      circumstances: ["signed_and_dated"],
    }),
  ],
  frequencyLimits: [
    { hcpcs: "A4310", units: 1, perDays: 30 },
    { hcpcs: "A4351", units: 200, perDays: 30 },
    { hcpcs: "A4353", units: 200, perDays: 30 },
    { hcpcs: "A4357", units: 2, perDays: 30 },
  ],
  authRequired: authorizedBy("crestway"),
  authCodes: ["A4353"],
  documents: ["order", "office_note", "delivery_receipt"],
  variants: {
    crestway: { frequencyLimits: [{ hcpcs: "A4351", units: 120, perDays: 30 }] },
    northfield: { withinDays: { infections: 180 } },
    "silverbirch-advantage": { thresholds: { "long-lasting": 6 } },
  },
  ...byPractice(),
});
