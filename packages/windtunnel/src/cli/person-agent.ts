/**
 * A person as an agent: shows what is new, asks for the next act, and offers values seen so far wherever an argument wants one.
 * Knows no terminal: see terminal-prompter.ts.
 */
import { type Agent, type AgentContext, defineAgent } from "../core/agent.js";
import type { Action, Observation } from "../core/message.js";
import { Sightings } from "../core/sightings.js";
import type { ToolSpec } from "../core/tool.js";

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** Puts questions to a person. Each rejects with a Fault when the person leaves. */
export interface Prompter {
  open(context: AgentContext): void;
  show(observation: Observation): void;
  choose(question: string, choices: readonly Choice[]): Promise<string>;
  /** A text; `check` returns what is wrong with it. */
  ask(question: string, options: { hint?: string; check?: (text: string) => string | undefined }): Promise<string>;
}

const SAY = "\u0000say";
const FINISH = "\u0000finish";
const OTHER = "\u0000other";
const SKIP = "\u0000skip";
const VALUES_OFFERED = 30;

export function personAgent(prompter: Prompter): Agent {
  return defineAgent({
    name: "person",
    open(context) {
      const seen = new Sightings(context.tools);
      prompter.open(context);
      return async (observation) => {
        seen.observe(observation);
        prompter.show(observation);
        return nextAction(prompter, context, seen);
      };
    },
  });
}

async function nextAction(prompter: Prompter, { tools }: AgentContext, seen: Sightings): Promise<Action> {
  const choices = [
    ...tools.map(
      ({ name, description, effect }): Choice => ({ value: name, label: name, hint: `${effect}: ${description}` }),
    ),
    { value: SAY, label: "say something", hint: "words alone; without a simulated user this ends the task" },
    { value: FINISH, label: "finish", hint: "end the task here" },
  ];
  const picked = await prompter.choose("What next?", choices);
  if (picked === FINISH) return {};
  if (picked === SAY) return { text: await prompter.ask("What do you say?", {}) };
  const tool = tools.find(({ name }) => name === picked)!;
  return { calls: [{ tool: tool.name, arguments: await askArguments(prompter, tool, seen) }] };
}

type Schema = Readonly<Record<string, unknown>>;

async function askArguments(prompter: Prompter, tool: ToolSpec, seen: Sightings): Promise<Record<string, unknown>> {
  const required = new Set((tool.inputSchema.required ?? []) as string[]);
  const given: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries((tool.inputSchema.properties ?? {}) as Record<string, Schema>)) {
    const value = await askArgument(prompter, name, schema, required.has(name), seen);
    if (value !== undefined) given[name] = value;
  }
  return given;
}

async function askArgument(
  prompter: Prompter,
  name: string,
  schema: Schema,
  required: boolean,
  seen: Sightings,
): Promise<unknown> {
  const question = `${name}${required ? "" : " (optional)"}`;
  const fixed = Array.isArray(schema.enum) ? schema.enum : schema.type === "boolean" ? [true, false] : undefined;
  const known = valuesSeen(schema["x-kind"], seen);
  const skip: Choice[] = required ? [] : [{ value: SKIP, label: "leave out" }];
  if (fixed !== undefined) {
    const picked = await prompter.choose(question, [
      ...fixed.map((value) => ({ value: JSON.stringify(value), label: String(value) })),
      ...skip,
    ]);
    return picked === SKIP ? undefined : JSON.parse(picked);
  }
  if (known.length > 0) {
    const choices = known.map(({ value }) => ({ value: JSON.stringify(value), label: String(value) }));
    const picked = await prompter.choose(question, [...choices, { value: OTHER, label: "another value" }, ...skip]);
    if (picked === SKIP) return undefined;
    if (picked !== OTHER) return JSON.parse(picked);
  }
  const text = await prompter.ask(question, {
    hint: hintOf(schema),
    check: (typed) => problemOf(typed, schema, required),
  });
  return text === "" && !required ? undefined : toValue(text, schema);
}

/** Values of the kind; for an id of a table none of whose rows has been seen yet, ids that were seen in prose. */
function valuesSeen(kind: unknown, seen: Sightings) {
  if (typeof kind !== "string") return [];
  const typed = seen.of(kind);
  return (typed.length > 0 || !kind.startsWith("ref:") ? typed : seen.of("id")).slice(0, VALUES_OFFERED);
}

function hintOf(schema: Schema): string {
  const kind = schema["x-kind"] ?? schema.format ?? schema.type ?? "JSON";
  return typeof schema.description === "string" ? `${kind}: ${schema.description}` : String(kind);
}

const isText = (schema: Schema) => schema.type === "string" || schema.type === undefined;

function problemOf(text: string, schema: Schema, required: boolean): string | undefined {
  if (text === "") return required ? "a value is needed" : undefined;
  if (isText(schema))
    return typeof schema.pattern === "string" && !new RegExp(schema.pattern, "u").test(text)
      ? `must look like ${schema.pattern}`
      : undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return `${schema.type} as JSON, such as ${schema.type === "array" ? '["a", "b"]' : schema.type === "object" ? '{"a": 1}' : "2"}`;
  }
}

/** Declared strings stay strings: "00420" is never a number. */
const toValue = (text: string, schema: Schema): unknown => (isText(schema) ? text : JSON.parse(text));
