/**
 * Targets: which questions of the rubric a mutant should be caught by, found from evidence alone.
 *
 * 1. Criteria and gates whose evidence in the seed points at a call that was left out, changed or moved, or at a row (and field) it wrote.
 * 2. Else those that point at rows written by the calls that work on the same made records (a draft and its submission).
 * 3. Else those that point at a whole record which the call names.
 * 4. Else those that point anywhere in the run at the tables that were written.
 * 5. Else every critical criterion.
 * Questions that, in the mutant, point at a call which the edit added or changed, or at what it wrote, are targets beside these. So are gates about the tables that were written, and every gate when the operator adds what nothing called for.
 */

import type { AnyEnvironment } from "../../core/environment.js";
import type { Evidence, Verdict } from "../../core/verdict.js";
import { pointsAt, type Touched } from "./touched.js";

export const evidenceOf = (verdict: Verdict | undefined): readonly Evidence[] =>
  verdict?.kind === "scored" ? verdict.evidence : [];

/** Which tables each question has pointed at, in any verdict of the run. */
export class Aboutness {
  readonly #tables = new Map<string, Set<string>>();

  note(verdicts: ReadonlyMap<string, Verdict>): void {
    for (const [name, verdict] of verdicts) {
      for (const evidence of evidenceOf(verdict)) {
        if (!("table" in evidence)) continue;
        const known = this.#tables.get(name);
        if (known === undefined) this.#tables.set(name, new Set([evidence.table]));
        else known.add(evidence.table);
      }
    }
  }

  isAbout(name: string, tables: ReadonlySet<string>): boolean {
    return [...(this.#tables.get(name) ?? [])].some((table) => tables.has(table));
  }
}

export function targetsOf(
  { rubric }: AnyEnvironment,
  seedVerdicts: ReadonlyMap<string, Verdict>,
  mutantVerdicts: ReadonlyMap<string, Verdict>,
  touched: Touched,
  about: Aboutness,
  additive: boolean,
): ReadonlySet<string> {
  const questions = [...rubric.gates, ...rubric.criteria].map(({ name }) => name);
  const where = (fits: (evidence: Evidence) => boolean) =>
    questions.filter((name) => evidenceOf(seedVerdicts.get(name)).some(fits));
  const tables = new Set(touched.written.map(({ table }) => table));
  const rules = [
    () =>
      where((one) =>
        "event" in one ? touched.events.includes(one.event) : pointsAt(one, touched.written) === "field",
      ),
    () => where((one) => pointsAt(one, touched.written) !== null),
    () => where((one) => pointsAt(one, touched.together) !== null),
    () => where((one) => "table" in one && one.field === undefined && touched.named.has(one.id)),
    () => questions.filter((name) => about.isAbout(name, tables)),
    () => rubric.criteria.filter(({ critical }) => critical).map(({ name }) => name),
  ];
  let first: readonly string[] = [];
  for (const rule of rules) {
    first = rule();
    if (first.length > 0) break;
  }
  const gates = rubric.gates.filter(({ name }) => additive || about.isAbout(name, tables)).map(({ name }) => name);
  const pointing = questions.filter((name) =>
    evidenceOf(mutantVerdicts.get(name)).some((one) =>
      "event" in one ? touched.fresh.events.includes(one.event) : pointsAt(one, touched.fresh.written) === "field",
    ),
  );
  const added = additive ? questions.filter((name) => about.isAbout(name, tables)) : [];
  return new Set([...first, ...gates, ...pointing, ...added]);
}
