/**
 * Freezing: how handed-out data is made safe to share. It covers plain JSON data only; Maps, Sets and class instances keep their own state.
 */

/** Freezes `value` and everything in it, in place, and returns it. Throws TypeError on a bigint, which no record could hold. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "bigint") throw new TypeError("JSON has no bigint");
  if (typeof value !== "object" || value === null) return value;
  Object.freeze(value);
  for (const key in value) {
    const field = value[key];
    if (typeof field === "bigint" || (typeof field === "object" && field !== null)) deepFreeze(field);
  }
  return value;
}

const DEEPEST = 100;

/** A frozen copy of JSON data. Throws TypeError on what JSON cannot hold: functions, non-finite numbers, and nesting (or a cycle) past 100 levels. */
export function frozenCopy(value: unknown, depth = 0): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  if (typeof value === "function" || typeof value === "bigint" || typeof value === "symbol")
    throw new TypeError(`JSON has no ${typeof value}`);
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEEPEST) throw new TypeError(`nested deeper than ${DEEPEST} levels`);
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item, depth + 1)));
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) copy[key] = frozenCopy(field, depth + 1);
  return Object.freeze(copy);
}
