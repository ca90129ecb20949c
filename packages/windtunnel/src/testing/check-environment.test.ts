import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineAgent } from "../core/agent.js";
import { type Criterion, defineCriterion, defineGate, type Gate } from "../core/criterion.js";
import { type AnyEnvironment, defineEnvironment, type Draw, type GeneratedTask } from "../core/environment.js";
import { ToolError, UsageError } from "../core/fault.js";
import { kind, ref } from "../core/field.js";
import type { Verdict } from "../core/verdict.js";
import { defineRubric } from "../core/rubric.js";
import { defineSystem } from "../core/system.js";
import { defineTool, type Tool } from "../core/tool.js";
import { defineUser } from "../core/user.js";
import { met, notApplicable, unmet } from "../core/verdict.js";
import { CHECKS, checkEnvironment } from "./check-environment.js";
import { exampleEnvironment } from "./example-environment.js";

type Example = typeof exampleEnvironment;
type Shop = Parameters<Example["generate"]>[0];
type Facts = ReturnType<Example["generate"]>["facts"];
const { rubric, outcome } = exampleEnvironment;
const shop = exampleEnvironment.systems[0]!;

const edit = (changes: Partial<Example>): AnyEnvironment => defineEnvironment({ ...exampleEnvironment, ...changes });
const withTools = (tools: readonly unknown[]) => edit({ systems: [defineSystem({ ...shop, tools: tools as Example["systems"][number]["tools"] })] });
const withTool = (name: string, change: (tool: Tool<never>) => Partial<Tool<never>>) =>
  withTools(shop.tools.map((tool) => (tool.name === name ? { ...tool, ...change(tool as unknown as Tool<never>) } : tool)));
const withExtra = (tool: Tool<never>) => withTools([...shop.tools, tool]);
const withGenerate = (change: (made: GeneratedTask<Facts>, world: Shop, draw: Draw) => Partial<GeneratedTask<Facts>>) =>
  edit({
    generate(world, draw) {
      const made = exampleEnvironment.generate(world, draw);
      return { ...made, ...change(made, world, draw) };
    },
  });
const withRubric = (change: { gates?: readonly Gate[]; criteria?: readonly Criterion[] }) => edit({ rubric: defineRubric({ ...rubric, ...(change as Partial<Example["rubric"]>) }) });
/** The sound criteria, with the last replaced by one that asks `check`. */
const asking = (check: (context: Parameters<Example["rubric"]["criteria"][number]["check"]>[0]) => Verdict, more: Partial<Criterion> = {}) =>
  withRubric({ criteria: [...rubric.criteria.slice(0, 2), defineCriterion({ name: "odd", description: "An odd question.", points: 20, after: ["right_decision"], check, ...(more as object) })] as unknown as Criterion[] });
const answering = (name: string, handle: () => unknown) => defineTool({ name, description: "An extra tool.", effect: "read", input: z.object({}), output: z.unknown(), handle }) as Tool<never>;

interface Broken {
  readonly check: string;
  readonly message: RegExp;
  readonly environment: () => AnyEnvironment;
}

