/** Has a distribution moved? Population stability index and the two-sample Kolmogorov–Smirnov test. */
import { requireFinite } from "./check.js";
import { type Estimate, estimated, notEstimable } from "./estimate.js";
import { quantileOfSorted } from "./summary.js";

/** A bin that one side lacks counts as this share, which makes a new or vanished bin loud and finite. */
const SMALLEST_SHARE = 1e-4;

/**
 * Σ(a−e)·ln(a/e) over bins, from the counts of a reference and of now. 0.10 warns, 0.25 alarms by custom.
 * Two samples of one distribution already give about (bins−1)(1/N+1/M): past 0.1 of that the estimate carries a caution.
 */
export function psi(reference: readonly number[], current: readonly number[]): Estimate {
  if (reference.length !== current.length)
    throw new RangeError(`both sides need the same bins, got ${reference.length} and ${current.length}`);
  const [expected, actual] = [sharesOf(reference, "reference"), sharesOf(current, "current")];
  const n = actual.total;
  if (expected.total === 0 || n === 0) return notEstimable(`${n === 0 ? "current" : "reference"} is empty`, n);
  const value = expected.shares.reduce((sum, e, bin) => {
    const a = actual.shares[bin]!;
    return e === a ? sum : sum + (Math.max(a, SMALLEST_SHARE) - Math.max(e, SMALLEST_SHARE)) * logRatio(a, e);
  }, 0);
  const filled = reference.filter((count, bin) => count > 0 || current[bin]! > 0).length;
  const noise = (filled - 1) * (1 / expected.total + 1 / n);
  return estimated(
    value,
    n,
    noise > 0.1 ? { caution: `without any drift samples of this size give about ${noise.toFixed(2)}` } : {},
  );
}

/**
 * PSI of two samples over bins at the reference's quantiles (default 10). A value that fills a whole bin gets a bin of its own,
 * so rewards that are nearly all 1 still show what falls beside it.
 */
export function psiOfSamples(reference: readonly number[], current: readonly number[], bins = 10): Estimate {
  if (!Number.isInteger(bins) || bins < 2) throw new RangeError(`bins must be an integer of 2 or more, got ${bins}`);
  requireFinite(reference, "reference");
  requireFinite(current, "current");
  if (reference.length === 0) return notEstimable("reference is empty", current.length);
  const edges = edgesOf(Float64Array.from(reference).sort(), bins);
  const count = (values: readonly number[]) => {
    const counts = new Array<number>(edges.length + 1).fill(0);
    for (const value of values) {
      const bin = edges.findIndex(({ at, closed }) => value < at || (closed && value === at));
      counts[bin === -1 ? edges.length : bin]!++;
    }
    return counts;
  };
  return psi(count(reference), count(current));
}

/** Upper ends of all bins but the last; a value that two neighbouring quantiles share gets an open and a closed end around it. */
function edgesOf(sorted: Float64Array, bins: number): { at: number; closed: boolean }[] {
  const points = Array.from({ length: bins + 1 }, (_, i) => quantileOfSorted(sorted, i / bins));
  const masses = new Set(points.filter((point, i) => i > 0 && point === points[i - 1]));
  const ends = [...new Set([...points.slice(1, -1), ...masses])].sort((a, b) => a - b);
  return ends.flatMap((at) =>
    masses.has(at)
      ? [
          { at, closed: false },
          { at, closed: true },
        ]
      : [{ at, closed: true }],
  );
}

export type KolmogorovSmirnov = Estimate & { readonly pValue: number | null };

/**
 * Greatest distance of two samples' distribution functions, with Stephens' asymptotic p-value (rough under about 10 a side, conservative with ties).
 * `n` counts both samples.
 */
export function ks(first: readonly number[], second: readonly number[]): KolmogorovSmirnov {
  requireFinite(first, "first");
  requireFinite(second, "second");
  const n = first.length + second.length;
  if (first.length === 0 || second.length === 0) return { ...notEstimable("a sample is empty", n), pValue: null };
  const [a, b] = [Float64Array.from(first).sort(), Float64Array.from(second).sort()];
  let [i, j, distance] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const at = Math.min(a[i]!, b[j]!);
    while (i < a.length && a[i]! === at) i++;
    while (j < b.length && b[j]! === at) j++;
    distance = Math.max(distance, Math.abs(i / a.length - j / b.length));
  }
  const root = Math.sqrt((a.length * b.length) / n);
  return { ...estimated(distance, n), pValue: kolmogorovTail((root + 0.12 + 0.11 / root) * distance) };
}

/** 2Σ(−1)^(k−1)·exp(−2k²λ²); below λ = 0.2 it is 1 to ten digits and the series converges too slowly to sum. */
function kolmogorovTail(lambda: number): number {
  if (lambda < 0.2) return 1;
  let sum = 0;
  for (let k = 1; k <= 30; k++) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * lambda * lambda);
  return Math.min(1, Math.max(0, sum));
}

const logRatio = (a: number, e: number): number => Math.log(Math.max(a, SMALLEST_SHARE) / Math.max(e, SMALLEST_SHARE));

function sharesOf(counts: readonly number[], name: string): { total: number; shares: number[] } {
  const bad = counts.findIndex((count) => !(count >= 0 && Number.isFinite(count)));
  if (bad >= 0) throw new RangeError(`${name}[${bad}] must be a count of 0 or more, got ${counts[bad]}`);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return { total, shares: counts.map((count) => count / total) };
}
