/** `windtunnel diff A B`: the first event at which two rollouts part, then their verdicts side by side. Reads both a page at a time. */
import type { CriterionResult, Score } from "../core/score.js";
import type { TraceEvent } from "../core/trace.js";
import { firstDifference } from "../engine/difference.js";
import type { RolloutRecord, Store } from "../store/store.js";
import { toReward, toUnit } from "./amounts.js";
import { findRollout, withStore } from "./data-directory.js";
import { EXIT } from "./exit-code.js";
import type { Output } from "./output.js";
import { showEvent } from "./show-event.js";
import { reasonOf, showVerdict } from "./show-score.js";
import { toTerminalLine } from "./terminal-text.js";
import type { Verb } from "./verb.js";

const PAGE = 500;

export interface Divergence {
  readonly event: number;
  readonly a: TraceEvent | null;
  readonly b: TraceEvent | null;
  /** Where in the event: "result.total". Empty for the whole of it. */
  readonly path: string;
}

export interface CriterionDifference {
  readonly name: string;
  readonly a: CriterionResult | null;
  readonly b: CriterionResult | null;
  readonly same: boolean;
}

export const verb: Verb = {
  describe(command) {
    command
      .argument("<a>", "id of a rollout")
      .argument("<b>", "id of another")
      .option("--all", "list the criteria on which they agree too")
      .addHelpText(
        "after",
        `
Examples:
  $ windtunnel diff ro-5f0c1d2e3a4b5c6d ro-0a9b8c7d6e5f4a3b
  $ windtunnel diff ro-5f0c1d2e3a4b5c6d ro-0a9b8c7d6e5f4a3b --json`,
      );
  },

  async perform(call) {
    const all = call.options.all === true;
    return withStore(call, async (store) => {
      const [a, b] = [findRollout(store, call.args[0]!), findRollout(store, call.args[1]!)];
      const divergence = await firstDivergence(store, a, b);
      const criteria = compareScores(store.score(a.id)?.score, store.score(b.id)?.score);
      const sameTask = a.task === b.task && a.provenance.environment === b.provenance.environment;
      call.output.result({ a, b, sameTask, divergence, criteria });
      if (!call.output.json)
        print(call.output, { a, b, sameTask, divergence, criteria: criteria.filter((one) => all || !one.same) });
      return EXIT.done;
    });
  },
};

/** The first event in which they differ; null when every event is the same. */
export async function firstDivergence(store: Store, a: RolloutRecord, b: RolloutRecord): Promise<Divergence | null> {
  for (let from = 0; from < Math.max(a.eventCount, b.eventCount); from += PAGE) {
    const [mine, theirs] = await Promise.all([a, b].map(({ id }) => store.events(id, { from, limit: PAGE })));
    for (let i = 0; i < Math.max(mine!.length, theirs!.length); i++) {
      const [left = null, right = null] = [mine![i], theirs![i]];
      const difference = firstDifference(left, right, from + i);
      if (difference !== undefined) return { event: from + i, a: left, b: right, path: difference.path };
    }
  }
  return null;
}

/** Every question asked of either, in the first one's order. */
export function compareScores(a: Score | undefined, b: Score | undefined): CriterionDifference[] {
  const [mine, theirs] = [a, b].map((score) => new Map((score?.results ?? []).map((result) => [result.name, result])));
  const names = [...new Set([...mine!.keys(), ...theirs!.keys()])];
  return names.map((name) => {
    const [left = null, right = null] = [mine!.get(name), theirs!.get(name)];
    return { name, a: left, b: right, same: answerOf(left) === answerOf(right) };
  });
}

const answerOf = (result: CriterionResult | null) =>
  result === null
    ? ""
    : result.verdict.kind === "scored"
      ? String(result.verdict.value)
      : `${result.verdict.kind}: ${reasonOf(result.verdict)}`;

interface Comparison {
  readonly a: RolloutRecord;
  readonly b: RolloutRecord;
  readonly sameTask: boolean;
  readonly divergence: Divergence | null;
  readonly criteria: readonly CriterionDifference[];
}

function print(output: Output, { a, b, sameTask, divergence, criteria }: Comparison): void {
  const { colors, width } = output;
  const style = { colors, width, full: false };
  for (const [name, one] of [
    ["A", a],
    ["B", b],
  ] as const) {
    const outcome = one.outcome === null ? "" : `, outcome ${toUnit(one.outcome.value)}`;
    output.say(
      `${colors.bold(name)}  ${one.id}  ${one.task} attempt ${one.attempt} by ${toTerminalLine(one.agent)}: ${one.status === "scored" ? `reward ${toReward(one.reward)}` : one.status}${outcome}`,
    );
  }
  if (!sameTask) output.say(colors.yellow("These are attempts of different tasks: they part at once."));
  output.say();
  if (divergence === null) output.say("Every event is the same.");
  else {
    const what =
      divergence.a === null
        ? "A has ended"
        : divergence.b === null
          ? "B has ended"
          : `they differ in ${divergence.path === "" ? "what happened" : toTerminalLine(divergence.path)}`;
    output.say(`They are the same up to event ${divergence.event}, where ${what}:`);
    for (const [name, event] of [
      ["A", divergence.a],
      ["B", divergence.b],
    ] as const) {
      if (event !== null) for (const line of showEvent(event, style)) output.say(`${colors.bold(name)} ${line}`);
    }
  }
  output.say();
  if (criteria.length === 0) output.say("Every criterion was answered the same.");
  for (const { name, a: left, b: right } of criteria) {
    output.say(colors.bold(toTerminalLine(name)));
    for (const [side, result] of [
      ["A", left],
      ["B", right],
    ] as const) {
      output.say(
        result === null
          ? `  ${side}  not asked`
          : `  ${side}  ${showVerdict(result.verdict, result.role, colors)}  ${toTerminalLine(reasonOf(result.verdict))}`,
      );
    }
  }
}
