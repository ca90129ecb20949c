/** What a caller may ask of a chat endpoint, its checks, and the body that is sent. Holds no credential. */
import { type ChatMessage, type ToolChoice, type ToolDefinition, toWireMessages } from "./chat-message.js";
import { ModelError } from "./model-error.js";

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolDefinition[];
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
  /** Sent only together with tools. */
  readonly toolChoice?: ToolChoice;
  /** Fields of the endpoint's own (`return_token_ids`, `logprobs`, ...), sent as they are. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /** Ends the request at once wherever it is: in the queue, in backoff or on the wire. */
  readonly signal?: AbortSignal;
}

export interface RequestDefaults {
  readonly model: string;
  /** Newer OpenAI models refuse `max_tokens`; older servers know nothing else. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  readonly extraBody: Readonly<Record<string, unknown>>;
}

/** The JSON body of a request. `messages` and `tools` hold what the model reads; key order is kept, since it is part of what it reads. */
export type ChatRequestBody = Readonly<Record<string, unknown>>;

const OWN_FIELDS = [
  "model",
  "messages",
  "tools",
  "tool_choice",
  "temperature",
  "top_p",
  "max_tokens",
  "seed",
  "stream",
  "n",
];
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Builds the body. An empty tool list is left out. Throws ModelError `model_bad_request` with the path of what cannot be sent. */
export function toRequestBody(request: ChatRequest, defaults: RequestDefaults): ChatRequestBody {
  const { messages, tools = [], toolChoice } = request;
  if (messages.length === 0) throw badRequest("messages", "at least one message", "none");
  checkTools(tools);
  checkExtraBody(request.extraBody ?? {}, "extraBody");
  return {
    ...defaults.extraBody,
    ...request.extraBody,
    model: defaults.model,
    messages: toWireMessages(messages),
    ...(tools.length > 0 ? { tools } : {}),
    ...(tools.length > 0 && toolChoice !== undefined ? { tool_choice: toWireChoice(toolChoice, tools) } : {}),
    ...numberField("temperature", request.temperature, "temperature"),
    ...numberField("topP", request.topP, "top_p"),
    ...numberField("maxTokens", request.maxTokens, defaults.maxTokensField),
    ...numberField("seed", request.seed, "seed"),
  };
}

/** Throws when extra fields would overwrite those that have their own option, or change how the answer must be read. */
export function checkExtraBody(extra: Readonly<Record<string, unknown>>, path: string): void {
  for (const field of OWN_FIELDS) {
    if (field in extra)
      throw badRequest(`${path}.${field}`, "only fields without an option of their own", `"${field}"`);
  }
}

export function badRequest(path: string, expected: string, actual: string): ModelError {
  return new ModelError({ code: "model_bad_request", what: "cannot be sent", path, expected, actual });
}

function checkTools(tools: readonly ToolDefinition[]): void {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const { name } = tool.function;
    const path = `tools[${index}].function.name`;
    if (!TOOL_NAME.test(name)) throw badRequest(path, "1 to 64 letters, digits, _ or -", JSON.stringify(name));
    if (names.has(name)) throw badRequest(path, "a name no other tool has", JSON.stringify(name));
    names.add(name);
  }
}

function toWireChoice(choice: ToolChoice, tools: readonly ToolDefinition[]): unknown {
  if (typeof choice === "string") return choice;
  if (!tools.some((tool) => tool.function.name === choice.name)) {
    throw badRequest("toolChoice.name", "the name of a given tool", JSON.stringify(choice.name));
  }
  return { type: "function", function: { name: choice.name } };
}

function numberField(path: string, value: number | undefined, field: string): Record<string, number> {
  if (value === undefined) return {};
  if (!Number.isFinite(value)) throw badRequest(path, "a finite number", String(value));
  return { [field]: value };
}
