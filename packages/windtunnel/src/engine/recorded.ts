/**
 * What was recorded, as something that can be done again: the actions of a trace turn by turn, what the simulated user answered, and an
 * agent that plays them.
 */
import { type Agent, defineAgent } from "../core/agent.js";
import type { Scenario } from "../core/environment.js";
import { Fault } from "../core/fault.js";
import type { Action, ToolCall } from "../core/message.js";
import { type CallEvent, type EndReason, isFailure, type TraceEvent } from "../core/trace.js";
import { type Store, toRolloutId } from "../store/store.js";

export interface RecordedTurn {
  readonly action: Action;
  /** What the user said to it, null when nothing was heard. */
  readonly reply: string | null;
}

export interface Recording {
  readonly turns: readonly RecordedTurn[];
  /** Undefined when the trace has no end: it is empty, or was cut. */
  readonly endReason: EndReason | undefined;
}

/** Takes a trace apart. A last turn that left no event of its own (an empty action, a call over the limit) is put back. */
export function toRecording(events: readonly TraceEvent[]): Recording {
  const turns: { text?: string; calls: ToolCall[]; reply: string | null }[] = [];
  let endReason: EndReason | undefined;
  for (const event of events) {
    if (event.type === "end") endReason = event.reason;
    if (!("turn" in event) || event.turn === 0) continue;
    while (turns.length < event.turn) turns.push({ calls: [], reply: null });
    const turn = turns[event.turn - 1]!;
    if (event.type === "call") turn.calls.push({ id: event.call, tool: event.tool, arguments: argumentsOf(event) });
    else if (event.role === "assistant") turn.text = event.text;
    else if (event.role === "user") turn.reply = event.text;
  }
  const last = turns[turns.length - 1];
  if (endReason === "tool_call_limit") {
    // The call that met the limit was never run, so what it was does not matter.
    const refusedCall = { tool: "", arguments: {} };
    if (last === undefined || last.reply !== null) turns.push({ calls: [refusedCall], reply: null });
    else last.calls.push(refusedCall);
  }
  if (endReason === "agent_stopped" && (last === undefined || last.calls.length > 0 || last.reply !== null))
    turns.push({ calls: [], reply: null });
  return {
    endReason,
    turns: turns.map(({ reply, text, calls }) => ({
      reply,
      action: { ...(text === undefined ? {} : { text }), ...(calls.length === 0 ? {} : { calls }) },
    })),
  };
}

const NOT_JSON = /are not plain JSON: (.*)$/s;

/** Arguments that no JSON could hold were not kept; in their place stands something that is refused with the same words. */
function argumentsOf(event: CallEvent): unknown {
  if (event.arguments !== null || !isFailure(event)) return event.arguments;
  const problem = NOT_JSON.exec(event.result.message)?.[1];
  if (problem === undefined) return event.arguments;
  return Object.defineProperty({}, "unreadable", {
    enumerable: true,
    get() {
      throw new TypeError(problem);
    },
  });
}

/** Agents that do again what `run` did, attempt by attempt. One for an attempt that was not recorded breaks when it is opened. */
export function replayAgent(store: Store, run: string): (scenario: Scenario, attempt: number) => Agent {
  const version = store.run(run)?.agentVersion ?? "1";
  return (scenario, attempt) =>
    defineAgent({
      name: `replay:${run}`,
      version,
      open() {
        let turns: readonly RecordedTurn[] | undefined;
        let next = 0;
        return async () => {
          turns ??= await readTurns(store, run, scenario.task.id, attempt);
          return turns[next++]?.action ?? {};
        };
      },
    });
}

async function readTurns(store: Store, run: string, task: string, attempt: number): Promise<readonly RecordedTurn[]> {
  const id = toRolloutId(run, task, attempt);
  if (store.rollout(id) === undefined)
    throw new Fault("agent", "not_recorded", `run ${run} has no rollout of task ${task}, attempt ${attempt}`);
  return toRecording(await store.events(id)).turns;
}
