/**
 * Episode: one live, single-use run of one task. Open, step until it has ended, close; there is no reset.
 * It owns the trace. It does not score: see rollout.ts.
 */
import type { AgentContext } from "./agent.js";
import type { Environment, Scenario } from "./environment.js";
import { type Fault, toFault, withBoundary } from "./fault.js";
import { deepFreeze, frozenCopy } from "./freeze.js";
import type { Action, Awaitable, Message, Observation, ToolCall, Usage } from "./message.js";
import { Random } from "./random.js";
import { drawFault, type InjectedFault } from "./system.js";
import type { Task } from "./task.js";
import { parseArguments, refused, runHandler, type Tool, type ToolReply } from "./tool.js";
import { type EndReason, TRACE_VERSION, type TraceEvent, toRowChange } from "./trace.js";
import type { Reply } from "./user.js";
import type { Tables, World } from "./world.js";

export interface StepResult {
  readonly observation: Observation;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly info: { readonly turn: number; readonly toolCalls: number; readonly reason?: EndReason };
}

export interface EpisodeOptions {
  /** Names this attempt's random stream. */
  readonly attemptSeed: string;
  /** A monotonic clock in ms, for wall and working time limits; without one they are not enforced. */
  readonly elapsedMs?: () => number;
  readonly signal?: AbortSignal;
}

const NOTHING: readonly never[] = Object.freeze([]);
const NO_FAULT = Object.freeze({});

const TIMEOUT = "no answer within the time limit; the request may or may not have been processed";

export class Episode<T extends Tables = Tables, F = unknown> {
  readonly task: Task;
  readonly environment: Environment<T, F>;
  /** What the agent may know before its first action. */
  readonly agentContext: AgentContext;
  /** The opening messages: instructions, then the task. */
  readonly opening: Observation;
  readonly #scenario: Scenario<T, F>;
  readonly #world: World<T>;
  readonly #view: World<T>;
  readonly #events: TraceEvent[] = [];
  readonly #options: EpisodeOptions;
  readonly #startedMs: number;
  readonly #callTimes = new Map<string, number[]>();
  #reply: Reply | undefined;
  #stale: World<T> | undefined;
  #turn = 0;
  #calls = 0;
  #tokens = 0;
  #costUsd = 0;
  #waitedMs = 0;
  #end: EndReason | undefined;
  #finishing = false;
  /** Did the last call whose answer was lost take effect? */
  #applied = false;

  constructor(environment: Environment<T, F>, scenario: Scenario<T, F>, options: EpisodeOptions) {
    this.environment = environment;
    this.task = scenario.task;
    this.#scenario = scenario;
    this.#options = options;
    this.#world = scenario.world.fork();
    this.#view = this.#world.visible();
    this.#startedMs = options.elapsedMs?.() ?? 0;
    const instructions = environment.instructions(scenario.task);
    const { id, environment: name, prompt, limits } = scenario.task;
    this.agentContext = {
      task: Object.freeze({ id, environment: name, prompt, limits }),
      instructions,
      tools: environment.toolSpecs,
      random: new Random(`${options.attemptSeed}/agent`),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    };
    this.#push({ type: "start", version: TRACE_VERSION, task: scenario.task.id, state: this.#world.hash() });
    this.#push({ type: "message", turn: 0, role: "system", text: instructions });
    this.#push({ type: "message", turn: 0, role: "user", text: scenario.task.prompt });
    this.opening = {
      messages: [
        { role: "system", text: instructions },
        { role: "user", text: scenario.task.prompt },
      ],
    };
  }

  get events(): readonly TraceEvent[] {
    return this.#events;
  }

  get ended(): EndReason | undefined {
    return this.#end;
  }

  /** The live world, sealed tables included: for scoring and outcome, never for an agent. */
  get world(): World<T> {
    return this.#world;
  }

  get usage(): { tokens: number; costUsd: number; waitedMs: number; turns: number; toolCalls: number } {
    return {
      tokens: this.#tokens,
      costUsd: this.#costUsd,
      waitedMs: this.#waitedMs,
      turns: this.#turn,
      toolCalls: this.#calls,
    };
  }

