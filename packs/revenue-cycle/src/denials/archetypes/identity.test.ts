import { describe, expect, test } from "vitest";
import { identityArchetypes } from "./identity.js";
import { archetypeProperties, openCase } from "./prove.js";

const SEEDS = Array.from({ length: 12 }, (_, i) => i);

describe.each(identityArchetypes.map((archetype) => [archetype.id, archetype] as const))("%s", (_id, archetype) => {
  test.each(archetypeProperties.map(({ name, faults }) => [name, faults] as const))("%s", async (_name, faults) => {
    expect(await faults(archetype)).toEqual([]);
  });

  test("the approval names the patient and another birth date, and belongs to the other person", () => {
    for (const seed of SEEDS) {
      const { facts, world } = openCase(archetype, seed);
      const patient = world.need("patients", world.need("claims", facts.claim).patient);
      const page = world.need("pages", facts.escalation!.evidence[0]!);
      expect(page.text).toContain(`${patient.first} ${patient.last}`);
      expect(page.text).not.toContain(patient.birthDate);
      expect(world.where("authorizations", { patient: patient.id })).toEqual([]);
    }
  });

  test("what is cited is from the patient's own chart, so nobody else's record leaves it", () => {
    for (const seed of SEEDS) {
      const { facts, world } = openCase(archetype, seed);
      const { document } = world.need("pages", facts.escalation!.evidence[0]!);
      expect(world.need("documents", document).patient).toBe(world.need("claims", facts.claim).patient);
    }
  });
});
