/** A yes/no verifier against the truth: counts, rates with exact intervals, and the single numbers that sum them up. */
import { type Agreement, cohenKappa, gwetAc1 } from "./agreement.js";
import { requireCount } from "./check.js";
import { type Estimate, estimated, notEstimable } from "./estimate.js";
import { clopperPearson, wilson } from "./intervals.js";

/** Counts of items; positive = accepted. `fp` are the false accepts. */
export interface Confusion {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  readonly tn: number;
}

export interface Judged {
  /** What the verifier said. */
  readonly predicted: boolean;
  /** What is true. */
  readonly actual: boolean;
}

export function confusionOf(items: readonly Judged[]): Confusion {
  const count = (predicted: boolean, actual: boolean) =>
    items.filter((item) => item.predicted === predicted && item.actual === actual).length;
  return { tp: count(true, true), fp: count(true, false), fn: count(false, true), tn: count(false, false) };
}

/** All that one confusion table says. Rates carry Clopper–Pearson intervals; J carries Newcombe's. */
export interface ConfusionMetrics {
  readonly accuracy: Estimate;
  readonly truePositiveRate: Estimate;
  readonly trueNegativeRate: Estimate;
  readonly falsePositiveRate: Estimate;
  readonly falseNegativeRate: Estimate;
  /** At the base rate of this sample; for another see precisionAt. */
  readonly precision: Estimate;
  readonly balancedAccuracy: Estimate;
  readonly youdenJ: Estimate;
  readonly mcc: Estimate;
  readonly macroF1: Estimate;
  readonly kappa: Agreement;
  readonly ac1: Agreement;
}

/** Metrics of a confusion table. A rate whose denominator is empty is null with the reason, and so is all that rests on it. */
export function confusionMetrics(confusion: Confusion, level = 0.95): ConfusionMetrics {
  const { tp, fp, fn, tn } = confusion;
  for (const [name, count] of Object.entries({ tp, fp, fn, tn })) requireCount(count, name);
  const n = tp + fp + fn + tn;
  const rate = (count: number, of: number, what: string) =>
    of === 0 ? notEstimable(`no ${what}`, 0) : clopperPearson(count, of, { level });
  const table = [
    [tp, fp],
    [fn, tn],
  ];
  const j = youdenJ(confusion, level);
  return {
    accuracy: rate(tp + tn, n, "items"),
    truePositiveRate: rate(tp, tp + fn, "items that are truly positive"),
    trueNegativeRate: rate(tn, tn + fp, "items that are truly negative"),
    falsePositiveRate: rate(fp, tn + fp, "items that are truly negative"),
    falseNegativeRate: rate(fn, tp + fn, "items that are truly positive"),
    precision: rate(tp, tp + fp, "items that the verifier accepted"),
    balancedAccuracy: balanced(j),
    youdenJ: j,
    mcc: mcc(confusion),
    macroF1: macroF1(confusion),
    kappa: cohenKappa(table),
    ac1: gwetAc1(table),
  };
}

/** Youden's J = TPR − FPR, with Newcombe's hybrid of the two Wilson intervals: not of zero width at J = 1. */
export function youdenJ({ tp, fp, fn, tn }: Confusion, level = 0.95): Estimate {
  const n = tp + fp + fn + tn;
  const [hit, alarm] = [wilson(tp, tp + fn, level), wilson(fp, fp + tn, level)];
  if (hit.value === null) return notEstimable("no items that are truly positive", n);
  if (alarm.value === null) return notEstimable("no items that are truly negative", n);
  const [[hitLow, hitHigh], [alarmLow, alarmHigh]] = [hit.interval!, alarm.interval!];
  const j = hit.value - alarm.value;
  return estimated(j, n, {
    interval: [
      j - Math.hypot(hit.value - hitLow, alarmHigh - alarm.value),
      j + Math.hypot(hitHigh - hit.value, alarm.value - alarmLow),
    ],
  });
}

/** Matthews correlation. Null when a row or column of the table is empty. */
export function mcc({ tp, fp, fn, tn }: Confusion): Estimate {
  const n = tp + fp + fn + tn;
  const empty = Object.entries({
    "the verifier accepted nothing": tp + fp,
    "the verifier rejected nothing": fn + tn,
    "no item is truly positive": tp + fn,
    "no item is truly negative": fp + tn,
  }).find(([, margin]) => margin === 0);
  if (empty !== undefined) return notEstimable(empty[0], n);
  const scale = Math.sqrt(tp + fp) * Math.sqrt(fn + tn) * Math.sqrt(tp + fn) * Math.sqrt(fp + tn);
  return estimated(Math.max(-1, Math.min(1, (tp * tn - fp * fn) / scale)), n);
}

/** Precision where a share `baseRate` of items is truly positive, from rates measured on another mix. */
export function precisionAt({ tp, fp, fn, tn }: Confusion, baseRate: number): Estimate {
  if (!(baseRate >= 0 && baseRate <= 1)) throw new RangeError(`baseRate must lie in 0..1, got ${baseRate}`);
  const n = tp + fp + fn + tn;
  if (tp + fn === 0 || fp + tn === 0) return notEstimable("precision at a base rate needs both true kinds", n);
  const accepted = (baseRate * tp) / (tp + fn);
  const wrongly = ((1 - baseRate) * fp) / (fp + tn);
  if (accepted + wrongly === 0) return notEstimable("the verifier accepts nothing at this base rate", n);
  return estimated(accepted / (accepted + wrongly), n);
}

function macroF1({ tp, fp, fn, tn }: Confusion): Estimate {
  const n = tp + fp + fn + tn;
  if (tp + fp + fn === 0 || tn + fp + fn === 0) return notEstimable("every label, given and true, is the same", n);
  return estimated(tp / (2 * tp + fp + fn) + tn / (2 * tn + fp + fn), n);
}

function balanced(j: Estimate): Estimate {
  if (j.value === null) return j;
  return estimated((j.value + 1) / 2, j.n, { interval: [(j.interval![0] + 1) / 2, (j.interval![1] + 1) / 2] });
}
