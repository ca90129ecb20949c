import { expect, it } from "vitest";
import type { Run } from "../store/store.js";
import { choose } from "./prune.js";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 30);

const run = (id: string, days: number, extra: Partial<Run> = {}): Run => ({
  id,
  spec: { environment: "e", agent: "a", split: "train", seed: 0, tasks: 1, attempts: 1 },
  status: "done",
  createdAt: new Date(NOW - days * DAY_MS).toISOString(),
  finishedAt: null,
  environment: "e",
  environmentVersion: "1",
  contractDigest: "",
  rubricDigest: "",
  agent: "a",
  agentVersion: "1",
  wallMs: 0,
  ...extra,
});

const RUNS = [
  run("new", 1),
  run("other", 2, { environment: "f" }),
  run("going", 40, { status: "running" }),
  run("mid", 20),
  run("old", 40),
];
const WEIGHTS = new Map(RUNS.map(({ id }) => [id, { rollouts: 1, approximateBytes: 100 }]));

const chosen = (rules: Parameters<typeof choose>[1]) => choose(RUNS, rules, WEIGHTS, NOW).map(({ run: { id } }) => id);

it("chooses runs older than an age", () => {
  expect(chosen({ olderThan: 30 * DAY_MS })).toEqual(["old"]);
});

it("keeps the newest of each environment", () => {
  expect(chosen({ keepLast: 1 })).toEqual(["mid", "old"]);
  expect(chosen({ keepLast: 0 })).toEqual(["new", "other", "mid", "old"]);
});

it("chooses the oldest until the rest fits", () => {
  expect(chosen({ maxSize: 250 })).toEqual(["mid", "old"]);
});

it("never chooses a run that is going on", () => {
  expect(chosen({ olderThan: 0, keepLast: 0, maxSize: 0 })).not.toContain("going");
});
