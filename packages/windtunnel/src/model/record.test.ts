import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openChatEndpoint } from "./chat-endpoint.js";
import type { ChatMessage } from "./chat-message.js";
import { openCompletionRecord } from "./record.js";
import { openScriptedEndpoint, type ScriptedEndpoint } from "./scripted-endpoint.js";

const KEY = "sk-Zq81-very-private";
const messages: readonly ChatMessage[] = [{ role: "user", content: "hi" }];
const usage = { prompt_tokens: 10, completion_tokens: 5, cost: 0.5 };

let folder: string;
let path: string;
let server: ScriptedEndpoint;
const opened: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "record-"));
  path = join(folder, "deep", "completions.jsonl");
  server = await openScriptedEndpoint(({ index }) => ({ text: `sample ${index}`, usage, delayMs: 5 }));
});

afterEach(async () => {
  for (const live of opened.splice(0)) await live.close();
  await server.close();
  await rm(folder, { recursive: true });
});

async function start(mode: "record" | "replay", model = "m") {
  const endpoint = openChatEndpoint({ baseUrl: server.baseUrl, model, apiKey: KEY });
  opened.push(endpoint);
  const record = await openCompletionRecord({ path, mode, endpoint });
  opened.push({ close: () => record.close().catch(() => {}) });
  return record;
}

async function recordAttempts(count: number): Promise<(string | null)[]> {
  const record = await start("record");
  const said: (string | null)[] = [];
  for (let attempt = 0; attempt < count; attempt++) {
    const { message } = await record.forAttempt({ task: "t", attempt }).complete({ messages });
    said.push(message.content);
  }
  await record.close();
  return said;
}

describe("recording", () => {
  it("gives each attempt a sample of its own, and a rerun the same samples without a request", async () => {
    const said = await recordAttempts(5);
    expect(new Set(said).size).toBe(5);
    expect(await recordAttempts(5)).toEqual(said);
    expect(server.requests).toHaveLength(5);
  });

  it("gives tasks with the same prompt, and equal requests of one attempt, samples of their own", async () => {
    const record = await start("record");
    const one = record.forAttempt({ task: "a", attempt: 1 });
    const two = record.forAttempt({ task: "b", attempt: 1 });
    const said = [await one.complete({ messages }), await one.complete({ messages }), await two.complete({ messages })];
    expect(new Set(said.map(({ message }) => message.content)).size).toBe(3);
    const again = record.forAttempt({ task: "a", attempt: 1 });
    expect((await again.complete({ messages })).message.content).toBe(said[0]?.message.content);
    expect((await again.complete({ messages })).message.content).toBe(said[1]?.message.content);
    expect(record.rows).toBe(3);
  });

  it("marks live completions live and recorded ones recorded, with the old figures apart", async () => {
    const record = await start("record");
    const live = await record.forAttempt({ task: "t", attempt: 1 }).complete({ messages });
    expect(live).toMatchObject({ fromRecord: false, recorded: null, costUsd: 0.5, attempts: 1 });
    const kept = await record.forAttempt({ task: "t", attempt: 1 }).complete({ messages });
    const { latencyMs, waitedMs, attempts, costUsd } = live;
    expect(kept).toEqual({
      ...live,
      latencyMs: 0,
      waitedMs: 0,
      attempts: 0,
      costUsd: 0,
      fromRecord: true,
      recorded: { latencyMs, waitedMs, attempts, costUsd },
    });
  });

  it("keeps credentials out of the file", async () => {
    await server.close();
    server = await openScriptedEndpoint(({ headers }) => ({ text: `you sent ${headers.authorization}` }));
    await recordAttempts(1);
    const text = await readFile(path, "utf8");
    expect(text).toContain("you sent [redacted]");
    expect(text).not.toContain("sk-Zq");
  });

  it("keeps many completions that end together, each on a line", async () => {
    const record = await start("record");
    await Promise.all(
      Array.from({ length: 40 }, (_, attempt) => record.forAttempt({ task: "t", attempt }).complete({ messages })),
    );
    await record.close();
    expect((await readFile(path, "utf8")).trim().split("\n")).toHaveLength(40);
    expect((await start("replay")).rows).toBe(40);
  });

  it("goes on after a line that was cut short", async () => {
    const said = await recordAttempts(2);
    await appendFile(path, '{"v":1,"task":"t","att');
    expect(await recordAttempts(3)).toEqual([...said, "sample 2"]);
    expect((await start("replay")).rows).toBe(3);
  });
});

describe("replay", () => {
  it("gives back what was recorded with the endpoint gone", async () => {
    const said = await recordAttempts(2);
    await server.close();
    const record = await start("replay");
    const again = await record.forAttempt({ task: "t", attempt: 1 }).complete({ messages });
    expect(again).toMatchObject({ fromRecord: true, message: { content: said[1] }, usage: { inputTokens: 10 } });
  });

  it("refuses an attempt that was not recorded, and asks nobody", async () => {
    await recordAttempts(1);
    const record = await start("replay");
    await expect(record.forAttempt({ task: "t", attempt: 7 }).complete({ messages })).rejects.toMatchObject({
      name: "RecordError",
      code: "record_miss",
      message: expect.stringContaining("none was recorded for that attempt"),
      facts: { path, task: "t", attempt: 7, repeat: 0, recordedRows: 0 },
    });
    expect(server.requests).toHaveLength(1);
  });

  it("says which part of a request is not as it was recorded", async () => {
    await recordAttempts(1);
    const changed = (await start("replay", "other-model")).forAttempt({ task: "t", attempt: 0 });
    await expect(changed.complete({ messages })).rejects.toThrow(/differs in model\./);
    const record = (await start("replay")).forAttempt({ task: "t", attempt: 0 });
    const other: readonly ChatMessage[] = [{ role: "user", content: "hi!" }];
    await expect(record.complete({ messages: other, temperature: 1 })).rejects.toThrow(
      /differs in messages, settings\./,
    );
  });

  it("refuses a request that is made more often than it was recorded", async () => {
    await recordAttempts(1);
    const record = (await start("replay")).forAttempt({ task: "t", attempt: 0 });
    await record.complete({ messages });
    await expect(record.complete({ messages })).rejects.toThrow(/number 2/);
  });

  it("refuses a file that is not there", async () => {
    await expect(start("replay")).rejects.toMatchObject({
      code: "record_unreadable",
      facts: { path, reason: "ENOENT" },
    });
  });

  it.each(["not JSON", "{}", '{"v":2}'])("refuses a file with the line %s, and names the line", async (line) => {
    await recordAttempts(1);
    const good = await readFile(path, "utf8");
    await writeFile(path, `${good}${line}\n${good}`);
    await expect(start("replay")).rejects.toMatchObject({ code: "record_corrupt", facts: { path, line: 2 } });
  });
});
