/**
 * What no rubric of a denial may be fooled by, and what it must not punish: the reference solution of one case of every archetype is damaged,
 * or said another way, and played again. Rows made on the way are named by the step that made them, so a step can go without breaking others.
 */

import {
  type Agent,
  defineAgent,
  type Environment,
  openScenario,
  type Rollout,
  referenceAgent,
  runRollout,
  type Scenario,
} from "windtunnel";
import { archetypes } from "./archetypes/index.js";
import { environmentOf } from "./archetypes/prove.js";
import type { DenialFacts } from "./facts.js";
import type { DenialTables } from "./world.js";

/** A value that an earlier step returns. */
export interface Made {
  readonly step: number;
  readonly field: string;
}
export interface Step {
  readonly key: number;
  readonly tool: string;
  readonly args: Readonly<Record<string, string | Made>>;
}
export interface Case {
  readonly archetype: string;
  readonly environment: Environment<DenialTables, DenialFacts>;
  readonly scenario: Scenario<DenialTables, DenialFacts>;
  readonly steps: readonly Step[];
  /** What the reference solution earns, played step by step. */
  readonly reward: number;
}

export const NAMED: Readonly<Record<string, string>> = {
  escalate: "escalation",
  query_create: "query",
  retro_auth_open: "retro_request",
  correction_open: "correction",
  correction_submit: "claim",
  appeal_open: "appeal",
  adjust_post: "entry",
  statement_send: "statement",
  statement_hold: "hold",
  refund_request: "refund",
};

export async function caseOf(archetype: (typeof archetypes)[number]): Promise<Case> {
  const environment = environmentOf(archetype);
  const scenario = openScenario(environment, "train/11/0");
  const { events } = await runRollout({
    environment,
    scenario,
    agent: referenceAgent(environment, scenario),
    attempt: 0,
    runSeed: "adversary",
  });
  const made = new Map<string, Made>();
  const steps: Step[] = [];
  for (const event of events) {
    if (event.type !== "call" || !event.ok) continue;
    const args = Object.entries(event.arguments as Record<string, string>);
    const field = NAMED[event.tool];
    steps.push({
      key: steps.length,
      tool: event.tool,
      args: Object.fromEntries(args.map(([name, value]) => [name, made.get(value) ?? value])),
    });
    if (field !== undefined)
      made.set((event.result as Record<string, string>)[field]!, { step: steps.length - 1, field });
  }
  const one = { archetype: archetype.id, environment, scenario, steps };
  return { ...one, reward: rewardOf(await play(one, steps)) };
}

/** Plays steps one by one, leaves out those whose maker is missing, and tries again when a system is down. */
export function player(steps: readonly Step[]): Agent {
  return defineAgent({
    name: "player",
    open() {
      const results = new Map<number, Readonly<Record<string, string>>>();
      const left = [...steps];
      let current: Step | undefined;
      let tries = 0;
      return ({ messages }) => {
        const last = messages[messages.length - 1];
        if (current !== undefined && last?.role === "tool") {
          if (last.ok) results.set(current.key, last.value as Record<string, string>);
          else if ((last.value as { code: string }).code === "unavailable" && ++tries < 6) left.unshift(current);
        }
        for (current = left.shift(); current !== undefined; current = left.shift()) {
          const args = Object.entries(current.args).map(
            ([name, value]) =>
              [name, typeof value === "string" ? value : results.get(value.step)?.[value.field]] as const,
          );
          if (args.every(([, value]) => value !== undefined))
            return { calls: [{ tool: current.tool, arguments: Object.fromEntries(args) }] };
        }
        return {};
      };
    },
  });
}

export const play = (
  { environment, scenario }: Pick<Case, "environment" | "scenario">,
  steps: readonly Step[],
): Promise<Rollout> => runRollout({ environment, scenario, agent: player(steps), attempt: 0, runSeed: "adversary" });

export const rewardOf = ({ score }: Rollout) => (score.status === "scored" ? score.reward : Number.NaN);
export const passes = ({ score }: Rollout) => score.status === "scored" && score.passed;

let opened: Promise<readonly Case[]> | undefined;

