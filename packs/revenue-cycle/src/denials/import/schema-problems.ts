/** A schema's complaint as a place, what was expected there and what stood there. */
import type { z } from "zod";

const SHOWN = 60;

export interface SchemaProblem {
  /** "patients[3].rows.claims[0].total"; "the whole" for the value itself. */
  readonly at: string;
  readonly expected: string;
  readonly found: string;
}

/** `value` is what was parsed. */
export function toPlace(issue: z.core.$ZodIssue, value: unknown): SchemaProblem {
  const { path } = issue;
  const at = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  let inner = value;
  for (const part of path) inner = (inner as Record<PropertyKey, unknown> | undefined)?.[part];
  const found = inner === undefined ? "nothing" : JSON.stringify(inner);
  return {
    at: at === "" ? "the whole" : at.replace(/^\./, ""),
    expected: issue.message.replace(/^Invalid input: expected /, "").replace(/, received .*$/, ""),
    found: found.length > SHOWN ? `${found.slice(0, SHOWN)}…` : found,
  };
}
