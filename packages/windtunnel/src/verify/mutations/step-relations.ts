/** How the steps of a seed hang together: which reads showed what a write uses, which calls work on one made record, which tools take the same. */
import type { Random } from "../../core/random.js";
import type { Argument, Step } from "../trajectory.js";
import { fillArguments, referencesOf } from "./alternative-values.js";
import { parametersOf } from "./parameter.js";
import type { Seed } from "./seed.js";

export interface NeededReads {
  readonly value: unknown;
  /** Every read before the write that showed the value, or opened the record that it names. */
  readonly reads: readonly Step[];
  /** The first write that uses the value. */
  readonly write: Step;
}

const cache = new WeakMap<object, readonly NeededReads[]>();

/** Values that writes use and only reads showed: not in the prompt, and made by no call of the seed's own. One entry per set of reads. */
export function neededReads(seed: Seed): readonly NeededReads[] {
  let known = cache.get(seed.trajectory);
  if (known === undefined) {
    known = findNeededReads(seed);
    cache.set(seed.trajectory, known);
  }
  return known;
}

/** Nobody need look up a zero. */
const NOTHING = /^-?0+(\.0+)?$/;

function findNeededReads(seed: Seed): readonly NeededReads[] {
  const { prompt } = seed.scenario.task;
  const found = new Map<string, NeededReads>();
  for (const write of seed.writes) {
    for (const parameter of seed.parameters(write)) {
      const argument = write.arguments[parameter.name]!;
      if (parameter.form === "prose" || parameter.form === "choice" || "from" in argument) continue;
      for (const value of [argument.value].flat()) {
        if (typeof value !== "string" || value.length < 2 || NOTHING.test(value) || prompt.includes(value)) continue;
        const earlier = seed.steps.slice(0, seed.steps.indexOf(write)).filter(({ tool, ok }) => tool !== null && ok);
        if (earlier.some((step) => step.write && seed.shown(step).has(value))) continue;
        const reads = earlier.filter(
          (read) =>
            !read.write &&
            (seed.shown(read).has(value) || Object.values(read.arguments).some((given) => given.value === value)),
        );
        const key = reads.map(({ id }) => id).join();
        if (reads.length > 0 && !found.has(key)) found.set(key, { value, reads, write });
      }
    }
  }
  return [...found.values()];
}

/** Does a call tell its caller something in words that the caller did not say? Asking twice, or of others, does no work twice. */
export function isInquiry(args: unknown, result: unknown): boolean {
  const given = new Set(leaves(args));
  return leaves(result).some((leaf) => typeof leaf === "string" && leaf.split(/\s+/).length > 2 && !given.has(leaf));
}

const leaves = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [value];

const sources = (step: Step): readonly number[] =>
  Object.values(step.arguments).flatMap((argument) => ("from" in argument ? [argument.from.step] : []));

/** The write and the calls before it that work on the records it works on: what made them, and what else was done to them. */
export function stepsTogether(seed: Seed, write: Step): readonly Step[] {
  const makers = new Set<number>();
  const visit = (step: Step) => {
    for (const id of sources(step)) {
      if (makers.has(id)) continue;
      makers.add(id);
      const maker = seed.steps.find((one) => one.id === id);
      if (maker !== undefined) visit(maker);
    }
  };
  visit(write);
  const end = seed.steps.indexOf(write);
  return seed.steps.filter(
    (step, i) =>
      step.write &&
      i <= end &&
      (step.id === write.id || makers.has(step.id) || sources(step).some((id) => makers.has(id))),
  );
}

/** Calls of other write tools, as new steps, that take a record which `step` names first; one per tool. */
export function siblingsOf(seed: Seed, step: Step, random: Random): readonly Step[] {
  const given = referencesOf(seed, step);
  const first = given[0];
  if (first === undefined) return [];
  const id = 1 + Math.max(...seed.steps.map((one) => one.id));
  return seed.tools.flatMap((tool) => {
    const mine = [...parametersOf(tool).values()].find(({ form, required }) => form === "reference" && required);
    const takes = mine?.tables.some((table) => first.parameter.tables.includes(table));
    if (tool.effect !== "write" || tool.name === step.tool || takes !== true) return [];
    const refer = (tables: readonly string[]): Argument | undefined =>
      given.find(({ parameter }) => parameter.tables.some((table) => tables.includes(table)))?.argument;
    const filled = fillArguments(seed, tool, random, refer);
    return filled === null
      ? []
      : [{ id, tool: tool.name, arguments: filled, text: null, result: undefined, ok: false, write: true }];
  });
}
