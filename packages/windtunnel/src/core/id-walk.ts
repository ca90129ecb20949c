/**
 * IdWalk: the numbers of the ids a table mints. A seeded walk through a prime field: numbers do not repeat, and their order says nothing
 * about the order of insertion. Past the field they are consecutive.
 */
import { hashWords } from "./hash.js";

/** Numbers run over 10000 … 99988. */
const FIELD = 89_989;

export interface IdWalk {
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

export function openIdWalk(seed: string): IdWalk {
  const [a, b] = hashWords(seed);
  return { start: (a >>> 0) % FIELD, step: 1 + ((b >>> 0) % (FIELD - 1)), count: 0 };
}

/** The number the walk stands at. */
export function numberAt({ start, step, count }: IdWalk): number {
  return count < FIELD ? 10_000 + ((start + count * step) % FIELD) : 100_000 + count;
}
