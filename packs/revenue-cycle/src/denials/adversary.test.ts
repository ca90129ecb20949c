/**
 * What no rubric of a denial may be fooled by, and what it must not punish: the reference solution of one case of every archetype is damaged,
 * or said another way, and played again. Rows made on the way are named by the step that made them, so a step can go without breaking others.
 */

import { beforeAll, describe, expect, it } from "vitest";
import {
  type Agent,
  defineAgent,
  type Environment,
  openScenario,
  type Rollout,
  referenceAgent,
  runRollout,
  type Scenario,
} from "windtunnel";
import { formatCents, toCents } from "../codec/decimal.js";
import { archetypes } from "./archetypes/index.js";
import { environmentOf } from "./archetypes/prove.js";
import { addDays, dateOf } from "./calendar.js";
import type { DenialFacts } from "./facts.js";
import { APPEAL_CHANNELS, CORRECTION_CHANNELS, type DenialTables } from "./world.js";

/** A value that an earlier step returns. */
interface Made {
  readonly step: number;
  readonly field: string;
}
interface Step {
  readonly key: number;
  readonly tool: string;
  readonly args: Readonly<Record<string, string | Made>>;
}
interface Case {
  readonly archetype: string;
  readonly environment: Environment<DenialTables, DenialFacts>;
  readonly scenario: Scenario<DenialTables, DenialFacts>;
  readonly steps: readonly Step[];
  /** What the reference solution earns, played step by step. */
  readonly reward: number;
}

const NAMED: Readonly<Record<string, string>> = {
  escalate: "escalation",
  query_create: "query",
  retro_auth_open: "retro_request",
  correction_open: "correction",
  correction_submit: "claim",
  appeal_open: "appeal",
  adjust_post: "entry",
  statement_send: "statement",
  statement_hold: "hold",
  refund_request: "refund",
};

async function caseOf(archetype: (typeof archetypes)[number]): Promise<Case> {
  const environment = environmentOf(archetype);
  const scenario = openScenario(environment, "train/11/0");
  const { events } = await runRollout({
    environment,
    scenario,
    agent: referenceAgent(environment, scenario),
    attempt: 0,
    runSeed: "adversary",
  });
  const made = new Map<string, Made>();
  const steps: Step[] = [];
  for (const event of events) {
    if (event.type !== "call" || !event.ok) continue;
    const args = Object.entries(event.arguments as Record<string, string>);
    const field = NAMED[event.tool];
    steps.push({
      key: steps.length,
      tool: event.tool,
      args: Object.fromEntries(args.map(([name, value]) => [name, made.get(value) ?? value])),
    });
    if (field !== undefined)
      made.set((event.result as Record<string, string>)[field]!, { step: steps.length - 1, field });
  }
  const one = { archetype: archetype.id, environment, scenario, steps };
  return { ...one, reward: rewardOf(await play(one, steps)) };
}

/** Plays steps one by one, leaves out those whose maker is missing, and tries again when a system is down. */
function player(steps: readonly Step[]): Agent {
  return defineAgent({
    name: "player",
    open() {
      const results = new Map<number, Readonly<Record<string, string>>>();
      const left = [...steps];
      let current: Step | undefined;
      let tries = 0;
      return ({ messages }) => {
        const last = messages[messages.length - 1];
        if (current !== undefined && last?.role === "tool") {
          if (last.ok) results.set(current.key, last.value as Record<string, string>);
          else if ((last.value as { code: string }).code === "unavailable" && ++tries < 6) left.unshift(current);
        }
        for (current = left.shift(); current !== undefined; current = left.shift()) {
          const args = Object.entries(current.args).map(
            ([name, value]) =>
              [name, typeof value === "string" ? value : results.get(value.step)?.[value.field]] as const,
          );
          if (args.every(([, value]) => value !== undefined))
            return { calls: [{ tool: current.tool, arguments: Object.fromEntries(args) }] };
        }
        return {};
      };
    },
  });
}

const play = (
  { environment, scenario }: Pick<Case, "environment" | "scenario">,
  steps: readonly Step[],
): Promise<Rollout> => runRollout({ environment, scenario, agent: player(steps), attempt: 0, runSeed: "adversary" });

const rewardOf = ({ score }: Rollout) => (score.status === "scored" ? score.reward : Number.NaN);
const passes = ({ score }: Rollout) => score.status === "scored" && score.passed;

let cases: readonly Case[] = [];

