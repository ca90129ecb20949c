/**
 * Is the rubric itself in order? What weights alone may not decide, what was never asked, and evidence that points nowhere.
 */

import { defineRubric } from "../../core/rubric.js";
import type { CriterionResult } from "../../core/score.js";
import type { Evidence } from "../../core/verdict.js";
import { isMet } from "../../core/verdict.js";
import type { Attempt } from "../attempt.js";
import { type Check, FirstOfEach, messageOf, type Problem, show } from "../report.js";

const rubricObligations: Check = {
  id: "rubric-obligations",
  title: "The rubric is one that defineRubric accepts, says what it asks, and lets no weight alone decide a pass",
  find({ environment: { rubric } }) {
    const problems: Problem[] = [];
    try {
      const { digest } = defineRubric(rubric);
      if (digest !== rubric.digest)
        problems.push({
          where: "rubric",
          message: "the digest is not that of its contents",
          expected: digest,
          actual: rubric.digest,
          fix: "Make the rubric with defineRubric.",
        });
    } catch (error) {
      problems.push({ where: "rubric", message: messageOf(error), fix: "Make the rubric with defineRubric." });
    }
    if (rubric.gates.length === 0 && rubric.criteria.every(({ critical }) => !critical)) {
      problems.push({
        where: "rubric",
        message: "has no gate and no critical criterion: points alone decide a pass",
        fix: "Mark as critical what a pass must never lack.",
      });
    }
    for (const { name, description } of [...rubric.gates, ...rubric.criteria]) {
      if (description.trim().length < 8)
        problems.push({ where: name, message: "does not say what it asks", fix: "Describe it in a sentence." });
    }
    return { problems, measured: { gates: rubric.gates.length, criteria: rubric.criteria.length } };
  },
};

const questionsAnswered: Check = {
  id: "questions-answered",
  title: "Every gate and every criterion is answered somewhere in the sample",
  async find(sample) {
    const tallies = new Map<string, { role: CriterionResult["role"]; answered: number; met: number; other: string }>();
    let scores = 0;
    for (const { score } of await sample.attempts()) {
      if (score === undefined) continue;
      scores++;
      for (const { name, role, verdict } of score.results) {
        const tally = tallies.get(name) ?? { role, answered: 0, met: 0, other: "" };
        if (verdict.kind === "scored") tally.answered++;
        else tally.other = verdict.kind === "errored" ? `${verdict.boundary}: ${verdict.cause}` : verdict.reason;
        if (isMet(verdict)) tally.met++;
        tallies.set(name, tally);
      }
    }
    if (scores === 0) return { problems: [], notMeasured: "no attempt came to an end" };
    const problems: Problem[] = [];
    for (const [name, { role, answered, other }] of tallies) {
      if (answered > 0) continue;
      const message =
        role === "gate"
          ? `this gate could not be evaluated in any of ${scores} attempts, so it guards nothing`
          : `this criterion never applied in ${scores} attempts`;
      problems.push({
        where: name,
        message,
        actual: other,
        fix: "Mend it, remove it, or check more tasks if it is for a rare kind.",
      });
    }
    const untested = [...tallies]
      .filter(([, { answered, met }]) => answered > 0 && met === answered)
      .map(([name]) => name);
    return { problems, measured: { attempts: scores, neverUnmet: untested } };
  },
};

const evidenceResolves: Check = {
  id: "evidence-resolves",
  title: "Every verdict gives a reason, and its evidence points at events and rows that exist",
  async find(sample) {
    const problems = new FirstOfEach();
    let pointed = 0;
    for (const attempt of await sample.attempts()) {
      for (const { name, verdict } of attempt.score?.results ?? []) {
        const where = `${name}, on ${attempt.scenario.task.id} by ${attempt.agent}`;
        const reason = verdict.kind === "errored" ? verdict.cause : verdict.reason;
        if (reason.trim() === "")
          problems.add(`${name} reason`, {
            where,
            message: "a verdict gives no reason",
            fix: "Say in a few words what was found.",
          });
        if (verdict.kind !== "scored") continue;
        for (const evidence of verdict.evidence) {
          pointed++;
          const lost = whyLost(evidence, attempt);
          if (lost !== undefined)
            problems.add(`${name} ${lost}`, {
              where,
              message: `evidence points at ${lost}`,
              actual: show(evidence),
              fix: "Point at an event of the trace by its seq, or at a row that tools can reach.",
            });
        }
      }
    }
    return pointed === 0 && problems.list.length === 0
      ? { problems: [], notMeasured: "no verdict points at anything" }
      : { problems: problems.list, measured: { pointed } };
  },
};

function whyLost(evidence: Evidence, { events, world, scenario }: Attempt): string | undefined {
  if ("event" in evidence)
    return events[evidence.event]?.seq === evidence.event ? undefined : "an event that is not in the trace";
  const { table, id, field } = evidence;
  const views = [world.visible(), scenario.world.visible()];
  if (!views[0]!.tableNames.includes(table)) return "a table that tools cannot reach";
  const row = views.map((view) => view.get(table, id)).find((found) => found !== undefined);
  if (row === undefined) return "a row that does not exist";
  return field === undefined || Object.hasOwn(row, field) ? undefined : "a field that the row does not have";
}

export const rubricChecks: readonly Check[] = [rubricObligations, questionsAnswered, evidenceResolves];
