/** A small help desk for the engine's tests, with a switch for each way in which an environment can misbehave. */
import { z } from "zod";
import { type Agent, defineAgent } from "../core/agent.js";
import { defineCriterion, defineGate } from "../core/criterion.js";
import { type AnyEnvironment, defineEnvironment, generatedTasks, type TaskSource } from "../core/environment.js";
import { ToolError, UsageError } from "../core/fault.js";
import { ref } from "../core/field.js";
import type { Action } from "../core/message.js";
import { defineOutcome } from "../core/outcome.js";
import { defineRubric } from "../core/rubric.js";
import { defineSystem, type FaultProfile } from "../core/system.js";
import type { Limits } from "../core/task.js";
import { defineTool } from "../core/tool.js";
import type { User } from "../core/user.js";
import { met, scored, unmet } from "../core/verdict.js";
import { defineTable, defineWorld, type World } from "../core/world.js";
import { runOf } from "../store/store.fixture.js";
import type { Store } from "../store/store.js";
import { type RunProgress, type RunRequest, runRollouts } from "./run.js";

const tables = {
  tickets: defineTable("TCK", { id: ref("tickets"), text: z.string(), status: z.enum(["open", "closed"]) }),
  audits: defineTable("AUD", { id: ref("audits"), ticket: ref("tickets"), finding: z.string() }),
};
type Desk = World<typeof tables>;

interface Facts {
  readonly tickets: readonly string[];
}

export interface DeskOptions {
  readonly version?: string;
  readonly rubricVersion?: number;
  readonly finding?: string;
  readonly faults?: FaultProfile;
  readonly limits?: Partial<Limits>;
  readonly user?: User;
  readonly outcomeOf?: (closed: number) => number;
  /** The world of this task cannot be generated. */
  readonly failingTask?: number;
}

export function openDesk(options: DeskOptions = {}): AnyEnvironment {
  const { rubricVersion = 1, finding = "in order", outcomeOf = (closed) => closed * 10 } = options;
  const ticket = z.object({ ticket: ref("tickets") });
  const tools = [
    defineTool({
      name: "list_tickets",
      description: "Lists tickets.",
      effect: "read",
      input: z.object({}),
      output: z.array(z.object(tables.tickets.fields)),
      handle: (desk: Desk) => [...desk.all("tickets")],
    }),
    defineTool({
      name: "close_ticket",
      description: "Closes a ticket.",
      effect: "write",
      input: ticket,
      output: z.object(tables.tickets.fields),
      handle(desk: Desk, { ticket: id }) {
        if (desk.get("tickets", id) === undefined) throw new ToolError("not_found", `no ticket "${id}"`);
        desk.schedule(desk.now + 90_000, "audit", { ticket: id });
        return desk.update("tickets", id, { status: "closed" });
      },
    }),
    defineTool({
      name: "break_down",
      description: "Writes, then throws.",
      effect: "write",
      input: ticket,
      output: z.object({}),
      handle(desk: Desk, { ticket: id }) {
        desk.update("tickets", id, { text: "half done" });
        throw new Error("out of paper");
      },
    }),
    defineTool({
      name: "submit",
      description: "Hands the work in.",
      effect: "write",
      input: z.object({}),
      output: z.object({ done: z.boolean() }),
      handle: (_desk: Desk, _args, context) => {
        context.finish();
        return { done: true };
      },
    }),
  ];
  return defineEnvironment<typeof tables, Facts>({
    name: "desk",
    version: options.version ?? "1",
    description: "Close every ticket.",
    world: defineWorld(tables, {
      audit: (desk: Desk, { ticket: id }) => void desk.insert("audits", { ticket: id as string, finding }),
    }),
    systems: [
      defineSystem({
        name: "desk",
        title: "Help desk",
        tools,
        ...(options.faults === undefined ? {} : { faults: options.faults }),
      }),
    ],
    startAt: Date.UTC(2026, 2, 2, 9),
    limits: { turns: 20, toolCalls: 40, ...options.limits },
    instructions: "Close every ticket, then submit.",
    generate(desk, { random, index }) {
      if (index === options.failingTask) throw new Error("no paper to print tickets on");
      const count = random.int(2, 4);
      const made = Array.from(
        { length: count },
        (_, i) => desk.insert("tickets", { text: `problem ${i}`, status: "open" }).id,
      );
      return {
        prompt: `Close ${count} tickets.`,
        family: "tickets",
        archetype: count === 2 ? "few" : "many",
        facts: { tickets: made },
      };
    },
    rubric: defineRubric<typeof tables, Facts>({
      gates: [
        defineGate({
          name: "nothing_lost",
          description: "No ticket is lost.",
          version: rubricVersion,
          check: ({ facts, after }) =>
            after.all("tickets").length === facts.tickets.length ? met("all there") : unmet("some lost"),
        }),
      ],
      criteria: [
        defineCriterion({
          name: "closed",
          description: "Every ticket is closed.",
          points: 75,
          critical: true,
          check({ facts, after }) {
            const closed = facts.tickets.filter((id) => after.need("tickets", id).status === "closed");
            const value = closed.length / facts.tickets.length;
            return scored(
              rubricVersion === 1 ? value : value / 2,
              "tickets closed",
              closed.map((id) => ({ table: "tickets", id })),
            );
          },
        }),
        defineCriterion({
          name: "submitted",
          description: "The work is handed in.",
          points: 25,
          after: ["closed"],
          check: ({ timeline }) => timeline.eventually("submit", "handing in"),
        }),
      ],
    }),
    outcome: defineOutcome<typeof tables>({
      unit: "points",
      horizonMs: 3_600_000,
      read(end, start) {
        const closed = end.where("tickets", { status: "closed" }).length;
        return {
          value: outcomeOf(closed),
          parts: { closed: outcomeOf(closed) },
          acceptable: closed === start.all("tickets").length,
        };
      },
    }),
    reference: ({ facts }) => playing([...facts.tickets.map(close), { calls: [{ tool: "submit", arguments: {} }] }]),
    ...(options.user === undefined ? {} : { user: options.user }),
  });
}

