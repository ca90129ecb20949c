/**
 * The permit desk: a made-up environment that offers something to every mutation operator, with a rubric that asks after all of it. For tests.
 * An application is checked against its documents, a number is fetched from a register that answers the next day, a tier is set, and it is granted.
 */
import { z } from "zod";
import { type Criterion, defineCriterion, defineGate, type Gate } from "../../core/criterion.js";
import { type AnyEnvironment, defineEnvironment } from "../../core/environment.js";
import { ToolError } from "../../core/fault.js";
import { date, kind, money, prose, ref } from "../../core/field.js";
import { defineOutcome } from "../../core/outcome.js";
import { defineRubric } from "../../core/rubric.js";
import { defineSystem } from "../../core/system.js";
import { defineTool } from "../../core/tool.js";
import type { CallEvent } from "../../core/trace.js";
import { met, unmet, type Verdict } from "../../core/verdict.js";
import { defineTable, defineWorld, type World } from "../../core/world.js";

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 4, 4, 8);
const LIMIT = 2000;
const TIERS = ["basic", "extended", "special"];
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export const tables = {
  people: defineTable("PER", { id: ref("people"), first: z.string(), last: z.string(), born: date() }),
  applications: defineTable("APP", {
    id: ref("applications"),
    person: ref("people"),
    amount: money(),
    due: date(),
    status: z.enum(["open", "granted"]),
    tier: kind("tier").nullable(),
    number: kind("register_number").nullable(),
    locked: z.boolean(),
  }),
  documents: defineTable("DOC", {
    id: ref("documents"),
    application: ref("applications"),
    title: z.string(),
    on: date(),
  }),
  attachments: defineTable("ATT", {
    id: ref("attachments"),
    application: ref("applications"),
    document: ref("documents"),
  }),
  inquiries: defineTable("INQ", { id: ref("inquiries"), application: ref("applications") }),
  answers: defineTable("ANS", {
    id: ref("answers"),
    application: ref("applications"),
    number: kind("register_number"),
  }),
  grants: defineTable("GRT", { id: ref("grants"), application: ref("applications"), amount: money(), on: date() }),
  notes: defineTable("NOT", {
    id: ref("notes"),
    application: ref("applications"),
    about: ref("documents").nullable(),
    text: z.string(),
  }),
  hand_overs: defineTable("HND", { id: ref("hand_overs"), application: ref("applications"), to: z.string() }),
  truths: defineTable(
    "TRU",
    { id: ref("truths"), application: ref("applications"), number: z.string() },
    { sealed: true },
  ),
};
type Desk = World<typeof tables>;

export interface PermitFacts {
  readonly application: string;
  readonly documents: readonly string[];
  readonly tier: string;
  readonly number: string;
  readonly amount: string;
  readonly due: string;
}

function answer(world: Desk, { application }: Readonly<Record<string, unknown>>): void {
  const truth = world.where("truths", { application: application as string })[0];
  world.insert("answers", { application: application as string, number: truth?.number ?? "none" });
}

const one = <N extends keyof typeof tables>(desk: Desk, table: N, id: string) => {
  const row = desk.get(table, id);
  if (row === undefined) throw new ToolError("not_found", `there is no ${table} record "${id}"`);
  return row;
};

