import { expect, it } from "vitest";
import { UsageError } from "windtunnel";
import { openImportedTasks } from "../index.js";
import { applyLabels } from "./apply-labels.js";
import { importTasks } from "./import-tasks.js";
import type { ImportedData } from "./imported-data.js";
import { readSample } from "./sample.fixture.js";

type Loose = { [key: string]: Loose };

function damaged(damage: (data: Loose & { patients: Loose[] }) => void): unknown {
  const result = importTasks(readSample());
  const copy = JSON.parse(JSON.stringify(result.ok ? result.data : null));
  damage(copy);
  return copy;
}

function refusal(value: unknown): unknown {
  try {
    openImportedTasks(value);
    return "opened";
  } catch (error) {
    return error instanceof UsageError ? { code: error.code, path: error.path, actual: error.actual } : error;
  }
}

const put = (path: string, value: unknown) =>
  damaged((data) => {
    const parts = path.split(".");
    const last = parts.pop()!;
    (parts.reduce((at, part) => at[part]!, data as Loose) as Record<string, unknown>)[last] = value;
  });

it.each([
  ["nothing", null, "the whole", "null"],
  ["another version", put("format", "revenue-cycle/denials-import/9"), "format", '"revenue-cycle/denials-import/9"'],
  [
    "an amount that is none",
    put("patients.0.rows.claims.0.total", "12.5"),
    "patients[0].rows.claims[0].total",
    '"12.5"',
  ],
  ["a field of the wrong kind", put("patients.1.rows.pages.0.number", "1"), "patients[1].rows.pages[0].number", '"1"'],
  ["a row of a sealed table", put("patients.0.rows.payer_truth", []), "patients[0].rows", undefined],
  [
    "a claim of no patient",
    put("patients.0.rows.claims.0.patient", "PT-1"),
    "patients[0].rows.claims[0].patient",
    "PT-1",
  ],
  [
    "a task of another import",
    put("patients.0.tasks.0.id", "imported/00000000/0"),
    "patients[0].tasks[0].id",
    "imported/00000000/0",
  ],
  [
    "facts of another claim",
    put("patients.0.tasks.0.facts.claim", "CLM-1"),
    "patients[0].tasks[0].facts.claim",
    "CLM-1",
  ],
])("imported data with %s is refused with its place", (_, value, path, actual) => {
  expect(refusal(value)).toMatchObject({
    code: "invalid_imported_data",
    path,
    ...(actual === undefined ? {} : { actual }),
  });
});

it("opens what was not damaged, and knows only its own ids", () => {
  const tasks = openImportedTasks(damaged(() => {}));
  expect(tasks.size).toBe(6);
  expect(() => tasks.open("train/0/1")).toThrow(/No such imported task/);
});

it("a task opens as the same world every time", () => {
  const data = damaged(() => {});
  const [id] = openImportedTasks(data).ids();
  expect(openImportedTasks(data).open(id!).world.hash()).toBe(openImportedTasks(data).open(id!).world.hash());
});

const good = (data: ImportedData) => {
  const { id } = data.patients[0]!.tasks[0]!;
  return {
    task: id,
    rootCause: "authorization_on_file_not_sent",
    dispositions: ["reopening"],
    prevention: "none",
    actBy: "2026-04-12",
  };
};

it.each([
  ["no JSON", (_: object) => "{", "line 1", "label_not_json"],
  ["an unknown task", (label: object) => ({ ...label, task: "imported/x/0" }), "line 1, task", "label_unknown_task"],
  [
    "an unknown root cause",
    (label: object) => ({ ...label, rootCause: "bad_luck" }),
    "line 1, rootCause",
    "label_unknown_value",
  ],
  ["no disposition", (label: object) => ({ ...label, dispositions: [] }), "line 1, dispositions", "label_invalid"],
  [
    "a field that facts do not have",
    (label: object) => ({ ...label, colour: "red" }),
    "line 1, the whole",
    "label_invalid",
  ],
  [
    "a line of another task",
    (label: object) => ({ ...label, adjustments: [{ line: "LIN-1", type: "write_off", amount: "1.00" }] }),
    "line 1, adjustments[0].line",
    "label_unknown_value",
  ],
  [
    "an authorization that nobody granted",
    (label: object) => ({
      ...label,
      correction: {
        claim: "CLM-1",
        channel: "reopening",
        changes: [{ field: "authorization", line: null, value: "A1" }],
        eitherLine: false,
      },
    }),
    "line 1, correction.changes[0].value",
    "label_unknown_value",
  ],
  [
    "evidence that is not there",
    (label: object) => ({ ...label, basis: ["SEC-1"] }),
    "line 1, basis[0]",
    "label_unknown_value",
  ],
])("a label with %s is a problem with its line, and nothing is applied", (_, change, at, code) => {
  const data = damaged(() => {}) as ImportedData;
  const label = change(good(data));
  const result = applyLabels(data, [
    { name: "labels.jsonl", text: typeof label === "string" ? label : JSON.stringify(label) },
  ]);
  expect(result.ok ? [] : result.problems).toContainEqual(expect.objectContaining({ file: "labels.jsonl", at, code }));
});

it("labels given with the files are applied, and a second label of a task is refused", () => {
  const line = JSON.stringify(good(damaged(() => {}) as ImportedData));
  const labelled = importTasks({ ...readSample(), labels: [{ name: "labels.jsonl", text: line }] });
  expect(labelled.ok && (labelled.data as ImportedData).patients[0]?.tasks[0]?.facts).toMatchObject({
    labelled: true,
    prevention: "none",
    correction: null,
  });
  const twice = importTasks({ ...readSample(), labels: [{ name: "labels.jsonl", text: `${line}\n\n${line}` }] });
  expect(twice).toMatchObject({ ok: false, problems: [{ at: "line 3, task", code: "label_twice" }] });
});
