import { describe, expect, it } from "vitest";
import { ModelError, parseRefusal } from "./model-error.js";

describe("parseRefusal", () => {
  it.each([
    [400, "bad", "model_bad_request", false],
    [401, "", "model_auth", false],
    [403, "", "model_auth", false],
    [404, "no such model", "model_bad_request", false],
    [408, "", "model_timeout", true],
    [409, "", "model_unavailable", true],
    [422, "", "model_bad_request", false],
    [429, "slow down", "model_rate_limited", true],
    [429, '{"error":{"code":"insufficient_quota"}}', "model_rate_limited", false],
    [500, "", "model_unavailable", true],
    [502, "<html>", "model_unavailable", true],
    [503, "", "model_unavailable", true],
    [529, "overloaded_error", "model_unavailable", true],
    [302, "", "model_bad_request", false],
  ])("reads %i %s as %s, retried: %s", (status, body, code, retry) => {
    expect(parseRefusal(status, body)).toMatchObject({ code, retry });
  });

  it.each([
    [400, '{"error":{"code":"context_length_exceeded"}}'],
    [400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"],
    [400, "The input (9000 tokens) is longer than the model's context length (8192 tokens)."],
    [400, "prompt is too long: 210000 tokens > 200000 maximum"],
    [400, "The input token count (1100000) exceeds the maximum number of tokens allowed"],
    [413, "the request exceeds the available context size, try increasing it"],
    [422, "`inputs` tokens + `max_new_tokens` must be <= 4096"],
    [500, "Requested tokens exceed context window of 2048"],
  ])("knows a prompt that does not fit: %i %s", (status, body) => {
    expect(parseRefusal(status, body)).toMatchObject({ code: "model_context_overflow", retry: false });
  });

  it.each([
    [400, "temperature must be at most 2"],
    [400, "max_tokens must be at least 1"],
    [429, "Request too large for tokens per minute: reduce context size"],
  ])("does not take other refusals for one: %i %s", (status, body) => {
    expect(parseRefusal(status, body).code).not.toBe("model_context_overflow");
  });
});

it("tells code, place, contrast, attempts and answer in one line", () => {
  const error = new ModelError({
    code: "model_malformed_response",
    what: "no completion",
    attempts: 2,
    path: "choices[0]",
    expected: "an object",
    actual: "nothing",
    body: "{}",
  });
  expect(error.message).toBe(
    "model_malformed_response: no completion at choices[0]: expected an object, found nothing after 2 attempts. Answer: {}",
  );
});
