/**
 * A loop as a typed value and back. Owns how a value keeps what the model does not: a loop whose text says more than
 * its value carries its segments as `source`; written unchanged it yields them verbatim, and edited it yields them
 * with only the edited elements changed. Promises that whatever is written passes the same checks as what is read.
 */

import { mergeEdits, sameSegments } from "./merge.js";
import { ProblemList, problemOf, X12WriteError } from "./problem.js";
import { encodeSegment, type Segment, type Separators, translateSegment, type Written } from "./segment.js";
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
  const plain = format.write(value).map((segment) => encodeSegment(segment, reading.separators));
  if (!sameSegments(plain, segments)) value.source = { separators: reading.separators, segments };
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
  const segments = source === undefined ? current : renderFromSource(format, source, current, separators);
  const problems = new ProblemList();
  format.slots.walk(segments, separators, () => {}, problems);
  if (problems.size > 0) throw new X12WriteError(problems.toArray());
  return segments;
}

function renderFromSource<T>(
  format: LoopFormat<T>,
  source: Source,
  current: readonly Segment[],
  separators: Separators,
): readonly Segment[] {
  const problems = new ProblemList();
  const original = format.read(source.segments, { separators: source.separators, problems });
  if (problems.size > 0) throw new X12WriteError(problems.toArray());
  const kept = source.segments.map((segment) => translateSegment(segment, source.separators, separators));
  const base = format.write(original).map((segment) => encodeSegment(segment, separators));
  return sameSegments(base, current) ? kept : mergeEdits(format.slots, kept, base, current, separators);
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
