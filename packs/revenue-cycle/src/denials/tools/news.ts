/** What came in while time passed: new records, and answers to what was asked, told as a person would read the morning's inbox. */
import { date, ref } from "windtunnel";
import { z } from "zod";
import type { Office } from "./denial-tool.js";

/** One thing that happened; at most one of the ids is set beside `what`. */
export const newsSchema = z.object({
  what: z.string(),
  on: date().optional(),
  acknowledgment: ref("acknowledgments").optional(),
  remit: ref("remits").optional(),
  letter: ref("letters").optional(),
  appeal: ref("appeals").optional(),
  retro_request: ref("retro_requests").optional(),
  escalation: ref("escalations").optional(),
  query: ref("queries").optional(),
});
export type News = z.output<typeof newsSchema>;

const ARRIVALS = ["acknowledgments", "remits", "letters"] as const;
const ANSWERED = ["appeals", "retro_requests", "escalations", "queries"] as const;

/** What was on file at a moment. */
export type Stock = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

export function takeStock(world: Office): Stock {
  return new Map(
    [...ARRIVALS, ...ANSWERED].map((table) => [
      table,
      new Map<string, unknown>(world.all(table).map((row) => [row.id, row])),
    ]),
  );
}

/** What differs from `stock`, arrivals first. */
export function newsSince(world: Office, stock: Stock): News[] {
  const isNew = (table: string, row: { readonly id: string }) => stock.get(table)?.get(row.id) !== row;
  return [
    ...world
      .all("acknowledgments")
      .filter((row) => isNew("acknowledgments", row))
      .map((row) => ({
        what: `${row.source} ${row.category} for claim ${row.claim}: ${row.meaning}`,
        on: row.receivedOn,
        acknowledgment: row.id,
      })),
    ...world
      .all("remits")
      .filter((row) => isNew("remits", row))
      .map((row) => ({ what: `remittance for claim ${row.claim}: paid ${row.paid}`, on: row.date, remit: row.id })),
    ...world
      .all("letters")
      .filter((row) => isNew("letters", row))
      .map((row) => ({ what: `${row.channel} from ${row.from}: ${row.subject}`, on: row.date, letter: row.id })),
    ...world
      .all("appeals")
      .filter((row) => isNew("appeals", row))
      .map((row) => ({ what: `appeal of claim ${row.claim} ${row.status}`, appeal: row.id })),
    ...world
      .all("retro_requests")
      .filter((row) => isNew("retro_requests", row))
      .map((row) => ({ what: `authorization request for claim ${row.claim} ${row.status}`, retro_request: row.id })),
    ...world
      .all("escalations")
      .filter((row) => isNew("escalations", row))
      .map((row) => ({ what: `${row.to} answered: ${row.answer}`, escalation: row.id })),
    ...world
      .all("queries")
      .filter((row) => isNew("queries", row))
      .map((row) => ({ what: `${row.to} answered: ${row.answer ?? ""}`, query: row.id })),
  ];
}
