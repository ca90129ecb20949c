/**
 * Agents to test with: one that does nothing, one that plays a script turn by turn, one that breaks. None of them sees grader facts.
 */
import { type Agent, defineAgent } from "../core/agent.js";
import type { Action, Observation } from "../core/message.js";

/** Does nothing: stops at its first turn. A sound environment pays it nothing. */
export const idleAgent: Agent = defineAgent({ name: "idle", open: () => () => ({}) });

/**
 * Plays `turns` in order, then stops. A turn given as a function sees what is new since the last one.
 * @example fakeAgent("reader", [{ calls: [{ tool: "get_ticket", arguments: { ticket: "TCK-10001" } }] }, ({ messages }) => ({ text: String(messages.length) })])
 */
export function fakeAgent(name: string, turns: readonly (Action | ((observation: Observation) => Action))[]): Agent {
  return defineAgent({
    name,
    open() {
      let next = 0;
      return (observation) => {
        const turn = turns[next++];
        return typeof turn === "function" ? turn(observation) : (turn ?? {});
      };
    },
  });
}

/** Plays `turns`, then throws `error`: what a lost endpoint or a bug in an agent looks like. */
export function breakingAgent(turns: readonly Action[], error: unknown): Agent {
  return defineAgent({
    name: "breaking",
    open() {
      let next = 0;
      return () => {
        if (next === turns.length) throw error;
        return turns[next++]!;
      };
    },
  });
}
