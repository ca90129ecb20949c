/**
 * Chart documents from a folder of text files. Layout: one folder per patient, named by a patient control number or a member id; in it .txt or .md
 * files whose names hold a date ("2026-01-05 order.txt"); pages parted by a form feed or a line "--- page ---". An optional manifest.json at the top
 * says of any file its kind, title, author, date, whether it is signed, its audit trail, and the authorization that it grants. Without it, kind comes from a word of the file name
 * ("note" when there is none) and a document is signed when its text says "signed by" or "signed on".
 */
import type { Row } from "windtunnel";
import { z } from "zod";
import { msOf } from "../calendar.js";
import { type DenialTables, tables } from "../world.js";
import type { Account } from "./accounts.js";
import type { ImportProblem, NamedText } from "./import-files.js";
import { toPlace } from "./schema-problems.js";

/** An authorization that a document grants, as the manifest states it. */
export type GrantedAuthorization = Pick<
  Row<DenialTables["authorizations"]>,
  "number" | "hcpcs" | "from" | "to" | "units"
>;

/** A document of one patient, with its pages. */
export interface ChartDocument {
  readonly person: string;
  readonly authorization: GrantedAuthorization | null;
  readonly row: Omit<Row<DenialTables["documents"]>, "id" | "patient">;
  readonly pages: readonly string[];
}

export interface ChartReading {
  readonly documents: readonly ChartDocument[];
  readonly problems: readonly ImportProblem[];
  readonly warnings: readonly ImportProblem[];
}

const MANIFEST = "manifest.json";
const KINDS = tables.documents.fields.kind.options;
const isDate = (text: string) => {
  try {
    return msOf(text) > 0;
  } catch {
    return false;
  }
};
const day = z.string().refine(isDate, 'expected a date such as "2026-03-02"');
const authorizationSchema = z.strictObject({
  number: z.string().min(1),
  hcpcs: z.array(z.string()).min(1),
  from: day,
  to: day,
  units: z.string().regex(/^\d+$/, "a whole number as text"),
});
const entrySchema = z.strictObject({
  kind: z.enum(KINDS).optional(),
  title: z.string().optional(),
  author: z.string().optional(),
  date: day.optional(),
  signed: z.boolean().optional(),
  audit: z.string().optional(),
  authorization: authorizationSchema.optional(),
});
const manifestSchema = z.record(z.string(), entrySchema);
type Entry = z.output<typeof entrySchema>;

/** Reads the charts of the patients whose claims were sent. */
export function readCharts(files: readonly NamedText[], accounts: readonly Account[]): ChartReading {
  const problems: ImportProblem[] = [];
  const warnings: ImportProblem[] = [];
  const texts = files.map(({ name, text }) => ({ name: name.replaceAll("\\", "/"), text }));
  const manifest = readManifest(texts, problems);
  const people = peopleByFolder(accounts);
  const documents = texts
    .filter(({ name }) => name !== MANIFEST)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((file): ChartDocument[] => {
      const { name } = file;
      const aside = (code: string, message: string) => {
        warnings.push({ file: name, at: "file name", code, message: `${message}; it is left out` });
        return [];
      };
      const refuse = (code: string, message: string, expected: string, found: string) => {
        problems.push({ file: name, at: "file name", code, message, expected, found });
        return [];
      };
      if (!/\.(txt|md)$/i.test(name)) return aside("chart_not_text", "is no .txt or .md file");
      const slash = name.indexOf("/");
      if (slash === -1) return aside("chart_without_patient", "stands in no patient's folder");
      const folder = name.slice(0, slash);
      const found = people.get(folder);
      if (found === undefined)
        return aside("chart_unmatched", `"${folder}" is no control number and no member id of the claim files`);
      const [person, ...others] = found;
      if (person === undefined || others.length > 0)
        return refuse(
          "chart_ambiguous",
          "the folder's name fits several patients",
          "a patient control number",
          `a member id of ${found.size} patients`,
        );
      const broken = file.text.indexOf("\ufffd");
      if (broken !== -1) {
        problems.push({
          file: name,
          at: `offset ${broken}`,
          code: "not_utf8",
          message: "the file is not UTF-8 text",
          expected: "UTF-8",
          found: "an unreadable character",
        });
        return [];
      }
      const entry = manifest.get(name) ?? {};
      const date = entry.date ?? dateIn(name.slice(slash + 1));
      if (date === undefined)
        return refuse(
          "chart_undated",
          "the document has no date",
          `a date in its name (2026-01-05 order.txt) or in ${MANIFEST}`,
          name,
        );
      const pages = pagesOf(file.text);
      return pages.length === 0
        ? aside("chart_empty", "has no text")
        : [{ person, authorization: entry.authorization ?? null, row: toRow(name, file.text, date, entry), pages }];
    });
  return { documents, problems, warnings };
}

