import { expect, test } from "vitest";
import { archetypes } from "./index.js";
import { archetypeProperties, openCase } from "./prove.js";

test("x", async () => {
  for (const a of archetypes) {
    try {
      openCase(a, 0);
    } catch (e) {
      console.log(a.id, (e as Error).stack);
    }
  }
  for (const a of archetypes)
    for (const p of archetypeProperties) {
      const f = await Promise.resolve()
        .then(() => p.faults(a))
        .catch((e) => [String(e.stack)]);
      if (f.length) console.log(a.id, p.name, f.length, f[0]);
    }
});
