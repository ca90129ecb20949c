/** Single home visits billed on professional claims, in our own words. Episodes paid by Original Medicare are not among them. */
import { authorizedBy, criterion, defineCoveragePolicy } from "../coverage-policy.js";
import { byPractice } from "../table.js";

export const HOME_HEALTH_VISIT = defineCoveragePolicy({
  id: "home-health-visit",
  title: "Home visits by nurses and therapists",
  topic: "home-health",
  payers: ["harborlight-advantage", "silverbirch-advantage", "northfield", "crestway", "tri-county-medicaid"],
  coverage: [
    {
      hcpcs: ["G0151", "G0152", "G0299", "G0300"],
      diagnoses: [
        ...["I50.22", "I50.23", "I69.351", "I69.354", "L89.153", "L89.154", "L97.412", "T81.31XA"],
        ...["Z47.1", "Z96.651", "Z96.652"],
      ],
    },
  ],
  criteria: [
    criterion("homebound", "Leaving home takes great effort and help.", "homebound", "present", {
      withinDays: 90,
      before: "service",
    }),
    criterion("skilled", "The care needs a nurse's or therapist's skill.", "skilled_need", "present"),
    criterion(
      "plan",
      "A plan of care signed within {withinDays} days before the visit.",
      "plan_of_care_signed",
      "present",
      {
        withinDays: 60,
        before: "service",
        circumstances: ["signed_and_dated"],
      },
    ),
    criterion(
      "visit",
      "A visit in person within {withinDays} days before the first home visit.",
      "face_to_face_visit",
      "present",
      { withinDays: 90, before: "service", circumstances: ["in_person"] },
    ),
    criterion("times", "Start and end of each visit are recorded.", "visit_times_recorded", "present"),
  ],
  frequencyLimits: [
    { hcpcs: "G0151", units: 72, perDays: 60 },
    { hcpcs: "G0152", units: 72, perDays: 60 },
  ],
  authRequired: authorizedBy("harborlight-advantage", "silverbirch-advantage", "northfield", "crestway"),
  authCodes: ["G0151", "G0152", "G0299", "G0300"],
  documents: ["plan_of_care", "office_note"],
  variants: {
    crestway: { withinDays: { visit: 30 }, frequencyLimits: [{ hcpcs: "G0151", units: 48, perDays: 60 }] },
    northfield: { withinDays: { plan: 90 } },
  },
  ...byPractice(),
});
