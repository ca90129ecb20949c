/**
 * System: a named group of tools that stand for one real system, with the ways it misbehaves. Faults are seeded per task and per call,
 * so a rollout meets the same outages whenever it is run again.
 */
import type { Tool } from "./tool.js";
import type { Tables, World } from "./world.js";

/** How a system misbehaves. Probabilities are per call, in [0, 1]. */
export interface FaultProfile {
  /** The answer is lost. Half of timed-out writes have taken effect: an agent must look before it tries again. */
  readonly timeout?: number;
  /** The system answers with an error and did nothing. */
  readonly unavailable?: number;
  /** A read is answered from the state at the start of the episode. */
  readonly staleRead?: number;
  /** At most `calls` calls in any `perMs` of simulated time. */
  readonly rateLimit?: { readonly calls: number; readonly perMs: number };
}

export interface System<T extends Tables = Tables> {
  readonly name: string;
  readonly title: string;
  readonly tools: readonly Tool<T>[];
  readonly faults: FaultProfile;
}

/** Defines a system. */
export function defineSystem<T extends Tables>(system: {
  name: string;
  title: string;
  tools: readonly Tool<T>[];
  faults?: FaultProfile;
}): System<T> {
  return { ...system, faults: system.faults ?? {} };
}

export type InjectedFault = "timeout_lost" | "timeout_applied" | "unavailable" | "stale_read" | "rate_limited";

/** The fault, if any, that call number `index` of an episode meets. `recent` holds the simulated times (ms) of earlier calls to the system. */
export function drawFault(
  system: System,
  tool: Tool,
  world: World,
  index: number,
  recent: readonly number[],
): InjectedFault | undefined {
  const { timeout = 0, unavailable = 0, staleRead = 0, rateLimit } = system.faults;
  if (rateLimit !== undefined) {
    const since = world.now - rateLimit.perMs;
    let calls = 0;
    for (let i = recent.length - 1; i >= 0 && recent[i]! > since; i--) calls++;
    if (calls >= rateLimit.calls) return "rate_limited";
  }
  if (timeout + unavailable + staleRead === 0) return undefined;
  const random = world.random(`fault/${system.name}/${index}`);
  const draw = random.float();
  if (draw < timeout) return tool.effect === "write" && random.chance(0.5) ? "timeout_applied" : "timeout_lost";
  if (draw < timeout + unavailable) return "unavailable";
  if (tool.effect === "read" && draw < timeout + unavailable + staleRead) return "stale_read";
  return undefined;
}
