/** Keeps docs/denials.md true: its tables name exactly the archetypes, criteria, gates and tools there are. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { archetypes } from "./archetypes/index.js";
import { rubric } from "./rubric.js";
import { systems } from "./tools/index.js";

const page = readFileSync(new URL("../../../../docs/denials.md", import.meta.url), "utf8");

/** Names in code marks in the table rows of a section. */
function namesIn(heading: string): string[] {
  const start = page.indexOf(`\n## ${heading}`);
  expect(start, `a section "${heading}"`).toBeGreaterThan(0);
  const end = page.indexOf("\n## ", start + 1);
  const rows = page
    .slice(start, end < 0 ? undefined : end)
    .split("\n")
    .filter((line) => line.startsWith("|"));
  return rows.flatMap((row) => /^\|[^`|]*(?:\|[^`|]*)?`([a-z0-9_-]+)`/.exec(row)?.[1] ?? []);
}

test("the archetypes in the docs are those of the mix", () => {
  expect(namesIn("Archetypes").sort()).toEqual(archetypes.map(({ id }) => id).sort());
});

test("the criteria and gates in the docs are those of the rubric", () => {
  const names = [...rubric.criteria, ...rubric.gates].map(({ name }) => name);
  expect(namesIn("The rubric").sort()).toEqual(names.sort());
});

test("every tool is named in the docs", () => {
  const missing = systems.flatMap(({ tools }) => tools).filter(({ name }) => !page.includes(`\`${name}\``));
  expect(missing.map(({ name }) => name)).toEqual([]);
});
