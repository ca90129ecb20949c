/** ROC-AUC: the chance that an accepted item scores above a rejected one, ties counting half. Items are taken as independent. */
import { requireFinite, requireLevel } from "./check.js";
import { type Estimate, estimated, type Interval, notEstimable } from "./estimate.js";
import { zFor } from "./quantiles.js";
import { midranks } from "./ranks.js";

/**
 * AUC of the scores of accepted (positive) against rejected (negative) items, in O(n log n).
 * Standard error by DeLong, interval on the logit scale. Where DeLong's variance is 0 or has too few items to be taken (perfect separation,
 * one item of a kind) the interval is Newcombe's score interval, which stays honest there. For items in clusters use `bootstrap`.
 */
export function rocAuc(positives: readonly number[], negatives: readonly number[], level = 0.95): Estimate {
  requireFinite(positives, "positives");
  requireFinite(negatives, "negatives");
  requireLevel(level);
  const [m, n] = [positives.length, negatives.length];
  if (m === 0 || n === 0) return notEstimable(`AUC needs both kinds: ${m} positive, ${n} negative`, m + n);

  const ranks = midranks([...positives, ...negatives]);
  const [positiveRanks, negativeRanks] = [midranks(positives), midranks(negatives)];
  const won = positiveRanks.map((rank, i) => (ranks[i]! - rank) / n);
  const lost = negativeRanks.map((rank, j) => 1 - (ranks[m + j]! - rank) / m);
  const auc = won.reduce((sum, share) => sum + share, 0) / m;
  const z = zFor(level);
  const variance = m > 1 && n > 1 ? spread(won, auc) / m + spread(lost, auc) / n : 0;
  if (variance <= Number.EPSILON || auc === 0 || auc === 1)
    return estimated(auc, m + n, { interval: newcombe(auc, m, n, z) });
  const se = Math.sqrt(variance);
  const half = (z * se) / (auc * (1 - auc));
  const logit = Math.log(auc / (1 - auc));
  return estimated(auc, m + n, { se, interval: [expit(logit - half), expit(logit + half)] });
}

/** Standard error of an AUC from its value and the group sizes alone (Hanley–McNeil 1982): for planning how many labels to buy. */
export function hanleyMcNeilSe(auc: number, positives: number, negatives: number): number {
  if (!(auc >= 0 && auc <= 1)) throw new RangeError(`auc must lie in 0..1, got ${auc}`);
  const q1 = auc / (2 - auc) - auc ** 2;
  const q2 = (2 * auc ** 2) / (1 + auc) - auc ** 2;
  return Math.sqrt((auc * (1 - auc) + (positives - 1) * q1 + (negatives - 1) * q2) / (positives * negatives));
}

const expit = (x: number): number => 1 / (1 + Math.exp(-x));

const spread = (values: readonly number[], mean: number): number =>
  values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);

/** Newcombe 2006, method 5: every AUC whose own standard error, with the group sizes averaged, reaches the observed one. */
function newcombe(auc: number, m: number, n: number, z: number): Interval {
  const average = (m + n) / 2 - 1;
  const distance = (theta: number) => {
    const variance =
      ((theta * (1 - theta)) / (m * n)) * (1 + average * ((1 - theta) / (2 - theta) + theta / (1 + theta)));
    return Math.abs(auc - theta) - z * Math.sqrt(variance);
  };
  const end = (inside: number, outside: number) => {
    for (let i = 0; i < 60; i++) {
      const middle = (inside + outside) / 2;
      if (distance(middle) <= 0) inside = middle;
      else outside = middle;
    }
    return inside;
  };
  return [auc === 0 ? 0 : end(auc, 0), auc === 1 ? 1 : end(auc, 1)];
}
