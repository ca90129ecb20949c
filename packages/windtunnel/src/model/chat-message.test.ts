import { describe, expect, it } from "vitest";
import { type ChatMessage, parseChatAnswer, toWireMessages } from "./chat-message.js";

const body = (message: unknown, more: object = {}) => ({ choices: [{ message, finish_reason: "stop" }], ...more });

function answerOf(value: unknown, turn = 1) {
  const reading = parseChatAnswer(value, turn);
  if (!reading.ok) throw new Error(`not read: ${JSON.stringify(reading.problem)}`);
  return reading.answer;
}

const call = (args: unknown, id: unknown = "c1") => ({
  id,
  type: "function",
  function: { name: "f", arguments: args },
});

describe("parseChatAnswer", () => {
  it.each(['{"code": "00420"}', '{ "a":1 ,"a":2}', '{"broken": ', '{}""', "", '"{\\"twice\\":1}"'])(
    "keeps the argument text %s byte for byte",
    (text) => {
      const answer = answerOf(body({ content: null, tool_calls: [call(text)] }));
      expect(answer.toolCalls[0]?.arguments).toBe(text);
      expect(answer.message.tool_calls?.[0]?.function.arguments).toBe(text);
    },
  );

  it("encodes arguments once when a server sends them parsed", () => {
    expect(answerOf(body({ tool_calls: [call({ id: "007" })] })).toolCalls[0]?.arguments).toBe('{"id":"007"}');
  });

  it("reads absent, null and empty tool calls as no calls, and gives the message no list", () => {
    for (const message of [{ content: "hi" }, { content: "hi", tool_calls: null }, { content: "hi", tool_calls: [] }]) {
      expect(answerOf(body(message)).toolCalls).toEqual([]);
      expect(answerOf(body(message)).message).toEqual({ role: "assistant", content: "hi" });
    }
  });

  it("names calls that have no id, or one that is taken, by turn and place", () => {
    const calls = [call("{}", null), call("{}", ""), call("{}", "x"), call("{}", "x")];
    const ids = answerOf(body({ tool_calls: calls }), 7).toolCalls.map(({ id }) => id);
    expect(ids).toEqual(["call_7_0", "call_7_1", "x", "call_7_3"]);
  });

  it("joins text parts", () => {
    const parts = [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }];
    expect(answerOf(body({ content: parts })).message.content).toBe("ab");
  });

  it("reads usage with cached and reasoning tokens", () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: "4",
      prompt_tokens_details: { cached_tokens: 6 },
      completion_tokens_details: { reasoning_tokens: 3 },
    };
    expect(answerOf(body({ content: "x" }, { usage })).usage).toEqual({
      inputTokens: 10,
      cachedInputTokens: 6,
      outputTokens: 4,
      reasoningTokens: 3,
    });
  });

  it.each([undefined, null, {}, { prompt_tokens: 3 }, { prompt_tokens: -1, completion_tokens: 2 }])(
    "reports no usage for %j",
    (usage) => {
      expect(answerOf(body({ content: "x" }, { usage })).usage).toBeNull();
    },
  );

  it("tells cached and reasoning tokens it was not given as unknown", () => {
    const { usage } = answerOf(body({ content: "x" }, { usage: { prompt_tokens: 1, completion_tokens: 1 } }));
    expect(usage).toMatchObject({ cachedInputTokens: null, reasoningTokens: null });
  });

  it.each([
    [null, "$"],
    [[], "$"],
    [{}, "choices[0]"],
    [{ choices: [] }, "choices[0]"],
    [{ choices: [{}] }, "choices[0].message"],
    [body({ content: 5 }), "choices[0].message.content"],
    [body({ tool_calls: "null" }), "choices[0].message.tool_calls"],
    [body({ tool_calls: [{ id: "a" }] }), "choices[0].message.tool_calls[0].function"],
    [body({ tool_calls: [{ function: {} }] }), "choices[0].message.tool_calls[0].function.name"],
  ])("rejects %j at its path", (value, path) => {
    expect(parseChatAnswer(value, 1)).toMatchObject({ ok: false, problem: { path } });
  });
});

describe("toWireMessages", () => {
  it("drops an empty call list and fills content that would otherwise be null", () => {
    const sent = toWireMessages([{ role: "assistant", content: null, tool_calls: [] }]);
    expect(sent).toEqual([{ role: "assistant", content: "" }]);
  });

  it("leaves every other message as it is", () => {
    const messages: ChatMessage[] = [
      { role: "system", content: "s" },
      { role: "user", content: [{ type: "text", text: "u" }] },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "{" } }],
      },
      { role: "tool", tool_call_id: "1", content: "null" },
      { role: "assistant", content: "done", reasoning_content: "because" },
    ];
    expect(toWireMessages(messages)).toEqual(messages);
  });
});
