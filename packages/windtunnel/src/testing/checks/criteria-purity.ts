/**
 * Are criteria pure? Each is asked several times, at different hours, on frozen records and on records that could be changed.
 */
import type { CriterionContext } from "../../core/criterion.js";
import { Timeline } from "../../core/timeline.js";
import type { TraceEvent } from "../../core/trace.js";
import type { Verdict } from "../../core/verdict.js";
import type { Attempt } from "../attempt.js";
import { type Check, FirstOfEach, messageOf, type Problem, show } from "../report.js";
import { watchAmbient } from "../watch-ambient.js";

const TIMES = 5;
const HOUR_MS = 3_600_000;
const FIX = "Make it a function of its context alone: it returns a verdict and changes nothing.";

export const criteriaPurity: Check = {
  id: "criteria-purity",
  title: "A criterion asked again gives the same verdict, and leaves trace and facts as they were",
  async find(sample) {
    const { gates, criteria } = sample.environment.rubric;
    const problems = new FirstOfEach();
    let asked = 0;
    for (const attempt of await sample.attempts()) {
      if (attempt.fault !== undefined) continue;
      const frozen = contextOf(attempt, attempt.events, attempt.scenario.facts);
      for (const { name, check } of [...gates, ...criteria]) {
        const report = (message: string, more: Partial<Problem> = {}) =>
          problems.add(`${name} ${message}`, {
            where: `${name}, on ${attempt.scenario.task.id} by ${attempt.agent}`,
            message,
            fix: FIX,
            ...more,
          });
        const used = new Set<string>();
        const answers = Array.from({ length: TIMES }, (_, i) =>
          watchAmbient(i * 29 * HOUR_MS, used, () => answer(() => check(frozen))),
        );
        asked++;
        if (used.size > 0) report(`the criterion draws on ${[...used].join(" and ")}`);
        const other = answers.find((text) => text !== answers[0]);
        if (other !== undefined)
          report(`asked ${TIMES} times, it changed its mind`, { expected: show(answers[0]), actual: show(other) });

        const open = { events: thaw(attempt.events), facts: thaw(attempt.scenario.facts) };
        const before = { events: JSON.stringify(open.events), facts: JSON.stringify(open.facts) };
        answer(() => check(contextOf(attempt, open.events, open.facts)));
        if (JSON.stringify(open.events) !== before.events) report("the criterion changes the trace");
        if (JSON.stringify(open.facts) !== before.facts) report("the criterion changes the facts");
      }
    }
    return asked === 0
      ? { problems: [], notMeasured: "no attempt came to an end" }
      : { problems: problems.list, measured: { asked } };
  },
};

function contextOf({ scenario, world }: Attempt, events: readonly TraceEvent[], facts: unknown): CriterionContext {
  const before = scenario.world.visible().readOnly();
  const after = world.visible().readOnly();
  return { task: scenario.task, facts, timeline: new Timeline(events), before, after, changes: after.diff(before) };
}

function answer(ask: () => Verdict): string {
  try {
    return JSON.stringify(ask());
  } catch (error) {
    return `threw ${messageOf(error)}`;
  }
}

const thaw = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));
