/**
 * Imported tasks as JSON: for each patient the rows of the office's tables, and the tasks with their work item and facts. Owns the format, its
 * version and its check on opening. Payers of the reference data are named, not copied: their libraries are added when a task is opened.
 */
import { digestOf, meaningOf, type Row, UsageError } from "windtunnel";
import { z } from "zod";
import { ESCALATION_OWNERS } from "../../reference/authority.js";
import { PAYER_IDS, type PayerId } from "../../reference/payer-profile.js";
import type { DenialFacts } from "../facts.js";
import { ADJUSTMENT_TYPES, APPEAL_CHANNELS, CORRECTION_CHANNELS, type DenialTables, tables } from "../world.js";
import { toPlace } from "./schema-problems.js";

const FORMAT = "revenue-cycle/denials-import/1";

const text = z.string();
const money = tables.ledger.fields.amount;
const date = tables.ledger.fields.on;
const ids = z.array(text);

/** The fields that an expert states. */
export const labelFields = {
  rootCause: text,
  dispositions: ids,
  prevention: text,
  actBy: date,
  correction: z
    .strictObject({
      claim: text,
      channel: z.enum(CORRECTION_CHANNELS),
      changes: z.array(
        z.strictObject({ field: tables.correction_changes.fields.field, line: text.nullable(), value: text }),
      ),
      eitherLine: z.boolean(),
      lines: ids.exactOptional(),
    })
    .nullable(),
  appeal: z.strictObject({ claim: text, channel: z.enum(APPEAL_CHANNELS), evidence: ids, alsoFitting: ids }).nullable(),
  records: z.strictObject({ request: text, pages: ids }).nullable(),
  retro: z.strictObject({ claim: text, evidence: ids }).nullable(),
  adjustments: z.array(z.strictObject({ line: text, type: z.enum(ADJUSTMENT_TYPES), amount: money })),
  basis: ids,
  patientAmount: money,
  hold: z.boolean(),
  refund: z.strictObject({ claim: text, amount: money }).nullable(),
  query: z.strictObject({ to: z.enum(["coder", "physician", "patient"]) }).nullable(),
  escalation: z.strictObject({ to: z.array(z.enum(ESCALATION_OWNERS)), evidence: ids }).nullable(),
  needsApproval: z.boolean(),
  lookAt: ids,
  lookAtEdits: z.boolean(),
  related: ids,
  followUp: z.boolean(),
} as const;

const factsSchema = z.strictObject({
  labelled: z.boolean(),
  item: text,
  claim: text,
  serviceDate: date,
  ...labelFields,
}) satisfies z.ZodType<DenialFacts>;

/** Tables that an import fills; work items are kept with their tasks. */
export const IMPORTED_TABLES = [
  "payers",
  "patients",
  "coverages",
  "members",
  "documents",
  "pages",
  "claims",
  "claim_lines",
  "acknowledgments",
  "remits",
  "remit_lines",
  "authorizations",
  "ledger",
  "letters",
] as const;
type ImportedTable = (typeof IMPORTED_TABLES)[number];

const rowsOf = <N extends keyof DenialTables>(table: N) =>
  z.array(z.strictObject(tables[table].fields as DenialTables[N]["fields"]));
const rowsSchema = z.strictObject(
  Object.fromEntries(IMPORTED_TABLES.map((table) => [table, rowsOf(table)])) as unknown as {
    [N in ImportedTable]: z.ZodType<Row<DenialTables[N]>[]>;
  },
);

export interface ImportedTask {
  readonly id: string;
  readonly archetype: string;
  readonly item: Row<DenialTables["items"]>;
  readonly facts: DenialFacts;
}

export interface ImportedPatient {
  /** Payers of the reference data that this patient's rows name. */
  readonly payers: readonly PayerId[];
  readonly rows: { readonly [N in ImportedTable]: readonly Row<DenialTables[N]>[] };
  readonly tasks: readonly ImportedTask[];
}