export const close = (ticket: string): Action => ({
  text: `Closing ${ticket}.`,
  calls: [{ tool: "close_ticket", arguments: { ticket } }],
});

function playing(actions: readonly Action[]): () => Action {
  let next = 0;
  return () => actions[next++] ?? {};
}

/** Closes the tickets it sees with a chance of its own drawing, then submits or just stops. */
export function chancyAgent(options: { delayMs?: number } = {}): Agent {
  return defineAgent({
    name: "chancy",
    open({ random }) {
      let queue: Action[] | undefined;
      const decide = ({ messages }: { messages: readonly unknown[] }): Action => {
        const [last] = messages as { role: string; value?: unknown }[];
        if (last?.role !== "tool" && queue === undefined)
          return { text: "Let me look.", calls: [{ tool: "list_tickets", arguments: {} }] };
        const seen = Array.isArray(last?.value) ? (last.value as { id: string }[]) : [];
        queue ??= [
          ...seen.filter(() => random.chance(0.7)).map(({ id }) => close(id)),
          ...(random.chance(0.5) ? [{ calls: [{ tool: "submit", arguments: {} }] }] : []),
        ];
        return queue.shift() ?? {};
      };
      if (options.delayMs === undefined) return decide;
      return async (observation) => {
        await new Promise((resolve) => setTimeout(resolve, options.delayMs));
        return decide(observation);
      };
    },
  });
}

export const deskTasks = (environment: AnyEnvironment, count: number): TaskSource =>
  generatedTasks(environment, { split: "train", seed: 7, count }) as TaskSource;

/** Another process may make the run at the same moment: then it is there. */
function createDeskRun(
  store: Store,
  id: string,
  environment: AnyEnvironment,
  agent: Agent,
  size: { tasks: number; attempts: number },
): void {
  try {
    store.createRun(
      runOf(id, {
        spec: { environment: "desk", agent: agent.name, split: "train", seed: 7, ...size },
        environment: environment.name,
        environmentVersion: environment.version,
        contractDigest: environment.contractDigest,
        rubricDigest: environment.rubric.digest,
        agent: agent.name,
        agentVersion: agent.version,
      }),
    );
  } catch (error) {
    if (!(error instanceof UsageError && error.code === "run_exists")) throw error;
  }
}

/** Creates the run when it is new, and makes its rollouts. */
export function runDesk(
  store: Store,
  id: string,
  request: Partial<RunRequest> & { environment: AnyEnvironment; agent?: Agent; count?: number },
): Promise<RunProgress> {
  const { environment, agent = chancyAgent(), count = 10, attempts = 2, ...rest } = request;
  if (store.run(id) === undefined) createDeskRun(store, id, environment, agent, { tasks: count, attempts });
  return runRollouts({
    run: id,
    environment,
    tasks: deskTasks(environment, count),
    attempts,
    agentFor: () => agent,
    runSeed: "7",
    store,
    concurrency: "auto",
    ...rest,
  });
}

/** What of a run must not depend on when, where or beside what it was made. */
export const digestsOf = (store: Store, run: string): Record<string, string> =>
  Object.fromEntries(
    [...store.rollouts({ run })]
      .map(({ task, attempt, digest }) => [`${task} ${attempt}`, digest] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
