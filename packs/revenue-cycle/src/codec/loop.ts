/**
 * A loop as a typed value and back. Owns how a value keeps what the model does not: a loop whose text says more than
 * its value carries its segments as `source`; written unchanged it yields them verbatim, and edited it yields them
 * with only the edited elements changed. Promises that whatever is written passes the same checks as what is read.
 */
import { ProblemList, problemOf, X12WriteError } from "./problem.js";
import {
  dropTrailingEmpty,
  elementOf,
  encodeComponents,
  encodeSegment,
  type Segment,
  type Separators,
  splitComponents,
  translateSegment,
  type Written,
} from "./segment.js";
import type { Reading, SlotTable } from "./slots.js";

/** The segments a value was read from. Plain data; drop it to write the value from its typed fields alone. */
export interface Source {
  readonly separators: Separators;
  readonly segments: readonly Segment[];
}

/** How one loop is read and written; `read` may return a partial value once it has added a problem. */
export interface LoopFormat<T> {
  readonly slots: SlotTable;
  read(segments: readonly Segment[], reading: Reading): T;
  write(value: T): readonly Written[];
}

/** The typed value of the segments, with `source` where the value alone would not write them back . */
export function readLoop<T extends { source?: Source }>(
  format: LoopFormat<T>,
  segments: readonly Segment[],
  reading: Reading,
): T {
  const before = reading.problems.size;
  const value = format.read(segments, reading);
  if (reading.problems.size > before) return value;
  if (!isWrittenAs(format.write(value), segments, reading.separators))
    value.source = { separators: reading.separators, segments };
  return value;
}

/** As `readLoop`, for a loop whose value would be taken for its neighbour's: it keeps its source, so that two stay two. */
export function readApart<T extends { source?: Source }>(
  format: LoopFormat<T>,
  segments: readonly Segment[],
  reading: Reading,
  neighbour: T | undefined,
): T {
  const value = readLoop(format, segments, reading);
  if (value.source === undefined && sameRecord(value, neighbour))
    value.source = { separators: reading.separators, segments };
  return value;
}

/** The segments of a value under the given marks; throws X12WriteError where the value breaks a rule of the loop. */
export function renderLoop<T extends { source?: Source }>(
  format: LoopFormat<T>,
  value: T,
  separators: Separators,
): readonly Segment[] {
  const current = format.write(value).map((segment) => encodeSegment(segment, separators));
  const { source } = value;
  const segments = source === undefined ? current : renderFromSource(format, value, source, current, separators);
  const problems = new ProblemList();
  format.slots.walk(segments, separators, () => {}, problems);
  if (problems.size > 0) throw new X12WriteError(problems.toArray());
  return segments;
}

function renderFromSource<T extends { source?: Source }>(
  format: LoopFormat<T>,
  value: T,
  source: Source,
  current: readonly Segment[],
  separators: Separators,
): readonly Segment[] {
  const problems = new ProblemList();
  const original = format.read(source.segments, { separators: source.separators, problems });
  if (problems.size > 0) throw new X12WriteError(problems.toArray());
  const kept = source.segments.map((segment) => translateSegment(segment, source.separators, separators));
  if (isWrittenAs(format.write(original), current, separators)) return kept;
  return mergeEdits(format.slots, kept, current, format.write(value), separators);
}

function isWrittenAs(list: readonly Written[], segments: readonly Segment[], separators: Separators): boolean {
  if (list.length !== segments.length) return false;
  return list.every((segment, n) => {
    const { elements } = encodeSegment(segment, separators);
    const other = segments[n]?.elements ?? [];
    return elements.length === other.length && elements.every((element, index) => element === other[index]);
  });
}

interface Merged {
  readonly segment: Segment;
  readonly rank: number;
}

