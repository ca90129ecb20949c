/**
 * One segment as text: its elements in the form they were written, and where they stood. Owns splitting, joining and
 * the rule that data never contains a separator. Knows no segment's meaning.
 */
import { type Position, problemOf, X12WriteError } from "./problem.js";

/** The marks of one interchange, all read from its ISA; `lineBreak` is what follows each segment mark ("" or CR/LF). */
export interface Separators {
  readonly element: string;
  readonly component: string;
  readonly repetition: string;
  readonly segment: string;
  readonly lineBreak: string;
}

export const STANDARD_SEPARATORS: Separators = {
  element: "*",
  component: ":",
  repetition: "^",
  segment: "~",
  lineBreak: "\n",
};

/** `elements[n]` is element n as X12 counts, unsplit and in its lexical form; `elements[0]` is the segment id. */
export interface Segment {
  readonly id: string;
  readonly elements: readonly string[];
  readonly index: number;
  readonly offset: number;
}

/** Element n, or "" when the segment is shorter. */
export function elementOf(segment: Segment, n: number): string {
  return segment.elements[n] ?? "";
}

/** Runs that each begin at a segment of the given ids; the first run is what stands before any of them. */
export function splitBefore(segments: readonly Segment[], ids: ReadonlySet<string>): Segment[][] {
  let run: Segment[] = [];
  const runs = [run];
  for (const segment of segments) {
    if (ids.has(segment.id)) {
      run = [];
      runs.push(run);
    }
    run.push(segment);
  }
  return runs;
}

export function splitComponents(element: string, separators: Separators): string[] {
  return element.split(separators.component);
}

/** The repetitions of one element; before version 00402 ISA11 is no separator and the element is whole. */
export function splitRepetitions(element: string, separators: Separators): string[] {
  return isLetterOrDigit(separators.repetition.charCodeAt(0)) ? [element] : element.split(separators.repetition);
}

/** The position of a segment, or of an element or component in it; found only when a problem is reported. */
export function positionOf(segment: Segment, element?: number, component?: number, mark = ":"): Position {
  if (element === undefined) return { segment: segment.index, offset: segment.offset };
  let offset = segment.offset;
  for (let n = 0; n < element && n < segment.elements.length; n++) offset += (segment.elements[n] ?? "").length + 1;
  if (component === undefined) return { segment: segment.index, element, offset };
  const parts = elementOf(segment, element).split(mark);
  for (let n = 1; n < component && n <= parts.length; n++) offset += (parts[n - 1] ?? "").length + 1;
  return { segment: segment.index, element, component, offset };
}

/** An element to write: text, components, or undefined where the model has nothing to say. */
export type WrittenElement = string | undefined | readonly (string | undefined)[];

export interface Written {
  readonly id: string;
  readonly elements: readonly WrittenElement[];
}

export function written(id: string, ...elements: WrittenElement[]): Written {
  return { id, elements };
}

/** The segment's text form without trailing empty elements; throws X12WriteError where data holds a separator. */
export function encodeSegment(segment: Written, separators: Separators): Segment {
  const elements = [segment.id];
  for (const element of segment.elements) {
    if (element === undefined) elements.push("");
    else if (typeof element === "string") elements.push(cleanText(segment.id, element, separators));
    else elements.push(encodeComponents(segment.id, element, separators));
  }
  return { id: segment.id, elements: dropTrailingEmpty(elements), index: 0, offset: 0 };
}

function encodeComponents(id: string, parts: readonly (string | undefined)[], separators: Separators): string {
  let last = parts.length;
  while (last > 0 && (parts[last - 1] ?? "") === "") last--;
  let text = "";
  for (let n = 0; n < last; n++) {
    if (n > 0) text += separators.component;
    text += cleanText(id, parts[n] ?? "", separators);
  }
  return text;
}

export function dropTrailingEmpty(elements: string[]): string[] {
  let last = elements.length;
  while (last > 1 && elements[last - 1] === "") last--;
  elements.length = last;
  return elements;
}

/** The same segment under other marks; throws X12WriteError where its data holds one of them. */
export function translateSegment(segment: Segment, from: Separators, to: Separators): Segment {
  if (sameMarks(from, to)) return segment;
  const elements = segment.elements.map((element) =>
    splitRepetitions(element, from)
      .map((repetition) =>
        repetition
          .split(from.component)
          .map((part) => cleanText(segment.id, part, to))
          .join(to.component),
      )
      .join(to.repetition),
  );
  return { id: segment.id, elements, index: segment.index, offset: segment.offset };
}

export function sameMarks(a: Separators, b: Separators): boolean {
  return (
    a.element === b.element && a.component === b.component && a.repetition === b.repetition && a.segment === b.segment
  );
}

export function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Matches what `isForbidden` names, line breaks excepted. */
export const FORBIDDEN_TEXT = /[^\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffc]/;

/** True for a character that no X12 text may hold: controls, and what a failed decoding leaves behind. */
export function isForbidden(code: number): boolean {
  return code < 32 || (code >= 127 && code < 160) || (code >= 0xd800 && code <= 0xdfff) || code >= 0xfffd;
}

const CLEAN = 0;
const MARK = 1;
const FORBIDDEN = 2;

function stainOf(text: string, { element, component, repetition, segment }: Separators): number {
  const [e, c, r, s] = [
    element.charCodeAt(0),
    component.charCodeAt(0),
    repetition.charCodeAt(0),
    segment.charCodeAt(0),
  ];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === e || code === c || code === r || code === s) return MARK;
    if (isForbidden(code)) return FORBIDDEN;
  }
  return CLEAN;
}

function cleanText(id: string, text: string, separators: Separators): string {
  const stain = stainOf(text, separators);
  if (stain === CLEAN) return text;
  const { element, component, repetition, segment } = separators;
  const code = stain === MARK ? "separator-in-data" : "invalid-character";
  const expected = `${id} data without ${element} ${component} ${repetition} ${segment} and control characters`;
  throw new X12WriteError([problemOf(code, { segment: 0, offset: 0 }, expected, text)]);
}