  /**
   * Takes one turn. Synchronous unless the simulated user is not. Throws when the episode has ended, and a Fault when a boundary broke.
   */
  step(action: Action): Awaitable<StepResult> {
    if (this.#end !== undefined) throw new Error(`this episode has ended (${this.#end}); open another`);
    this.#turn++;
    if (action.usage !== undefined) this.#charge(action.usage);
    if (action.text !== undefined && action.text !== "") {
      const { length: seq } = this.#events;
      this.#events.push(
        Object.freeze({
          seq,
          at: this.#world.now,
          type: "message",
          turn: this.#turn,
          role: "assistant",
          text: action.text,
        }),
      );
    }
    const calls = action.calls ?? NOTHING;
    const messages: Message[] = [];
    for (const call of calls) {
      if (this.#calls >= this.task.limits.toolCalls)
        return this.#close(this.#solved() ? "solved" : "tool_call_limit", messages);
      messages.push(this.#run(call));
      if (this.#finishing) return this.#close("finished", messages);
    }
    if (this.#solved()) return this.#close("solved", messages);
    if (calls.length > 0) return this.#afterTurn(messages);
    const { user } = this.environment;
    if (user === undefined) return this.#close("agent_stopped", messages);
    const reply = withBoundary("user", "user_threw", () => {
      this.#reply ??= user.open({ task: this.task, random: new Random(`${this.#options.attemptSeed}/user`) });
      return this.#reply(action.text ?? "");
    });
    if (reply instanceof Promise) {
      return reply.then(
        (text) => this.#hear(text),
        (cause) => {
          throw toFault("user", "user_threw", cause);
        },
      );
    }
    return this.#hear(reply);
  }

  /** Ends the episode from outside: a limit the caller enforces, a cancellation, or a fault. No-op once ended. */
  stop(reason: EndReason): void {
    if (this.#end === undefined) this.#close(reason, []);
  }

  #hear(text: string | null): StepResult {
    if (text === null) return this.#close("agent_stopped", []);
    this.#push({ type: "message", turn: this.#turn, role: "user", text });
    return this.#afterTurn([{ role: "user", text }]);
  }

  #afterTurn(messages: readonly Message[]): StepResult {
    const reached = this.#limitReached();
    if (reached !== undefined) return this.#close(reached, messages);
    return {
      observation: { messages },
      terminated: false,
      truncated: false,
      info: { turn: this.#turn, toolCalls: this.#calls },
    };
  }

  #solved(): boolean {
    return this.environment.solved?.(this.#view) === true;
  }

  #limitReached(): EndReason | undefined {
    const { limits } = this.task;
    if (this.#turn >= limits.turns) return "turn_limit";
    if (limits.tokens !== undefined && this.#tokens >= limits.tokens) return "token_limit";
    if (limits.costUsd !== undefined && this.#costUsd >= limits.costUsd) return "cost_limit";
    if (this.#options.elapsedMs !== undefined && (limits.wallMs !== undefined || limits.workingMs !== undefined)) {
      const wall = this.#options.elapsedMs() - this.#startedMs;
      if (limits.wallMs !== undefined && wall >= limits.wallMs) return "wall_time_limit";
      if (limits.workingMs !== undefined && wall - this.#waitedMs >= limits.workingMs) return "working_time_limit";
    }
    return undefined;
  }

  #charge(usage: Usage): void {
    this.#tokens += (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
    this.#costUsd += usage.costUsd ?? 0;
    this.#waitedMs += usage.waitedMs ?? 0;
  }

  #run(call: ToolCall): Message {
    const number = this.#calls++;
    const id = call.id ?? `call-${number}`;
    const world = this.#world;
    const known = this.environment.tools.get(call.tool);
    const given = frozenArguments(call.arguments);
    let reply: ToolReply;
    let fault: InjectedFault | undefined;
    let broken: Fault | undefined;
    if (!given.ok) {
      reply = refused("invalid_arguments", `the arguments of ${call.tool} are not plain JSON: ${given.problem}`);
    } else if (known === undefined) {
      reply = refused(
        "unknown_tool",
        `there is no tool "${call.tool}"; the tools are: ${[...this.environment.tools.keys()].join(", ")}`,
      );
    } else {
      const tool = known.tool as unknown as Tool;
      const parsed = parseArguments(tool, given.value);
      if (!parsed.ok) {
        reply = parsed.reply;
      } else {
        const { system } = known;
        const recent = this.#recentCalls(system.name);
        fault = drawFault(system as never, tool, world as never, number, recent);
        recent.push(world.now);
        try {
          reply = this.#answer(tool, parsed.args, fault, system.title);
          if (reply.ok) deepFreeze(reply.value);
        } catch (cause) {
          broken = toFault("tool", `tool_threw:${tool.name}`, cause);
          reply = refused(broken.code, broken.message);
        }
        if (fault === "timeout_applied" && !this.#applied) fault = "timeout_lost";
      }
      if (broken === undefined) {
        try {
          world.advanceTo(world.now + tool.costMs);
        } catch (cause) {
          broken = toFault("world", "advance_threw", cause);
          reply = refused(broken.code, broken.message);
        }
      }
    }
    const { changes, fired } = world.takeChanges();
    const result = reply.ok ? reply.value : deepFreeze(reply.error);
    this.#events.push(
      Object.freeze({
        seq: this.#events.length,
        at: world.now,
        type: "call",
        turn: this.#turn,
        call: id,
        tool: call.tool,
        arguments: given.ok ? given.value : null,
        ok: reply.ok,
        result,
        ...(fault === undefined ? NO_FAULT : { fault }),
        changes: changes.length === 0 ? NOTHING : Object.freeze(changes.map(toRowChange)),
        state: world.hash(),
      }),
    );
    for (const event of fired) {
      this.#events.push(
        Object.freeze({
          type: "world",
          seq: this.#events.length,
          at: event.at,
          kind: event.kind,
          changes: Object.freeze(event.changes.map(toRowChange)),
        }),
      );
    }
    // The call that broke the episode is in the trace, with what it had changed by then: it can be seen, and done again.
    if (broken !== undefined) throw broken;
    return { role: "tool", call: id, tool: call.tool, ok: reply.ok, value: result };
  }

  #answer(tool: Tool, args: unknown, fault: InjectedFault | undefined, system: string): ToolReply {
    const context = {
      finish: () => {
        this.#finishing = true;
      },
    };
    const view = this.#view as unknown as World;
    if (fault === undefined) return runHandler(tool, view, args, context);
    if (fault === "stale_read") {
      this.#stale ??= this.#scenario.world.fork().visible();
      return runHandler(tool, this.#stale as unknown as World, args, context);
    }
    if (fault === "unavailable")
      return refused("unavailable", `${system} answered 503: it is down for the moment; nothing was done`);
    if (fault === "rate_limited")
      return refused("rate_limited", `${system} answered 429: too many requests; wait before trying again`);
    if (fault === "timeout_applied") this.#applied = runHandler(tool, view, args, context).ok;
    return refused("timeout", `${system}: ${TIMEOUT}`);
  }

  #recentCalls(system: string): number[] {
    let times = this.#callTimes.get(system);
    if (times === undefined) {
      times = [];
      this.#callTimes.set(system, times);
    }
    return times;
  }

  #close(reason: EndReason, messages: readonly Message[]): StepResult {
    this.#end = reason;
    const terminated = reason === "finished" || reason === "agent_stopped" || reason === "solved";
    const truncated = !terminated && reason !== "fault";
    this.#push({ type: "end", terminated, truncated, reason, state: this.#world.hash() });
    return {
      observation: { messages },
      terminated,
      truncated,
      info: { turn: this.#turn, toolCalls: this.#calls, reason },
    };
  }

  #push(event: DistributiveOmit<TraceEvent, "seq" | "at">): void {
    this.#events.push(Object.freeze({ seq: this.#events.length, at: this.#world.now, ...event } as TraceEvent));
  }
}

/** The agent keeps its own objects; the trace keeps a copy that nobody can change. */
function frozenArguments(given: unknown): { ok: true; value: unknown } | { ok: false; problem: string } {
  try {
    return { ok: true, value: frozenCopy(given) };
  } catch (error) {
    return { ok: false, problem: (error as Error).message };
  }
}

type DistributiveOmit<T, K extends keyof never> = T extends unknown ? Omit<T, K> : never;
