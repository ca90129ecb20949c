/** Scenarios of tasks met again and again: the last few stay open, since attempts of one task lie close together in a run. */
import type { Scenario, TaskSource } from "../core/environment.js";
import { type Fault, toFault } from "../core/fault.js";

const KEPT = 16;

/** A function from task id to its scenario, or to the fault that opening it ended with. */
export function openScenarios(tasks: TaskSource): (task: string) => Scenario | Fault {
  const open = new Map<string, Scenario | Fault>();
  return (task) => {
    const known = open.get(task);
    const scenario = known ?? openOne(tasks, task);
    open.delete(task);
    open.set(task, scenario);
    if (open.size > KEPT) open.delete(open.keys().next().value!);
    return scenario;
  };
}

function openOne(tasks: TaskSource, task: string): Scenario | Fault {
  try {
    return tasks.open(task);
  } catch (cause) {
    return toFault("world", "generate_threw", cause);
  }
}
