/**
 * The chat-completions wire: messages and tools out, one completion in. Owns what is sent and how an answer is read.
 * A tool call's arguments are the text that the model wrote, broken or not; whoever runs the tool judges it.
 * Does not promise to know an endpoint's extra fields: those stay in the answer, which callers keep whole.
 */

export interface SystemMessage {
  readonly role: "system";
  readonly content: string;
}

export interface UserMessage {
  readonly role: "user";
  /** Text, or content parts (images and the like) in the endpoint's own form. */
  readonly content: string | readonly Readonly<Record<string, unknown>>[];
}

export interface WireToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string | null;
  readonly tool_calls?: readonly WireToolCall[];
  /** Sent back only to endpoints whose chat template wants earlier reasoning. */
  readonly reasoning_content?: string;
}

export interface ToolMessage {
  readonly role: "tool";
  readonly tool_call_id: string;
  readonly content: string;
}

export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A function tool. `parameters` is a JSON Schema whose root is an object. */
export interface ToolDefinition {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly strict?: boolean;
  };
}

export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

/** One call that the model asked for. `arguments` is its raw text. */
export interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Tokens by the endpoint's own count. `inputTokens` includes the cached ones, `outputTokens` the reasoning; null is "not told". */
export interface ChatUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number | null;
  readonly outputTokens: number;
  readonly reasoningTokens: number | null;
}

/** What one answer says. */
export interface ChatAnswer {
  /** Ready to be appended to the conversation. */
  readonly message: AssistantMessage;
  readonly toolCalls: readonly ChatToolCall[];
  /** The endpoint's own word: "stop", "length", "tool_calls", "content_filter", or another. */
  readonly finishReason: string | null;
  readonly reasoning: string | null;
  readonly refusal: string | null;
  readonly usage: ChatUsage | null;
  /** What the endpoint itself says the answer cost (`usage.cost`), USD. */
  readonly reportedCostUsd: number | null;
}

export interface ChatProblem {
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

export type ChatReading =
  | { readonly ok: true; readonly answer: ChatAnswer }
  | { readonly ok: false; readonly problem: ChatProblem };

/** The messages as endpoints accept them: no empty `tool_calls`, and no null content without calls. Other messages go out as they are. */
export function toWireMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.map((message) => {
    if (message.role !== "assistant" || (message.tool_calls?.length ?? 0) > 0) return message;
    if (message.content !== null && message.tool_calls === undefined) return message;
    const { tool_calls: _none, content, ...rest } = message;
    return { ...rest, content: content ?? "" };
  });
}

/**
 * Reads a parsed chat.completion body. Tolerated: absent or null content, calls and usage; content in text parts; calls without an id, or
 * with one that came before (`turn`, the length of the conversation so far, then names it). Not tolerated: no message, or a call without a name.
 */
export function parseChatAnswer(body: unknown, turn: number): ChatReading {
  if (!isRecord(body)) return problem("$", "an object", body);
  const choice = Array.isArray(body.choices) ? (body.choices[0] as unknown) : undefined;
  if (!isRecord(choice)) return problem("choices[0]", "an object", choice ?? body.choices);
  const { message } = choice;
  if (!isRecord(message)) return problem("choices[0].message", "an object", message);
  const content = textOf(message.content);
  if (content === undefined) return problem("choices[0].message.content", "text, text parts or null", message.content);
  const calls = message.tool_calls ?? [];
  if (!Array.isArray(calls)) return problem("choices[0].message.tool_calls", "a list or null", calls);
  const toolCalls: ChatToolCall[] = [];
  for (const [index, call] of (calls as unknown[]).entries()) {
    const path = `choices[0].message.tool_calls[${index}].function`;
    const wanted = isRecord(call) ? call.function : undefined;
    if (!isRecord(wanted)) return problem(path, "an object", wanted);
    if (typeof wanted.name !== "string") return problem(`${path}.name`, "a string", wanted.name);
    const given = isRecord(call) ? call.id : undefined;
    const fresh = typeof given === "string" && given !== "" && toolCalls.every((earlier) => earlier.id !== given);
    const id = fresh ? given : `call_${turn}_${index}`;
    toolCalls.push({ id, name: wanted.name, arguments: argumentText(wanted.arguments) });
  }
  const usage = isRecord(body.usage) ? body.usage : {};
  const answer: ChatAnswer = {
    message: {
      role: "assistant",
      content,
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls.map(toWireToolCall) } : {}),
    },
    toolCalls,
    finishReason: textOrNull(choice.finish_reason),
    reasoning: textOrNull(message.reasoning_content) ?? textOrNull(message.reasoning),
    refusal: textOrNull(message.refusal),
    usage: parseUsage(usage),
    reportedCostUsd: typeof usage.cost === "number" && usage.cost >= 0 ? usage.cost : null,
  };
  return { ok: true, answer };
}

function toWireToolCall({ id, name, arguments: text }: ChatToolCall): WireToolCall {
  return { id, type: "function", function: { name, arguments: text } };
}

/** Some servers send arguments that they have parsed already; only then is there no text of the model's to keep. */
function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

function textOf(content: unknown): string | null | undefined {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return null;
  if (!Array.isArray(content)) return undefined;
  let text = "";
  for (const part of content as unknown[]) {
    if (isRecord(part) && typeof part.text === "string") text += part.text;
  }
  return text;
}

function parseUsage(usage: Record<string, unknown>): ChatUsage | null {
  const inputTokens = countOf(usage.prompt_tokens);
  const outputTokens = countOf(usage.completion_tokens);
  if (inputTokens === null || outputTokens === null) return null;
  const input = isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const output = isRecord(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  return {
    inputTokens,
    cachedInputTokens: countOf(input.cached_tokens) ?? countOf(usage.prompt_cache_hit_tokens),
    outputTokens,
    reasoningTokens: countOf(output.reasoning_tokens),
  };
}

/** Whole counts only; proxies that turn 64-bit integers into text are understood. */
function countOf(value: unknown): number | null {
  const count = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

const textOrNull = (value: unknown) => (typeof value === "string" ? value : null);

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function problem(path: string, expected: string, value: unknown): ChatReading {
  const actual =
    value === undefined ? "nothing" : value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
  return { ok: false, problem: { path, expected, actual } };
}
