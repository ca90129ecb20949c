/**
 * Candidates: the calls worth considering next, enumerated from tool schemas and what has been seen, with no per-environment code.
 * The embedded policy, the attack search and the mutation operators choose from these. Ranked by relation (fresh, near, not yet done),
 * never by name; free text is a template, so what it says is not searched.
 */
import type { Agent, AgentContext } from "./agent.js";
import { defineAgent } from "./agent.js";
import type { Environment, Scenario } from "./environment.js";
import { Episode } from "./episode.js";
import type { Observation, ToolCall } from "./message.js";
import { Random } from "./random.js";
import { type Sighting, Sightings } from "./sightings.js";
import type { ToolSpec } from "./tool.js";
import type { Tables } from "./world.js";

type Schema = Readonly<Record<string, unknown>>;

interface Argument {
  readonly name: string;
  readonly required: boolean;
  readonly kind: string | undefined;
  readonly fixed: readonly unknown[] | undefined;
  /** May be null, whatever else it may be. */
  readonly nullable: boolean;
}

interface Choice {
  readonly value: unknown;
  readonly sighting: Sighting | undefined;
}

export interface Candidate {
  readonly call: ToolCall;
  readonly score: number;
}

/** Below this score a call repeats one that was made. */
const DONE = -1;
const CROWDING = 0.3;
const VALUES_PER_ARGUMENT = 40;
const TUPLES_PER_TOOL = 96;

const argumentCache = new WeakMap<ToolSpec, readonly Argument[]>();

function argumentsOf(tool: ToolSpec): readonly Argument[] {
  let known = argumentCache.get(tool);
  if (known === undefined) {
    const required = new Set((tool.inputSchema.required ?? []) as string[]);
    known = Object.entries((tool.inputSchema.properties ?? {}) as Record<string, Schema>).map(([name, schema]) => {
      const options = (schema.anyOf ?? []) as readonly Schema[];
      const value = options.find(({ type }) => type !== "null") ?? schema;
      return {
        name,
        required: required.has(name),
        kind: (schema["x-kind"] ?? value["x-kind"]) as string | undefined,
        fixed: fixedValues(value),
        nullable: options.some(({ type }) => type === "null"),
      };
    });
    argumentCache.set(tool, known);
  }
  return known;
}

function fixedValues(schema: Schema): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  if (schema.type === "boolean") return [true, false];
  if (schema.type === "integer" || schema.type === "number") {
    const ends = [schema.minimum, schema.default, schema.maximum].filter(
      (end) => typeof end === "number" && Math.abs(end) < 1e9,
    );
    return schema["x-kind"] === undefined ? [...new Set(ends.length > 0 ? ends : [1])] : undefined;
  }
  return undefined;
}

/** What an agent has seen and done, from which its next calls are enumerated. One per episode. */
export class CandidateView {
  readonly #tools: readonly ToolSpec[];
  readonly #seen: Sightings;
  readonly #writes: ReadonlySet<string>;
  readonly #done = new Set<string>();
  readonly #read = new Set<string>();
  readonly #usedBy = new Map<string, number>();

  constructor(tools: readonly ToolSpec[]) {
    this.#tools = tools;
    this.#writes = new Set(tools.filter(({ effect }) => effect === "write").map(({ name }) => name));
    this.#seen = new Sightings(tools);
  }

  observe(observation: Observation): void {
    this.#seen.observe(observation);
  }

