/** Pure statistics: agreement, intervals, calibration, pass@k and pass^k, ranking, drift. Imports nothing else of the project. */
export {
  type Agreement,
  type AgreementTable,
  cohenKappa,
  fleissKappa,
  gwetAc1,
  tabulate,
} from "./agreement.js";
export { type BootstrapOptions, bootstrap } from "./bootstrap.js";
export {
  applyIsotonic,
  brier,
  type CalibrationBin,
  type CalibrationError,
  ece,
  type Forecast,
  fitIsotonic,
  type IsotonicMap,
  pava,
} from "./calibration.js";
export {
  type Confusion,
  type ConfusionMetrics,
  confusionMetrics,
  confusionOf,
  type Judged,
  mcc,
  precisionAt,
  youdenJ,
} from "./confusion.js";
export { type DawidSkene, dawidSkene, type RaterLabel } from "./dawid-skene.js";
export type { RandomSource } from "./draw.js";
export { type KolmogorovSmirnov, ks, psi, psiOfSamples } from "./drift.js";
export type { Estimate, Interval } from "./estimate.js";
export { type IntraclassCorrelations, icc } from "./icc.js";
export { clopperPearson, clusteredMean, meanEstimate, wilson } from "./intervals.js";
export { krippendorffAlpha, type MeasurementScale } from "./krippendorff.js";
export { benjaminiHochberg, benjaminiYekutieli, holm } from "./multiple.js";
export { comparePaired, exactMcNemar, type McNemar, type PairedComparison, type PairedResult } from "./paired.js";
export {
  type MeanOverTasks,
  meanPassAtK,
  meanPassHatK,
  passAtK,
  passHatK,
  type TaskAttempts,
} from "./pass-at-k.js";
export { kendallTauB, type ScorePair, spearman, spearmanInterval } from "./rank-correlation.js";
export { hanleyMcNeilSe, rocAuc } from "./roc-auc.js";
export { type Histogram, type HistogramBin, histogram, quantileOfSorted, quantiles, Summary } from "./summary.js";
