/**
 * Environments whose verifier is broken: references that fail, credit for nothing, impure or empty questions, leaks, splits that overlap,
 * outcomes that say nothing.
 */
import { z } from "zod";
import { defineAgent } from "../../core/agent.js";
import { type Criterion, defineCriterion, defineGate } from "../../core/criterion.js";
import { ToolError } from "../../core/fault.js";
import { Random } from "../../core/random.js";
import { defineRubric } from "../../core/rubric.js";
import { defineTool, type Tool } from "../../core/tool.js";
import { defineUser } from "../../core/user.js";
import { met, notApplicable, unmet } from "../../core/verdict.js";
import { exampleEnvironment } from "../example-environment.js";
import {
  asking,
  type BrokenEnvironment,
  edit,
  type Shop,
  withExtra,
  withGenerate,
  withRubric,
} from "./edit-example.js";

const { outcome, rubric } = exampleEnvironment;

export const brokenVerifiers: Readonly<Record<string, BrokenEnvironment>> = {
  "the reference throws": {
    check: "reference-runs",
    message: /the reference threw: no plan for worn/,
    environment: () =>
      edit({
        reference: (graded, context) => {
          if (graded.task.archetype === "worn") throw new Error("no plan for worn");
          return exampleEnvironment.reference(graded, context);
        },
      }),
  },
  "the reference runs out of turns": {
    check: "reference-runs",
    message: /cut short by the turn limit/,
    environment: () => edit({ limits: { turns: 3, toolCalls: 24 } }),
  },
  "the reference fails a kind of task": {
    check: "reference-passes",
    message: /the reference never passes: reward 0\.000; right_decision: order is declined, not refunded/,
    environment: () =>
      edit({
        reference: ({ task, facts }, context) =>
          exampleEnvironment.reference({ task, facts: { ...facts, decision: "declined" } }, context),
      }),
  },
  "the reference passes only sometimes": {
    check: "reference-passes",
    message: /the reference is flaky, it passes \d of 4 times/,
    environment: () =>
      edit({
        reference: (graded, context) =>
          context.random.chance(0.2) ? () => ({}) : exampleEnvironment.reference(graded, context),
      }),
  },
  "a criterion throws": {
    check: "reference-passes",
    message: /it could not be scored: odd: verifier: off by one/,
    environment: () =>
      asking(() => {
        throw new Error("off by one");
      }),
  },
  "doing nothing earns credit": {
    check: "idle-earns-nothing",
    message: /doing nothing earns 0\.200 on average, here 0\.200 for odd/,
    environment: () => asking(({ timeline }) => timeline.never("refund_order", "a refund"), { after: [] }),
  },
  "doing nothing passes": {
    check: "idle-earns-nothing",
    message: /doing nothing passes/,
    environment: () =>
      withRubric({
        criteria: [
          defineCriterion({ name: "calm", description: "Nothing was broken.", points: 100, check: () => met("calm") }),
        ],
      }),
  },
  "the start already satisfies the rubric": {
    check: "start-does-not-pass",
    message: /the untouched world passes/,
    environment: () =>
      edit({
        generate: (world, draw) => {
          const made = exampleEnvironment.generate(world, draw);
          world.update("orders", made.facts.order, { status: made.facts.decision });
          return made;
        },
        rubric: defineRubric({ criteria: [{ ...rubric.criteria[0]!, points: 100 }] }),
      }),
  },
  "the start already counts as solved": {
    check: "start-does-not-pass",
    message: /the untouched world counts as solved/,
    environment: () => edit({ solved: (world) => world.all("ledger").length === 0 }),
  },
  "a rubric is put together by hand": {
    check: "rubric-obligations",
    message: /Points do not sum/,
    environment: () => edit({ rubric: { ...rubric, criteria: rubric.criteria.slice(0, 2) } }),
  },
  "points alone decide a pass": {
    check: "rubric-obligations",
    message: /no gate and no critical criterion/,
    environment: () =>
      withRubric({
        gates: [],
        criteria: rubric.criteria.map((criterion) => ({ ...criterion, critical: false })) as unknown as Criterion[],
      }),
  },
  "a criterion never applies": {
    check: "questions-answered",
    message: /this criterion never applied in \d+ attempts/,
    environment: () => asking(() => notApplicable("no such case")),
  },
  "a gate can never be evaluated": {
    check: "questions-answered",
    message: /this gate could not be evaluated .* guards nothing/,
    environment: () =>
      withRubric({
        gates: [
          defineGate({ name: "asleep", description: "A gate that sleeps.", check: () => notApplicable("asleep") }),
        ],
      }),
  },
  "evidence points at an event that is not there": {
    check: "evidence-resolves",
    message: /an event that is not in the trace/,
    environment: () => asking(({ timeline }) => met("yes", [{ event: timeline.events.length }])),
  },
  "evidence points at a sealed row": {
    check: "evidence-resolves",
    message: /a table that tools cannot reach/,
    environment: () => asking(() => met("yes", [{ table: "truths", id: "TRU-1" }])),
  },
  "a verdict gives no reason": {
    check: "evidence-resolves",
    message: /gives no reason/,
    environment: () => asking(() => met("")),
  },
  "a criterion draws unseeded randomness": {
    check: "criteria-purity",
    message: /the criterion draws on Math\.random\(\)/,
    environment: () => asking(() => (Math.random() < 0.5 ? met("heads") : unmet("tails"))),
  },
  "a criterion reads the wall clock": {
    check: "criteria-purity",
    message: /the criterion draws on new Date\(\)/,
    environment: () => asking(() => (new Date().getHours() < 12 ? met("morning") : unmet("afternoon"))),
  },
  "a criterion remembers": {
    check: "criteria-purity",
    message: /asked 5 times, it changed its mind/,
    environment: () => {
      let asked = 0;
      return asking(() => (asked++ % 2 === 0 ? met("even") : unmet("odd")));
    },
  },
  "a criterion changes the facts": {
    check: "criteria-purity",
    message: /the criterion changes the facts/,
    environment: () =>
      asking(({ facts }) => {
        (facts as { price: string }).price = "0.00";
        return met("yes");
      }),
  },
  "a criterion changes the trace": {
    check: "criteria-purity",
    message: /the criterion changes the trace/,
    environment: () =>
      asking(({ timeline }) => {
        for (const event of timeline.events) Object.assign(event, { seen: true });
        return met("yes");
      }),
  },
  "the prompt holds a sealed value": {
    check: "nothing-hidden-shows",
    message: /reaches the agent: truths\/TRU-\d+\.id/,
    environment: () =>
      withGenerate(({ prompt }, world) => ({ prompt: `${prompt} See ${world.all("truths")[0]!.id}.` })),
  },
  "the prompt says what the schemas spell, exactly when it is the answer": {
    check: "nothing-hidden-shows",
    message: /reaches the agent: facts\.decision/,
    environment: () =>
      withGenerate(({ prompt, facts }) => ({ prompt: `${prompt} It should end up ${facts.decision}.` })),
  },
  "the instructions of a task hold a fact": {
    check: "nothing-hidden-shows",
    message: /reaches the agent: facts\.code/,
    environment: () => {
      const codes = new Map<string, string>();
      return {
        ...withGenerate(({ facts }, world, { random }) => {
          const code = `gold-${random.int(1e6, 9e6)}`;
          codes.set(world.seed, code);
          return { facts: { ...facts, code } };
        }),
        instructions: (task: { seed: string }) => `Refund what is owed. (${codes.get(task.seed)})`,
      };
    },
  },
  "a tool answers from the grader's facts": {
    check: "nothing-hidden-shows",
    message: /reaches the agent: facts\.verdict/,
    environment: () => {
      const gold = new Map<string, string>();
      const audit = defineTool({
        name: "read_audit_log",
        description: "Reads the audit log.",
        effect: "read",
        input: z.object({}),
        output: z.object({ log: z.array(z.string()) }),
        handle: (world: Shop) => ({ log: [`expected: ${gold.get(world.seed)}`] }),
      });
      const { generate } = withGenerate(({ facts }, world, { random }) => {
        const verdict = `settle at ${random.int(1e6, 9e6)} points`;
        gold.set(world.seed, verdict);
        return { facts: { ...facts, verdict } };
      });
      return { ...withExtra(audit as unknown as Tool<never>), generate };
    },
  },
  "the user tells a fact": {
    check: "nothing-hidden-shows",
    message: /reaches the agent: facts\.password/,
    environment: () => {
      const base = withGenerate(({ facts }) => ({ facts: { ...facts, password: "open-sesame-7" } }));
      return {
        ...base,
        user: defineUser({ name: "customer", open: () => () => "Psst: open-sesame-7." }),
        baselines: [defineAgent({ name: "chatty", open: () => () => ({ text: "Hello?" }) })],
      };
    },
  },
  "a source is in two splits": {
    check: "splits-disjoint",
    message: /shares the source group "customer-1"/,
    environment: () => withGenerate(() => ({ sourceGroup: "customer-1" })),
  },
  "tasks of two splits differ in nothing but their ids": {
    check: "splits-disjoint",
    message: /is nearly the same task as train\/0\/\d+/,
    environment: () =>
      edit({
        generate: (world, draw) =>
          exampleEnvironment.generate(world, { ...draw, random: new Random(`index ${draw.index}`) }),
      }),
  },
  "the outcome is no number": {
    check: "outcome-sound",
    message: /the outcome of the reference is NaN/,
    environment: () =>
      edit({ outcome: { ...outcome, read: () => ({ value: Number.NaN, parts: {}, acceptable: true }) } }),
  },
  "the outcome is not the sum of its parts": {
    check: "outcome-sound",
    message: /its parts sum to/,
    environment: () =>
      edit({ outcome: { ...outcome, read: (end, start) => ({ ...outcome.read(end, start), parts: { bonus: 7 } }) } }),
  },
  "the outcome cannot be read": {
    check: "outcome-sound",
    message: /could not be read: no ledger/,
    environment: () =>
      edit({
        outcome: {
          ...outcome,
          read: () => {
            throw new Error("no ledger");
          },
        },
      }),
  },
  "the outcome of the reference is not acceptable": {
    check: "outcome-sound",
    message: /the outcome of the reference is not acceptable/,
    environment: () =>
      edit({ outcome: { ...outcome, read: (end, start) => ({ ...outcome.read(end, start), acceptable: false }) } }),
  },
  "neglect costs nothing": {
    check: "outcome-sound",
    message: /the outcome of doing nothing is as good as the reference's/,
    environment: () => edit({ outcome: { ...outcome, horizonMs: 0 } }),
  },
  "refusals give the reference away": {
    check: "nothing-hidden-shows",
    message: /reaches the agent: facts\.hint/,
    environment: () => {
      const hints = new Map<string, string>();
      return {
        ...withExtra(
          defineTool({
            name: "ask",
            description: "Asks the desk.",
            effect: "read",
            input: z.object({}),
            output: z.object({}),
            handle: (world: Shop) => {
              throw new ToolError("no", `not now; ${hints.get(world.seed)}`);
            },
          }) as unknown as Tool<never>,
        ),
        generate: withGenerate(({ facts }, world, { random }) => {
          const hint = `hint ${random.int(1e6, 9e6)}x`;
          hints.set(world.seed, hint);
          return { facts: { ...facts, hint } };
        }).generate,
      };
    },
  },
};
