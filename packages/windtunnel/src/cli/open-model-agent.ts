/** Opens an endpoint and the agent that talks to it; apart from pick-agent.ts so that other agents do not load an HTTP client. */
import { UsageError } from "../core/fault.js";
import { chatAgent } from "../model/chat-agent.js";
import { openChatEndpoint } from "../model/chat-endpoint.js";
import { ModelError } from "../model/model-error.js";
import type { ModelOptions } from "./model-options.js";
import type { PickedAgent } from "./pick-agent.js";

export function openModelAgent(options: ModelOptions): PickedAgent {
  const { model, baseUrl, apiKey, temperature, maxTokens, price, concurrency } = options;
  const { hostname } = new URL(baseUrl);
  try {
    const endpoint = openChatEndpoint({
      baseUrl,
      model,
      concurrency,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(price === undefined ? {} : { pricing: price }),
      // OpenAI's newer models refuse the old field; other servers know nothing else.
      ...(hostname === "api.openai.com" ? { maxTokensField: "max_completion_tokens" } : {}),
    });
    const agent = chatAgent({
      endpoint,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
    });
    return {
      label: "model",
      name: agent.name,
      version: agent.version,
      agentFor: () => agent,
      endpoint: baseUrl,
      ...(isThisMachine(hostname) ? {} : { remote: new URL(baseUrl).origin }),
      close: () => endpoint.close(),
    };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new UsageError({
      code: error.code,
      what: "The model cannot be used as given",
      ...(error.path === null ? {} : { path: error.path }),
      ...(error.expected === null ? {} : { expected: error.expected }),
      ...(error.actual === null ? {} : { actual: error.actual }),
    });
  }
}

export const isThisMachine = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
