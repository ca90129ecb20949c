/**
 * Rollout: one attempt of one task by one agent, from opening to score. `runRollout` reads top to bottom.
 * It keeps nothing: the store does.
 */
import type { Agent } from "./agent.js";
import { defineAgent } from "./agent.js";
import type { Environment, Scenario } from "./environment.js";
import { Episode } from "./episode.js";
import { Fault, toFault } from "./fault.js";
import type { Observation } from "./message.js";
import { type OutcomeReading, readOutcome } from "./outcome.js";
import { applyRubric } from "./rubric.js";
import type { Score } from "./score.js";
import type { Task } from "./task.js";
import { Timeline } from "./timeline.js";
import type { EndReason, TraceEvent } from "./trace.js";
import type { Tables, World } from "./world.js";

/** A business result with its place between doing nothing (0) and the reference solution (1); null where the two are equal. */
export interface OutcomeResult extends OutcomeReading {
  readonly unit: string;
  readonly normalised: number | null;
}

/** What identifies the things a rollout was made with. */
export interface Provenance {
  readonly environment: string;
  readonly environmentVersion: string;
  readonly contractDigest: string;
  readonly rubricDigest: string;
  readonly agent: string;
  readonly agentVersion: string;
  readonly attemptSeed: string;
}

/** From the clock and the endpoint: true of this run of it, outside every hash. */
export interface RolloutUsage {
  readonly turns: number;
  readonly toolCalls: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly wallMs: number;
  readonly waitedMs: number;
}

export interface Rollout {
  readonly task: Task;
  readonly attempt: number;
  readonly events: readonly TraceEvent[];
  readonly endReason: EndReason;
  readonly finalState: string;
  readonly score: Score;
  /** Null when the episode broke before it had one, or the outcome itself could not be read. */
  readonly outcome: OutcomeResult | null;
  readonly provenance: Provenance;
  readonly usage: RolloutUsage;
}

export interface RolloutRequest<T extends Tables = Tables, F = unknown> {
  readonly environment: Environment<T, F>;
  readonly scenario: Scenario<T, F>;
  readonly agent: Agent;
  readonly attempt: number;
  /** Names the run's random streams; attempts derive theirs from it. */
  readonly runSeed: string;
  readonly elapsedMs?: () => number;
  readonly signal?: AbortSignal;
}

/** The seed of one attempt: the same whatever worker runs it. */
export const toAttemptSeed = (runSeed: string, taskId: string, attempt: number) => `${runSeed}/${taskId}/${attempt}`;

/** The environment's reference solution as an agent for this scenario. */
export function referenceAgent<T extends Tables, F>(environment: Environment<T, F>, scenario: Scenario<T, F>): Agent {
  return defineAgent({ name: "reference", open: (context) => environment.reference(scenario, context) });
}

/** Runs one attempt to its end and scores it. Faults of any boundary are recorded in the rollout, not thrown. */
export async function runRollout<T extends Tables, F>(request: RolloutRequest<T, F>): Promise<Rollout> {
  const { environment, scenario, agent, attempt, runSeed, elapsedMs, signal } = request;
  const attemptSeed = toAttemptSeed(runSeed, scenario.task.id, attempt);
  const startedMs = elapsedMs?.() ?? 0;
  const episode = new Episode(environment, scenario, {
    attemptSeed,
    ...(elapsedMs === undefined ? {} : { elapsedMs }),
    ...(signal === undefined ? {} : { signal }),
  });
  const fault = await converse(episode, agent, signal);
  const score =
    episode.ended === "cancelled"
      ? CANCELLED
      : fault === undefined
        ? scoreEpisode(environment, scenario, episode.events, episode.world)
        : brokenScore(fault);
  const { turns, toolCalls, tokens, costUsd, waitedMs } = episode.usage;
  return {
    task: scenario.task,
    attempt,
    events: episode.events,
    endReason: episode.ended!,
    finalState: episode.world.hash(),
    score,
    outcome:
      fault === undefined && episode.ended !== "cancelled"
        ? await judgeOutcome(environment, scenario, episode.world)
        : null,
    provenance: {
      environment: environment.name,
      environmentVersion: environment.version,
      contractDigest: environment.contractDigest,
      rubricDigest: environment.rubric.digest,
      agent: agent.name,
      agentVersion: agent.version,
      attemptSeed,
    },
    usage: { turns, toolCalls, tokens, costUsd, waitedMs, wallMs: (elapsedMs?.() ?? 0) - startedMs },
  };
}

