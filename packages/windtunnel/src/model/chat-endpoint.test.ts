import { afterEach, describe, expect, it } from "vitest";
import { type ChatEndpoint, type ChatEndpointOptions, openChatEndpoint } from "./chat-endpoint.js";
import type { ChatMessage, ToolDefinition } from "./chat-message.js";
import type { ChatRequest } from "./chat-request.js";
import { ModelError } from "./model-error.js";
import { openScriptedEndpoint, type Script, type ScriptedEndpoint, type ScriptedReply } from "./scripted-endpoint.js";

const messages: readonly ChatMessage[] = [{ role: "user", content: "hi" }];
const tool: ToolDefinition = { type: "function", function: { name: "look_up", parameters: { type: "object" } } };
const KEY = "sk-Zq81-very-private";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const live of opened.splice(0)) await live.close();
});

/** A server and an endpoint on it whose waits are noted and not slept. */
async function start(script: Script, options: Partial<ChatEndpointOptions> = {}) {
  const server: ScriptedEndpoint = await openScriptedEndpoint(script);
  const slept: number[] = [];
  const endpoint: ChatEndpoint = openChatEndpoint({
    baseUrl: server.baseUrl,
    model: "m",
    apiKey: KEY,
    timeoutMs: 5000,
    random: () => 0.5,
    sleep: async (ms) => void slept.push(ms),
    ...options,
  });
  opened.push(endpoint, server);
  return { server, endpoint, slept };
}

async function errorOf(work: Promise<unknown>): Promise<ModelError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ModelError)) throw new Error(`expected a ModelError, found ${String(error)}`);
  return error;
}

const until = async (test: () => boolean) => {
  while (!test()) await new Promise((resolve) => setTimeout(resolve, 2));
};

describe("a request", () => {
  it("sends no field that was not asked for, and no tools when there are none", async () => {
    const { server, endpoint } = await start([{ text: "a" }, { text: "b" }]);
    await endpoint.complete({ messages });
    await endpoint.complete({ messages, tools: [], toolChoice: "auto" });
    for (const { text } of server.requests)
      expect(text).toBe('{"model":"m","messages":[{"role":"user","content":"hi"}]}');
  });

  it("sends every setting under its wire name", async () => {
    const { server, endpoint } = await start([{ text: "a" }], { extraBody: { return_token_ids: true } });
    await endpoint.complete({
      messages,
      tools: [tool],
      toolChoice: { name: "look_up" },
      temperature: 0,
      topP: 0.5,
      maxTokens: 9,
      seed: 3,
      extraBody: { logprobs: true },
    });
    expect(server.requests[0]?.body).toEqual({
      model: "m",
      messages,
      tools: [tool],
      tool_choice: { type: "function", function: { name: "look_up" } },
      temperature: 0,
      top_p: 0.5,
      max_tokens: 9,
      seed: 3,
      return_token_ids: true,
      logprobs: true,
    });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it("sends back the argument text that it was given", async () => {
    const broken = '{"id": "007", ';
    const { server, endpoint } = await start([{ toolCalls: [{ name: "look_up", arguments: broken }] }, { text: "b" }]);
    const first = await endpoint.complete({ messages, tools: [tool] });
    expect(first.toolCalls).toEqual([{ id: "call_0_0", name: "look_up", arguments: broken }]);
    const answer: ChatMessage = { role: "tool", tool_call_id: "call_0_0", content: "not JSON" };
    await endpoint.complete({ messages: [...messages, first.message, answer], tools: [tool] });
    expect(server.requests[1]?.body.messages).toMatchObject([
      {},
      { tool_calls: [{ function: { name: "look_up", arguments: broken } }] },
      {},
    ]);
  });

  it.each<[Partial<ChatRequest>, string]>([
    [{ messages: [] }, "messages"],
    [{ temperature: Number.NaN }, "temperature"],
    [{ tools: [tool, tool] }, "tools[1].function.name"],
    [{ tools: [{ ...tool, function: { name: "a b", parameters: {} } }] }, "tools[0].function.name"],
    [{ tools: [tool], toolChoice: { name: "other" } }, "toolChoice.name"],
    [{ extraBody: { stream: true } }, "extraBody.stream"],
  ])("that cannot be sent is refused before it is: %j", async (wrong, path) => {
    const { server, endpoint } = await start([]);
    const error = await errorOf(endpoint.complete({ messages, ...wrong }));
    expect(error).toMatchObject({ code: "model_bad_request", path, attempts: 0 });
    expect(server.requests).toHaveLength(0);
  });
});

describe("a completion", () => {
  it("tells message, ending, tokens, cost and request id, and keeps the body whole", async () => {
    const body = {
      id: "cmpl-1",
      choices: [
        {
          message: { role: "assistant", content: "yes", reasoning_content: "so" },
          finish_reason: "length",
          token_ids: [1, 2],
        },
      ],
      prompt_token_ids: [7, 8],
      usage: { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 40 } },
    };
    const { endpoint } = await start([{ body, headers: { "x-request-id": "req-9" } }], {
      pricing: { inputUsdPerMillion: 1, cachedInputUsdPerMillion: 0.5, outputUsdPerMillion: 2 },
    });
    const completion = await endpoint.complete({ messages });
    expect(completion).toMatchObject({
      message: { role: "assistant", content: "yes" },
      toolCalls: [],
      finishReason: "length",
      reasoning: "so",
      usage: { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10, reasoningTokens: null },
      attempts: 1,
      requestId: "req-9",
    });
    expect(completion.costUsd).toBeCloseTo((60 + 20 + 20) / 1e6, 12);
    expect(completion.raw).toEqual(body);
  });

  it("has neither usage nor cost when the endpoint gives none", async () => {
    const { endpoint } = await start([{ text: "a" }], { pricing: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 } });
    expect(await endpoint.complete({ messages })).toMatchObject({ usage: null, costUsd: null });
    expect(endpoint.stats()).toMatchObject({ completed: 1, withoutUsage: 1, withoutCost: 1, costUsd: 0 });
  });

  it("takes the endpoint's own cost when there is no price list", async () => {
    const { endpoint } = await start([{ text: "a", usage: { prompt_tokens: 1, completion_tokens: 1, cost: 0.25 } }]);
    expect((await endpoint.complete({ messages })).costUsd).toBe(0.25);
  });

  it("takes nothing for its latency but the attempt that succeeded", async () => {
    let clock = 1_000;
    const script: ScriptedReply[] = [{ status: 429, headers: { "retry-after": "60" } }, { text: "a" }];
    const { endpoint } = await start(script, {
      now: () => clock,
      random: () => 0,
      sleep: async (ms) => {
        clock += ms;
      },
    });
    expect(await endpoint.complete({ messages })).toMatchObject({ latencyMs: 0, waitedMs: 60_000, attempts: 2 });
  });

  it("counts the time in the queue as waiting", async () => {
    const { endpoint } = await start(() => ({ text: "a", delayMs: 60 }), { concurrency: 1 });
    const [first, second] = await Promise.all([endpoint.complete({ messages }), endpoint.complete({ messages })]);
    expect(first?.waitedMs).toBeLessThan(40);
    expect(second?.waitedMs).toBeGreaterThanOrEqual(50);
    expect(second?.latencyMs).toBeLessThan(110);
  });
});

