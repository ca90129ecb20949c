/**
 * X12 syntax: one interchange of groups of transactions, read from text and written back byte for byte. Owns the
 * envelope, its counts and control numbers, and the marks that ISA declares. Knows no implementation guide; what a
 * segment means is left to the transaction formats.
 */
import { checkSegment, type SegmentRule, segmentRule } from "./element.js";
import { type Parsed, ProblemList, problemOf, X12WriteError } from "./problem.js";
import { elementOf, FORBIDDEN_TEXT, isForbidden, positionOf, type Segment, type Separators } from "./segment.js";
import {
  type Header,
  headerText,
  type InterchangeHeader,
  ISA_RULE,
  isLineBreak,
  marksOf,
  readHeader,
} from "./x12-header.js";

export type { InterchangeHeader };

export interface GroupHeader {
  functionalId: string;
  senderCode: string;
  receiverCode: string;
  date: string;
  time: string;
  control: string;
  agency: string;
  version: string;
}

/** One transaction set; its segments are those between ST and SE, and any hierarchy ids in them are its own. */
export interface Transaction {
  setId: string;
  control: string;
  /** ST03, the implementation guide; "" where the header has none. */
  implementation: string;
  segments: readonly Segment[];
}

export interface Group extends GroupHeader {
  transactions: readonly Transaction[];
}

export interface Interchange {
  interchange: InterchangeHeader;
  groups: readonly Group[];
}

const ENVELOPE_RULES: Readonly<Record<string, SegmentRule>> = {
  ISA: ISA_RULE,
  GS: segmentRule(8, ["AN2-2!", "AN2-15!", "AN2-15!", "D!", "T!", "N1-9!", "AN1-2!", "AN1-12!"]),
  ST: segmentRule(3, ["AN3-3!", "AN4-9!", "AN1-35"]),
  SE: segmentRule(2, ["N1-10!", "AN4-9!"]),
  GE: segmentRule(2, ["N1-6!", "N1-9!"]),
  IEA: segmentRule(2, ["N1-5!", "N9-9!"]),
};

/** Reads one interchange. Never throws: the whole file is right, or there is no value and every problem is listed. */
export function parseInterchange(text: string): Parsed<Interchange> {
  const problems = new ProblemList();
  const header = readHeader(text, problems);
  if (header === undefined) return { ok: false, problems: problems.toArray() };
  checkCharacters(text, header.separators, problems);
  const groups = readBody(text, header, problems);
  if (problems.size > 0) return { ok: false, problems: problems.toArray() };
  return { ok: true, value: { interchange: header.value, groups }, problems: [] };
}

function checkCharacters(text: string, separators: Separators, problems: ProblemList): void {
  if (!FORBIDDEN_TEXT.test(text)) return;
  const allowed = `${separators.element}${separators.component}${separators.repetition}${separators.segment}\r\n`;
  let segment = 1;
  const end = separators.segment.charCodeAt(0);
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === end) segment++;
    if (!isForbidden(code) || allowed.includes(text[offset] ?? "")) continue;
    problems.add(
      "invalid-character",
      { segment, offset },
      "a printable character",
      `U+${code.toString(16).padStart(4, "0")}`,
    );
    if (problems.full) return;
  }
}

/** The envelope as it is being read: what is open, and what it still owes. */
interface OpenEnvelope {
  group: OpenGroup | undefined;
  transaction: (Transaction & { start: Segment; body: Segment[] }) | undefined;
  closed: boolean;
  readonly controls: Set<string>;
}

type OpenGroup = GroupHeader & { start: Segment; members: Transaction[]; controls: Set<string> };