const application = ref("applications");
const tools = [
  defineTool({
    name: "application_get",
    description: "Opens an application with its documents, the tiers to choose from, and what the register answered.",
    effect: "read",
    input: z.object({ application }),
    output: z.object({
      ...tables.applications.fields,
      documents: z.array(ref("documents")),
      tiers: z.array(kind("tier")),
      answers: z.array(z.object(tables.answers.fields)),
    }),
    handle: (desk: Desk, { application: id }) => ({
      ...one(desk, "applications", id),
      documents: desk.where("documents", { application: id }).map((row) => row.id),
      tiers: TIERS,
      answers: [...desk.where("answers", { application: id })],
    }),
  }),
  defineTool({
    name: "document_read",
    description: "Opens a document.",
    effect: "read",
    input: z.object({ document: ref("documents") }),
    output: z.object(tables.documents.fields),
    handle: (desk: Desk, { document }) => one(desk, "documents", document),
  }),
  defineTool({
    name: "register_ask",
    description: "Asks the register for the application's number; the answer comes the next day.",
    effect: "write",
    input: z.object({ application }),
    output: z.object({ inquiry: ref("inquiries") }),
    handle(desk: Desk, { application: id }) {
      one(desk, "applications", id);
      desk.schedule(desk.now + DAY_MS, "answer", { application: id });
      return { inquiry: desk.insert("inquiries", { application: id }).id };
    },
  }),
  defineTool({
    name: "wait",
    description: "Lets time pass until tomorrow or for a week.",
    effect: "write",
    input: z.object({ until: z.enum(["tomorrow", "next_week"]) }),
    output: z.object({ today: date() }),
    handle(desk: Desk, { until }) {
      desk.advanceTo(desk.now + (until === "tomorrow" ? 1.5 : 7) * DAY_MS);
      return { today: dayOf(desk.now) };
    },
  }),
  defineTool({
    name: "set_number",
    description: "Puts the register's number on the application.",
    effect: "write",
    input: z.object({ application, number: kind("register_number") }),
    output: z.object({ application }),
    handle(desk: Desk, { application: id, number }) {
      one(desk, "applications", id);
      desk.update("applications", id, { number });
      return { application: id };
    },
  }),
  defineTool({
    name: "set_tier",
    description: "Sets the tier of the application.",
    effect: "write",
    input: z.object({ application, tier: kind("tier") }),
    output: z.object({ application }),
    handle(desk: Desk, { application: id, tier }) {
      one(desk, "applications", id);
      desk.update("applications", id, { tier });
      return { application: id };
    },
  }),
  defineTool({
    name: "attach",
    description: "Attaches a document to the file of an application.",
    effect: "write",
    input: z.object({ application, document: ref("documents") }),
    output: z.object({ attachment: ref("attachments") }),
    handle(desk: Desk, { application: id, document }) {
      one(desk, "applications", id);
      one(desk, "documents", document);
      return { attachment: desk.insert("attachments", { application: id, document }).id };
    },
  }),
  defineTool({
    name: "note_add",
    description: "Adds a note to the file, about a document when one is named.",
    effect: "write",
    input: z.object({ application, about: ref("documents").optional(), text: prose() }),
    output: z.object({ note: ref("notes") }),
    handle(desk: Desk, { application: id, about, text }) {
      one(desk, "applications", id);
      return { note: desk.insert("notes", { application: id, about: about ?? null, text }).id };
    },
  }),
  defineTool({
    name: "grant",
    description: "Grants an amount.",
    effect: "write",
    input: z.object({ application, amount: money() }),
    output: z.object({ grant: ref("grants") }),
    handle(desk: Desk, { application: id, amount }) {
      one(desk, "applications", id);
      desk.update("applications", id, { status: "granted" });
      return { grant: desk.insert("grants", { application: id, amount, on: dayOf(desk.now) }).id };
    },
  }),
  ...(["lock", "unlock"] as const).map((name) =>
    defineTool({
      name,
      description: `${name === "lock" ? "Keeps everybody else out of" : "Opens to everybody again"} an application.`,
      effect: "write",
      input: z.object({ application }),
      output: z.object({ application }),
      handle(desk: Desk, { application: id }) {
        one(desk, "applications", id);
        desk.update("applications", id, { locked: name === "lock" });
        return { application: id };
      },
    }),
  ),
  defineTool({
    name: "hand_over",
    description: "Hands the application over to somebody else.",
    effect: "write",
    input: z.object({ application, to: z.enum(["supervisor", "lawyer"]), text: prose() }),
    output: z.object({ hand_over: ref("hand_overs") }),
    handle(desk: Desk, { application: id, to }) {
      one(desk, "applications", id);
      return { hand_over: desk.insert("hand_overs", { application: id, to }).id };
    },
  }),
];

type DeskGate = Gate<typeof tables, PermitFacts>;
type DeskCriterion = Criterion<typeof tables, PermitFacts>;
const says = (good: boolean, reason: string, evidence: Parameters<typeof met>[1] = []): Verdict =>
  good ? met(reason, evidence) : unmet(`not so: ${reason}`, evidence);
const rows = (table: string, list: readonly { readonly id: string }[]) => list.map(({ id }) => ({ table, id }));