beforeAll(async () => {
  cases = await Promise.all(archetypes.map(caseOf));
});

type Mutate = (one: Case) => readonly (readonly Step[])[];

/** The mutants that are judged otherwise than `right` says, by archetype and number. Refuses a mutation that applies to no case. */
async function exceptions(mutate: Mutate, right: (rollout: Rollout, one: Case) => boolean): Promise<string[]> {
  const found: string[] = [];
  let tried = 0;
  for (const one of cases) {
    for (const [i, steps] of mutate(one).entries()) {
      tried++;
      const rollout = await play(one, steps);
      if (!right(rollout, one)) found.push(`${one.archetype} #${i}: ${rewardOf(rollout)}`);
    }
  }
  if (tried === 0) throw new Error("no case has what this mutation changes");
  return found;
}

const neverPasses = (mutate: Mutate) => exceptions(mutate, (rollout) => !passes(rollout));
const earnsAtMost = (most: number, mutate: Mutate) =>
  exceptions(mutate, (rollout) => rewardOf(rollout) <= most && !passes(rollout));
const costsSomething = (mutate: Mutate) =>
  exceptions(mutate, (rollout, { reward }) => rewardOf(rollout) < reward - 0.03);
const costsNothing = (mutate: Mutate) =>
  exceptions(mutate, (rollout, { reward }) => rewardOf(rollout) === reward && passes(rollout));

const changed = (steps: readonly Step[], at: number, args: Step["args"]) =>
  steps.map((step, i) => (i === at ? { ...step, args: { ...step.args, ...args } } : step));

/** One mutant for each step of `tool` and each of `values`, with the argument replaced. */
const replaced =
  (tool: string, name: string, values: (one: Case, step: Step) => readonly string[]): Mutate =>
  (one) =>
    one.steps.flatMap((step, i) =>
      step.tool === tool
        ? values(one, step)
            .filter((value) => value !== step.args[name])
            .map((value) => changed(one.steps, i, { [name]: value }))
        : [],
    );

const beforeClosing = (steps: readonly Step[], ...more: readonly Omit<Step, "key">[]) => {
  const at = steps.findIndex(({ tool }) => tool === "item_close");
  return [...steps.slice(0, at), ...more.map((step, i) => ({ ...step, key: 1000 + i })), ...steps.slice(at)];
};

/** The steps from the first of `from` to the first of `to`, once more, as steps of their own. */
function again(steps: readonly Step[], from: string, to: string): readonly (readonly Step[])[] {
  const [first, last] = [from, to].map((name) => steps.findIndex(({ tool }) => tool === name)) as [number, number];
  if (first < 0 || last < first) return [];
  const moved = (value: string | Made) =>
    typeof value !== "string" && value.step >= first ? { ...value, step: value.step + 500 } : value;
  const copy = steps.slice(first, last + 1).map((step) => ({
    ...step,
    key: step.key + 500,
    args: Object.fromEntries(Object.entries(step.args).map(([name, value]) => [name, moved(value)])),
  }));
  return [[...steps.slice(0, last + 1), ...copy, ...steps.slice(last + 1)]];
}

const READS =
  /^(item_get|claim_get|claim_history|remit_get|ack_get|account_get|patient_get|auth_search|eligibility_check|edits_check|contract_rate|chart_|correspondence_|library_)/;
/** What leaves the case right in substance when it is left undone. */
const PAPERWORK = new Set(["note_add", "follow_up_create", "item_set_prevention", "wait"]);

const numbersIn = ({ scenario: { world } }: Case, pattern: RegExp) =>
  world.all("pages").flatMap(({ text }) => [...text.matchAll(pattern)].map(([, value]) => value!));

const item = ({ scenario: { world, facts } }: Case) => world.need("items", facts.item);

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
      await costsNothing(({ steps }) => {
        const reads = steps.filter(({ tool }) => READS.test(tool));
        return [[...reads.slice(0, 2), ...reads.slice(2).reverse(), ...steps.filter(({ tool }) => !READS.test(tool))]];
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

  it("costs nothing when a draft holds a wrong number for a moment", async () => {
    const wrong: Readonly<Record<string, Step["args"]>> = {
      correction_set_authorization: { authorization: "A11111111" },
      correction_set_units: { units: "9" },
      correction_set_ndc: { ndc: "12345678901" },
    };
    expect(
      await costsNothing(({ steps }) =>
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
