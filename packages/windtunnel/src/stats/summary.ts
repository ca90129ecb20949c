/** Describing one list of numbers: a constant-memory stream summary, exact quantiles, a histogram. */
import { requireFinite, requireProbabilities } from "./check.js";

/** Count, mean, spread and range of a stream, in constant memory (Welford). Summaries of parts merge into the summary of the whole. */
export class Summary {
  #n = 0;
  #mean = 0;
  #squares = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  static of(values: Iterable<number>): Summary {
    const summary = new Summary();
    for (const value of values) summary.add(value);
    return summary;
  }

  /** Throws RangeError on a value that is not finite: one NaN would silently spoil all that follow. */
  add(value: number): void {
    if (!Number.isFinite(value))
      throw new RangeError(`a summary takes finite numbers, got ${value} as value ${this.#n}`);
    this.#n++;
    const step = value - this.#mean;
    this.#mean += step / this.#n;
    this.#squares += step * (value - this.#mean);
    this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
  }

  /** Takes in another summary, as if its values had been added here. */
  merge(other: Summary): void {
    if (other.#n === 0) return;
    const n = this.#n + other.#n;
    const step = other.#mean - this.#mean;
    this.#squares += other.#squares + (step * step * this.#n * other.#n) / n;
    this.#mean += (step * other.#n) / n;
    this.#n = n;
    this.#min = Math.min(this.#min, other.#min);
    this.#max = Math.max(this.#max, other.#max);
  }

  get n(): number {
    return this.#n;
  }
  get mean(): number | null {
    return this.#n === 0 ? null : this.#mean;
  }
  /** Sample variance (n − 1); null under two values. */
  get variance(): number | null {
    return this.#n < 2 ? null : this.#squares / (this.#n - 1);
  }
  get deviation(): number | null {
    return this.#n < 2 ? null : Math.sqrt(this.#squares / (this.#n - 1));
  }
  get min(): number | null {
    return this.#n === 0 ? null : this.#min;
  }
  get max(): number | null {
    return this.#n === 0 ? null : this.#max;
  }
}

/** Quantile of ascending values, linear between order statistics (R type 7). Throws RangeError when there are none. */
export function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) throw new RangeError("a quantile needs at least one value");
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)]!;
  return below + (at - Math.floor(at)) * (sorted[Math.ceil(at)]! - below);
}

/** Quantiles at `shares` (0.1 for p10); null for each when there are no values. */
export function quantiles(values: readonly number[] | Float64Array, shares: readonly number[]): (number | null)[] {
  requireProbabilities(shares, "shares");
  const sorted = Float64Array.from(values);
  requireFinite([...sorted], "values");
  sorted.sort();
  return shares.map((share) => (sorted.length === 0 ? null : quantileOfSorted(sorted, share)));
}

export interface HistogramBin {
  /** Included. */
  readonly from: number;
  /** Excluded, except in the last bin. */
  readonly to: number;
  readonly count: number;
}

export interface Histogram {
  readonly bins: readonly HistogramBin[];
  readonly below: number;
  readonly above: number;
}

/** Counts in equal-width bins over `range` (default: the values' own range); values outside are counted, not dropped. */
export function histogram(
  values: readonly number[] | Float64Array,
  { bins, range }: { readonly bins: number; readonly range?: readonly [from: number, to: number] },
): Histogram {
  if (!Number.isInteger(bins) || bins < 1) throw new RangeError(`bins must be a positive integer, got ${bins}`);
  const summary = Summary.of(values);
  const [from, to] = range ?? [summary.min ?? 0, summary.max ?? 1];
  if (!(from <= to)) throw new RangeError(`range must ascend, got ${from}..${to}`);
  const edges = Array.from({ length: bins + 1 }, (_, i) => (i === bins ? to : from + ((to - from) * i) / bins));
  const counts = new Array<number>(bins).fill(0);
  let [below, above] = [0, 0];
  for (const value of values) {
    if (value < from) below++;
    else if (value > to) above++;
    else {
      let bin = to > from ? Math.min(bins - 1, Math.floor(((value - from) / (to - from)) * bins)) : 0;
      // Division rounds; the edges decide.
      while (bin > 0 && value < edges[bin]!) bin--;
      while (to > from && bin < bins - 1 && value >= edges[bin + 1]!) bin++;
      counts[bin]!++;
    }
  }
  return { bins: counts.map((count, i) => ({ from: edges[i]!, to: edges[i + 1]!, count })), below, above };
}
