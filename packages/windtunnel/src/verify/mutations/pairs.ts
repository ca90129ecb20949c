/**
 * Pairs of damage on one seed. A pair that passes although each half alone is caught hides one fault behind another; only such pairs say
 * anything that the single mutants did not.
 */
import type { AnyEnvironment } from "../../core/environment.js";
import { Random } from "../../core/random.js";
import { DAMAGE } from "./catalogue.js";
import type { Draft, Operator } from "./draft.js";
import { executeDraft } from "./execute-draft.js";
import { observeTrajectory, withFaults } from "./observed-run.js";
import { type MutationSubject, recordSeeds } from "./run-mutants.js";
import type { Seed } from "./seed.js";

/** Pairs that are known to mask each other elsewhere come first; the rest is drawn. */
const LIKELY: readonly (readonly [string, string])[] = [
  ["H10", "H14"],
  ["H8", "H11"],
  ["H1", "H13"],
  ["H5", "H23"],
];

export interface PairRecord {
  readonly operators: readonly [string, string];
  readonly task: string;
  readonly what: readonly [string, string];
  readonly passed: boolean;
  /** Each half alone does not pass, and the pair does. */
  readonly masked: boolean;
  readonly reward: number;
}

export interface PairReport {
  readonly executed: number;
  readonly rejected: number;
  /** Pairs that were refused by the tools, or did not apply. */
  readonly stillborn: number;
  readonly masked: readonly PairRecord[];
}

const plain = (draft: Draft | undefined) =>
  draft !== undefined && draft.scenario === undefined && draft.environment === undefined && draft.failing === undefined;

/** Executes up to `count` pairs. Deterministic under `seed`. */
export async function runPairs(
  given: AnyEnvironment,
  subjects: readonly MutationSubject[],
  { seed = 0, count = 60 }: { seed?: number; count?: number } = {},
): Promise<PairReport> {
  const random = new Random(`pairs/${seed}`);
  const environment = withFaults(given, 0);
  const { seeds } = await recordSeeds(environment, subjects);
  const operators = new Map(DAMAGE.map((operator) => [operator.id, operator]));
  const done: PairRecord[] = [];
  let stillborn = 0;
  for (let i = 0; seeds.length > 0 && i < count * 4 && done.length < count; i++) {
    const ids = i % 2 === 0 ? LIKELY[(i / 2) % LIKELY.length]! : random.sample(DAMAGE, 2).map(({ id }) => id);
    const pair = await runPair(random.pick(seeds), operators.get(ids[0]!)!, operators.get(ids[1]!)!, random);
    if (pair === null) stillborn++;
    else done.push(pair);
  }
  return {
    executed: done.length,
    rejected: done.filter(({ passed }) => !passed).length,
    stillborn,
    masked: done.filter(({ masked }) => masked),
  };
}

async function runPair(seed: Seed, first: Operator, second: Operator, random: Random): Promise<PairRecord | null> {
  if (first.missing(seed) !== null || second.missing(seed) !== null) return null;
  const one = first.make(seed, random)[0];
  if (one === undefined || !plain(one)) return null;
  const damaged = seed.with(one.trajectory);
  if (second.missing(damaged) !== null) return null;
  const two = second.make(damaged, random)[0];
  if (two === undefined || !plain(two)) return null;
  const both = await observeTrajectory(seed.environment, seed.scenario, two.trajectory);
  if (!both.alive || !both.scored) return null;
  const halves = both.passed
    ? [await executeDraft(first, seed, one), await executeDraft(second, seed, second.make(seed, random)[0] ?? one)]
    : [];
  return {
    operators: [first.id, second.id],
    task: seed.scenario.task.id,
    what: [one.what, two.what],
    passed: both.passed,
    masked: both.passed && halves.length > 0 && halves.every((half) => typeof half !== "string" && !half.run.passed),
    reward: both.reward,
  };
}
