import { describe, expect, test } from "vitest";
import { toCents } from "../../codec/decimal.js";
import { PAYERS } from "../../reference/payers.js";
import { addDays } from "../calendar.js";
import { archetypeProperties, openCase } from "./prove.js";
import { timelyArchetypes } from "./timely.js";

const named = (id: string) => timelyArchetypes.find((archetype) => archetype.id === id)!;
const SEEDS = Array.from({ length: 12 }, (_, i) => i);

/** The case, with the last day of the payer's filing limit and the dates of the acknowledgments by category. */
function filing(id: string, seed: number) {
  const opened = openCase(named(id), seed);
  const claim = opened.world.need("claims", opened.facts.claim);
  const lastDay = addDays(claim.serviceDate, PAYERS.get(claim.payer).clocks.timelyFilingDays);
  const dates = (source: "999" | "277CA", category: string) =>
    opened.world.where("acknowledgments", { claim: claim.id, source, category }).map(({ receivedOn }) => receivedOn);
  return { ...opened, claim, lastDay, dates };
}

describe.each(timelyArchetypes.map((archetype) => [archetype.id, archetype] as const))("%s", (_id, archetype) => {
  test.each(archetypeProperties.map(({ name, faults }) => [name, faults] as const))("%s", async (_name, faults) => {
    expect(await faults(archetype)).toEqual([]);
  });
});

describe("timely filing", () => {
  test("proof on file is the payer's own acceptance of this claim, dated inside the limit", () => {
    for (const seed of SEEDS) {
      const { facts, world, claim, lastDay } = filing("filed-in-time-acceptance-held", seed);
      const [proof] = facts.appeal!.evidence.map((id) => world.need("acknowledgments", id));
      expect(proof).toMatchObject({ claim: claim.id, source: "277CA", category: "A2" });
      expect(proof!.receivedOn <= lastDay).toBe(true);
    }
  });

  test("where only receipt is in time, no acceptance is, and the write-off is above the biller's limit", () => {
    for (const seed of SEEDS) {
      const { facts, claim, lastDay, dates } = filing("filed-in-time-receipt-only", seed);
      expect([...dates("999", "A"), ...dates("277CA", "A1")].every((date) => date <= lastDay)).toBe(true);
      expect(dates("277CA", "A2").every((date) => date > lastDay)).toBe(true);
      expect(toCents(claim.total)).toBeGreaterThan(50_000);
      expect(facts.needsApproval).toBe(true);
    }
  });

  test("a claim that is late without excuse left the office after the limit", () => {
    for (const seed of SEEDS) {
      const { claim, lastDay } = filing("filed-late-no-exception", seed);
      expect(claim.submittedOn > lastDay).toBe(true);
    }
  });

  test("coverage granted backwards is announced after the limit, for a day on or before the service, and the older refusal is no ground", () => {
    for (const seed of SEEDS) {
      const { facts, world, claim, lastDay } = filing("late-because-granted-backwards", seed);
      const [award] = facts.appeal!.evidence.map((id) => world.need("letters", id));
      expect(award!.date > lastDay && award!.date <= claim.submittedOn).toBe(true);
      expect(world.need("coverages", claim.coverage).from <= claim.serviceDate).toBe(true);
      expect(
        world
          .where("letters", { patient: claim.patient })
          .some(({ id, date }) => id !== award!.id && date < award!.date),
      ).toBe(true);
    }
  });
});
