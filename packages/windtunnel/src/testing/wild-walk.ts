/**
 * A wild walk: seeded random calls, most of them well formed and over the world's real ids, some of them nonsense. It peeks at the visible
 * world, so it reaches more of the tools than an agent would; it is for exercising environments, not for scoring agents.
 */
import { type Agent, defineAgent } from "../core/agent.js";
import type { AnyEnvironment, Scenario } from "../core/environment.js";
import { meaningOf } from "../core/field.js";
import type { ToolCall } from "../core/message.js";
import type { Random } from "../core/random.js";
import type { ToolSpec } from "../core/tool.js";

type Schema = Readonly<Record<string, unknown>>;

const SAMPLES: Readonly<Record<string, string>> = {
  date: "2026-03-02",
  instant: "2026-03-02T09:00:00Z",
  "money:USD": "10.00",
  prose: "As recorded.",
};
const NONSENSE: readonly unknown[] = ["", "NONE-0", -1, null, true, [], {}, "😀".repeat(50), "'; --", "__proto__"];

/** A walk of about `length` calls on one scenario. */
export function wildWalk(environment: AnyEnvironment, scenario: Scenario, length: number): Agent {
  return defineAgent({
    name: "wild-walk",
    open({ tools, random }) {
      const values = valuesByKind(environment, scenario);
      let left = length;
      return ({ messages }) => {
        for (const message of messages) if (message.role === "tool" && message.ok) harvest(message.value, values);
        if (left <= 0) return {};
        const count = random.chance(0.2) ? 2 : 1;
        left -= count;
        const calls = Array.from({ length: count }, () => chooseCall(tools, values, random));
        return { calls, ...(random.chance(0.1) ? { text: "Working on it." } : {}) };
      };
    },
  });
}

type Values = Map<string, unknown[]>;

function valuesByKind(environment: AnyEnvironment, { world }: Scenario): Values {
  const values: Values = new Map();
  const view = world.visible();
  for (const name of view.tableNames) {
    const fields = environment.world.tables[name]!.fields as Readonly<Record<string, Parameters<typeof meaningOf>[0]>>;
    for (const row of view.all(name)) {
      for (const [field, value] of Object.entries(row)) {
        if (typeof value !== "string") continue;
        if (field === "id") add(values, `ref:${name}`, value);
        else add(values, meaningOf(fields[field]!)?.kind ?? "text", value);
      }
    }
  }
  return values;
}

function add(values: Values, kind: string, value: unknown): void {
  const known = values.get(kind);
  if (known === undefined) values.set(kind, [value]);
  else if (!known.includes(value) && known.length < 200) known.push(value);
}

/** Results are searched for values without regard to where they stand: a wild walk need not be right. */
function harvest(value: unknown, values: Values): void {
  if (typeof value === "string") add(values, "seen", value);
  else if (typeof value === "object" && value !== null)
    for (const field of Object.values(value)) harvest(field, values);
}

function chooseCall(tools: readonly ToolSpec[], values: Values, random: Random): ToolCall {
  const { name, inputSchema } = random.pick(tools);
  const oddity = random.float();
  if (oddity < 0.02) return { tool: `${name}_now`, arguments: {} };
  if (oddity < 0.04) return { tool: name, arguments: '{"broken": ' };
  if (oddity < 0.06) return { tool: name, arguments: random.pick(NONSENSE) };
  const made = fill(inputSchema, values, random, 0) as Record<string, unknown>;
  if (oddity < 0.12) {
    const keys = Object.keys(made);
    if (keys.length > 0) made[random.pick(keys)] = random.pick(NONSENSE);
  }
  return { tool: name, arguments: random.chance(0.2) ? JSON.stringify(made) : made };
}

function fill(schema: Schema, values: Values, random: Random, depth: number): unknown {
  const options = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  if (options !== undefined) return fill(random.pick(options), values, random, depth + 1);
  if (Array.isArray(schema.enum)) return random.pick(schema.enum as unknown[]);
  if ("const" in schema) return schema.const;
  const type = Array.isArray(schema.type) ? random.pick(schema.type as string[]) : schema.type;
  if (type === "object") {
    const required = new Set((schema.required ?? []) as string[]);
    const made: Record<string, unknown> = {};
    for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
      if (required.has(name) || random.chance(0.5)) made[name] = fill(property, values, random, depth + 1);
    }
    return made;
  }
  if (type === "array")
    return depth > 6
      ? []
      : Array.from({ length: random.int(0, 2) }, () => fill((schema.items ?? {}) as Schema, values, random, depth + 1));
  if (type === "boolean") return random.chance(0.5);
  if (type === "null") return null;
  if (type === "integer" || type === "number") {
    const minimum = Math.max(-1e6, (schema.minimum ?? 0) as number);
    return random.int(minimum, Math.max(minimum, Math.min((schema.maximum ?? minimum + 20) as number, minimum + 1e6)));
  }
  return fillText(schema["x-kind"] as string | undefined, values, random);
}

function fillText(kind: string | undefined, values: Values, random: Random): string {
  const kinds = kind?.split("|") ?? ["text", "seen"];
  const sample = SAMPLES[kinds[0]!];
  if (sample !== undefined && random.chance(0.2)) return sample;
  const found = kinds.flatMap((one) => values.get(one) ?? []);
  const seen = values.get("seen") ?? [];
  const pool = seen.length > 0 && (found.length === 0 || random.chance(0.15)) ? seen : found;
  return pool.length > 0 ? (random.pick(pool) as string) : (sample ?? "text");
}
