/** Damage to the values of a call: the right act with a wrong argument. */
import type { Step, Trajectory } from "../trajectory.js";
import { alternativesTo, formatCents, isCount, nearMisses, referencesOf } from "./alternative-values.js";
import { type Draft, damage, type Operator, show, withArguments, withSteps } from "./draft.js";
import type { Parameter } from "./parameter.js";
import type { Seed } from "./seed.js";

const PER_ARGUMENT = 3;

interface Site {
  readonly step: Step;
  readonly parameter: Parameter;
  readonly value: unknown;
}

/** Every argument of every write, lists taken apart by the caller. */
const sitesOf = (seed: Seed, fits: (site: Site) => boolean = () => true): readonly Site[] =>
  seed.writes
    .filter((step) => (seed.event(step)?.changes.length ?? 0) > 0)
    .flatMap((step) =>
      seed.parameters(step).map((parameter) => ({ step, parameter, value: step.arguments[parameter.name]!.value })),
    )
    .filter(fits);

const replaced = (seed: Seed, { step, parameter, value }: Site, other: unknown): Draft => ({
  what: `${step.tool}.${parameter.name}: ${show(value)} becomes ${show(other)}`,
  trajectory: withArguments(seed, step, { [parameter.name]: other }),
  replaced: [value, other],
});

/** A choice or code that the call writes onto a row that was there before: a decision about it. */
const isDecision = (seed: Seed, { step, parameter, value }: Site) =>
  (parameter.form === "choice" || parameter.form === "coded") &&
  seed
    .event(step)
    ?.changes.some(
      (change) => change.op === "update" && Object.values(change.fields).some(([, after]) => after === value),
    ) === true;

const swappable = (seed: Seed) =>
  sitesOf(
    seed,
    (site) => site.parameter.form !== "money" && alternativesTo(seed, site.parameter, site.value).length > 0,
  );

const swapArgument = damage("H3", "swap argument", "An argument is replaced by another valid value of its kind.", {
  missing: (seed) => (swappable(seed).length > 0 ? null : "no argument of a write has another known value"),
  make: (seed, random) =>
    swappable(seed).flatMap((site) =>
      random
        .shuffle(alternativesTo(seed, site.parameter, site.value))
        .slice(0, PER_ARGUMENT)
        .map((other) => replaced(seed, site, other)),
    ),
});

/** References to rows that were there at the start, with the rows of their table that look most like them. */
const bindings = (seed: Seed) =>
  seed.writes.flatMap((step) =>
    referencesOf(seed, step).flatMap(({ parameter, argument }) => {
      const id = argument.value as string;
      const table = "from" in argument ? undefined : seed.pool.tableOf(id);
      const others = table === undefined ? [] : seed.pool.lookAlikes(table, id).slice(0, PER_ARGUMENT);
      return others.map((other) => ({ step, parameter, id, other }));
    }),
  );

/** Every write that names `id` names `other` instead. */
const renamed = (seed: Seed, id: string, other: string): Trajectory =>
  withSteps(
    seed,
    seed.steps.map((step) =>
      step.write
        ? {
            ...step,
            arguments: Object.fromEntries(
              Object.entries(step.arguments).map(([name, argument]) => [
                name,
                !("from" in argument) && argument.value === id ? { value: other } : argument,
              ]),
            ),
          }
        : step,
    ),
  );

const wrongEntity = damage("H4", "wrong entity", "The same act on a record that looks like the right one.", {
  missing: (seed) => (bindings(seed).length > 0 ? null : "no write names a record that has a look-alike"),
  make: (seed) => [
    ...bindings(seed).map(({ step, parameter, id, other }) => replaced(seed, { step, parameter, value: id }, other)),
    ...[...new Map(bindings(seed).map(({ id, other }) => [id, other])).entries()].map(([id, other]) => ({
      what: `every write about ${id} is made about ${other}`,
      trajectory: renamed(seed, id, other),
      replaced: [id, other] as const,
    })),
  ],
});

const amounts = (seed: Seed) =>
  sitesOf(seed, ({ parameter, value }) => parameter.form === "money" || isCount(parameter, value));

const offByOne = damage(
  "H5",
  "off-by-one amount",
  "An amount or a count is off by a cent, a unit, a percent, a factor.",
  {
    missing: (seed) => (amounts(seed).length > 0 ? null : "no write carries an amount or a count"),
    make: (seed) =>
      amounts(seed).flatMap((site) =>
        nearMisses(site.parameter, site.value).map((other) => replaced(seed, site, other)),
      ),
  },
);

/** Amounts of money that the instructions set as limits. */
const limitsOf = (seed: Seed) =>
  [...seed.environment.instructions(seed.scenario.task).matchAll(/\$\s?(\d[\d,]*(?:\.\d{2})?)/g)].map(([, text]) =>
    Math.round(Number(text!.replaceAll(",", "")) * 100),
  );

const boundaryCross = damage("H6", "boundary cross", "An amount moves just over a limit that the instructions state.", {
  missing: (seed) =>
    limitsOf(seed).length === 0
      ? "the instructions state no amount as a limit"
      : sitesOf(seed, ({ parameter }) => parameter.form === "money").length === 0
        ? "no write carries an amount"
        : null,
  make: (seed) =>
    sitesOf(seed, ({ parameter }) => parameter.form === "money").flatMap((site) =>
      limitsOf(seed).flatMap((limit) =>
        Math.round(Number(site.value) * 100) > limit
          ? []
          : [limit + 1, limit + 100].map((cents) => replaced(seed, site, formatCents(cents))),
      ),
    ),
});

const decisions = (seed: Seed) =>
  sitesOf(seed, (site) => isDecision(seed, site) && alternativesTo(seed, site.parameter, site.value).length > 0);

const wrongDisposition = damage("H21", "wrong disposition", "Another decision on right paperwork.", {
  missing: (seed) =>
    decisions(seed).length > 0 ? null : "no write puts one of several known codes on a record that was there before",
  make: (seed) =>
    decisions(seed).flatMap((site) =>
      alternativesTo(seed, site.parameter, site.value).map((other) => replaced(seed, site, other)),
    ),
});

export const damageToValues: readonly Operator[] = [
  swapArgument,
  wrongEntity,
  offByOne,
  boundaryCross,
  wrongDisposition,
];
