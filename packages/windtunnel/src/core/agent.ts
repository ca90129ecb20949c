/**
 * Agent: chooses the next action from what it has seen. A script, a language model, a learned policy, a person or a replay are all this.
 * An agent is opened once per episode; what it keeps between actions lives in the function it returns.
 */
import type { Action, Awaitable, Observation } from "./message.js";
import type { Random } from "./random.js";
import type { GradedTask, Task } from "./task.js";
import type { ToolSpec } from "./tool.js";

/** What an agent may know of its task. Archetype, family and seed stay with the grader: they come close to the answer. */
export type AgentTask = Pick<Task, "id" | "environment" | "prompt" | "limits">;

/** All an agent may know before its first action. */
export interface AgentContext {
  readonly task: AgentTask;
  readonly instructions: string;
  readonly tools: readonly ToolSpec[];
  /** Seeded per (run, task, attempt). */
  readonly random: Random;
  readonly signal?: AbortSignal;
}

export type Act = (observation: Observation) => Awaitable<Action>;

export interface Agent {
  readonly name: string;
  /** Changes when the agent's behaviour does; part of provenance. */
  readonly version: string;
  open(context: AgentContext): Act;
}

/** Defines an agent. `version` defaults to "1". */
export function defineAgent(agent: { name: string; version?: string; open(context: AgentContext): Act }): Agent {
  return { ...agent, version: agent.version ?? "1", open: (context) => agent.open(context) };
}

/** A solver that plans from grader facts: proof that a task can be done, never an agent under test. */
export type ReferenceSolution<F> = (graded: GradedTask<F>, context: AgentContext) => Act;

/** An agent that plays a fixed list of actions, then stops. */
export function scriptedAgent(name: string, actions: readonly Action[]): Agent {
  return defineAgent({
    name,
    open() {
      let next = 0;
      return () => actions[next++] ?? {};
    },
  });
}
