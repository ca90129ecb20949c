/** Hospital beds at home, after NCD 280.7, in our own words. */
import { authorizedBy, criterion, defineCoveragePolicy } from "../coverage-policy.js";
import { PAYER_IDS } from "../payer-profile.js";

export const HOSPITAL_BED = defineCoveragePolicy({
  id: "hospital-bed",
  title: "Hospital beds at home",
  topic: "bed",
  payers: PAYER_IDS,
  coverage: [
    {
      hcpcs: ["E0250", "E0255", "E0260"],
      diagnoses: [
        ...["G12.21", "G20.A1", "G35.A", "G80.9", "G81.91", "G81.94", "G82.20", "G82.50", "I50.22", "I50.23"],
        ...["I50.9", "I69.351", "I69.354", "J44.9", "L89.153", "L89.154"],
      ],
    },
  ],
  criteria: [
    criterion(
      "positioning",
      "The condition needs body positions that an ordinary bed does not allow.",
      "repositioning_need",
      "present",
      { withinDays: 180, group: "positioning" },
    ),
    criterion(
      "head-elevation",
      "The head has to be raised more than {threshold} degrees most of the time because of heart or lung disease or aspiration; pillows were tried.",
      "head_elevation_degrees",
      "gte",
      { threshold: 30, withinDays: 180, group: "positioning" },
    ),
    criterion(
      "height-change",
      "Bed height has to change so that the patient can transfer.",
      "frequent_height_change_need",
      "present",
      { hcpcs: ["E0255"] },
    ),
    criterion("signed-order", "An order signed before delivery.", "signed_order", "present", {
      circumstances: ["signed_and_dated"],
    }),
  ],
  frequencyLimits: ["E0250", "E0255", "E0260"].map((hcpcs) => ({ hcpcs, units: 1, perDays: 30 })),
  authRequired: authorizedBy("crestway", "silverbirch-advantage"),
  authCodes: ["E0255", "E0260"],
  documents: ["order", "office_note", "delivery_receipt"],
  variants: {
    crestway: { withinDays: { positioning: 60, "head-elevation": 60 } },
    "harborlight-advantage": { withinDays: { positioning: 90, "head-elevation": 90 } },
  },
  source: "CMS NCD 280.7",
  review: "awaiting-expert",
});