function readManifest(files: readonly NamedText[], problems: ImportProblem[]): ReadonlyMap<string, Entry> {
  const file = files.find(({ name }) => name === MANIFEST);
  if (file === undefined) return new Map();
  const refuse = (at: string, message: string, expected: string, found: string) =>
    problems.push({ file: MANIFEST, at, code: "chart_manifest", message, expected, found });
  let value: unknown;
  try {
    value = JSON.parse(file.text);
  } catch (error) {
    refuse("file", "the manifest cannot be read", "JSON", (error as Error).message);
    return new Map();
  }
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const { at, expected, found } = toPlace(issue, value);
      refuse(at, "the manifest is not as it should be", expected, found);
    }
    return new Map();
  }
  const names = new Set(files.map(({ name }) => name));
  for (const name of Object.keys(parsed.data))
    if (!names.has(name))
      refuse(
        `["${name}"]`,
        "names a file that is not in the folder",
        "the path of a file below the chart folder",
        name,
      );
  return new Map(Object.entries(parsed.data));
}

function peopleByFolder(accounts: readonly Account[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byNumber = new Map<string, Set<string>>();
  const byMember = new Map<string, Set<string>>();
  const add = (index: Map<string, Set<string>>, key: string, person: string) =>
    index.set(key, (index.get(key) ?? new Set()).add(person));
  for (const { person, filings } of accounts)
    for (const { claim } of filings) {
      add(byNumber, claim.patientControlNumber, person);
      add(byMember, claim.subscriber.memberId, person);
    }
  return new Map([...byMember, ...byNumber]);
}

function dateIn(name: string): string | undefined {
  const [, year, month, day] = /(?<!\d)(\d{4})-?(\d{2})-?(\d{2})(?!\d)/.exec(name) ?? [];
  const date = `${year}-${month}-${day}`;
  return year !== undefined && isDate(date) ? date : undefined;
}

function pagesOf(text: string): string[] {
  return text
    .split(/\f|^--- page ---[ \t]*$/m)
    .map((page) => page.trim())
    .filter((page) => page !== "");
}

const SIGNED = /(?<!\bnot |un)\bsigned (?:by|on)\b/i;

function toRow(name: string, text: string, date: string, entry: Entry): ChartDocument["row"] {
  const file = name.slice(name.lastIndexOf("/") + 1).replace(/\.(txt|md)$/i, "");
  const titled = file
    .replace(/[_-]+/g, " ")
    .replace(/(?<!\d)\d{4} ?\d{2} ?\d{2}(?!\d)/, "")
    .trim();
  const words = file.toLowerCase().split(/[^a-z]+/);
  const kind = KINDS.find((one) => one.split("_").every((part) => words.includes(part)));
  return {
    kind: entry.kind ?? kind ?? "note",
    title: entry.title ?? (titled === "" ? file : titled),
    author: entry.author ?? "not stated",
    date,
    signed: entry.signed ?? SIGNED.test(text),
    audit: entry.audit ?? "",
  };
}
