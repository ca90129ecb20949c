/**
 * Does anything that only the grader knows reach an agent? Distinctive values of facts and of sealed rows are looked for in everything an
 * agent hears. A value is no secret where a visible row held it by then, where the tools' own schemas or the instructions common to all tasks
 * spell it, or where the agent said it first. Not found: values under six characters, and amounts, dates and numbers in tool results, which
 * a tool may well have worked out from what is visible.
 */
import type { Scenario } from "../../core/environment.js";
import type { RowChange } from "../../core/trace.js";
import type { Attempt } from "../attempt.js";
import { type Check, FirstOfEach, show } from "../report.js";
import type { Sample } from "../sample.js";

const LEAST_LENGTH = 6;
const LEAST_DIGITS = 5;
const COMPUTABLE = /^[-+$]?[\d.,:/TZ\s-]+$/;

interface Leaf {
  readonly path: string;
  readonly text: string;
}

/** Text and numbers within `value`, with their paths. */
function* leavesOf(value: unknown, path: string): Generator<Leaf> {
  if (typeof value === "string") yield { path, text: value };
  else if (typeof value === "number") yield { path, text: String(value) };
  else if (typeof value === "object" && value !== null) {
    for (const [key, field] of Object.entries(value))
      yield* leavesOf(field, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
  }
}

const textOf = (value: unknown) => [...leavesOf(value, "")].map(({ text }) => text).join("\n");
const isDistinctive = ({ text }: Leaf) => text.length >= (/^-?\d+$/.test(text) ? LEAST_DIGITS : LEAST_LENGTH);

/** Is `secret` in `text` as a whole word or phrase? */
function mentions(text: string, secret: string): boolean {
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? " ") && !/[\p{L}\p{N}]/u.test(text[at + secret.length] ?? " "))
      return true;
  }
  return false;
}

/** What an agent may know of a scenario, and what it must not, as an episode goes on. */
class Secrets {
  readonly #sealed: ReadonlySet<string>;
  readonly #vocabulary: string;
  readonly #byText = new Map<string, string>();
  #known: string;

