/** Off-the-shelf and fitted braces, after contractor policy, in our own words. */
import { authorizedBy, criterion, defineCoveragePolicy } from "../coverage-policy.js";
import { PAYER_IDS } from "../payer-profile.js";
import { byPractice } from "../table.js";

const spine = ["L0648", "L0650"];

export const ORTHOSIS = defineCoveragePolicy({
  id: "orthosis",
  title: "Braces",
  topic: "orthosis",
  payers: PAYER_IDS,
  coverage: [
    { hcpcs: ["L3908"], diagnoses: ["G56.01", "G56.02"] },
    { hcpcs: ["L1833"], diagnoses: ["M17.0", "M17.11", "M17.12", "S83.511A", "S83.512A"] },
    { hcpcs: ["L1902", "L4360"], diagnoses: ["S93.401A", "S93.402A"] },
    { hcpcs: spine, diagnoses: ["M48.061", "M54.16", "M54.50"] },
  ],
  criteria: [
    criterion(
      "examination",
      "A visit within {withinDays} days before the order finds injury, weakness or deformity of the braced part.",
      "injury_or_weakness_of_joint",
      "present",
      { withinDays: 180, circumstances: ["by_treating_practitioner"], hcpcs: ["L3908", "L1902", "L4360", ...spine] },
    ),
    criterion("instability", "An examination finds the knee unstable.", "joint_instability", "present", {
      withinDays: 180,
      circumstances: ["by_treating_practitioner"],
      hcpcs: ["L1833"],
    }),
    criterion("signed-order", "A signed order names the item and the side.", "signed_order", "present", {
      circumstances: ["signed_and_dated"],
    }),
  ],
  frequencyLimits: ["L3908", "L1833", "L1902", "L4360", ...spine].map((hcpcs) => ({ hcpcs, units: 2, perDays: 730 })),
  authRequired: authorizedBy("medicare-region-c", "crestway", "northfield"),
  authCodes: ["L1833", ...spine],
  documents: ["order", "office_note", "fitting_note", "delivery_receipt"],
  variants: {
    crestway: {
      withinDays: { instability: 60 },
      addedCriteria: [
        criterion(
          "motion-loss",
          "A loss of motion of {threshold} degrees or more is measured.",
          "range_of_motion_deficit_degrees",
          "gte",
          { threshold: 10, withinDays: 60, hcpcs: ["L1833"] },
        ),
      ],
    },
    northfield: { withinDays: { examination: 90 } },
  },
  ...byPractice(),
});
