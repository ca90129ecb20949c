/** Ground ambulance, after the federal rule on medical necessity and certification (42 CFR 410.40), in our own words. */
import { authorizedBy, criterion, defineCoveragePolicy } from "../coverage-policy.js";
import { PAYER_IDS } from "../payer-profile.js";

const planned = ["A0426", "A0428"];
const emergency = ["A0427", "A0429"];

export const AMBULANCE_TRANSPORT = defineCoveragePolicy({
  id: "ambulance-transport",
  title: "Ground ambulance transport",
  topic: "ambulance",
  payers: PAYER_IDS,
  coverage: [
    {
      hcpcs: ["A0425", ...planned, ...emergency],
      diagnoses: ["Z74.01", "N18.6", "Z99.2", "G82.50", "L89.154", "I63.9", "S72.001A", "I50.23"],
    },
  ],
  criteria: [
    criterion("bed-confined", "The patient could not get up, walk or sit in a chair.", "bed_confined", "present", {
      hcpcs: [...planned, "A0425"],
      group: "necessity",
    }),
    criterion(
      "unsafe-otherwise",
      "Any other transport would have endangered health.",
      "other_transport_unsafe",
      "present",
      { hcpcs: [...planned, ...emergency, "A0425"], group: "necessity" },
    ),
    criterion(
      "certification",
      "A physician's certification signed within {withinDays} days before the transport.",
      "physician_certification",
      "present",
      { withinDays: 60, before: "service", circumstances: ["signed_and_dated"], hcpcs: planned },
    ),
    criterion(
      "advanced-care",
      "The record shows monitoring or care that only an advanced crew can give.",
      "monitoring_on_the_way",
      "present",
      { hcpcs: ["A0426", "A0427"] },
    ),
    criterion("miles", "Loaded miles are recorded.", "loaded_miles_recorded", "present", { hcpcs: ["A0425"] }),
  ],
  frequencyLimits: [],
  authRequired: authorizedBy("crestway", "silverbirch-advantage"),
  authCodes: planned,
  documents: ["transport_record", "certification"],
  variants: {
    crestway: { withinDays: { certification: 30 } },
    northfield: { withinDays: { certification: 90 } },
  },
  source: "42 CFR 410.40",
  review: "awaiting-expert",
});
