import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scriptedAgent } from "../core/agent.js";
import type { CriterionResult, Score } from "../core/score.js";
import { met, notApplicable, scored, unmet, type Verdict } from "../core/verdict.js";
import { openStore } from "../store/sqlite.js";
import { rolloutOf, runOf, scoreOf } from "../store/store.fixture.js";
import type { Store } from "../store/store.js";
import { chancyAgent, deskTasks, openDesk, runDesk } from "./desk.fixture.js";
import { reportRun } from "./report.js";
import { rescoreRun } from "./rescore.js";
import { reportAgreement } from "./reward-outcome.js";

let dir: string;
let store: Store;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "windtunnel-report-"));
  store = openStore(dir);
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const outcomeOf = (value: number, normalised: number | null = value) => ({
  value,
  unit: "USD",
  parts: { all: value },
  acceptable: value > 0.5,
  normalised,
});
const planned = (id: string, tasks: number, attempts: number) =>
  store.createRun(runOf(id, { spec: { ...runOf(id).spec, tasks, attempts } }));

describe("reportRun", () => {
  it("accounts for every planned attempt exactly once, and says when some have no score", async () => {
    planned("run-1", 4, 2);
    await store.commit("run-1", [
      rolloutOf("a", 0, { score: scoreOf(1) }),
      rolloutOf("a", 1, { score: scoreOf(0.5) }),
      rolloutOf("b", 0, {
        score: { status: "errored", reason: "tool/threw", results: [] },
        endReason: "fault",
        outcome: null,
      }),
      rolloutOf("b", 1, { score: { status: "unscored", reason: "nothing to check", results: [] } }),
    ]);
    const going = reportRun(store, "run-1");
    expect(going.coverage).toEqual({ planned: 8, scored: 2, unscored: 1, errored: 1, cancelled: 0, pending: 4 });
    store.finishRun("run-1", "cancelled", 2_500);
    const report = reportRun(store, "run-1");
    expect(report.coverage).toEqual({ planned: 8, scored: 2, unscored: 1, errored: 1, cancelled: 4, pending: 0 });
    expect(report).toMatchObject({
      complete: false,
      passRate: { passed: 1, scored: 2, planned: 8, share: 0.5, complete: false },
      wallSeconds: 2.5,
    });
    expect(report.endReasons).toEqual({ finished: 3, fault: 1 });
  });

  it("is complete when every planned attempt is scored", async () => {
    planned("run-1", 1, 2);
    await store.commit("run-1", [rolloutOf("a", 0), rolloutOf("a", 1)]);
    expect(reportRun(store, "run-1")).toMatchObject({ complete: true, passRate: { complete: true } });
  });

  it("takes no fault and no number that is none into a mean", async () => {
    planned("run-1", 6, 1);
    await store.commit("run-1", [
      rolloutOf("a", 0, { score: scoreOf(0.8), outcome: outcomeOf(4, 1) }),
      rolloutOf("b", 0, { score: scoreOf(0.4), outcome: outcomeOf(2, Number.NaN) }),
      rolloutOf("c", 0, { score: scoreOf(Number.NaN), outcome: outcomeOf(Number.POSITIVE_INFINITY) }),
      rolloutOf("d", 0, { score: scoreOf(Number.POSITIVE_INFINITY), outcome: outcomeOf(Number.NaN) }),
      rolloutOf("e", 0, {
        score: { status: "errored", reason: "x", results: [] },
        outcome: null,
        usage: { ...rolloutOf("e", 0).usage, tokens: Number.NaN, costUsd: Number.NaN },
      }),
    ]);
    const report = reportRun(store, "run-1");
    expect(report.coverage).toMatchObject({ scored: 2, errored: 3 });
    expect(report.reward.mean).toBeCloseTo(0.6, 12);
    expect(report.reward).toMatchObject({ min: 0.4, max: 0.8 });
    expect(report.outcome).toMatchObject({ read: 2, mean: 3, normalisedMean: 1, acceptableShare: 1 });
    expect(report).toMatchObject({ tokens: 400, costUsd: 1 });
    expect(JSON.stringify(report)).not.toContain("NaN");
  });

  it("has no numbers, only counts, for a run without a single score", () => {
    planned("run-1", 3, 1);
    const report = reportRun(store, "run-1");
    expect(report.reward).toEqual({ mean: null, min: null, max: null, p10: null, ci95: null });
    expect(report.passRate).toMatchObject({ share: null, ci95: null, planned: 3, complete: false });
    expect(report.outcome).toMatchObject({ mean: null, acceptableShare: null });
    expect(report.agreement.auc.value).toBeNull();
    expect(() => reportRun(store, "run-9")).toThrow(/No such run.*run-9/);
  });

  it("widens the interval of the mean when attempts of one task go together", async () => {
    for (const [run, together] of [
      ["together", true],
      ["apart", false],
    ] as const) {
      planned(run, 10, 4);
      const rollouts = Array.from({ length: 40 }, (_, i) => {
        const task = i % 10;
        const attempt = Math.floor(i / 10);
        return rolloutOf(`t/${task}`, attempt, { score: scoreOf((together ? task : task + attempt) % 2) });
      });
      await store.commit(run, rollouts);
    }
    const width = (run: string) => {
      const { ci95 } = reportRun(store, run).reward;
      return ci95 === null ? 0 : ci95[1] - ci95[0];
    };
    expect(reportRun(store, "together").reward.mean).toBe(0.5);
    expect(width("together")).toBeGreaterThan(2 * width("apart"));
    expect(reportRun(store, "together").passRate.ci95![0]).toBeCloseTo(0.352, 3);
  });

  it("says of each question how often it was met and how many points it cost", async () => {
    planned("run-1", 4, 1);
    const result = (
      name: string,
      role: CriterionResult["role"],
      points: number,
      verdict: Verdict,
      total = 100,
    ): CriterionResult => ({
      name,
      version: 1,
      role,
      critical: role === "gate",
      points,
      verdict,
      earned: verdict.kind === "scored" ? (verdict.value * points) / total : 0,
    });
    const scoreWith = (reward: number, results: CriterionResult[]): Score => ({
      status: "scored",
      reward,
      passed: false,
      results,
    });
    await store.commit("run-1", [
      rolloutOf("a", 0, {
        score: scoreWith(0.8, [
          result("gate", "gate", 0, met("ok")),
          result("big", "criterion", 60, met("ok")),
          result("small", "criterion", 40, scored(0.5, "half")),
        ]),
      }),
      rolloutOf("b", 0, {
        score: scoreWith(1, [
          result("gate", "gate", 0, met("ok")),
          result("big", "criterion", 60, met("ok"), 60),
          result("small", "criterion", 40, notApplicable("no")),
        ]),
      }),
      rolloutOf("c", 0, {
        score: scoreWith(0, [
          result("gate", "gate", 0, unmet("no")),
          result("big", "criterion", 60, met("ok")),
          result("small", "criterion", 40, unmet("no")),
        ]),
      }),
      rolloutOf("d", 0, {
        score: {
          status: "errored",
          reason: "x",
          results: [
            result("gate", "gate", 0, met("ok")),
            result("big", "criterion", 60, { kind: "errored", boundary: "verifier", cause: "x" }),
          ],
        },
      }),
    ]);
    const [gate, big, small] = reportRun(store, "run-1").criteria;
    expect(gate).toMatchObject({ name: "gate", role: "gate", answered: 4, metShare: 0.75 });
    expect(gate!.pointsLost).toBeCloseTo(60, 9);
    expect(big).toMatchObject({ answered: 3, errored: 1, metShare: 1, meanValue: 1 });
    expect(big!.pointsLost).toBeCloseTo(0, 9);
    expect(small).toMatchObject({ answered: 2, notApplicable: 1, metShare: 0, meanValue: 0.25 });
    expect(small!.pointsLost).toBeCloseTo(20 + 40, 9);
  });

  it("reports each archetype by itself", async () => {
    planned("run-1", 3, 1);
    const task = (id: string, archetype: string) => ({ ...rolloutOf(id, 0).task, archetype });
    await store.commit("run-1", [
      rolloutOf("a", 0, { task: task("a", "refund"), score: scoreOf(1), outcome: outcomeOf(10) }),
      rolloutOf("b", 0, { task: task("b", "refund"), score: scoreOf(0), outcome: outcomeOf(0) }),
      rolloutOf("c", 0, {
        task: task("c", "exchange"),
        score: { status: "errored", reason: "x", results: [] },
        outcome: null,
      }),
    ]);
    expect(reportRun(store, "run-1").archetypes).toMatchObject([
      { archetype: "exchange", attempts: 1, scored: 0, passShare: null, rewardMean: null, outcomeMean: null },
      { archetype: "refund", attempts: 2, scored: 2, passed: 1, passShare: 0.5, rewardMean: 0.5, outcomeMean: 5 },
    ]);
  });

  it("tells pass@k from pass^k, and names the tasks that have too few attempts", async () => {
    planned("run-1", 2, 4);
    await store.commit(
      "run-1",
      [1, 1, 1, 0].map((reward, attempt) => rolloutOf("a", attempt, { score: scoreOf(reward) })),
    );
    const [, two, four] = reportRun(store, "run-1").passAtK;
    expect(two).toMatchObject({ k: 2, passAtK: { estimate: { value: 1 } }, passHatK: { estimate: { value: 0.5 } } });
    expect(four).toMatchObject({ k: 4, passAtK: { estimate: { value: 1 } }, passHatK: { estimate: { value: 0 } } });
    await store.commit("run-1", [rolloutOf("b", 0, { score: scoreOf(1) })]);
    expect(reportRun(store, "run-1").passAtK[1]!.passAtK.excluded).toEqual(["b"]);
  });

  it("reports under a later rubric when asked, and under the run's own otherwise", async () => {
    const environment = openDesk();
    await runDesk(store, "run-1", { environment });
    const own = reportRun(store, "run-1", { outcomeUnit: "points" });
    expect(own).toMatchObject({ rubricDigest: environment.rubric.digest, outcome: { unit: "points" }, complete: true });
    const today = openDesk({ rubricVersion: 2 });
    expect(reportRun(store, "run-1", { rubricDigest: today.rubric.digest }).coverage).toMatchObject({
      scored: 0,
      unscored: 20,
    });
    await rescoreRun({ store, run: "run-1", environment: today, tasks: deskTasks(today, 10) });
    const later = reportRun(store, "run-1", { rubricDigest: today.rubric.digest });
    expect(later.reward.mean!).toBeLessThan(own.reward.mean!);
    expect(later.complete).toBe(true);
    expect(reportRun(store, "run-1", { outcomeUnit: "points" })).toEqual(own);
  });
});

