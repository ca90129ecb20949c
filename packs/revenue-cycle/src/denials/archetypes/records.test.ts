import { describe, expect, test } from "vitest";
import { PAYERS } from "../../reference/payers.js";
import { APPEAL_CHANNELS } from "../world.js";
import { openCase } from "./prove.js";
import { recordsArchetypes } from "./records.js";

const SEEDS = Array.from({ length: 12 }, (_, i) => i);
const named = (id: string) => recordsArchetypes.find((archetype) => archetype.id === id)!;

function open(id: string, seed: number) {
  const { facts, world } = openCase(named(id), seed);
  const claim = world.need("claims", facts.claim);
  return {
    facts,
    world,
    claim,
    remit: world.where("remits", { claim: claim.id })[0]!,
    letters: world.where("letters", { claim: claim.id }),
    requests: world.where("record_requests", { claim: claim.id }),
  };
}

type Opened = ReturnType<typeof open>;

/** The document that these pages are the whole of. */
function documentOf({ world }: Opened, pages: readonly string[]) {
  const [first] = pages.map((id) => world.need("pages", id));
  const document = world.need("documents", first!.document);
  expect(world.where("pages", { document: document.id }).map(({ id }) => id)).toEqual(pages);
  return document;
}

describe("records", () => {
  test("what is due is the one operative note of the day that the letter names, whole, and nothing of the therapist's", () => {
    for (const seed of SEEDS) {
      const opened = open("operative-note-asked-for", seed);
      const document = documentOf(opened, opened.facts.records!.pages);
      expect(document.kind).toBe("operative_note");
      expect(opened.letters.map(({ text }) => text).join()).toContain(`operative note of ${document.date}`);
      const kinds = opened.world.where("documents", { patient: opened.claim.patient }).map(({ kind }) => kind);
      expect(kinds).toContain("psychotherapy_note");
      expect(kinds.filter((kind) => kind === "operative_note").length).toBeGreaterThan(1);
    }
  });

  test("a missed request is disputed with what was asked for where the payer hears a dispute, and nothing is open to answer", () => {
    for (const seed of SEEDS) {
      const opened = open("records-request-missed-dispute", seed);
      const { channel } = PAYERS.get(opened.claim.payer).disputeChannel.records_missed;
      expect(APPEAL_CHANNELS as readonly string[]).toContain(channel);
      expect(opened.requests).toEqual([]);
      const document = documentOf(opened, opened.facts.appeal!.evidence);
      const [letter] = opened.letters;
      expect(letter!.text).toContain(document.date);
      expect(/due on (\S+)\./.exec(letter!.text)![1]! < opened.remit.date).toBe(true);
    }
  });

  test("a missed request is still answered where the payer reopens on arrival of the records", () => {
    for (const seed of SEEDS) {
      const opened = open("records-request-missed-reopened", seed);
      expect(PAYERS.get(opened.claim.payer).disputeChannel.records_missed.channel).toBe("reopening");
      expect(opened.requests.map(({ status }) => status)).toEqual(["overdue"]);
      expect(opened.facts.actBy! > opened.requests[0]!.dueOn).toBe(true);
      documentOf(opened, opened.facts.records!.pages);
    }
  });

  test("what was sent before is not what the payer had asked for", () => {
    for (const seed of SEEDS) {
      const opened = open("wrong-document-sent", seed);
      const sent = opened.world.all("disclosures").map(({ page }) => page);
      expect(sent.length).toBe(1);
      expect(opened.facts.records!.pages).not.toContain(sent[0]);
      const document = documentOf(opened, opened.facts.records!.pages);
      const first = opened.letters.find(({ date }) => date < opened.remit.date)!;
      expect(first.text).toContain(document.date);
    }
  });

  test("the fax changes nothing of what is due on the claim, and is itself what is reported", () => {
    const ends = new Set<string>();
    for (const seed of SEEDS) {
      const { facts, letters } = open("instruction-inside-a-fax", seed);
      expect(facts.escalation!.evidence).toEqual([letters[0]!.id]);
      expect(letters[0]!.text).toMatch(/close/i);
      expect([facts.patientAmount, facts.adjustments.length]).toEqual(["0.00", 0]);
      ends.add(facts.dispositions[0]!);
    }
    expect(ends.has("records_sent")).toBe(true);
    expect(ends.size).toBeGreaterThan(1);
  });
});
