/**
 * Tool: one operation of a simulated system, under the contract the real one has. Input and output are Zod schemas; on the wire they are
 * JSON Schema 2020-12 (the MCP contract). What a real system would refuse is a result, never a crash.
 */
import { z } from "zod";
import { ToolError, toFault } from "./fault.js";
import { deepFreeze } from "./freeze.js";
import type { Tables, World } from "./world.js";

export type Effect = "read" | "write";

/** What a handler gets beside the world and its arguments. */
export interface ToolContext {
  /** Ends the episode after this call: the agent has handed its work in. */
  finish(): void;
}

export interface Tool<T extends Tables = Tables> {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  /** Simulated time one call takes, ms. */
  readonly costMs: number;
  handle(world: World<T>, args: unknown, context: ToolContext): unknown;
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Defines a tool. Throws when the name is not snake_case of at most 64 characters. */
export function defineTool<T extends Tables, I extends z.ZodObject, O extends z.ZodType>(tool: {
  name: string;
  description: string;
  effect: Effect;
  input: I;
  output: O;
  costMs?: number;
  handle(world: World<T>, args: z.output<I>, context: ToolContext): z.input<O>;
}): Tool<T> {
  if (!NAME.test(tool.name)) throw new Error(`tool name "${tool.name}" must be snake_case and at most 64 characters`);
  return {
    ...tool,
    costMs: tool.costMs ?? 60_000,
    handle: (world, args, context) => tool.handle(world, args as z.output<I>, context),
  };
}

/** A tool as agents and wires see it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>>;
}

const specs = new WeakMap<Tool, ToolSpec>();

/** The wire form of a tool; built once per tool. */
export function toToolSpec(tool: Tool<never> | Tool): ToolSpec {
  const known = specs.get(tool as Tool);
  if (known !== undefined) return known;
  const spec: ToolSpec = deepFreeze({
    name: tool.name,
    description: tool.description,
    effect: tool.effect,
    inputSchema: z.toJSONSchema(tool.input, { target: "draft-2020-12", io: "input" }) as Record<string, unknown>,
    outputSchema: z.toJSONSchema(tool.output, {
      target: "draft-2020-12",
      io: "output",
      unrepresentable: "any",
    }) as Record<string, unknown>,
  });
  specs.set(tool as Tool, spec);
  return spec;
}

export interface ToolFailure {
  readonly code: string;
  readonly message: string;
  readonly [detail: string]: unknown;
}

export type ToolReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ToolFailure };

export const refused = (code: string, message: string, details: Readonly<Record<string, unknown>> = {}): ToolReply => ({
  ok: false,
  error: Object.freeze({ ...details, code, message }),
});

/** Reads the arguments an agent gave: an object, or the raw JSON text a model wrote. Types are never guessed: "00420" stays a string. */
export function parseArguments(
  tool: Tool,
  given: unknown,
): { ok: true; args: unknown } | { ok: false; reply: ToolReply } {
  let value = given;
  if (typeof given === "string") {
    try {
      value = given.trim() === "" ? {} : JSON.parse(given);
    } catch {
      // The engine's own wording is left out: it differs between versions, and a trace must not.
      return {
        ok: false,
        reply: refused("invalid_json", `the arguments of ${tool.name} are not valid JSON: send one JSON object`),
      };
    }
  }
  const parsed = tool.input.safeParse(value ?? {});
  if (parsed.success) return { ok: true, args: parsed.data };
  const issues = parsed.error.issues.map((issue) => ({ path: issue.path.join("."), problem: issue.message }));
  const first = issues[0];
  return {
    ok: false,
    reply: refused(
      "invalid_arguments",
      `${tool.name} refused its arguments: ${first?.path === "" ? "" : `${first?.path}: `}${first?.problem}`,
      { issues },
    ),
  };
}

/** Runs the handler. A ToolError is a failed reply; anything else thrown is a Fault of the tool boundary. */
export function runHandler(tool: Tool, world: World, args: unknown, context: ToolContext): ToolReply {
  try {
    return { ok: true, value: tool.handle(world, args, context) };
  } catch (error) {
    if (error instanceof ToolError) return refused(error.code, error.message, error.details);
    throw toFault("tool", `tool_threw:${tool.name}`, error);
  }
}

/** One page of `list`: at most `limit` items from `cursor` (an index as text), and the next cursor or null. Throws ToolError on a bad cursor. */
export function pageOf<T>(
  list: readonly T[],
  cursor: string | undefined,
  limit: number,
): { items: T[]; nextCursor: string | null; total: number } {
  const start = cursor === undefined || cursor === "" ? 0 : Number(cursor);
  if (!Number.isInteger(start) || start < 0)
    throw new ToolError("invalid_cursor", `cursor "${cursor}" is not one this tool returned`);
  const end = start + limit;
  return { items: list.slice(start, end), nextCursor: end < list.length ? String(end) : null, total: list.length };
}
