/** All archetypes and their mix. */
import type { Random } from "windtunnel";
import type { Archetype } from "../archetype.js";
import { authorizationArchetypes } from "./authorization.js";
import { benefitsArchetypes } from "./benefits.js";
import { codingArchetypes } from "./coding.js";
import { coverageArchetypes } from "./coverage.js";
import { dataArchetypes } from "./data.js";
import { diagnosisArchetypes } from "./data-diagnosis.js";
import { enrollmentArchetypes } from "./data-enrollment.js";
import { identityArchetypes } from "./identity.js";
import { necessityArchetypes } from "./necessity.js";
import { paymentArchetypes } from "./payment.js";
import { recordsArchetypes } from "./records.js";
import { timelyArchetypes } from "./timely.js";

export const archetypes: readonly Archetype[] = [
  ...authorizationArchetypes,
  ...benefitsArchetypes,
  ...codingArchetypes,
  ...coverageArchetypes,
  ...dataArchetypes,
  ...diagnosisArchetypes,
  ...enrollmentArchetypes,
  ...identityArchetypes,
  ...necessityArchetypes,
  ...paymentArchetypes,
  ...recordsArchetypes,
  ...timelyArchetypes,
];

const weights = Object.fromEntries(archetypes.map(({ id, share }) => [id, share]));
const byId = new Map(archetypes.map((archetype) => [archetype.id, archetype]));

/** One archetype, with probability proportional to its share of the mix. */
export function drawArchetype(random: Random): Archetype {
  return byId.get(random.weighted(weights))!;
}
