/**
 * A reviewed reference table: frozen rows, each with its source and its review state, found by a key.
 * Promises: keys are unique, every row names a source, nothing in a row can be changed. Does not promise that a row is
 * right: `review` says whether a public source or a practitioner stands behind it.
 */

/** Whether a public source backs the row, or it rests on practice and waits for an expert's signature. */
export type Review = "sourced" | "awaiting-expert";

/** What every reference row carries: `source` is a short citation, or "practice". */
export interface Provenance {
  readonly source: string;
  readonly review: Review;
}

/** Frozen rows with a lookup by key. `get` throws a precise error on an unknown key; `find` answers undefined. */
export interface Table<Row extends Provenance> {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly keys: readonly string[];
  has(key: string): boolean;
  find(key: string): Row | undefined;
  get(key: string): Row;
}

/** Freezes a value and everything inside it. */
export function freezeDeep<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freezeDeep(inner);
  }
  return value;
}

/** Builds a table; throws when a key repeats or a row names no source. */
export function defineTable<Row extends Provenance>(
  name: string,
  keyOf: (row: Row) => string,
  rows: readonly Row[],
): Table<Row> {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    if (byKey.has(key)) throw new Error(`${name}: key "${key}" occurs twice; keep one row per key`);
    if (row.source.trim() === "")
      throw new Error(`${name}: row "${key}" names no source; cite one or write "practice"`);
    byKey.set(key, freezeDeep(row));
  }
  const find = (key: string) => byKey.get(key);
  return Object.freeze({
    name,
    rows: Object.freeze([...rows]),
    keys: Object.freeze([...byKey.keys()]),
    has: (key: string) => byKey.has(key),
    find,
    get: (key: string) => {
      const row = find(key);
      if (row === undefined) throw new Error(`${name}: no row "${key}"; known keys: ${[...byKey.keys()].join(", ")}`);
      return row;
    },
  });
}

const practice: Provenance = { source: "practice", review: "awaiting-expert" };

/** Marks a row as resting on practice. */
export const byPractice = (): Provenance => practice;

/** Marks a row as backed by the cited public source. */
export const bySource = (source: string): Provenance => ({ source, review: "sourced" });