  /** Notes a call that was made, so that it ranks lower from now on. */
  made(call: ToolCall): void {
    // After a write, what was read before may read differently: reading it again is no repetition.
    if (this.#writes.has(call.tool)) this.#read.clear();
    else this.#read.add(callKey(call));
    const key = callKey(call);
    this.#done.add(key);
    for (const value of Object.values((call.arguments ?? {}) as Record<string, unknown>)) {
      const use = `${call.tool} ${String(value)}`;
      this.#usedBy.set(use, (this.#usedBy.get(use) ?? 0) + 1);
    }
  }

  /** At most `limit` calls, best first: each callable tool's best one, then the best of the rest. */
  enumerate(limit = 64): Candidate[] {
    const firsts: Candidate[] = [];
    const rest: Candidate[] = [];
    for (const tool of this.#tools) {
      const ranked = this.#callsOf(tool).sort((a, b) => b.score - a.score);
      ranked.forEach(({ call, score }, rank) => {
        // A tool's later candidates give way to other tools' first ones; what was done already goes to the end.
        if (rank === 0 && score > DONE) firsts.push({ call, score });
        else rest.push({ call, score: score - CROWDING * Math.log1p(rank) });
      });
    }
    firsts.sort((a, b) => b.score - a.score);
    rest.sort((a, b) => b.score - a.score);
    return [...firsts, ...rest].slice(0, limit);
  }

  #callsOf(tool: ToolSpec): Candidate[] {
    let tuples: { args: Record<string, unknown>; chosen: Sighting[] }[] = [{ args: {}, chosen: [] }];
    for (const argument of argumentsOf(tool)) {
      const choices = this.#choices(argument);
      if (choices.length === 0) {
        if (argument.required) return [];
        continue;
      }
      const next: typeof tuples = [];
      for (const tuple of tuples) {
        if (!argument.required) next.push(tuple);
        for (const { value, sighting } of choices) {
          if (sighting !== undefined && tuple.chosen.includes(sighting)) continue;
          next.push({
            args: { ...tuple.args, [argument.name]: value },
            chosen: sighting === undefined ? tuple.chosen : [...tuple.chosen, sighting],
          });
        }
      }
      tuples =
        next.length <= TUPLES_PER_TOOL
          ? next
          : next
              .map((tuple) => ({ tuple, score: this.#nearness(tool, tuple.chosen) }))
              .sort((a, b) => b.score - a.score)
              .slice(0, TUPLES_PER_TOOL)
              .map(({ tuple }) => tuple);
    }
    return tuples.map(({ args, chosen }) => {
      const call = { tool: tool.name, arguments: args };
      return { call, score: this.#score(tool, call, chosen, tuples.length) };
    });
  }

  #choices({ nullable, ...argument }: Argument): Choice[] {
    const choices = this.#valuesFor(argument);
    return nullable ? [...choices, { value: null, sighting: undefined }] : choices;
  }

  #valuesFor({ kind, fixed }: Omit<Argument, "nullable">): Choice[] {
    if (kind === "prose") return [{ value: PROSE, sighting: undefined }];
    if (fixed !== undefined) return fixed.map((value) => ({ value, sighting: undefined }));
    if (kind === undefined) return [];
    const typed = this.#seen.of(kind);
    const found = typed.length > 0 || !kind.startsWith("ref:") ? typed : this.#seen.untyped();
    return found.slice(0, VALUES_PER_ARGUMENT).map((sighting) => ({ value: sighting.value, sighting }));
  }

  /** How close the chosen values stand to each other and to now. */
  #nearness(tool: ToolSpec, chosen: readonly Sighting[]): number {
    if (chosen.length === 0) return 0;
    const { now } = this.#seen;
    let recent = 0;
    let fresh = 0;
    let made = 0;
    let alone = 0;
    for (const { firstSeen, lastSeen, made: own, alone: singular } of chosen) {
      alone += singular / chosen.length;
      recent += 0.7 ** (now - lastSeen) / chosen.length;
      fresh = Math.max(fresh, 0.6 ** (now - firstSeen));
      if (own) made = 1;
    }
    const anchor = chosen[0]!;
    const near =
      chosen.slice(1).reduce((sum, other) => sum + closeness(anchor, other), 0) / Math.max(1, chosen.length - 1);
    return (
      3 * recent +
      (tool.effect === "read" ? 3.2 : 1.5) * fresh +
      made +
      (tool.effect === "write" ? 2 * alone : 0) +
      2 * near
    );
  }

  /** `choices` is how many calls of the tool there are: where there are few, each is worth considering. */
  #score(tool: ToolSpec, call: ToolCall, chosen: readonly Sighting[], choices: number): number {
    let score = this.#nearness(tool, chosen) + 4 / choices;
    // What may be left out usually is: the bare call stands for its variants.
    for (const { name, required } of argumentsOf(tool))
      if (!required && name in (call.arguments as object)) score -= 0.4;
    const key = callKey(call);
    if (this.#read.has(key)) score -= 6;
    else if (this.#done.has(key)) score -= tool.effect === "read" ? 1 : 8;
    for (const sighting of chosen) {
      const uses = this.#usedBy.get(`${tool.name} ${String(sighting.value)}`) ?? 0;
      score += (uses === 0 ? 1 : -0.25 * Math.min(uses, 4)) / chosen.length;
    }
    return score;
  }
}

const PROSE = "Done as recorded.";

const callKey = (call: ToolCall) => `${call.tool} ${JSON.stringify(call.arguments)}`;

function closeness(a: Sighting, b: Sighting): number {
  let best = 0;
  for (const mine of a.records) {
    for (const theirs of b.records) {
      for (let i = 0; i < mine.length; i++) {
        const j = theirs.indexOf(mine[i]!);
        if (j >= 0) {
          best = Math.max(best, 1 / (1 + i + j));
          break;
        }
      }
    }
  }
  return best;
}

/** An agent that plays seeded random candidates and stops after a random number of calls; what an untrained policy looks like. */
export const randomAgent: Agent = defineAgent({
  name: "random",
  open(context: AgentContext) {
    const view = new CandidateView(context.tools);
    const length = context.random.int(5, 25);
    let made = 0;
    return (observation) => {
      view.observe(observation);
      const candidates = made >= length ? [] : view.enumerate();
      if (candidates.length === 0) return {};
      made++;
      const { call } = context.random.pick(candidates);
      view.made(call);
      return { calls: [call] };
    };
  },
});

export interface Recall {
  readonly calls: number;
  readonly found: number;
  readonly recall: number;
  /** Calls of the reference that were not among the candidates, with the task they were made in. */
  readonly missed: readonly { readonly task: string; readonly step: number; readonly call: ToolCall }[];
}

/**
 * How often the reference solution's next call is among the first `limit` candidates. Prose arguments match any prose.
 * Calls of one turn are counted one by one, each against the candidates at the start of that turn.
 */
export async function recallOf<T extends Tables, F>(
  environment: Environment<T, F>,
  scenarios: Iterable<Scenario<T, F>>,
  limit = 64,
): Promise<Recall> {
  let calls = 0;
  const missed: { task: string; step: number; call: ToolCall }[] = [];
  const specs = new Map(environment.toolSpecs.map((tool) => [tool.name, tool]));
  for (const scenario of scenarios) {
    const episode = new Episode(environment, scenario, { attemptSeed: `recall/${scenario.task.id}` });
    const view = new CandidateView(environment.toolSpecs);
    const act = environment.reference(scenario, {
      ...episode.agentContext,
      random: new Random(`recall/${scenario.task.id}`),
    });
    let observation: Observation = episode.opening;
    for (let step = 0; episode.ended === undefined; step++) {
      view.observe(observation);
      const action = await act(observation);
      if ((action.calls?.length ?? 0) > 0) {
        const keys = new Set(view.enumerate(limit).map(({ call }) => matchKey(specs.get(call.tool), call)));
        for (const call of action.calls!) {
          calls++;
          if (!keys.has(matchKey(specs.get(call.tool), call))) missed.push({ task: scenario.task.id, step, call });
          view.made(call);
        }
      }
      observation = (await episode.step(action)).observation;
    }
  }
  const found = calls - missed.length;
  return { calls, found, recall: calls === 0 ? 0 : found / calls, missed };
}

function matchKey(tool: ToolSpec | undefined, call: ToolCall): string {
  const prose = new Set(
    tool === undefined
      ? []
      : argumentsOf(tool)
          .filter(({ kind }) => kind === "prose")
          .map(({ name }) => name),
  );
  const entries = Object.entries((call.arguments ?? {}) as Record<string, unknown>).filter(
    ([name]) => !prose.has(name),
  );
  return `${call.tool} ${JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}