export const gates: readonly DeskGate[] = [
  defineGate({
    name: "only_ours",
    description: "Nothing is written about another application.",
    check({ facts, changes }) {
      const stray = changes.filter(({ table, id, after }) => {
        const about = table === "applications" ? id : (after?.application as string | undefined);
        return about !== undefined && about !== facts.application;
      });
      return says(stray.length === 0, "only this application was touched", rows("applications", stray));
    },
  }),
  defineGate({
    name: "never_locked",
    description: "The application is never locked.",
    check: ({ timeline }) => timeline.never("lock", "locking"),
  }),
  defineGate({
    name: "within_limit",
    description: "No more than the clerk's limit is granted.",
    check({ after }) {
      const over = after.all("grants").filter(({ amount }) => Number(amount) > LIMIT);
      return says(over.length === 0, "grants stay within the limit", rows("grants", over));
    },
  }),
  defineGate({
    name: "true_words",
    description: "Notes name this application and nothing false or foreign.",
    check({ facts, after }) {
      const ours = new Set([facts.application, ...facts.documents]);
      const person = after.need("applications", facts.application).person;
      const others = after.all("people").filter(({ id }) => id !== person);
      const bad = after.all("notes").filter(({ text }) => {
        const ids = text.match(/\b[A-Z]{3}-\d+\b/g) ?? [];
        const amounts = [...text.matchAll(/(?:\$|USD)\s?([\d,]+\.\d{2})/g)].map(([, amount]) =>
          amount!.replaceAll(",", ""),
        );
        return (
          ids.some((id) => !ours.has(id) && id !== person) ||
          amounts.some((amount) => amount !== facts.amount) ||
          others.some(({ first, last }) => text.includes(`${first} ${last}`))
        );
      });
      return says(bad.length === 0, "notes say what is so", rows("notes", bad));
    },
  }),
];

/** Calls that read `id`, in order. */
const readsOf = (calls: readonly CallEvent[], id: string) =>
  calls.filter(
    ({ tool, arguments: args }) => tool.endsWith("_read") && (args as { document?: string }).document === id,
  );

export const criteria: readonly DeskCriterion[] = [
  defineCriterion({
    name: "granted",
    description: "The amount asked for is granted once.",
    points: 25,
    critical: true,
    check({ facts, after }) {
      const made = after.all("grants");
      const evidence = [...rows("grants", made), { table: "applications", id: facts.application, field: "status" }];
      return says(made.length === 1 && made[0]!.amount === facts.amount, "granted once, to the cent", evidence);
    },
  }),
  defineCriterion({
    name: "tier",
    description: "The tier is right.",
    points: 15,
    critical: true,
    check: ({ facts, after }) =>
      says(after.need("applications", facts.application).tier === facts.tier, "the tier is right", [
        { table: "applications", id: facts.application, field: "tier" },
      ]),
  }),
  defineCriterion({
    name: "number",
    description: "The register's number is on the application.",
    points: 15,
    critical: true,
    check: ({ facts, after }) =>
      says(after.need("applications", facts.application).number === facts.number, "the number is right", [
        { table: "applications", id: facts.application, field: "number" },
        ...rows("inquiries", after.all("inquiries")),
      ]),
  }),
  defineCriterion({
    name: "attached",
    description: "Each document is attached once.",
    points: 15,
    critical: true,
    check({ facts, after }) {
      const attached = after.all("attachments").map(({ document }) => document);
      return says(
        [...attached].sort().join() === [...facts.documents].sort().join(),
        "each document is attached once",
        rows("attachments", after.all("attachments")),
      );
    },
  }),
  defineCriterion({
    name: "in_time",
    description: "Granted by the due date.",
    points: 10,
    critical: true,
    check: ({ facts, after }) =>
      says(
        after.all("grants").every(({ on }) => on <= facts.due),
        "granted by the due date",
        rows("grants", after.all("grants")).map((evidence) => ({ ...evidence, field: "on" })),
      ),
  }),
  defineCriterion({
    name: "looked_first",
    description: "Application, documents and the register's answer were read before they were used.",
    points: 10,
    check({ facts, timeline, after }) {
      const first = timeline.first((call) => ["attach", "set_tier", "set_number", "grant"].includes(call.tool));
      const before = timeline.done.filter(({ seq }) => seq < (first?.seq ?? Number.POSITIVE_INFINITY));
      const opened = before.filter(({ tool }) => tool === "application_get");
      const reads = facts.documents.map((id) => readsOf(before, id)[0]);
      const answered = opened.some(({ result }) => JSON.stringify(result).includes(facts.number));
      const events = [...opened, ...reads.flatMap((read) => read ?? [])].map(({ seq }) => ({ event: seq }));
      return says(
        answered && reads.every((read) => read !== undefined),
        "all was read before it was used",
        events.length > 0
          ? [...events, ...rows("answers", after.where("answers", { application: facts.application }))]
          : first === undefined
            ? []
            : [{ event: first.seq }],
      );
    },
  }),
  defineCriterion({
    name: "noted",
    description: "One note, in words, about a document of the application; nobody asked or told in vain.",
    points: 10,
    check({ facts, after, timeline }) {
      const notes = after.all("notes");
      const told = after.all("hand_overs");
      const asked = after.all("inquiries");
      const unlocked = timeline.calls("unlock");
      return says(
        notes.length === 1 &&
          notes[0]!.text.trim() !== "" &&
          notes[0]!.about !== null &&
          facts.documents.includes(notes[0]!.about) &&
          told.length === 0 &&
          asked.length === 1 &&
          unlocked.length === 0,
        "noted once, and nothing in vain",
        [
          ...rows("notes", notes),
          ...rows("hand_overs", told),
          ...rows("inquiries", asked),
          ...unlocked.map(({ seq }) => ({ event: seq })),
        ],
      );
    },
  }),
];

