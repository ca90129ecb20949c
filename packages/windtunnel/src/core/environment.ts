/**
 * Environment: a world, the systems that act on it, a task source, instructions, a rubric, an outcome, a reference solution and baselines.
 * `defineEnvironment` is the authoring entry point; everything else in the product takes one of these.
 */
import type { Agent, ReferenceSolution } from "./agent.js";
import { UsageError } from "./fault.js";
import { deepFreeze } from "./freeze.js";
import { digestOf } from "./hash.js";
import type { Outcome } from "./outcome.js";
import { Random } from "./random.js";
import type { Rubric } from "./rubric.js";
import type { System } from "./system.js";
import { type GradedTask, type Limits, SPLITS, type Split, type Task } from "./task.js";
import { type Tool, type ToolSpec, toToolSpec } from "./tool.js";
import type { User } from "./user.js";
import { type Tables, World, type WorldDefinition } from "./world.js";

/** What a task generator is given: its own random stream, and where the task stands. */
export interface Draw {
  readonly random: Random;
  readonly split: Split;
  readonly index: number;
}

/** What a task generator returns beside the rows it wrote. */
export interface GeneratedTask<F> {
  readonly prompt: string;
  readonly archetype: string;
  readonly family: string;
  /** Defaults to the task's own id: no other task shares its source. */
  readonly sourceGroup?: string;
  readonly facts: F;
  readonly limits?: Partial<Limits>;
}

export interface Environment<T extends Tables = Tables, F = unknown> {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly world: WorldDefinition<T>;
  readonly systems: readonly System<T>[];
  /** The world's clock when an episode starts, ms since the Unix epoch. */
  readonly startAt: number;
  readonly limits: Limits;
  instructions(task: Task): string;
  /** Fills an empty world and says what the task is; the same draw gives the same world. */
  generate(world: World<T>, draw: Draw): GeneratedTask<F>;
  readonly rubric: Rubric<T, F>;
  readonly outcome: Outcome<T>;
  readonly reference: ReferenceSolution<F>;
  /** Agents that see only what an agent sees: degenerate ones, and honest mediocre ones. */
  readonly baselines: readonly Agent[];
  readonly user?: User;
  /** Ends the episode as solved when true. */
  solved?(world: World<T>): boolean;
  readonly tools: ReadonlyMap<string, { readonly tool: Tool<T>; readonly system: System<T> }>;
  readonly toolSpecs: readonly ToolSpec[];
  /** Changes when any tool's name, effect or schema does. */
  readonly contractDigest: string;
}

/** Any environment, whatever its tables and facts. */
// biome-ignore lint/suspicious/noExplicitAny: rows and facts are each environment's own; code that takes any environment never names them.
export type AnyEnvironment = Environment<any, any>;

/** Defines an environment. Refuses repeated tool names and an environment without tools. */
export function defineEnvironment<T extends Tables, F>(
  definition: Omit<
    Environment<T, F>,
    "tools" | "toolSpecs" | "contractDigest" | "limits" | "instructions" | "baselines"
  > & {
    limits?: Partial<Limits>;
    instructions: string | ((task: Task) => string);
    baselines?: readonly Agent[];
  },
): Environment<T, F> {
  const tools = new Map<string, { tool: Tool<T>; system: System<T> }>();
  for (const system of definition.systems) {
    for (const tool of system.tools) {
      if (tools.has(tool.name)) {
        throw new UsageError({
          code: "duplicate_tool",
          what: "Two tools share a name",
          path: `${definition.name}.systems.${system.name}`,
          expected: "each name once",
          actual: tool.name,
          fix: "Rename one.",
        });
      }
      tools.set(tool.name, { tool, system });
    }
  }
  if (tools.size === 0) {
    throw new UsageError({
      code: "no_tools",
      what: `Environment "${definition.name}" has no tools`,
      fix: "Add a system with at least one tool.",
    });
  }
  let specs: readonly ToolSpec[] | undefined;
  let contract: string | undefined;
  const { instructions } = definition;
  return {
    ...definition,
    generate: (world, draw) => definition.generate(world, draw),
    limits: { turns: 50, toolCalls: 200, ...definition.limits },
    instructions: typeof instructions === "string" ? () => instructions : instructions,
    baselines: definition.baselines ?? [],
    tools,
    get toolSpecs() {
      specs ??= Object.freeze([...tools.values()].map(({ tool }) => toToolSpec(tool as unknown as Tool)));
      return specs;
    },
    get contractDigest() {
      contract ??= digestOf(this.toolSpecs);
      return contract;
    },
  };
}

/** A task ready to be attempted: its two halves, and the immutable world that attempts fork. */
export interface Scenario<T extends Tables = Tables, F = unknown> extends GradedTask<F> {
  readonly world: World<T>;
}

/** Where tasks come from: generated here, or imported from a user's files. */
export interface TaskSource<T extends Tables = Tables, F = unknown> {
  /** Says what the source is, for provenance: "train, seed 7, 200 tasks". */
  readonly description: string;
  readonly size: number;
  ids(): Iterable<string>;
  open(id: string): Scenario<T, F>;
}

/** Tasks made by the environment's generator. Ids are "split/seed/index" and open anywhere, in any order. */
export function generatedTasks<T extends Tables, F>(
  environment: Environment<T, F>,
  options: { split: Split; seed: number; count: number; from?: number },
): TaskSource<T, F> {
  const { split, seed, count, from = 0 } = options;
  return {
    description: `${split}, seed ${seed}, ${count} tasks`,
    size: count,
    *ids() {
      for (let index = from; index < from + count; index++) yield `${split}/${seed}/${index}`;
    },
    open: (id) => openScenario(environment, id),
  };
}

/** Numbers have one spelling, so that no two ids name one task. */
const TASK_ID = /^(train|validation|sealed)\/(0|[1-9]\d*)\/(0|[1-9]\d*)$/;

/** Regenerates the task an id names. Throws UsageError when the id does not name one. */
export function openScenario<T extends Tables, F>(environment: Environment<T, F>, id: string): Scenario<T, F> {
  const match = TASK_ID.exec(id);
  if (match === null) {
    throw new UsageError({
      code: "unknown_task",
      what: "No such task",
      path: environment.name,
      expected: `an id like "train/0/12" (splits: ${SPLITS.join(", ")})`,
      actual: `"${id}"`,
      fix: "List ids with `windtunnel list`.",
    });
  }
  const seed = `${environment.name}/${id}`;
  const split = match[1] as Split;
  const world = World.open(environment.world, { seed, now: environment.startAt });
  const made = environment.generate(world, { random: new Random(`${seed}/generate`), split, index: Number(match[3]) });
  const { facts, limits, sourceGroup = id, prompt, archetype, family } = made;
  const task: Task = Object.freeze({
    id,
    environment: environment.name,
    prompt,
    seed,
    family,
    archetype,
    split,
    sourceGroup,
    limits: Object.freeze({ ...environment.limits, ...limits }),
  });
  world.takeChanges();
  return { task, facts: deepFreeze(facts), world: world.fork().readOnly() };
}
