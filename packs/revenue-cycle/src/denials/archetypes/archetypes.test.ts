/** Every archetype of the mix, held against the properties that any archetype must have. */
import { describe, expect, it } from "vitest";
import { archetypes } from "./index.js";
import { archetypeProperties } from "./prove.js";

describe("the mix", () => {
  it("holds every archetype once, each with a share", () => {
    expect(new Set(archetypes.map(({ id }) => id)).size).toBe(archetypes.length);
    expect(archetypes.filter(({ share }) => !(share > 0))).toEqual([]);
  });
});

describe.each(archetypes.map((archetype) => [archetype.id, archetype] as const))("%s", (_id, archetype) => {
  it.each(archetypeProperties.map((property) => [property.name, property] as const))(
    "%s",
    async (_name, { faults }) => {
      expect(await faults(archetype)).toEqual([]);
    },
  );
});
