/** Positive airway pressure at home, after the national policy on sleep apnea devices (NCD 240.4), in our own words. */
import { authorizedBy, criterion, defineCoveragePolicy } from "../coverage-policy.js";
import { PAYER_IDS } from "../payer-profile.js";

const devices = ["E0601", "E0470", "E0471"];
const parts = ["E0562", "A7030", "A7034", "A7037", "A7038"];

export const POSITIVE_AIRWAY_PRESSURE = defineCoveragePolicy({
  id: "positive-airway-pressure",
  title: "Positive airway pressure devices and parts",
  topic: "pap",
  payers: PAYER_IDS,
  coverage: [
    { hcpcs: ["E0601", ...parts], diagnoses: ["G47.33"] },
    { hcpcs: ["E0470"], diagnoses: ["G47.33", "G47.31"] },
    { hcpcs: ["E0471"], diagnoses: ["E66.2", "J96.12"] },
  ],
  criteria: [
    criterion(
      "clinical-visit",
      "A visit in person before the sleep study assesses the patient for sleep apnea.",
      "face_to_face_visit",
      "present",
      { circumstances: ["in_person", "by_treating_practitioner"] },
    ),
    criterion("index", "A sleep study shows {threshold} or more events an hour.", "ahi_events_per_hour", "gte", {
      threshold: 5,
      hcpcs: ["E0601", "E0470", ...parts],
    }),
    criterion(
      "index-high",
      "The index is {threshold} or more, so that no symptom is needed.",
      "ahi_events_per_hour",
      "gte",
      {
        threshold: 15,
        hcpcs: ["E0601", "E0470", ...parts],
        group: "severity",
      },
    ),
    criterion("symptoms", "Symptoms or vascular disease are documented.", "symptoms_documented", "present", {
      hcpcs: ["E0601", "E0470", ...parts],
      group: "severity",
    }),
    criterion("carbon-dioxide", "Arterial carbon dioxide of {threshold} mmHg or more, awake.", "paco2_mmhg", "gte", {
      threshold: 45,
      circumstances: ["awake"],
      hcpcs: ["E0471"],
    }),
    criterion("signed-order", "An order signed before delivery.", "signed_order", "present", {
      circumstances: ["signed_and_dated"],
    }),
    criterion(
      "continued-use",
      "From the fourth month: at least four hours a night on {threshold} % of nights in 30 consecutive days.",
      "device_use_nights_percent",
      "gte",
      { threshold: 70, withinDays: 90, before: "service", hcpcs: parts },
    ),
  ],
  frequencyLimits: [
    ...devices.map((hcpcs) => ({ hcpcs, units: 1, perDays: 30 })),
    { hcpcs: "E0562", units: 1, perDays: 1825 },
    { hcpcs: "A7030", units: 1, perDays: 90 },
    { hcpcs: "A7034", units: 1, perDays: 90 },
    { hcpcs: "A7037", units: 1, perDays: 90 },
    { hcpcs: "A7038", units: 2, perDays: 30 },
  ],
  authRequired: authorizedBy("crestway", "harborlight-advantage", "northfield"),
  authCodes: devices,
  documents: ["order", "office_note", "sleep_study", "delivery_receipt"],
  variants: {
    crestway: {
      thresholds: { "continued-use": 75, "index-high": 20 },
      frequencyLimits: [{ hcpcs: "A7030", units: 1, perDays: 180 }],
    },
    northfield: { frequencyLimits: [{ hcpcs: "A7034", units: 1, perDays: 180 }] },
  },
  source: "CMS NCD 240.4; replacement intervals follow contractor practice",
  review: "awaiting-expert",
});
