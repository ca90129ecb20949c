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
  /** Steps left as they are that the edit is about: the act that now rests on nothing. */
  readonly concerns?: readonly number[];
  /** Where it is executed, when that differs from the seed. */
  readonly scenario?: Scenario;
  readonly environment?: AnyEnvironment;
  readonly callsPerTurn?: number;
  /** A value of the seed and the one that stands in its place. */
  readonly replaced?: readonly [was: unknown, is: unknown];
  /** Only a mutant when it ends in the state that the seed ends in. */
  readonly keepsState?: boolean;
  /** Only a mutant when the end state or the outcome differs from the seed's. */
  readonly changesSomething?: boolean;
  /** Only a mutant when the second of these steps takes back what the first did. */
  readonly undoes?: readonly [number, number];
  /** A failing run that this one must not improve on; the seed is then left aside. */
  readonly failing?: Trajectory;
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

const row =
  (harmful: boolean) =>
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

/** A call in a few words. */
export const tells = ({ tool, arguments: args }: Step) =>
  `${tool}(${Object.entries(args)
    .map(([name, { value }]) => `${name} ${show(value)}`)
    .join(", ")
    .slice(0, 90)})`;
