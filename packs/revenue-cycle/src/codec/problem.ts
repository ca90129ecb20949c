/**
 * What the codec says when text is not what it should be: one record per problem, with a place in the text.
 * Owns the vocabulary of codes and the bound on how many are kept. Promises nothing about their order beyond
 * "as found, front to back within one pass".
 */

/** Where in the text: `segment` counts from 1 (ISA); `element` and `component` count as X12 does; `offset` is a character index. */
export interface Position {
  readonly segment: number;
  readonly element?: number;
  readonly component?: number;
  readonly offset: number;
}

export type ProblemCode =
  // text and envelope
  | "not-an-interchange"
  | "header-incomplete"
  | "invalid-separator"
  | "line-break"
  | "unterminated-segment"
  | "empty-segment"
  | "invalid-segment-id"
  | "unexpected-envelope"
  | "trailer-missing"
  | "segment-outside-transaction"
  | "content-after-interchange"
  | "count-mismatch"
  | "control-mismatch"
  | "duplicate-control"
  | "empty-group"
  | "unsupported-version"
  | "unsupported-guide"
  | "too-many-problems"
  // one element
  | "required-element-missing"
  | "element-too-short"
  | "element-too-long"
  | "invalid-character"
  | "invalid-code-value"
  | "invalid-date"
  | "invalid-time"
  | "conditional-element-missing"
  | "too-many-elements"
  | "too-many-components"
  | "too-many-repetitions"
  // one segment or loop
  | "segment-has-element-errors"
  | "segment-repeated"
  | "segment-out-of-place"
  | "required-segment-missing"
  | "hierarchy"
  // a claim as a whole
  | "claim-total"
  | "original-reference-missing"
  | "diagnosis-list"
  | "line-list"
  // writing
  | "separator-in-data"
  | "no-content";

/** One thing wrong, as data; `message` is a view of the other fields. */
export interface Problem {
  readonly code: ProblemCode;
  readonly at: Position;
  readonly expected: string;
  readonly found: string;
  readonly message: string;
}

/** A whole value, or problems and no value at all. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly problems: readonly [] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Thrown by every writer that was given data which cannot stand in a well-formed file. */
export class X12WriteError extends Error {
  override readonly name = "X12WriteError";
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map((problem) => problem.message).join("; "));
  }
}

const LIMIT = 1000;
const SHOWN = 80;

/** Collects problems up to a bound, so that a megabyte of garbage costs no more than a page of it. */
export class ProblemList {
  readonly #problems: Problem[] = [];

  get size(): number {
    return this.#problems.length;
  }

  get full(): boolean {
    return this.#problems.length > LIMIT;
  }

  add(code: ProblemCode, at: Position, expected: string, found: string): void {
    if (this.full) return;
    if (this.#problems.length === LIMIT)
      this.#problems.push(problemOf("too-many-problems", at, `at most ${LIMIT}`, "more"));
    else this.#problems.push(problemOf(code, at, expected, found));
  }

  addAll(problems: readonly Problem[]): void {
    for (const problem of problems) this.add(problem.code, problem.at, problem.expected, problem.found);
  }

  toArray(): readonly Problem[] {
    return this.#problems;
  }
}

export function problemOf(code: ProblemCode, at: Position, expected: string, found: string): Problem {
  const shown = found.length > SHOWN ? `${found.slice(0, SHOWN)}…` : found;
  const element = at.element === undefined ? "" : `, element ${at.element}`;
  const component = at.component === undefined ? "" : `, component ${at.component}`;
  const place = `segment ${at.segment}${element}${component} (offset ${at.offset})`;
  return {
    code,
    at,
    expected,
    found: shown,
    message: `${code} at ${place}: expected ${expected}, found ${JSON.stringify(shown)}`,
  };
}
