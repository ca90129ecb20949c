/**
 * Intervals for shares and means. Observations are taken as independent except in clusteredMean.
 * Resampling intervals live in bootstrap.ts.
 */
import { requireCount, requireFinite, requireLevel } from "./check.js";
import { type Estimate, estimated, notEstimable } from "./estimate.js";
import { betaQuantile, tQuantile, zFor } from "./quantiles.js";

function requireTrials(successes: number, n: number, level: number): void {
  requireCount(n, "n");
  requireCount(successes, "successes", n);
  requireLevel(level);
}

/** A share with Wilson's score interval. For reporting rates; a gate on a rare event wants clopperPearson. */
export function wilson(successes: number, n: number, level = 0.95): Estimate {
  requireTrials(successes, n, level);
  if (n === 0) return notEstimable("no trials", 0);
  const z2 = zFor(level) ** 2;
  const p = successes / n;
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = Math.sqrt(z2 * ((p * (1 - p)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
  return estimated(p, n, {
    interval: [successes === 0 ? 0 : middle - half, successes === n ? 1 : middle + half],
  });
}

/**
 * A share with the exact (Clopper–Pearson) interval, which covers at least `level`.
 * `bound: "upper"` gives the one-sided interval [0, upper], "lower" gives [lower, 1]: 0 of 299 is below 0.01 at 95 %.
 */
export function clopperPearson(
  successes: number,
  n: number,
  { level = 0.95, bound = "both" }: { level?: number; bound?: "both" | "upper" | "lower" } = {},
): Estimate {
  requireTrials(successes, n, level);
  if (n === 0) return notEstimable("no trials", 0);
  const tail = bound === "both" ? (1 - level) / 2 : 1 - level;
  const lower = bound === "upper" || successes === 0 ? 0 : betaQuantile(tail, successes, n - successes + 1);
  const upper = bound === "lower" || successes === n ? 1 : betaQuantile(1 - tail, successes + 1, n - successes);
  return estimated(successes / n, n, { interval: [lower, upper] });
}

/** A mean with its standard error and t interval. */
export function meanEstimate(values: readonly number[], level = 0.95): Estimate {
  requireFinite(values, "values");
  requireLevel(level);
  const n = values.length;
  if (n === 0) return notEstimable("no values", 0);
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return withT(mean, n, Math.sqrt(squares / (n - 1) / n), roundingOf(values), { units: n, unit: "value", level });
}

/**
 * A mean whose standard error lets observations of one cluster go together: √Σ_c(Σ_{i∈c}(x_i−x̄))²/n, t interval on clusters − 1.
 * Attempts at one task, and tasks of one template, are clusters; treating them as independent can understate the error threefold.
 */
export function clusteredMean(
  items: readonly { readonly cluster: string; readonly value: number }[],
  level = 0.95,
): Estimate {
  const values = items.map((item) => item.value);
  requireFinite(values, "items.value");
  requireLevel(level);
  const n = items.length;
  if (n === 0) return notEstimable("no values", 0);
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const residuals = new Map<string, number>();
  for (const { cluster, value } of items) residuals.set(cluster, (residuals.get(cluster) ?? 0) + value - mean);
  const squares = [...residuals.values()].reduce((sum, residual) => sum + residual ** 2, 0);
  return withT(mean, n, Math.sqrt(squares) / n, roundingOf(values), { units: residuals.size, unit: "cluster", level });
}

/** What summation can leave of a spread that is truly 0. */
const roundingOf = (values: readonly number[]): number =>
  Number.EPSILON * (8 + Math.sqrt(values.length)) * values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);

function withT(
  mean: number,
  n: number,
  se: number,
  rounding: number,
  { units, unit, level }: { units: number; unit: string; level: number },
): Estimate {
  if (units < 2) return estimated(mean, n, { caution: `one ${unit}: its spread cannot be estimated` });
  if (se <= rounding)
    return estimated(mean, n, { caution: `no ${unit} differs from another: the spread cannot be estimated` });
  const half = tQuantile(0.5 + level / 2, units - 1) * se;
  return estimated(mean, n, { se, interval: [mean - half, mean + half] });
}
