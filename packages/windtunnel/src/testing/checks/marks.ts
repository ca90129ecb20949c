/**
 * Can real arguments be enumerated? Whether arguments that take ids say so, whether marks name tables there are, and how often the
 * reference's next call is among the candidates that follow from schemas and what was seen.
 */

import { recallOf } from "../../core/candidates.js";
import type { Scenario } from "../../core/environment.js";
import { callsOf } from "../attempt.js";
import { type Check, FirstOfEach, type Problem, show } from "../report.js";
import { REFERENCE_ATTEMPTS } from "../sample.js";

type Schema = Readonly<Record<string, unknown>>;

/** Every schema within `schema` with its path, itself included. */
function* within(schema: Schema, path: string): Generator<{ readonly path: string; readonly at: Schema }> {
  yield { path, at: schema };
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Schema>))
    yield* within(property, path === "" ? name : `${path}.${name}`);
  if (typeof schema.items === "object" && schema.items !== null) yield* within(schema.items as Schema, `${path}[]`);
  for (const option of [...((schema.anyOf ?? []) as Schema[]), ...((schema.oneOf ?? []) as Schema[])])
    yield* within(option, path);
}

/** The tables a mark names: one, or several joined with "|". */
const tablesOf = (schema: Schema) =>
  typeof schema["x-kind"] === "string"
    ? schema["x-kind"].split("|").flatMap((kind) => (kind.startsWith("ref:") ? [kind.slice(4)] : []))
    : [];

const marksNameTables: Check = {
  id: "marks-name-tables",
  title: "Every mark of an id names a table of the world that tools can reach",
  find({ environment }) {
    const problems: Problem[] = [];
    let marks = 0;
    for (const { name, inputSchema, outputSchema } of environment.toolSpecs) {
      for (const [side, schema] of [
        ["input", inputSchema],
        ["output", outputSchema],
      ] as const) {
        for (const { path, at } of within(schema, "")) {
          for (const table of tablesOf(at)) {
            marks++;
            const known = environment.world.tables[table];
            if (known !== undefined && !known.sealed) continue;
            problems.push({
              where: `tool ${name}, ${side}.${path}`,
              message:
                known === undefined
                  ? `is marked as an id of "${table}", which is no table of this world`
                  : `is marked as an id of "${table}", which is sealed`,
              expected: Object.keys(environment.world.tables).join(", "),
              fix: "Name the table whose rows the ids are of.",
            });
          }
        }
      }
    }
    return { problems, measured: { marks } };
  },
};

const argumentsMarked: Check = {
  id: "arguments-marked",
  title: "Every argument that takes ids of rows is marked with their table",
  async find(sample) {
    const problems = new FirstOfEach();
    const specs = new Map(sample.environment.toolSpecs.map((spec) => [spec.name, spec]));
    let looked = 0;
    for (const [i, attempt] of (await sample.reference()).entries()) {
      if (i % REFERENCE_ATTEMPTS > 0) continue;
      const owners = tablesById(attempt.scenario, attempt.world as Scenario["world"]);
      for (const { where, call } of callsOf(attempt)) {
        const properties = (specs.get(call.tool)?.inputSchema.properties ?? {}) as Record<string, Schema>;
        for (const [name, value] of Object.entries((call.arguments ?? {}) as Record<string, unknown>)) {
          const schema = properties[name];
          if (schema === undefined) continue;
          looked++;
          const marked = [...within(schema, name)].some(
            ({ at }) => at["x-kind"] !== undefined || at.enum !== undefined,
          );
          const table = (Array.isArray(value) ? value : [value])
            .map((one) => (typeof one === "string" ? owners.get(one) : undefined))
            .find((owner) => owner !== undefined);
          if (!marked && table !== undefined) {
            problems.add(`${call.tool}.${name}`, {
              where: `${where}, argument ${name}`,
              message: `takes ids of "${table}" and is not marked as such`,
              actual: show(value),
              fix: `Declare it ref("${table}").`,
            });
          }
        }
      }
    }
    return looked === 0
      ? { problems: [], notMeasured: "the reference made no call with arguments" }
      : { problems: problems.list, measured: { argumentsLookedAt: looked } };
  },
};

function tablesById({ world: start }: Scenario, end: Scenario["world"]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const world of [start.visible(), end.visible()])
    for (const table of world.tableNames) for (const { id } of world.all(table)) owners.set(id as string, table);
  return owners;
}

const LEAST_RECALL = 0.95;
const CANDIDATES = 64;

const recall: Check = {
  id: "recall-at-64",
  title: "At least 95 % of the reference's calls are among the first 64 candidates",
  async find(sample) {
    const broken = new Set(
      (await sample.reference()).filter(({ fault }) => fault !== undefined).map(({ scenario }) => scenario.task.id),
    );
    const scenarios = sample.scenarios.filter(({ task }) => !broken.has(task.id));
    const { calls, found, recall, missed } = await recallOf(sample.environment, scenarios, CANDIDATES);
    if (calls === 0) return { problems: [], notMeasured: "the reference made no call" };
    const measured = { recall, calls, found, missedByTool: countBy(missed.map(({ call }) => call.tool)) };
    if (recall >= LEAST_RECALL) return { problems: [], measured };
    const problems = missed.map(({ task, step, call }) => ({
      where: `${task}, step ${step}, ${call.tool}`,
      message: `recall@${CANDIDATES} is ${recall.toFixed(3)}: this call of the reference is not among the first ${CANDIDATES} candidates`,
      expected: `recall of at least ${LEAST_RECALL}`,
      actual: show(call.arguments),
      fix: "Let each argument hold one value that an earlier result showed, and mark both with the same kind or table.",
    }));
    return { problems, measured };
  },
};

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

export const markChecks: readonly Check[] = [marksNameTables, argumentsMarked, recall];
