/** The same work in a world that differs in nothing that matters: other ids, an hour later, an outage, questions asked in another order. */
import type { AnyEnvironment, Scenario } from "../../core/environment.js";
import type { Random } from "../../core/random.js";
import { type Tables, World } from "../../core/world.js";
import type { Trajectory } from "../trajectory.js";
import { damage, equivalent, type Operator } from "./draft.js";
import { withFaults } from "./observed-run.js";
import type { Seed } from "./seed.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The scenario begun later, with what falls due in between. */
function startedLater(scenario: Scenario, byMs: number): Scenario {
  const world = scenario.world.fork();
  world.advanceTo(world.now + byMs);
  world.takeChanges();
  return { ...scenario, world: world.fork().readOnly() };
}

const hasDates = (seed: Seed) =>
  seed.pool.ofKind("date").length + seed.pool.ofKind("instant").length > 0
    ? null
    : "no record of this world carries a date";

/** Days of grace after the last date that could matter. */
const GRACE_DAYS = [30, 200];
const YEAR_DAYS = 365;

/** The last day to come that the grader's facts name, ms; undefined when they name none. */
function lastDateOf({ scenario }: Seed): number | undefined {
  const today = new Date(scenario.world.now).toISOString().slice(0, 10);
  const dates = JSON.stringify(scenario.facts ?? null).match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? [];
  const last = dates
    .filter((date) => date >= today && !Number.isNaN(Date.parse(date)))
    .sort()
    .pop();
  return last === undefined ? undefined : Date.parse(last);
}

const timeShift = damage(
  "H22",
  "time shift",
  "The work is done after its time: it begins a month, or more, after the last date that matters.",
  {
    missing: hasDates,
    make: (seed) => {
      const last = lastDateOf(seed);
      const from = last === undefined ? YEAR_DAYS : Math.ceil((last - seed.scenario.world.now) / DAY_MS);
      return GRACE_DAYS.map((grace) => from + grace).map((days) => ({
        what: `everything is done ${days} days later`,
        trajectory: seed.trajectory,
        scenario: startedLater(seed.scenario, days * DAY_MS),
        // Where no fact sets a date and no outcome moves with the clock, doing it late damages nothing.
        changesSomething: last === undefined,
      }));
    },
  },
);

const clockShift = equivalent("B13", "clock shift", "The work begins an hour or two later.", {
  missing: hasDates,
  make: (seed) =>
    [1, 2].map((hours) => ({
      what: `begins ${hours} h later`,
      trajectory: seed.trajectory,
      scenario: startedLater(seed.scenario, hours * HOUR_MS),
    })),
});

const outage = equivalent(
  "B8",
  "outage and retry",
  "Systems are down for a moment now and then, and calls are made again.",
  {
    missing: () => null,
    make: (seed) =>
      [0.05, 0.15].map((share) => ({
        what: `${share * 100} % of calls meet an outage`,
        trajectory: seed.trajectory,
        environment: withFaults(seed.environment, share),
      })),
  },
);

/** The questions of the rubric in another order, as far as none must follow another. */
function reordered(environment: AnyEnvironment, random: Random): AnyEnvironment {
  const { rubric } = environment;
  const left = random.shuffle(rubric.criteria);
  const placed: typeof left = [];
  while (left.length > 0) {
    const next = left.findIndex(({ after }) => after.every((name) => placed.some((one) => one.name === name)));
    placed.push(...left.splice(Math.max(0, next), 1));
  }
  return { ...environment, rubric: { ...rubric, gates: random.shuffle(rubric.gates), criteria: placed } };
}

const askOtherwise = equivalent("B14", "order of questions", "The rubric asks its questions in another order.", {
  missing: (seed) =>
    seed.environment.rubric.criteria.length + seed.environment.rubric.gates.length > 1
      ? null
      : "the rubric asks one question",
  make: (seed, random) =>
    [1, 2].map((n) => ({
      what: `questions in another order (${n})`,
      trajectory: seed.trajectory,
      environment: reordered(seed.environment, random),
    })),
});

const ROW_ID = /\b[A-Z]{2,5}-\d+\b/g;

/** Every row id of the world with another number, whatever mentions it; null when the world has none of the usual shape, or something pending. */
function renamed(
  { environment, scenario, trajectory }: Seed,
  random: Random,
): { scenario: Scenario; trajectory: Trajectory } | null {
  if (scenario.world.nextEventAt !== undefined) return null;
  const rows = scenario.world.toRows();
  const ids = Object.values(rows).flatMap((list) =>
    list.map(({ id }) => id as string).filter((id) => new RegExp(`^${ROW_ID.source}$`).test(id)),
  );
  if (ids.length === 0) return null;
  const next = new Map<string, number>();
  const names = new Map(
    random.shuffle(ids).map((id) => {
      const prefix = id.slice(0, id.indexOf("-"));
      const number = (next.get(prefix) ?? 300_000) + 1;
      next.set(prefix, number);
      return [id, `${prefix}-${number}`];
    }),
  );
  const rename = <V>(value: V): V =>
    JSON.parse(JSON.stringify(value).replace(ROW_ID, (id) => names.get(id) ?? id)) as V;
  const world = World.open<Tables>(environment.world, { seed: scenario.world.seed, now: scenario.world.now });
  for (const [table, list] of Object.entries(rows)) for (const row of list) world.insert(table, rename(row) as never);
  world.takeChanges();
  return {
    scenario: {
      ...scenario,
      task: { ...scenario.task, prompt: rename(scenario.task.prompt) },
      facts: rename(scenario.facts),
      world: world.fork().readOnly(),
    },
    trajectory: {
      ...trajectory,
      steps: trajectory.steps.map((step) => ({ ...step, arguments: rename(step.arguments), text: rename(step.text) })),
    },
  };
}

const renameIds = equivalent("B5", "rename ids", "Every record has another id; all that mentions it follows.", {
  missing: ({ scenario }) =>
    scenario.world.nextEventAt === undefined ? null : "the world has something pending that names its records",
  make: (seed, random) => {
    const copy = renamed(seed, random);
    return copy === null ? [] : [{ what: "every id has another number", ...copy }];
  },
});

export const damageToTime: readonly Operator[] = [timeShift];
export const sameInAnotherWorld: readonly Operator[] = [renameIds, outage, clockShift, askOtherwise];
