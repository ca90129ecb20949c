/** Two runs over the same keys (tasks, seeds): what changed, item by item. Keys in one run only are named, never averaged in. */
import { bootstrap } from "./bootstrap.js";
import { requireCount, requireFinite } from "./check.js";
import type { RandomSource } from "./draw.js";
import { type Estimate, notEstimable } from "./estimate.js";

/** One result of a run. `passed` brings McNemar's test; `cluster` (a task, a template) groups results that go together. */
export interface PairedResult {
  readonly key: string;
  readonly value: number;
  readonly passed?: boolean;
  readonly cluster?: string;
}

/** Exact McNemar test on the pairs that changed sides. */
export interface McNemar {
  readonly bothPassed: number;
  readonly onlyFirstPassed: number;
  readonly onlySecondPassed: number;
  readonly neitherPassed: number;
  /** Two-sided; takes pairs as independent. */
  readonly pValue: number;
  readonly caution?: string;
}

export interface PairedComparison {
  /** Mean of second − first, with a cluster bootstrap interval. */
  readonly difference: Estimate;
  /** The side of 0 that the whole interval lies on; "undetermined" when it holds 0 or there is none. */
  readonly direction: "increase" | "decrease" | "undetermined";
  /** Null when some joined result does not say whether it passed. */
  readonly mcnemar: McNemar | null;
  readonly onlyInFirst: readonly string[];
  readonly onlyInSecond: readonly string[];
}

interface Pair {
  readonly first: PairedResult;
  readonly second: PairedResult;
  readonly cluster: string;
}

/**
 * Compares two runs joined by key. Clusters default to the key; a result's cluster must be the same in both runs.
 * Throws RangeError on a key twice in one run, a value that is not finite, or clusters that differ.
 */
export function comparePaired(
  first: readonly PairedResult[],
  second: readonly PairedResult[],
  options: { readonly random: RandomSource; readonly resamples?: number; readonly level?: number },
): PairedComparison {
  const [left, right] = [byKey(first, "first"), byKey(second, "second")];
  const pairs: Pair[] = [];
  for (const [key, result] of left) {
    const other = right.get(key);
    if (other === undefined) continue;
    if (result.cluster !== other.cluster)
      throw new RangeError(
        `key ${JSON.stringify(key)} has cluster ${result.cluster} in first and ${other.cluster} in second`,
      );
    pairs.push({ first: result, second: other, cluster: result.cluster ?? key });
  }
  const difference = meanDifference(pairs, options);
  const [lower, upper] = (difference.value === null ? undefined : difference.interval) ?? [0, 0];
  return {
    difference,
    direction: lower > 0 ? "increase" : upper < 0 ? "decrease" : "undetermined",
    mcnemar: mcnemarOf(pairs),
    onlyInFirst: [...left.keys()].filter((key) => !right.has(key)),
    onlyInSecond: [...right.keys()].filter((key) => !left.has(key)),
  };
}

/** Two-sided exact McNemar p-value from the two discordant counts: twice the smaller binomial tail at ½, at most 1. */
export function exactMcNemar(onlyFirst: number, onlySecond: number): number {
  requireCount(onlyFirst, "onlyFirst");
  requireCount(onlySecond, "onlySecond");
  const n = onlyFirst + onlySecond;
  const smaller = Math.min(onlyFirst, onlySecond);
  let log = -n * Math.LN2;
  for (let i = 0; i < smaller; i++) log += Math.log((n - i) / (i + 1));
  let [tail, term] = [0, Math.exp(log)];
  for (let i = smaller; i >= 0 && term > 0; i--) {
    tail += term;
    term *= i / (n - i + 1);
  }
  return Math.min(1, 2 * tail);
}

function byKey(results: readonly PairedResult[], name: string): Map<string, PairedResult> {
  requireFinite(
    results.map((result) => result.value),
    `${name}.value`,
  );
  const map = new Map<string, PairedResult>();
  for (const result of results) {
    if (map.has(result.key))
      throw new RangeError(`${name} has the key ${JSON.stringify(result.key)} twice; join needs it once`);
    map.set(result.key, result);
  }
  return map;
}

function meanDifference(
  pairs: readonly Pair[],
  options: { readonly random: RandomSource; readonly resamples?: number; readonly level?: number },
): Estimate {
  if (pairs.length === 0) return notEstimable("no key is in both runs", 0);
  // Each cluster is resampled whole, so its sum and count stand for it.
  const clusters = new Map<string, { sum: number; count: number }>();
  for (const { first, second, cluster } of pairs) {
    const { sum, count } = clusters.get(cluster) ?? { sum: 0, count: 0 };
    clusters.set(cluster, { sum: sum + second.value - first.value, count: count + 1 });
  }
  const mean = (sample: readonly { sum: number; count: number }[]) => {
    let [sum, count] = [0, 0];
    for (const cluster of sample) {
      sum += cluster.sum;
      count += cluster.count;
    }
    return count === 0 ? null : sum / count;
  };
  return { ...bootstrap([...clusters.values()], mean, options), n: pairs.length };
}

function mcnemarOf(pairs: readonly Pair[]): McNemar | null {
  if (
    pairs.length === 0 ||
    pairs.some(({ first, second }) => first.passed === undefined || second.passed === undefined)
  )
    return null;
  const count = (first: boolean, second: boolean) =>
    pairs.filter((pair) => pair.first.passed === first && pair.second.passed === second).length;
  const [onlyFirstPassed, onlySecondPassed] = [count(true, false), count(false, true)];
  const clustered = new Set(pairs.map((pair) => pair.cluster)).size < pairs.length;
  return {
    bothPassed: count(true, true),
    onlyFirstPassed,
    onlySecondPassed,
    neitherPassed: count(false, false),
    pValue: exactMcNemar(onlyFirstPassed, onlySecondPassed),
    ...(clustered ? { caution: "pairs share clusters: the p-value is too small, read the interval" } : {}),
  };
}
