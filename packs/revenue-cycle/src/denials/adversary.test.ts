/** Damage that must cost, and other words for the same work that must not. */
import { describe, expect, it } from "vitest";
import { formatCents, toCents } from "../codec/decimal.js";
import { archetypes } from "./archetypes/index.js";
import { addDays, dateOf } from "./calendar.js";
import {
  again,
  beforeClosing,
  type Case,
  costsLittle,
  costsNothing,
  costsSomething,
  earnsAtMost,
  exceptions,
  item,
  type Made,
  neverPasses,
  numbersIn,
  PAPERWORK,
  passes,
  READS,
  replaced,
  rewardOf,
  type Step,
} from "./damaged-cases.fixture.js";
import { APPEAL_CHANNELS, CORRECTION_CHANNELS } from "./world.js";

describe("damage to a right solution", () => {
  it("is told from none at all", async () => {
    expect(await costsNothing(({ steps }) => [steps])).toEqual([]);
    expect(await neverPasses(({ steps }) => [steps])).toHaveLength(archetypes.length);
    expect(await earnsAtMost(0, ({ steps }) => [steps.filter(({ tool }) => READS.test(tool))])).toEqual([]);
  });

  it("does not pass when any one act, the cause or the close is left out", async () => {
    expect(
      await neverPasses(({ steps }) =>
        steps.flatMap(({ tool }, i) =>
          READS.test(tool) || PAPERWORK.has(tool) ? [] : [steps.filter((_, other) => other !== i)],
        ),
      ),
    ).toEqual([]);
  });

  it("does not pass under another of the offered causes", async () => {
    expect(await neverPasses(replaced("item_set_cause", "cause", (one) => item(one).causes))).toEqual([]);
  });

  it("earns nothing under a disposition that the case does not call for", async () => {
    const others = (one: Case) =>
      item(one).dispositions.filter((code) => !one.scenario.facts.dispositions.includes(code));
    expect(await earnsAtMost(0, replaced("item_close", "disposition", others))).toEqual([]);
  });

  it("does not pass by a channel that the payer does not take", async () => {
    expect(await neverPasses(replaced("correction_open", "channel", () => CORRECTION_CHANNELS))).toEqual([]);
    expect(await neverPasses(replaced("appeal_open", "channel", () => APPEAL_CHANNELS))).toEqual([]);
  });

  it("does not pass with another number of the record in place of the right one", async () => {
    expect(
      await neverPasses(replaced("correction_set_provider", "npi", (one) => numbersIn(one, /NPI (\d{10})/g))),
    ).toEqual([]);
    expect(await neverPasses(replaced("correction_set_ndc", "ndc", (one) => numbersIn(one, /NDC (\d{11})/g)))).toEqual(
      [],
    );
    expect(
      await neverPasses(
        replaced("correction_set_authorization", "authorization", ({ scenario: { world } }) => [
          ...world.all("authorizations").map(({ number }) => number),
          "A12345678",
        ]),
      ),
    ).toEqual([]);
  });

  it("earns nothing with a modifier, diagnosis or quantity that the record does not support", async () => {
    expect(
      await earnsAtMost(
        0,
        replaced("correction_add_modifier", "modifier", () => ["KX", "XU", "NU"]),
      ),
    ).toEqual([]);
    expect(
      await earnsAtMost(
        0,
        replaced("correction_add_diagnosis", "diagnosis", () => ["I10"]),
      ),
    ).toEqual([]);
    expect(await neverPasses(replaced("correction_set_units", "units", () => ["2", "3", "4", "5"]))).toEqual([]);
  });

  it("does not pass when an adjustment or a refund is a cent short", async () => {
    const short = (_one: Case, { args }: Step) => [formatCents(toCents(args.amount as string) - 1)];
    expect(await neverPasses(replaced("adjust_post", "amount", short))).toEqual([]);
    expect(await neverPasses(replaced("refund_request", "amount", short))).toEqual([]);
  });

  it("is capped when the patient is billed a dollar that the patient does not owe", async () => {
    const billed = exceptions(
      ({ steps, scenario: { facts } }) => [
        beforeClosing(steps, { tool: "statement_send", args: { claim: facts.claim, amount: "1.00" } }),
      ],
      (rollout) => {
        const sent = rollout.events.some(
          (event) =>
            event.type === "call" &&
            event.tool === "statement_send" &&
            event.ok &&
            (event.arguments as { amount?: string }).amount === "1.00",
        );
        return !sent || (rewardOf(rollout) <= 0.2 && !passes(rollout));
      },
    );
    expect(await billed).toEqual([]);
  });

  it("earns nothing when its prose names a record that does not exist", async () => {
    for (const [tool, name] of [
      ["note_add", "text"],
      ["appeal_submit", "letter"],
      ["escalate", "summary"],
      ["query_create", "question"],
    ] as const)
      expect(
        await earnsAtMost(
          0,
          replaced(tool, name, (_one, { args }) => [`${args[name]} See LTR-00017.`]),
        ),
      ).toEqual([]);
  });

  it("is capped when the same correction or dispute goes out twice", async () => {
    expect(await earnsAtMost(0.2, ({ steps }) => again(steps, "correction_open", "correction_submit"))).toEqual([]);
    expect(await earnsAtMost(0.2, ({ steps }) => again(steps, "appeal_open", "appeal_submit"))).toEqual([]);
  });

  it("is capped when another patient's page is cited", async () => {
    expect(
      await earnsAtMost(0.2, ({ steps, scenario: { world, facts } }) => {
        const { patient } = world.need("claims", facts.claim);
        const foreign = world
          .all("pages")
          .find(({ document }) => world.need("documents", document).patient !== patient);
        const at = steps.findIndex(({ tool }) => tool === "evidence_cite");
        if (foreign === undefined || at < 0) return [];
        const cite = { ...steps[at]!, key: 1000, args: { by: steps[at]!.args.by!, evidence: foreign.id } };
        return [[...steps.slice(0, at), cite, ...steps.slice(at)]];
      }),
    ).toEqual([]);
  });

  it("loses points when someone who does not own the decision is told as well", async () => {
    expect(
      await costsSomething(({ steps, scenario: { facts } }) => [
        beforeClosing(steps, {
          tool: "escalate",
          args: { item: facts.item, to: "legal_and_risk", summary: "Please decide." },
        }),
      ]),
    ).toEqual([]);
  });
});