describe("retries", () => {
  it.each<[string, ScriptedReply]>([
    ["408", { status: 408 }],
    ["409", { status: 409 }],
    ["429", { status: 429 }],
    ["500", { status: 500 }],
    ["503", { status: 503 }],
    ["a lost connection", { hangUp: true }],
    ["a provider's error inside a 200", { body: { error: { code: 502, message: "upstream" } } }],
  ])("follow %s", async (_, reply) => {
    const { endpoint, slept } = await start([reply, reply, { text: "done" }]);
    const completion = await endpoint.complete({ messages });
    expect(completion).toMatchObject({ attempts: 3, message: { content: "done" } });
    expect(slept).toEqual([250, 500]);
  });

  it.each([400, 401, 403, 404, 422])("do not follow %i", async (status) => {
    const { server, endpoint } = await start([{ status }, { text: "never" }]);
    expect(await errorOf(endpoint.complete({ messages }))).toMatchObject({ status, attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });

  it("follow a time-out, of the headers as of the body", async () => {
    const script = [{ text: "late", delayMs: 60_000 }, { text: "late", bodyDelayMs: 60_000 }, { text: "done" }];
    const { endpoint } = await start(script, { timeoutMs: 80 });
    expect((await endpoint.complete({ messages })).attempts).toBe(3);
  });

  it("end after the number allowed, with the last cause and every attempt counted", async () => {
    const { server, endpoint } = await start(() => ({ status: 503, body: { error: "busy" } }), { maxRetries: 2 });
    const error = await errorOf(endpoint.complete({ messages }));
    expect(error).toMatchObject({ code: "model_unavailable", status: 503, attempts: 3, body: '{"error":"busy"}' });
    expect(server.requests).toHaveLength(3);
  });

  it("honour Retry-After in seconds and as a date", async () => {
    const now = () => Date.UTC(2026, 0, 1);
    const { endpoint, slept } = await start(
      [
        { status: 429, headers: { "retry-after": "7" } },
        { status: 503, headers: { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" } },
        { text: "done" },
      ],
      { now, random: () => 0 },
    );
    await endpoint.complete({ messages });
    expect(slept).toEqual([7000, 9000]);
  });

  it("leave their place to others while they wait", async () => {
    let wake = () => {};
    const { endpoint, server } = await start([{ status: 429 }, { text: "second" }, { text: "first" }], {
      concurrency: 1,
      sleep: () =>
        new Promise<void>((resolve) => {
          wake = resolve;
        }),
    });
    const first = endpoint.complete({ messages });
    await until(() => server.requests.length === 1);
    expect((await endpoint.complete({ messages })).message.content).toBe("second");
    wake();
    expect((await first).message.content).toBe("first");
  });
});

describe("errors", () => {
  it.each<[string, ScriptedReply, object]>([
    ["a bad key", { status: 401 }, { code: "model_auth", status: 401 }],
    ["a bad request", { status: 422 }, { code: "model_bad_request", status: 422 }],
    [
      "a prompt that does not fit",
      { status: 400, body: { error: { code: "context_length_exceeded", message: "too long" } } },
      { code: "model_context_overflow", status: 400 },
    ],
    ["a rate limit", { status: 429 }, { code: "model_rate_limited", status: 429 }],
    ["an unavailable server", { status: 502 }, { code: "model_unavailable", status: 502 }],
    ["a lost connection", { hangUp: true }, { code: "model_unavailable", status: null }],
    ["an answer that is not JSON", { rawBody: "<html>ok" }, { code: "model_malformed_response", body: "<html>ok" }],
    ["an empty answer", { rawBody: "" }, { code: "model_malformed_response" }],
    [
      "an answer that is no completion",
      { body: { choices: [] } },
      { code: "model_malformed_response", path: "choices[0]", expected: "an object" },
    ],
  ])("tell %s by its code", async (_, reply, facts) => {
    const { endpoint } = await start(() => reply, { maxRetries: 0 });
    expect(await errorOf(endpoint.complete({ messages }))).toMatchObject({ attempts: 1, ...facts });
  });

  it("tell an answer that never came by its own code", async () => {
    const { endpoint } = await start(() => ({ delayMs: 60_000 }), { maxRetries: 0, timeoutMs: 30 });
    expect(await errorOf(endpoint.complete({ messages }))).toMatchObject({ code: "model_timeout", status: null });
  });

  it("tell that nobody listens", async () => {
    const gone = await openScriptedEndpoint([]);
    await gone.close();
    const { endpoint } = await start([], { baseUrl: gone.baseUrl, maxRetries: 1 });
    const error = await errorOf(endpoint.complete({ messages }));
    expect(error).toMatchObject({ code: "model_unavailable", status: null, attempts: 2 });
    expect(error.message).toContain("ECONNREFUSED");
  });

  it("never show a credential, wherever the endpoint repeats it", async () => {
    const echo = {
      status: 400,
      body: { error: `key ${KEY}, header hdr-secret-1, query qry%2Fsecret, ${"x".repeat(560)}${KEY}` },
    };
    const { server, endpoint } = await start([echo, { status: 401, body: KEY }]);
    const other = openChatEndpoint({
      baseUrl: `${server.baseUrl}?api_key=qry%2Fsecret`,
      model: "m",
      apiKey: KEY,
      headers: { "X-Vault-Token": "hdr-secret-1" },
    });
    opened.push(other);
    for (const error of [await errorOf(other.complete({ messages })), await errorOf(endpoint.complete({ messages }))]) {
      const shown = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
      expect(shown).not.toMatch(/sk-Zq|hdr-secret|qry/);
      expect(shown).toContain("[redacted]");
    }
    expect(server.requests[0]?.path).toBe("/v1/chat/completions?api_key=qry%2Fsecret");
  });
});

describe("cancellation", () => {
  it("is immediate on the wire", async () => {
    const { endpoint, server } = await start(() => ({ delayMs: 60_000 }));
    const abort = new AbortController();
    const error = errorOf(endpoint.complete({ messages, signal: abort.signal }));
    await until(() => server.inFlight() === 1);
    abort.abort();
    expect(await error).toMatchObject({ code: "model_cancelled", attempts: 1 });
    await until(() => server.inFlight() === 0);
  });

  it("is immediate in the queue", async () => {
    const { endpoint } = await start(() => ({ delayMs: 60_000 }), { concurrency: 1 });
    const busy = errorOf(endpoint.complete({ messages }));
    const abort = new AbortController();
    const error = errorOf(endpoint.complete({ messages, signal: abort.signal }));
    abort.abort();
    expect(await error).toMatchObject({ code: "model_cancelled", attempts: 0 });
    await endpoint.close();
    expect((await busy).code).toBe("model_cancelled");
  });

  it("is immediate in backoff, even when the sleep cannot be woken", async () => {
    let sleeping = false;
    const { endpoint } = await start(() => ({ status: 503 }), {
      sleep: () => {
        sleeping = true;
        return new Promise(() => {});
      },
    });
    const abort = new AbortController();
    const error = errorOf(endpoint.complete({ messages, signal: abort.signal }));
    await until(() => sleeping);
    abort.abort();
    expect(await error).toMatchObject({ code: "model_cancelled", attempts: 1 });
  });

  it("before the start sends nothing", async () => {
    const { endpoint, server } = await start([{ text: "a" }]);
    const error = await errorOf(endpoint.complete({ messages, signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: "model_cancelled", attempts: 0 });
    expect(server.requests).toHaveLength(0);
  });

  it("comes with closing the endpoint, for what is under way and what comes later", async () => {
    const { endpoint, server } = await start(() => ({ delayMs: 60_000 }));
    const error = errorOf(endpoint.complete({ messages }));
    await until(() => server.inFlight() === 1);
    await endpoint.close();
    expect(await error).toMatchObject({ code: "model_cancelled" });
    expect(await errorOf(endpoint.complete({ messages }))).toMatchObject({ code: "model_cancelled", attempts: 0 });
  });

  it("of many requests by one signal warns of no leak", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    const { endpoint } = await start(() => ({ text: "a" }));
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 30 }, () => endpoint.complete({ messages, signal })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });
});

describe("concurrency", () => {
  it("never exceeds a fixed number", async () => {
    const { endpoint, server } = await start(() => ({ text: "a", delayMs: 5 }), { concurrency: 3 });
    await Promise.all(Array.from({ length: 20 }, () => endpoint.complete({ messages })));
    expect(server.maxInFlight()).toBe(3);
  });

  it("falls when the endpoint says that it is overloaded, and all requests still complete", async () => {
    const { endpoint, server } = await start(
      () => (server.inFlight() > 4 ? { status: 429 } : { text: "a", delayMs: 5 }),
      { maxRetries: 50, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 100)) },
    );
    const all = await Promise.all(Array.from({ length: 60 }, () => endpoint.complete({ messages })));
    expect(all).toHaveLength(60);
    expect(endpoint.stats().limit).toBeLessThan(8);
  });
});

it("accounts for every request as completed or failed", async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } };
  const { endpoint } = await start([{ text: "a", usage }, { status: 503 }, { text: "b", usage }, { status: 401 }], {
    pricing: { inputUsdPerMillion: 1, outputUsdPerMillion: 1 },
  });
  await endpoint.complete({ messages });
  await endpoint.complete({ messages });
  await errorOf(endpoint.complete({ messages }));
  await errorOf(endpoint.complete({ messages: [] }));
  expect(endpoint.stats()).toMatchObject({
    requests: 4,
    completed: 2,
    failed: { model_auth: 1, model_bad_request: 1 },
    attempts: 4,
    inputTokens: 20,
    cachedInputTokens: 8,
    outputTokens: 10,
    withoutUsage: 0,
    costUsd: 30 / 1e6,
    inFlight: 0,
    queued: 0,
  });
});