const BROKEN: Readonly<Record<string, Broken>> = {
  "generate throws for some tasks": {
    check: "tasks-open",
    message: /generate threw: no such patient/,
    environment: () => withGenerate((_, __, { index }) => { if (index === 3) throw new Error("no such patient"); return {}; }),
  },
  "a task has no prompt": { check: "tasks-open", message: /the task has no prompt/, environment: () => withGenerate(() => ({ prompt: " " })) },
  "facts hold a date object": { check: "tasks-open", message: /not plain JSON/, environment: () => withGenerate(({ facts }) => ({ facts: { ...facts, due: new Date(0) } })) },
  "generate draws unseeded randomness": { check: "seed-determinism", message: /generate draws on Math\.random\(\)/, environment: () => withGenerate(({ facts }) => ({ facts: { ...facts, salt: Math.random() } })) },
  "generate reads the wall clock": { check: "seed-determinism", message: /generate draws on new Date\(\)/, environment: () => withGenerate(({ prompt }) => ({ prompt: `${prompt} Today is ${new Date().toDateString()}.` })) },
  "generate keeps a counter": {
    check: "seed-determinism",
    message: /opened twice, it gave two different tasks/,
    environment: () => { let made = 0; return withGenerate(({ facts }) => ({ facts: { ...facts, number: made++ } })); },
  },
  "generate gives every id the same task": {
    check: "seed-determinism",
    message: /has the same world and prompt as train\/0\/0/,
    environment: () => edit({ generate: (world) => { world.insert("orders", { id: "ORD-1", customer: "A", item: "tent", price: "20.00", delivered: "2026-02-01", status: "delivered" }); return { prompt: "Work.", family: "f", archetype: "a", facts: { ticket: "TCK-1", order: "ORD-1", price: "20.00", decision: "refunded" } }; } }),
  },
  "a tool reads the wall clock": { check: "step-determinism", message: /draws on Date\.now\(\)/, environment: () => withTool("get_ticket", (tool) => ({ handle: (world, args, context) => { Date.now(); return tool.handle(world, args, context); } })) },
  "a tool remembers between episodes": {
    check: "step-determinism",
    message: /run twice, it went two ways/,
    environment: () => { let calls = 0; return withExtra(answering("count_calls", () => ({ calls: calls++ }))); },
  },
  "the user speaks at random": {
    check: "step-determinism",
    message: /draws on Math\.random\(\)/,
    environment: () => edit({ user: defineUser({ name: "customer", open: () => () => (Math.random() < 2 ? null : "") }), reference: (graded, context) => { const act = exampleEnvironment.reference(graded, context); let told = false; return (seen) => (told ? act(seen) : ((told = true), { text: "Hello." })); } }),
  },
  "rows do not fit their table": { check: "rows-conform", message: /a row of "orders" does not fit its schema: expected an amount/, environment: () => withGenerate((_, world) => { world.insert("orders", { customer: "A", item: "tent", price: "20", delivered: "2026-02-01", status: "delivered" }); return {}; }) },
  "a result does not fit its schema": { check: "results-conform", message: /the result does not fit the output schema/, environment: () => withTool("get_ticket", (tool) => ({ handle: (world, args, context) => ({ ...(tool.handle(world, args, context) as object), status: 1 }) })) },
  "a result holds an undeclared field": { check: "results-conform", message: /an undeclared field/, environment: () => withTool("get_ticket", (tool) => ({ handle: (world, args, context) => ({ ...(tool.handle(world, args, context) as object), internal: "note" }) })) },
  "a tool declared to read writes": { check: "effects-honest", message: /a tool declared to read has written/, environment: () => withTool("decline_refund", () => ({ effect: "read" })) },
  "a refusal leaves a write behind": {
    check: "effects-honest",
    message: /a refused call left changes behind/,
    environment: () => withTool("refund_order", (tool) => ({ handle: (world, args, context) => { const open = world as unknown as Shop; const { order } = args as { order: string }; if (open.get("orders", order)?.status === "delivered") open.insert("ledger", { order, entry: "refund", amount: "0.01" }); return tool.handle(world, args, context); } })),
  },
  "a tool crashes on an id it does not know": { check: "tools-hold", message: /the tool broke \(tool_threw:get_order\)/, environment: () => withTool("get_order", (tool) => ({ handle: (world, args, context) => { (world as unknown as Shop).need("orders", (args as { order: string }).order); return tool.handle(world, args, context); } })) },
  "a baseline throws": { check: "tools-hold", message: /the agent broke \(agent_threw\): lost/, environment: () => edit({ baselines: [defineAgent({ name: "bad", open: () => () => { throw new Error("lost"); } })] }) },
  "a tool does not say what it does": { check: "described", message: /there is no description/, environment: () => withTool("get_order", () => ({ description: "" })) },
  "a mark names no table": { check: "marks-name-tables", message: /marked as an id of "order", which is no table/, environment: () => withTool("get_order", () => ({ input: z.object({ order: ref("order") }) })) },
  "a mark names a sealed table": { check: "marks-name-tables", message: /marked as an id of "truths", which is sealed/, environment: () => withTool("get_order", () => ({ input: z.object({ order: ref("truths") }) })) },
  "an argument that takes ids is not marked": { check: "arguments-marked", message: /takes ids of "orders" and is not marked/, environment: () => withTool("get_order", () => ({ input: z.object({ order: z.string() }) })) },
  "the reference gives arguments that were never seen": {
    check: "recall-at-64",
    message: /recall@64 is 0\.\d+: this call of the reference is not among the first 64 candidates/,
    environment: () => withTool("get_order", (tool) => ({ input: z.object({ order: kind("order_token") }), handle: tool.handle })),
  },
  "the reference throws": { check: "reference-runs", message: /the reference threw: no plan for worn/, environment: () => edit({ reference: (graded, context) => { if (graded.task.archetype === "worn") throw new Error("no plan for worn"); return exampleEnvironment.reference(graded, context); } }) },
  "the reference runs out of turns": { check: "reference-runs", message: /cut short by the turn limit/, environment: () => edit({ limits: { turns: 3, toolCalls: 24 } }) },
  "the reference fails a kind of task": { check: "reference-passes", message: /the reference never passes: reward 0\.000; right_decision: order is declined, not refunded/, environment: () => edit({ reference: ({ task, facts }, context) => exampleEnvironment.reference({ task, facts: { ...facts, decision: "declined" } }, context) }) },
  "the reference passes only sometimes": {
    check: "reference-passes",
    message: /the reference is flaky, it passes \d of 4 times/,
    environment: () => edit({ reference: (graded, context) => (context.random.chance(0.2) ? () => ({}) : exampleEnvironment.reference(graded, context)) }),
  },
  "a criterion throws": { check: "reference-passes", message: /it could not be scored: odd: verifier: off by one/, environment: () => asking(() => { throw new Error("off by one"); }) },
  "doing nothing earns credit": { check: "idle-earns-nothing", message: /doing nothing earns 0\.200 on average, here 0\.200 for odd/, environment: () => asking(({ timeline }) => timeline.never("refund_order", "a refund"), { after: [] }) },
  "doing nothing passes": { check: "idle-earns-nothing", message: /doing nothing passes/, environment: () => withRubric({ criteria: [defineCriterion({ name: "calm", description: "Nothing was broken.", points: 100, check: () => met("calm") })] }) },
  "the start already satisfies the rubric": { check: "start-does-not-pass", message: /the untouched world passes/, environment: () => edit({ generate: (world, draw) => { const made = exampleEnvironment.generate(world, draw); world.update("orders", made.facts.order, { status: made.facts.decision }); return made; }, rubric: defineRubric({ criteria: [{ ...rubric.criteria[0]!, points: 100 }] }) }) },
  "the start already counts as solved": { check: "start-does-not-pass", message: /the untouched world counts as solved/, environment: () => edit({ solved: (world) => world.all("ledger").length === 0 }) },
  "a rubric is put together by hand": { check: "rubric-obligations", message: /Points do not sum/, environment: () => edit({ rubric: { ...rubric, criteria: rubric.criteria.slice(0, 2) } }) },
  "points alone decide a pass": { check: "rubric-obligations", message: /no gate and no critical criterion/, environment: () => withRubric({ gates: [], criteria: rubric.criteria.map((criterion) => ({ ...criterion, critical: false })) as unknown as Criterion[] }) },
  "a criterion never applies": { check: "questions-answered", message: /this criterion never applied in \d+ attempts/, environment: () => asking(() => notApplicable("no such case")) },
  "a gate can never be evaluated": { check: "questions-answered", message: /this gate could not be evaluated .* guards nothing/, environment: () => withRubric({ gates: [defineGate({ name: "asleep", description: "A gate that sleeps.", check: () => notApplicable("asleep") })] }) },
  "evidence points at an event that is not there": { check: "evidence-resolves", message: /an event that is not in the trace/, environment: () => asking(({ timeline }) => met("yes", [{ event: timeline.events.length }])) },
  "evidence points at a sealed row": { check: "evidence-resolves", message: /a table that tools cannot reach/, environment: () => asking(() => met("yes", [{ table: "truths", id: "TRU-1" }])) },
  "a verdict gives no reason": { check: "evidence-resolves", message: /gives no reason/, environment: () => asking(() => met("")) },
  "a criterion draws unseeded randomness": { check: "criteria-purity", message: /the criterion draws on Math\.random\(\)/, environment: () => asking(() => (Math.random() < 0.5 ? met("heads") : unmet("tails"))) },
  "a criterion reads the wall clock": { check: "criteria-purity", message: /the criterion draws on new Date\(\)/, environment: () => asking(() => (new Date().getHours() < 12 ? met("morning") : unmet("afternoon"))) },
  "a criterion remembers": { check: "criteria-purity", message: /asked 5 times, it changed its mind/, environment: () => { let asked = 0; return asking(() => (asked++ % 2 === 0 ? met("even") : unmet("odd"))); } },
  "a criterion changes the facts": { check: "criteria-purity", message: /the criterion changes the facts/, environment: () => asking(({ facts }) => { (facts as { price: string }).price = "0.00"; return met("yes"); }) },
  "a criterion changes the trace": { check: "criteria-purity", message: /the criterion changes the trace/, environment: () => asking(({ timeline }) => { for (const event of timeline.events) Object.assign(event, { seen: true }); return met("yes"); }) },
  "the prompt holds a sealed value": { check: "nothing-hidden-shows", message: /reaches the agent: truths\/TRU-\d+\.id/, environment: () => withGenerate(({ prompt }, world) => ({ prompt: `${prompt} See ${world.all("truths")[0]!.id}.` })) },
  "the prompt says what the schemas spell, exactly when it is the answer": { check: "nothing-hidden-shows", message: /reaches the agent: facts\.decision/, environment: () => withGenerate(({ prompt, facts }) => ({ prompt: `${prompt} It should end up ${facts.decision}.` })) },
  "the instructions of a task hold a fact": { check: "nothing-hidden-shows", message: /reaches the agent: facts\.code/, environment: () => { const codes = new Map<string, string>(); return { ...withGenerate(({ facts }, world, { random }) => { const code = `gold-${random.int(1e6, 9e6)}`; codes.set(world.seed, code); return { facts: { ...facts, code } }; }), instructions: (task: { seed: string }) => `Refund what is owed. (${codes.get(task.seed)})` }; } },
  "a tool answers from the grader's facts": {
    check: "nothing-hidden-shows",
    message: /reaches the agent: facts\.verdict/,
    environment: () => {
      const gold = new Map<string, string>();
      const audit = defineTool({ name: "read_audit_log", description: "Reads the audit log.", effect: "read", input: z.object({}), output: z.object({ log: z.array(z.string()) }), handle: (world: Shop) => ({ log: [`expected: ${gold.get(world.seed)}`] }) });
      const { generate } = withGenerate(({ facts }, world, { random }) => { const verdict = `settle at ${random.int(1e6, 9e6)} points`; gold.set(world.seed, verdict); return { facts: { ...facts, verdict } }; });
      return { ...withExtra(audit as unknown as Tool<never>), generate };
    },
  },
  "the user tells a fact": { check: "nothing-hidden-shows", message: /reaches the agent: facts\.password/, environment: () => { const base = withGenerate(({ facts }) => ({ facts: { ...facts, password: "open-sesame-7" } })); return { ...base, user: defineUser({ name: "customer", open: () => () => "Psst: open-sesame-7." }), baselines: [defineAgent({ name: "chatty", open: () => () => ({ text: "Hello?" }) })] }; } },
  "a source is in two splits": { check: "splits-disjoint", message: /shares the source group "customer-1"/, environment: () => withGenerate(() => ({ sourceGroup: "customer-1" })) },
  "tasks of two splits differ in nothing but their ids": {
    check: "splits-disjoint",
    message: /is nearly the same task as train\/0\/\d+/,
    environment: () => edit({ generate: (world, { random, ...draw }) => exampleEnvironment.generate(world, { ...draw, random: random.constructor === Object ? random : new (random.constructor as new (seed: string) => typeof random)(`index ${draw.index}`) }) }),
  },
  "the outcome is no number": { check: "outcome-sound", message: /the outcome of the reference is NaN/, environment: () => edit({ outcome: { ...outcome, read: () => ({ value: Number.NaN, parts: {}, acceptable: true }) } }) },
  "the outcome is not the sum of its parts": { check: "outcome-sound", message: /its parts sum to/, environment: () => edit({ outcome: { ...outcome, read: (end, start) => ({ ...outcome.read(end, start), parts: { bonus: 7 } }) } }) },
  "the outcome cannot be read": { check: "outcome-sound", message: /could not be read: no ledger/, environment: () => edit({ outcome: { ...outcome, read: () => { throw new Error("no ledger"); } } }) },
  "the outcome of the reference is not acceptable": { check: "outcome-sound", message: /the outcome of the reference is not acceptable/, environment: () => edit({ outcome: { ...outcome, read: (end, start) => ({ ...outcome.read(end, start), acceptable: false }) } }) },
  "neglect costs nothing": { check: "outcome-sound", message: /the outcome of doing nothing is as good as the reference's/, environment: () => edit({ outcome: { ...outcome, horizonMs: 0 } }) },
  "refusals give the reference away": { check: "nothing-hidden-shows", message: /reaches the agent: facts\.hint/, environment: () => { const hints = new Map<string, string>(); return { ...withExtra(defineTool({ name: "ask", description: "Asks the desk.", effect: "read", input: z.object({}), output: z.object({}), handle: (world: Shop) => { throw new ToolError("no", `not now; ${hints.get(world.seed)}`); } }) as unknown as Tool<never>), generate: withGenerate(({ facts }, world, { random }) => { const hint = `hint ${random.int(1e6, 9e6)}x`; hints.set(world.seed, hint); return { facts: { ...facts, hint } }; }).generate }; } },
};

describe("a broken environment fails, with the message that says why", () => {
  it.each(Object.entries(BROKEN))("%s", async (_, { check, message, environment }) => {
    const report = await checkEnvironment(environment(), { tasks: 8 });
    const result = report.checks.find(({ id }) => id === check);
    expect(result?.status).toBe("fail");
    expect(result?.problems.map(({ message }) => message)).toContainEqual(expect.stringMatching(message));
    for (const { where, fix } of result?.problems ?? []) expect(where.length > 0 && fix.length > 0).toBe(true);
    expect(report.passed).toBe(false);
  });

  it("and every check is shown at least one environment that it must fail", () => {
    expect(new Set(Object.values(BROKEN).map(({ check }) => check))).toEqual(new Set(CHECKS.map(({ id }) => id)));
  });
});

describe("a sound environment", () => {
  it("passes every check", async () => {
    for (const seed of [0, 1]) {
      const report = await checkEnvironment(exampleEnvironment, { seed });
      expect(report.checks.flatMap(({ problems }) => problems)).toEqual([]);
      expect(report.checks.map(({ status }) => status)).toEqual(CHECKS.map(() => "pass"));
      expect(report.passed).toBe(true);
    }
  });

  it("passes with outages, rate limits and a user", async () => {
    const harsh = edit({ systems: [defineSystem({ ...shop, faults: { staleRead: 0, rateLimit: { calls: 20, perMs: 60_000 } } })], user: defineUser({ name: "customer", open: () => () => "Please go on." }) });
    const report = await checkEnvironment(harsh, { tasks: 8 });
    expect(report.checks.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("may let agents know facts that it declares public", async () => {
    const told = withGenerate(({ prompt }, world) => ({ prompt: `${prompt} Ref ${world.all("truths")[0]!.order}.`, facts: { ...exampleFacts(world), memo: "memo 4711-x" } }));
    const shown = { ...told, instructions: () => "Refund what is owed." , generate: (world: Shop, draw: Draw) => { const made = told.generate(world, draw); return { ...made, prompt: `${made.prompt} (memo 4711-${draw.index}-${draw.split})`, facts: { ...made.facts, memo: `memo 4711-${draw.index}-${draw.split}` } }; } };
    const leaks = async (publicFacts: string[]) => (await checkEnvironment(shown, { tasks: 4, publicFacts })).checks.find(({ id }) => id === "nothing-hidden-shows")?.status;
    expect(await leaks([])).toBe("fail");
    expect(await leaks(["facts.memo"])).toBe("pass");
  });

  it("gives the same report every time", async () => {
    const report = () => checkEnvironment(exampleEnvironment, { tasks: 4 });
    expect(await report()).toEqual(await report());
  });

  it("leaves the clock and randomness as they were", async () => {
    const before = [Date, Math.random, performance.now];
    await checkEnvironment(exampleEnvironment, { tasks: 2, splits: ["train"] });
    expect([Date, Math.random, performance.now]).toEqual(before);
  });
});

function exampleFacts(world: Shop): Facts {
  const order = world.all("orders")[0]!;
  return { ticket: world.all("tickets")[0]!.id, order: order.id, price: order.price, decision: world.all("truths")[0]!.owed ? "refunded" : "declined" };
}

describe("what the sample does not show", () => {
  it("is said to be unmeasured, never passed", async () => {
    const report = await checkEnvironment(exampleEnvironment, { tasks: 2, splits: ["sealed"] });
    expect(report.checks.find(({ id }) => id === "splits-disjoint")).toMatchObject({ status: "notMeasured", measured: { reason: "one split was asked for" } });
    expect(report.passed).toBe(true);
  });

  it("is everything when no task opens, and the environment does not pass", async () => {
    const report = await checkEnvironment(edit({ generate: () => { throw new Error("empty"); } }), { tasks: 2 });
    expect(report.passed).toBe(false);
    expect(report.checks.filter(({ status }) => status === "pass").map(({ id }) => id).sort()).toEqual(["described", "marks-name-tables", "rubric-obligations"]);
  });

  it.each([{ tasks: 1 }, { tasks: 2.5 }, { tasks: Number.NaN }, { splits: [] }])("cannot be asked of a sample that is none: %j", async (options) => {
    await expect(checkEnvironment(exampleEnvironment, options)).rejects.toThrow(UsageError);
  });
});
