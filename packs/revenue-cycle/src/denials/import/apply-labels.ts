/**
 * Expert labels for imported tasks, as JSON lines: one object per task with its id under "task" and fields of the facts. A labelled task is
 * scored as any other. Every code and every id is checked against the task's own world; one wrong line and nothing is applied.
 */
import { z } from "zod";
import { DISPOSITIONS } from "../../reference/dispositions.js";
import { PREVENTIONS } from "../../reference/prevention.js";
import { ROOT_CAUSES } from "../../reference/root-causes.js";
import { world as definition } from "../definition.js";
import { EVIDENCE_TABLES } from "../world.js";
import type { ImportProblem, NamedText } from "./import-files.js";
import {
  type ImportedData,
  type ImportedPatient,
  type ImportedTask,
  labelFields,
  parseImportedData,
} from "./imported-data.js";
import { openWorld } from "./imported-tasks.js";
import { toPlace } from "./schema-problems.js";

const { rootCause, dispositions, prevention, actBy, ...optional } = labelFields;
const labelSchema = z.strictObject({
  task: z.string(),
  rootCause,
  dispositions: dispositions.min(1),
  prevention,
  actBy,
  ...z.object(optional).partial().shape,
});
type Label = z.output<typeof labelSchema>;

export type LabelResult =
  | { readonly ok: true; readonly data: ImportedData; readonly labelled: number }
  | { readonly ok: false; readonly problems: readonly ImportProblem[] };

/** Merges labels into imported data and returns new data. Fields that a label leaves out mean that nothing of the kind is due. */
export function applyLabels(value: unknown, files: readonly NamedText[]): LabelResult {
  const data = parseImportedData(value);
  const places = new Map(
    data.patients.flatMap((patient) => patient.tasks.map((task) => [task.id, { patient, task }] as const)),
  );
  const labels = new Map<string, Label>();
  const problems: ImportProblem[] = [];
  for (const { name: file, text } of files) {
    text.split(/\r?\n/).forEach((line, n) => {
      if (line.trim() === "") return;
      const report = (at: string, code: string, message: string, expected: string, found: string) =>
        problems.push({ file, at: `line ${n + 1}${at === "" ? "" : `, ${at}`}`, code, message, expected, found });
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch (error) {
        report("", "label_not_json", "the line is no JSON", "a JSON object", (error as Error).message);
        return;
      }
      const parsed = labelSchema.safeParse(value);
      if (!parsed.success) {
        for (const issue of parsed.error.issues) {
          const { at, expected, found } = toPlace(issue, value);
          report(at, "label_invalid", "the label is not as it should be", expected, found);
        }
        return;
      }
      const { task: id } = parsed.data;
      const place = places.get(id);
      if (place === undefined)
        report("task", "label_unknown_task", "no such task", `one of ${places.size} imported task ids`, id);
      else if (labels.has(id)) report("task", "label_twice", "the task has a label already", "one label per task", id);
      else {
        labels.set(id, parsed.data);
        for (const { at, expected, found } of strangersIn(parsed.data, place.patient, place.task, data.today))
          report(at, "label_unknown_value", "names what the task does not have", expected, found);
      }
    });
  }
  if (problems.length > 0) return { ok: false, problems };
  const patients = data.patients.map((patient) => ({
    ...patient,
    tasks: patient.tasks.map((task) => {
      const label = labels.get(task.id);
      if (label === undefined) return task;
      const { task: _, ...fields } = label;
      return { ...task, facts: { ...task.facts, ...stated(fields), labelled: true } };
    }),
  }));
  return { ok: true, data: { ...data, patients }, labelled: labels.size };
}

const stated = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** Codes outside the vocabularies, and ids that name no row of the task's world. */
function strangersIn(label: Label, patient: ImportedPatient, task: ImportedTask, today: string) {
  const world = openWorld({ name: "revenue-cycle/denials", world: definition }, patient, task, today);
  const found: { at: string; expected: string; found: string }[] = [];
  const need = (ok: boolean, at: string, expected: string, value: string) => {
    if (!ok) found.push({ at, expected, found: value });
  };
  const isRow = (tables: readonly Parameters<typeof world.get>[0][], id: string) =>
    tables.some((table) => world.get(table, id) !== undefined);
  const row = (tables: readonly Parameters<typeof world.get>[0][], at: string, id: string | undefined) => {
    if (id !== undefined)
      need(
        isRow(tables, id),
        at,
        `the id of a row of ${tables.length > 3 ? "the task's world" : tables.join(" or ")}`,
        id,
      );
  };
  const rows = (tables: readonly Parameters<typeof world.get>[0][], at: string, list: readonly string[] = []) =>
    list.forEach((id, i) => {
      row(tables, `${at}[${i}]`, id);
    });

  need(ROOT_CAUSES.has(label.rootCause), "rootCause", "a root cause id", label.rootCause);
  label.dispositions.forEach((one, i) => {
    need(DISPOSITIONS.has(one), `dispositions[${i}]`, "a disposition id", one);
  });
  need(PREVENTIONS.has(label.prevention), "prevention", "a prevention id", label.prevention);
  const { correction, appeal, records, retro, adjustments = [], refund, escalation } = label;
  row(["claims"], "correction.claim", correction?.claim);
  correction?.changes.forEach(({ field, line, value }, i) => {
    if (line !== null) row(["claim_lines"], `correction.changes[${i}].line`, line);
    if (field === "coverage") row(["coverages"], `correction.changes[${i}].value`, value);
    if (field === "authorization")
      need(
        world.where("authorizations", { number: value }).length > 0,
        `correction.changes[${i}].value`,
        "the number of an authorization that the chart's manifest states",
        value,
      );
  });
  rows(["claim_lines"], "correction.lines", correction?.lines);
  row(["claims"], "appeal.claim", appeal?.claim);
  rows(EVIDENCE_TABLES, "appeal.evidence", appeal?.evidence);
  rows(EVIDENCE_TABLES, "appeal.alsoFitting", appeal?.alsoFitting);
  row(["record_requests"], "records.request", records?.request);
  rows(["pages"], "records.pages", records?.pages);
  row(["claims"], "retro.claim", retro?.claim);
  rows(EVIDENCE_TABLES, "retro.evidence", retro?.evidence);
  adjustments.forEach(({ line }, i) => {
    row(["claim_lines"], `adjustments[${i}].line`, line);
  });
  rows(EVIDENCE_TABLES, "basis", label.basis);
  row(["claims"], "refund.claim", refund?.claim);
  rows(EVIDENCE_TABLES, "escalation.evidence", escalation?.evidence);
  rows([...EVIDENCE_TABLES, "documents", "claims", "coverages"], "lookAt", label.lookAt);
  rows(["claims"], "related", label.related);
  return found;
}
