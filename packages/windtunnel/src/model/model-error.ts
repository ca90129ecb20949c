/**
 * ModelError: the one class that this folder's endpoint throws, and the reading of a refusal into a code.
 * Does not promise that a code is the endpoint's own word; `status` and `body` are.
 */

export type ModelErrorCode =
  | "model_auth"
  | "model_bad_request"
  | "model_context_overflow"
  | "model_rate_limited"
  | "model_unavailable"
  | "model_timeout"
  | "model_malformed_response"
  | "model_cancelled";

export interface ModelErrorFacts {
  readonly code: ModelErrorCode;
  /** What happened, one phrase, free of secrets. */
  readonly what: string;
  /** HTTP status of the last attempt, null when no answer came. */
  readonly status?: number | null;
  /** Requests sent, 0 when none was. */
  readonly attempts?: number;
  /** Time in the queue, in backoff and in attempts that were retried, ms. */
  readonly waitedMs?: number;
  readonly requestId?: string | null;
  /** Start of the answer's body, secrets masked. */
  readonly body?: string | null;
  /** Where the input or the answer was not as it must be. */
  readonly path?: string | null;
  readonly expected?: string | null;
  readonly actual?: string | null;
}

/** A completion that did not come about. `code` says whose move it is; every text in it has its secrets masked. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  readonly status: number | null;
  readonly attempts: number;
  readonly waitedMs: number;
  readonly requestId: string | null;
  readonly body: string | null;
  readonly path: string | null;
  readonly expected: string | null;
  readonly actual: string | null;

  constructor(facts: ModelErrorFacts) {
    super(toSentence(facts));
    this.code = facts.code;
    this.status = facts.status ?? null;
    this.attempts = facts.attempts ?? 0;
    this.waitedMs = facts.waitedMs ?? 0;
    this.requestId = facts.requestId ?? null;
    this.body = facts.body ?? null;
    this.path = facts.path ?? null;
    this.expected = facts.expected ?? null;
    this.actual = facts.actual ?? null;
  }
}

function toSentence({ code, what, attempts = 0, requestId, body, path, expected, actual }: ModelErrorFacts): string {
  const where = path == null ? "" : ` at ${path}`;
  const contrast = expected == null ? "" : `: expected ${expected}${actual == null ? "" : `, found ${actual}`}`;
  const tries = attempts > 1 ? ` after ${attempts} attempts` : "";
  const id = requestId == null ? "" : ` [request ${requestId}]`;
  return `${code}: ${what}${where}${contrast}${tries}${id}${body == null || body === "" ? "" : `. Answer: ${body}`}`;
}

/** How to take an HTTP answer that is not a success. */
export interface Refusal {
  readonly code: ModelErrorCode;
  readonly retry: boolean;
  /** The endpoint says that it has too much to do: a reason to send less. */
  readonly overload: boolean;
}

const OVERFLOW =
  /context[ _-]?(length|window|size)|maximum context|max_model_len|maximum model length|(prompt|input|request) is too long|input token count .{0,40}exceeds|inputs?`? tokens? \+|too many (input |prompt )?tokens/i;

/** Reads a status and body into a code. Retried: 408, 409, 429 and 5xx, except an exhausted quota and a prompt that does not fit, which no wait mends. */
export function parseRefusal(status: number, body: string): Refusal {
  if (status === 401 || status === 403) return { code: "model_auth", retry: false, overload: false };
  if (status === 429) {
    return { code: "model_rate_limited", retry: !body.includes("insufficient_quota"), overload: true };
  }
  if (status === 408) return { code: "model_timeout", retry: true, overload: true };
  if (OVERFLOW.test(body) && status !== 503) return { code: "model_context_overflow", retry: false, overload: false };
  if (status === 409) return { code: "model_unavailable", retry: true, overload: false };
  if (status >= 500) return { code: "model_unavailable", retry: true, overload: status === 503 || status === 529 };
  return { code: "model_bad_request", retry: false, overload: false };
}
