/**
 * Timeline: the calls and messages of a trace, with the sequence questions that criteria ask of them (before, never, at most,
 * only if earlier, eventually). Calls that took no effect are kept apart; a call whose answer was lost after it took effect was done.
 */
import type { CallEvent, MessageEvent, TraceEvent } from "./trace.js";
import { met, scored, unmet, type Verdict } from "./verdict.js";

export type CallMatch = string | ((call: CallEvent) => boolean);

const matches = (match: CallMatch, call: CallEvent) => (typeof match === "string" ? call.tool === match : match(call));

export class Timeline {
  readonly events: readonly TraceEvent[];
  /** Calls that took effect, in order: `ok` ones, and those that timed out after they were applied (their `result` is a failure). */
  readonly done: readonly CallEvent[];
  /** Calls that were refused or lost, in order: they changed nothing. */
  readonly failed: readonly CallEvent[];
  /** What the agent said, in order. */
  readonly said: readonly MessageEvent[];

  constructor(events: readonly TraceEvent[]) {
    this.events = events;
    const done: CallEvent[] = [];
    const failed: CallEvent[] = [];
    const said: MessageEvent[] = [];
    for (const event of events) {
      if (event.type === "call") (event.ok || event.fault === "timeout_applied" ? done : failed).push(event);
      else if (event.type === "message" && event.role === "assistant") said.push(event);
    }
    this.done = done;
    this.failed = failed;
    this.said = said;
  }

  calls(match: CallMatch): readonly CallEvent[] {
    return this.done.filter((call) => matches(match, call));
  }

  first(match: CallMatch): CallEvent | undefined {
    return this.done.find((call) => matches(match, call));
  }

  /** At least one such call succeeded. */
  eventually(match: CallMatch, what: string): Verdict {
    const call = this.first(match);
    return call === undefined ? unmet(`${what} never happened`) : met(`${what} happened`, [{ event: call.seq }]);
  }

  /** No such call succeeded. */
  never(match: CallMatch, what: string): Verdict {
    const calls = this.calls(match);
    return calls.length === 0
      ? met(`${what} never happened`)
      : unmet(
          `${what} happened`,
          calls.map((call) => ({ event: call.seq })),
        );
  }

  /** At most `limit` such calls succeeded. */
  atMost(limit: number, match: CallMatch, what: string): Verdict {
    const calls = this.calls(match);
    const evidence = calls.map((call) => ({ event: call.seq }));
    return calls.length <= limit
      ? met(`${what} happened ${calls.length} of at most ${limit} times`, evidence)
      : unmet(`${what} happened ${calls.length} times, at most ${limit} allowed`, evidence);
  }

  /** Both happened, and the first `earlier` came before the first `later`. */
  inOrder(earlier: CallMatch, later: CallMatch, what: string): Verdict {
    const a = this.first(earlier);
    const b = this.first(later);
    if (a === undefined || b === undefined) return unmet(`${what}: one of the two never happened`);
    return scored(a.seq < b.seq ? 1 : 0, `${what}: ${a.tool} at event ${a.seq}, ${b.tool} at event ${b.seq}`, [
      { event: a.seq },
      { event: b.seq },
    ]);
  }

  /** Every `act` has some `condition` before it. Met when no `act` happened: the obligation to act is a separate criterion. */
  onlyIfEarlier(act: CallMatch, condition: CallMatch, what: string): Verdict {
    const allowedFrom = this.first(condition)?.seq ?? Number.POSITIVE_INFINITY;
    const early = this.calls(act).filter((call) => call.seq < allowedFrom);
    return early.length === 0
      ? met(what)
      : unmet(
          `${what}: done before its condition`,
          early.map((call) => ({ event: call.seq })),
        );
  }
}
