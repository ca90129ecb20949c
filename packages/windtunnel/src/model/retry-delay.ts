/** How long to wait before asking again. Owns the backoff and the reading of Retry-After; does not promise that the endpoint meant it. */

const FIRST_CEILING_MS = 500;
const HIGHEST_CEILING_MS = 30_000;
/** A longer Retry-After is cut to this: asking once too early costs less than a worker asleep for an hour. */
const LONGEST_RETRY_AFTER_MS = 120_000;

/**
 * Delay before the attempt that follows `failures` failed ones, ms. Full jitter: uniform in [0, ceiling), the ceiling doubling from 0.5 s to
 * 30 s. With a Retry-After the jitter comes on top of it, so that callers told the same instant do not return as one; never over 120 s.
 */
export function retryDelayMs(failures: number, retryAfterMs: number | null, random: () => number): number {
  const ceiling = Math.min(HIGHEST_CEILING_MS, FIRST_CEILING_MS * 2 ** (failures - 1));
  if (retryAfterMs === null) return random() * ceiling;
  return Math.min(LONGEST_RETRY_AFTER_MS, retryAfterMs + random() * FIRST_CEILING_MS);
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Reads `retry-after-ms`, or `retry-after` in seconds or as an HTTP date, into ms from `nowMs` (epoch). Null when absent or unreadable. */
export function parseRetryAfter(headers: Headers, nowMs: number): number | null {
  const exact = numberOf(headers["retry-after-ms"]);
  if (exact !== null) return exact;
  const seconds = numberOf(headers["retry-after"]);
  if (seconds !== null) return seconds * 1000;
  const date = headers["retry-after"];
  if (typeof date !== "string" || !/[a-z]{3}/i.test(date)) return null;
  const at = Date.parse(date);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

function numberOf(header: string | string[] | undefined): number | null {
  if (typeof header !== "string" || !/^\s*\d+(\.\d+)?\s*$/.test(header)) return null;
  return Number(header);
}
