/**
 * A three-way merge of one loop: the segments it was read from, what its value wrote then, and what it writes now.
 * Owns the promise that only what changed between the two changes in the text; everything else stays as it stood.
 */
import { dropTrailingEmpty, elementOf, type Segment, type Separators, splitComponents } from "./segment.js";
import type { SlotTable } from "./slots.js";

interface Named {
  readonly segment: Segment;
  /** Slot and inner loop; undefined for a segment that is not modelled. */
  readonly name: string | undefined;
  readonly rank: number;
  readonly instance: number;
  readonly opens: boolean;
  readonly listed: boolean;
}

type ByName = ReadonlyMap<string, readonly Named[]>;

/** True where both lists hold the same text. */
export function sameSegments(a: readonly Segment[], b: readonly Segment[]): boolean {
  return a.length === b.length && a.every((segment, n) => sameElements(segment.elements, b[n]?.elements ?? []));
}

function sameElements(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((element, n) => element === b[n]);
}

/** `kept` with the change from `base` to `current` applied to it; new segments take their place in guide order. */
export function mergeEdits(
  slots: SlotTable,
  kept: readonly Segment[],
  base: readonly Segment[],
  current: readonly Segment[],
  separators: Separators,
): readonly Segment[] {
  const before = byName(nameAll(slots, base, separators));
  const named = nameAll(slots, current, separators);
  const after = byName(named);
  const done = new Set<string>();
  const merged: Pick<Named, "segment" | "rank">[] = [];
  let dropped = -1;
  for (const one of nameAll(slots, kept, separators)) {
    const { name, rank } = one;
    if (one.instance === dropped && !one.opens) continue;
    if (name === undefined) {
      merged.push(one);
      continue;
    }
    const [was, now] = [before.get(name) ?? [], after.get(name) ?? []];
    const first = !done.has(name);
    done.add(name);
    if (one.listed) {
      if (sameSegments(segmentsOf(was), segmentsOf(now))) merged.push(one);
      else if (first) merged.push(...now.map(({ segment }) => ({ segment, rank })));
    } else if (now[0] === undefined) {
      if (one.opens) dropped = one.instance;
    } else merged.push({ segment: patch(one.segment, was[0]?.segment, now[0].segment, separators), rank });
  }
  for (const one of named) {
    if (one.name !== undefined && done.has(one.name)) continue;
    const next = merged.findIndex((other) => other.rank > one.rank);
    merged.splice(next === -1 ? merged.length : next, 0, one);
  }
  return merged.map(({ segment }) => segment);
}

function nameAll(slots: SlotTable, segments: readonly Segment[], separators: Separators): Named[] {
  const named: Named[] = [];
  const counts = new Map<string, number>();
  let previous = 0;
  let ordinal = 0;
  slots.walk(segments, separators, (segment, { slot, rank, instance, listed }) => {
    const opens = instance !== previous;
    previous = instance;
    if (opens && slot !== undefined) {
      ordinal = (counts.get(slot.name) ?? 0) + 1;
      counts.set(slot.name, ordinal);
    }
    // A list is known by its segment id alone: HI may begin with another qualifier once its codes are spread anew.
    const place = listed ? slot?.name.replace(/\*[^ ]*$/, "") : slot?.name;
    const inLoop = instance === 0 || (listed && opens) ? place : `${place} #${ordinal}`;
    named.push({ segment, name: slot === undefined ? undefined : inLoop, rank, instance, opens, listed });
  });
  return named;
}

function byName(named: readonly Named[]): ByName {
  const map = new Map<string, Named[]>();
  for (const one of named) {
    if (one.name === undefined) continue;
    const list = map.get(one.name);
    if (list === undefined) map.set(one.name, [one]);
    else list.push(one);
  }
  return map;
}

function segmentsOf(named: readonly Named[]): Segment[] {
  return named.map(({ segment }) => segment);
}

function patch(kept: Segment, was: Segment | undefined, now: Segment, separators: Separators): Segment {
  const length = Math.max(kept.elements.length, now.elements.length);
  const elements: string[] = [kept.id];
  for (let n = 1; n < length; n++) {
    const [old, before, after] = [elementOf(kept, n), was === undefined ? "" : elementOf(was, n), elementOf(now, n)];
    if (was !== undefined && before === after) elements.push(old);
    else elements.push(patchComponents(old, before, after, separators));
  }
  return sameElements(elements, kept.elements) ? kept : { ...kept, elements: dropTrailingEmpty(elements) };
}

function patchComponents(kept: string, was: string, now: string, separators: Separators): string {
  const [old, before, after] = [kept, was, now].map((element) => splitComponents(element, separators));
  if (old === undefined || before === undefined || after === undefined || old.length === 1) return now;
  const parts = Array.from({ length: Math.max(old.length, after.length) }, (_, c) =>
    (before[c] ?? "") === (after[c] ?? "") ? (old[c] ?? "") : (after[c] ?? ""),
  );
  while (parts.length > 1 && parts.at(-1) === "") parts.pop();
  return parts.join(separators.component);
}