function readBody(text: string, header: Header, problems: ProblemList): Group[] {
  const { separators, isa } = header;
  const { element: mark, segment: terminator, lineBreak } = separators;
  const groups: Group[] = [];
  const acknowledgments: Segment[] = [];
  const open: OpenEnvelope = { group: undefined, transaction: undefined, closed: false, controls: new Set() };
  let position = header.end - lineBreak.length;
  let index = 1;
  let breaksDiffer = false;
  while (position < text.length && !problems.full) {
    let start = position;
    while (isLineBreak(text[start]) && text[start] !== terminator) start++;
    const lead = text.slice(position, start);
    if (start === text.length) {
      header.value.ending = lead;
      break;
    }
    index++;
    const at = { segment: index, offset: start };
    if (open.closed) {
      const found = text.slice(start, start + 20);
      problems.add("content-after-interchange", at, "nothing after IEA (one interchange in a file)", found);
      break;
    }
    if (lead !== lineBreak && !breaksDiffer) {
      breaksDiffer = true;
      problems.add("line-break", { segment: index, offset: position }, JSON.stringify(lineBreak), JSON.stringify(lead));
    }
    const end = text.indexOf(terminator, start);
    if (end === -1) {
      problems.add(
        "unterminated-segment",
        at,
        `a segment that ends in ${JSON.stringify(terminator)}`,
        text.slice(start, start + 80),
      );
      break;
    }
    position = end + 1;
    if (end === start) {
      problems.add("empty-segment", at, "a segment between two segment marks", "");
      continue;
    }
    const body = text.slice(start, end);
    const broken = Math.max(body.indexOf("\n"), body.indexOf("\r"));
    if (broken !== -1)
      problems.add(
        "invalid-character",
        { segment: index, offset: start + broken },
        "no line break inside a segment",
        body,
      );
    const elements = body.split(mark);
    const id = elements[0] ?? "";
    if (!isSegmentId(id)) {
      problems.add("invalid-segment-id", at, "two or three capitals or digits, a capital first", id);
      continue;
    }
    acceptSegment({ id, elements, index, offset: start }, open, header, groups, acknowledgments, problems);
  }
  if (!open.closed) closeMissing(["SE", "GE", "IEA"], open, groups, positionOf(isa), problems);
  header.value.acknowledgments = acknowledgments;
  return groups;
}

function isSegmentId(id: string): boolean {
  if (id.length < 2 || id.length > 3) return false;
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index);
    const capital = code >= 65 && code <= 90;
    const digit = index > 0 && code >= 48 && code <= 57;
    if (!capital && !digit) return false;
  }
  return true;
}

function acceptSegment(
  segment: Segment,
  open: OpenEnvelope,
  header: Header,
  groups: Group[],
  acknowledgments: Segment[],
  problems: ProblemList,
): void {
  const { id } = segment;
  const rule = ENVELOPE_RULES[id];
  if (rule === undefined) {
    if (open.transaction !== undefined) open.transaction.body.push(segment);
    else if (id === "TA1" && open.group === undefined && groups.length === 0) acknowledgments.push(segment);
    else problems.add("segment-outside-transaction", positionOf(segment), "a segment between ST and SE", id);
    return;
  }
  if (id === "ISA") {
    problems.add("unexpected-envelope", positionOf(segment), "no second ISA before IEA", "ISA");
    return;
  }
  const at = positionOf(segment);
  checkSegment(segment, rule, header.marks, problems);
  switch (id) {
    case "GS":
      closeMissing(["SE", "GE"], open, groups, at, problems);
      open.group = openGroup(segment);
      break;
    case "ST":
      closeMissing(["SE"], open, groups, at, problems);
      if (open.group === undefined) problems.add("unexpected-envelope", at, "ST inside a group (GS)", "ST");
      open.transaction = openTransaction(segment);
      break;
    case "SE":
      if (open.transaction === undefined) problems.add("unexpected-envelope", at, "SE after ST", "SE");
      else closeTransaction(segment, open, problems);
      break;
    case "GE":
      closeMissing(["SE"], open, groups, at, problems);
      if (open.group === undefined) problems.add("unexpected-envelope", at, "GE after GS", "GE");
      else closeGroup(segment, open, groups, problems);
      break;
    default:
      closeMissing(["SE", "GE"], open, groups, at, problems);
      checkTrailer(segment, groups.length, header.value.control, "ISA13", problems);
      open.closed = true;
  }
}

function openGroup(segment: Segment): OpenGroup {
  const [
    ,
    functionalId = "",
    senderCode = "",
    receiverCode = "",
    date = "",
    time = "",
    control = "",
    agency = "",
    version = "",
  ] = segment.elements;
  return {
    functionalId,
    senderCode,
    receiverCode,
    date,
    time,
    control,
    agency,
    version,
    start: segment,
    members: [],
    controls: new Set(),
  };
}

function openTransaction(segment: Segment): Transaction & { start: Segment; body: Segment[] } {
  const [, setId = "", control = "", implementation = ""] = segment.elements;
  return { setId, control, implementation, segments: [], start: segment, body: [] };
}

