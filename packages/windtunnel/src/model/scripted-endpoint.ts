/**
 * An OpenAI-compatible chat server that answers from a script, for tests of agents without a model. A real HTTP server on the loopback
 * interface: time-outs, resets and bad answers are as they are on a network. Does not stream, does not check keys.
 */
import { setMaxListeners } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleepFor } from "node:timers/promises";

/** One answer. Without `status`, `body` or `rawBody`: a completion made of the text and calls given. */
export interface ScriptedReply {
  readonly text?: string;
  /** `arguments` goes out as given; only an object is made JSON text. */
  readonly toolCalls?: readonly { readonly id?: string; readonly name: string; readonly arguments: unknown }[];
  readonly finishReason?: string;
  /** The wire's usage object (`prompt_tokens`, ...); none is sent when absent. */
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON in place of a completion. */
  readonly body?: unknown;
  /** Sent as it is, JSON or not. */
  readonly rawBody?: string;
  /** Wait before the first byte, ms. */
  readonly delayMs?: number;
  /** Wait between the headers and the body, ms. */
  readonly bodyDelayMs?: number;
  /** Cuts the connection without an answer. */
  readonly hangUp?: boolean;
}

export interface ScriptedRequest {
  /** 0 for the first request the server got. */
  readonly index: number;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers in order of arrival, or a function that may hold an answer back. */
export type Script = readonly ScriptedReply[] | ((request: ScriptedRequest) => ScriptedReply | Promise<ScriptedReply>);

export interface ScriptedEndpoint {
  /** What to give as `baseUrl`. */
  readonly baseUrl: string;
  readonly requests: readonly ScriptedRequest[];
  inFlight(): number;
  maxInFlight(): number;
  close(): Promise<void>;
}

/**
 * Starts a scripted endpoint on a free port of 127.0.0.1. A request past the end of a listed script gets status 400, which no client retries.
 *
 * @example
 * const server = await openScriptedEndpoint([{ toolCalls: [{ name: "get_claim", arguments: { id: "C1" } }] }, { text: "Done." }]);
 * const endpoint = openChatEndpoint({ baseUrl: server.baseUrl, model: "scripted" });
 */
export async function openScriptedEndpoint(script: Script): Promise<ScriptedEndpoint> {
  const requests: ScriptedRequest[] = [];
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  let inFlight = 0;
  let maxInFlight = 0;

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(incoming);
    const path = incoming.url ?? "/";
    const request = { index: requests.length, path, headers: incoming.headers, text, body: parsed(text) };
    requests.push(request);
    const reply = new URL(path, "http://scripted").pathname.endsWith("/chat/completions")
      ? await replyTo(request)
      : refusal(404, `no such path: ${path}`);
    if (reply.delayMs !== undefined) await sleepFor(reply.delayMs, undefined, { signal: closing.signal });
    if (reply.hangUp) return void incoming.socket.destroy();
    response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
    if (reply.bodyDelayMs !== undefined) {
      response.flushHeaders();
      await sleepFor(reply.bodyDelayMs, undefined, { signal: closing.signal });
    }
    response.end(reply.rawBody ?? JSON.stringify(reply.body ?? toCompletionBody(reply, request)));
  }

  async function replyTo(request: ScriptedRequest): Promise<ScriptedReply> {
    if (typeof script === "function") return script(request);
    const due = script[request.index];
    return due ?? refusal(400, `the script has ${script.length} replies; request ${request.index + 1} has none`);
  }

  const server = createServer((incoming, response) => {
    inFlight++;
    maxInFlight = Math.max(maxInFlight, inFlight);
    response.once("close", () => {
      inFlight--;
    });
    answer(incoming, response).catch((error: unknown) => {
      if (response.headersSent || closing.signal.aborted) return void response.destroy();
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify(refusal(500, `the script threw: ${String(error)}`).body));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    inFlight: () => inFlight,
    maxInFlight: () => maxInFlight,
    close() {
      closing.abort();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function toCompletionBody(reply: ScriptedReply, request: ScriptedRequest): unknown {
  const calls = reply.toolCalls ?? [];
  const message = {
    role: "assistant",
    content: reply.text ?? null,
    ...(calls.length > 0
      ? { tool_calls: calls.map((call, index) => toWireCall(call, `call_${request.index}_${index}`)) }
      : {}),
  };
  const finishReason = reply.finishReason ?? (calls.length > 0 ? "tool_calls" : "stop");
  return {
    id: `chatcmpl-${request.index}`,
    object: "chat.completion",
    created: 0,
    model: request.body.model ?? "scripted",
    choices: [{ index: 0, message, finish_reason: finishReason }],
    ...(reply.usage === undefined ? {} : { usage: reply.usage }),
  };
}

function toWireCall(call: NonNullable<ScriptedReply["toolCalls"]>[number], id: string): unknown {
  const text = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments ?? {});
  return { id: call.id ?? id, type: "function", function: { name: call.name, arguments: text } };
}

function refusal(status: number, message: string): ScriptedReply {
  return { status, body: { error: { message, type: "scripted_endpoint" } } };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
