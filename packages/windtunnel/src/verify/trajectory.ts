/**
 * Trajectory: the calls of one rollout in a form that can be edited and executed again. A value that first appeared in the result of an
 * earlier call is kept as a reference to that result, so that ids minted differently after an edit still resolve.
 */
import { defineAgent } from "../core/agent.js";
import type { AnyEnvironment, Scenario } from "../core/environment.js";
import type { Action, Observation } from "../core/message.js";
import type { Rollout } from "../core/rollout.js";
import { runRollout } from "../core/rollout.js";

/** Where a value came from: the result of step `step`, at `path`. */
export interface ResultRef {
  readonly step: number;
  readonly path: readonly (string | number)[];
}

/** One argument: a plain value, or a value taken from an earlier result when it is executed. */
export type Argument = { readonly value: unknown } | { readonly from: ResultRef; readonly value: unknown };

/** One call, or one thing said. `id` is stable under edits: references name it. */
export interface Step {
  readonly id: number;
  /** Null when the turn was words alone. */
  readonly tool: string | null;
  readonly arguments: Readonly<Record<string, Argument>>;
  /** What was said: the whole turn, or beside its first call. */
  readonly text: string | null;
  /** What the call returned when it was recorded; undefined for steps an edit added. */
  readonly result: unknown;
  readonly ok: boolean;
  readonly write: boolean;
}

export interface Trajectory {
  readonly task: string;
  readonly steps: readonly Step[];
}

type Path = readonly (string | number)[];

/** Amounts, counts and dates coincide by chance: only names of things are followed from result to argument. */
const MEASURE = /^-?\d+(\.\d+)?$|^\d{4}-\d{2}-\d{2}(T|$)/;

/** Failures of the moment, after which the same call may be made again: nothing was done. */
const TRANSIENT: ReadonlySet<unknown> = new Set(["unavailable", "rate_limited"]);
const TRIES = 8;

/** Every string or number in a result with the path to it, first occurrence first. */
function leavesOf(value: unknown, path: Path, into: Map<unknown, Path>): void {
  if (typeof value === "string" || typeof value === "number") {
    if (!into.has(value)) into.set(value, path);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value))
    leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key], into);
}

/**
 * The trajectory of a finished rollout: one step per call and per thing said. Calls that an outage swallowed are left out: whoever executes
 * the trajectory meets outages of its own, and tries again.
 */
export function toTrajectory(environment: AnyEnvironment, rollout: Rollout): Trajectory {
  const steps: Step[] = [];
  const made = new Map<unknown, ResultRef>();
  const seen = new Set<unknown>();
  let beside: string | null = null;
  for (const [i, event] of rollout.events.entries()) {
    if (event.type === "message" && event.role === "assistant") {
      const next = rollout.events[i + 1];
      if (next?.type === "call" && next.turn === event.turn) beside = event.text;
      else
        steps.push({
          id: steps.length,
          tool: null,
          arguments: {},
          text: event.text,
          result: undefined,
          ok: true,
          write: false,
        });
    }
    if (event.type !== "call") continue;
    if (!event.ok && TRANSIENT.has(event.fault)) continue;
    const given = (typeof event.arguments === "object" && event.arguments !== null ? event.arguments : {}) as Record<
      string,
      unknown
    >;
    const step = steps.length;
    const write = environment.tools.get(event.tool)?.tool.effect === "write";
    steps.push({
      id: step,
      tool: event.tool,
      arguments: Object.fromEntries(
        Object.entries(given).map(([name, value]) => {
          const from = made.get(value);
          return [name, from === undefined ? { value } : { from, value }];
        }),
      ),
      text: beside,
      result: event.result,
      ok: event.ok,
      write,
    });
    beside = null;
    // Only what a write made can come out differently after an edit; what was seen before, or what a read shows, is there either way.
    const leaves = new Map<unknown, Path>();
    if (event.ok) leavesOf(event.result, [], leaves);
    for (const [value, path] of leaves) {
      const named = typeof value !== "string" || !MEASURE.test(value);
      if (write && named && !made.has(value) && !seen.has(value) && !Object.values(given).includes(value))
        made.set(value, { step, path });
      else seen.add(value);
    }
  }
  return { task: rollout.task.id, steps };
}

const at = (value: unknown, path: Path) =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? (inner as Record<string | number, unknown>)[key] : undefined,
    value,
  );