describe("a right solution in other words", () => {
  it("costs nothing when everything about the patient is opened first", async () => {
    expect(
      await costsNothing(({ steps, scenario: { world, facts } }) => {
        const { patient, payer } = world.need("claims", facts.claim);
        const at = steps.findIndex(({ tool }) => !READS.test(tool));
        const more = [
          { tool: "account_get", args: { claim: facts.claim } },
          { tool: "claim_history", args: { patient } },
          { tool: "edits_check", args: { claim: facts.claim } },
          ...world.where("documents", { patient }).map(({ id }) => ({ tool: "chart_read", args: { document: id } })),
          ...world
            .where("letters", { patient })
            .map(({ id }) => ({ tool: "correspondence_read", args: { letter: id } })),
          ...world
            .where("sections", { payer, source: "manual" })
            .slice(0, 6)
            .map(({ id }) => ({ tool: "library_read", args: { section: id } })),
        ].map((step, i) => ({ ...step, key: 1000 + i }));
        return [[...steps.slice(0, at), ...more, ...steps.slice(at)]];
      }),
    ).toEqual([]);
  });

  it("costs nothing when records are opened in another order", async () => {
    expect(
      await costsNothing(({ steps, scenario: { facts } }) => {
        // A list goes before what it lists, and a number that is granted on the way cannot be seen sooner.
        if (facts.retro !== null) return [];
        const reads = steps.filter(({ tool }) => READS.test(tool));
        const lists = reads.slice(2).filter(({ tool }) => /_list$|_search$|_history$|^patient_get$/.test(tool));
        const opened = reads.slice(2).filter((step) => !lists.includes(step));
        const acts = steps.filter(({ tool }) => !READS.test(tool));
        return [[...reads.slice(0, 2), ...lists.reverse(), ...opened.reverse(), ...acts]];
      }),
    ).toEqual([]);
  });

  it("costs nothing when evidence is cited in another order", async () => {
    expect(
      await costsNothing(({ steps }) => {
        const cites = steps.filter(({ tool }) => tool === "evidence_cite");
        const makers = new Set(cites.map(({ args }) => (args.by as Made).step));
        if (cites.length < 2 || makers.size > 1) return [];
        const backwards = [...cites].reverse();
        return [steps.map((step) => (step.tool === "evidence_cite" ? backwards.shift()! : step))];
      }),
    ).toEqual([]);
  });

  it("costs nothing when a day goes by that the clock allows", async () => {
    expect(
      await costsNothing(({ steps, scenario: { world, facts } }) => {
        if (facts.actBy !== null && addDays(dateOf(world.now), 1) > facts.actBy) return [];
        const at = steps.findIndex(({ tool }) => !READS.test(tool));
        return [[...steps.slice(0, at), { key: 1000, tool: "wait", args: { until: "tomorrow" } }, ...steps.slice(at)]];
      }),
    ).toEqual([]);
  });

  it("costs nothing when notes and letters use other words and name only what exists", async () => {
    const words = ({ scenario: { world, facts } }: Case) => {
      const { controlNumber, payerClaimNumber, serviceDate, patient } = world.need("claims", facts.claim);
      return [
        `Claim ${facts.claim} (${controlNumber}, payer's number ${payerClaimNumber}), service of ${serviceDate}, patient ${patient}: the record opened shows why; done as the manual says.`,
      ];
    };
    expect(
      await costsNothing(replaced("note_add", "text", (one, { args }) => (args.text === undefined ? [] : words(one)))),
    ).toEqual([]);
    expect(await costsNothing(replaced("appeal_submit", "letter", words))).toEqual([]);
    expect(await costsNothing(replaced("escalate", "summary", words))).toEqual([]);
  });

  it("costs nothing when another of the accepted owners or dispositions is chosen", async () => {
    expect(
      await costsNothing(replaced("escalate", "to", ({ scenario: { facts } }) => facts.escalation?.to ?? [])),
    ).toEqual([]);
    expect(
      await costsNothing(replaced("item_close", "disposition", ({ scenario: { facts } }) => facts.dispositions)),
    ).toEqual([]);
  });

  it("costs little when a draft holds a made-up number for a moment", async () => {
    const wrong: Readonly<Record<string, Step["args"]>> = {
      correction_set_authorization: { authorization: "A11111111" },
      correction_set_units: { units: "9" },
      correction_set_ndc: { ndc: "12345678901" },
    };
    expect(
      await costsLittle(({ steps }) =>
        steps.flatMap((step, i) =>
          wrong[step.tool] === undefined
            ? []
            : [
                [
                  ...steps.slice(0, i),
                  { ...step, key: 1000, args: { ...step.args, ...wrong[step.tool] } },
                  ...steps.slice(i),
                ],
              ],
        ),
      ),
    ).toEqual([]);
  });
});
