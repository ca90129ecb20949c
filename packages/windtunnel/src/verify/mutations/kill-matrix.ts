/** Which question fell on which mutant, and what follows: dead and redundant questions, orphans, the smallest set that catches as much. */
import type { MutantRecord, MutationRun } from "./run-mutants.js";

export interface QuestionReport {
  readonly name: string;
  readonly role: "gate" | "criterion";
  /** Mutants it fell on, out of those that were aimed at it; null when none was. */
  readonly sensitivity: number | null;
  /** Mutants it stood on, out of those that were not aimed at it; null when all were. */
  readonly specificity: number | null;
  readonly falls: number;
  /** Mutants that no other question fell on. */
  readonly uniqueKills: number;
  /** Fell on nothing. */
  readonly dead: boolean;
  /** Fell on something, and on nothing alone. */
  readonly redundant: boolean;
}

export interface KillMatrix {
  readonly questions: readonly QuestionReport[];
  /** Mutants on which nothing fell and that were not set aside: what the rubric does not ask. */
  readonly orphans: readonly MutantRecord[];
  /** Fewest questions found (greedily) of which at least one falls on every mutant that any falls on. */
  readonly cover: readonly string[];
}

/** Mutants that count: damage that was executed, scored or not, and not set aside as equivalent or reviewed. */
export const validDamage = (run: MutationRun): readonly MutantRecord[] =>
  run.mutants.filter(({ falseKill, fate }) => falseKill === null && fate !== "equivalent");

export function killMatrix(run: MutationRun): KillMatrix {
  const { gates, criteria } = run.environment.rubric;
  const injected = new Set(
    run.tallies.filter(({ operator }) => operator.id === "H25").map(({ operator }) => operator.id),
  );
  const mutants = validDamage(run).filter(({ operator }) => !injected.has(operator));
  const rate = (part: number, of: number) => (of === 0 ? null : part / of);
  const questions = [
    ...gates.map(({ name }) => ({ name, role: "gate" as const })),
    ...criteria.map(({ name }) => ({ name, role: "criterion" as const })),
  ].map(({ name, role }): QuestionReport => {
    const fell = mutants.filter((mutant) => mutant.fell.includes(name));
    const aimed = mutants.filter(({ targets }) => targets.includes(name));
    const others = mutants.filter(({ targets }) => !targets.includes(name));
    const uniqueKills = fell.filter((mutant) => mutant.fell.length === 1).length;
    return {
      name,
      role,
      sensitivity: rate(aimed.filter((mutant) => mutant.fell.includes(name)).length, aimed.length),
      specificity: rate(others.filter((mutant) => !mutant.fell.includes(name)).length, others.length),
      falls: fell.length,
      uniqueKills,
      dead: fell.length === 0,
      redundant: fell.length > 0 && uniqueKills === 0,
    };
  });
  return {
    questions,
    orphans: mutants.filter(({ fell, fate }) => fell.length === 0 && fate !== "killed"),
    cover: greedyCover(
      questions.map(({ name }) => name),
      mutants.map(({ fell }) => fell).filter((fell) => fell.length > 0),
    ),
  };
}

/** Greedy set cover: the question that catches most of what is left, until nothing is; ties go to the one listed first. */
export function greedyCover(names: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const cover: string[] = [];
  let left = rows;
  while (left.length > 0) {
    const counts = names.map((name) => left.filter((row) => row.includes(name)).length);
    const most = Math.max(...counts);
    if (most === 0) break;
    const best = names[counts.indexOf(most)]!;
    cover.push(best);
    left = left.filter((row) => !row.includes(best));
  }
  return cover;
}
