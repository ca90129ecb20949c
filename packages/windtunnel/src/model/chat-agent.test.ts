import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { type Criterion, defineCriterion } from "../core/criterion.js";
import { defineEnvironment, generatedTasks } from "../core/environment.js";
import { ref } from "../core/field.js";
import { defineOutcome } from "../core/outcome.js";
import { runRollout } from "../core/rollout.js";
import { defineRubric } from "../core/rubric.js";
import { defineSystem } from "../core/system.js";
import { defineTool } from "../core/tool.js";
import { scored } from "../core/verdict.js";
import { defineTable, defineWorld, type World } from "../core/world.js";
import { chatAgent } from "./chat-agent.js";
import { openChatEndpoint } from "./chat-endpoint.js";
import { openScriptedEndpoint, type Script, type ScriptedEndpoint } from "./scripted-endpoint.js";

const tables = { boxes: defineTable("BOX", { id: ref("boxes"), label: z.string() }) };

const labelBox = defineTool({
  name: "label_box",
  description: "Labels a box.",
  effect: "write",
  input: z.object({ label: z.string(), box: ref("boxes").optional() }),
  output: z.object({ label: z.string() }),
  handle(world: World<typeof tables>, { label }) {
    world.update("boxes", world.all("boxes")[0]!.id, { label });
    return { label };
  },
});

const labelled: Criterion<typeof tables, null> = defineCriterion({
  name: "labelled",
  description: "The box has the label asked for.",
  points: 100,
  check: ({ after }) => scored(after.all("boxes")[0]!.label === "00420" ? 1 : 0, "label"),
});

const environment = defineEnvironment<typeof tables, null>({
  name: "boxes",
  version: "1",
  description: "Label a box.",
  world: defineWorld(tables),
  systems: [defineSystem({ name: "shelf", title: "Shelf", tools: [labelBox] })],
  startAt: 0,
  instructions: "Label the box.",
  generate(world) {
    world.insert("boxes", { label: "" });
    return { prompt: "Label it 00420.", archetype: "box", family: "box", facts: null };
  },
  rubric: defineRubric({ criteria: [labelled] }),
  outcome: defineOutcome({ unit: "points", horizonMs: 0, read: () => ({ value: 0, parts: {}, acceptable: true }) }),
  reference: () => () => ({}),
});

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function runOn(script: Script, agentOptions: { temperature?: number; maxTokens?: number } = {}) {
  const server: ScriptedEndpoint = await openScriptedEndpoint(script);
  const endpoint = openChatEndpoint({ baseUrl: server.baseUrl, model: "scripted", maxRetries: 0 });
  opened.push(endpoint, server);
  const scenario = generatedTasks(environment, { split: "train", seed: 0, count: 1 }).open("train/0/0");
  const rollout = await runRollout({
    environment,
    scenario,
    agent: chatAgent({ endpoint, ...agentOptions }),
    attempt: 0,
    runSeed: "0",
  });
  const sent = server.requests.map(
    ({ body }) =>
      body as { messages: Record<string, unknown>[]; tools: { function: { name: string; parameters: object } }[] },
  );
  return {
    rollout,
    sent,
    said: rollout.events.filter((event) => event.type === "message" && event.role === "assistant"),
  };
}

const label = { name: "label_box", arguments: { label: "00420" } };

it("plays a task through tool calls and stops when the model answers without one", async () => {
  const { rollout, sent } = await runOn([{ toolCalls: [label] }, { text: "Done." }]);
  expect(rollout.score).toMatchObject({ status: "scored", reward: 1 });
  expect(rollout.endReason).toBe("agent_stopped");
  expect(sent[0]!.messages).toEqual([
    { role: "system", content: "Label the box." },
    { role: "user", content: "Label it 00420." },
  ]);
  expect(sent[1]!.messages.at(-1)).toMatchObject({ role: "tool", content: '{"label":"00420"}' });
});

it("sends each tool as a function whose schema holds only what JSON Schema knows", async () => {
  const { sent } = await runOn([{ text: "no" }]);
  const [tool] = sent[0]!.tools;
  expect(tool!.function.name).toBe("label_box");
  expect(JSON.stringify(tool)).not.toMatch(/x-kind|x-table|\$schema/);
  expect(tool!.function.parameters).toMatchObject({ type: "object", required: ["label"] });
});

it("passes on the text of broken arguments, and sends the model a history that servers can parse", async () => {
  const { rollout, sent } = await runOn([
    { toolCalls: [{ name: "label_box", arguments: '{"label": "00' }] },
    { text: "sorry" },
  ]);
  expect(rollout.events.find((event) => event.type === "call")).toMatchObject({
    ok: false,
    arguments: '{"label": "00',
    result: { code: "invalid_json" },
  });
  const [call] = sent[1]!.messages.at(-2)!.tool_calls as { function: { arguments: string } }[];
  expect(JSON.parse(call!.function.arguments)).toEqual({ not_json: '{"label": "00' });
  expect(String(sent[1]!.messages.at(-1)!.content)).toContain("invalid_json");
});

it("counts tokens and cost as the endpoint told them, and leaves unknown what it did not tell", async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 3, cost: 0.25 };
  const told = await runOn([
    { toolCalls: [label], usage },
    { text: "ok", usage },
  ]);
  expect(told.rollout.usage).toMatchObject({ tokens: 26, costUsd: 0.5 });
  const untold = await runOn([{ text: "ok" }]);
  expect(untold.rollout.usage).toMatchObject({ tokens: 0, costUsd: 0 });
});

it("lets a turn that was cut off go on instead of taking it for the end", async () => {
  const { rollout, said, sent } = await runOn([
    { text: "I will now", finishReason: "length" },
    { toolCalls: [label] },
    { text: "Done." },
  ]);
  expect(rollout.score).toMatchObject({ reward: 1 });
  expect(said[0]).toMatchObject({ turn: 1, text: "I will now" });
  expect(sent).toHaveLength(3);
});

it("stops asking when every try of a turn is cut off", async () => {
  const { rollout, sent } = await runOn(() => ({ text: "and so on", finishReason: "length" }));
  expect(sent).toHaveLength(3);
  expect(rollout).toMatchObject({ endReason: "agent_stopped", score: { status: "scored", reward: 0 } });
});

it("scores what was done when the conversation no longer fits the model", async () => {
  const { rollout, said } = await runOn([
    { toolCalls: [label] },
    { status: 400, body: { error: { message: "maximum context length is 8192 tokens" } } },
  ]);
  expect(rollout.score).toMatchObject({ status: "scored", reward: 1 });
  expect(said.at(-1)).toMatchObject({ text: expect.stringContaining("no longer fits") });
});

it("makes a failing endpoint a fault of the model, never a score", async () => {
  const { rollout } = await runOn([{ status: 401, body: { error: { message: "bad key" } } }]);
  expect(rollout).toMatchObject({
    endReason: "fault",
    outcome: null,
    score: { status: "errored", reason: expect.stringMatching(/^model\/model_auth/) },
  });
});

it("changes its version with the sampling it asks for", () => {
  const endpoint = openChatEndpoint({ baseUrl: "http://127.0.0.1:1/v1", model: "m" });
  opened.push(endpoint);
  const [plain, again, warm] = [
    chatAgent({ endpoint }),
    chatAgent({ endpoint }),
    chatAgent({ endpoint, temperature: 1 }),
  ];
  expect(again.version).toBe(plain.version);
  expect(warm.version).not.toBe(plain.version);
});
