/**
 * ISA, the header of an interchange: fixed widths, and the marks that the rest of the file uses. Owns reading the
 * marks from where ISA declares them and padding what is written. Knows nothing of what follows ISA.
 */
import { checkSegment, segmentRule } from "./element.js";
import { ProblemList, X12WriteError } from "./problem.js";
import { isLetterOrDigit, positionOf, type Segment, type Separators } from "./segment.js";

/** What ISA says, without the blanks that pad it; dates are YYMMDD and times HHMM, as written. */
export interface InterchangeHeader {
  authorizationQualifier: string;
  authorization: string;
  securityQualifier: string;
  security: string;
  senderQualifier: string;
  senderId: string;
  receiverQualifier: string;
  receiverId: string;
  date: string;
  time: string;
  version: string;
  control: string;
  acknowledgmentRequested: string;
  usage: string;
  separators: Separators;
  /** TA1 segments that stand before the first group. */
  acknowledgments: readonly Segment[];
  /** Line breaks after the last segment mark. */
  ending: string;
}

const ISA_WIDTHS = [2, 10, 2, 10, 2, 15, 2, 15, 6, 4, 1, 5, 9, 1, 1, 1];
const ISA_LENGTH_LIMIT = 300;
export const ISA_RULE = segmentRule(16, [
  "AN2-2!",
  "AN10-10!",
  "AN2-2!",
  "AN10-10!",
  "AN2-2!",
  "AN15-15!",
  "AN2-2!",
  "AN15-15!",
  "N6-6!",
  "T!",
  "",
  "N5-5!",
  "N9-9!",
  "=0|1!",
  "=P|T!",
  "",
]);

/** ISA as read; the text after it begins at `end`, past the segment mark. */
export interface Header {
  readonly value: InterchangeHeader;
  readonly separators: Separators;
  /** The marks that no envelope element may hold: ISA11 is one only from version 00402 on. */
  readonly marks: Separators;
  readonly isa: Segment;
  readonly end: number;
}

/** Reads ISA by its element marks, wherever they stand; undefined where the rest of the file cannot be read by it. */
export function readHeader(file: string, problems: ProblemList): Header | undefined {
  const start = { segment: 1, offset: 0 };
  if (!file.startsWith("ISA")) {
    problems.add("not-an-interchange", start, "text that begins with ISA", file.slice(0, 20));
    return undefined;
  }
  const mark = file[3] ?? "";
  const elements = ["ISA"];
  let from = 4;
  while (mark !== "" && elements.length < 16) {
    const next = file.indexOf(mark, from);
    if (next === -1 || next > ISA_LENGTH_LIMIT) break;
    elements.push(file.slice(from, next));
    from = next + 1;
  }
  if (elements.length < 16 || file.length < from + 2) {
    problems.add("header-incomplete", start, "ISA with 16 elements and a segment mark", file.slice(0, 110));
    return undefined;
  }
  elements.push(file[from] ?? "");
  const segment = file[from + 1] ?? "";
  let end = from + 2;
  while (isLineBreak(file[end]) && file[end] !== segment) end++;
  const separators: Separators = {
    element: mark,
    component: elements[16] ?? "",
    repetition: elements[11] ?? "",
    segment,
    lineBreak: file.slice(from + 2, end),
  };
  if (!checkSeparators(separators, elements[12] ?? "", problems)) return undefined;
  const isa: Segment = { id: "ISA", elements, index: 1, offset: 0 };
  checkHeader(isa, separators, problems);
  const text = (n: number) => (elements[n] ?? "").trimEnd();
  const value: InterchangeHeader = {
    authorizationQualifier: text(1),
    authorization: text(2),
    securityQualifier: text(3),
    security: text(4),
    senderQualifier: text(5),
    senderId: text(6),
    receiverQualifier: text(7),
    receiverId: text(8),
    date: text(9),
    time: text(10),
    version: text(12),
    control: text(13),
    acknowledgmentRequested: text(14),
    usage: text(15),
    separators,
    acknowledgments: [],
    ending: "",
  };
  return { value, separators, marks: marksOf(separators), isa, end };
}

function checkHeader(isa: Segment, separators: Separators, problems: ProblemList): void {
  checkSegment(isa, ISA_RULE, { ...separators, component: "\0", repetition: "\0" }, problems);
  const { component, repetition, segment } = marksOf(separators);
  isa.elements.forEach((text, n) => {
    if (n === 11 || n === 16) return;
    const mark = [component, repetition, segment, "\r", "\n"].find((one) => text.includes(one));
    if (mark !== undefined)
      problems.add("invalid-character", positionOf(isa, n), "an ISA element without separators and line breaks", text);
  });
}

/** The marks that apply inside elements: a letter in ISA11 (before version 00402) is not one. */
export function marksOf(separators: Separators): Separators {
  const repeats = !isLetterOrDigit(separators.repetition.charCodeAt(0));
  return repeats ? separators : { ...separators, repetition: "\0" };
}

function checkSeparators(separators: Separators, version: string, problems: ProblemList): boolean {
  const { element, component, repetition, segment } = separators;
  const before = problems.size;
  const repeats = version >= "00402" || repetition !== "U";
  const marks = repeats ? [element, component, repetition, segment] : [element, component, segment];
  const at = { segment: 1, offset: 0 };
  for (const mark of marks) {
    const unfit = mark === " " || isLetterOrDigit(mark.charCodeAt(0)) || (mark !== segment && isLineBreak(mark));
    if (unfit || mark.length !== 1)
      problems.add("invalid-separator", at, "one character that is no letter, digit, blank or line break", mark);
  }
  if (new Set(marks).size !== marks.length)
    problems.add(
      "invalid-separator",
      at,
      "element, component, repetition and segment marks that differ",
      marks.join(""),
    );
  return problems.size === before;
}

/** ISA padded to its widths; throws X12WriteError where a value does not fit. */
export function headerText(header: InterchangeHeader): string {
  const { separators } = header;
  const elements = [
    header.authorizationQualifier,
    header.authorization,
    header.securityQualifier,
    header.security,
    header.senderQualifier,
    header.senderId,
    header.receiverQualifier,
    header.receiverId,
    header.date,
    header.time,
    separators.repetition,
    header.version,
    header.control,
    header.acknowledgmentRequested,
    header.usage,
    separators.component,
  ].map((text, index) => text.padEnd(ISA_WIDTHS[index] ?? 0, " "));
  const isa = { id: "ISA", elements: ["ISA", ...elements], index: 1, offset: 0 };
  const problems = new ProblemList();
  checkSeparators(separators, header.version, problems);
  checkHeader(isa, separators, problems);
  if (problems.size > 0) throw new X12WriteError(problems.toArray());
  return isa.elements.join(separators.element);
}

export function isLineBreak(character: string | undefined): boolean {
  return character === "\n" || character === "\r";
}
