/** Draft: a mutant before it is executed, and the words an operator uses to make one. */
import type { AnyEnvironment, Scenario } from "../../core/environment.js";
import type { Random } from "../../core/random.js";
import type { Argument, Step, Trajectory } from "../trajectory.js";
import type { Seed } from "./seed.js";

export interface Draft {
  /** What was done to the seed, for a person. */
  readonly what: string;
  readonly trajectory: Trajectory;
  /** Steps that a reordering is about; other changes are found by comparing the trajectories. */
  readonly moved?: readonly number[];
  /** Where it is executed, when that differs from the seed. */
  readonly scenario?: Scenario;
  readonly environment?: AnyEnvironment;
  readonly callsPerTurn?: number;
}

export interface Operator {
  /** "H1" … "H25" damage, "B1" … "B14" leave it as good as it was. */
  readonly id: string;
  readonly name: string;
  readonly harmful: boolean;
  /** Damage that spoils the result or exposes somebody; the rest spoils procedure or wording. */
  readonly critical: boolean;
  /** Adds something that nothing called for: gates are then what should fall. */
  readonly additive: boolean;
  readonly what: string;
  /** Null when it applies to this seed, else the reason that it does not. */
  missing(seed: Seed): string | null;
  /** Mutants at several sites, in an order drawn from `random`. */
  make(seed: Seed, random: Random): readonly Draft[];
}

const row = (harmful: boolean) =>
  (
    id: string,
    name: string,
    what: string,
    operator: Pick<Operator, "make" | "missing"> & { critical?: boolean; additive?: boolean },
  ): Operator => ({
    id,
    name,
    what,
    harmful,
    critical: harmful && (operator.critical ?? true),
    additive: operator.additive ?? false,
    missing: operator.missing,
    make: (seed, random) => random.shuffle(operator.make(seed, random)),
  });

export const damage = row(true);
export const equivalent = row(false);

export const withSteps = (seed: Seed, steps: readonly Step[]): Trajectory => ({ ...seed.trajectory, steps });

/** The seed with some arguments of one step replaced. */
export function withArguments(seed: Seed, step: Step, args: Readonly<Record<string, unknown>>): Trajectory {
  const replaced: Record<string, Argument> = { ...step.arguments };
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) delete replaced[name];
    else replaced[name] = { value };
  }
  return withSteps(
    seed,
    seed.steps.map((other) => (other.id === step.id ? { ...step, arguments: replaced } : other)),
  );
}

/** The seed with steps put in before the step at `place`. */
export const insertedAt = (seed: Seed, place: number, added: readonly Step[]): Trajectory =>
  withSteps(seed, [...seed.steps.slice(0, place), ...added, ...seed.steps.slice(place)]);

export const show = (value: unknown) => (typeof value === "string" ? `"${value}"` : JSON.stringify(value));
