/** What every tool of the office shares: typing over its tables, and the answers to an id that names nothing or an amount that is none. */
import { defineTool, type Row, type Tool, ToolError, type ToolSpec, type World } from "windtunnel";
import type { z } from "zod";
import { toCents } from "../../codec/decimal.js";
import { dateOf } from "../calendar.js";
import type { DenialTables } from "../world.js";

export type Office = World<DenialTables>;
type TableName = keyof DenialTables & string;

/** Defines a tool over the office's tables. */
export function denialTool<I extends z.ZodObject, O extends z.ZodType>(tool: {
  name: string;
  description: string;
  effect: ToolSpec["effect"];
  input: I;
  output: O;
  handle(world: Office, args: z.output<I>): z.input<O>;
}): Tool<DenialTables> {
  return defineTool<DenialTables, I, O>(tool);
}

/** Today's date on the office's calendar. */
export const today = (world: Office): string => dateOf(world.now);

/** The row, or what a real system says to an id it does not know. */
export function found<N extends TableName>(world: Office, table: N, id: string): Row<DenialTables[N]> {
  const row = world.get(table, id);
  if (row === undefined)
    throw new ToolError("not_found", `there is no record "${id}" among the ${table.replaceAll("_", " ")}`, { id });
  return row;
}

/** The table whose row an id names, among `tables`. */
export function foundAmong<N extends TableName>(world: Office, tables: readonly N[], id: string): N {
  const table = tables.find((name) => world.get(name, id) !== undefined);
  if (table === undefined) {
    throw new ToolError(
      "not_found",
      `there is no record "${id}" among the ${tables.map((name) => name.replaceAll("_", " ")).join(", ")}`,
      { id },
    );
  }
  return table;
}

/** The amount in cents; refuses one that is not positive or is more than `limit`. */
export function positiveCents(amount: string, limit: string, what: string): number {
  const cents = toCents(amount);
  if (cents <= 0) throw new ToolError("invalid_amount", `an amount must be more than 0.00, got ${amount}`, { amount });
  if (cents > toCents(limit))
    throw new ToolError("amount_too_large", `${amount} is more than the ${what}, ${limit}`, { amount, limit });
  return cents;
}

/** Rows by id: an order that says nothing about which of them matters. */
export const byId = <R extends { readonly id: string }>(rows: readonly R[]): R[] =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
