import { describe, expect, test } from "vitest";
import { type Archetype, defineArchetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { CaseFile } from "../case-file.js";
import { adjustAll, settle } from "../settlement.js";
import { archetypeProperties } from "./prove.js";

/** A plain write-off, spoiled as asked. */
const lateClaim = (spoil: {
  hcpcs?: string;
  rootCause?: "filed_late_or_unproven" | "drug_code_missing";
  actBy?: number;
  document?: boolean;
}): Archetype =>
  defineArchetype({
    id: "spoiled",
    family: "test",
    share: 1,
    review: "sourced",
    build(world, draw) {
      const file = new CaseFile(world, draw, { payer: "crestway" });
      const built = file.addClaim({
        lines: [{ hcpcs: spoil.hcpcs ?? "K0003" }],
        serviceDate: file.daysAgo(130),
        diagnoses: ["M62.81"],
        submittedOn: file.daysAgo(30),
      });
      const { remit } = file.answer(built, file.daysAgo(5), [{ group: "CO", carc: "29" }]);
      return settle(file, {
        built,
        carc: "29",
        headline: "CO-29",
        queue: "timely filing",
        rootCause: spoil.rootCause ?? "filed_late_or_unproven",
        dispositions: ["provider_writeoff"],
        remitDate: remit.date,
        lookAt: [remit.id, file.section("A-2"), ...(spoil.document === true ? ["DOC-1"] : [])],
        adjustments: adjustAll(built.lines, "write_off"),
        actBy: addDays(file.today, spoil.actBy ?? 10),
      });
    },
  });

async function brokenProperties(archetype: Archetype): Promise<string[]> {
  const broken: string[] = [];
  for (const { name, faults } of archetypeProperties) {
    const found = await Promise.resolve()
      .then(() => faults(archetype))
      .catch((cause: unknown) => [String(cause)]);
    if (found.length > 0) broken.push(name);
  }
  return broken;
}

describe("proving an archetype", () => {
  test("a right archetype breaks no property", async () => {
    expect(await brokenProperties(lateClaim({}))).toEqual([]);
  });

  test("a fact that names no row is found", async () => {
    expect(await brokenProperties(lateClaim({ document: true }))).toContain("every row that the facts name exists");
  });

  test("a cause that cannot stand behind the reason code is found", async () => {
    expect(await brokenProperties(lateClaim({ rootCause: "drug_code_missing" }))).toContain(
      "the right answers are among the options, and the cause can stand behind the reason code",
    );
  });

  test("a clock that has already run out is found", async () => {
    expect(await brokenProperties(lateClaim({ actBy: -1 }))).toEqual([
      "what is due can still be done today",
      "the reference solution passes with nearly all points, and its end is acceptable",
    ]);
  });

  test("a write-off above the limit without an approval is found", async () => {
    expect(await brokenProperties(lateClaim({ hcpcs: "E0465" }))).toContain(
      "no write-off is due that the biller may not decide alone",
    );
  });
});
