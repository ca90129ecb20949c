/** Parameter: what a tool's input schema says about one argument, in the terms that mutation needs. Reads JSON Schema marks; knows no tool. */
import type { ToolSpec } from "../../core/tool.js";

type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  /** "reference": ids of `tables`; "choice": one of `options`; "coded": a value of family `kind`; "plain": nothing is known of it. */
  readonly form: "reference" | "choice" | "money" | "date" | "number" | "prose" | "coded" | "plain";
  readonly kind: string | undefined;
  readonly tables: readonly string[];
  readonly options: readonly unknown[];
  /** Holds a list of such values. */
  readonly list: boolean;
}

const cache = new WeakMap<ToolSpec, ReadonlyMap<string, Parameter>>();

/** The arguments of a tool by name. */
export function parametersOf(tool: ToolSpec): ReadonlyMap<string, Parameter> {
  let known = cache.get(tool);
  if (known === undefined) {
    const required = new Set((tool.inputSchema.required ?? []) as string[]);
    const properties = (tool.inputSchema.properties ?? {}) as Record<string, Schema>;
    known = new Map(
      Object.entries(properties).map(([name, schema]) => [name, parameterOf(name, schema, required.has(name))]),
    );
    cache.set(tool, known);
  }
  return known;
}

function parameterOf(name: string, schema: Schema, required: boolean): Parameter {
  const variants = (schema.anyOf ?? []) as readonly Schema[];
  const value = variants.find(({ type }) => type !== "null") ?? schema;
  const list = value.type === "array";
  const inner = list ? ((value.items ?? {}) as Schema) : value;
  const kind = (schema["x-kind"] ?? inner["x-kind"]) as string | undefined;
  const tables = (kind ?? "").split("|").flatMap((one) => (one.startsWith("ref:") ? [one.slice(4)] : []));
  const options = Array.isArray(inner.enum) ? inner.enum : inner.type === "boolean" ? [true, false] : [];
  const form = ((): Parameter["form"] => {
    if (tables.length > 0) return "reference";
    if (options.length > 0) return "choice";
    if (kind === "prose") return "prose";
    if (kind?.startsWith("money:") === true) return "money";
    if (kind === "date" || kind === "instant") return "date";
    if (inner.type === "number" || inner.type === "integer") return "number";
    return kind === undefined ? "plain" : "coded";
  })();
  return { name, required, form, kind, tables, options, list };
}