  constructor({ facts, world }: Scenario, vocabulary: string, publicFacts: readonly string[]) {
    const rows = world.toRows();
    const visible = new Set<string>(world.visible().tableNames);
    this.#sealed = new Set(Object.keys(rows).filter((table) => !visible.has(table)));
    this.#vocabulary = vocabulary;
    this.#known = [...visible].map((table) => textOf(rows[table])).join("\n");
    for (const leaf of leavesOf(facts, "facts"))
      if (
        !publicFacts.some(
          (path) => leaf.path === path || /^[.[]/.test(leaf.path.startsWith(path) ? leaf.path.slice(path.length) : ""),
        )
      )
        this.#hide(leaf);
    for (const table of this.#sealed)
      for (const row of rows[table]!) for (const leaf of leavesOf(row, `${table}/${String(row.id)}`)) this.#hide(leaf);
  }

  #hide(leaf: Leaf): void {
    if (isDistinctive(leaf) && !mentions(this.#known, leaf.text) && !this.#byText.has(leaf.text))
      this.#byText.set(leaf.text, leaf.path);
  }

  /** What is known from now on: a row that tools can reach, or something the agent said. */
  learn(text: string): void {
    this.#known += `\n${text}`;
  }

  see(changes: readonly RowChange[]): void {
    for (const change of changes) {
      const row =
        change.op === "update"
          ? Object.fromEntries(Object.entries(change.fields).map(([field, [, after]]) => [field, after]))
          : change.row;
      if (!this.#sealed.has(change.table)) this.learn(textOf(row));
      else for (const leaf of leavesOf(row, `${change.table}/${change.id}`)) this.#hide(leaf);
    }
  }

  /** Secrets that `text` gives away. `spelt` says whether the words that schemas spell count as well. */
  in(text: string, { spelt = false, computable = true } = {}): { secret: string; path: string }[] {
    const found: { secret: string; path: string }[] = [];
    for (const [secret, path] of this.#byText) {
      if (!mentions(text, secret) || mentions(this.#known, secret)) continue;
      if (!spelt && mentions(this.#vocabulary, secret)) continue;
      if (!computable && COMPUTABLE.test(secret)) continue;
      found.push({ secret, path });
    }
    return found;
  }
}

const FIX =
  "Keep it in a sealed table or in facts only; if agents may know it, put it in a row they can read, or list its path in `publicFacts`.";

export const nothingHiddenShows: Check = {
  id: "nothing-hidden-shows",
  title: "No grader fact and no sealed value is in anything an agent hears",
  async find(sample) {
    const { scenarios, environment, publicFacts } = sample;
    if (scenarios.length === 0) return { problems: [], notMeasured: "no task opened" };
    const problems = new FirstOfEach();
    const instructions = scenarios.map(({ task }) => environment.instructions(task));
    const common = instructions.every((text) => text === instructions[0]) ? instructions[0]! : "";
    const vocabulary = `${textOf(environment.toolSpecs)}\n${common}`;
    const report = (where: string, { secret, path }: { secret: string; path: string }) =>
      problems.add(`${where.replace(/^\S+ /, "")} ${path.replace(/\/[^.]*/, "")}`, {
        where,
        message: `what only the grader knows reaches the agent: ${path}`,
        actual: show(secret),
        fix: FIX,
      });

    for (const [i, scenario] of scenarios.entries()) {
      const secrets = new Secrets(scenario, vocabulary, publicFacts);
      for (const [channel, text, texts] of [
        ["the prompt", scenario.task.prompt, scenarios.map(({ task }) => task.prompt)],
        ["the instructions", instructions[i]!, instructions],
      ] as const) {
        for (const found of secrets.in(text, { spelt: true }))
          if (tells(found, i, scenarios, texts, mentions(vocabulary, found.secret)))
            report(`${scenario.task.id} ${channel}`, found);
      }
    }
    let heard = 0;
    for (const attempt of await sample.attempts()) {
      const secrets = new Secrets(attempt.scenario, vocabulary, publicFacts);
      for (const { where, leaf, prose } of hearing(attempt, secrets)) {
        heard++;
        for (const found of secrets.in(leaf.text, { computable: prose }))
          report(`${attempt.scenario.task.id} ${where}`, found);
      }
    }
    return { problems: problems.list, measured: { tasks: scenarios.length, valuesHeard: heard } };
  },
};

/**
 * Does a text tell the secret, or does it merely use the word? A word that all tasks' texts hold tells nothing. One that schemas spell tells
 * something only if it is there exactly when the fact is so.
 */
function tells(
  { secret, path }: { secret: string; path: string },
  at: number,
  scenarios: Sample["scenarios"],
  texts: readonly string[],
  spelt: boolean,
): boolean {
  if (texts.length > 1 && texts.every((text) => mentions(text, secret))) return false;
  if (!spelt || !path.startsWith("facts")) return !spelt;
  let others = 0;
  for (const [i, { facts }] of scenarios.entries()) {
    if (i === at) continue;
    const holds = [...leavesOf(facts, "facts")].some((leaf) => leaf.path === path && leaf.text === secret);
    if (holds !== mentions(texts[i]!, secret)) return false;
    if (!holds) others++;
  }
  return others > 0;
}

/** What the agent hears in an attempt, in order; `secrets` learns on the way what it then may know. */
function* hearing({ events }: Attempt, secrets: Secrets): Generator<{ where: string; leaf: Leaf; prose: boolean }> {
  let call = 0;
  for (const [i, event] of events.entries()) {
    if (event.type === "message") {
      if (event.role === "assistant") secrets.learn(event.text);
      // The opening is looked at before: prompt and instructions.
      else if (event.turn > 0) yield { where: "the user's words", leaf: { path: "", text: event.text }, prose: true };
    }
    if (event.type !== "call") continue;
    secrets.learn(typeof event.arguments === "string" ? event.arguments : textOf(event.arguments));
    secrets.see(event.changes);
    // Events that fired within the call come after it in the trace, and its result may tell of them.
    for (let j = i + 1; events[j]?.type === "world"; j++)
      secrets.see((events[j] as { changes: readonly RowChange[] }).changes);
    const where = `call ${call++} ${event.tool}, result`;
    for (const leaf of leavesOf(event.result, "")) yield { where: `${where}${leaf.path}`, leaf, prose: false };
  }
}
