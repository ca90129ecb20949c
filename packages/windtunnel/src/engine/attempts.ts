/**
 * The attempts of a run that are still to be made, opened lazily: one scenario per task, shared by its attempts. A world that cannot be
 * generated is a fault of that task's attempts, not of the run.
 */
import { type Agent, defineAgent } from "../core/agent.js";
import type { AnyEnvironment, Scenario, TaskSource } from "../core/environment.js";
import { toFault } from "../core/fault.js";
import { type Rollout, runRollout, toAttemptSeed } from "../core/rollout.js";
import type { Run } from "../store/store.js";

export interface AttemptPlan {
  readonly environment: AnyEnvironment;
  readonly tasks: TaskSource;
  readonly attempts: number;
  agentFor(scenario: Scenario, attempt: number): Agent;
  readonly runSeed: string;
  /** The run's own record: names the agent and the split where a task could not say. */
  readonly run: Run;
  /** Attempts of a task that need not be made again. */
  completed(task: string): readonly number[];
}

/** Makes one attempt; faults are in the rollout, not thrown. */
export type Attempt = (options: { elapsedMs: () => number; signal?: AbortSignal }) => Promise<Rollout>;

/** Attempts in order of task, then of attempt number. */
export function* openAttempts(plan: AttemptPlan): Generator<Attempt> {
  for (const id of plan.tasks.ids()) {
    const done = new Set(plan.completed(id));
    let opened: Opened | undefined;
    for (let attempt = 0; attempt < plan.attempts; attempt++) {
      if (done.has(attempt)) continue;
      yield async (options) => {
        opened ??= openTask(plan.tasks, id);
        if (!opened.ok) return unopenedRollout(plan, id, attempt, opened.cause);
        const { environment, runSeed } = plan;
        return runRollout({
          environment,
          scenario: opened.scenario,
          agent: agentOf(plan, opened.scenario, attempt),
          attempt,
          runSeed,
          ...options,
        });
      };
    }
  }
}

type Opened = { readonly ok: true; readonly scenario: Scenario } | { readonly ok: false; readonly cause: unknown };

function openTask(tasks: TaskSource, id: string): Opened {
  try {
    return { ok: true, scenario: tasks.open(id) };
  } catch (cause) {
    return { ok: false, cause };
  }
}

/** An agent that cannot be made is one that cannot be opened: the same fault, recorded the same way. */
function agentOf(plan: AttemptPlan, scenario: Scenario, attempt: number): Agent {
  try {
    return plan.agentFor(scenario, attempt);
  } catch (cause) {
    const { agent: name, agentVersion: version } = plan.run;
    return defineAgent({
      name,
      version,
      open() {
        throw cause;
      },
    });
  }
}

const SPLIT_OF_ID = /^(train|validation|sealed)\//;

/** The record of an attempt whose world never came to be. */
function unopenedRollout(
  { environment, run, runSeed }: AttemptPlan,
  id: string,
  attempt: number,
  cause: unknown,
): Rollout {
  const fault = toFault("world", "generate_threw", cause);
  const split = (SPLIT_OF_ID.exec(id)?.[1] ?? run.spec.split) as Run["spec"]["split"];
  return {
    task: {
      id,
      environment: environment.name,
      prompt: "",
      seed: "",
      family: "",
      archetype: "",
      split,
      sourceGroup: id,
      limits: environment.limits,
    },
    attempt,
    events: [],
    endReason: "fault",
    finalState: "",
    score: { status: "errored", reason: `${fault.boundary}/${fault.code}: ${fault.message}`, results: [] },
    outcome: null,
    provenance: {
      environment: environment.name,
      environmentVersion: environment.version,
      contractDigest: environment.contractDigest,
      rubricDigest: environment.rubric.digest,
      agent: run.agent,
      agentVersion: run.agentVersion,
      attemptSeed: toAttemptSeed(runSeed, id, attempt),
    },
    usage: { turns: 0, toolCalls: 0, tokens: 0, costUsd: 0, wallMs: 0, waitedMs: 0 },
  };
}
