import { describe, expect, test } from "vitest";
import { toCents } from "../../codec/decimal.js";
import { rateFor } from "../../reference/contracts.js";
import { type PayerId, patientLiability } from "../../reference/payer-profile.js";
import { PAYERS } from "../../reference/payers.js";
import { benefitsArchetypes } from "./benefits.js";
import { openCase } from "./prove.js";

const SEEDS = Array.from({ length: 12 }, (_, i) => i);
const named = (id: string) => benefitsArchetypes.find((archetype) => archetype.id === id)!;

function open(id: string, seed: number) {
  const { facts, world } = openCase(named(id), seed);
  const claim = world.need("claims", facts.claim);
  const [line] = world.where("claim_lines", { claim: claim.id });
  const [remit] = world.where("remits", { claim: claim.id });
  const [answered] = world.where("remit_lines", { remit: remit!.id });
  const payer = claim.payer as PayerId;
  const refusal = answered!.adjustments.find(({ carc }) => carc !== "45")!;
  return { facts, world, claim, line: line!, payer, refusal };
}

describe("coverage", () => {
  test("what the contract covers is on its schedule, the clause is cited, and the patient hears nothing", () => {
    for (const seed of SEEDS) {
      const { facts, world, claim, line, payer } = open("contract-covers-what-was-excluded", seed);
      expect(rateFor(payer, line.hcpcs, line.modifiers, claim.serviceDate).found).toBe(true);
      const [clause] = facts.appeal!.evidence.map((id) => world.need("sections", id));
      expect(clause).toMatchObject({ source: "contract", payer });
      expect([facts.hold, facts.patientAmount, facts.appeal!.channel]).toEqual([true, "0.00", "payer_dispute"]);
    }
  });

  test("what is written off as excluded is off the schedule and under a group that is never the patient's", () => {
    for (const seed of SEEDS) {
      const { facts, claim, line, payer, refusal } = open("excluded-without-notice", seed);
      expect(rateFor(payer, line.hcpcs, line.modifiers, claim.serviceDate).found).toBe(false);
      expect(refusal.group).toBe("CO");
      expect(facts.adjustments.map(({ type, amount }) => [type, amount])).toEqual([["write_off", line.charge]]);
    }
  });

  test("what statute excludes is the patient's by the payer's liability table, with no notice given", () => {
    for (const seed of SEEDS) {
      const { facts, line, payer, refusal } = open("excluded-by-statute", seed);
      const situation = { group: "PR", carc: refusal.carc, notice: "none", qmb: false, coverageActive: true } as const;
      expect(patientLiability(PAYERS.get(payer), situation).mayBill).toBe(true);
      expect(line.modifiers).toContain("GY");
      expect(facts.patientAmount).toBe(refusal.amount);
    }
  });

  test("the months paid for are exactly those of the contract, all before the month refused", () => {
    for (const seed of SEEDS) {
      const { facts, world, claim } = open("rental-months-used-up", seed);
      const [clause] = facts.basis.map((id) => world.need("sections", id));
      const ledger = world
        .where("documents", { patient: claim.patient })
        .find(({ title }) => title === "Rental ledger")!;
      const paid = [...world.where("pages", { document: ledger.id })[0]!.text.matchAll(/\d+: (\d{4}-\d\d-\d\d)/g)];
      expect(clause!.text).toContain(`for ${paid.length} months`);
      expect(paid.every(([, day]) => day! < claim.serviceDate)).toBe(true);
    }
  });
});

describe("limits", () => {
  test("past the member's limit the patient owes the agreed amount and not the charge", () => {
    for (const seed of SEEDS) {
      const { facts, claim, refusal } = open("benefit-maximum-reached", seed);
      expect(refusal).toMatchObject({ group: "PR", carc: "119", amount: facts.patientAmount });
      expect(toCents(facts.patientAmount)).toBeLessThan(toCents(claim.total));
    }
  });

  test("a wrong count holds visits from before the plan year, and without them the limit is not reached", () => {
    for (const seed of SEEDS) {
      const { facts, world } = open("benefit-visits-counted-wrong", seed);
      const [letter] = facts.appeal!.evidence.map((id) => world.need("letters", id));
      const [, start, limit, dates] = /Plan year (\S+) to \S+, limit (\d+)\. Counted: ([^.]+)\./.exec(letter!.text)!;
      const counted = dates!.split(", ");
      expect(counted.length).toBe(Number(limit));
      expect(counted.filter((day) => day >= start!).length).toBeLessThan(Number(limit));
    }
  });

  test("past the provider's own maximum nobody is billed", () => {
    for (const seed of SEEDS) {
      const { facts, refusal, line } = open("provider-maximum-reached", seed);
      expect(refusal.group).toBe("CO");
      expect(facts.patientAmount).toBe("0.00");
      expect(facts.adjustments.map(({ type, amount }) => [type, amount])).toEqual([["contractual", line.charge]]);
    }
  });
});
