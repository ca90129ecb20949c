/**
 * The in-process engine: many rollouts of one run, bounded, in batches, resumable. Results are committed before they are counted.
 */
import type { Agent } from "../core/agent.js";
import type { AnyEnvironment, Scenario, TaskSource } from "../core/environment.js";
import { UsageError } from "../core/fault.js";
import type { Run, Store } from "../store/store.js";
import { type Attempt, openAttempts } from "./attempts.js";
import { Committer } from "./committer.js";
import { Pace } from "./pace.js";
import { type Job, runPool } from "./pool.js";
import { Tally } from "./tally.js";

export interface RunRequest {
  /** Id of a run made with `store.createRun`; what it has committed is not run again. `runRollouts` sets its status and wall time. */
  readonly run: string;
  readonly environment: AnyEnvironment;
  readonly tasks: TaskSource;
  readonly attempts: number;
  /** The agent for a scenario; the reference solution and a replay depend on it, other agents do not. */
  agentFor(scenario: Scenario, attempt: number): Agent;
  readonly runSeed: string;
  readonly store: Store;
  /** Rollouts in flight; "auto" suits the agent (1 for synchronous ones). */
  readonly concurrency: number | "auto";
  /** No attempt is begun once this much is spent; those in flight end as they will. */
  readonly maxCostUsd?: number;
  /** Ends the run: rollouts in flight are cut off, are not committed and run again on resume. */
  readonly signal?: AbortSignal;
  /** Called after each commit with totals so far. */
  onProgress?(progress: RunProgress): void;
}

/** At the end, scored + unscored + errored + cancelled is total: every planned attempt is in exactly one. */
export interface RunProgress {
  readonly total: number;
  readonly completed: number;
  /** Committed by an earlier try of this run. */
  readonly resumed: number;
  readonly scored: number;
  readonly unscored: number;
  readonly errored: number;
  readonly cancelled: number;
  readonly passed: number;
  readonly rewardSum: number;
  readonly tokens: number;
  readonly costUsd: number;
  /** Why it stopped before the end, when it did. */
  readonly stoppedBy: "signal" | "cost" | null;
}

/**
 * Makes every attempt of a run that is not yet committed. Throws UsageError when the run is unknown or is of another environment, and the
 * store's Fault when a commit fails (the run is then "failed" and can be resumed).
 */
export async function runRollouts(request: RunRequest): Promise<RunProgress> {
  const { store, environment, tasks, attempts, maxCostUsd = Number.POSITIVE_INFINITY } = request;
  const run = store.run(request.run);
  checkSame(run, request);
  const before = store.totals(run.id);
  const tally = new Tally(tasks.size * attempts, before);
  const startedMs = performance.now();
  store.finishRun(run.id, "running", 0);

  const broken = new AbortController();
  const signal = request.signal === undefined ? broken.signal : AbortSignal.any([request.signal, broken.signal]);
  const spent = () => tally.spentUsd >= maxCostUsd;
  const committer = new Committer(
    (batch) => {
      const committed = tally.count(batch);
      return store.commit(run.id, batch).then(() => {
        committed();
        request.onProgress?.(tally.progress());
      });
    },
    (error) => broken.abort(error),
  );
  const pending = openAttempts({
    environment,
    tasks,
    attempts,
    agentFor: (scenario, attempt) => request.agentFor(scenario, attempt),
    runSeed: request.runSeed,
    run,
    completed: (task) => (before.completed === 0 ? [] : store.completedAttempts(run.id, task)),
  });
  try {
    const planned = request.tasks.size * request.attempts;
    const concurrency = request.concurrency === "auto" ? "auto" : Math.min(request.concurrency, Math.max(1, planned));
    await runPool(toJobs(pending, committer, tally, signal), concurrency, () => signal.aborted || spent());
    await committer.drain();
    if (broken.signal.aborted) throw broken.signal.reason;
  } catch (error) {
    await committer.drain();
    finish(store, run, "failed", startedMs);
    throw error;
  }
  const end = tally.settle(store.totals(run.id), signal.aborted ? "signal" : "cost");
  finish(store, run, end.stoppedBy === null ? "done" : "cancelled", startedMs);
  return end;
}

function* toJobs(attempts: Iterable<Attempt>, committer: Committer, tally: Tally, signal: AbortSignal): Generator<Job> {
  const pace = new Pace();
  const elapsedMs = () => performance.now();
  for (const attempt of attempts) {
    yield async (waiting) => {
      waiting.begin();
      const rollout = await attempt({ elapsedMs, signal });
      waiting.end();
      if (Number.isFinite(rollout.usage.costUsd)) tally.spentUsd += rollout.usage.costUsd;
      if (rollout.endReason === "cancelled") return;
      await committer.add(rollout);
      await pace.breathe();
    };
  }
}

/** The wall time of a failed run is kept too, if the store still takes it: the failure itself is the news. */
function finish(store: Store, run: Run, status: Run["status"], startedMs: number): void {
  try {
    store.finishRun(run.id, status, performance.now() - startedMs);
  } catch (error) {
    if (status !== "failed") throw error;
  }
}

/** One run is one environment: rollouts of two must never be averaged. */
function checkSame(run: Run | undefined, { run: id, environment }: RunRequest): asserts run is Run {
  if (run === undefined) {
    throw new UsageError({
      code: "unknown_run",
      what: "No such run",
      expected: "a run made in this store",
      actual: id,
      fix: "Create it first.",
    });
  }
  const now = {
    environment: environment.name,
    environmentVersion: environment.version,
    contractDigest: environment.contractDigest,
    rubricDigest: environment.rubric.digest,
  };
  for (const [field, actual] of Object.entries(now)) {
    const expected = run[field as keyof typeof now];
    if (expected === actual) continue;
    throw new UsageError({
      code: "not_resumable",
      what: `Run ${id} was made with something else`,
      path: field,
      expected,
      actual,
      fix: "Start a new run.",
    });
  }
}
