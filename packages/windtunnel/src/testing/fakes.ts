/**
 * Small stand-ins for the outside: a scripted person, a clock that moves when told, a world from plain rows, one tool called alone.
 */
import type { AnyEnvironment } from "../core/environment.js";
import { parseArguments, runHandler, type ToolReply } from "../core/tool.js";
import { defineUser, type User } from "../core/user.js";
import { type Row, type Tables, World, type WorldDefinition } from "../core/world.js";

/** A person who gives `replies` in order, one to each thing the agent says, and then leaves. */
export function fakeUser(name: string, replies: readonly string[]): User {
  return defineUser({
    name,
    open() {
      let next = 0;
      return () => replies[next++] ?? null;
    },
  });
}

/** A clock for `elapsedMs`, in ms, that moves only by `advance`. */
export function manualClock(startMs = 0): { elapsedMs(): number; advance(ms: number): void } {
  let now = startMs;
  return {
    elapsedMs: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

/** A world that holds `rows`, at `now` (ms since the Unix epoch). Rows that do not fit their schema are refused with every problem. */
export function worldOf<T extends Tables>(
  definition: WorldDefinition<T>,
  rows: { readonly [N in keyof T & string]?: readonly (Omit<Row<T[N]>, "id"> & { readonly id?: string })[] },
  { seed = "test", now = 0 }: { seed?: string; now?: number } = {},
): World<T> {
  const world = World.open(definition, { seed, now });
  for (const [table, list] of Object.entries(rows) as [keyof T & string, readonly never[]][])
    for (const row of list) world.insert(table, row);
  const problems = world.validate();
  if (problems.length > 0) throw new Error(`rows do not fit their schemas: ${problems.join("; ")}`);
  world.takeChanges();
  return world;
}

/** Calls one tool of an environment on `world` as an agent would, without an episode. Throws a Fault when the handler breaks. */
export function callTool(
  environment: AnyEnvironment,
  world: World,
  tool: string,
  args: unknown,
): ToolReply & { readonly finished: boolean } {
  const known = environment.tools.get(tool);
  if (known === undefined)
    throw new Error(
      `environment "${environment.name}" has no tool "${tool}"; it has: ${[...environment.tools.keys()].join(", ")}`,
    );
  const parsed = parseArguments(known.tool, args);
  if (!parsed.ok) return { ...parsed.reply, finished: false };
  let finished = false;
  const finish = () => {
    finished = true;
  };
  const reply = runHandler(known.tool, world.visible(), parsed.args, { finish });
  return { ...reply, finished };
}
