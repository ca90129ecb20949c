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
  readonly tool: string | null;
  readonly arguments: Readonly<Record<string, Argument>>;
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

/** The trajectory of a finished rollout: one step per call and per thing said. */
export function toTrajectory(environment: AnyEnvironment, rollout: Rollout): Trajectory {
  const steps: Step[] = [];
  const made = new Map<unknown, ResultRef>();
  for (const event of rollout.events) {
    if (event.type === "message" && event.role === "assistant") {
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
      text: null,
      result: event.result,
      ok: event.ok,
      write,
    });
    // Only what a write made can come out differently after an edit; what a read shows is there either way.
    if (event.ok && write) {
      const leaves = new Map<unknown, Path>();
      leavesOf(event.result, [], leaves);
      for (const [value, path] of leaves)
        if (!made.has(value) && !Object.values(given).includes(value)) made.set(value, { step, path });
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

/**
 * Executes a trajectory in a fresh world of the scenario and scores it. `strict` (the default) calls it stillborn when a call that was
 * accepted when recorded is refused now, or refers to a result that no longer exists.
 */
export async function executeTrajectory(
  environment: AnyEnvironment,
  scenario: Scenario,
  trajectory: Trajectory,
  options: { strict?: boolean; name?: string } = {},
): Promise<Execution> {
  const { strict = true, name = "edited" } = options;
  let dead: string | undefined;
  const agent = defineAgent({
    name,
    open() {
      const results = new Map<number, unknown>();
      let next = 0;
      return (observation: Observation): Action => {
        const answer = observation.messages[observation.messages.length - 1];
        const previous = trajectory.steps[next - 1];
        if (previous?.tool != null && answer?.role === "tool") {
          if (answer.ok) results.set(previous.id, answer.value);
          else if (strict && previous.ok && (answer.value as { code?: string }).code !== "unavailable")
            dead ??= `${previous.tool} was refused: ${JSON.stringify(answer.value)}`;
        }
        const step = trajectory.steps[next++];
        if (step === undefined || dead !== undefined) return {};
        if (step.tool === null) return { text: step.text ?? "" };
        const args: Record<string, unknown> = {};
        for (const [key, argument] of Object.entries(step.arguments)) {
          if (!("from" in argument)) args[key] = argument.value;
          else {
            const value = at(results.get(argument.from.step), argument.from.path);
            if (value === undefined && strict) dead ??= `${step.tool}.${key} refers to a call that is gone`;
            args[key] = value ?? argument.value;
          }
        }
        return dead === undefined ? { calls: [{ tool: step.tool, arguments: args }] } : {};
      };
    },
  });
  const rollout = await runRollout({ environment, scenario, agent, attempt: 0, runSeed: "verify" });
  return dead === undefined ? { alive: true, rollout } : { alive: false, reason: dead };
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
