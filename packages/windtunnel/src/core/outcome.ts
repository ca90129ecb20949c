/**
 * Outcome: the business result of a rollout, read off the ledger after the final world has run on (payers answer, cash arrives, auditors
 * sample). It never reads grader facts and is never part of reward: it is the gold that reward is compared with.
 */
import type { Tables, World } from "./world.js";

export interface OutcomeReading {
  /** In the outcome's unit. */
  readonly value: number;
  /** What the value is made of; sums to it. */
  readonly parts: Readonly<Record<string, number>>;
  /** Would an expert accept this end state? */
  readonly acceptable: boolean;
}

export interface Outcome<T extends Tables = Tables> {
  /** "USD", "points": what a value is counted in. */
  readonly unit: string;
  /** Simulated time the final world runs on for, ms. */
  readonly horizonMs: number;
  /** Reads the ledger. `start` is the world the episode began with. */
  read(end: World<T>, start: World<T>): OutcomeReading;
}

/** Defines an outcome. */
export function defineOutcome<T extends Tables>(outcome: Outcome<T>): Outcome<T> {
  return outcome;
}

/** Lets a copy of `end` run on, and reads it. `end` itself is left as it is. */
export function readOutcome<T extends Tables>(outcome: Outcome<T>, end: World<T>, start: World<T>): OutcomeReading {
  const later = end.fork();
  later.advanceTo(later.now + outcome.horizonMs);
  return outcome.read(later, start);
}
