/** Calendar dates ("2026-03-02") over the world's clock (ms since the Unix epoch, UTC). No time zones, no business days. */

export const DAY_MS = 86_400_000;

export const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Midnight UTC of a date. Throws RangeError when it is not a calendar date. */
export function msOf(date: string): number {
  const ms = Date.parse(`${date}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(ms) || dateOf(ms) !== date)
    throw new RangeError(`not a calendar date: ${JSON.stringify(date)}`);
  return ms;
}

export const addDays = (date: string, days: number): string => dateOf(msOf(date) + days * DAY_MS);

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export const daysBetween = (from: string, to: string): number => Math.round((msOf(to) - msOf(from)) / DAY_MS);
