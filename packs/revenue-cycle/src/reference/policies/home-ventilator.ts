/** Ventilators at home, after the national list of equipment (NCD 280.1), in our own words. */
import { authorizedBy, criterion, defineCoveragePolicy } from "../coverage-policy.js";
import { PAYER_IDS } from "../payer-profile.js";

export const HOME_VENTILATOR = defineCoveragePolicy({
  id: "home-ventilator",
  title: "Home ventilators",
  topic: "ventilator",
  payers: PAYER_IDS,
  coverage: [
    {
      hcpcs: ["E0465", "E0466"],
      diagnoses: ["G12.21", "G71.01", "G70.00", "J44.1", "J44.9", "J96.10", "J96.11", "J96.12", "E66.2"],
    },
  ],
  criteria: [
    criterion(
      "neuromuscular",
      "Neuromuscular or chest-wall disease with failing breathing is documented.",
      "progressive_neuromuscular_disease",
      "present",
      { group: "respiratory-failure" },
    ),
    criterion(
      "carbon-dioxide",
      "Chronic respiratory failure with arterial carbon dioxide of {threshold} mmHg or more within {withinDays} days before the order.",
      "paco2_mmhg",
      "gte",
      { threshold: 52, withinDays: 30, circumstances: ["awake", "chronic_stable_state"], group: "respiratory-failure" },
    ),
    criterion(
      "life-threat",
      "The record explains why a bi-level device is not enough and that stopping ventilation would threaten life.",
      "life_threat_without_ventilation",
      "present",
      { withinDays: 90 },
    ),
    criterion("signed-order", "An order signed before delivery.", "signed_order", "present", {
      circumstances: ["signed_and_dated"],
    }),
  ],
  frequencyLimits: ["E0465", "E0466"].map((hcpcs) => ({ hcpcs, units: 1, perDays: 30 })),
  authRequired: authorizedBy("crestway", "northfield", "harborlight-advantage", "silverbirch-advantage"),
  authCodes: ["E0465", "E0466"],
  documents: ["order", "office_note", "hospital_note", "test_report", "delivery_receipt"],
  variants: { crestway: { thresholds: { "carbon-dioxide": 55 } }, northfield: { withinDays: { "life-threat": 60 } } },
  source: "CMS NCD 280.1; the carbon dioxide value follows practice",
  review: "awaiting-expert",
});
