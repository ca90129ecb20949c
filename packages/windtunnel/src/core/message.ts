/**
 * Messages, actions and observations: what passes between an agent and an episode. Nothing here carries grader facts.
 */

export type Message =
  | { readonly role: "system" | "user"; readonly text: string }
  | {
      readonly role: "tool";
      /** The id of the call this answers. */
      readonly call: string;
      readonly tool: string;
      readonly ok: boolean;
      /** Frozen. Models read it as JSON text. */
      readonly value: unknown;
    };

export interface ToolCall {
  /** The agent's own id for the call; numbered by the episode when absent. */
  readonly id?: string;
  readonly tool: string;
  /** An object, or the raw text a model wrote. */
  readonly arguments: unknown;
}

/** What an agent's model reported for one action, from the endpoint's own numbers. Unknown stays absent. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: number;
  /** Time the agent spent waiting for a provider (queue, backoff), ms: excluded from working time. */
  readonly waitedMs?: number;
}

/** One turn of the agent: something said, some calls, or both. No calls means the turn is over to the user; without a user, the agent has stopped. */
export interface Action {
  readonly text?: string;
  readonly calls?: readonly ToolCall[];
  readonly usage?: Usage;
}

/** What is new since the agent's last action. */
export interface Observation {
  readonly messages: readonly Message[];
}

export type Awaitable<T> = T | Promise<T>;
