/**
 * ValuePool: the values that a scenario's visible world holds, by the meaning their fields are marked with. Other rows of a table, look-alikes
 * of a row, other values of a kind. Mutants draw their wrong-but-valid arguments from here.
 */
import { z } from "zod";
import type { Scenario } from "../../core/environment.js";
import type { Tables, WorldDefinition } from "../../core/world.js";

type Schema = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, unknown>>;

const schemas = new WeakMap<WorldDefinition, ReadonlyMap<string, Schema>>();

/** JSON Schemas of a world's tables, sealed ones left out; built once per definition. */
function schemasOf(definition: WorldDefinition): ReadonlyMap<string, Schema> {
  let known = schemas.get(definition);
  if (known === undefined) {
    known = new Map(
      Object.entries(definition.tables as Tables)
        .filter(([, { sealed }]) => !sealed)
        .map(([name, { fields }]) => [
          name,
          z.toJSONSchema(z.object(fields as z.ZodRawShape), { io: "output", unrepresentable: "any" }) as Schema,
        ]),
    );
    schemas.set(definition, known);
  }
  return known;
}

export class ValuePool {
  readonly #world: Scenario["world"];
  readonly #tables: ReadonlyMap<string, Schema>;
  #kinds: ReadonlyMap<string, ReadonlySet<string | number>> | undefined;
  #owners: ReadonlyMap<string, string> | undefined;

  constructor(definition: WorldDefinition, scenario: Scenario) {
    this.#world = scenario.world;
    this.#tables = schemasOf(definition);
  }

  /** Names of the visible tables. */
  get tables(): readonly string[] {
    return [...this.#tables.keys()];
  }

  /** Rows of a visible table; none when it is sealed or there is no such table. */
  rows(table: string): readonly Row[] {
    return this.#tables.has(table) ? (this.#world.all(table) as readonly Row[]) : [];
  }

  /** The table that a row id stands in, at the start of the episode. */
  tableOf(id: unknown): string | undefined {
    this.#owners ??= new Map(
      this.tables.flatMap((table) => this.rows(table).map((row) => [row.id as string, table] as const)),
    );
    return this.#owners.get(id as string);
  }

  row(id: unknown): Row | undefined {
    const table = this.tableOf(id);
    return table === undefined ? undefined : (this.#world.get(table, id as string) as Row | undefined);
  }

  /** Ids of other rows of the table, the one that has most fields in common first. */
  lookAlikes(table: string, id: string): readonly string[] {
    const mine = this.row(id);
    const common = (row: Row) =>
      mine === undefined
        ? 0
        : Object.keys(row).filter((key) => JSON.stringify(row[key]) === JSON.stringify(mine[key])).length;
    return this.rows(table)
      .filter((row) => row.id !== id)
      .map((row) => ({ id: row.id as string, common: common(row) }))
      .sort((a, b) => b.common - a.common)
      .map((one) => one.id);
  }

  /** Every value of a kind that a visible row holds, in order of tables and rows. */
  ofKind(kind: string): readonly (string | number)[] {
    this.#kinds ??= this.#collect();
    return [...(this.#kinds.get(kind) ?? [])];
  }

  #collect(): ReadonlyMap<string, ReadonlySet<string | number>> {
    const found = new Map<string, Set<string | number>>();
    for (const [table, schema] of this.#tables) for (const row of this.rows(table)) walk(schema, row, found);
    return found;
  }
}

/** Takes every marked value out of `value`. */
export function walk(schema: Schema, value: unknown, into: Map<string, Set<string | number>>): void {
  if (value === null || value === undefined) return;
  for (const option of (schema.anyOf ?? schema.oneOf ?? []) as Schema[])
    walk({ "x-kind": schema["x-kind"], ...option }, value, into);
  if (Array.isArray(value)) {
    for (const item of value) walk((schema.items ?? {}) as Schema, item, into);
  } else if (typeof value === "object") {
    const properties = (schema.properties ?? {}) as Record<string, Schema>;
    for (const [key, inner] of Object.entries(properties)) walk(inner, (value as Row)[key], into);
  } else if (typeof schema["x-kind"] === "string" && (typeof value === "string" || typeof value === "number")) {
    const kind = schema["x-kind"];
    const known = into.get(kind);
    if (known === undefined) into.set(kind, new Set([value]));
    else known.add(value);
  }
}