/** One case of every archetype, with its reference solution played once. */
export function allCases(): Promise<readonly Case[]> {
  opened ??= Promise.all(archetypes.map(caseOf));
  return opened;
}

export type Mutate = (one: Case) => readonly (readonly Step[])[];

/** The mutants that are judged otherwise than `right` says, by archetype and number. Refuses a mutation that applies to no case. */
export async function exceptions(mutate: Mutate, right: (rollout: Rollout, one: Case) => boolean): Promise<string[]> {
  const found: string[] = [];
  let tried = 0;
  for (const one of await allCases()) {
    for (const [i, steps] of mutate(one).entries()) {
      tried++;
      const rollout = await play(one, steps);
      if (!right(rollout, one)) found.push(`${one.archetype} #${i}: ${rewardOf(rollout)}`);
    }
  }
  if (tried === 0) throw new Error("no case has what this mutation changes");
  return found;
}

export const neverPasses = (mutate: Mutate) => exceptions(mutate, (rollout) => !passes(rollout));
export const earnsAtMost = (most: number, mutate: Mutate) =>
  exceptions(mutate, (rollout) => rewardOf(rollout) <= most && !passes(rollout));
export const costsSomething = (mutate: Mutate) =>
  exceptions(mutate, (rollout, { reward }) => rewardOf(rollout) < reward - 0.03);
export const costsLittle = (mutate: Mutate) =>
  exceptions(mutate, (rollout, { reward }) => rewardOf(rollout) >= reward - 0.05 && passes(rollout));
export const costsNothing = (mutate: Mutate) =>
  exceptions(mutate, (rollout, { reward }) => rewardOf(rollout) === reward && passes(rollout));

export const changed = (steps: readonly Step[], at: number, args: Step["args"]) =>
  steps.map((step, i) => (i === at ? { ...step, args: { ...step.args, ...args } } : step));

/** One mutant for each step of `tool` and each of `values`, with the argument replaced. */
export const replaced =
  (tool: string, name: string, values: (one: Case, step: Step) => readonly string[]): Mutate =>
  (one) =>
    one.steps.flatMap((step, i) =>
      step.tool === tool
        ? values(one, step)
            .filter((value) => value !== step.args[name])
            .map((value) => changed(one.steps, i, { [name]: value }))
        : [],
    );

export const beforeClosing = (steps: readonly Step[], ...more: readonly Omit<Step, "key">[]) => {
  const at = steps.findIndex(({ tool }) => tool === "item_close");
  return [...steps.slice(0, at), ...more.map((step, i) => ({ ...step, key: 1000 + i })), ...steps.slice(at)];
};

/** The steps from the first of `from` to the first of `to`, once more, as steps of their own. */
export function again(steps: readonly Step[], from: string, to: string): readonly (readonly Step[])[] {
  const [first, last] = [from, to].map((name) => steps.findIndex(({ tool }) => tool === name)) as [number, number];
  if (first < 0 || last < first) return [];
  const moved = (value: string | Made) =>
    typeof value !== "string" && value.step >= first ? { ...value, step: value.step + 500 } : value;
  const copy = steps.slice(first, last + 1).map((step) => ({
    ...step,
    key: step.key + 500,
    args: Object.fromEntries(Object.entries(step.args).map(([name, value]) => [name, moved(value)])),
  }));
  return [[...steps.slice(0, last + 1), ...copy, ...steps.slice(last + 1)]];
}

export const READS =
  /^(item_get|claim_get|claim_history|remit_get|ack_get|account_get|patient_get|auth_search|eligibility_check|edits_check|contract_rate|chart_|correspondence_|library_)/;
/** What leaves the case right in substance when it is left undone. */
export const PAPERWORK = new Set(["note_add", "follow_up_create", "item_set_prevention", "wait"]);

export const numbersIn = ({ scenario: { world } }: Case, pattern: RegExp) =>
  world.all("pages").flatMap(({ text }) => [...text.matchAll(pattern)].map(([, value]) => value!));

export const item = ({ scenario: { world, facts } }: Case) => world.need("items", facts.item);
