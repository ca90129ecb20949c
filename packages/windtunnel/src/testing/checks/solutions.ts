/**
 * Does work pay, and only work? The reference passes every task every time; doing nothing, and the untouched world, earn nothing.
 */
import type { Scenario } from "../../core/environment.js";
import { scoreEpisode } from "../../core/rollout.js";
import type { Score } from "../../core/score.js";
import { isMet } from "../../core/verdict.js";
import { wilson } from "../../stats/intervals.js";
import type { Attempt } from "../attempt.js";
import { type Check, FirstOfEach, type Problem } from "../report.js";

const IDLE_MOST = 0.05;

const referenceRuns: Check = {
  id: "reference-runs",
  title: "The reference solution runs to its end on every task",
  async find(sample) {
    const problems = new FirstOfEach();
    const attempts = await sample.reference();
    for (const { fault, scenario, events } of attempts) {
      const { id } = scenario.task;
      if (fault !== undefined) {
        const whose =
          fault.boundary === "agent" ? "the reference threw" : `the ${fault.boundary} broke (${fault.code})`;
        problems.add(`${fault.code} ${fault.message}`, {
          where: id,
          message: `${whose}: ${fault.message}`,
          fix: "Make the reference solve every task that generate can make.",
        });
        continue;
      }
      const end = events.at(-1);
      if (end?.type === "end" && end.truncated)
        problems.add(end.reason, {
          where: id,
          message: `the reference was cut short by the ${end.reason.replaceAll("_", " ")}`,
          fix: "Raise the limit, or shorten the reference.",
        });
    }
    return attempts.length === 0
      ? { problems: [], notMeasured: "no task opened" }
      : { problems: problems.list, measured: { attempts: attempts.length } };
  },
};

/** The first question a score did not meet, with its reason. */
function shortfall(score: Score): string {
  if (score.status !== "scored") return `it could not be scored: ${score.reason}`;
  const missed = score.results.find(({ verdict }) => verdict.kind === "scored" && !isMet(verdict));
  const reason = missed?.verdict.kind === "scored" ? `; ${missed.name}: ${missed.verdict.reason}` : "";
  return `reward ${score.reward.toFixed(3)}${reason}`;
}

const passedBy = (score: Score | undefined) => score?.status === "scored" && score.passed;

const referencePasses: Check = {
  id: "reference-passes",
  title: "The reference solution passes every task, every time",
  async find(sample) {
    const byTask = new Map<string, Attempt[]>();
    for (const attempt of await sample.reference()) {
      const { id } = attempt.scenario.task;
      byTask.set(id, [...(byTask.get(id) ?? []), attempt]);
    }
    const problems: Problem[] = [];
    let passes = 0;
    let total = 0;
    for (const [where, attempts] of byTask) {
      const passed = attempts.filter(({ score }) => passedBy(score)).length;
      passes += passed;
      total += attempts.length;
      if (passed === attempts.length) continue;
      const failed = attempts.find(({ score }) => !passedBy(score))!;
      const why =
        failed.score === undefined
          ? `the ${failed.fault?.boundary} broke: ${failed.fault?.message}`
          : shortfall(failed.score);
      const message =
        passed === 0
          ? `the reference never passes: ${why}`
          : `the reference is flaky, it passes ${passed} of ${attempts.length} times: ${why}`;
      problems.push({
        where,
        message,
        expected: "a pass every time",
        fix: "Mend the reference or the criterion; a task whose known-good solution fails measures nothing.",
      });
    }
    const rate = wilson(passes, total);
    const measured = rate.value === null ? {} : { goldPassRate: rate.value, attempts: total, interval: rate.interval };
    return total === 0 ? { problems: [], notMeasured: "no task opened" } : { problems, measured };
  },
};

const idleEarnsNothing: Check = {
  id: "idle-earns-nothing",
  title: "Doing nothing earns at most 0.05 on average and passes no task",
  async find(sample) {
    const problems: Problem[] = [];
    const rewards: { id: string; reward: number; why: string }[] = [];
    for (const { score, scenario } of await sample.idle()) {
      if (score?.status !== "scored") continue;
      const earned = score.results.filter(({ earned }) => earned > 0).map(({ name }) => name);
      rewards.push({ id: scenario.task.id, reward: score.reward, why: earned.join(", ") });
      if (score.passed)
        problems.push({
          where: scenario.task.id,
          message: "doing nothing passes",
          fix: "Make the task need an act, and a critical criterion that asks for it.",
        });
    }
    if (rewards.length === 0) return { problems, notMeasured: "no idle attempt could be scored" };
    const mean = rewards.reduce((sum, { reward }) => sum + reward, 0) / rewards.length;
    if (mean > IDLE_MOST) {
      const worst = rewards.reduce((a, b) => (b.reward > a.reward ? b : a));
      problems.push({
        where: worst.id,
        message: `doing nothing earns ${mean.toFixed(3)} on average, here ${worst.reward.toFixed(3)} for ${worst.why}`,
        expected: `at most ${IDLE_MOST}`,
        fix: "Give such criteria credit only `after` the one that needs an act, or make them gates.",
      });
    }
    return { problems, measured: { meanReward: mean, scored: rewards.length } };
  },
};

const startDoesNotPass: Check = {
  id: "start-does-not-pass",
  title: "No task is solved before it begins",
  find({ environment, scenarios }) {
    const problems: Problem[] = [];
    for (const scenario of scenarios) {
      const { id } = scenario.task;
      const score = scoreEpisode(environment, scenario as Scenario, [], scenario.world);
      if (passedBy(score))
        problems.push({
          where: id,
          message: "the untouched world passes, with an empty trace",
          fix: "Start the task from a state that does not satisfy the rubric.",
        });
      if (environment.solved?.(scenario.world.visible().readOnly()) === true)
        problems.push({
          where: id,
          message: "the untouched world counts as solved",
          fix: "Mend `solved`, or the state the task starts from.",
        });
    }
    return scenarios.length === 0
      ? { problems, notMeasured: "no task opened" }
      : { problems, measured: { tasks: scenarios.length } };
  },
};

export const solutionChecks: readonly Check[] = [referenceRuns, referencePasses, idleEarnsNothing, startDoesNotPass];