function closeTransaction(trailer: Segment | undefined, open: OpenEnvelope, problems: ProblemList): void {
  const { transaction, group } = open;
  open.transaction = undefined;
  if (transaction === undefined) return;
  const { setId, control, implementation, body, start } = transaction;
  if (trailer !== undefined) checkTrailer(trailer, body.length + 2, control, "ST02", problems);
  if (group?.controls.has(control))
    problems.add("duplicate-control", positionOf(start, 2), "a control number used once in the group", control);
  group?.controls.add(control);
  group?.members.push({ setId, control, implementation, segments: body });
}

function closeGroup(trailer: Segment | undefined, open: OpenEnvelope, groups: Group[], problems: ProblemList): void {
  const { group } = open;
  open.group = undefined;
  if (group === undefined) return;
  const { start, members, controls: _, ...rest } = group;
  if (trailer !== undefined) checkTrailer(trailer, members.length, rest.control, "GS06", problems);
  if (open.controls.has(rest.control))
    problems.add("duplicate-control", positionOf(start, 6), "a group control number used once", rest.control);
  open.controls.add(rest.control);
  groups.push({ ...rest, transactions: members });
}

function checkTrailer(trailer: Segment, count: number, control: string, source: string, problems: ProblemList): void {
  const found = elementOf(trailer, 1);
  if (found !== String(count)) problems.add("count-mismatch", positionOf(trailer, 1), String(count), found);
  const same = elementOf(trailer, 2);
  if (same !== control) problems.add("control-mismatch", positionOf(trailer, 2), `${control} (${source})`, same);
}

function closeMissing(
  ids: readonly ("SE" | "GE" | "IEA")[],
  open: OpenEnvelope,
  groups: Group[],
  at: { segment: number; offset: number },
  problems: ProblemList,
): void {
  for (const id of ids) {
    const start = id === "SE" ? open.transaction?.start : id === "GE" ? open.group?.start : undefined;
    if (id !== "IEA" && start === undefined) continue;
    problems.add(
      "trailer-missing",
      start === undefined ? at : positionOf(start),
      `${id} to close this envelope`,
      "none",
    );
    if (id === "SE") closeTransaction(undefined, open, problems);
    if (id === "GE") closeGroup(undefined, open, groups, problems);
  }
}

/** Writes the interchange; counts are computed. Throws X12WriteError where a value would break the envelope. */
export function toInterchange({ interchange: header, groups }: Interchange): string {
  const { element: mark, segment: terminator, lineBreak } = header.separators;
  const end = terminator + lineBreak;
  const parts = [headerText(header)];
  const problems = new ProblemList();
  const inner = marksOf(header.separators);
  let marks = 16;
  const pushEnvelope = (elements: readonly string[]) => {
    const [id = ""] = elements;
    const rule = ENVELOPE_RULES[id];
    if (rule !== undefined) checkSegment({ id, elements, index: parts.length + 1, offset: 0 }, rule, inner, problems);
    push(elements);
  };
  const push = (elements: readonly string[]) => {
    parts.push(elements.join(mark));
    marks += elements.length - 1;
  };
  for (const segment of header.acknowledgments) push(segment.elements);
  for (const group of groups) {
    const { functionalId, senderCode, receiverCode, date, time, control, agency, version } = group;
    pushEnvelope(["GS", functionalId, senderCode, receiverCode, date, time, control, agency, version]);
    for (const { setId, control, implementation, segments } of group.transactions) {
      pushEnvelope(implementation === "" ? ["ST", setId, control] : ["ST", setId, control, implementation]);
      for (const segment of segments) push(segment.elements);
      push(["SE", String(segments.length + 2), control]);
    }
    push(["GE", String(group.transactions.length), control]);
  }
  push(["IEA", String(groups.length), header.control]);
  if (problems.size > 0) throw new X12WriteError(problems.toArray());
  const text = parts.join(end) + terminator + header.ending;
  // One mark more than the structure has means that data would split an element or end a segment early.
  if (countOf(text, mark) !== marks || countOf(text, terminator) !== parts.length)
    throw new X12WriteError([
      problemOf(
        "separator-in-data",
        { segment: 0, offset: 0 },
        `data without ${mark} and ${terminator}`,
        "one in data",
      ),
    ]);
  return text;
}

function countOf(text: string, mark: string): number {
  let count = 0;
  for (let from = text.indexOf(mark); from !== -1; from = text.indexOf(mark, from + 1)) count++;
  return count;
}
