/**
 * Seed: an accepted trajectory to damage, executed once more as it is, with what an operator may ask of it: which values a step showed, which
 * rows it wrote, what it needs. All answers come from schemas and the trace.
 */
import type { AnyEnvironment, Scenario } from "../../core/environment.js";
import type { ToolSpec } from "../../core/tool.js";
import type { CallEvent } from "../../core/trace.js";
import { callOf, type Step, type Trajectory } from "../trajectory.js";
import { isCall, type ObservedRun } from "./observed-run.js";
import { type Parameter, parametersOf } from "./parameter.js";
import { ValuePool, walk } from "./value-pool.js";

const leavesOf = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [value];

export class Seed {
  readonly environment: AnyEnvironment;
  readonly scenario: Scenario;
  readonly trajectory: Trajectory;
  readonly run: ObservedRun;
  readonly pool: ValuePool;
  readonly #specs: ReadonlyMap<string, ToolSpec>;
  readonly #events: ReadonlyMap<string, CallEvent>;
  readonly #shown = new Map<number, ReadonlySet<unknown>>();
  #offered: ReadonlyMap<string, ReadonlySet<string | number>> | undefined;

  constructor(environment: AnyEnvironment, scenario: Scenario, trajectory: Trajectory, run: ObservedRun) {
    this.environment = environment;
    this.scenario = scenario;
    this.trajectory = trajectory;
    this.run = run;
    this.pool = new ValuePool(environment.world, scenario);
    this.#specs = new Map(environment.toolSpecs.map((tool) => [tool.name, tool]));
    this.#events = eventsOf(run);
  }

  get steps(): readonly Step[] {
    return this.trajectory.steps;
  }

  /** The same seed with another trajectory over its steps: what a second edit acts on. */
  with(trajectory: Trajectory): Seed {
    return new Seed(this.environment, this.scenario, trajectory, this.run);
  }

  get tools(): readonly ToolSpec[] {
    return this.environment.toolSpecs;
  }

  tool(step: Step): ToolSpec | undefined {
    return step.tool === null ? undefined : this.#specs.get(step.tool);
  }

  /** The parameters that a step gives a value to. */
  parameters(step: Step): readonly Parameter[] {
    const tool = this.tool(step);
    return tool === undefined ? [] : [...parametersOf(tool).values()].filter(({ name }) => name in step.arguments);
  }

  event(step: Step): CallEvent | undefined {
    return this.#events.get(callOf(step));
  }

  /** Calls that write and were accepted, in order. */
  get writes(): readonly Step[] {
    return this.steps.filter((step) => step.write && step.tool !== null && (step.result === undefined || step.ok));
  }

  get reads(): readonly Step[] {
    return this.steps.filter((step) => !step.write && step.tool !== null && step.ok);
  }

  /** True when time brought something while this call was made: an answer, a deadline. */
  broughtNews(step: Step): boolean {
    const event = this.event(step);
    return event !== undefined && this.run.events[event.seq + 1]?.type === "world";
  }

  /** Every plain value in the step's result. */
  shown(step: Step): ReadonlySet<unknown> {
    let known = this.#shown.get(step.id);
    if (known === undefined) {
      known = new Set(leavesOf(step.result));
      this.#shown.set(step.id, known);
    }
    return known;
  }

  /** Values of a kind that some result of the seed showed, then those that other rows hold. */
  valuesOf(kind: string): readonly (string | number)[] {
    this.#offered ??= this.#collect();
    const seen = kind.split("|").flatMap((one) => [...(this.#offered!.get(one) ?? [])]);
    return seen.length > 1 ? seen : [...new Set([...seen, ...kind.split("|").flatMap((one) => this.pool.ofKind(one))])];
  }

  /** Values that the trajectory itself hands over, as ids of rows that were there at the start. */
  get named(): ReadonlySet<unknown> {
    return new Set(this.steps.flatMap((step) => Object.values(step.arguments).flatMap(({ value }) => value)));
  }

  #collect(): ReadonlyMap<string, ReadonlySet<string | number>> {
    const found = new Map<string, Set<string | number>>();
    for (const step of this.steps) {
      const tool = this.tool(step);
      if (tool !== undefined && step.ok) walk(tool.outputSchema, step.result, found);
    }
    return found;
  }
}

/** The accepted execution of each step, by the id of its call. */
export function eventsOf(run: Pick<ObservedRun, "events">): ReadonlyMap<string, CallEvent> {
  const found = new Map<string, CallEvent>();
  for (const event of run.events) if (isCall(event)) found.set(event.call, event);
  return found;
}
