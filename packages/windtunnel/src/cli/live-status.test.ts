import { expect, it } from "vitest";
import { capturedTerminal } from "./captured-terminal.js";
import { LiveStatus, type StatusFigures } from "./live-status.js";
import { Output } from "./output.js";

const figures = (completed: number): StatusFigures => ({
  label: "desk by \u001b[31midle",
  total: 10,
  completed,
  resumed: 0,
  scored: completed,
  unscored: 0,
  errored: 0,
  cancelled: 0,
  passed: 0,
  rewardSum: 0.5 * completed,
  tokens: 0,
  costUsd: 0,
  outcomeSum: 0,
  outcomes: 0,
  outcomeUnit: "USD",
});

function watch(options: { tty?: boolean; json?: boolean; env?: Record<string, string> }) {
  const terminal = capturedTerminal({ cwd: "/", tty: options.tty === true, env: options.env ?? {} });
  let nowMs = 0;
  const live = new LiveStatus(new Output(terminal, { json: options.json === true }), () => nowMs);
  for (const completed of [1, 5, 10]) {
    nowMs += 6_000;
    live.update(figures(completed));
  }
  live.finish();
  return terminal;
}

it("redraws in place on a terminal, never wider than it", () => {
  const { out } = watch({ tty: true });
  expect(out()).toContain("\u001b[3A\u001b[0J");
  const printed = out()
    .split("\u001b")
    .map((part, i) => (i === 0 ? part : part.replace(/^\[[0-9;]*[A-Za-z]/, "")));
  for (const line of printed.join("").split("\n")) expect(line.length).toBeLessThanOrEqual(100);
});

it("writes plain lines, and nothing on stdout, where there is no terminal", () => {
  const { out, err } = watch({});
  expect(out()).toBe("");
  expect(err().split("\n")[1]).toBe("desk by idle: 5/10, 0.4 rollouts/s, reward 0.500, passed 0 %  12.0 s left");
  expect(err()).not.toContain("\u001b");
});

it("neither colours nor redraws when NO_COLOR is set", () => {
  const { out, err } = watch({ tty: true, env: { NO_COLOR: "1" } });
  expect(out() + err()).not.toContain("\u001b");
});

it("writes progress as JSON lines with --json", () => {
  const lines = watch({ json: true }).err().trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).completed)).toEqual([1, 5, 10, 10]);
});
