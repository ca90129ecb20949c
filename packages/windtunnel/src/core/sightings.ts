/**
 * Sightings: the typed values an agent has seen so far, harvested from tool results by the marks in their output schemas, and from prose
 * by the shapes that typed values have. Candidate arguments are drawn from here. Sees exactly what the agent sees.
 */
import type { Message, Observation } from "./message.js";
import type { ToolSpec } from "./tool.js";

/** One value of one kind. `firstSeen` and `lastSeen` count observations, from 1. */
export interface Sighting {
  readonly kind: string;
  readonly value: string | number;
  readonly firstSeen: number;
  lastSeen: number;
  /** How singular it was: 1 when a result showed it alone of its kind, 1/n when it was one of n; the best of its sightings. */
  alone: number;
  /** First seen in the result of a write: something the agent made. */
  readonly made: boolean;
  /** Records (object instances) the value stood in, innermost first, newest last. */
  readonly records: number[][];
}

type Schema = Readonly<Record<string, unknown>>;

const TOKEN = /[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]/g;
const MAX_RECORDS = 6;

const ROW_ID = /^([A-Z]{2,5})-\d{4,}$/;

/** The shape of a token: a row id's prefix ("CLM-41007" is CLM-9), else letters to A, digits to 9, with the length of a run kept where it is four or more, or follows a mark ("188.40" is 9.9²). */
export function shapeOf(token: string): string {
  const prefix = ROW_ID.exec(token)?.[1];
  if (prefix !== undefined) return `${prefix}-9`;
  return token.replace(/[A-Za-z]+|[0-9]+/g, (run, at: number) => {
    const mark = /[0-9]/.test(run) ? "9" : "A";
    return run.length >= 4 || (at > 0 && /[^A-Za-z0-9]/.test(token[at - 1]!)) ? `${mark}${run.length}` : mark;
  });
}

export class Sightings {
  readonly #byKind = new Map<string, Map<string | number, Sighting>>();
  readonly #shapes = new Map<string, Set<string>>();
  readonly #outputs: ReadonlyMap<string, Schema>;
  readonly #kindsAccepted: ReadonlySet<string>;
  readonly #writes: ReadonlySet<string>;
  #record = 0;
  #now = 0;
  #inWrite = false;
  /** Values of each kind in the message at hand. */
  readonly #shown = new Map<string, Set<string | number>>();

  constructor(tools: readonly ToolSpec[]) {
    this.#outputs = new Map(tools.map((tool) => [tool.name, tool.outputSchema]));
    this.#writes = new Set(tools.filter(({ effect }) => effect === "write").map(({ name }) => name));
    const accepted = new Set<string>();
    for (const tool of tools) {
      for (const property of Object.values((tool.inputSchema.properties ?? {}) as Record<string, Schema>)) {
        const kind = property["x-kind"];
        if (typeof kind === "string") for (const one of kind.split("|")) accepted.add(one);
      }
    }
    this.#kindsAccepted = accepted;
  }

  /** How many observations were taken in. */
  get now(): number {
    return this.#now;
  }

  /** Takes in what an observation shows. */
  observe(observation: Observation): void {
    this.#now++;
    for (const message of observation.messages) this.#message(message);
  }

  /** Values of a kind ("ref:claims", or several joined with "|"), most recently seen first. */
  of(kind: string): Sighting[] {
    const kinds = kind.split("|");
    const found =
      kinds.length === 1
        ? [...(this.#byKind.get(kind)?.values() ?? [])]
        : kinds.flatMap((one) => [...(this.#byKind.get(one)?.values() ?? [])]);
    return found.sort((a, b) => b.lastSeen - a.lastSeen || (a.value < b.value ? -1 : 1));
  }

  /** Ids seen in prose whose shape no typed value has had yet: they could name a row of any table. */
  untyped(): Sighting[] {
    return this.of("id").filter(({ value }) => !this.#shapes.has(shapeOf(String(value))));
  }

  #message(message: Message): void {
    if (message.role !== "tool") {
      this.#prose(message.text, []);
      return;
    }
    const schema = this.#outputs.get(message.tool);
    this.#inWrite = this.#writes.has(message.tool);
    this.#shown.clear();
    if (schema !== undefined && message.ok) this.#walk(schema, message.value, []);
    else if (!message.ok) this.#prose(JSON.stringify(message.value), []);
    this.#inWrite = false;
    for (const [kind, shown] of this.#shown) {
      for (const value of shown) {
        const sighting = this.#byKind.get(kind)!.get(value)!;
        sighting.alone = Math.max(sighting.alone, 1 / shown.size);
      }
    }
  }

  #walk(schema: Schema, value: unknown, records: readonly number[]): void {
    if (value === null || value === undefined) return;
    const options = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(options)) {
      for (const option of options as Schema[])
        this.#walk(
          option["x-kind"] === undefined && schema["x-kind"] !== undefined
            ? { ...option, "x-kind": schema["x-kind"] }
            : option,
          value,
          records,
        );
      return;
    }
    if (Array.isArray(value)) {
      const items = schema.items as Schema | undefined;
      if (items !== undefined) for (const item of value) this.#walk(items, item, records);
      return;
    }
    if (typeof value === "object") {
      const properties = (schema.properties ?? {}) as Record<string, Schema>;
      const inner = [++this.#record, ...records];
      for (const key in properties) this.#walk(properties[key]!, (value as Record<string, unknown>)[key], inner);
      return;
    }
    const kind = schema["x-kind"];
    if (typeof kind === "string" && kind !== "prose" && (typeof value === "string" || typeof value === "number"))
      this.#see(kind, value, records);
    else if (typeof value === "string") this.#prose(value, records);
  }

  #see(kind: string, value: string | number, records: readonly number[]): void {
    const one = kind.includes("|")
      ? (kind.split("|").find((part) => this.#byKind.get(part)?.has(value)) ?? kind.split("|")[0]!)
      : kind;
    let values = this.#byKind.get(one);
    if (values === undefined) {
      values = new Map();
      this.#byKind.set(one, values);
    }
    let shown = this.#shown.get(one);
    if (shown === undefined) {
      shown = new Set();
      this.#shown.set(one, shown);
    }
    shown.add(value);
    const now = this.#now;
    const known = values.get(value);
    if (known === undefined)
      values.set(value, {
        kind: one,
        value,
        alone: 0,
        firstSeen: now,
        lastSeen: now,
        made: this.#inWrite,
        records: [[...records]],
      });
    else {
      known.lastSeen = now;
      known.records.push([...records]);
      if (known.records.length > MAX_RECORDS) known.records.shift();
    }
    if (typeof value === "string" && this.#kindsAccepted.has(one) && /\d/.test(value)) {
      const shape = shapeOf(value);
      let kinds = this.#shapes.get(shape);
      if (kinds === undefined) {
        kinds = new Set();
        this.#shapes.set(shape, kinds);
      }
      kinds.add(one);
    }
  }

  /** Tokens that look like values of a known shape are taken for such values; an id of an unknown shape could name any row. */
  #prose(text: string, records: readonly number[]): void {
    for (const token of text.match(TOKEN) ?? []) {
      if (!/\d/.test(token)) continue;
      const kinds = this.#shapes.get(shapeOf(token));
      if (kinds !== undefined) for (const kind of kinds) this.#see(kind, token, records);
      else if (ROW_ID.test(token)) this.#see("id", token, records);
    }
  }
}
