/**
 * Are the splits apart? By source group, and by likeness: two tasks of different splits that share nearly all of what sets tasks apart are
 * one task seen twice. Ids are read as "a row of that table", so renaming does not hide a copy.
 */
import type { Scenario } from "../../core/environment.js";
import type { Split } from "../../core/task.js";
import type { Check, Problem } from "../report.js";

const NEAR = 0.9;

export const splitsDisjoint: Check = {
  id: "splits-disjoint",
  title: "No source group, and no task nearly alike, is in two splits",
  find({ scenarios, splits }) {
    if (splits.length < 2) return { problems: [], notMeasured: "one split was asked for" };
    if (scenarios.length === 0) return { problems: [], notMeasured: "no task opened" };
    const problems: Problem[] = [];
    const homes = new Map<string, Scenario["task"]>();
    for (const { task } of scenarios) {
      const home = homes.get(task.sourceGroup);
      if (home === undefined) homes.set(task.sourceGroup, task);
      else if (home.split !== task.split)
        problems.push({
          where: task.id,
          message: `shares the source group "${task.sourceGroup}" with ${home.id}`,
          fix: "Let the source decide the split: all tasks of one source in one.",
        });
    }
    const { pairs, nearest } = likePairs(
      scenarios.map((scenario) => ({ id: scenario.task.id, split: scenario.task.split, content: contentOf(scenario) })),
    );
    for (const { a, b, likeness } of pairs) {
      problems.push({
        where: b,
        message: `is nearly the same task as ${a}`,
        expected: `a likeness below ${NEAR}`,
        actual: likeness.toFixed(2),
        fix: "Vary what tasks are made of, or put what is alike in one split.",
      });
    }
    return { problems, measured: { groups: homes.size, greatestLikeness: Number(nearest.toFixed(3)) } };
  },
};

const ID = /\b[A-Za-z]+-\d+\b/g;

/** What a task is made of, one entry a field, with ids of rows replaced by their tables. */
function contentOf({ task, facts, world }: Scenario): ReadonlySet<string> {
  const rows = world.toRows();
  const owners = new Map<string, string>();
  for (const [table, list] of Object.entries(rows)) for (const { id } of list) owners.set(id as string, table);
  const plain = (value: unknown) => (JSON.stringify(value) ?? "").replace(ID, (id) => owners.get(id) ?? id);
  const content = new Set([`prompt=${plain(task.prompt)}`]);
  for (const [table, list] of Object.entries(rows)) {
    for (const row of list)
      for (const [field, value] of Object.entries(row))
        if (field !== "id") content.add(`${table}.${field}=${owners.get(value as string) ?? plain(value)}`);
  }
  if (typeof facts === "object" && facts !== null)
    for (const [field, value] of Object.entries(facts)) content.add(`facts.${field}=${plain(value)}`);
  return content;
}

interface Item {
  readonly id: string;
  readonly split: Split;
  readonly content: ReadonlySet<string>;
}

/** Pairs across splits that are alike in what is not common to most tasks; those alike in everything count as wholly alike. */
function likePairs(items: readonly Item[]): { pairs: { a: string; b: string; likeness: number }[]; nearest: number } {
  const counts = new Map<string, number>();
  for (const { content } of items) for (const entry of content) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  const own = items.map(
    ({ content }) => new Set([...content].filter((entry) => counts.get(entry)! <= items.length / 2)),
  );
  const pairs: { a: string; b: string; likeness: number }[] = [];
  let nearest = 0;
  for (const [j, b] of items.entries()) {
    for (let i = 0; i < j; i++) {
      const a = items[i]!;
      if (a.split === b.split) continue;
      const likeness = own[i]!.size + own[j]!.size === 0 ? jaccard(a.content, b.content) : jaccard(own[i]!, own[j]!);
      nearest = Math.max(nearest, likeness);
      if (likeness >= NEAR) pairs.push({ a: a.id, b: b.id, likeness });
    }
  }
  return { pairs, nearest };
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const entry of a) if (b.has(entry)) shared++;
  return shared / (a.size + b.size - shared);
}
