/** Manual and power wheelchairs, after the national policy on mobility equipment (NCD 280.3), in our own words. */
import { authorizedBy, criterion, defineCoveragePolicy } from "../coverage-policy.js";
import { PAYER_IDS } from "../payer-profile.js";

export const WHEELCHAIR = defineCoveragePolicy({
  id: "wheelchair",
  title: "Wheelchairs",
  topic: "wheelchair",
  payers: PAYER_IDS,
  coverage: [
    {
      hcpcs: ["K0001", "K0003", "K0823"],
      diagnoses: [
        ...["G12.21", "G20.A1", "G35.A", "G71.01", "G80.9", "G81.91", "G81.94"],
        ...["G82.20", "G82.50", "I69.351", "I69.354"],
      ],
    },
  ],
  criteria: [
    criterion(
      "daily-living",
      "A mobility limitation prevents daily activities in the home.",
      "mobility_limits_daily_living",
      "present",
      { withinDays: 180 },
    ),
    criterion("lesser-aid", "A cane or walker is not enough.", "lesser_aid_ruled_out", "present"),
    criterion("home", "The home gives access and room for the chair.", "home_fits_equipment", "present"),
    criterion(
      "manual-ruled-out",
      "The patient cannot propel an optimally set manual chair.",
      "manual_chair_ruled_out",
      "present",
      { hcpcs: ["K0823"] },
    ),
    criterion(
      "visit",
      "A visit in person within {withinDays} days before the order examines mobility.",
      "face_to_face_visit",
      "present",
      { withinDays: 180, circumstances: ["in_person"], hcpcs: ["K0823"] },
    ),
    criterion("signed-order", "An order signed before delivery.", "signed_order", "present", {
      circumstances: ["signed_and_dated"],
    }),
  ],
  frequencyLimits: ["K0001", "K0003", "K0823"].map((hcpcs) => ({ hcpcs, units: 1, perDays: 30 })),
  authRequired: authorizedBy(
    "medicare-region-c",
    "harborlight-advantage",
    "silverbirch-advantage",
    "northfield",
    "crestway",
    "tri-county-medicaid",
  ),
  authCodes: ["K0823"],
  documents: ["order", "office_note", "home_assessment", "delivery_receipt"],
  variants: {
    crestway: { withinDays: { visit: 45, "daily-living": 45 } },
    northfield: { withinDays: { visit: 90 } },
  },
  source: "CMS NCD 280.3; power chairs need Medicare authorization",
  review: "awaiting-expert",
});
