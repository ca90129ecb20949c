import { expect, it } from "vitest";
import { generatedTasks } from "../core/environment.js";
import { runRollout } from "../core/rollout.js";
import { exampleEnvironment as environment } from "../testing/index.js";
import { type Choice, type Prompter, personAgent } from "./person-agent.js";

/** Answers questions from a list; keeps what was asked and offered. */
function scripted(answers: readonly string[]) {
  const asked: { question: string; choices?: readonly Choice[]; problem?: string | undefined }[] = [];
  let next = 0;
  const prompter: Prompter = {
    open() {},
    show() {},
    async choose(question, choices) {
      asked.push({ question, choices });
      const answer = answers[next++];
      const choice = choices.find(({ label, value }) => label === answer || value === answer);
      if (choice === undefined)
        throw new Error(`"${question}" has no choice "${answer}": ${choices.map(({ label }) => label)}`);
      return choice.value;
    },
    async ask(question, { check }) {
      const answer = answers[next++] ?? "";
      asked.push({ question, problem: check?.(answer) });
      return answer;
    },
  };
  return { prompter, asked };
}

async function play(answers: readonly string[]) {
  const scenario = generatedTasks(environment, { split: "train", seed: 0, count: 1 }).open("train/0/0");
  const { prompter, asked } = scripted(answers);
  const rollout = await runRollout({ environment, scenario, agent: personAgent(prompter), attempt: 0, runSeed: "0" });
  return {
    rollout,
    asked,
    calls: rollout.events.filter((event) => event.type === "call"),
    ticket: /TCK-\d+/.exec(scenario.task.prompt)![0],
  };
}

it("offers every tool, with its effect, and ends when the person finishes", async () => {
  const { rollout, asked } = await play(["finish"]);
  expect(asked[0]!.choices!.map(({ label }) => label)).toEqual([
    ...environment.tools.keys(),
    "say something",
    "finish",
  ]);
  expect(asked[0]!.choices![0]!.hint).toMatch(/^read: /);
  expect(rollout.endReason).toBe("agent_stopped");
});

it("offers values seen in the results of earlier calls", async () => {
  const { ticket } = await play(["finish"]);
  const { asked, calls } = await play(["get_ticket", ticket, "get_order", "another value", "ORD-1", "finish"]);
  const offered = asked.find(({ question, choices }) => question === "order" && choices !== undefined)!;
  expect(offered.choices!.some(({ label }) => /^ORD-\d+$/.test(label))).toBe(true);
  expect(calls.map(({ tool, arguments: args }) => [tool, args])).toEqual([
    ["get_ticket", { ticket }],
    ["get_order", { order: "ORD-1" }],
  ]);
});

it("offers an id that the prompt names before any record was seen", async () => {
  const { ticket } = await play(["finish"]);
  const { asked } = await play(["get_ticket", ticket, "finish"]);
  expect(asked[1]).toMatchObject({ question: "ticket" });
  expect(asked[1]!.choices!.map(({ label }) => label)).toContain(ticket);
});

it("keeps what is said as a message", async () => {
  const { rollout } = await play(["say something", "I give up."]);
  expect(
    rollout.events.some(
      (event) => event.type === "message" && event.role === "assistant" && event.text === "I give up.",
    ),
  ).toBe(true);
});