function mergeEdits(
  slots: SlotTable,
  kept: readonly Segment[],
  current: readonly Segment[],
  edits: readonly Written[],
  separators: Separators,
): readonly Segment[] {
  const pending = namesOf(slots, current, separators).map((name, n) => ({
    ...name,
    edit: edits[n],
    encoded: current[n],
  }));
  const merged: Merged[] = [];
  let dropped = -1;
  namesOf(slots, kept, separators).forEach(({ name, rank, instance, opens }, n) => {
    const segment = kept[n];
    if (segment === undefined || (instance === dropped && !opens)) return;
    if (name === undefined) {
      merged.push({ segment, rank });
      return;
    }
    const found = pending.findIndex((one) => one.name === name);
    const [match] = found === -1 ? [] : pending.splice(found, 1);
    if (match?.edit !== undefined) merged.push({ segment: patch(segment, match.edit, separators), rank });
    else if (opens) dropped = instance;
  });
  for (const { rank, encoded } of pending) {
    if (encoded === undefined) continue;
    const next = merged.findIndex((one) => one.rank > rank);
    merged.splice(next === -1 ? merged.length : next, 0, { segment: encoded, rank });
  }
  return merged.map((one) => one.segment);
}

/** Names that match a segment before an edit with the one after it: its slot, and which of its inner loops it is in. */
function namesOf(slots: SlotTable, segments: readonly Segment[], separators: Separators) {
  const names: { name: string | undefined; rank: number; instance: number; opens: boolean }[] = [];
  const counts = new Map<string, number>();
  let instance = 0;
  let ordinal = 0;
  slots.walk(segments, separators, (_, { slot, rank, instance: now }) => {
    const opens = now !== instance;
    instance = now;
    if (opens && slot !== undefined) {
      ordinal = (counts.get(slot.name) ?? 0) + 1;
      counts.set(slot.name, ordinal);
    }
    const name = slot === undefined ? undefined : now === 0 ? slot.name : `${slot.name} #${ordinal}`;
    names.push({ name, rank, instance: now, opens });
  });
  return names;
}

function patch(segment: Segment, edit: Written, separators: Separators): Segment {
  const length = Math.max(segment.elements.length, edit.elements.length + 1);
  const elements = [segment.id];
  for (let n = 1; n < length; n++) {
    const before = elementOf(segment, n);
    const after = n <= edit.elements.length ? edit.elements[n - 1] : edit.closed ? "" : undefined;
    if (after === undefined) elements.push(before);
    else if (typeof after === "string") elements.push(after);
    else {
      const parts = splitComponents(before, separators);
      const width = Math.max(parts.length, after.length);
      const joined = Array.from(
        { length: width },
        (_, c) => (c < after.length ? after[c] : undefined) ?? parts[c] ?? "",
      );
      const text = encodeComponents(segment.id, joined, separators);
      elements.push(text === encodeComponents(segment.id, parts, separators) ? before : text);
    }
  }
  const same = elements.every((element, n) => element === elementOf(segment, n));
  return same ? segment : { ...segment, elements: dropTrailingEmpty(elements) };
}

/** A copy of a parsed value without any `source`, at any depth: what its typed fields alone say. */
export function dropSource<T>(value: T): T {
  if (Array.isArray(value)) return value.map(dropSource) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "source");
  return Object.fromEntries(entries.map(([key, inner]) => [key, dropSource(inner)])) as T;
}

/** Structural equality of plain data, blind to key order and to keys that hold undefined. */
export function sameRecord(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((one, n) => sameRecord(one, b[n]));
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key of Object.keys(left)) if (!sameRecord(left[key], right[key])) return false;
  for (const key of Object.keys(right)) if (left[key] === undefined && right[key] !== undefined) return false;
  return true;
}

/** An X12WriteError with one problem that has no place in a text yet. */
export function refuseToWrite(code: Parameters<typeof problemOf>[0], expected: string, found: string): X12WriteError {
  return new X12WriteError([problemOf(code, { segment: 0, offset: 0 }, expected, found)]);
}
