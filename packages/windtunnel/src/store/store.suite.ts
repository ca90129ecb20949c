/** What any store must do. A store's own test calls `storeSuite` with a way to open it; opening the same place twice shares its contents. */
import { afterEach, describe, expect, it } from "vitest";
import type { Rollout } from "../core/rollout.js";
import { eventsOf, rolloutOf, runOf, scoreOf } from "./store.fixture.js";
import { type Store, toRolloutId } from "./store.js";

export function storeSuite(name: string, openPlace: () => { open(): Store; discard(): void }): void {
  describe(name, () => {
    const places: ReturnType<typeof openPlace>[] = [];
    const opened: Store[] = [];
    const openAt = (place: ReturnType<typeof openPlace>) => {
      const store = place.open();
      opened.push(store);
      return store;
    };
    const openNew = () => {
      const place = openPlace();
      places.push(place);
      return openAt(place);
    };
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
      for (const place of places.splice(0)) place.discard();
    });

    it("gives back a run as it was made, running", () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      expect(store.run("run-1")).toEqual({ ...runOf("run-1"), status: "running", finishedAt: null, wallMs: 0 });
      expect(store.run("run-2")).toBeUndefined();
    });

    it("refuses a second run of the same id and leaves the first", () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      expect(() => store.createRun(runOf("run-1", { agent: "other" }))).toThrow(/run of this name exists.*run-1/);
      expect(store.run("run-1")?.agent).toBe("reference");
    });

    it("lists runs newest first, by environment and up to a limit", () => {
      const store = openNew();
      for (const day of [1, 2, 3])
        store.createRun(
          runOf(`run-${day}`, {
            createdAt: `2026-03-0${day}T00:00:00.000Z`,
            environment: day === 2 ? "claims" : "desk",
          }),
        );
      expect(store.runs().map(({ id }) => id)).toEqual(["run-3", "run-2", "run-1"]);
      expect(store.runs({ environment: "desk" }).map(({ id }) => id)).toEqual(["run-3", "run-1"]);
      expect(store.runs({ limit: 1 }).map(({ id }) => id)).toEqual(["run-3"]);
    });

    it("adds up wall time over resumes, and a run that runs again has no end", () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      store.finishRun("run-1", "cancelled", 100);
      expect(store.run("run-1")).toMatchObject({
        status: "cancelled",
        wallMs: 100,
        finishedAt: expect.stringMatching(/^\d{4}-/),
      });
      store.finishRun("run-1", "running", 0);
      expect(store.run("run-1")).toMatchObject({ status: "running", finishedAt: null });
      store.finishRun("run-1", "done", 50);
      expect(store.run("run-1")).toMatchObject({ status: "done", wallMs: 150 });
      expect(() => store.finishRun("run-9", "done", 1)).toThrow(/No such run.*run-9/);
    });

    it("keeps every field of a rollout", async () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      const rollout = rolloutOf("train/0/1", 2);
      await store.commit("run-1", [rollout]);
      const id = toRolloutId("run-1", "train/0/1", 2);
      expect(store.rollout(id)).toEqual({
        id,
        run: "run-1",
        task: "train/0/1",
        attempt: 2,
        archetype: "refund",
        family: "tickets",
        split: "train",
        agent: "reference",
        status: "scored",
        reward: 1,
        passed: true,
        outcome: rollout.outcome,
        endReason: "finished",
        finalState: rollout.finalState,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        eventCount: 3,
        usage: rollout.usage,
        provenance: rollout.provenance,
      });
      expect(await store.events(id)).toEqual(rollout.events);
      expect(store.score(id)).toMatchObject({ rollout: id, rubricDigest: "r1", score: rollout.score });
    });

    it("keeps a reward only for a scored rollout", async () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      await store.commit("run-1", [
        rolloutOf("a", 0, {
          score: { status: "errored", reason: "tool/threw: no", results: [] },
          outcome: null,
          endReason: "fault",
        }),
        rolloutOf("b", 0, { score: { status: "unscored", reason: "nothing to check", results: [] } }),
        rolloutOf("c", 0, { endReason: "cancelled" }),
      ]);
      const kept = [...store.rollouts({ run: "run-1" })].map(({ status, reward, passed }) => ({
        status,
        reward,
        passed,
      }));
      expect(kept).toEqual(
        ["errored", "unscored", "cancelled"].map((status) => ({ status, reward: null, passed: null })),
      );
    });

    it("never keeps a number that is none: a reward is then errored, an outcome absent, a cost nothing", async () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      const odd = {
        turns: 1,
        toolCalls: 1,
        tokens: Number.NaN,
        costUsd: Number.POSITIVE_INFINITY,
        wallMs: Number.NaN,
        waitedMs: 0,
      };
      await store.commit("run-1", [
        rolloutOf("a", 0, {
          score: scoreOf(Number.NaN),
          usage: odd,
          outcome: { value: Number.NaN, unit: "USD", parts: {}, acceptable: true, normalised: null },
        }),
      ]);
      const [kept] = store.rollouts({ run: "run-1" });
      expect(kept).toMatchObject({
        status: "errored",
        reward: null,
        passed: null,
        outcome: null,
        usage: { tokens: 0, costUsd: 0, wallMs: 0 },
      });
      expect(store.totals("run-1")).toMatchObject({ errored: 1, scored: 0, rewardSum: 0, tokens: 0, costUsd: 0 });
    });

    it("keeps the first of two commits of one attempt, whole", async () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      await store.commit("run-1", [rolloutOf("a", 0)]);
      await store.commit("run-1", [
        rolloutOf("a", 0, { score: scoreOf(0.25), events: eventsOf(9, "other") }),
        rolloutOf("a", 1),
      ]);
      const rollouts = [...store.rollouts({ run: "run-1" })];
      expect(rollouts.map(({ attempt, reward }) => [attempt, reward])).toEqual([
        [0, 1],
        [1, 1],
      ]);
      expect(await store.events(rollouts[0]!.id)).toEqual(eventsOf(3, "a/0"));
      expect(store.scores(rollouts[0]!.id)).toHaveLength(1);
    });

    it("keeps all of a batch or nothing of it", async () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      const broken = rolloutOf("b", 0, { provenance: undefined as never });
      await expect(store.commit("run-1", [rolloutOf("a", 0), broken])).rejects.toThrow();
      expect(store.totals("run-1").completed).toBe(0);
      await expect(store.commit("run-9", [rolloutOf("a", 0)])).rejects.toThrow(/No such run.*run-9/);
    });

    it("says what a run has completed", async () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      store.createRun(runOf("run-2"));
      await store.commit("run-1", [rolloutOf("a", 1), rolloutOf("a", 0), rolloutOf("b", 0, { score: scoreOf(0.5) })]);
      expect(store.completed("run-1")).toEqual(new Set(["a 0", "a 1", "b 0"]));
      expect(store.completed("run-2")).toEqual(new Set());
      expect(store.completedAttempts("run-1", "a")).toEqual([0, 1]);
      expect(store.completedAttempts("run-2", "a")).toEqual([]);
      expect(store.totals("run-1")).toEqual({
        completed: 3,
        scored: 3,
        unscored: 0,
        errored: 0,
        cancelled: 0,
        passed: 2,
        rewardSum: 2.5,
        tokens: 300,
        costUsd: 0.75,
      });
      expect(store.totals("run-2").completed).toBe(0);
    });

    it("lists rollouts in order of commit, filtered and paged", async () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      store.createRun(runOf("run-2"));
      const batch = Array.from({ length: 600 }, (_, i) =>
        rolloutOf(`t/${i}`, 0, { score: scoreOf(i % 3 === 0 ? 1 : 0) }),
      );
      await store.commit("run-1", batch);
      await store.commit("run-2", [rolloutOf("t/0", 0)]);
      const tasks = (query: Parameters<Store["rollouts"]>[0]) => [...store.rollouts(query)].map(({ task }) => task);
      expect(tasks({ run: "run-1" })).toEqual(batch.map(({ task }) => task.id));
      expect(tasks({ run: "run-1", passed: true })).toHaveLength(200);
      expect(tasks({ run: "run-1", status: "errored" })).toEqual([]);
      expect(tasks({ task: "t/0" })).toEqual(["t/0", "t/0"]);
      expect(tasks({ archetype: "other" })).toEqual([]);
      expect(tasks({ run: "no-such-run" })).toEqual([]);
      const after = toRolloutId("run-1", "t/297", 0);
      expect(tasks({ run: "run-1", passed: false, after, limit: 3 })).toEqual(["t/298", "t/299", "t/301"]);
      expect(() => tasks({ after: "ro-none" })).toThrow(/No such rollout/);
    });

    it("may be read and written while a list is being walked", async () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      await store.commit(
        "run-1",
        Array.from({ length: 300 }, (_, i) => rolloutOf(`t/${i}`, 0)),
      );
      let walked = 0;
      for (const { id } of store.rollouts({ run: "run-1" })) {
        if (walked++ % 100 === 0)
          store.addScores([{ rollout: id, rubricDigest: "r2", score: scoreOf(0.5), at: "2026-03-03T00:00:00.000Z" }]);
        if (walked === 1) await store.commit("run-1", [rolloutOf("late", 0)]);
      }
      expect(walked).toBe(301);
    });

    it("reads any stretch of a long trace", async () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      const events = eventsOf(3_456);
      await store.commit("run-1", [
        rolloutOf("short", 0),
        rolloutOf("long", 0, { events }),
        rolloutOf("empty", 0, { events: [] }),
      ]);
      const long = toRolloutId("run-1", "long", 0);
      expect(await store.events(long)).toEqual(events);
      for (const [from, limit] of [
        [0, 10],
        [990, 20],
        [1_000, 1_000],
        [3_450, 100],
        [3_456, 5],
        [9_999, 5],
        [5, 0],
      ] as const) {
        expect(await store.events(long, { from, limit })).toEqual(events.slice(from, from + limit));
      }
      expect(await store.events(long, { from: 3_000 })).toEqual(events.slice(3_000));
      expect(await store.events(toRolloutId("run-1", "empty", 0))).toEqual([]);
      expect(await store.events(toRolloutId("run-1", "short", 0))).toEqual(eventsOf(3, "short/0"));
      await expect(store.events("ro-none")).rejects.toThrow(/No such rollout/);
    });

    it("keeps text of any script, and events of any size, byte for byte", async () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      const texts = ['λ🚀\u2028\n\r\0"\\', "x".repeat(2_000_000), ""];
      const events = texts.map((text, seq) => ({
        seq,
        at: 0,
        type: "message" as const,
        turn: 0,
        role: "user" as const,
        text,
      }));
      await store.commit("run-1", [rolloutOf("a", 0, { events })]);
      expect(await store.events(toRolloutId("run-1", "a", 0))).toEqual(events);
    });

    it("puts a score under a new rubric beside the old one, once", async () => {
      const store = openNew();
      store.createRun(runOf("run-1"));
      await store.commit("run-1", [rolloutOf("a", 0), rolloutOf("b", 0)]);
      const rollout = toRolloutId("run-1", "a", 0);
      const added = { rollout, rubricDigest: "r2", score: scoreOf(0.5), at: "2026-03-03T00:00:00.000Z" };
      store.addScores([added]);
      store.addScores([{ ...added, score: scoreOf(0.1) }]);
      expect(store.scores(rollout).map(({ rubricDigest, score }) => [rubricDigest, score])).toEqual([
        ["r1", scoreOf(1)],
        ["r2", scoreOf(0.5)],
      ]);
      expect(store.score(rollout)?.rubricDigest).toBe("r1");
      expect(store.score(rollout, "r2")).toEqual(added);
      expect(store.score(rollout, "r3")).toBeUndefined();
      expect([...store.graded({ run: "run-1" })].map(({ score }) => score)).toEqual([scoreOf(1), scoreOf(1)]);
      expect([...store.graded({ run: "run-1" }, "r2")].map(({ record, score }) => [record.task, score])).toEqual([
        ["a", scoreOf(0.5)],
      ]);
      expect(() => store.addScores([{ ...added, rollout: "ro-none" }])).toThrow(/No such rollout/);
    });

    it("removes a run with all its rollouts and leaves the others", async () => {
      const store = openNew();
      for (const run of ["run-1", "run-2"]) {
        store.createRun(runOf(run));
        await store.commit(run, [rolloutOf("a", 0)]);
      }
      store.removeRun("run-1");
      store.removeRun("run-1");
      expect(store.runs().map(({ id }) => id)).toEqual(["run-2"]);
      expect(store.rollout(toRolloutId("run-1", "a", 0))).toBeUndefined();
      expect(await store.events(toRolloutId("run-2", "a", 0))).toEqual(eventsOf(3, "a/0"));
      store.createRun(runOf("run-1"));
      expect(store.totals("run-1").completed).toBe(0);
    });

    it("gives equal rollouts equal digests, and different ones different digests", async () => {
      const store = openNew();
      for (const run of ["run-1", "run-2", "run-3", "run-4", "run-5"]) store.createRun(runOf(run));
      const digest = async (run: string, over: Partial<Rollout>) => {
        await store.commit(run, [rolloutOf("a", 0, over)]);
        return store.rollout(toRolloutId(run, "a", 0))!.digest;
      };
      const first = await digest("run-1", {});
      expect(await digest("run-2", { usage: { ...rolloutOf("a", 0).usage, wallMs: 99 } })).toBe(first);
      const others = [
        await digest("run-3", { score: scoreOf(0.5) }),
        await digest("run-4", { finalState: "e".repeat(32) }),
        await digest("run-5", { events: eventsOf(4, "a/0") }),
      ];
      expect(new Set([first, ...others]).size).toBe(4);
    });

    it("shows what another opening of the same place has committed, and keeps it after closing", async () => {
      const place = openPlace();
      places.push(place);
      const writer = openAt(place);
      const reader = openAt(place);
      writer.createRun(runOf("run-1"));
      await writer.commit("run-1", [rolloutOf("a", 0)]);
      expect(reader.totals("run-1").completed).toBe(1);
      await reader.commit("run-1", [rolloutOf("a", 0, { score: scoreOf(0) }), rolloutOf("b", 0)]);
      void writer.commit("run-1", [rolloutOf("c", 0)]);
      await writer.close();
      await reader.close();
      expect([...openAt(place).rollouts({ run: "run-1" })].map(({ task, reward }) => [task, reward])).toEqual([
        ["a", 1],
        ["b", 1],
        ["c", 1],
      ]);
    });

    it("refuses use after closing", async () => {
      const store = openNew();
      await store.close();
      await store.close();
      expect(() => store.runs()).toThrow(/closed/);
      await expect(store.commit("run-1", [])).rejects.toThrow(/closed/);
    });
  });
}
