/** The same work in another order or by other steps: what a fair rubric must not mind. */
import { moveBefore } from "../edit.js";
import type { Step } from "../trajectory.js";
import { equivalent, insertedAt, type Operator, show, withArguments, withSteps } from "./draft.js";
import { parametersOf } from "./parameter.js";
import type { Seed } from "./seed.js";
import { isInquiry } from "./step-relations.js";

/** Maximal runs of neighbouring steps that `same` joins, of two or more. */
function runsOf(steps: readonly Step[], same: (a: Step, b: Step) => boolean): readonly (readonly Step[])[] {
  const runs: Step[][] = [];
  for (const step of steps) {
    const run = runs[runs.length - 1];
    if (run !== undefined && same(run[run.length - 1]!, step)) run.push(step);
    else runs.push([step]);
  }
  return runs.filter((run) => run.length > 1);
}

const isRead = (step: Step) => step.tool !== null && !step.write;
const readRuns = (seed: Seed) => runsOf(seed.steps, (a, b) => isRead(a) && isRead(b));

/** The seed with the steps of a run in another order. */
const rearranged = (seed: Seed, run: readonly Step[], order: readonly Step[]) => {
  const place = seed.steps.indexOf(run[0]!);
  return withSteps(seed, [...seed.steps.slice(0, place), ...order, ...seed.steps.slice(place + run.length)]);
};

const permuteReads = equivalent("B1", "permute reads", "Reads that follow each other are made in another order.", {
  missing: (seed) => (readRuns(seed).length > 0 ? null : "no two reads follow each other"),
  make: (seed, random) =>
    readRuns(seed).flatMap((run) =>
      [random.shuffle(run), [...run].reverse()].map((order) => ({
        what: `${run.length} reads in another order`,
        trajectory: rearranged(seed, run, order),
      })),
    ),
});

/** Reads that the seed could have made as well: its own again, and other tools on the records it names. */
function furtherReads(seed: Seed): readonly Step[] {
  const id = 1 + Math.max(...seed.steps.map((step) => step.id));
  const again = seed.reads.map((step) => ({ ...step, id }));
  const others = seed.tools
    .filter(({ effect, name }) => effect === "read" && !seed.steps.some(({ tool }) => tool === name))
    .flatMap((tool) => {
      const parameters = [...parametersOf(tool).values()].filter(({ required }) => required);
      const args = parameters.map(({ name, tables, options }) => {
        const value = [...seed.named].find((one) => tables.includes(seed.pool.tableOf(one) ?? "")) ?? options[0];
        return [name, value] as const;
      });
      if (args.length === 0 || args.some(([, value]) => value === undefined)) return [];
      const given = Object.fromEntries(args.map(([name, value]) => [name, { value }]));
      return [{ id, tool: tool.name, arguments: given, text: null, result: undefined, ok: false, write: false }];
    });
  return [...others, ...again];
}

const extraRead = equivalent("B2", "extra read", "A harmless read more, of records that the case names.", {
  missing: (seed) => (furtherReads(seed).length > 0 ? null : "there is nothing more to read"),
  make: (seed, random) => {
    const last = seed.steps.indexOf(seed.writes[seed.writes.length - 1] ?? seed.steps[seed.steps.length - 1]!);
    return furtherReads(seed).map((read) => {
      // A record can be opened once something has shown that it is there.
      const known = Object.values(read.arguments).map(({ value }) =>
        seed.scenario.task.prompt.includes(String(value))
          ? 0
          : seed.steps.findIndex((step) => seed.shown(step).has(value)) + 1,
      );
      return {
        what: `also ${read.tool}`,
        trajectory: insertedAt(seed, random.int(Math.min(Math.max(1, ...known), last), last), [read]),
      };
    });
  },
});

const uses = (step: Step) =>
  Object.values(step.arguments).flatMap((argument) => ("from" in argument ? [argument.from.step] : []));

/** Neighbouring writes neither of which uses what the other made, and between which no time passes that brings something. */
const independentPairs = (seed: Seed) =>
  seed.steps.flatMap((step, i) => {
    const next = seed.steps[i + 1];
    return next !== undefined &&
      step.write &&
      next.write &&
      step.tool !== null &&
      next.tool !== null &&
      !uses(next).includes(step.id) &&
      !isInquiry(next.arguments, next.result) &&
      !isInquiry(step.arguments, step.result) &&
      !seed.broughtNews(step) &&
      !seed.broughtNews(next)
      ? [{ step, next }]
      : [];
  });

const otherPath = equivalent(
  "B7",
  "other path",
  "Two writes that do not need each other change places; the end state is the same.",
  {
    missing: (seed) => (independentPairs(seed).length > 0 ? null : "no two neighbouring writes are independent"),
    make: (seed) =>
      independentPairs(seed).flatMap(({ step, next }) => {
        const trajectory = moveBefore(
          ({ id }) => id === next.id,
          ({ id }) => id === step.id,
        )(seed.trajectory);
        return trajectory === null
          ? []
          : [{ what: `${next.tool} before ${step.tool}`, trajectory, moved: [step.id, next.id], keepsState: true }];
      }),
  },
);

const likeRuns = (seed: Seed) =>
  runsOf(seed.steps, (a, b) => a.write && a.tool === b.tool && !uses(b).includes(a.id) && !seed.broughtNews(a));

const lists = (seed: Seed) =>
  seed.steps.flatMap((step) =>
    seed
      .parameters(step)
      .filter(({ list, name }) => list && (step.arguments[name]!.value as unknown[]).length > 1)
      .map(({ name }) => ({ step, name, value: step.arguments[name]!.value as unknown[] })),
  );

const permuteList = equivalent(
  "B12",
  "permute list",
  "The entries of a list, or like calls that follow each other, come in another order.",
  {
    missing: (seed) =>
      likeRuns(seed).length > 0 || lists(seed).length > 0 ? null : "nothing is given as a list of several entries",
    make: (seed, random) => [
      ...likeRuns(seed).flatMap((run) =>
        [[...run].reverse(), random.shuffle(run)].map((order) => ({
          what: `${run.length} calls of ${run[0]!.tool} in another order`,
          trajectory: rearranged(seed, run, order),
          keepsState: true,
        })),
      ),
      ...lists(seed).map(({ step, name, value }) => ({
        what: `${step.tool}.${name} in another order: ${show([...value].reverse())}`,
        trajectory: withArguments(seed, step, { [name]: [...value].reverse() }),
      })),
    ],
  },
);

const rechunk = equivalent(
  "B11",
  "re-chunk turns",
  "Calls that do not need each other's results are made in one turn.",
  {
    missing: (seed) => (seed.steps.length > 1 ? null : "the solution is one call"),
    make: (seed) =>
      [2, 3, 5].map((callsPerTurn) => ({
        what: `up to ${callsPerTurn} calls a turn`,
        trajectory: seed.trajectory,
        callsPerTurn,
      })),
  },
);

export const sameInOtherOrder: readonly Operator[] = [permuteReads, extraRead, otherPath, permuteList, rechunk];