/** Lets agent and episode talk until it ends; returns the fault that broke it, if one did. */
async function converse<T extends Tables, F>(
  episode: Episode<T, F>,
  agent: Agent,
  signal: AbortSignal | undefined,
): Promise<Fault | undefined> {
  let abort: Abort | undefined;
  try {
    const act = guard("agent", () => agent.open(episode.agentContext));
    let observation: Observation = episode.opening;
    while (episode.ended === undefined) {
      if (signal?.aborted === true) {
        episode.stop("cancelled");
        break;
      }
      let action = guard("agent", () => act(observation));
      if (action instanceof Promise) {
        const answer = action.catch((cause) => {
          throw toFault("agent", "agent_threw", cause);
        });
        abort ??= signal === undefined ? undefined : openAbort(signal);
        const first = abort === undefined ? await answer : await Promise.race([answer, abort.fired]);
        if (first === ABORTED) {
          answer.catch(() => {});
          episode.stop("cancelled");
          break;
        }
        action = first;
      }
      if (
        typeof action !== "object" ||
        action === null ||
        (action.calls !== undefined && !Array.isArray(action.calls))
      ) {
        throw new Fault("agent", "invalid_action", "the agent returned no action: expected { text?, calls?: [...] }");
      }
      const stepped = episode.step(action);
      observation = (stepped instanceof Promise ? await stepped : stepped).observation;
    }
    return undefined;
  } catch (cause) {
    const fault = toFault("world", "episode_threw", cause);
    episode.stop(signal?.aborted === true ? "cancelled" : "fault");
    return fault;
  } finally {
    abort?.close();
  }
}

const ABORTED = Symbol("aborted");

interface Abort {
  readonly fired: Promise<typeof ABORTED>;
  close(): void;
}

/** Listens once per rollout: an agent that never answers must not hold up a cancelled run. */
function openAbort(signal: AbortSignal): Abort {
  let listener = () => {};
  const fired = new Promise<typeof ABORTED>((resolve) => {
    listener = () => resolve(ABORTED);
    if (signal.aborted) listener();
    else signal.addEventListener("abort", listener, { once: true });
  });
  return { fired, close: () => signal.removeEventListener("abort", listener) };
}

function guard<R>(boundary: "agent", work: () => R): R {
  try {
    return work();
  } catch (cause) {
    throw toFault(boundary, `${boundary}_threw`, cause);
  }
}

const CANCELLED: Score = { status: "unscored", reason: "cancelled before it ended", results: [] };

/** The score of an episode that a fault broke: errored, never a number. */
export const brokenScore = (fault: Fault): Score => ({
  status: "errored",
  reason: `${fault.boundary}/${fault.code}: ${fault.message}`,
  results: [],
});

/** Scores a finished episode from its trace and its worlds; used again, unchanged, when an old rollout is rescored. */
export function scoreEpisode<T extends Tables, F>(
  environment: Environment<T, F>,
  scenario: Scenario<T, F>,
  events: readonly TraceEvent[],
  end: World<T>,
): Score {
  const before = scenario.world.visible().readOnly();
  const after = end.visible().readOnly();
  return applyRubric(environment.rubric, {
    task: scenario.task,
    facts: scenario.facts,
    timeline: new Timeline(events),
    before,
    after,
    changes: after.diff(before),
  });
}

interface Scale {
  readonly idle: number;
  readonly reference: number;
}

const scales = new WeakMap<object, Promise<Scale | null>>();

async function judgeOutcome<T extends Tables, F>(
  environment: Environment<T, F>,
  scenario: Scenario<T, F>,
  end: World<T>,
): Promise<OutcomeResult | null> {
  let reading: OutcomeReading;
  try {
    reading = readOutcome(environment.outcome, end, scenario.world);
  } catch {
    // The score does not depend on it, so it stands; the missing outcome shows in the report's coverage, and the checker names the cause.
    return null;
  }
  if (!Number.isFinite(reading.value)) return null;
  let scale = scales.get(scenario);
  if (scale === undefined) {
    scale = outcomeScale(environment, scenario);
    scales.set(scenario, scale);
  }
  const known = await scale;
  const span = known === null ? 0 : known.reference - known.idle;
  const place = known === null || Math.abs(span) < 1e-9 ? Number.NaN : (reading.value - known.idle) / span;
  return { ...reading, unit: environment.outcome.unit, normalised: Number.isFinite(place) ? place : null };
}

/** The outcome of doing nothing and of the reference solution, for one scenario; null when the reference cannot be run. */
async function outcomeScale<T extends Tables, F>(
  environment: Environment<T, F>,
  scenario: Scenario<T, F>,
): Promise<Scale | null> {
  try {
    const episode = new Episode(environment, scenario, { attemptSeed: `scale/${scenario.task.id}` });
    const idle = readOutcome(environment.outcome, scenario.world, scenario.world).value;
    const fault = await converse(episode, referenceAgent(environment, scenario), undefined);
    return fault === undefined
      ? { idle, reference: readOutcome(environment.outcome, episode.world, scenario.world).value }
      : null;
  } catch {
    return null;
  }
}
