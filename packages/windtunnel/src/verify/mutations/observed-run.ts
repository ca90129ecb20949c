/**
 * ObservedRun: one executed trajectory as the mutation test looks at it: reward, each criterion's own answer (before credit is withheld because
 * another criterion failed), outcome, and a signature of the final state that ignores dates and the names of rows made on the way.
 */
import type { AnyEnvironment, Scenario } from "../../core/environment.js";
import type { Rollout } from "../../core/rollout.js";
import type { CallEvent, RowChange, TraceEvent } from "../../core/trace.js";
import type { Verdict } from "../../core/verdict.js";
import { executeTrajectory, type Trajectory } from "../trajectory.js";

export interface ObservedRun {
  readonly events: readonly TraceEvent[];
  /** 0 when the score is not a number; `passed` is then false. */
  readonly reward: number;
  readonly passed: boolean;
  readonly scored: boolean;
  /** Own verdicts of gates and criteria by name, before any waits for another. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly acceptable: boolean | null;
  /** In the outcome's unit; null when none could be read. */
  readonly value: number | null;
  /** Rows that differ from the start, as lines, made ids replaced by their table, dates by a mark; sorted. */
  readonly state: readonly string[];
}

export type Observation = ({ readonly alive: true } & ObservedRun) | { readonly alive: false; readonly reason: string };

/** An environment whose systems never fail: what a mutant changes is then all that changed. */
export function withFaults(environment: AnyEnvironment, unavailable: number): AnyEnvironment {
  const tools = new Map(
    [...environment.tools].map(([name, { tool, system }]) => [
      name,
      { tool, system: { ...system, faults: unavailable === 0 ? {} : { unavailable } } },
    ]),
  );
  return { ...environment, tools };
}

/** Executes and observes. */
export async function observeTrajectory(
  environment: AnyEnvironment,
  scenario: Scenario,
  trajectory: Trajectory,
  callsPerTurn = 1,
): Promise<Observation> {
  const verdicts = new Map<string, Verdict>();
  const execution = await executeTrajectory(listening(environment, verdicts), scenario, trajectory, { callsPerTurn });
  return execution.alive
    ? { alive: true, ...observed(environment, scenario, execution.rollout, verdicts) }
    : { alive: false, reason: execution.reason };
}

/** The environment with a rubric that leaves every own verdict in `heard`. */
export function listening(environment: AnyEnvironment, heard: Map<string, Verdict>): AnyEnvironment {
  const listen = <Q extends { readonly name: string; check(context: never): Verdict }>(question: Q): Q => ({
    ...question,
    check: (context: never) => {
      const verdict = question.check(context);
      heard.set(question.name, verdict);
      return verdict;
    },
  });
  const { rubric } = environment;
  return {
    ...environment,
    rubric: { ...rubric, gates: rubric.gates.map(listen), criteria: rubric.criteria.map(listen) },
  };
}

/** What a finished rollout looks like; `verdicts` are the ones heard while it was scored. */
export function observed(
  environment: AnyEnvironment,
  scenario: Scenario,
  { events, score, outcome }: Rollout,
  verdicts: ReadonlyMap<string, Verdict>,
): ObservedRun {
  const answers = new Map(score.results.map(({ name, verdict }) => [name, verdicts.get(name) ?? verdict]));
  return {
    events,
    reward: score.status === "scored" ? score.reward : 0,
    passed: score.status === "scored" && score.passed,
    scored: score.status === "scored",
    verdicts: answers,
    acceptable: outcome?.acceptable ?? null,
    value: outcome?.value ?? null,
    state: signatureOf(environment, scenario, events),
  };
}

export const isCall = (event: TraceEvent): event is CallEvent => event.type === "call";

const DATE = /\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?\b/g;

/** Net changes as lines, without the names of made rows and without dates: what is so whenever it was done. */
function signatureOf(
  environment: AnyEnvironment,
  scenario: Scenario,
  events: readonly TraceEvent[],
): readonly string[] {
  const rows = new Map<string, Record<string, unknown> | null>();
  const made = new Map<string, string>();
  for (const event of events) {
    if (event.type !== "call" && event.type !== "world") continue;
    for (const change of event.changes) apply(change, rows, made, scenario);
  }
  const sealed = (table: string) => environment.world.tables[table]?.sealed === true;
  const pattern =
    made.size === 0
      ? null
      : new RegExp(
          [...made.keys()]
            .sort((a, b) => b.length - a.length)
            .map(quoted)
            .join("|"),
          "g",
        );
  return [...rows]
    .filter(([key]) => !sealed(key.slice(0, key.indexOf(" "))))
    .flatMap(([key, row]) => {
      const line = `${key} ${JSON.stringify(row)}`;
      const [table, id] = [key.slice(0, key.indexOf(" ")), key.slice(key.indexOf(" ") + 1)];
      const before = scenario.world.get(table, id) as Record<string, unknown> | undefined;
      if (row === null ? before === undefined : JSON.stringify(row) === JSON.stringify(before)) return [];
      const named = pattern === null ? line : line.replace(pattern, (id) => `#${made.get(id)}`);
      return [named.replace(DATE, "#date")];
    })
    .sort();
}

const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function apply(
  change: RowChange,
  rows: Map<string, Record<string, unknown> | null>,
  made: Map<string, string>,
  scenario: Scenario,
): void {
  const key = `${change.table} ${change.id}`;
  if (change.op === "insert") {
    rows.set(key, { ...change.row });
    if (scenario.world.get(change.table, change.id) === undefined) made.set(change.id, change.table);
  } else if (change.op === "remove") {
    rows.set(key, null);
  } else if (change.op === "update") {
    const now = rows.get(key) ?? { ...(scenario.world.get(change.table, change.id) as Record<string, unknown>) };
    for (const [field, [, after]] of Object.entries(change.fields)) now[field] = after;
    rows.set(key, now);
  }
}
