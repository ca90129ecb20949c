/** Whose record is it: the patient that a row of the office is about, found by following its references. */
import type { World } from "windtunnel";
import { type DenialTables, tables } from "./world.js";

type TableName = keyof DenialTables & string;

const TABLE_OF = new Map<string, TableName>(
  Object.entries(tables).flatMap(([name, { prefix, sealed }]) => (sealed ? [] : [[prefix, name as TableName]])),
);
const LEADS_ON = ["patient", "claim", "document", "coverage", "correction", "request", "remit", "item", "by"] as const;

/** The row that an id names, whatever its table. */
export function rowOf(world: World<DenialTables>, id: string): Readonly<Record<string, unknown>> | undefined {
  const table = TABLE_OF.get(id.slice(0, id.indexOf("-")).toUpperCase());
  return table === undefined ? undefined : world.get(table, id);
}

/** The patient a row is about; undefined when it is about nobody (a manual section), or there is no such row. */
export function patientOf(world: World<DenialTables>, id: string): string | undefined {
  const row = rowOf(world, id);
  if (row === undefined) return undefined;
  if (world.get("patients", id) !== undefined) return id;
  for (const field of LEADS_ON) {
    const next = row[field];
    if (typeof next === "string") return patientOf(world, next);
  }
  return undefined;
}
