/** Do stated probabilities hold? Calibration error, Brier score, and isotonic recalibration. Never calibrate and test on the same labels. */
import { requireFinite, requireProbabilities } from "./check.js";
import { type Estimate, estimated, notEstimable } from "./estimate.js";

/** A stated probability and what happened. */
export interface Forecast {
  readonly probability: number;
  readonly outcome: boolean;
}

export interface CalibrationBin {
  readonly n: number;
  readonly meanProbability: number;
  readonly outcomeShare: number;
}

export type CalibrationError = Estimate & { readonly bins: readonly CalibrationBin[] };

/**
 * Expected calibration error Σ(n_b/N)|share − mean probability| and the bins that are not empty, in ascending order.
 * "equalWidth" bins are right-closed; "equalMass" bins hold about N/bins forecasts, equal probabilities never split.
 * Biased upward when bins hold few forecasts.
 */
export function ece(
  forecasts: readonly Forecast[],
  { bins, binning }: { readonly bins: number; readonly binning: "equalWidth" | "equalMass" },
): CalibrationError {
  if (!Number.isInteger(bins) || bins < 1) throw new RangeError(`bins must be a positive integer, got ${bins}`);
  requireForecasts(forecasts);
  const n = forecasts.length;
  if (n === 0) return { ...notEstimable("no forecasts", 0), bins: [] };
  const sorted = [...forecasts].sort((a, b) => a.probability - b.probability);
  const groups: Forecast[][] = Array.from({ length: bins }, () => []);
  let runStart = 0;
  sorted.forEach((forecast, rank) => {
    if (forecast.probability !== sorted[runStart]!.probability) runStart = rank;
    const bin = binning === "equalMass" ? Math.floor((runStart * bins) / n) : widthBin(forecast.probability, bins);
    groups[bin]!.push(forecast);
  });
  const filled = groups.filter((group) => group.length > 0).map(describe);
  const error = filled.reduce((sum, bin) => sum + (bin.n / n) * Math.abs(bin.outcomeShare - bin.meanProbability), 0);
  return { ...estimated(error, n), bins: filled };
}

/** Mean squared distance of probability and outcome: 0 is perfect, always saying 0.5 scores 0.25. */
export function brier(forecasts: readonly Forecast[]): Estimate {
  requireForecasts(forecasts);
  const n = forecasts.length;
  if (n === 0) return notEstimable("no forecasts", 0);
  const total = forecasts.reduce((sum, { probability, outcome }) => sum + (probability - Number(outcome)) ** 2, 0);
  return estimated(total / n, n);
}

/** Pool adjacent violators: the non-decreasing sequence closest to `values` in weighted least squares. Weights default to 1. */
export function pava(values: readonly number[], weights: readonly number[] = values.map(() => 1)): number[] {
  requireFinite(values, "values");
  if (weights.length !== values.length)
    throw new RangeError(`weights must number ${values.length}, got ${weights.length}`);
  const bad = weights.findIndex((weight) => !(weight > 0 && Number.isFinite(weight)));
  if (bad >= 0) throw new RangeError(`weights[${bad}] must be above 0, got ${weights[bad]}`);
  const blocks: { mean: number; weight: number; length: number }[] = [];
  values.forEach((value, i) => {
    let block = { mean: value, weight: weights[i]!, length: 1 };
    for (let last = blocks.at(-1); last !== undefined && last.mean >= block.mean; last = blocks.at(-1)) {
      blocks.pop();
      const weight = last.weight + block.weight;
      const mean = (last.mean * last.weight + block.mean * block.weight) / weight;
      block = { mean, weight, length: last.length + block.length };
    }
    blocks.push(block);
  });
  return blocks.flatMap(({ mean, length }) => new Array<number>(length).fill(mean));
}

/** A fitted score-to-probability map as plain data: ascending scores, non-decreasing probabilities. */
export interface IsotonicMap {
  readonly scores: readonly number[];
  readonly probabilities: readonly number[];
}

/** Isotonic regression of outcome on score; equal scores are pooled first. Wants about 200 labels or more. Throws RangeError on none. */
export function fitIsotonic(items: readonly { readonly score: number; readonly outcome: boolean }[]): IsotonicMap {
  if (items.length === 0) throw new RangeError("fitIsotonic needs at least one item");
  requireFinite(
    items.map((item) => item.score),
    "items.score",
  );
  const pools = new Map<number, { n: number; positive: number }>();
  for (const { score, outcome } of items) {
    const pool = pools.get(score) ?? { n: 0, positive: 0 };
    pools.set(score, { n: pool.n + 1, positive: pool.positive + Number(outcome) });
  }
  const sorted = [...pools].sort(([a], [b]) => a - b);
  const fitted = pava(
    sorted.map(([, { n, positive }]) => positive / n),
    sorted.map(([, { n }]) => n),
  );
  // The ends of each level piece carry the whole map.
  const ends = fitted.map((_, i) => i).filter((i) => fitted[i] !== fitted[i - 1] || fitted[i] !== fitted[i + 1]);
  return { scores: ends.map((i) => sorted[i]![0]), probabilities: ends.map((i) => fitted[i]!) };
}

/** The probability of a score: linear between fitted scores, constant beyond them. */
export function applyIsotonic({ scores, probabilities }: IsotonicMap, score: number): number {
  requireFinite([score], "score");
  const above = scores.findIndex((fitted) => fitted >= score);
  if (above === -1) return probabilities.at(-1)!;
  if (above === 0 || scores[above] === score) return probabilities[above]!;
  const [left, right] = [scores[above - 1]!, scores[above]!];
  const share = (score - left) / (right - left);
  return probabilities[above - 1]! + share * (probabilities[above]! - probabilities[above - 1]!);
}

function requireForecasts(forecasts: readonly Forecast[]): void {
  requireProbabilities(
    forecasts.map((forecast) => forecast.probability),
    "forecasts.probability",
  );
}

function widthBin(probability: number, bins: number): number {
  let bin = Math.max(0, Math.ceil(probability * bins) - 1);
  // The product rounds; the edges decide, and 0 belongs to the first bin.
  while (bin > 0 && probability <= bin / bins) bin--;
  while (bin < bins - 1 && probability > (bin + 1) / bins) bin++;
  return bin;
}

function describe(group: readonly Forecast[]): CalibrationBin {
  const n = group.length;
  return {
    n,
    meanProbability: group.reduce((sum, { probability }) => sum + probability, 0) / n,
    outcomeShare: group.filter(({ outcome }) => outcome).length / n,
  };
}
