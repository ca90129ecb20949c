/**
 * A chat endpoint: one OpenAI-compatible server and model, shared by everything that talks to it. Owns queueing, retries, cancellation and
 * the accounts. Does not promise idempotence: a request that timed out may have been computed, and billed, more than once.
 */
import { setMaxListeners } from "node:events";
import { setTimeout as sleepFor } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { adaptiveLimit, type LimitState } from "./adaptive-limit.js";
import type { ChatAnswer } from "./chat-message.js";
import { badRequest, type ChatRequest, type ChatRequestBody, checkExtraBody, toRequestBody } from "./chat-request.js";
import { type Failure, openChatTransport, type Success } from "./chat-transport.js";
import { checkOptions, toCompletionsUrl, toHeaders, toSecrets } from "./endpoint-address.js";
import { type EndpointTally, endpointTally } from "./endpoint-tally.js";
import { ModelError } from "./model-error.js";
import { maskSecrets } from "./redact-secrets.js";
import { retryDelayMs } from "./retry-delay.js";
import { costOfTokens, type TokenPrice } from "./token-price.js";

export interface ChatEndpointOptions {
  /** Up to and including the version, such as `http://127.0.0.1:8000/v1`; a query is sent along. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token. Never shown: not in errors, statistics or records. */
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Limit of one attempt, connection to last byte, ms. Default 120 000. */
  readonly timeoutMs?: number;
  /** Attempts after the first. Default 5. */
  readonly maxRetries?: number;
  /** Requests on the wire at once: adapted to what the endpoint bears ("auto", the default), or fixed. */
  readonly concurrency?: "auto" | number;
  readonly pricing?: TokenPrice;
  /** Fields of the endpoint's own, sent with every request. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** Further values to mask, beside the API key and what headers and URL parameters named like credentials hold. */
  readonly secrets?: readonly string[];
  /** An undici dispatcher of the caller's (a proxy, a client certificate); the caller closes it. */
  readonly dispatcher?: Dispatcher;
  /** Jitter of the backoff, in [0, 1). */
  readonly random?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Epoch, ms. */
  readonly now?: () => number;
}

/** One completion and what it took. */
export interface ChatCompletion extends Omit<ChatAnswer, "reportedCostUsd"> {
  /** By `pricing`; without it, by the endpoint's own `usage.cost`; null when neither is known. */
  readonly costUsd: number | null;
  /** The attempt that succeeded, ms. */
  readonly latencyMs: number;
  /** Everything before that: queue, backoff and attempts that failed, ms. */
  readonly waitedMs: number;
  readonly attempts: number;
  readonly requestId: string | null;
  /** The answer's body, nothing left out. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface ChatEndpoint {
  readonly model: string;
  /** Rejects with ModelError only. */
  complete(request: ChatRequest): Promise<ChatCompletion>;
  /** What `complete` would send: all that decides the answer, and no credential. */
  toBody(request: ChatRequest): ChatRequestBody;
  /** Masks this endpoint's credentials in a text. */
  mask(text: string): string;
  stats(): EndpointTally & LimitState;
  /** Cancels what is under way and closes the sockets. */
  close(): Promise<void>;
}

/**
 * Opens an endpoint; connects only when first used. Throws ModelError `model_bad_request` on options that cannot work.
 *
 * @example
 * const endpoint = openChatEndpoint({ baseUrl: "http://127.0.0.1:8000/v1", model: "qwen3-8b" });
 * const { message, toolCalls } = await endpoint.complete({ messages: [{ role: "user", content: "Hello" }] });
 * await endpoint.close();
 */
