/** Do two scores order the same items alike? Kendall's τ-b and Spearman's ρ, ties allowed, in O(n log n). */
import { requireFinite, requireLevel } from "./check.js";
import { type Estimate, estimated, type Interval, notEstimable } from "./estimate.js";
import { zFor } from "./quantiles.js";
import { midranks } from "./ranks.js";

/** The two scores of one item. */
export type ScorePair = readonly [x: number, y: number];

function degenerate(pairs: readonly ScorePair[]): string | undefined {
  requireFinite(
    pairs.map(([x]) => x),
    "x",
  );
  requireFinite(
    pairs.map(([, y]) => y),
    "y",
  );
  if (pairs.length < 2) return `an order needs 2 items, got ${pairs.length}`;
  if (pairs.every(([x]) => x === pairs[0]![0])) return "the first score is the same on every item";
  if (pairs.every(([, y]) => y === pairs[0]![1])) return "the second score is the same on every item";
  return undefined;
}

/** Kendall's τ-b (Knight's algorithm). No interval: take one from `bootstrap`. */
export function kendallTauB(pairs: readonly ScorePair[]): Estimate {
  const reason = degenerate(pairs);
  const n = pairs.length;
  if (reason !== undefined) return notEstimable(reason, n);
  const sorted = [...pairs].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const tiedX = tiedPairs(sorted, (a, b) => a[0] === b[0]);
  const tiedBoth = tiedPairs(sorted, (a, b) => a[0] === b[0] && a[1] === b[1]);
  const ys = sorted.map(([, y]) => y);
  const discordant = sortCountingInversions(ys);
  const tiedY = tiedPairs(ys, (a, b) => a === b);
  const all = (n * (n - 1)) / 2;
  const surplus = all - tiedX - tiedY + tiedBoth - 2 * discordant;
  return estimated(surplus / Math.sqrt(all - tiedX) / Math.sqrt(all - tiedY), n);
}

/** Spearman's ρ with the Fisher interval in Bonett and Wright's variance (1 + ρ²/2)/(n − 3); none at n ≤ 3 or |ρ| = 1. */
export function spearman(pairs: readonly ScorePair[], level = 0.95): Estimate {
  requireLevel(level);
  const reason = degenerate(pairs);
  const n = pairs.length;
  if (reason !== undefined) return notEstimable(reason, n);
  const [x, y] = [midranks(pairs.map((pair) => pair[0])), midranks(pairs.map((pair) => pair[1]))];
  const mean = (n + 1) / 2;
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [dx, dy] = [x[i]! - mean, y[i]! - mean];
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  // Midranks are halves, so the sums are exact and |ρ| = 1 is seen exactly.
  const rho = xy * xy === xx * yy ? Math.sign(xy) : xy / Math.sqrt(xx * yy);
  const interval = spearmanInterval(rho, n, level);
  return estimated(rho, n, interval === null ? { caution: "no interval at n ≤ 3 or |ρ| = 1" } : { interval });
}

/** The interval that `spearman` would give a ρ over n items: for planning. */
export function spearmanInterval(rho: number, n: number, level = 0.95): Interval | null {
  if (n <= 3 || Math.abs(rho) >= 1) return null;
  const half = zFor(level) * Math.sqrt((1 + rho ** 2 / 2) / (n - 3));
  return [Math.tanh(Math.atanh(rho) - half), Math.tanh(Math.atanh(rho) + half)];
}

function tiedPairs<T>(sorted: readonly T[], tied: (a: T, b: T) => boolean): number {
  let [pairs, run] = [0, 0];
  for (let i = 1; i < sorted.length; i++) {
    run = tied(sorted[i - 1]!, sorted[i]!) ? run + 1 : 0;
    pairs += run;
  }
  return pairs;
}

/** Sorts in place, bottom up; returns how many pairs stood in descending order. */
function sortCountingInversions(values: number[]): number {
  let inversions = 0;
  const n = values.length;
  for (let width = 1; width < n; width *= 2) {
    const source = [...values];
    for (let start = 0; start < n; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, n), Math.min(start + 2 * width, n)];
      let [left, right] = [start, middle];
      for (let at = start; at < end; at++) {
        if (left < middle && (right >= end || source[left]! <= source[right]!)) values[at] = source[left++]!;
        else {
          inversions += middle - left;
          values[at] = source[right++]!;
        }
      }
    }
  }
  return inversions;
}
