/** Ranks with ties shared: the base of AUC and Spearman. */

/** Rank of each value, 1 for the lowest; equal values share the mean of their ranks. */
export function midranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((i, j) => values[i]! - values[j]!);
  const ranks = new Array<number>(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (let at = start; at < end; at++) ranks[order[at]!] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}
