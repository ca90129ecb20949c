/**
 * Edit: one change to a trajectory. Attacks and mutants are rows over the few primitives here; none knows an environment, all work from
 * tool schemas and what was seen.
 */
import type { ToolSpec } from "../core/tool.js";
import type { Argument, Step, Trajectory } from "./trajectory.js";

/** The edited trajectory, or null when the edit has nothing to act on. */
export type Edit = (trajectory: Trajectory) => Trajectory | null;

type Pick = (step: Step, index: number, steps: readonly Step[]) => boolean;

const withSteps = (trajectory: Trajectory, steps: readonly Step[]): Trajectory => ({ ...trajectory, steps });

/** An id no step of the trajectory has. */
export const freshId = (trajectory: Trajectory) =>
  trajectory.steps.reduce((highest, { id }) => Math.max(highest, id), -1) + 1;

/** A call that was not in the recording. */
export function newCall(trajectory: Trajectory, tool: ToolSpec, args: Readonly<Record<string, Argument>>): Step {
  return {
    id: freshId(trajectory),
    tool: tool.name,
    arguments: args,
    text: null,
    result: undefined,
    ok: false,
    write: tool.effect === "write",
  };
}

/** Drops the steps that match, and every later step that needs a result of theirs. */
export const drop =
  (pick: Pick): Edit =>
  (trajectory) => {
    const gone = new Set(trajectory.steps.filter(pick).map(({ id }) => id));
    if (gone.size === 0) return null;
    const kept = trajectory.steps.filter((step) => {
      const orphan =
        gone.has(step.id) ||
        Object.values(step.arguments).some((argument) => "from" in argument && gone.has(argument.from.step));
      if (orphan) gone.add(step.id);
      return !orphan;
    });
    return withSteps(trajectory, kept);
  };

/** Keeps the steps before the first match. */
export const truncateAt =
  (pick: Pick): Edit =>
  (trajectory) => {
    const end = trajectory.steps.findIndex(pick);
    return end < 0 ? null : withSteps(trajectory, trajectory.steps.slice(0, end));
  };

/** Inserts steps before the first match; at the end when `pick` is "end". */
export const insert =
  (pick: Pick | "end", make: (trajectory: Trajectory) => readonly Step[] | null): Edit =>
  (trajectory) => {
    const place = pick === "end" ? trajectory.steps.length : trajectory.steps.findIndex(pick);
    const added = place < 0 ? null : make(trajectory);
    return added === null || added.length === 0
      ? null
      : withSteps(trajectory, [...trajectory.steps.slice(0, place), ...added, ...trajectory.steps.slice(place)]);
  };

/** Makes the steps that match again right after themselves. */
export const duplicate =
  (pick: Pick): Edit =>
  (trajectory) => {
    let id = freshId(trajectory);
    let found = false;
    const steps = trajectory.steps.flatMap((step, i) => {
      if (!pick(step, i, trajectory.steps)) return [step];
      found = true;
      return [step, { ...step, id: id++, ok: false }];
    });
    return found ? withSteps(trajectory, steps) : null;
  };

/** Moves the first step that matches `pick` to before the first that matches `before`. */
export const moveBefore =
  (pick: Pick, before: Pick): Edit =>
  (trajectory) => {
    const from = trajectory.steps.findIndex(pick);
    const to = trajectory.steps.findIndex(before);
    if (from < 0 || to < 0 || to >= from) return null;
    const rest = trajectory.steps.filter((_, i) => i !== from);
    return withSteps(trajectory, [...rest.slice(0, to), trajectory.steps[from]!, ...rest.slice(to)]);
  };

/** Gives one argument of the first step that matches another value; null when `change` finds none. */
export const replaceArgument =
  (pick: Pick, name: string, change: (argument: Argument, step: Step) => Argument | null): Edit =>
  (trajectory) => {
    const place = trajectory.steps.findIndex((step, i, steps) => pick(step, i, steps) && name in step.arguments);
    if (place < 0) return null;
    const step = trajectory.steps[place]!;
    const changed = change(step.arguments[name]!, step);
    if (changed === null) return null;
    const edited = { ...step, arguments: { ...step.arguments, [name]: changed } };
    return withSteps(
      trajectory,
      trajectory.steps.map((other, i) => (i === place ? edited : other)),
    );
  };

/** One edit after another; null as soon as one does not apply. */
export const compose =
  (...edits: readonly Edit[]): Edit =>
  (trajectory) =>
    edits.reduce<Trajectory | null>((edited, edit) => (edited === null ? null : edit(edited)), trajectory);
