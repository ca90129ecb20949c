/** Lower-limb prostheses by functional level, after contractor policy, in our own words. */
import { authorizedBy, criterion, defineCoveragePolicy } from "../coverage-policy.js";
import { PAYER_IDS } from "../payer-profile.js";
import { byPractice } from "../table.js";

export const LIMB_PROSTHESIS = defineCoveragePolicy({
  id: "limb-prosthesis",
  title: "Lower-limb prostheses",
  topic: "prosthesis",
  payers: PAYER_IDS,
  coverage: [
    { hcpcs: ["L5301"], diagnoses: ["Z89.511", "Z89.512"] },
    { hcpcs: ["L5321", "L5856"], diagnoses: ["Z89.611", "Z89.612"] },
  ],
  criteria: [
    criterion(
      "functional-level",
      "Functional level {threshold}, stated by the practitioner within {withinDays} days before the order.",
      "functional_level",
      "one_of",
      { threshold: ["K3", "K4"], withinDays: 180, hcpcs: ["L5856"] },
    ),
    criterion("walking-level", "Functional level {threshold}.", "functional_level", "one_of", {
      threshold: ["K1", "K2", "K3", "K4"],
      withinDays: 180,
      hcpcs: ["L5301", "L5321"],
    }),
    criterion(
      "motivation",
      "The patient wants to walk and can be expected to reach the level in reasonable time.",
      "rehabilitation_motivation",
      "present",
    ),
    criterion("signed-order", "An order signed before delivery.", "signed_order", "present", {
      circumstances: ["signed_and_dated"],
    }),
  ],
  frequencyLimits: ["L5301", "L5321", "L5856"].map((hcpcs) => ({ hcpcs, units: 1, perDays: 1095 })),
  authRequired: authorizedBy(
    "medicare-region-c",
    "harborlight-advantage",
    "silverbirch-advantage",
    "northfield",
    "crestway",
    "tri-county-medicaid",
  ),
  authCodes: ["L5856"],
  documents: ["order", "office_note", "fitting_note", "delivery_receipt"],
  variants: {
    crestway: { thresholds: { "functional-level": ["K4"] } },
    northfield: { withinDays: { "functional-level": 365, "walking-level": 365 } },
  },
  ...byPractice(),
});