export function openChatEndpoint(options: ChatEndpointOptions): ChatEndpoint {
  checkOptions(options);
  const { model, timeoutMs = 120_000, maxRetries = 5, concurrency = "auto", pricing } = options;
  const { extraBody = {}, maxTokensField = "max_tokens", random = Math.random, now = Date.now } = options;
  const sleep = options.sleep ?? ((ms, signal) => sleepFor(ms, undefined, { signal }));
  checkExtraBody(extraBody, "extraBody");
  const url = toCompletionsUrl(options.baseUrl);
  const headers = toHeaders(options);
  const secrets = toSecrets(url, headers, [options.apiKey ?? "", ...(options.secrets ?? [])]);
  const limit = adaptiveLimit(concurrency);
  const connections = concurrency === "auto" ? null : concurrency;
  const transport = openChatTransport({
    url,
    headers,
    secrets,
    timeoutMs,
    connections,
    dispatcher: options.dispatcher,
    now,
  });
  const defaults = { model, maxTokensField, extraBody };
  const tally = endpointTally();
  const underWay = new Set<AbortController>();
  let closed = false;

  async function complete(request: ChatRequest): Promise<ChatCompletion> {
    tally.requested();
    const life = new AbortController();
    const cancel = () => life.abort();
    if (request.signal !== undefined) {
      // One signal may end a whole run: many listeners on it are no leak, and must not be warned of as one.
      setMaxListeners(0, request.signal);
      request.signal.addEventListener("abort", cancel, { once: true });
    }
    if (request.signal?.aborted || closed) cancel();
    underWay.add(life);
    try {
      const body = toJson(toRequestBody(request, defaults));
      const completion = await attemptUntilDone(body, request.messages.length, life.signal);
      tally.completed(completion);
      return completion;
    } catch (error) {
      if (error instanceof ModelError) tally.failed(error.code);
      throw error;
    } finally {
      underWay.delete(life);
      request.signal?.removeEventListener("abort", cancel);
    }
  }

  async function attemptUntilDone(body: string, turn: number, signal: AbortSignal): Promise<ChatCompletion> {
    let waitedMs = 0;
    for (let attempts = 1; ; attempts++) {
      const queuedAt = now();
      const permit = await limit.acquire({ signal, returning: attempts > 1 }).catch(() => null);
      const sentAt = now();
      waitedMs += sentAt - queuedAt;
      if (permit === null) throw cancelled(attempts - 1, waitedMs);
      tally.attempted();
      const result = await transport.send(body, turn, signal);
      const latencyMs = now() - sentAt;
      permit.release(result.ok ? { latencyMs } : result.overload ? "overloaded" : "neutral");
      if (result.ok) return toCompletion(result, { latencyMs, waitedMs, attempts });
      if (!result.retry || attempts > maxRetries) throw toModelError(result, attempts, waitedMs);
      const delayMs = retryDelayMs(attempts, result.retryAfterMs, random);
      waitedMs += latencyMs + delayMs;
      if (!(await slept(sleep(delayMs, signal), signal))) throw cancelled(attempts, waitedMs);
    }
  }

  function toCompletion(
    { answer, raw, requestId }: Success,
    took: Pick<ChatCompletion, "latencyMs" | "waitedMs" | "attempts">,
  ): ChatCompletion {
    const { reportedCostUsd, ...said } = answer;
    const { usage } = said;
    const priced = pricing === undefined || usage === null ? null : costOfTokens(usage, pricing);
    return { ...said, costUsd: pricing === undefined ? reportedCostUsd : priced, ...took, requestId, raw };
  }

  function toModelError(failure: Failure, attempts: number, waitedMs: number): ModelError {
    const { problem, what, ...facts } = failure;
    return new ModelError({ ...facts, ...problem, what: `${what} (model ${model})`, attempts, waitedMs });
  }

  function cancelled(attempts: number, waitedMs: number): ModelError {
    const what = closed ? "the endpoint was closed" : "the request was cancelled";
    return new ModelError({ code: "model_cancelled", what, attempts, waitedMs });
  }

  return {
    model,
    complete,
    toBody: (request) => toRequestBody(request, defaults),
    mask: (text) => maskSecrets(text, secrets),
    stats: () => ({ ...tally.read(), ...limit.state() }),
    async close() {
      closed = true;
      for (const life of underWay) life.abort();
      await transport.close();
    },
  };
}

function toJson(body: ChatRequestBody): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw badRequest("the request", "JSON values", error instanceof Error ? error.message : "a value JSON cannot hold");
  }
}

/** False when the signal aborted first, which it may do at once: an injected sleep need not know the signal. */
function slept(sleep: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    const stop = () => resolve(false);
    signal.addEventListener("abort", stop, { once: true });
    sleep.then(
      () => resolve(true),
      (error) => (signal.aborted ? resolve(false) : reject(error)),
    );
  });
}