describe("agreement of reward and outcome", () => {
  it("is 1 when reward orders attempts as the outcome does, and below when it does not", async () => {
    planned("with", 4, 3);
    planned("against", 4, 3);
    for (const [run, sign] of [
      ["with", 1],
      ["against", -1],
    ] as const) {
      const rollouts = [0, 1, 2, 3].flatMap((task) =>
        [0, 1, 2].map((attempt) =>
          rolloutOf(`t/${task}`, attempt, {
            score: scoreOf(sign === 1 ? attempt / 2 : 1 - attempt / 2),
            outcome: outcomeOf(attempt / 2 + (task + 1) / 100),
          }),
        ),
      );
      await store.commit(run, rollouts);
    }
    const along = reportRun(store, "with").agreement;
    expect(along).toMatchObject({ rollouts: 12, auc: { value: 1 }, withinTaskTau: { n: 4 }, tasksWithoutOrder: 0 });
    expect(along.withinTaskTau.value).toBeCloseTo(1, 12);
    const against = reportRun(store, "against").agreement;
    expect(against.auc.value).toBeLessThan(0.5);
    expect(against.withinTaskTau.value).toBeCloseTo(-1, 12);
  });

  it("says that an order within a task needs attempts that differ", async () => {
    planned("run-1", 3, 1);
    await store.commit(
      "run-1",
      [0, 1, 2].map((i) => rolloutOf(`t/${i}`, 0, { score: scoreOf(i / 2), outcome: outcomeOf(i / 2) })),
    );
    const { withinTaskTau, tasksWithoutOrder } = reportRun(store, "run-1").agreement;
    expect(withinTaskTau).toMatchObject({ value: null, reason: expect.any(String) });
    expect(tasksWithoutOrder).toBe(3);
  });

  it("can be taken over several runs: the reference and the idle agent differ on every task", async () => {
    const environment = openDesk();
    await runDesk(store, "chancy", { environment, agent: chancyAgent(), attempts: 1 });
    await runDesk(store, "idle", { environment, agent: scriptedAgent("idle", []), attempts: 1 });
    expect(reportAgreement(store, ["idle"]).withinTaskTau.value).toBeNull();
    const both = reportAgreement(store, ["chancy", "idle"]);
    expect(both.rollouts).toBe(20);
    expect(both.withinTaskTau.value).toBeCloseTo(1, 12);
    expect(both.auc.value).toBeGreaterThan(0.9);
  });
});
