import { expect, it } from "vitest";
import { exampleEnvironment } from "../testing/index.js";
import { openScenario } from "./environment.js";
import { referenceAgent, runRollout } from "./rollout.js";
import { parseTraceLine, toRowChange, toTraceLine } from "./trace.js";

it("every event of a rollout reads back from its line as it was written", async () => {
  const scenario = openScenario(exampleEnvironment, "train/0/0");
  const { events } = await runRollout({
    environment: exampleEnvironment,
    scenario,
    agent: referenceAgent(exampleEnvironment, scenario),
    attempt: 0,
    runSeed: "s",
  });
  for (const event of events) {
    const line = toTraceLine(event);
    expect(line).not.toContain("\n");
    expect(parseTraceLine(line)).toEqual(event);
    expect(toTraceLine(parseTraceLine(line))).toBe(line);
  }
});

it("text with line breaks and quotes stays on one line", () => {
  const event = { type: "message", seq: 0, at: 0, turn: 0, role: "user", text: 'a\nb\r"c"\u2028' } as const;
  expect(toTraceLine(event)).not.toMatch(/[\n\r]/);
  expect(parseTraceLine(toTraceLine(event))).toEqual(event);
});

it("a line that is not JSON is refused", () => {
  expect(() => parseTraceLine('{"type":')).toThrow(SyntaxError);
});

it("a change keeps whole rows that came or went, and only the fields that changed of one that stayed", () => {
  const row = { id: "O1", price: "1", status: "open" };
  expect(toRowChange({ table: "orders", id: "O1", before: null, after: row })).toEqual({
    table: "orders",
    id: "O1",
    op: "insert",
    row,
  });
  expect(toRowChange({ table: "orders", id: "O1", before: row, after: null })).toEqual({
    table: "orders",
    id: "O1",
    op: "remove",
    row,
  });
  expect(toRowChange({ table: "orders", id: "O1", before: row, after: { ...row, status: "closed" } })).toEqual({
    table: "orders",
    id: "O1",
    op: "update",
    fields: { status: ["open", "closed"] },
  });
});
