import { describe, expect, test } from "vitest";
import { PAYERS } from "../../reference/payers.js";
import { appliedPolicy } from "../../reference/policies.js";
import { addDays } from "../calendar.js";
import { necessityArchetypes } from "./necessity.js";
import { openCase } from "./prove.js";

const SEEDS = Array.from({ length: 12 }, (_, i) => i);
const named = (id: string) => necessityArchetypes.find((archetype) => archetype.id === id)!;

function open(id: string, seed: number) {
  const { facts, world } = openCase(named(id), seed);
  const claim = world.need("claims", facts.claim);
  const [line] = world.where("claim_lines", { claim: claim.id });
  const documents = world
    .where("documents", { patient: claim.patient })
    .map((document) => ({ ...document, pages: world.where("pages", { document: document.id }) }));
  const [remit] = world.where("remits", { claim: claim.id });
  return { facts, world, claim, line: line!, documents, remit: remit! };
}

const saturations = (text: string) => [...text.matchAll(/(\d+) %/g)].map(([, value]) => Number(value));

/** How many days before the order a value at rest still counts with this payer, and how low it must be. */
function restCriterion(hcpcs: string, payer: string) {
  const criteria = [...appliedPolicy(hcpcs, payer as Parameters<typeof appliedPolicy>[1])!.criteria.values()].flat();
  return criteria.find(({ id }) => id === "saturation-at-rest")!.evidence;
}

describe("home oxygen", () => {
  test("the cited page alone holds a value at rest that is low enough, by the practitioner, inside the payer's window", () => {
    for (const seed of SEEDS) {
      const { facts, claim, line, documents } = open("oxygen-value-in-another-note", seed);
      const { threshold, withinDays } = restCriterion(line.hcpcs, claim.payer);
      const order = documents.find(({ kind }) => kind === "order")!;
      const qualifying = documents.flatMap(({ author, date, pages }) =>
        author === order.author && date <= order.date && addDays(date, withinDays!) >= order.date
          ? pages.filter(({ text }) => Math.min(...saturations(text)) <= Number(threshold))
          : [],
      );
      expect(qualifying.map(({ id }) => id)).toEqual(facts.appeal!.evidence);
    }
  });

  test("where the criterion is not met, no value by the practitioner is low enough, and no notice counts with the payer", () => {
    for (const seed of SEEDS) {
      const { facts, claim, documents } = open("oxygen-criterion-not-met", seed);
      const order = documents.find(({ kind }) => kind === "order")!;
      const own = documents.filter(({ author }) => author === order.author).flatMap(({ pages }) => pages);
      expect(own.flatMap(({ text }) => saturations(text)).every((value) => value > 88)).toBe(true);
      expect(facts.patientAmount).toBe("0.00");
      expect(facts.appeal).toBeNull();
      const complete = documents.some(({ title }) => title === "Advance beneficiary notice");
      expect(complete && PAYERS.get(claim.payer).rules.validNotices.includes("abn_signed")).toBe(false);
    }
  });

  test("a valid notice is signed before delivery, stands on the claim, and makes exactly the refused line the patient's", () => {
    for (const seed of SEEDS) {
      const { facts, world, claim, line, documents, remit } = open("oxygen-not-met-advance-notice-signed", seed);
      const notice = documents.find(({ pages }) => facts.basis.includes(pages[0]!.id))!;
      expect(notice.date < claim.serviceDate).toBe(true);
      expect(notice.pages[0]!.text).toContain(`$${line.charge}`);
      expect(line.modifiers).toContain("GA");
      const refused = world
        .where("remit_lines", { remit: remit.id })
        .flatMap(({ adjustments }) => adjustments.filter(({ group, carc }) => group === "PR" && carc === "50"));
      expect(refused.map(({ amount }) => amount)).toEqual([facts.patientAmount]);
    }
  });

  test("elsewhere only the payer's own notice is what the statement rests on, never the Medicare form", () => {
    for (const seed of SEEDS) {
      const { facts, claim, documents, world } = open("oxygen-not-met-payers-own-notice", seed);
      const medicare = documents.find(({ title }) => title === "Advance beneficiary notice")!;
      expect(facts.basis).not.toContain(medicare.pages[0]!.id);
      for (const id of facts.basis.filter((id) => world.get("letters", id) !== undefined))
        expect(world.need("letters", id).date < claim.serviceDate).toBe(true);
    }
  });
});

describe("the record", () => {
  test("the diagnosis to add stands in a signed note and in the payer's policy, where the billed one does not", () => {
    for (const seed of SEEDS) {
      const { facts, claim, line, documents } = open("not-necessary-diagnosis-left-off", seed);
      const { value } = facts.correction!.changes[0]!;
      const supported = appliedPolicy(line.hcpcs, claim.payer as Parameters<typeof appliedPolicy>[1])!.diagnoses;
      expect(supported).toContain(value);
      expect(claim.diagnoses.some((code) => supported.includes(code))).toBe(false);
      const saying = documents.filter(({ pages }) => pages.some(({ text }) => text.includes(`(${value})`)));
      expect(saying.map(({ signed }) => signed)).toEqual([true]);
    }
  });

  test("a note that was overwritten after the denial supports nothing that is sent", () => {
    for (const seed of SEEDS) {
      const { facts, documents, remit } = open("note-changed-after-denial", seed);
      const note = documents.find(({ pages }) => pages.some(({ id }) => facts.escalation!.evidence.includes(id)))!;
      const overwritten = /overwritten (\S+)/.exec(note.audit)![1]!;
      expect(overwritten > remit.date).toBe(true);
      expect([facts.appeal, facts.correction, facts.records]).toEqual([null, null, null]);
    }
  });
});
