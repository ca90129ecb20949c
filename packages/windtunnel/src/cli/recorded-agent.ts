/** An agent that does again what a rollout of an earlier run did: the same words and calls, turn by turn, whatever comes back. */
import type { Agent } from "../core/agent.js";
import { defineAgent } from "../core/agent.js";
import { Fault } from "../core/fault.js";
import type { Action, ToolCall } from "../core/message.js";
import type { TraceEvent } from "../core/trace.js";
import { type Run, type Store, toRolloutId } from "../store/store.js";

export function recordedAgent(store: Store, run: Run, task: string, attempt: number): Agent {
  return defineAgent({
    name: `replay:${run.id}`,
    version: run.agentVersion,
    open() {
      let actions: readonly Action[] | undefined;
      let next = 0;
      return async () => {
        if (actions === undefined) {
          const id = toRolloutId(run.id, task, attempt);
          if (store.rollout(id) === undefined) throw new Fault("agent", "not_recorded", `run ${run.id} has no rollout of ${task}, attempt ${attempt}`);
          actions = toActions(await store.events(id));
        }
        return actions[next++] ?? {};
      };
    },
  });
}

/** What the agent did in each turn of a trace. A turn that left no event did nothing. */
export function toActions(events: readonly TraceEvent[]): Action[] {
  const turns = new Map<number, { text?: string; calls: ToolCall[] }>();
  let last = 0;
  for (const event of events) {
    if (event.type !== "call" && !(event.type === "message" && event.role === "assistant")) continue;
    let turn = turns.get(event.turn);
    if (turn === undefined) turns.set(event.turn, (turn = { calls: [] }));
    last = event.turn;
    if (event.type === "message") turn.text = event.text;
    else turn.calls.push({ id: event.call, tool: event.tool, arguments: event.arguments });
  }
  return Array.from({ length: last }, (_, i) => turns.get(i + 1) ?? {});
}
