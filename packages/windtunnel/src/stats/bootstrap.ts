/**
 * The bootstrap: an interval for any statistic of a list of items. An item that holds both sides of a pair makes it the paired bootstrap;
 * `cluster` makes it the cluster bootstrap. It cannot see beyond the sample: where no resample differs it gives no interval.
 */
import { requireCount, requireLevel } from "./check.js";
import { type RandomSource, toDraws } from "./draw.js";
import { type Estimate, estimated, type Interval, notEstimable } from "./estimate.js";
import { normalCdf, normalQuantile } from "./quantiles.js";
import { quantileOfSorted } from "./summary.js";

export interface BootstrapOptions<T> {
  readonly random: RandomSource;
  /** Default 2000. */
  readonly resamples?: number;
  /** Default 0.95. */
  readonly level?: number;
  /** Default "bca" (bias-corrected and accelerated), which runs the statistic once more per item or cluster. */
  readonly method?: "bca" | "percentile";
  /** Items of one cluster are drawn together. */
  readonly cluster?: (item: T) => string;
}

const UNDEFINED_SHARE_ALLOWED = 0.05;
const FEW_UNITS = 10;

/**
 * A statistic of `items` with a bootstrap interval. The statistic gets a list that it must not keep, and returns null where it is undefined.
 * No interval comes out when fewer than 2 units could be drawn, when no resample differs, or when over 5 % of resamples are undefined.
 */
export function bootstrap<T>(
  items: readonly T[],
  statistic: (items: readonly T[]) => number | null,
  { random, resamples = 2000, level = 0.95, method = "bca", cluster }: BootstrapOptions<T>,
): Estimate {
  requireLevel(level);
  requireCount(resamples, "resamples");
  if (resamples < 100)
    throw new RangeError(`resamples must be at least 100 to place the ends of an interval, got ${resamples}`);
  const n = items.length;
  if (n === 0) return notEstimable("no items", 0);
  const value = statistic(items);
  if (value === null || !Number.isFinite(value))
    return notEstimable("the statistic is undefined on the whole sample", n);

  const units = cluster === undefined ? items.map((item) => [item]) : groupBy(items, cluster);
  const unit = cluster === undefined ? "item" : "cluster";
  if (units.length < 2) return estimated(value, n, { caution: `one ${unit}: there is nothing to resample` });

  const values = resampled(units, statistic, resamples, toDraws(random));
  const missing = resamples - values.length;
  if (missing > UNDEFINED_SHARE_ALLOWED * resamples)
    return estimated(value, n, { caution: `the statistic is undefined on ${missing} of ${resamples} resamples` });
  if (values[0] === values.at(-1))
    return estimated(value, n, { caution: "no resample differs: the sample shows no spread, use an exact interval" });

  const tail = (1 - level) / 2;
  const shares: Interval = method === "bca" ? bcaShares(values, value, units, statistic, tail) : [tail, 1 - tail];
  const doubts = [
    missing > 0 ? `the statistic is undefined on ${missing} of ${resamples} resamples` : "",
    units.length < FEW_UNITS ? `only ${units.length} ${unit}s: the interval tends to be too narrow` : "",
  ].filter((doubt) => doubt !== "");
  return estimated(value, n, {
    se: deviation(values),
    interval: [quantileOfSorted(values, shares[0]), quantileOfSorted(values, shares[1])],
    ...(doubts.length > 0 ? { caution: doubts.join("; ") } : {}),
  });
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

function resampled<T>(
  units: readonly (readonly T[])[],
  statistic: (items: readonly T[]) => number | null,
  resamples: number,
  draw: () => number,
): Float64Array {
  const kept: number[] = [];
  const sample: T[] = [];
  for (let i = 0; i < resamples; i++) {
    sample.length = 0;
    for (let j = 0; j < units.length; j++)
      for (const item of units[Math.floor(draw() * units.length)]!) sample.push(item);
    const value = statistic(sample);
    if (value !== null && Number.isFinite(value)) kept.push(value);
  }
  return Float64Array.from(kept).sort();
}

/** Efron's BCa: the shares of the resampled values at which the interval ends. */
function bcaShares<T>(
  values: Float64Array,
  value: number,
  units: readonly (readonly T[])[],
  statistic: (items: readonly T[]) => number | null,
  tail: number,
): Interval {
  let below = 0;
  for (const resample of values) below += resample < value ? 1 : resample === value ? 0.5 : 0;
  const margin = 0.5 / values.length;
  const bias = normalQuantile(Math.min(1 - margin, Math.max(margin, below / values.length)));
  const acceleration = jackknifeAcceleration(units, statistic);
  const share = (z: number) => {
    const shifted = bias + z;
    const stretch = 1 - acceleration * shifted;
    return stretch > 0 ? normalCdf(bias + shifted / stretch) : shifted > 0 ? 1 : 0;
  };
  const z = normalQuantile(tail);
  return [share(z), share(-z)];
}

/** Σd³ / 6(Σd²)^1.5 over leave-one-unit-out values; units without which the statistic is undefined carry no information on it. */
function jackknifeAcceleration<T>(
  units: readonly (readonly T[])[],
  statistic: (items: readonly T[]) => number | null,
): number {
  const left: number[] = [];
  units.forEach((_, out) => {
    const value = statistic(units.flatMap((unit, i) => (i === out ? [] : unit)));
    if (value !== null && Number.isFinite(value)) left.push(value);
  });
  const mean = left.reduce((sum, value) => sum + value, 0) / left.length;
  let [squares, cubes] = [0, 0];
  for (const value of left) {
    squares += (mean - value) ** 2;
    cubes += (mean - value) ** 3;
  }
  return squares > 0 ? cubes / (6 * squares ** 1.5) : 0;
}

function deviation(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
