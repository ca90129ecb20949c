/** Which archetypes an environment's generator makes, found by generating: an environment declares no list. */
import type { AnyEnvironment } from "../core/environment.js";
import { generatedTasks } from "../core/environment.js";

/** Archetypes among the first `count` training tasks, commonest first. A rare one may be missing. */
export function archetypesOf(environment: AnyEnvironment, count: number): string[] {
  const counts = new Map<string, number>();
  const tasks = generatedTasks(environment, { split: "train", seed: 0, count });
  for (const id of tasks.ids()) {
    const { archetype } = tasks.open(id).task;
    counts.set(archetype, (counts.get(archetype) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name);
}
