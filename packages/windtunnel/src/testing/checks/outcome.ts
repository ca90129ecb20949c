/**
 * Can the outcome be the gold that reward is compared with? It is a finite number made of its parts, better for the reference than for
 * doing nothing, and reading it changes nothing.
 */
import type { OutcomeReading } from "../../core/outcome.js";
import { tryOutcome } from "../attempt.js";
import { type Check, FirstOfEach, show } from "../report.js";
import { REFERENCE_ATTEMPTS } from "../sample.js";

export const outcomeSound: Check = {
  id: "outcome-sound",
  title:
    "The reference's outcome is acceptable and better than that of doing nothing, which is not; each is the sum of its parts",
  async find(sample) {
    const { environment } = sample;
    const problems = new FirstOfEach();
    const gains: number[] = [];
    for (const [i, attempt] of (await sample.reference()).entries()) {
      const { scenario, world, fault } = attempt;
      if (i % REFERENCE_ATTEMPTS > 0 || fault !== undefined) continue;
      const where = scenario.task.id;
      const hash = world.hash();
      const reference = attempt.outcome;
      const idle = tryOutcome(environment, scenario.world, scenario.world);
      if (world.hash() !== hash)
        problems.add("changes", {
          where,
          message: "reading the outcome changed the final world",
          fix: "Read the world it is given, and write nothing.",
        });
      if (JSON.stringify(tryOutcome(environment, world, scenario.world)) !== JSON.stringify(reference)) {
        problems.add("twice", {
          where,
          message: "read twice, the outcome differs",
          actual: show(reference),
          fix: "Compute it from the world alone.",
        });
      }
      let sound = true;
      for (const [whose, outcome] of [
        ["the reference", reference],
        ["doing nothing", idle],
      ] as const) {
        const wrong = "problem" in outcome ? `could not be read: ${outcome.problem}` : whatIsWrong(outcome);
        if (wrong === undefined) continue;
        sound = false;
        problems.add(wrong.replace(/[\d.]+/g, "#"), {
          where,
          message: `the outcome of ${whose} ${wrong}`,
          fix: "Return a finite value, and parts that sum to it.",
        });
      }
      if (!sound || "problem" in reference || "problem" in idle) continue;
      gains.push(reference.value - idle.value);
      const numbers = {
        expected: `above ${idle.value} ${environment.outcome.unit}`,
        actual: `${reference.value} ${environment.outcome.unit}`,
      };
      if (!reference.acceptable)
        problems.add("unacceptable", {
          where,
          message: "the outcome of the reference is not acceptable",
          actual: show(reference),
          fix: "Mend the reference or the outcome: one of them is wrong about what good work is.",
        });
      if (idle.acceptable)
        problems.add("idle", {
          where,
          message: "the outcome of doing nothing is acceptable",
          actual: show(idle),
          fix: "Let the run-on show what neglect costs, or drop the task.",
        });
      if (!(reference.value > idle.value))
        problems.add("no gain", {
          where,
          message: "the outcome of doing nothing is as good as the reference's",
          ...numbers,
          fix: "Let the run-on show what neglect costs, or drop the task.",
        });
    }
    if (gains.length === 0) return { problems: problems.list, notMeasured: "no reference came to an end" };
    return {
      problems: problems.list,
      measured: {
        tasks: gains.length,
        meanGain: gains.reduce((sum, gain) => sum + gain, 0) / gains.length,
        unit: environment.outcome.unit,
      },
    };
  },
};

function whatIsWrong({ value, parts }: OutcomeReading): string | undefined {
  if (!Number.isFinite(value)) return `is ${value}`;
  const odd = Object.entries(parts).find(([, part]) => !Number.isFinite(part));
  if (odd !== undefined) return `has a part "${odd[0]}" of ${odd[1]}`;
  const sum = Object.values(parts).reduce((total, part) => total + part, 0);
  const size = Object.values(parts).reduce((total, part) => total + Math.abs(part), Math.abs(value));
  return Math.abs(sum - value) <= 1e-6 * Math.max(1, size) ? undefined : `is ${value}, its parts sum to ${sum}`;
}
