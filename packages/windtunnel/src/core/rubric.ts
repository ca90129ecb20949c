/**
 * Rubric: gates, then weighted criteria, to a Score. Weights alone never decide a pass: no gate tripped, every critical criterion met,
 * and the reward at or above the pass mark. Criteria that do not apply give no credit and the points renormalise.
 */
import type { Criterion, CriterionContext, Gate } from "./criterion.js";
import { UsageError } from "./fault.js";
import { digestOf } from "./hash.js";
import type { CriterionResult, Score } from "./score.js";
import { errored, isMet, scored, unmet, type Verdict } from "./verdict.js";
import type { Tables } from "./world.js";

export interface Rubric<T extends Tables = Tables, F = unknown> {
  readonly passMark: number;
  readonly gates: readonly Gate<T, F>[];
  readonly criteria: readonly Criterion<T, F>[];
  /** Changes when any name, version, point, cap or the pass mark does. */
  readonly digest: string;
}

/** Defines a rubric. Refuses one without criteria, with points that do not sum to 100, with repeated names or an `after` that names none before it. */
export function defineRubric<T extends Tables, F>(rubric: {
  passMark?: number;
  gates?: readonly Gate<T, F>[];
  criteria: readonly Criterion<T, F>[];
}): Rubric<T, F> {
  const { passMark = 0.9, gates = [], criteria } = rubric;
  const refuse = (what: string, expected: string, actual: string, fix: string) => {
    throw new UsageError({ code: "invalid_rubric", what, path: "rubric", expected, actual, fix });
  };
  if (criteria.length === 0)
    refuse("A rubric scores nothing", "at least one criterion", "none", "Add a criterion with points.");
  const total = criteria.reduce((sum, criterion) => sum + criterion.points, 0);
  if (Math.abs(total - 100) > 1e-9)
    refuse("Points do not sum", "100", String(total), "Change the points of its criteria.");
  const bad = criteria.find((criterion) => !(criterion.points > 0));
  if (bad !== undefined)
    refuse(
      `Criterion "${bad.name}" is worth nothing`,
      "points above 0",
      String(bad.points),
      "Remove it or make it a gate.",
    );
  const badGate = gates.find((gate) => !(gate.cap >= 0 && gate.cap < 1));
  if (badGate !== undefined)
    refuse(`Gate "${badGate.name}" caps nothing`, "a cap in 0..1, below 1", String(badGate.cap), "Lower its cap.");
  if (!(passMark > 0 && passMark <= 1))
    refuse("The pass mark is out of range", "above 0, at most 1", String(passMark), "Change passMark.");
  const names = [...gates, ...criteria].map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) refuse("Two questions share a name", "each name once", twice, "Rename one.");
  const listed = new Set<string>();
  for (const { name, after } of criteria) {
    const missing = after.find((other) => !listed.has(other));
    if (missing !== undefined)
      refuse(
        `Criterion "${name}" counts after an unknown one`,
        "a criterion listed before it",
        missing,
        "Reorder or rename.",
      );
    listed.add(name);
  }
  const contents = {
    passMark,
    gates: gates.map(({ name, version, cap }) => [name, version, cap]),
    criteria: criteria.map(({ name, version, points, critical, after }) => [name, version, points, critical, after]),
  };
  return Object.freeze({ passMark, gates, criteria, digest: digestOf(contents) });
}

const KINDS: readonly string[] = ["scored", "notApplicable", "unscored", "errored"] satisfies Verdict["kind"][];

function ask(check: () => Verdict): Verdict {
  try {
    const verdict = check() as Verdict | null | undefined;
    // What is no verdict (a forgotten return, a promise, a number made by hand) would otherwise count as a 0.
    if (typeof verdict !== "object" || verdict === null || !KINDS.includes(verdict.kind))
      return errored("verifier", "the check returned no verdict");
    return verdict.kind === "scored" ? scored(verdict.value, verdict.reason, verdict.evidence) : verdict;
  } catch (error) {
    return errored("verifier", error instanceof Error ? error.message : String(error));
  }
}

