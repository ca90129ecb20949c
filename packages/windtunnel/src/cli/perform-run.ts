/**
 * One run, from its plan to its end: makes or resumes its record, lets the engine roll, shows progress. Shared by the verbs that make
 * rollouts. What the run came to is read from the store: see run-result.ts.
 */
import type { TaskSource } from "../core/environment.js";
import { Fault, UsageError } from "../core/fault.js";
import { type RunProgress, runRollouts } from "../engine/run.js";
import type { Run, RunSpec, Store } from "../store/store.js";
import { EndpointWatch } from "./endpoint-watch.js";
import type { FoundEnvironment } from "./find-environment.js";
import { LiveStatus } from "./live-status.js";
import type { Output } from "./output.js";
import type { PickedAgent } from "./pick-agent.js";
import { storeWith } from "./redacting-store.js";
import { newRunId } from "./run-id.js";

export interface RunPlan {
  readonly found: FoundEnvironment;
  readonly agent: PickedAgent;
  readonly tasks: TaskSource;
  readonly spec: RunSpec;
  /** The run to go on with; a new one is made when absent. */
  readonly resume?: Run;
  readonly concurrency: number | "auto";
  readonly store: Store;
  readonly signal: AbortSignal;
  readonly output: Output;
  /** Progress is erased when the run ends: for a run that is one of several. */
  readonly brief?: boolean;
  /** No progress is shown: for a run that talks for itself. */
  readonly quiet?: boolean;
}

export interface PerformedRun {
  readonly run: Run;
  readonly stoppedBy: RunProgress["stoppedBy"];
}

/** Runs to the end, to the cost limit or to the signal. Throws a Fault when the model refuses everything, or is no longer there. */
export async function performRun(plan: RunPlan): Promise<PerformedRun> {
  const { found, agent, tasks, spec, store, output } = plan;
  const { environment } = found;
  const run = plan.resume ?? createRun(plan);
  const live = new LiveStatus(output);
  const label = `${environment.name} by ${agent.name}`;
  const endpoint = new EndpointWatch();
  let [outcomeSum, outcomes] = [0, 0];
  output.progress({
    event: "start",
    run: run.id,
    environment: environment.name,
    agent: agent.name,
    attempts: tasks.size * spec.attempts,
  });
  const progress = await runRollouts({
    run: run.id,
    environment,
    tasks,
    attempts: spec.attempts,
    agentFor: (scenario, attempt) =>
      agent.endpoint === undefined
        ? agent.agentFor(scenario, attempt)
        : endpoint.watch(agent.agentFor(scenario, attempt)),
    runSeed: String(spec.seed),
    store: storeWith(store, {
      async commit(id, rollouts) {
        await store.commit(id, rollouts);
        for (const { outcome } of rollouts) {
          outcomeSum += outcome?.value ?? 0;
          outcomes += Number(outcome !== null);
        }
      },
    }),
    concurrency: plan.concurrency,
    signal: AbortSignal.any([plan.signal, endpoint.signal]),
    ...(spec.maxCostUsd === undefined ? {} : { maxCostUsd: spec.maxCostUsd }),
    onProgress(figures) {
      if (plan.quiet !== true)
        live.update({ ...figures, label, outcomeSum, outcomes, outcomeUnit: environment.outcome.unit });
    },
  });
  live.finish({ clear: plan.brief === true });
  if (endpoint.fault !== undefined && progress.stoppedBy !== null) {
    store.finishRun(run.id, "failed", 0);
    const { code, message } = endpoint.fault;
    throw new Fault(
      "model",
      code,
      `${message}. The run was stopped, what is finished is kept; go on with: windtunnel run --resume ${run.id}`,
    );
  }
  return { run: store.run(run.id)!, stoppedBy: progress.stoppedBy };
}

function createRun({ found: { environment }, agent, spec, store }: RunPlan): Run {
  const id = newRunId(environment.name, agent.name);
  store.createRun({
    id,
    spec,
    createdAt: new Date().toISOString(),
    environment: environment.name,
    environmentVersion: environment.version,
    contractDigest: environment.contractDigest,
    rubricDigest: environment.rubric.digest,
    agent: agent.name,
    agentVersion: agent.version,
  });
  return store.run(id)!;
}

/** A run goes on only as what it was: the same environment, tools, rubric and agent. Throws UsageError naming what is not. */
export function checkResumable(run: Run, { environment }: FoundEnvironment, agent: PickedAgent): void {
  const now = {
    environment: environment.name,
    environmentVersion: environment.version,
    contractDigest: environment.contractDigest,
    rubricDigest: environment.rubric.digest,
    agent: agent.name,
    agentVersion: agent.version,
  };
  for (const [field, actual] of Object.entries(now)) {
    const expected = run[field as keyof typeof now];
    if (expected === actual) continue;
    throw new UsageError({
      code: "not_resumable",
      what: `Run ${run.id} cannot go on: what it ran has changed`,
      path: field,
      expected: `"${expected}"`,
      actual: `"${actual}"`,
      fix: "Start a new run; the old one is kept as it is.",
    });
  }
}
