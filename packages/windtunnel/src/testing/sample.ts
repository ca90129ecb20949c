/**
 * Sample: the tasks of an environment that the checks look at, and the attempts made on them. Attempts are made once, when first asked for.
 */
import type { Agent } from "../core/agent.js";
import { type AnyEnvironment, openScenario, type Scenario } from "../core/environment.js";
import { referenceAgent } from "../core/rollout.js";
import type { Split } from "../core/task.js";
import { idleAgent } from "./agents.js";
import { type Attempt, runAttempt } from "./attempt.js";
import { messageOf } from "./report.js";
import { watchAmbient } from "./watch-ambient.js";
import { wildWalk } from "./wild-walk.js";

/** Attempts of the reference at each task: enough to tell a flaky one. */
export const REFERENCE_ATTEMPTS = 4;
const WALKS = 2;
const WALK_LENGTH = 14;
const HOUR_MS = 3_600_000;

export type Opening = { readonly id: string; readonly ambient: readonly string[] } & (
  | { readonly scenario: Scenario }
  | { readonly error: string }
);

export class Sample {
  readonly environment: AnyEnvironment;
  readonly seed: number;
  readonly splits: readonly Split[];
  readonly openings: readonly Opening[];
  /** The tasks that opened. */
  readonly scenarios: readonly Scenario[];
  /** Facts that agents may know, as paths: "facts.order". */
  readonly publicFacts: readonly string[];
  readonly #kept = new Map<string, Promise<readonly Attempt[]>>();

  constructor(
    environment: AnyEnvironment,
    options: { tasks: number; seed: number; splits: readonly Split[]; publicFacts: readonly string[] },
  ) {
    this.environment = environment;
    this.seed = options.seed;
    this.splits = options.splits;
    this.publicFacts = options.publicFacts;
    const ids = options.splits.flatMap((split) =>
      Array.from({ length: options.tasks }, (_, index) => `${split}/${options.seed}/${index}`),
    );
    this.openings = ids.map((id) => this.open(id, 0));
    this.scenarios = this.openings.flatMap((opening) => ("scenario" in opening ? [opening.scenario] : []));
  }

  /** Opens a task anew, with the wall clock moved by `shiftMs`. */
  open(id: string, shiftMs: number): Opening {
    const used = new Set<string>();
    try {
      const scenario: Scenario = watchAmbient(shiftMs, used, () => openScenario(this.environment, id));
      return { id, scenario, ambient: [...used] };
    } catch (error) {
      return { id, error: messageOf(error), ambient: [...used] };
    }
  }

  /** REFERENCE_ATTEMPTS attempts at each task, those of one task together. */
  reference(): Promise<readonly Attempt[]> {
    return this.#keep("reference", (scenario) =>
      repeat(REFERENCE_ATTEMPTS, () => referenceAgent(this.environment, scenario)),
    );
  }

  idle(): Promise<readonly Attempt[]> {
    return this.#keep("idle", () => [idleAgent]);
  }

  walks(): Promise<readonly Attempt[]> {
    return this.#keep("walk", (scenario) => repeat(WALKS, () => wildWalk(this.environment, scenario, WALK_LENGTH)));
  }

  /** The environment's own baselines. */
  baselines(): Promise<readonly Attempt[]> {
    return this.#keep("baseline", () => this.environment.baselines);
  }

  /** Every kind of attempt, one of the reference's for each task. */
  async attempts(): Promise<readonly Attempt[]> {
    const reference = (await this.reference()).filter((_, i) => i % REFERENCE_ATTEMPTS === 0);
    return [...reference, ...(await this.idle()), ...(await this.walks()), ...(await this.baselines())];
  }

  /** Runs one of the kept attempts again, at another hour. */
  async again(kind: "reference" | "walk", index: number): Promise<Attempt> {
    const per = kind === "reference" ? REFERENCE_ATTEMPTS : WALKS;
    const scenario = this.scenarios[Math.floor(index / per)]!;
    const agent =
      kind === "reference"
        ? referenceAgent(this.environment, scenario)
        : wildWalk(this.environment, scenario, WALK_LENGTH);
    return runAttempt(this.environment, scenario, agent, {
      seed: seedOf(this.seed, kind, scenario, index % per),
      shiftMs: 777 * HOUR_MS,
    });
  }

  #keep(kind: string, agentsOf: (scenario: Scenario) => readonly Agent[]): Promise<readonly Attempt[]> {
    const kept = this.#kept.get(kind) ?? this.#run(kind, agentsOf);
    this.#kept.set(kind, kept);
    return kept;
  }

  async #run(kind: string, agentsOf: (scenario: Scenario) => readonly Agent[]): Promise<readonly Attempt[]> {
    const attempts: Attempt[] = [];
    for (const scenario of this.scenarios) {
      for (const [i, agent] of agentsOf(scenario).entries()) {
        attempts.push(
          await runAttempt(this.environment, scenario, agent, { seed: seedOf(this.seed, kind, scenario, i) }),
        );
      }
    }
    return attempts;
  }
}

const seedOf = (seed: number, kind: string, { task }: Scenario, attempt: number) =>
  `check/${seed}/${kind}/${task.id}/${attempt}`;
const repeat = (count: number, make: () => Agent) => Array.from({ length: count }, make);
