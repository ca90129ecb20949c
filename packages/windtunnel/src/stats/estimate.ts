/**
 * Estimate: what every statistic here answers. A statistic that the data leave undefined says why; it is never NaN and never a convenient 0 or 1.
 * Input that no data could be (a count below 0, a probability above 1) is a RangeError instead.
 */

/** Lower and upper end, in the units of the value. */
export type Interval = readonly [lower: number, upper: number];

/**
 * A value with the number of observations it rests on, or the reason that there is none.
 * `interval` is absent when the data cannot give one; `caution` then says why, or why one that is given deserves doubt.
 */
export type Estimate =
  | {
      readonly value: number;
      readonly n: number;
      readonly se?: number;
      readonly interval?: Interval;
      readonly caution?: string;
    }
  | { readonly value: null; readonly n: number; readonly reason: string };

/** An estimate with a value. Throws RangeError when it is not finite, so a formula that slipped cannot pass for a result. */
export function estimated(
  value: number,
  n: number,
  extra: { se?: number; interval?: Interval; caution?: string } = {},
): Estimate {
  if (!Number.isFinite(value)) throw new RangeError(`an estimate must be finite, got ${value} from ${n} observations`);
  return { value, n, ...extra };
}

export const notEstimable = (reason: string, n: number): Estimate => ({ value: null, n, reason });

/** Keeps an interval inside the range that its value can take. */
export const clip = ([lower, upper]: Interval, min: number, max: number): Interval => [
  Math.min(max, Math.max(min, lower)),
  Math.min(max, Math.max(min, upper)),
];
