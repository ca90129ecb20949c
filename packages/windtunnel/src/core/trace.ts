/**
 * Trace: the append-only record of one episode. Events are frozen data; the same episode gives the same bytes on any machine.
 * Wall times, token counts and hosts are provenance and live outside.
 */

import type { InjectedFault } from "./system.js";
import type { ToolFailure } from "./tool.js";
import type { Change } from "./world.js";

export const TRACE_VERSION = 1;

/** One row's change as the trace keeps it: the whole row when it came or went, else the fields that changed as [before, after]. */
export type RowChange =
  | {
      readonly table: string;
      readonly id: string;
      readonly op: "insert" | "remove";
      readonly row: Readonly<Record<string, unknown>>;
    }
  | {
      readonly table: string;
      readonly id: string;
      readonly op: "update";
      readonly fields: Readonly<Record<string, readonly [unknown, unknown]>>;
    };

interface EventBase {
  /** Position in the trace, from 0. */
  readonly seq: number;
  /** The world's clock, ms since the Unix epoch. */
  readonly at: number;
}

export interface StartEvent extends EventBase {
  readonly type: "start";
  readonly version: number;
  readonly task: string;
  readonly state: string;
}
export interface MessageEvent extends EventBase {
  readonly type: "message";
  readonly turn: number;
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
}
export interface CallEvent extends EventBase {
  readonly type: "call";
  readonly turn: number;
  readonly call: string;
  readonly tool: string;
  /** As given by the agent: an object, or raw text when it was not JSON. */
  readonly arguments: unknown;
  readonly ok: boolean;
  /** The value returned, or the failure. */
  readonly result: unknown;
  readonly fault?: InjectedFault;
  readonly changes: readonly RowChange[];
  /** State hash after the call. */
  readonly state: string;
}
/** A scheduled event of the world fired. */
export interface WorldEvent extends EventBase {
  readonly type: "world";
  readonly kind: string;
  readonly changes: readonly RowChange[];
}
export interface EndEvent extends EventBase {
  readonly type: "end";
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly reason: EndReason;
  readonly state: string;
}
export type TraceEvent = StartEvent | MessageEvent | CallEvent | WorldEvent | EndEvent;

/** Why an episode ended. The first three terminate it, the limits truncate it, a fault does neither. */
export type EndReason =
  | "finished"
  | "agent_stopped"
  | "solved"
  | "turn_limit"
  | "tool_call_limit"
  | "token_limit"
  | "wall_time_limit"
  | "working_time_limit"
  | "cost_limit"
  | "cancelled"
  | "fault";

export const isFailure = (event: CallEvent): event is CallEvent & { result: ToolFailure } => !event.ok;

/** The trace's form of a change. Frozen, as the rows in it are. */
export function toRowChange(change: Change): RowChange {
  const { table, id, before, after } = change;
  if (before === null || after === null)
    return Object.freeze({ table, id, op: before === null ? "insert" : "remove", row: (after ?? before)! });
  const fields: Record<string, readonly [unknown, unknown]> = {};
  for (const key in after)
    if (after[key] !== before[key]) fields[key] = Object.freeze([before[key], after[key]] as const);
  return Object.freeze({ table, id, op: "update", fields: Object.freeze(fields) });
}

/** One event as a line of JSON. `result` may be given already stringified, so that a result is stringified once. */
export function toTraceLine(event: TraceEvent): string {
  return JSON.stringify(event);
}

/** Reads one line back. Throws SyntaxError when it is not JSON. */
export function parseTraceLine(line: string): TraceEvent {
  return JSON.parse(line) as TraceEvent;
}