/** Asks every question and composes the score. Never throws: a criterion that throws is errored, and so is the score. */
export function applyRubric<T extends Tables, F>(rubric: Rubric<T, F>, context: CriterionContext<T, F>): Score {
  const gates: CriterionResult[] = rubric.gates.map((gate) => ({
    name: gate.name,
    version: gate.version,
    role: "gate",
    critical: true,
    points: 0,
    verdict: ask(() => gate.check(context)),
    earned: 0,
  }));
  const verdicts = new Map<string, Verdict>();
  for (const criterion of rubric.criteria) {
    const own = ask(() => criterion.check(context));
    const blocking = criterion.after.find((name) => {
      const earlier = verdicts.get(name);
      return earlier !== undefined && earlier.kind === "scored" && !isMet(earlier);
    });
    const credited = blocking !== undefined && own.kind === "scored" && own.value > 0;
    verdicts.set(
      criterion.name,
      credited ? unmet(`no credit before "${blocking}" is met (${own.reason})`, own.evidence) : own,
    );
  }
  const applicable = rubric.criteria.filter((criterion) => verdicts.get(criterion.name)!.kind !== "notApplicable");
  const total = applicable.reduce((sum, criterion) => sum + criterion.points, 0);
  const criteria: CriterionResult[] = rubric.criteria.map((criterion) => {
    const verdict = verdicts.get(criterion.name)!;
    const { name, version, critical, points } = criterion;
    return {
      name,
      version,
      role: "criterion",
      critical,
      points,
      verdict,
      earned: verdict.kind === "scored" ? (verdict.value * points) / total : 0,
    };
  });
  const results = [...gates, ...criteria];

  const broken =
    results.find(({ verdict }) => verdict.kind === "errored") ??
    results.find(({ verdict }) => verdict.kind === "unscored");
  if (broken !== undefined) {
    const { verdict } = broken;
    const reason =
      verdict.kind === "errored"
        ? `${verdict.boundary}: ${verdict.cause}`
        : verdict.kind === "unscored"
          ? verdict.reason
          : "";
    return {
      status: verdict.kind === "errored" ? "errored" : "unscored",
      reason: `${broken.name}: ${reason}`,
      results,
    };
  }
  if (total === 0) return { status: "unscored", reason: "no criterion applies to this task", results };

  const cap = rubric.gates.reduce((lowest, gate, i) => {
    const { verdict } = gates[i]!;
    return verdict.kind === "scored" && !isMet(verdict) ? Math.min(lowest, gate.cap) : lowest;
  }, 1);
  const points = criteria.reduce(
    (sum, { verdict, points }) => sum + (verdict.kind === "scored" ? verdict.value * points : 0),
    0,
  );
  const reward = Math.min(points / total, cap);
  const passed =
    cap === 1 &&
    reward >= rubric.passMark &&
    criteria.every(({ critical, verdict }) => !critical || verdict.kind === "notApplicable" || isMet(verdict));
  return { status: "scored", reward, passed, results };
}

/** Rows changed that nothing allowed: unmet with the rows, met when every change is on the list. A rule that names fields allows updates of those fields only. */
export function onlyAllowedChanges(
  changes: CriterionContext["changes"],
  allow: readonly {
    table: string;
    ids?: readonly string[];
    fields?: readonly string[];
    op?: "insert" | "update" | "remove";
  }[],
): Verdict {
  const stray = changes.filter(({ table, id, before, after }) => {
    const op = before === null ? "insert" : after === null ? "remove" : "update";
    const touched =
      op === "update"
        ? Object.keys(after!).filter(
            (key) => after![key] !== before![key] && JSON.stringify(after![key]) !== JSON.stringify(before![key]),
          )
        : [];
    return !allow.some(
      (rule) =>
        rule.table === table &&
        (rule.op === undefined || rule.op === op) &&
        (rule.ids === undefined || rule.ids.includes(id)) &&
        (rule.fields === undefined || (op === "update" && touched.every((field) => rule.fields!.includes(field)))),
    );
  });
  if (stray.length === 0) return { kind: "scored", value: 1, reason: "every change was called for", evidence: [] };
  return unmet(
    `${stray.length} changes nothing called for`,
    stray.map(({ table, id }) => ({ table, id })),
  );
}
