/** Negative-pressure wound therapy at home, in our own words. */
import { authorizedBy, criterion, defineCoveragePolicy } from "../coverage-policy.js";
import { PAYER_IDS } from "../payer-profile.js";
import { byPractice } from "../table.js";

export const NEGATIVE_PRESSURE_WOUND = defineCoveragePolicy({
  id: "negative-pressure-wound",
  title: "Negative-pressure wound therapy at home",
  topic: "wound",
  payers: PAYER_IDS,
  coverage: [
    { hcpcs: ["E2402", "A6550"], diagnoses: ["L89.153", "L89.154", "L97.411", "L97.412", "E11.621", "T81.31XA"] },
  ],
  criteria: [
    criterion(
      "ordinary-care",
      "Ordinary wound care for {threshold} days or more did not heal the wound.",
      "wound_care_days",
      "gte",
      { threshold: 30, withinDays: 60 },
    ),
    criterion("depth", "The wound is {threshold} mm deep or more.", "wound_depth_mm", "gte", {
      threshold: 5,
      withinDays: 14,
    }),
    criterion("signed-order", "An order signed before delivery.", "signed_order", "present", {
      circumstances: ["signed_and_dated"],
    }),
  ],
  frequencyLimits: [
    { hcpcs: "E2402", units: 1, perDays: 30 },
    { hcpcs: "A6550", units: 15, perDays: 30 },
  ],
  authRequired: authorizedBy("northfield", "crestway", "harborlight-advantage", "silverbirch-advantage"),
  authCodes: ["E2402"],
  documents: ["order", "wound_log", "office_note", "delivery_receipt"],
  variants: {
    crestway: { thresholds: { "ordinary-care": 45 } },
    northfield: { thresholds: { "ordinary-care": 14 } },
  },
  ...byPractice(),
});
