/** Intraclass correlation of numeric scores, every rater scoring every subject (Shrout and Fleiss 1979). Intervals: `bootstrap` the subjects. */
import { requireFinite } from "./check.js";
import { type Estimate, estimated, notEstimable } from "./estimate.js";

export interface IntraclassCorrelations {
  /** Mean squares: between subjects, between raters, residual, within subjects. */
  readonly msr: number;
  readonly msc: number;
  readonly mse: number;
  readonly msw: number;
  /** ICC(1,·): each subject had other raters. ICC(2,·): raters are a sample, absolute agreement. ICC(3,·): these raters only, consistency. */
  readonly single: { readonly oneWay: Estimate; readonly random: Estimate; readonly fixed: Estimate };
  /** The same for the mean of all raters. */
  readonly average: { readonly oneWay: Estimate; readonly random: Estimate; readonly fixed: Estimate };
}

/**
 * All six coefficients of `scores[subject][rater]`. Null when nothing varies that a coefficient divides by.
 * Throws RangeError under 2 subjects or 2 raters, on a ragged table or a value that is not finite.
 */
export function icc(scores: readonly (readonly number[])[]): IntraclassCorrelations {
  const [n, k] = [scores.length, scores[0]?.length ?? 0];
  if (n < 2 || k < 2) throw new RangeError(`icc needs at least 2 subjects and 2 raters, got ${n} and ${k}`);
  scores.forEach((row, i) => {
    if (row.length !== k) throw new RangeError(`scores[${i}] must have ${k} scores like the first, got ${row.length}`);
    requireFinite(row, `scores[${i}]`);
  });
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const subjects = scores.map(mean);
  const raters = scores[0]!.map((_, j) => mean(scores.map((row) => row[j]!)));
  const grand = mean(subjects);
  const squares = (values: readonly number[]) => values.reduce((sum, value) => sum + value * value, 0);
  const msr = (k * squares(subjects.map((subject) => subject - grand))) / (n - 1);
  const msc = (n * squares(raters.map((rater) => rater - grand))) / (k - 1);
  const within = scores.map((row, i) => row.map((score) => score - subjects[i]!));
  const msw = squares(within.flat()) / (n * (k - 1));
  const residual = within.map((row) => row.map((rest, j) => rest - (raters[j]! - grand)));
  const mse = squares(residual.flat()) / ((n - 1) * (k - 1));

  // Squares of what rounding leaves where the scores do not vary.
  const rounding =
    (8 * Number.EPSILON * scores.flat().reduce((max, score) => Math.max(max, Math.abs(score)), 0)) ** 2 * n * k;
  const ratio = (above: number, below: number) =>
    below > rounding
      ? estimated(above / below, n)
      : notEstimable("the scores do not vary as this coefficient needs", n);
  return {
    msr,
    msc,
    mse,
    msw,
    single: {
      oneWay: ratio(msr - msw, msr + (k - 1) * msw),
      random: ratio(msr - mse, msr + (k - 1) * mse + (k * (msc - mse)) / n),
      fixed: ratio(msr - mse, msr + (k - 1) * mse),
    },
    average: {
      oneWay: ratio(msr - msw, msr),
      random: ratio(msr - mse, msr + (msc - mse) / n),
      fixed: ratio(msr - mse, msr),
    },
  };
}
