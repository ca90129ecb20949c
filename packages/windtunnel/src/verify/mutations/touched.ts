/** Touched: what an edit laid hands on, in the terms that evidence is given in: events, rows written, rows named. */

import type { CallEvent, WorldEvent } from "../../core/trace.js";
import type { Evidence } from "../../core/verdict.js";
import { callOf, type Step, type Trajectory } from "../trajectory.js";
import type { ObservedRun } from "./observed-run.js";
import { eventsOf, type Seed } from "./seed.js";

/** A row that a call wrote; `fields` is null when the row came or went. */
export interface Written {
  readonly table: string;
  readonly id: string;
  readonly fields: readonly string[] | null;
}

export interface Touched {
  /** Positions, in the seed's trace, of the calls that were left out, changed or moved. */
  readonly events: readonly number[];
  /** Rows that those calls wrote, in the seed or in the mutant. */
  readonly written: readonly Written[];
  /** Rows that other calls of the seed wrote which work on the same made records. */
  readonly together: readonly Written[];
  /** Rows that calls which the edit made, changed or is about wrote, and their positions in the mutant's trace. */
  readonly fresh: { readonly events: readonly number[]; readonly written: readonly Written[] };
  /** Ids of records, there from the start, that those calls name. */
  readonly named: ReadonlySet<unknown>;
}

/** Rows that a call wrote, and those that came with the time it let pass. */
function writtenBy(event: CallEvent | undefined, events: ObservedRun["events"]): readonly Written[] {
  if (event === undefined) return [];
  const news = [];
  for (let i = event.seq + 1; events[i]?.type === "world"; i++) news.push(...(events[i] as WorldEvent).changes);
  return [...event.changes, ...news].map((change) => ({
    table: change.table,
    id: change.id,
    fields: change.op === "update" ? Object.keys(change.fields) : null,
  }));
}

const sources = (step: Step) =>
  Object.values(step.arguments).flatMap((argument) => ("from" in argument ? [argument.from.step] : []));

const given = (step: Step) => JSON.stringify([step.arguments, step.text]);

/** Compares a mutant with its seed. `moved` names the steps that a reordering is about, `concerns` those it leaves in place. */
export function touchedBy(
  seed: Seed,
  trajectory: Trajectory,
  moved: readonly number[],
  concerns: readonly number[],
  run: ObservedRun,
): Touched {
  const after = new Map(trajectory.steps.map((step) => [step.id, step]));
  const before = new Map(seed.steps.map((step) => [step.id, step]));
  const old = seed.steps.filter(
    (step) => moved.includes(step.id) || !after.has(step.id) || given(after.get(step.id)!) !== given(step),
  );
  const fresh = trajectory.steps.filter(
    (step) => concerns.includes(step.id) || !before.has(step.id) || given(before.get(step.id)!) !== given(step),
  );
  const made = eventsOf(run);
  const ids = new Set(old.filter(({ write }) => write).flatMap((step) => [step.id, ...sources(step)]));
  const together = seed.steps.filter(
    (step) => step.write && !old.includes(step) && (ids.has(step.id) || sources(step).some((id) => ids.has(id))),
  );
  const freshEvents = fresh.flatMap((step) => made.get(callOf(step)) ?? []);
  const freshlyWritten = freshEvents.flatMap((event) => writtenBy(event, run.events));
  return {
    events: old.flatMap((step) => seed.event(step)?.seq ?? []),
    written: [...old.flatMap((step) => writtenBy(seed.event(step), seed.run.events)), ...freshlyWritten],
    together: together.flatMap((step) => writtenBy(seed.event(step), seed.run.events)),
    fresh: { events: freshEvents.map(({ seq }) => seq), written: freshlyWritten },
    named: new Set(
      old.flatMap((step) =>
        Object.values(step.arguments).flatMap((argument) => ("from" in argument ? [] : [argument.value])),
      ),
    ),
  };
}

/** Does the evidence point at one of these rows, and at a field that was written when it names one? */
export const pointsAt = (evidence: Evidence, rows: readonly Written[]): "field" | "row" | null => {
  if (!("table" in evidence)) return null;
  const hits = rows.filter(({ table, id }) => table === evidence.table && id === evidence.id);
  if (hits.length === 0) return null;
  if (evidence.field === undefined) return hits.some(({ fields }) => fields === null) ? "field" : "row";
  return hits.some(({ fields }) => fields === null || fields.includes(evidence.field!)) ? "field" : null;
};
