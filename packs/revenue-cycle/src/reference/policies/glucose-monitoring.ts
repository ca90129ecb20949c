/** Glucose monitors, supplies and training, after NCD 40.2 and NCD 40.1, in our own words. */
import { authorizedBy, criterion, defineCoveragePolicy } from "../coverage-policy.js";
import { PAYER_IDS } from "../payer-profile.js";

const diabetes = ["E10.9", "E10.65", "E11.9", "E11.65", "E11.22", "E11.621", "O24.410"];
const meters = ["E0607", "E2100"];
const supplies = ["A4253", "A4259"];
const training = ["G0108", "G0109"];

export const GLUCOSE_MONITORING = defineCoveragePolicy({
  id: "glucose-monitoring",
  title: "Blood glucose monitors, supplies and training",
  topic: "glucose",
  payers: PAYER_IDS,
  coverage: [
    { hcpcs: ["E0607", ...supplies, ...training], diagnoses: diabetes },
    { hcpcs: ["E2100"], diagnoses: [...diabetes, "H54.8"] },
  ],
  criteria: [
    criterion(
      "visit",
      "A visit within {withinDays} days before the order evaluates the control of diabetes.",
      "face_to_face_visit",
      "present",
      { withinDays: 180, hcpcs: [...meters, ...supplies] },
    ),
    criterion("signed-order", "A signed order states the item and how often to test.", "signed_order", "present", {
      circumstances: ["signed_and_dated"],
      hcpcs: [...meters, ...supplies],
    }),
    criterion("tests-ordered", "The order states {threshold} or more tests a day.", "glucose_tests_per_day", "gte", {
      threshold: 1,
      hcpcs: supplies,
    }),
    criterion("vision", "Best corrected vision of 20/{threshold} or worse.", "visual_acuity_denominator", "gte", {
      threshold: 200,
      hcpcs: ["E2100"],
    }),
    criterion("training-order", "A signed order names the training and its hours.", "training_order", "present", {
      circumstances: ["signed_and_dated"],
      hcpcs: training,
    }),
  ],
  frequencyLimits: [
    { hcpcs: "E0607", units: 1, perDays: 1825 },
    { hcpcs: "E2100", units: 1, perDays: 1825 },
    { hcpcs: "A4253", units: 6, perDays: 90 },
    { hcpcs: "A4259", units: 3, perDays: 90 },
    { hcpcs: "G0108", units: 20, perDays: 365 },
    { hcpcs: "G0109", units: 20, perDays: 365 },
  ],
  authRequired: authorizedBy("northfield", "silverbirch-advantage"),
  authCodes: ["E2100"],
  documents: ["order", "office_note", "testing_log", "delivery_receipt"],
  variants: {
    crestway: {
      addedCriteria: [
        criterion("insulin", "The patient is treated with {threshold}.", "insulin_use", "one_of", {
          threshold: ["insulin"],
          hcpcs: supplies,
        }),
      ],
    },
    northfield: { frequencyLimits: [{ hcpcs: "A4253", units: 4, perDays: 90 }] },
    "harborlight-advantage": { withinDays: { visit: 365 } },
  },
  source: "CMS NCD 40.2 and 40.1; quantities follow contractor practice",
  review: "awaiting-expert",
});
