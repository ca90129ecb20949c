/** Adjusting p-values for looking at many. Each function returns adjusted p-values in the order given: reject those at or under α. */
import { requireProbabilities } from "./check.js";

/** Holm: controls the chance of any false rejection, whatever the dependence. */
export function holm(pValues: readonly number[]): number[] {
  let highest = 0;
  return adjust(pValues, ascending(pValues), (p, rank, m) => {
    highest = Math.max(highest, p * (m - rank));
    return highest;
  });
}

/** Benjamini–Hochberg: controls the expected share of false rejections, for independent or positively dependent tests. */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  return stepUp(pValues, 1);
}

/** Benjamini–Yekutieli: as Benjamini–Hochberg under any dependence, at the price of a factor Σ1/i. */
export function benjaminiYekutieli(pValues: readonly number[]): number[] {
  return stepUp(
    pValues,
    pValues.reduce((sum, _, i) => sum + 1 / (i + 1), 0),
  );
}

function stepUp(pValues: readonly number[], factor: number): number[] {
  let lowest = 1;
  return adjust(pValues, ascending(pValues).reverse(), (p, rank, m) => {
    lowest = Math.min(lowest, (p * m * factor) / (m - rank));
    return lowest;
  });
}

function ascending(pValues: readonly number[]): number[] {
  requireProbabilities(pValues, "pValues");
  return pValues.map((_, i) => i).sort((i, j) => pValues[i]! - pValues[j]!);
}

function adjust(
  pValues: readonly number[],
  order: readonly number[],
  next: (p: number, rank: number, m: number) => number,
): number[] {
  const adjusted = new Array<number>(pValues.length).fill(1);
  order.forEach((at, rank) => {
    adjusted[at] = Math.min(1, next(pValues[at]!, rank, pValues.length));
  });
  return adjusted;
}
