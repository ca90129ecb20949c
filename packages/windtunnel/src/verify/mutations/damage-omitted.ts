/** Damage by leaving out, by stopping, or by doing things at the wrong time. */
import { drop, truncateAt } from "../edit.js";
import type { Step } from "../trajectory.js";
import { referencesOf } from "./alternative-values.js";
import { type Draft, damage, type Operator, show, tells, withArguments, withSteps } from "./draft.js";
import type { Seed } from "./seed.js";
import { neededReads } from "./step-relations.js";

const effects = (seed: Seed, step: Step) => seed.event(step)?.changes ?? [];
const acts = (seed: Seed) => seed.writes.filter((step) => effects(seed, step).length > 0 || seed.broughtNews(step));

function dropped(seed: Seed, ids: ReadonlySet<number>, what: string, concerns: readonly number[] = []): Draft[] {
  const trajectory = drop(({ id }) => ids.has(id))(seed.trajectory);
  return trajectory === null ? [] : [{ what, trajectory, concerns }];
}

const dropAction = damage("H1", "drop action", "One act of the solution is left out, with what rests on it.", {
  missing: (seed) => (acts(seed).length > 0 ? null : "the solution writes nothing"),
  make: (seed) => acts(seed).flatMap((step) => dropped(seed, new Set([step.id]), `without ${tells(step)}`)),
});

const dropCheck = damage("H2", "drop check", "An act stays; every read that showed what it uses is left out.", {
  critical: false,
  missing: (seed) => (neededReads(seed).length > 0 ? null : "no write uses a value that a read showed"),
  make: (seed) =>
    neededReads(seed).flatMap(({ value, reads, write }) =>
      dropped(seed, new Set(reads.map(({ id }) => id)), `${write.tool} uses ${show(value)}, which no read showed`, [
        write.id,
      ]),
    ),
});

/** The steps `ids`, in their order, moved to right after the step `after`. */
function movedAfter(
  seed: Seed,
  ids: ReadonlySet<number>,
  after: number,
  concerns: readonly number[],
  what: string,
): Draft {
  const rest = seed.steps.filter(({ id }) => !ids.has(id));
  const place = rest.findIndex(({ id }) => id === after) + 1;
  const steps = [...rest.slice(0, place), ...seed.steps.filter(({ id }) => ids.has(id)), ...rest.slice(place)];
  return { what, trajectory: withSteps(seed, steps), moved: [...ids], concerns };
}

const needs = (step: Step, other: Step) =>
  Object.values(step.arguments).some((argument) => "from" in argument && argument.from.step === other.id);

const reorder = damage("H7", "reorder", "What must come first comes after: looking, or waiting for an answer.", {
  critical: false,
  missing: (seed) =>
    neededReads(seed).length > 0 || seed.writes.some((step) => seed.broughtNews(step))
      ? null
      : "no act rests on a read or on an answer",
  make(seed) {
    const last = seed.writes[seed.writes.length - 1];
    const looks = neededReads(seed).map(({ value, reads, write }) =>
      movedAfter(
        seed,
        new Set(reads.map(({ id }) => id)),
        last!.id,
        [write.id],
        `${show(value)}, which ${write.tool} uses, is read last`,
      ),
    );
    const waits = seed.writes.flatMap((step, i) => {
      const next = seed.writes[i + 1];
      return seed.broughtNews(step) && next !== undefined && !needs(next, step)
        ? [
            movedAfter(
              seed,
              new Set([step.id]),
              next.id,
              seed.writes.slice(i + 1).map(({ id }) => id),
              `${next.tool} before ${tells(step)} brought its answer`,
            ),
          ]
        : [];
    });
    return [...looks, ...waits];
  },
});

/** Reads that showed, after news, a value that a later write uses and nothing before the news showed. */
const freshReads = (seed: Seed) =>
  neededReads(seed).flatMap(({ value, reads, write }) => {
    const first = seed.steps.indexOf(reads[0]!);
    const news = seed.steps
      .slice(0, first)
      .filter((step) => seed.broughtNews(step))
      .pop();
    return news === undefined ? [] : [{ value, reads, write, news }];
  });

const staleRead = damage("H12", "stale read", "What an act rests on is read before the answer that changed it.", {
  critical: false,
  missing: (seed) => (freshReads(seed).length > 0 ? null : "no act rests on what was read after news came"),
  make: (seed) =>
    freshReads(seed).map(({ value, reads, write, news }) => {
      const before = seed.steps[seed.steps.indexOf(news) - 1];
      return movedAfter(
        seed,
        new Set(reads.map(({ id }) => id)),
        before?.id ?? -1,
        [write.id],
        `${show(value)}, which ${write.tool} uses, is looked for before ${news.tool} brought it`,
      );
    }),
});

const links = (seed: Seed) => seed.writes.filter((step) => referencesOf(seed, step).length > 1);
const listed = (seed: Seed) =>
  seed.writes.flatMap((step) =>
    seed
      .parameters(step)
      .filter(({ list, name }) => list && (step.arguments[name]!.value as unknown[]).length > 1)
      .map(({ name }) => ({ step, name, value: step.arguments[name]!.value as unknown[] })),
  );

const removeEvidence = damage(
  "H16",
  "remove evidence",
  "A call, or a list entry, that ties one record to another is left out.",
  {
    missing: (seed) =>
      links(seed).length > 0 || listed(seed).length > 0 ? null : "no write ties one record to another",
    make: (seed) => [
      ...links(seed).flatMap((step) => dropped(seed, new Set([step.id]), `without ${tells(step)}`)),
      ...listed(seed).map(({ step, name, value }) => ({
        what: `${step.tool}.${name} without ${show(value[value.length - 1])}`,
        trajectory: withArguments(seed, step, { [name]: value.slice(0, -1) }),
      })),
    ],
  },
);

const batches = (seed: Seed) => {
  const byTool = new Map<string, Step[]>();
  for (const step of acts(seed)) byTool.set(step.tool!, [...(byTool.get(step.tool!) ?? []), step]);
  return [...byTool.values()].filter((steps) => steps.length > 1);
};

const partialBatch = damage("H23", "partial batch", "All but one of several like acts are done.", {
  missing: (seed) => (batches(seed).length > 0 ? null : "no tool is used more than once"),
  make: (seed) =>
    batches(seed).flatMap((steps) =>
      steps.flatMap((step, i) =>
        dropped(
          seed,
          new Set([step.id]),
          `${steps.length - 1} of ${steps.length} calls of ${step.tool}: not number ${i + 1}`,
        ),
      ),
    ),
});

const truncate = damage("H24", "truncate", "The work stops before its end.", {
  missing: (seed) => (acts(seed).length > 0 ? null : "the solution writes nothing"),
  make: (seed) => {
    const writes = acts(seed);
    const stops = new Set([writes[writes.length - 1]!, writes[writes.length >> 1]!, writes[0]!]);
    return [...stops].flatMap((step) => {
      const trajectory = truncateAt(({ id }) => id === step.id)(seed.trajectory);
      return trajectory === null ? [] : [{ what: `stops before ${tells(step)}`, trajectory }];
    });
  },
});

export const damageByLeavingOut: readonly Operator[] = [
  dropAction,
  dropCheck,
  reorder,
  staleRead,
  removeEvidence,
  partialBatch,
  truncate,
];