/** How an edited trajectory came out. A step whose source is gone, or that a tool refused, makes it stillborn when it was accepted before. */
export type Execution =
  | { readonly alive: true; readonly rollout: Rollout }
  | { readonly alive: false; readonly reason: string };

/** The id that the call of a step has in the trace of its execution. */
export const callOf = (step: Pick<Step, "id">) => `step-${step.id}`;

export interface ExecutionOptions {
  /** Call it stillborn when a call that was accepted when recorded is refused now, or refers to a result that is gone. Default true. */
  readonly strict?: boolean;
  readonly name?: string;
  /** Steps taken in one turn, as far as none needs the result of another. Default 1. */
  readonly callsPerTurn?: number;
}

/**
 * Executes a trajectory in a fresh world of the scenario and scores it. A call that meets an outage is made again. Calls carry the id of
 * their step (`callOf`), so that events and steps can be matched.
 */
export async function executeTrajectory(
  environment: AnyEnvironment,
  scenario: Scenario,
  trajectory: Trajectory,
  options: ExecutionOptions = {},
): Promise<Execution> {
  const { strict = true, name = "edited", callsPerTurn = 1 } = options;
  let dead: string | undefined;
  const agent = defineAgent({
    name,
    open() {
      const results = new Map<number, unknown>();
      const tries = new Map<number, number>();
      const left = [...trajectory.steps];
      const resolve = (step: Step, key: string, argument: Argument): unknown => {
        if (!("from" in argument)) return argument.value;
        const value = at(results.get(argument.from.step), argument.from.path);
        if (value === undefined && strict) dead ??= `${step.tool}.${key} refers to a call that is gone`;
        return value ?? argument.value;
      };
      let pending: readonly Step[] = [];
      const hear = (observation: Observation) => {
        const again: Step[] = [];
        const answers = observation.messages.filter((message) => message.role === "tool");
        pending.forEach((step, i) => {
          const answer = answers[i];
          if (answer === undefined) return;
          const { code } = answer.ok ? { code: undefined } : (answer.value as { code?: string });
          const made = (tries.get(step.id) ?? 0) + 1;
          tries.set(step.id, made);
          if (answer.ok) results.set(step.id, answer.value);
          else if (TRANSIENT.has(code) && made < TRIES) again.push(step);
          else if (strict && step.ok) dead ??= `${step.tool} was refused: ${JSON.stringify(answer.value)}`;
        });
        left.unshift(...again);
      };
      return (observation): Action => {
        hear(observation);
        pending = dead === undefined ? nextTurn(left, callsPerTurn) : [];
        const [first] = pending;
        if (first === undefined) return {};
        if (first.tool === null) return { text: first.text ?? "" };
        const calls = pending.map((step) => ({
          id: callOf(step),
          tool: step.tool!,
          arguments: Object.fromEntries(
            Object.entries(step.arguments).map(([key, argument]) => [key, resolve(step, key, argument)]),
          ),
        }));
        if (dead !== undefined) return {};
        return first.text === null ? { calls } : { text: first.text, calls };
      };
    },
  });
  const rollout = await runRollout({ environment, scenario, agent, attempt: 0, runSeed: "verify" });
  return dead === undefined ? { alive: true, rollout } : { alive: false, reason: dead };
}

/** Takes the steps of one turn off `left`: one thing said, or calls none of which needs another's result. */
function nextTurn(left: Step[], most: number): readonly Step[] {
  const taken: Step[] = [];
  while (taken.length < most) {
    const step = left[0];
    if (step === undefined || (step.text !== null && taken.length > 0)) break;
    const needs = Object.values(step.arguments).some(
      (argument) => "from" in argument && taken.some(({ id }) => id === argument.from.step),
    );
    if (needs) break;
    taken.push(left.shift()!);
    if (step.tool === null) break;
  }
  return taken;
}

/** Records the reference solution of a scenario. Throws when it does not end in a scored rollout. */
export async function recordReference(
  environment: AnyEnvironment,
  scenario: Scenario,
): Promise<{ trajectory: Trajectory; rollout: Rollout }> {
  const agent = defineAgent({ name: "reference", open: (context) => environment.reference(scenario, context) });
  const rollout = await runRollout({ environment, scenario, agent, attempt: 0, runSeed: "verify" });
  return { trajectory: toTrajectory(environment, rollout), rollout };
}
