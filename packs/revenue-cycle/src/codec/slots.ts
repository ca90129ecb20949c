/**
 * The places of one loop that the codec models: which segment, under which qualifier, inside which inner loop. Owns
 * the recognition of places, their order, and the checks that follow from it (required, repeated, out of place).
 * A segment without a slot is not modelled: it is kept, never looked into.
 */
import { checkSegment, type SegmentRule } from "./element.js";
import type { ProblemList } from "./problem.js";
import { positionOf, type Segment, type Separators } from "./segment.js";

export interface Slot {
  /** Such as "REF*F8", or "NM1*82 PRV*PE" for a segment inside the inner loop that NM1*82 opens. */
  readonly name: string;
  readonly rule: SegmentRule;
  readonly required: boolean;
  readonly repeats: boolean;
}

interface SlotNode {
  any: Slot | undefined;
  readonly byQualifier: Map<string, Slot>;
}

type Context = ReadonlyMap<string, SlotNode>;

export interface Reading {
  readonly separators: Separators;
  readonly problems: ProblemList;
}

/** A segment with the place it takes: its slot if modelled, its inner loop by running number (0 is the loop itself). */
export interface Placed {
  readonly slot: Slot | undefined;
  readonly instance: number;
  readonly rank: number;
  /** True where a slot's segments together are one list (as CAS), so that no one of them has an identity of its own. */
  readonly listed: boolean;
}

const EMPTY: Context = new Map();
const RANKS = 256;

export class SlotTable {
  readonly #contexts = new Map<string, Map<string, SlotNode>>();
  readonly #contextRank = new Map<string, number>();
  readonly #required = new Map<string, Slot[]>();
  readonly #withInner = new Set<string>();
  readonly #openers: ReadonlySet<string>;
  readonly #order: ReadonlyMap<string, number>;
  readonly #alien: ReadonlySet<string>;

  /**
   * `definitions` in guide order, keyed "ID", "ID*qualifier" or "OPENER SEGMENT", with a final "!" (required) or "+"
   * (repeats) or both; `order` is the guide's order of segment ids; `openers` begin an inner loop; `alien` ids belong
   * to another loop and are a fault here.
   */
  constructor(
    definitions: Readonly<Record<string, SegmentRule>>,
    { order, openers = [], alien = [] }: { order: string; openers?: readonly string[]; alien?: readonly string[] },
  ) {
    this.#openers = new Set(openers);
    this.#alien = new Set(alien);
    this.#order = new Map(order.split(" ").map((id, rank) => [id, rank]));
    this.#contexts.set("", new Map());
    for (const [key, rule] of Object.entries(definitions)) this.#define(key, rule);
  }

  #define(key: string, rule: SegmentRule): void {
    const name = key.replace(/[!+]+$/, "");
    const slot: Slot = { name, rule, required: key.includes("!"), repeats: key.includes("+") };
    const space = name.lastIndexOf(" ");
    const own = name.slice(space + 1);
    const [id = "", qualifier] = own.split("*");
    const opens = this.#openers.has(id);
    const context = space === -1 ? (opens ? name : "") : name.slice(0, space);
    if (!this.#contexts.has(context)) {
      this.#contextRank.set(context, this.#contexts.size);
      this.#contexts.set(context, new Map());
    }
    for (const home of opens ? ["", context] : [context]) {
      const nodes = this.#contexts.get(home) ?? new Map<string, SlotNode>();
      const node = nodes.get(id) ?? { any: undefined, byQualifier: new Map() };
      if (qualifier === undefined) node.any = slot;
      else node.byQualifier.set(qualifier, slot);
      nodes.set(id, node);
    }
    if (space !== -1) this.#withInner.add(context);
    if (slot.required) {
      const home = space === -1 ? "" : context;
      this.#required.set(home, [...(this.#required.get(home) ?? []), slot]);
    }
  }

  /** Places each segment in turn; with `reading`, also checks every modelled segment and what the loop must hold. */
  walk(
    segments: readonly Segment[],
    separators: Separators,
    visit: (segment: Segment, placed: Placed) => void,
    problems?: ProblemList,
  ): void {
    let name = "";
    let context: Context = this.#contexts.get("") ?? EMPTY;
    let instance = 0;
    let rank = 0;
    const seen = new Map<Slot, number>();
    for (const segment of segments) {
      const { id } = segment;
      const opens = this.#openers.has(id);
      const slot = find(opens ? (this.#contexts.get("") ?? EMPTY) : context, segment, separators);
      if (opens) {
        if (problems !== undefined && name !== "") this.#checkRequired(name, instance, seen, segment, problems);
        instance++;
        name = slot?.name ?? "?";
        context = slot === undefined ? EMPTY : (this.#contexts.get(name) ?? EMPTY);
      }
      rank = Math.max(rank, this.#rankOf(name, instance, id));
      if (problems !== undefined) {
        if (this.#alien.has(id)) problems.add("segment-out-of-place", positionOf(segment), `no ${id} in this loop`, id);
        if (slot !== undefined) {
          const key = opens ? -1 : instance;
          if (!slot.repeats && seen.get(slot) === key)
            problems.add("segment-repeated", positionOf(segment), `${slot.name} once`, `${slot.name} again`);
          seen.set(slot, key);
          checkSegment(segment, slot.rule, separators, problems);
        }
      }
      visit(segment, { slot, instance, rank, listed: slot?.repeats === true && !this.#withInner.has(slot.name) });
    }
    const last = segments.at(-1);
    if (problems === undefined) return;
    if (name !== "") this.#checkRequired(name, instance, seen, last, problems);
    this.#checkRequired("", 0, seen, segments[0], problems);
  }

  #rankOf(context: string, instance: number, id: string): number {
    const inner = this.#order.get(id) ?? 0;
    if (context === "") return inner;
    return ((this.#contextRank.get(context) ?? 0) * RANKS + Math.min(instance, RANKS - 1)) * RANKS + inner;
  }

  #checkRequired(
    context: string,
    instance: number,
    seen: ReadonlyMap<Slot, number>,
    near: Segment | undefined,
    problems: ProblemList,
  ): void {
    for (const slot of this.#required.get(context) ?? []) {
      const at = seen.get(slot);
      if (context === "" ? at !== undefined : at === instance) continue;
      const where = near === undefined ? { segment: 0, offset: 0 } : positionOf(near);
      problems.add("required-segment-missing", where, slot.name, "none");
    }
  }
}

function find(context: Context, segment: Segment, separators: Separators): Slot | undefined {
  const node = context.get(segment.id);
  if (node === undefined) return undefined;
  if (node.byQualifier.size === 0) return node.any;
  const first = segment.elements[1] ?? "";
  const mark = segment.id === "HI" ? first.indexOf(separators.component) : -1;
  return node.byQualifier.get(mark === -1 ? first : first.slice(0, mark)) ?? node.any;
}
