/**
 * Executes a draft in a fresh world and says whether it is a mutant at all: what the tools refuse, what changes nothing, and what does not do
 * what its operator says is none.
 */
import type { CallEvent } from "../../core/trace.js";
import { endsLike } from "./classify.js";
import type { Draft, Operator } from "./draft.js";
import { isCall, type ObservedRun, observeTrajectory } from "./observed-run.js";
import { eventsOf, type Seed } from "./seed.js";
import { isInquiry } from "./step-relations.js";
import { type Touched, touchedBy } from "./touched.js";

export interface Executed {
  readonly operator: Operator;
  readonly seed: Seed;
  readonly draft: Draft;
  /** Without its events: what they say is in `touched`. */
  readonly run: ObservedRun;
  /** The run that an injected failing run must not improve on. */
  readonly base: ObservedRun | null;
  readonly touched: Touched;
}

const light = (run: ObservedRun): ObservedRun => ({ ...run, events: [] });

/** Executes a draft; a string says why it is no mutant. */
export async function executeDraft(operator: Operator, seed: Seed, draft: Draft): Promise<Executed | string> {
  const { environment = seed.environment, scenario = seed.scenario, trajectory, callsPerTurn, failing } = draft;
  const run = await observeTrajectory(environment, scenario, trajectory, callsPerTurn);
  if (!run.alive) return "a call that was accepted is refused";
  const flaw = flawOf(operator, seed, draft, run);
  if (flaw !== null) return flaw;
  let base: ObservedRun | null = null;
  if (failing !== undefined) {
    const alone = await observeTrajectory(environment, scenario, failing);
    if (!alone.alive || alone.passed) return "the run that should fail does not";
    base = light(alone);
  }
  const touched = touchedBy(seed, trajectory, draft.moved ?? [], draft.concerns ?? [], run);
  return { operator, seed, draft, run: light(run), base, touched };
}

function flawOf(operator: Operator, seed: Seed, draft: Draft, run: ObservedRun): string | null {
  const known = new Set(seed.steps.map(({ id }) => `step-${id}`));
  const added = run.events.filter(isCall).filter(({ call }) => !known.has(call));
  const writes = (event: CallEvent) => seed.environment.tools.get(event.tool)?.tool.effect === "write";
  const idle = (event: CallEvent) => event.changes.length === 0 && run.events[event.seq + 1]?.type !== "world";
  if (added.some(({ ok }) => !ok)) return "the tools refuse the added call";
  if (draft.keepsState === true && !run.state.every((line, i) => line === seed.run.state[i]))
    return "it does not end in the same state";
  if (operator.additive && added.some(({ arguments: args, result }) => isInquiry(args, result)))
    return "the added call only asks";
  if (operator.harmful && added.some((event) => writes(event) && idle(event))) return "the added call changes nothing";
  if (draft.changesSomething === true && endsLike(seed.run, run)) return "nothing in the case depends on it";
  if (draft.undoes !== undefined && !isUndone(run, draft.undoes)) return "the second call does not take back the first";
  return null;
}

/** The two calls together leave every row as it was, and the first alone did not. */
function isUndone(run: ObservedRun, [first, second]: readonly [number, number]): boolean {
  const events = eventsOf(run);
  const [one, two] = [events.get(`step-${first}`), events.get(`step-${second}`)];
  if (one === undefined || two === undefined || one.changes.length === 0) return false;
  const cells = new Map<string, readonly [before: string, after: string]>();
  for (const change of [...one.changes, ...two.changes]) {
    const fields: [string, unknown, unknown][] =
      change.op === "update"
        ? Object.entries(change.fields).map(([field, [before, after]]) => [field, before, after])
        : [["", change.op === "insert" ? null : change.row, change.op === "insert" ? change.row : null]];
    for (const [field, before, after] of fields) {
      const key = `${change.table} ${change.id} ${field}`;
      cells.set(key, [cells.get(key)?.[0] ?? JSON.stringify(before), JSON.stringify(after)]);
    }
  }
  return [...cells.values()].every(([before, after]) => before === after);
}
