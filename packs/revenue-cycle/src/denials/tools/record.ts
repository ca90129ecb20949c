/**
 * A row of a table as tools show it: the same fields in snake_case, its id under the name that arguments use, marks of meaning kept.
 * Owns names only; what is shown where is each tool's own choice.
 */
import type { Row } from "windtunnel";
import { z } from "zod";
import { type DenialTables, tables } from "../world.js";

type Snake<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : S;
type FieldsOf<N extends keyof DenialTables> = DenialTables[N]["fields"];
type Shown<N extends keyof DenialTables, Id extends string, Left extends string> = {
  [K in keyof FieldsOf<N> & string as K extends Left ? never : K extends "id" ? Id : Snake<K>]: FieldsOf<N>[K];
};
type View<N extends keyof DenialTables, Id extends string, Left extends string> = {
  [K in keyof FieldsOf<N> & string as K extends Left ? never : K extends "id" ? Id : Snake<K>]: K extends keyof Row<
    DenialTables[N]
  >
    ? Row<DenialTables[N]>[K]
    : never;
};

const snake = (name: string) => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

/** The schema's fields and the view of rows of `table`; the id is called `id`, fields in `left` are left out. */
export function recordOf<
  N extends keyof DenialTables,
  Id extends string,
  Left extends (keyof FieldsOf<N> & string) | never = never,
>(
  table: N,
  id: Id,
  left: readonly Left[] = [],
): {
  readonly fields: Shown<N, Id, Left>;
  readonly schema: z.ZodType<View<N, Id, Left>, View<N, Id, Left>>;
  view(row: Row<DenialTables[N]>): View<N, Id, Left>;
} {
  const declared = tables[table].fields as Readonly<Record<string, z.ZodType>>;
  const names = Object.keys(declared).filter((name) => !(left as readonly string[]).includes(name));
  const shownAs = names.map((name) => (name === "id" ? id : snake(name)));
  const fields = Object.fromEntries(names.map((name, i) => [shownAs[i]!, declared[name]!])) as unknown as Shown<
    N,
    Id,
    Left
  >;
  return {
    fields,
    schema: z.object(fields as unknown as z.ZodRawShape) as unknown as z.ZodType<View<N, Id, Left>, View<N, Id, Left>>,
    view: (row) =>
      Object.fromEntries(names.map((name, i) => [shownAs[i]!, (row as Record<string, unknown>)[name]])) as View<
        N,
        Id,
        Left
      >,
  };
}