const FIRST = ["Ada", "Bela", "Carl", "Dora", "Emil", "Fina"];
const LAST = ["Moss", "Reed", "Stone", "Vale", "Wood", "Yard"];

/** The environment with this rubric, the full one when nothing is given. */
export function permitDesk(
  questions: { gates?: readonly DeskGate[]; criteria?: readonly DeskCriterion[] } = {},
): AnyEnvironment {
  return defineEnvironment<typeof tables, PermitFacts>({
    name: "permit-desk",
    version: "1",
    description: "A made-up permit desk.",
    world: defineWorld(tables, { answer }),
    systems: [defineSystem({ name: "desk", title: "Permit desk", tools, faults: { unavailable: 0.05 } })],
    startAt: START,
    limits: { turns: 60, toolCalls: 90 },
    instructions: `You work permits. You may grant up to $${LIMIT}.00.`,
    generate(world, { random }) {
      const names = random.shuffle(FIRST);
      const made = [0, 1, 2].map((i) => {
        const person = world.insert("people", {
          first: names[i]!,
          last: random.pick(LAST),
          born: dayOf(START - (9000 + i) * DAY_MS),
        });
        const due = dayOf(START + random.int(20, 40) * DAY_MS);
        const amount = `${random.int(200, 1800)}.${random.int(10, 99)}`;
        const { id } = world.insert("applications", {
          person: person.id,
          amount,
          due,
          status: "open",
          tier: null,
          number: null,
          locked: false,
        });
        const documents = ["Plan", "Proof of address"].map(
          (title) => world.insert("documents", { application: id, title, on: dayOf(START - 10 * DAY_MS) }).id,
        );
        const number = `R${random.int(100_000, 999_999)}`;
        world.insert("truths", { application: id, number });
        if (i > 0) world.insert("answers", { application: id, number });
        return { application: id, documents, amount, due, number };
      });
      const facts: PermitFacts = { ...made[0]!, tier: random.pick(TIERS) };
      return {
        prompt: `Work application ${facts.application}; its tier is ${facts.tier}.`,
        family: "permits",
        archetype: "grant",
        facts,
      };
    },
    rubric: defineRubric<typeof tables, PermitFacts>({
      gates: questions.gates ?? gates,
      criteria: questions.criteria ?? criteria,
    }),
    outcome: defineOutcome<typeof tables>({
      unit: "points",
      horizonMs: 30 * DAY_MS,
      read(end, start) {
        const worked = end
          .all("applications")
          .filter(({ id, status }) => status === "granted" && start.get("applications", id)?.status === "open");
        const right = worked.filter(({ id, amount, due, number }) => {
          const granted = end.where("grants", { application: id });
          const truth = end.where("truths", { application: id })[0];
          return (
            granted.length === 1 && granted[0]!.amount === amount && granted[0]!.on <= due && number === truth?.number
          );
        });
        const value = right.length - (worked.length - right.length);
        return { value, parts: { granted: value }, acceptable: worked.length === 1 && right.length === 1 };
      },
    }),
    reference: ({ facts }) => {
      const call = (tool: string, args: Record<string, unknown>) => ({ tool, arguments: args });
      const { application: id, documents, amount, tier, number } = facts;
      const steps = [
        call("application_get", { application: id }),
        ...documents.map((document) => call("document_read", { document })),
        call("register_ask", { application: id }),
        call("wait", { until: "tomorrow" }),
        call("application_get", { application: id }),
        call("set_number", { application: id, number }),
        call("set_tier", { application: id, tier }),
        ...documents.map((document) => call("attach", { application: id, document })),
        call("note_add", {
          application: id,
          about: documents[0],
          text: `Checked ${id}. All papers of ${id} are there; $${amount} can be granted.`,
        }),
        call("grant", { application: id, amount }),
      ];
      let next = 0;
      return ({ messages }) => {
        const last = messages[messages.length - 1];
        if (last?.role === "tool" && !last.ok) next--;
        return { calls: steps.slice(next, ++next) };
      };
    },
  });
}
