/** What goes into an import and what comes out: a user's files as text, and either tasks as data or a list of problems. Owns shapes only. */

/** A user's file, read as text. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** A user's files, by what they are. A chart's name is its path below the chart folder. */
export interface ImportFiles {
  readonly claims: readonly NamedText[];
  readonly remits: readonly NamedText[];
  readonly acks: readonly NamedText[];
  readonly charts: readonly NamedText[];
  /** Expert labels as JSON lines; ids of tasks follow from the other files, so labels made for an earlier import of them fit. */
  readonly labels?: readonly NamedText[];
}

/** One thing wrong with a file, or worth knowing about it. */
export interface ImportProblem {
  readonly file: string;
  /** The place in the file's own terms: "segment 12 (CLP), element 4", "CLM01 WT10432", "line 3, dispositions[0]". */
  readonly at: string;
  readonly code: string;
  readonly message: string;
  readonly expected?: string;
  readonly found?: string;
}

/** Problems, and nothing was made; or tasks as JSON data, with what was noticed on the way. */
export type ImportResult =
  | { readonly ok: true; readonly tasks: number; readonly data: unknown; readonly warnings: readonly ImportProblem[] }
  | { readonly ok: false; readonly problems: readonly ImportProblem[] };