describe("options", () => {
  const good = { baseUrl: "http://127.0.0.1:1/v1", model: "m" };

  it.each<[Partial<ChatEndpointOptions>, string]>([
    [{ baseUrl: "localhost" }, "baseUrl"],
    [{ baseUrl: "ftp://h/v1" }, "baseUrl"],
    [{ baseUrl: "http://user:hunter22@h/v1" }, "baseUrl"],
    [{ model: "" }, "model"],
    [{ apiKey: "sk-secret-value\n" }, "apiKey"],
    [{ headers: { a: "b\r\nc" } }, "headers.a"],
    [{ timeoutMs: 0 }, "timeoutMs"],
    [{ timeoutMs: 2 ** 40 }, "timeoutMs"],
    [{ maxRetries: -1 }, "maxRetries"],
    [{ concurrency: 0 }, "concurrency"],
    [{ concurrency: 1.5 }, "concurrency"],
    [{ pricing: { inputUsdPerMillion: -1, outputUsdPerMillion: 0 } }, "pricing.inputUsdPerMillion"],
    [{ extraBody: { model: "other" } }, "extraBody.model"],
  ])("that cannot work are refused by name, without their credentials: %j", (wrong, path) => {
    try {
      openChatEndpoint({ ...good, ...wrong });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "model_bad_request", path });
      expect(String(error)).not.toMatch(/sk-secret-value|hunter22/);
    }
  });

  it.each(["/v1", "/v1/", "/v1/chat/completions"])("take a base URL that ends in %s", async (path) => {
    const server = await openScriptedEndpoint([{ text: "a" }]);
    const endpoint = openChatEndpoint({ model: "m", baseUrl: new URL(path, server.baseUrl).href });
    opened.push(endpoint, server);
    await endpoint.complete({ messages });
    expect(server.requests[0]?.path).toBe("/v1/chat/completions");
  });
});
