/**
 * The module of an environment: its exports, as this program reads them. `environment` (or the default export) is required; the two
 * functions are for environments that can make tasks of a user's own files.
 */
import type { AnyEnvironment, TaskSource } from "../core/environment.js";
import { UsageError } from "../core/fault.js";

/** A user's file, read as text. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** A user's files, by what they are. */
export interface ImportFiles {
  readonly claims: readonly NamedText[];
  readonly remits: readonly NamedText[];
  readonly acks: readonly NamedText[];
  readonly charts: readonly NamedText[];
  /** Expert labels, JSON lines. */
  readonly labels?: readonly NamedText[];
}

/** One thing wrong with a file, and where. */
export interface ImportProblem {
  readonly file: string;
  /** Position in the file, in the format's own terms: "segment 12 (CLP), element 4". */
  readonly at: string;
  readonly code: string;
  readonly message: string;
  readonly expected?: string;
  readonly found?: string;
}

/** Either problems, and nothing was made; or tasks as JSON data, to be written to a file and opened again. */
export type ImportResult =
  | { readonly ok: true; readonly tasks: number; readonly data: unknown; readonly warnings: readonly ImportProblem[] }
  | { readonly ok: false; readonly problems: readonly ImportProblem[] };

export interface EnvironmentModule {
  readonly environment: AnyEnvironment;
  importTasks?(files: ImportFiles): ImportResult | Promise<ImportResult>;
  openImportedTasks?(data: unknown): TaskSource;
}

const isEnvironment = (value: unknown): value is AnyEnvironment =>
  typeof value === "object" &&
  value !== null &&
  "rubric" in value &&
  "world" in value &&
  (value as { tools?: unknown }).tools instanceof Map;

/** Reads a module's exports. Throws UsageError when they hold no environment. */
export function toEnvironmentModule(exports: Readonly<Record<string, unknown>>, path: string): EnvironmentModule {
  const environment = [exports.environment, exports.default].find(isEnvironment);
  if (environment === undefined) {
    throw new UsageError({
      code: "no_environment",
      what: "A module exports no environment",
      path,
      expected: "`export const environment = defineEnvironment({…})`, or that as the default export",
      actual: Object.keys(exports).length === 0 ? "no exports" : `exports ${Object.keys(exports).join(", ")}`,
    });
  }
  const optional = <K extends "importTasks" | "openImportedTasks">(name: K) =>
    typeof exports[name] === "function" ? { [name]: exports[name] } : {};
  return { environment, ...optional("importTasks"), ...optional("openImportedTasks") } as EnvironmentModule;
}
