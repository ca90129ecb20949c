/**
 * Re-execution: an episode made again from its trace, in a new world, checked event by event as it goes. What came from outside (clocks,
 * spending, cancellation, a broken agent, a user that cannot be made to say the same) is taken from the trace; all else must follow.
 */
import type { AnyEnvironment, Scenario } from "../core/environment.js";
import { Episode } from "../core/episode.js";
import { Fault, toFault } from "../core/fault.js";
import { type EndReason, type TraceEvent, toTraceLine } from "../core/trace.js";
import { defineUser } from "../core/user.js";
import { type Difference, firstDifference } from "./difference.js";
import { type Recording, toRecording } from "./recorded.js";

export interface Reexecution {
  readonly episode: Episode;
  /** The fault that the world, a tool or the user met again. */
  readonly fault: Fault | undefined;
  /** Where the events first differ; the episode stands there and went no further. */
  readonly difference: Difference | undefined;
}

const FROM_OUTSIDE: ReadonlySet<EndReason> = new Set([
  "token_limit",
  "cost_limit",
  "wall_time_limit",
  "working_time_limit",
  "cancelled",
  "fault",
]);

/** Makes the episode of `events` again. Never throws for what the environment does: that is a fault or a difference. */
export async function reexecute(
  environment: AnyEnvironment,
  scenario: Scenario,
  attemptSeed: string,
  events: readonly TraceEvent[],
): Promise<Reexecution> {
  const recording = toRecording(events);
  const episode = new Episode(withRecordedUser(environment, recording), scenario, { attemptSeed });
  const check = openCheck(events, episode);
  let fault: Fault | undefined;
  try {
    for (const { action } of recording.turns) {
      if (episode.ended !== undefined || check() !== undefined) break;
      const stepped = episode.step(action);
      if (stepped instanceof Promise) await stepped;
    }
  } catch (cause) {
    fault = toFault("world", "episode_threw", cause);
    episode.stop("fault");
  }
  const { endReason } = recording;
  if (check() === undefined && endReason !== undefined && FROM_OUTSIDE.has(endReason)) episode.stop(endReason);
  return {
    episode,
    fault: fault?.code === NO_REPLY ? undefined : fault,
    difference: check() ?? missing(events, episode),
  };
}

/** Compares what the episode has added since the last look; the first difference stays the answer. */
function openCheck(events: readonly TraceEvent[], episode: Episode): () => Difference | undefined {
  let seq = 0;
  let found: Difference | undefined;
  return () => {
    for (; found === undefined && seq < episode.events.length; seq++) {
      found = differenceAt(events, episode.events, seq);
    }
    if (found?.path === "state") found = causeOf(events, episode.events, found.seq! + 1) ?? found;
    return found;
  };
}

function differenceAt(
  expected: readonly TraceEvent[],
  actual: readonly TraceEvent[],
  seq: number,
): Difference | undefined {
  const [a, b] = [expected[seq], actual[seq]];
  if (a !== undefined && b !== undefined && toTraceLine(a) === toTraceLine(b)) return undefined;
  return firstDifference(a, b, seq);
}

/** A call's state hash covers the world's own events that follow it in the trace: the one that differs says more than the hash. */
function causeOf(expected: readonly TraceEvent[], actual: readonly TraceEvent[], from: number): Difference | undefined {
  for (let seq = from; expected[seq]?.type === "world" || actual[seq]?.type === "world"; seq++) {
    const difference = differenceAt(expected, actual, seq);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function missing(events: readonly TraceEvent[], episode: Episode): Difference | undefined {
  const seq = episode.events.length;
  return seq < events.length ? { seq, path: "", expected: events[seq], actual: undefined } : undefined;
}

const NO_REPLY = "no_recorded_reply";

/** A user who cannot be relied on to answer alike is heard from the trace; one who can is asked again. */
function withRecordedUser(environment: AnyEnvironment, { turns, endReason }: Recording): AnyEnvironment {
  const { user } = environment;
  if (user === undefined || user.deterministic !== false) return environment;
  const replies = turns.filter(({ action }) => action.calls === undefined).map(({ reply }) => reply);
  const recorded = defineUser({
    name: user.name,
    open() {
      let next = 0;
      return () => {
        const reply = replies[next++] ?? null;
        // Silence in the trace is a person who left, unless it is where the user broke.
        if (reply === null && endReason === "fault") throw new Fault("user", NO_REPLY, "the user broke here");
        return reply;
      };
    },
  });
  return Object.create(environment, { user: { value: recorded } }) as AnyEnvironment;
}
