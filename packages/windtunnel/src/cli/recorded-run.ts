/** A run of the store with what it takes to execute it again: its environment as it is now, and its tasks. */
import type { TaskSource } from "../core/environment.js";
import type { Run } from "../store/store.js";
import { type FoundEnvironment, openEnvironment } from "./find-environment.js";
import type { Output } from "./output.js";
import { openTasks } from "./task-source.js";

export interface RecordedRun {
  readonly run: Run;
  readonly found: FoundEnvironment;
  readonly tasks: TaskSource;
}

/** Opens the run's environment, or the one named instead; says so when it is not the version that the run was made with. */
export async function openRecordedRun(
  run: Run,
  named: string | undefined,
  from: string,
  output: Output,
): Promise<RecordedRun> {
  const found = await openEnvironment(named ?? run.spec.environment, from);
  const { version } = found.environment;
  if (version !== run.environmentVersion) {
    output.note(`The environment has changed since: version ${run.environmentVersion} then, ${version} now.`, {
      before: run.environmentVersion,
      after: version,
    });
  }
  return { run, found, tasks: openTasks(found, run.spec) };
}
