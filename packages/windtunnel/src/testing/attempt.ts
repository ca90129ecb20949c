/**
 * Attempt: one agent's run of one scenario, kept whole for the checker: trace, what the agent heard, final world, score, outcome,
 * and the ambient sources that were drawn on. It never throws: a broken boundary is part of the record.
 */
import type { Agent } from "../core/agent.js";
import type { AnyEnvironment, Scenario } from "../core/environment.js";
import { Episode } from "../core/episode.js";
import { type Fault, toFault } from "../core/fault.js";
import { toCanonicalJson } from "../core/hash.js";
import type { Action, Observation } from "../core/message.js";
import { type OutcomeReading, readOutcome } from "../core/outcome.js";
import { scoreEpisode } from "../core/rollout.js";
import type { Score } from "../core/score.js";
import type { CallEvent, TraceEvent } from "../core/trace.js";
import type { World } from "../core/world.js";
import { messageOf } from "./report.js";
import { watchAmbient } from "./watch-ambient.js";

export interface Attempt {
  readonly scenario: Scenario;
  readonly agent: string;
  readonly events: readonly TraceEvent[];
  /** The final world, sealed tables included. */
  readonly world: World;
  readonly fault: Fault | undefined;
  /** Undefined when a boundary broke. */
  readonly score: Score | undefined;
  readonly outcome: OutcomeReading | { readonly problem: string };
  /** Ambient sources drawn on by the agent, and by the environment's own step and outcome. */
  readonly ambient: { readonly agent: readonly string[]; readonly environment: readonly string[] };
}

export interface AttemptOptions {
  /** Names the attempt's random streams. */
  readonly seed: string;
  /** Moves the wall clock, to show whether anything reads it. */
  readonly shiftMs?: number;
}

/** Runs `agent` on `scenario` to its end. */
export async function runAttempt(
  environment: AnyEnvironment,
  scenario: Scenario,
  agent: Agent,
  { seed, shiftMs = 0 }: AttemptOptions,
): Promise<Attempt> {
  const byAgent = new Set<string>();
  const byEnvironment = new Set<string>();
  const inEnvironment = <T>(work: () => T) => watchAmbient(shiftMs, byEnvironment, work);
  const inAgent = <T>(work: () => T): T => {
    try {
      return watchAmbient(shiftMs, byAgent, work);
    } catch (error) {
      throw toFault("agent", "agent_threw", error);
    }
  };

  let episode: Episode | undefined;
  let fault: Fault | undefined;
  try {
    const live = inEnvironment(() => new Episode(environment, scenario, { attemptSeed: seed }));
    episode = live;
    const act = inAgent(() => agent.open(live.agentContext));
    let observation: Observation = live.opening;
    while (live.ended === undefined) {
      const seen = observation;
      const action: Action = await inAgent(() => act(seen));
      const stepped = await inEnvironment(() => live.step(action));
      observation = stepped.observation;
    }
  } catch (error) {
    fault = toFault("world", "episode_threw", error);
    episode?.stop("fault");
  }
  const world = episode?.world ?? scenario.world;
  const events = episode?.events ?? [];
  const score =
    fault === undefined ? inEnvironment(() => scoreEpisode(environment, scenario, events, world)) : undefined;
  return {
    scenario,
    agent: agent.name,
    events,
    world,
    fault,
    score,
    outcome: inEnvironment(() => tryOutcome(environment, world, scenario.world)),
    ambient: { agent: [...byAgent], environment: [...byEnvironment] },
  };
}

/** The outcome of a final world, or why it could not be read. */
export function tryOutcome(environment: AnyEnvironment, end: World, start: World): Attempt["outcome"] {
  try {
    return readOutcome(environment.outcome, end, start);
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Every call of an attempt with where it stands: "train/0/3 by reference, call 2 get_order". */
export function* callsOf({
  scenario,
  agent,
  events,
}: Attempt): Generator<{ readonly where: string; readonly call: CallEvent }> {
  let number = 0;
  for (const event of events)
    if (event.type === "call")
      yield { where: `${scenario.task.id} by ${agent}, call ${number++} ${event.tool}`, call: event };
}

/** Everything about an attempt that must come out the same when it is run again, one line each. */
export function linesOf({ events, world, fault, score, outcome }: Attempt): string[] {
  return [
    ...events.map((event) => JSON.stringify(event)),
    `final state ${world.hash()}`,
    `fault ${fault === undefined ? "none" : `${fault.boundary}/${fault.code}: ${fault.message}`}`,
    `score ${score === undefined ? "none" : toCanonicalJson(score)}`,
    `outcome ${toText(outcome)}`,
  ];
}

/** An outcome may hold NaN, which canonical JSON refuses; it is the outcome check's to report. */
const toText = (outcome: Attempt["outcome"]) =>
  JSON.stringify(outcome, (_, value: unknown) => (typeof value === "number" ? String(value) : value));
