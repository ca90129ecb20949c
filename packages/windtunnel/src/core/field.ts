/**
 * Field markers: Zod schemas that say what a value means, so that machinery can enumerate real arguments without per-environment code.
 * The meaning travels in JSON Schema as `x-kind` (the family of values) and `x-table` (whose row an id names).
 */
import { z } from "zod";

/** What a marked field holds: `kind` groups interchangeable values; `table` is set when they are ids of rows. */
export interface FieldMeaning {
  readonly kind: string;
  readonly table?: string;
}

function marked<T extends z.ZodType>(schema: T, meaning: FieldMeaning): T {
  return schema.meta({
    "x-kind": meaning.kind,
    ...(meaning.table === undefined ? {} : { "x-table": meaning.table }),
  }) as T;
}

/** An id of a row of `table`; as a table's own `id` field, or as a reference from a field or an argument. */
export function ref(table: string): z.ZodString {
  return marked(z.string(), { kind: `ref:${table}`, table });
}

/** An id of a row of any of `tables`: evidence that may be a page, a letter or an acknowledgment. Its kinds are joined with "|". */
export function refToAny(tables: readonly [string, string, ...string[]]): z.ZodString {
  return marked(z.string(), { kind: tables.map((table) => `ref:${table}`).join("|") });
}

/** A string of one family of values ("npi", "hcpcs", "root_cause"): arguments of a kind are filled from values of that kind seen earlier. */
export function kind(name: string): z.ZodString {
  return marked(z.string(), { kind: name });
}

/** An exact amount as a decimal string with two places, such as "120.00"; `currency` defaults to USD. */
export function money(currency = "USD"): z.ZodString {
  return marked(z.string().regex(/^-?\d+\.\d{2}$/, 'expected an amount such as "120.00"'), {
    kind: `money:${currency}`,
  });
}

/** An instant on the world's clock, ISO 8601 in UTC with seconds, such as "2026-03-02T09:00:00Z". */
export function instant(): z.ZodString {
  return marked(
    z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, 'expected an instant such as "2026-03-02T09:00:00Z"'),
    {
      kind: "instant",
    },
  );
}

/** A calendar date, such as "2026-03-02". */
export function date(): z.ZodString {
  return marked(z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'expected a date such as "2026-03-02"'), { kind: "date" });
}

/** Free prose written by the agent: never enumerated, only filled with a template. */
export function prose(maxLength = 4000): z.ZodString {
  return marked(z.string().max(maxLength), { kind: "prose" });
}

/** The meaning a schema was marked with, through optional, nullable and default wrappers; undefined for unmarked fields. */
export function meaningOf(schema: z.ZodType): FieldMeaning | undefined {
  let at: z.ZodType = schema;
  for (;;) {
    const meta = at.meta() as Record<string, unknown> | undefined;
    const kindName = meta?.["x-kind"];
    if (typeof kindName === "string") {
      const table = meta?.["x-table"];
      return typeof table === "string" ? { kind: kindName, table } : { kind: kindName };
    }
    if (at instanceof z.ZodOptional || at instanceof z.ZodNullable || at instanceof z.ZodDefault) {
      at = at.unwrap() as z.ZodType;
      continue;
    }
    return undefined;
  }
}
