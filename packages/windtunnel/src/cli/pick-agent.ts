/**
 * From what a person calls an agent to the agent: the reference, a baseline, `random`, a replay of a run, a file of one's own, or a model
 * behind an OpenAI-compatible endpoint. Whether an agent in a file sends what it sees elsewhere is not known here.
 */
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Agent } from "../core/agent.js";
import { randomAgent } from "../core/candidates.js";
import type { AnyEnvironment, Scenario } from "../core/environment.js";
import { UsageError } from "../core/fault.js";
import { referenceAgent } from "../core/rollout.js";
import { replayAgent } from "../engine/recorded.js";
import type { RunSpec, Store } from "../store/store.js";
import { findRun } from "./data-directory.js";
import { loadModule, looksLikePath } from "./load-module.js";
import type { ModelOptions } from "./model-options.js";
import { suggest } from "./nearest.js";

export interface PickedAgent {
  /** What names it from any folder, as a run's spec keeps it. */
  readonly label: string;
  readonly name: string;
  readonly version: string;
  agentFor(scenario: Scenario, attempt: number): Agent;
  /** The endpoint that what it sees is sent to, when that is on another machine. */
  readonly remote?: string;
  /** The address of the model, when it is one. */
  readonly endpoint?: string;
  /** What a run of it covers unless the user says otherwise. */
  readonly covers?: Partial<Pick<RunSpec, "split" | "seed" | "tasks" | "attempts" | "tasksFrom">>;
  close?(): Promise<void>;
}

export interface AgentRequest {
  readonly named: string | undefined;
  readonly environment: AnyEnvironment;
  readonly store: Store;
  readonly from: string;
  /** Set when the agent is a model. */
  readonly model: ModelOptions | undefined;
}

/** Finds the agent. Throws UsageError, with the nearest name, when there is none. */
export async function pickAgent({ named, environment, store, from, model }: AgentRequest): Promise<PickedAgent> {
  if (model !== undefined) {
    if (named !== undefined && named !== "model") {
      throw new UsageError({
        code: "two_agents",
        what: "Two agents are named",
        path: "--agent",
        expected: "--agent or --model",
        actual: "both",
        fix: "Leave one out.",
      });
    }
    return modelAgent(model);
  }
  if (named === undefined || named === "model") {
    throw new UsageError({
      code: "no_agent",
      what: "No agent is named",
      expected: "--agent NAME, or --model NAME",
      fix: `Agents here: ${namesOf(environment).join(", ")}; or a path, or replay:RUN.`,
    });
  }
  if (named.startsWith("replay:")) return replayOf(store, named.slice("replay:".length), environment);
  if (looksLikePath(named)) return fileAgent(resolve(from, named));
  if (named === "reference")
    return { label: named, name: named, version: "1", agentFor: (scenario) => referenceAgent(environment, scenario) };
  const known = [...environment.baselines, randomAgent].find((agent) => agent.name === named);
  if (known !== undefined) return always(known, named);
  const names = namesOf(environment);
  throw new UsageError({
    code: "unknown_agent",
    what: `${environment.name} has no agent "${named}"`,
    expected: `one of ${names.join(", ")}; a path to a .ts or .js file; replay:RUN; or --model NAME`,
    fix: suggest(named, names, ""),
  });
}

const namesOf = (environment: AnyEnvironment) => [
  ...new Set(["reference", ...environment.baselines.map(({ name }) => name), "random"]),
];

const always = (agent: Agent, label: string): PickedAgent => ({
  label,
  name: agent.name,
  version: agent.version,
  agentFor: () => agent,
});

async function fileAgent(path: string): Promise<PickedAgent> {
  if (!existsSync(path))
    throw new UsageError({
      code: "agent_not_found",
      what: "There is no such agent file",
      path,
      expected: "a .ts or .js file whose default export is an agent",
    });
  const { exports, digest } = await loadModule(path);
  const agent = [exports.default, exports.agent].find(isAgent);
  if (agent === undefined) {
    throw new UsageError({
      code: "no_agent_in_file",
      what: `${basename(path)} exports no agent`,
      path,
      expected: "`export default defineAgent({ name, open })`",
      actual: `exports ${Object.keys(exports).join(", ") || "nothing"}`,
    });
  }
  return always(
    { name: agent.name, version: `${agent.version}+${digest}`, open: (context) => agent.open(context) },
    path,
  );
}

const isAgent = (value: unknown): value is Agent =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as Agent).open === "function" &&
  typeof (value as Agent).name === "string";

function replayOf(store: Store, id: string, environment: AnyEnvironment): PickedAgent {
  const run = findRun(store, id);
  if (run.environment !== environment.name) {
    throw new UsageError({
      code: "other_environment",
      what: `Run ${run.id} cannot be replayed here`,
      expected: `a run of ${environment.name}`,
      actual: `one of ${run.environment}`,
    });
  }
  const { split, seed, tasks, attempts, tasksFrom } = run.spec;
  return {
    label: `replay:${run.id}`,
    name: `replay:${run.id}`,
    version: run.agentVersion,
    agentFor: replayAgent(store, run.id),
    covers: { split, seed, tasks, attempts, ...(tasksFrom === undefined ? {} : { tasksFrom }) },
  };
}

async function modelAgent(options: ModelOptions): Promise<PickedAgent> {
  const { openModelAgent } = await import("./open-model-agent.js");
  return openModelAgent(options);
}
