/**
 * A model behind a chat endpoint, as an agent. Owns the conversation of one episode: tools as functions, results as JSON text, every turn
 * sent back as it was received. Adds no prompt of its own. A model that fails is a fault of the model, never an action; a model whose
 * turns no longer fit is an agent that has stopped, and is scored as one.
 */
import { type Act, type Agent, defineAgent } from "../core/agent.js";
import { Fault } from "../core/fault.js";
import { digestOf } from "../core/hash.js";
import type { Action, Message, Usage } from "../core/message.js";
import type { ToolSpec } from "../core/tool.js";
import type { ChatCompletion, ChatEndpoint } from "./chat-endpoint.js";
import type { AssistantMessage, ChatMessage, ToolDefinition } from "./chat-message.js";
import { ModelError } from "./model-error.js";

export interface ChatAgentOptions {
  /** Shared by all episodes; the caller closes it. */
  readonly endpoint: ChatEndpoint;
  /** Left to the endpoint when absent. */
  readonly temperature?: number;
  /** Tokens of one turn. Left to the endpoint when absent. */
  readonly maxTokens?: number;
}

/** A turn of words alone that was cut off is asked to go on this many times: what was cut may have been about to act. */
const CONTINUATIONS = 2;
const GO_ON = "Your answer was cut off by the limit on its length. Go on.";
const CUT_OFF = "(cut off: the answer exceeded the limit on its length)";
const DOES_NOT_FIT = "(stopped: the conversation no longer fits the model's context)";

/** An agent for `endpoint.model`. Its version changes with anything that decides what is asked of the model. */
export function chatAgent(options: ChatAgentOptions): Agent {
  const { endpoint, temperature, maxTokens } = options;
  const sampling = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
  // The body of a probe holds all that is sent with every request, and no credential.
  const asked = endpoint.toBody({ messages: [{ role: "user", content: "" }], ...sampling });
  return defineAgent({
    name: endpoint.model,
    version: `chat-1-${digestOf(asked).slice(0, 12)}`,
    open({ tools, signal }): Act {
      const definitions = tools.map(toDefinition);
      const conversation: ChatMessage[] = [];
      const ask = () =>
        endpoint.complete({
          messages: conversation,
          tools: definitions,
          ...sampling,
          ...(signal === undefined ? {} : { signal }),
        });
      return async ({ messages }) => {
        conversation.push(...messages.map(toChatMessage));
        return takeTurn(conversation, ask);
      };
    },
  });
}

async function takeTurn(conversation: ChatMessage[], ask: () => Promise<ChatCompletion>): Promise<Action> {
  let usage: Usage = {};
  let said = "";
  for (let tries = 0; ; tries++) {
    let completion: ChatCompletion;
    try {
      completion = await ask();
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (error.code === "model_context_overflow")
        return { text: joined(said, DOES_NOT_FIT), usage: plus(usage, { waitedMs: error.waitedMs }) };
      throw new Fault("model", error.code, error.message, { cause: error });
    }
    usage = plus(usage, usageOf(completion));
    const { message, toolCalls, finishReason } = completion;
    conversation.push(toHistory(message));
    said = joined(said, message.content ?? completion.refusal ?? "");
    if (toolCalls.length > 0) {
      const calls = toolCalls.map((call) => ({ id: call.id, tool: call.name, arguments: call.arguments }));
      return { ...(said === "" ? {} : { text: said }), calls, usage };
    }
    if (finishReason !== "length") return { text: said, usage };
    if (tries === CONTINUATIONS) return { text: joined(said, CUT_OFF), usage };
    conversation.push({ role: "user", content: GO_ON });
  }
}

const definitionCache = new WeakMap<ToolSpec, ToolDefinition>();

function toDefinition(tool: ToolSpec): ToolDefinition {
  let definition = definitionCache.get(tool);
  if (definition === undefined) {
    const parameters = plainSchema(tool.inputSchema) as Record<string, unknown>;
    definition = { type: "function", function: { name: tool.name, description: tool.description, parameters } };
    definitionCache.set(tool, definition);
  }
  return definition;
}

/** Without the dialect and the `x-` marks that only machinery reads: some endpoints refuse keywords they do not know. */
function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => key !== "$schema" && !key.startsWith("x-"));
  return Object.fromEntries(kept.map(([key, value]) => [key, plainSchema(value)]));
}

function toChatMessage(message: Message): ChatMessage {
  if (message.role !== "tool") return { role: message.role, content: message.text };
  const content = JSON.stringify(message.ok ? message.value : { error: message.value }) ?? "null";
  return { role: "tool", tool_call_id: message.call, content };
}

/** As received, but for arguments that are not JSON: many servers parse the history and refuse all later turns because of one. */
function toHistory(message: AssistantMessage): AssistantMessage {
  if (message.tool_calls === undefined) return message;
  const tool_calls = message.tool_calls.map((call) =>
    isJson(call.function.arguments)
      ? call
      : { ...call, function: { ...call.function, arguments: JSON.stringify({ not_json: call.function.arguments }) } },
  );
  return { ...message, tool_calls };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text === "" ? "{}" : text);
    return true;
  } catch {
    return false;
  }
}

function usageOf({ usage, costUsd, waitedMs }: ChatCompletion): Usage {
  return {
    ...(usage === null ? {} : { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
    ...(costUsd === null ? {} : { costUsd }),
    waitedMs,
  };
}

/** Unknown stays unknown: a sum of what was told, absent when nothing was. */
function plus(a: Usage, b: Usage): Usage {
  const total: Record<string, number> = {};
  for (const key of ["inputTokens", "outputTokens", "costUsd", "waitedMs"] as const) {
    if (a[key] !== undefined || b[key] !== undefined) total[key] = (a[key] ?? 0) + (b[key] ?? 0);
  }
  return total;
}

const joined = (a: string, b: string) => (a === "" ? b : b === "" ? a : `${a}\n${b}`);
