/** The first place where two JSON values differ, in the order of the expected one's keys. */

export interface Difference {
  /** Number of the event in the trace; null when the difference is not in an event. */
  readonly seq: number | null;
  /** Keys and indexes that lead to it: "result.total", "changes[0].fields.status". Empty for the whole. */
  readonly path: string;
  /** Absent values are undefined. */
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Undefined when the two have the same JSON text: keys in another order are a difference. */
export function firstDifference(
  expected: unknown,
  actual: unknown,
  seq: number | null,
  path = "",
): Difference | undefined {
  return differ(toJson(expected), toJson(actual), seq, path);
}

/** What of a value JSON keeps. */
function toJson(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

function differ(expected: unknown, actual: unknown, seq: number | null, path: string): Difference | undefined {
  if (expected === actual) return undefined;
  const here = { seq, path, expected, actual };
  if (typeof expected !== "object" || typeof actual !== "object" || expected === null || actual === null) return here;
  if (Array.isArray(expected) !== Array.isArray(actual)) return here;
  const [a, b] = [expected as Readonly<Record<string, unknown>>, actual as Readonly<Record<string, unknown>>];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const step = Array.isArray(expected) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    const found = differ(a[key], b[key], seq, step);
    if (found !== undefined) return found;
  }
  // Same fields in another order: equal values, but not the same bytes.
  return JSON.stringify(expected) === JSON.stringify(actual)
    ? undefined
    : { ...here, path: path === "" ? "(order of keys)" : `${path} (order of keys)` };
}
