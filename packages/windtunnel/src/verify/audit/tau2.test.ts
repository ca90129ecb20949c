import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../core/fault.js";
import { auditTau2, parseTau2Tasks } from "./tau2.js";

const taskOf = (criteria: object | null, id = "t") => ({ id, evaluation_criteria: criteria });
const audit = (...tasks: object[]) => auditTau2(parseTau2Tasks(JSON.stringify(tasks), "tasks.json"));
const kindsOf = (criteria: object | null) => audit(taskOf(criteria)).audits[0]!.findings.map(({ kind }) => kind);
const write = { action_id: "a", name: "cancel_order", arguments: { order: "1", reason: "late" } };
const read = { action_id: "a", name: "get_order", arguments: { order: "1" } };

describe("the audit of tau2-bench tasks", () => {
  it("finds that a task whose gold only reads is passed by doing nothing", () => {
    expect(kindsOf({ actions: [read], communicate_info: [], reward_basis: ["DB", "COMMUNICATE"] })).toContain(
      "doNothingPass",
    );
  });

  it("finds nothing in a task with an expected write and a message of some length", () => {
    expect(kindsOf({ actions: [write], communicate_info: ["327.50"], reward_basis: ["DB", "COMMUNICATE"] })).toEqual(
      [],
    );
  });

  it("does not call a read-only task free when a message must be given", () => {
    expect(
      kindsOf({ actions: [read], communicate_info: ["327.50"], reward_basis: ["DB", "COMMUNICATE"] }),
    ).not.toContain("doNothingPass");
  });

  it("names a part of the reward basis that has nothing to check", () => {
    expect(kindsOf({ actions: [write], nl_assertions: null, reward_basis: ["DB", "NL_ASSERTION"] })).toEqual([
      "emptyGate",
    ]);
  });

  it("names checks that are written down and never scored", () => {
    expect(kindsOf({ actions: [write], communicate_info: ["327.50"], reward_basis: ["DB"] })).toEqual([
      "unscoredCheck",
    ]);
  });

  it("names arguments that are compared only when the agent gives them, and calls matched by name alone", () => {
    expect(kindsOf({ actions: [write], reward_basis: ["ACTION"] })).toEqual(["droppedArgument"]);
    expect(kindsOf({ actions: [{ ...write, compare_args: [] }], reward_basis: ["ACTION"] })).toEqual(["nameOnlyMatch"]);
    expect(kindsOf({ actions: [{ ...write, compare_args: ["order", "reason"] }], reward_basis: ["ACTION"] })).toEqual(
      [],
    );
  });

  it("names required messages too short to mean anything", () => {
    expect(kindsOf({ actions: [write], communicate_info: ["10"], reward_basis: ["DB", "COMMUNICATE"] })).toEqual([
      "shortSubstring",
    ]);
  });

  it("takes missing criteria for a full reward, as the grader does", () => {
    expect(audit(taskOf(null)).audits[0]!.doNothingReward).toBe(1);
  });

  it("refuses what is no task file, and says where", () => {
    expect(() => parseTau2Tasks("{", "x.json")).toThrow(UsageError);
    expect(() => parseTau2Tasks('[{"evaluation_criteria": {}}]', "x.json")).toThrow(/x\.json: 0\.id/);
  });
});

const folder = process.env.TAU2_BENCH_DATA;
if (folder === undefined) console.warn("skipped: TAU2_BENCH_DATA names no folder of tau2-bench domains");

describe.skipIf(folder === undefined)("the published tau2-bench files", () => {
  const auditOf = (domain: string) =>
    auditTau2(parseTau2Tasks(readFileSync(`${folder}/${domain}/tasks.json`, "utf8"), domain));

  it("let an agent that does nothing pass 23 of 50 airline tasks", () => {
    expect(auditOf("airline").counts.doNothingPass).toBe(23);
  });

  it("let an agent that does nothing pass 6 of 114 retail tasks, and leave 72 language gates empty", () => {
    const { counts } = auditOf("retail");
    expect(counts.doNothingPass).toBe(6);
    expect(counts.emptyGate).toBe(72);
  });
});
