/** Where an endpoint is and what opens it: checks options, builds the URL and headers, and lists which of their values are credentials. */
import type { ChatEndpointOptions } from "./chat-endpoint.js";
import { ModelError } from "./model-error.js";
import { isCredentialName } from "./redact-secrets.js";

/** The longest delay that timers can hold, ms. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Throws ModelError `model_bad_request` naming the option, what was expected and what was found; a credential is never shown. */
export function checkOptions(options: ChatEndpointOptions): void {
  const { model, timeoutMs, maxRetries, concurrency, pricing } = options;
  if (typeof model !== "string" || model === "") throw badOption("model", "a model name", "none");
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS)) {
    throw badOption("timeoutMs", `over 0 and at most ${LONGEST_TIMEOUT_MS}`, String(timeoutMs));
  }
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0)) {
    throw badOption("maxRetries", "a whole number from 0", String(maxRetries));
  }
  if (concurrency !== undefined && concurrency !== "auto" && !(Number.isInteger(concurrency) && concurrency > 0)) {
    throw badOption("concurrency", '"auto" or a whole number from 1', String(concurrency));
  }
  for (const [name, price] of Object.entries(pricing ?? {})) {
    if (price !== undefined && !(Number.isFinite(price) && price >= 0)) {
      throw badOption(`pricing.${name}`, "USD per million tokens, from 0", String(price));
    }
  }
}

/** The URL that completions are posted to: `baseUrl` with `/chat/completions` added unless it is there, and its query kept. */
export function toCompletionsUrl(baseUrl: string): URL {
  const expected = "an http or https URL such as http://127.0.0.1:8000/v1";
  if (!URL.canParse(baseUrl)) throw badOption("baseUrl", expected, "something that is not a URL");
  const url = new URL(baseUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw badOption("baseUrl", expected, url.protocol);
  if (url.username !== "" || url.password !== "") {
    throw badOption("baseUrl", "no user or password (use apiKey or headers)", "one");
  }
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith("/chat/completions") ? path : `${path}/chat/completions`;
  url.hash = "";
  return url;
}

/** Headers of every request, names in lower case; the caller's win. */
export function toHeaders({ apiKey, headers }: ChatEndpointOptions): Readonly<Record<string, string>> {
  const all: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": "windtunnel",
  };
  if (apiKey !== undefined && apiKey !== "") {
    checkHeaderText("apiKey", apiKey);
    all.authorization = `Bearer ${apiKey}`;
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    checkHeaderText(`headers.${name}`, value);
    all[name.toLowerCase()] = value;
  }
  return all;
}

/** Every credential that the URL and headers carry, frozen: by its name, or given by the caller as one. */
export function toSecrets(
  url: URL,
  headers: Readonly<Record<string, string>>,
  given: readonly string[],
): readonly string[] {
  const secrets = new Set(given);
  for (const [name, value] of url.searchParams) if (isCredentialName(name)) secrets.add(value);
  for (const [name, value] of Object.entries(headers)) {
    if (isCredentialName(name)) secrets.add(value).add(value.replace(/^(bearer|basic|token|api-?key)\s+/i, ""));
  }
  return Object.freeze([...secrets]);
}

function checkHeaderText(path: string, value: string): void {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code >= 32 && code !== 127 && code <= 255) continue;
    throw badOption(path, "text that a header can hold", `a line break or other such character at position ${at}`);
  }
}

function badOption(path: string, expected: string, actual: string): ModelError {
  return new ModelError({ code: "model_bad_request", what: "the endpoint cannot be opened", path, expected, actual });
}
