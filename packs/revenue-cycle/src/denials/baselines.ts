/**
 * Degenerate agents: each does one thing to every item, whatever it is about. A reward that any of them can earn measures the wrong thing.
 * They see only what an agent sees, and do their one act as well as the tools allow.
 */
import { type Act, type Agent, type AgentContext, defineAgent, type Observation, randomAgent } from "windtunnel";

type Value = Readonly<Record<string, unknown>>;
type Call = { tool: string; arguments: Value };
/** Yields one call at a time and receives its result, or undefined when it was refused. */
type Routine = Generator<Call, void, Value | undefined>;

const call = (tool: string, args: Value): Call => ({ tool, arguments: args });

/** An agent that plays a routine, with up to three tries at a call whose system is down. */
export function routineAgent(name: string, routine: (item: string, context: AgentContext) => Routine): Agent {
  return defineAgent({
    name,
    open(context): Act {
      const item = /\bITM-\d+\b/.exec(context.task.prompt)?.[0] ?? "";
      const steps = routine(item, context);
      let last: Call | undefined;
      let tries = 0;
      return (observation: Observation) => {
        const message = observation.messages[observation.messages.length - 1];
        const failed = message?.role === "tool" && !message.ok;
        if (failed && (message.value as { code: string }).code === "unavailable" && ++tries < 3)
          return { calls: [last!] };
        tries = 0;
        const result = message?.role === "tool" && message.ok ? (message.value as Value) : undefined;
        const next = steps.next(result);
        if (next.done === true) return {};
        last = next.value;
        return { calls: [last] };
      };
    },
  });
}

/** Opens the item and its claim; undefined when the prompt names no item. */
function* open(item: string): Generator<Call, { item: Value; claim: Value } | undefined, Value | undefined> {
  const opened = yield call("item_get", { item });
  if (opened === undefined) return undefined;
  const claim = yield call("claim_get", { claim: opened.claim });
  return claim === undefined ? undefined : { item: opened, claim };
}

/** Records the first cause offered and closes with `disposition`, or the first one offered when that is not among them. */
function* close(item: Value, disposition: string): Routine {
  const codes = (options: unknown) => (options as { code: string }[]).map(({ code }) => code);
  yield call("item_set_cause", { item: item.item, cause: codes(item.cause_options)[0]! });
  yield call("item_set_prevention", { item: item.item, prevention: codes(item.prevention_options)[0]! });
  const offered = codes(item.disposition_options);
  yield call("note_add", { item: item.item, about: item.claim, text: "Worked." });
  yield call("item_close", { item: item.item, disposition: offered.includes(disposition) ? disposition : offered[0]! });
}

const always = (name: string, disposition: string, act: (opened: { item: Value; claim: Value }) => Routine) =>
  routineAgent(name, function* (id) {
    const opened = yield* open(id);
    if (opened === undefined) return;
    yield* act(opened);
    yield* close(opened.item, disposition);
  });

const linesOf = (claim: Value) => claim.lines as { line: string; charge: string }[];

export const degenerateAgents: readonly Agent[] = [
  defineAgent({ name: "idle", open: () => () => ({}) }),
  randomAgent,
  always("close-all", "closed_paid", function* () {}),
  always("appeal-all", "appeal", function* ({ claim }) {
    const appeal = yield call("appeal_open", { claim: claim.claim, channel: "appeal" });
    if (appeal !== undefined)
      yield call("appeal_submit", { appeal: appeal.appeal, letter: `Please reconsider claim ${claim.claim}.` });
  }),
  always("write-off-all", "provider_writeoff", function* ({ claim }) {
    for (const { line, charge } of linesOf(claim))
      yield call("adjust_post", { line, type: "write_off", amount: charge });
  }),
  always("resubmit-all", "new_claim", function* ({ claim }) {
    const correction = yield call("correction_open", { claim: claim.claim, channel: "new_claim" });
    if (correction !== undefined) yield call("correction_submit", { correction: correction.correction });
  }),
  always("escalate-all", "escalated", function* ({ item }) {
    yield call("escalate", { item: item.item, to: "billing_lead", summary: `Please decide item ${item.item}.` });
  }),
  always("bill-patient-all", "patient_responsibility", function* ({ claim }) {
    yield call("statement_send", { claim: claim.claim, amount: claim.open_balance });
  }),
];
