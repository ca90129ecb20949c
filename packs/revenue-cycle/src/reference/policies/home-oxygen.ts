/** Home oxygen, after the national policy on the home use of oxygen (NCD 240.2), in our own words. */
import { authorizedBy, criterion, defineCoveragePolicy } from "../coverage-policy.js";
import { PAYER_IDS } from "../payer-profile.js";

const stationary = ["E0424", "E0439", "E1390"];
const portable = ["E0431", "E0434", "E1392"];
const counts = ["room_air", "chronic_stable_state", "by_treating_practitioner", "not_measured_by_supplier"] as const;

export const HOME_OXYGEN = defineCoveragePolicy({
  id: "home-oxygen",
  title: "Home oxygen equipment",
  topic: "oxygen",
  payers: PAYER_IDS,
  coverage: [
    {
      hcpcs: [...stationary, ...portable],
      diagnoses: ["J43.9", "J44.1", "J44.9", "J84.10", "J84.112", "J96.11", "I27.20", "I50.22", "R09.02"],
    },
  ],
  criteria: [
    criterion(
      "saturation-at-rest",
      "Oxygen saturation of {threshold} % or less at rest, awake, on room air, ordered and evaluated by the treating practitioner within {withinDays} days before the order and not measured by the equipment supplier.",
      "spo2_percent",
      "lte",
      { threshold: 88, withinDays: 30, circumstances: ["at_rest", "awake", ...counts], group: "low-oxygen" },
    ),
    criterion(
      "arterial-pressure-at-rest",
      "Arterial oxygen pressure of {threshold} mmHg or less at rest, awake, on room air, within {withinDays} days before the order.",
      "pao2_mmhg",
      "lte",
      { threshold: 55, withinDays: 30, circumstances: ["at_rest", "awake", ...counts], group: "low-oxygen" },
    ),
    criterion(
      "saturation-on-exertion",
      "Oxygen saturation of {threshold} % or less on exertion on room air within {withinDays} days before the order, with a value above it at rest and improvement shown on oxygen.",
      "spo2_percent",
      "lte",
      { threshold: 88, withinDays: 30, circumstances: ["on_exertion", ...counts], group: "low-oxygen" },
    ),
    criterion(
      "saturation-asleep",
      "Oxygen saturation of {threshold} % or less for at least five minutes asleep on room air within {withinDays} days before the order.",
      "spo2_percent",
      "lte",
      { threshold: 88, withinDays: 30, circumstances: ["asleep", ...counts], group: "low-oxygen", hcpcs: stationary },
    ),
    criterion(
      "signed-order",
      "An order signed by the treating practitioner before delivery states flow and hours.",
      "signed_order",
      "present",
      { circumstances: ["signed_and_dated"] },
    ),
    criterion(
      "visit",
      "A visit in person within {withinDays} days before the order addresses the need for oxygen.",
      "face_to_face_visit",
      "present",
      { withinDays: 30, circumstances: ["in_person"] },
    ),
  ],
  frequencyLimits: [...stationary, ...portable].map((hcpcs) => ({ hcpcs, units: 1, perDays: 30 })),
  authRequired: authorizedBy("crestway", "silverbirch-advantage", "northfield"),
  authCodes: ["E0424", "E0439", "E1390", "E1392"],
  documents: ["order", "office_note", "test_report", "delivery_receipt"],
  variants: {
    crestway: { withinDays: { "saturation-at-rest": 14, "saturation-on-exertion": 14, "saturation-asleep": 14 } },
    northfield: { withinDays: { "saturation-at-rest": 45, "saturation-on-exertion": 45, visit: 60 } },
    "silverbirch-advantage": { withinDays: { visit: 14 } },
  },
  source: "CMS NCD 240.2; RARC M8 (supplier tests not accepted); windows follow contractor practice",
  review: "awaiting-expert",
});
