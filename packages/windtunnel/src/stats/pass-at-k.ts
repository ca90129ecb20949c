/** pass@k (any of k attempts passes) and pass^k (all k pass), unbiased over n ≥ k attempts. Plugging a pass rate into p^k is biased upward. */
import { requireCount } from "./check.js";
import { clip, type Estimate, notEstimable } from "./estimate.js";
import { meanEstimate } from "./intervals.js";

function requireAttempts(n: number, c: number, k: number): void {
  requireCount(n, "n");
  requireCount(c, "c", n);
  requireCount(k, "k", n);
  if (k === 0) throw new RangeError("k must be at least 1, got 0");
}

/** 1 − C(n−c, k) / C(n, k): chance that k of the n attempts, drawn at random, hold one of the c passes. RangeError when n < k. */
export function passAtK(n: number, c: number, k: number): number {
  requireAttempts(n, c, k);
  let none = 1;
  for (let i = 0; i < k; i++) none *= Math.max(0, n - c - i) / (n - i);
  return 1 - none;
}

/** C(c, k) / C(n, k): chance that k of the n attempts, drawn at random, are all among the c passes. RangeError when n < k. */
export function passHatK(n: number, c: number, k: number): number {
  requireAttempts(n, c, k);
  let all = 1;
  for (let i = 0; i < k; i++) all *= Math.max(0, c - i) / (n - i);
  return all;
}

/** One task's attempts: `n` scored, `c` passed. */
export interface TaskAttempts {
  readonly task: string;
  readonly n: number;
  readonly c: number;
}

/** A mean over tasks, and the tasks with too few attempts to count: report them, for they are seldom missing at random. */
export interface MeanOverTasks {
  readonly estimate: Estimate;
  readonly excluded: readonly string[];
}

/** Mean pass@k over tasks, each task weighing the same; interval by t over tasks. */
export const meanPassAtK = (tasks: readonly TaskAttempts[], k: number, level = 0.95): MeanOverTasks =>
  meanOverTasks(tasks, k, level, passAtK);

/** Mean pass^k over tasks, each task weighing the same; interval by t over tasks. */
export const meanPassHatK = (tasks: readonly TaskAttempts[], k: number, level = 0.95): MeanOverTasks =>
  meanOverTasks(tasks, k, level, passHatK);

function meanOverTasks(
  tasks: readonly TaskAttempts[],
  k: number,
  level: number,
  chance: (n: number, c: number, k: number) => number,
): MeanOverTasks {
  const excluded = tasks.filter(({ n }) => n < k).map(({ task }) => task);
  const values = tasks.filter(({ n }) => n >= k).map(({ n, c }) => chance(n, c, k));
  if (values.length === 0)
    return { estimate: notEstimable(`no task has ${k} attempts (${tasks.length} tasks given)`, 0), excluded };
  const mean = meanEstimate(values, level);
  const estimate =
    mean.value !== null && mean.interval !== undefined ? { ...mean, interval: clip(mean.interval, 0, 1) } : mean;
  return { estimate, excluded };
}
