/**
 * Do tasks open, and do task and seed decide everything that follows? Openings and attempts are made twice, at different hours and in
 * another order, and compared.
 */
import { toCanonicalJson } from "../../core/hash.js";
import { linesOf } from "../attempt.js";
import { type Check, type Problem, show } from "../report.js";
import { REFERENCE_ATTEMPTS, type Sample } from "../sample.js";

const HOUR_MS = 3_600_000;
const SEED_FIX = "Draw from `draw.random` in generate, read time from `world.now`, and keep no state between calls.";

const tasksOpen: Check = {
  id: "tasks-open",
  title: "Every task opens, with a prompt, a family, an archetype and facts that are plain JSON",
  find({ openings }) {
    const problems: Problem[] = [];
    for (const opening of openings) {
      const { id: where } = opening;
      if ("error" in opening) {
        problems.push({
          where,
          message: `generate threw: ${opening.error}`,
          fix: "Make generate work for every split and index.",
        });
        continue;
      }
      const { task, facts } = opening.scenario;
      for (const field of ["prompt", "family", "archetype", "sourceGroup"] as const) {
        if (typeof task[field] !== "string" || task[field].trim() === "")
          problems.push({ where, message: `the task has no ${field}`, fix: `Return a ${field} from generate.` });
      }
      const odd = findOdd(facts, "facts");
      if (odd !== undefined)
        problems.push({
          where: `${where}, ${odd}`,
          message: "facts hold something that is not plain JSON",
          fix: "Use text, finite numbers, booleans, null, lists and plain objects.",
        });
    }
    return { problems, measured: { tasks: openings.length } };
  },
};

/** The path of the first part of `value` that JSON would lose or change. */
function findOdd(value: unknown, path: string): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : path;
  if (typeof value !== "object") return path;
  if (
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) !== Object.prototype &&
    Object.getPrototypeOf(value) !== null
  )
    return path;
  for (const [key, field] of Object.entries(value)) {
    const odd = findOdd(field, `${path}.${key}`);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

const seedDeterminism: Check = {
  id: "seed-determinism",
  title: "The same id gives the same task, facts and world; different ids give different ones",
  find(sample) {
    const problems: Problem[] = [];
    const first = new Map<string, string>();
    const owners = new Map<string, string>();
    for (const opening of sample.openings) {
      if (opening.ambient.length > 0)
        problems.push({
          where: opening.id,
          message: `generate draws on ${opening.ambient.join(" and ")}`,
          fix: SEED_FIX,
        });
      if (!("scenario" in opening)) continue;
      const { task, world } = opening.scenario;
      first.set(opening.id, fingerprint(opening.scenario));
      const content = `${world.hash()} ${task.prompt}`;
      const owner = owners.get(content);
      if (owner === undefined) owners.set(content, opening.id);
      else
        problems.push({
          where: opening.id,
          message: `has the same world and prompt as ${owner}`,
          expected: "a task of its own",
          fix: "Let `draw.random` decide what differs from task to task.",
        });
    }
    let hour = 1;
    for (const { id } of [...sample.openings].reverse()) {
      const before = first.get(id);
      const again = sample.open(id, 31 * hour++ * HOUR_MS);
      if (before === undefined || !("scenario" in again)) continue;
      const after = fingerprint(again.scenario);
      if (after !== before)
        problems.push({
          where: id,
          message: "opened twice, it gave two different tasks",
          expected: show(before),
          actual: show(after),
          fix: SEED_FIX,
        });
    }
    for (const { id } of sample.openings.slice(0, 3)) {
      const [split, seed, index] = id.split("/");
      const other = sample.open(`${split}/${Number(seed) + 1}/${index}`, 0);
      const owner =
        "scenario" in other ? owners.get(`${other.scenario.world.hash()} ${other.scenario.task.prompt}`) : undefined;
      if (owner !== undefined)
        problems.push({
          where: other.id,
          message: `has the same world and prompt as ${owner}: the seed is dropped`,
          fix: "Let `draw.random` decide what differs from seed to seed.",
        });
    }
    return first.size === 0
      ? { problems, notMeasured: "no task opened" }
      : { problems, measured: { opened: first.size, distinct: owners.size } };
  },
};

const fingerprint = ({ task, facts, world }: Sample["scenarios"][number]) =>
  `${world.hash()} ${toCanonicalJson(task)} ${JSON.stringify(facts)}`;

const stepDeterminism: Check = {
  id: "step-determinism",
  title: "The same calls on the same task give the same trace, state, score and outcome",
  async find(sample) {
    const problems: Problem[] = [];
    let compared = 0;
    for (const kind of ["reference", "walk"] as const) {
      const attempts = kind === "reference" ? await sample.reference() : await sample.walks();
      for (const [i, attempt] of attempts.entries()) {
        const where = `${attempt.scenario.task.id}, ${attempt.agent}`;
        if (attempt.ambient.environment.length > 0)
          problems.push({
            where,
            message: `a tool, reaction, user or outcome draws on ${attempt.ambient.environment.join(" and ")}`,
            fix: "Draw from `world.random(label)` and read time from `world.now`.",
          });
        if (attempt.ambient.agent.length > 0)
          problems.push({
            where,
            message: `the reference draws on ${attempt.ambient.agent.join(" and ")}`,
            fix: "Draw from `context.random`.",
          });
        if (kind === "reference" && i % REFERENCE_ATTEMPTS > 0) continue;
        compared++;
        const before = linesOf(attempt);
        const after = linesOf(await sample.again(kind, i));
        const at = before.findIndex((line, n) => line !== after[n]);
        if (at >= 0)
          problems.push({
            where: `${where}, line ${at}`,
            message: "run twice, it went two ways",
            ...differenceOf(before[at]!, after[at]),
            fix: "Keep no state outside the world, and draw only from `world.random(label)`.",
          });
      }
    }
    return compared === 0 ? { problems, notMeasured: "no task opened" } : { problems, measured: { compared } };
  },
};

/** Two lines from where they part. */
function differenceOf(expected: string, actual = "(nothing)"): { expected: string; actual: string } {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at++;
  const from = Math.max(0, at - 40);
  return { expected: show(expected.slice(from)), actual: show(actual.slice(from)) };
}

export const determinismChecks: readonly Check[] = [tasksOpen, seedDeterminism, stepDeterminism];