export interface ImportedData {
  readonly format: typeof FORMAT;
  /** Of the files that were imported; the second part of every task id. */
  readonly digest: string;
  /** The office's day when work starts. */
  readonly today: string;
  readonly patients: readonly ImportedPatient[];
}

const dataSchema = z.strictObject({
  format: z.literal(FORMAT),
  digest: text.regex(/^[0-9a-f]{8}$/),
  today: date,
  patients: z.array(
    z.strictObject({
      payers: z.array(z.enum(PAYER_IDS)),
      rows: rowsSchema,
      tasks: z.array(
        z.strictObject({ id: text, archetype: text, item: z.strictObject(tables.items.fields), facts: factsSchema }),
      ),
    }),
  ),
}) satisfies z.ZodType<ImportedData>;

export const toImportedData = (digest: string, today: string, patients: readonly ImportedPatient[]): ImportedData => ({
  format: FORMAT,
  digest,
  today,
  patients,
});

/** The first eight digits of the content's digest. */
export const digestFiles = (contents: unknown): string => digestOf(contents).slice(0, 8);

/** Reads imported data. Throws UsageError with the place, what was expected and what stands there. */
export function parseImportedData(value: unknown): ImportedData {
  const parsed = dataSchema.safeParse(value);
  if (!parsed.success) {
    const [issue, ...others] = parsed.error.issues;
    const { at, expected, found } = toPlace(issue!, value);
    throw refused(at, expected, found, others.length);
  }
  const { data } = parsed;
  const seen = new Set<string>();
  data.patients.forEach((patient, n) => {
    checkReferences(patient, `patients[${n}]`);
    patient.tasks.forEach(({ id }, k) => {
      const at = `patients[${n}].tasks[${k}].id`;
      if (!id.startsWith(`imported/${data.digest}/`))
        throw refused(at, `an id that begins with "imported/${data.digest}/"`, id);
      if (seen.has(id)) throw refused(at, "each task id once", id);
      seen.add(id);
    });
  });
  return data;
}

/** Every id that a row or a task names is that of a row. */
function checkReferences({ payers, rows, tasks }: ImportedPatient, place: string): void {
  const known: Record<string, Set<string>> = {};
  for (const table of IMPORTED_TABLES) {
    const own = new Set(rows[table].map(({ id }) => id));
    if (own.size < rows[table].length)
      throw refused(`${place}.rows.${table}`, "each id once", "an id that stands twice");
    known[table] = own;
  }
  for (const payer of payers) known.payers!.add(payer);
  const check = (table: keyof DenialTables, row: object, at: string) => {
    for (const [field, schema] of Object.entries(tables[table].fields)) {
      const target = meaningOf(schema as z.ZodType)?.table;
      const id = (row as Record<string, unknown>)[field];
      if (field === "id" || target === undefined || id === null) continue;
      if (known[target]?.has(id as string) !== true)
        throw refused(`${at}.${field}`, `the id of a row of ${target}`, String(id));
    }
  };
  for (const table of IMPORTED_TABLES)
    for (const [n, row] of rows[table].entries()) check(table, row, `${place}.rows.${table}[${n}]`);
  tasks.forEach(({ item, facts }, n) => {
    const at = `${place}.tasks[${n}]`;
    check("items", item, `${at}.item`);
    if (facts.item !== item.id) throw refused(`${at}.facts.item`, `the task's own item, ${item.id}`, facts.item);
    if (facts.claim !== item.claim) throw refused(`${at}.facts.claim`, `the item's claim, ${item.claim}`, facts.claim);
  });
}

function refused(path: string, expected: string, actual: string, more = 0): UsageError {
  return new UsageError({
    code: "invalid_imported_data",
    what: `Imported tasks cannot be read${more === 0 ? "" : ` (and ${more} more problems)`}`,
    path,
    expected,
    actual,
    fix: "Import the files again.",
  });
}
