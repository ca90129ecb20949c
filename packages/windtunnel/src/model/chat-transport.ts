/**
 * One attempt at one completion over HTTP: sends a body, reads the answer, names what went wrong. Owns the sockets, the time limit of an
 * attempt and the masking of secrets. Retries nothing and waits for nobody.
 */
import { type Dispatcher, Pool } from "undici";
import { type ChatAnswer, type ChatProblem, isRecord, parseChatAnswer } from "./chat-message.js";
import { type ModelErrorCode, parseRefusal } from "./model-error.js";
import { redactSecrets } from "./redact-secrets.js";
import { parseRetryAfter } from "./retry-delay.js";

/** An answer larger than this is not a chat completion. */
const LARGEST_ANSWER_BYTES = 64 * 1024 * 1024;
const EXCERPT_CHARS = 600;

export interface Success {
  readonly ok: true;
  readonly answer: ChatAnswer;
  /** The body as parsed, nothing left out. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
}

export interface Failure {
  readonly ok: false;
  readonly code: ModelErrorCode;
  readonly retry: boolean;
  readonly overload: boolean;
  readonly what: string;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly body: string | null;
  readonly problem: ChatProblem | null;
}

export interface TransportOptions {
  /** Where completions are posted, query included. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly timeoutMs: number;
  /** Sockets at most; null leaves the number to the caller's own limit. */
  readonly connections: number | null;
  readonly dispatcher: Dispatcher | undefined;
  readonly now: () => number;
}

export interface ChatTransport {
  /** Never throws. A `signal` that aborts ends the attempt at once, as `model_cancelled`. */
  send(body: string, turn: number, signal: AbortSignal): Promise<Success | Failure>;
  close(): Promise<void>;
}

export function openChatTransport(options: TransportOptions): ChatTransport {
  const { url, headers, secrets, timeoutMs, now } = options;
  const path = url.pathname + url.search;
  const pool = new Pool(url.origin, {
    connections: options.connections,
    connect: { timeout: timeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: LARGEST_ANSWER_BYTES,
  });
  const dispatcher = options.dispatcher;

  async function send(body: string, turn: number, signal: AbortSignal): Promise<Success | Failure> {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      abort();
    }, timeoutMs);
    signal.addEventListener("abort", abort, { once: true });
    try {
      const request = { origin: url.origin, path, method: "POST", headers, body, signal: attempt.signal } as const;
      const response = await exchange(dispatcher ?? pool, request);
      return read(response.status, response.headers, response.text, turn);
    } catch (error) {
      if (signal.aborted) return failure({ code: "model_cancelled", what: "the request was cancelled" });
      if (timedOut) {
        return failure({
          code: "model_timeout",
          what: `no answer within ${timeoutMs} ms`,
          retry: true,
          overload: true,
        });
      }
      return lost(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  }

  function read(status: number, answered: ResponseHeaders, text: string, turn: number): Success | Failure {
    const requestId = headerOf(answered, "x-request-id") ?? headerOf(answered, "request-id");
    const facts = { requestId, retryAfterMs: parseRetryAfter(answered, now()) };
    if (status < 200 || status > 299) return refused(status, text, facts);
    let raw: unknown;
    try {
      raw = JSON.parse(text);
    } catch {
      const what = text === "" ? "the answer is empty" : "the answer is not JSON";
      return failure({ ...facts, code: "model_malformed_response", what, status, body: excerpt(text) });
    }
    const inner = isRecord(raw) ? innerRefusal(raw) : null;
    if (inner !== null) return refused(inner, text, facts);
    const reading = parseChatAnswer(raw, turn);
    if (reading.ok && isRecord(raw))
      return { ok: true, answer: reading.answer, raw, requestId: requestId ?? idOf(raw) };
    return failure({
      ...facts,
      code: "model_malformed_response",
      what: "the answer is not a chat completion",
      status,
      body: excerpt(text),
      problem: reading.ok ? null : reading.problem,
    });
  }

  function refused(status: number, text: string, facts: Pick<Failure, "requestId" | "retryAfterMs">): Failure {
    const what = `the endpoint answered ${status}`;
    return failure({ ...facts, ...parseRefusal(status, text), what, status, body: excerpt(text) });
  }

  function lost(error: unknown): Failure {
    const { code, message } = error as { code?: unknown; message?: unknown };
    const cause = redactSecrets(`${typeof code === "string" ? `${code} ` : ""}${String(message)}`.trim(), secrets);
    if (code === "UND_ERR_CONNECT_TIMEOUT") {
      return failure({ code: "model_timeout", what: `no connection to ${url.origin} (${cause})`, retry: true });
    }
    if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
      return failure({
        code: "model_malformed_response",
        what: `the answer is larger than ${LARGEST_ANSWER_BYTES} bytes`,
      });
    }
    return failure({ code: "model_unavailable", what: `connection to ${url.origin} failed (${cause})`, retry: true });
  }

  const excerpt = (text: string) => redactSecrets(text, secrets).trim().slice(0, EXCERPT_CHARS);

  return { send, close: () => pool.destroy() };
}

type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;
type Exchange = { status: number; headers: ResponseHeaders; text: string };

async function exchange(dispatcher: Dispatcher, request: Dispatcher.RequestOptions): Promise<Exchange> {
  const response = await dispatcher.request(request);
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
}

/** Some gateways answer 200 and put the provider's refusal inside; its code is then a status, or unknown and taken for a server error. */
function innerRefusal(raw: Record<string, unknown>): number | null {
  const choice = Array.isArray(raw.choices) ? (raw.choices[0] as unknown) : undefined;
  const error = raw.error ?? (isRecord(choice) ? choice.error : undefined);
  if (error === undefined || error === null) return null;
  const code = isRecord(error) ? Number(error.code ?? error.status) : Number.NaN;
  return code >= 400 && code <= 599 ? code : 500;
}

function idOf(raw: Record<string, unknown>): string | null {
  return typeof raw.id === "string" ? raw.id : null;
}

function headerOf(headers: ResponseHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}

function failure(facts: Pick<Failure, "code" | "what"> & Partial<Failure>): Failure {
  return {
    ok: false,
    retry: false,
    overload: false,
    status: null,
    requestId: null,
    retryAfterMs: null,
    body: null,
    problem: null,
    ...facts,
  };
}
