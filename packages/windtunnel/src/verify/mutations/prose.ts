/** The free text of a seed: where it stands, and the facts (ids, amounts, dates) that any honest rewording of it keeps. */
import type { Step, Trajectory } from "../trajectory.js";
import { withArguments, withSteps } from "./draft.js";
import type { Seed } from "./seed.js";

/** One text that the agent wrote: an argument of a write, or (when `name` is null) something said. */
export interface Prose {
  readonly step: Step;
  readonly name: string | null;
  readonly text: string;
}

/** Every text of the seed that is not empty. */
export function proseOf(seed: Seed): readonly Prose[] {
  return seed.steps.flatMap((step): Prose[] => [
    ...(step.text === null || step.text === "" ? [] : [{ step, name: null, text: step.text }]),
    ...seed
      .parameters(step)
      .filter(({ form }) => form === "prose" && step.write)
      .map(({ name }) => ({ step, name, text: String(step.arguments[name]!.value) }))
      .filter(({ text }) => text !== ""),
  ]);
}

/** The seed with one text replaced. */
export const reworded = (seed: Seed, { step, name }: Prose, text: string): Trajectory =>
  name === null
    ? withSteps(
        seed,
        seed.steps.map((other) => (other.id === step.id ? { ...step, text } : other)),
      )
    : withArguments(seed, step, { [name]: text });

const FACT =
  /\$\s?\d[\d,]*(?:\.\d{2})?|\b[A-Z]{1,5}-\d+\b|\b\d{4}-\d{2}-\d{2}\b|\b\d+\.\d{2}\b|\b[A-Z]*\d[\w.-]*\w\b|\b\d+\b/g;

/** Ids, amounts, dates and numbers of a text, in order. */
export const factsOf = (text: string): readonly string[] => text.match(FACT) ?? [];

/** Sentences and clauses, each with its mark. */
export const clausesOf = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?;])\s+/)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
