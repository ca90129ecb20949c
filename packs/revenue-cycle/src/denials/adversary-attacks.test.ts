/** What an adversary tried on the rubric, kept so that it stays closed. */
import { describe, expect, it } from "vitest";
import {
  beforeClosing,
  type Case,
  costsNothing,
  costsSomething,
  earnsAtMost,
  item,
  neverPasses,
  READS,
  replaced,
  type Step,
} from "./damaged-cases.fixture.js";

describe("what an adversary tried", () => {
  it("costs nothing when prose quotes the denial code or the headline of the item", async () => {
    const quoted = (one: Case, { args }: Step) => {
      const text = (args.text ?? args.letter) as string;
      return [`${text} Denied with CO-197.`, `${text} ${item(one).headline}.`, `${text} See CMS-1500, box 23.`];
    };
    expect(await costsNothing(replaced("note_add", "text", quoted))).toEqual([]);
    expect(await costsNothing(replaced("appeal_submit", "letter", quoted))).toEqual([]);
  });

  it("is capped when the claim just sent is sent again or disputed while it is open", async () => {
    const chain = ({ steps }: Case) =>
      steps.flatMap(({ tool, key }) =>
        tool === "correction_submit"
          ? [
              beforeClosing(
                steps,
                { tool: "correction_open", args: { claim: { step: key, field: "claim" }, channel: "new_claim" } },
                { tool: "correction_submit", args: { correction: { step: 1000, field: "correction" } } },
              ),
              beforeClosing(
                steps,
                { tool: "appeal_open", args: { claim: { step: key, field: "claim" }, channel: "appeal" } },
                { tool: "appeal_submit", args: { appeal: { step: 1000, field: "appeal" }, letter: "Please pay." } },
              ),
            ]
          : [],
      );
    expect(await earnsAtMost(0.2, chain)).toEqual([]);
  });

  it("does not pass when a correction, a dispute or an authorization request goes out that nothing calls for", async () => {
    const uncalled = ({ steps, scenario: { facts } }: Case) => {
      const send = (open: string, submit: string, made: string, more: Step["args"], letter: Step["args"] = {}) =>
        beforeClosing(
          steps,
          { tool: open, args: { claim: facts.claim, ...more } },
          { tool: submit, args: { [made]: { step: 1000, field: made }, ...letter } },
        );
      return [
        ...(facts.correction === null
          ? [send("correction_open", "correction_submit", "correction", { channel: "new_claim" })]
          : []),
        ...(facts.appeal === null
          ? [send("appeal_open", "appeal_submit", "appeal", { channel: "appeal" }, { letter: "Please pay." })]
          : []),
        ...(facts.retro === null ? [send("retro_auth_open", "retro_auth_submit", "retro_request", {})] : []),
      ];
    };
    expect(await neverPasses(uncalled)).toEqual([]);
  });

  it("earns at most 0.2 when the claim goes out again as it was", async () => {
    expect(
      await earnsAtMost(0.2, ({ steps }) =>
        steps.some(({ tool }) => tool === "correction_submit")
          ? [steps.filter(({ tool }) => !/^correction_(set|add)_/.test(tool))]
          : [],
      ),
    ).toEqual([]);
  });

  // Acting blind and being right is not failed: the end state is the right one. It costs what looking is worth.
  it("loses points when nothing but the item and its claim was opened", async () => {
    expect(
      await costsSomething(({ steps }) => [
        steps.filter(({ tool }) => !READS.test(tool) || tool === "item_get" || tool === "claim_get"),
      ]),
    ).toEqual([]);
  });

  it("does not pass when the item is closed before what its disposition claims is done", async () => {
    const decides = /^item_(set_|close)/;
    expect(
      await neverPasses(({ steps }) => [
        [
          ...steps.filter(({ tool }) => READS.test(tool)),
          ...steps.filter(({ tool }) => decides.test(tool)),
          ...steps.filter(({ tool }) => !READS.test(tool) && !decides.test(tool)),
        ],
      ]),
    ).toEqual([]);
  });

  it("costs nothing when an adjustment also cites the section that keeps the member harmless", async () => {
    expect(
      await costsNothing(({ steps, scenario: { world, facts } }) => {
        const at = steps.findIndex(({ tool }) => tool === "evidence_cite");
        const { payer } = world.need("claims", facts.claim);
        const section = world
          .where("sections", { payer, source: "manual" })
          .find(({ title }) => /harmless|protection|owes/i.test(title));
        if (facts.basis.length === 0 || section === undefined || facts.basis.includes(section.id)) return [];
        const cite = { ...steps[at]!, key: 1000, args: { by: steps[at]!.args.by!, evidence: section.id } };
        return [[...steps.slice(0, at + 1), cite, ...steps.slice(at + 1)]];
      }),
    ).toEqual([]);
  });
});
