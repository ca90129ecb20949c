/**
 * A file of transactions of one implementation guide. Owns the envelope a caller states (control numbers, parties,
 * dates; no clock here) and the refusal of any other version or guide. Knows nothing of what a transaction says.
 */
import { fromIsoDate, type IsoDate } from "./calendar.js";
import { refuseToWrite } from "./loop.js";
import { type ProblemCode, ProblemList } from "./problem.js";
import { type Segment, type Separators, STANDARD_SEPARATORS } from "./segment.js";
import type { Reading } from "./slots.js";
import { type GroupHeader, type InterchangeHeader, parseInterchange, toInterchange } from "./x12.js";

export interface Guide {
  readonly functionalId: string;
  readonly setId: string;
  readonly version: string;
}

/** Everything of a file but its transactions. */
export interface Envelope {
  interchange: InterchangeHeader;
  groups: readonly Omit<GroupHeader, "functionalId" | "version">[];
}

/** One transaction's place and content; `group` counts the envelope's groups from 0. */
export interface FileTransaction {
  readonly group: number;
  readonly control: string;
  readonly segments: readonly Segment[];
}

/** What a sender decides about an envelope with one group. `control` is a whole number, at most nine digits. */
export interface EnvelopeOptions {
  senderId: string;
  receiverId: string;
  date: IsoDate;
  /** HHMM. */
  time: string;
  control: number;
  senderQualifier?: string;
  receiverQualifier?: string;
  /** T for test (the default), P for production. */
  usage?: "T" | "P";
  separators?: Separators;
}

/** An envelope with one group, its control numbers taken from `control`. */
export function defineEnvelope(options: EnvelopeOptions): Envelope {
  const { senderId, receiverId, time, control, separators = STANDARD_SEPARATORS } = options;
  if (!Number.isInteger(control) || control < 0 || control > 999_999_999)
    throw refuseToWrite("control-mismatch", "a control number from 0 to 999999999", String(control));
  const date = fromIsoDate(options.date);
  return {
    interchange: {
      authorizationQualifier: "00",
      authorization: "",
      securityQualifier: "00",
      security: "",
      senderQualifier: options.senderQualifier ?? "ZZ",
      senderId,
      receiverQualifier: options.receiverQualifier ?? "ZZ",
      receiverId,
      date: date.slice(2),
      time,
      version: "00501",
      control: String(control).padStart(9, "0"),
      acknowledgmentRequested: "0",
      usage: options.usage ?? "T",
      separators,
      acknowledgments: [],
      ending: separators.lineBreak,
    },
    groups: [{ senderCode: senderId, receiverCode: receiverId, date, time, control: String(control), agency: "X" }],
  };
}

/** A file as read: whole and of the right guide, or undefined with the reasons in `problems`. */
export function readFile(
  text: string,
  guide: Guide,
): {
  problems: ProblemList;
  file?: { envelope: Envelope; transactions: readonly FileTransaction[]; reading: Reading };
} {
  const problems = new ProblemList();
  const parsed = parseInterchange(text);
  if (!parsed.ok) {
    problems.addAll(parsed.problems);
    return { problems };
  }
  const { interchange, groups } = parsed.value;
  const transactions: FileTransaction[] = [];
  let starts: readonly number[] | undefined;
  const at = (segment: number) => {
    starts ??= startsOf(text, interchange.separators);
    return { segment, offset: starts[segment - 1] ?? 0 };
  };
  const require = (code: ProblemCode, index: number, element: number, expected: string, found: string) => {
    if (expected !== found) problems.add(code, { ...at(index), element }, expected, found);
  };
  require("unsupported-version", 1, 12, "00501", interchange.version);
  let segment = 1 + interchange.acknowledgments.length;
  groups.forEach((group, index) => {
    segment++;
    require("unsupported-guide", segment, 1, guide.functionalId, group.functionalId);
    require("unsupported-version", segment, 8, guide.version, group.version);
    if (group.transactions.length === 0)
      problems.add("empty-group", at(segment), "at least one transaction in the group", "none");
    for (const { setId, implementation, control, segments } of group.transactions) {
      segment++;
      require("unsupported-guide", segment, 1, guide.setId, setId);
      require("unsupported-guide", segment, 3, guide.version, implementation);
      transactions.push({ group: index, control, segments });
      segment += segments.length + 1;
    }
    segment++;
  });
  if (groups.length === 0) problems.add("empty-group", at(1), "at least one group", "none");
  if (problems.size > 0) return { problems };
  const envelope = { interchange, groups: groups.map(({ functionalId, version, transactions: _, ...group }) => group) };
  return { problems, file: { envelope, transactions, reading: { separators: interchange.separators, problems } } };
}

function startsOf(text: string, { segment, lineBreak }: Separators): number[] {
  const starts = [0];
  for (let end = text.indexOf(segment); end !== -1; end = text.indexOf(segment, end + 1))
    starts.push(end + 1 + lineBreak.length);
  return starts;
}

/** Writes transactions into their groups, numbering from 0001 those that state no control number. */
export function writeFile(
  envelope: Envelope,
  guide: Guide,
  transactions: readonly { group?: number | undefined; control?: string | undefined; segments: readonly Segment[] }[],
): string {
  if (transactions.length === 0) throw refuseToWrite("no-content", "at least one transaction", "none");
  const groups = envelope.groups.map((group) => ({
    ...group,
    functionalId: guide.functionalId,
    version: guide.version,
    transactions: [] as { setId: string; control: string; implementation: string; segments: readonly Segment[] }[],
  }));
  transactions.forEach(({ group = 0, control, segments }, n) => {
    const home = groups[group];
    if (home === undefined) throw refuseToWrite("empty-group", `a group below ${groups.length}`, String(group));
    const number = control ?? String(n + 1).padStart(4, "0");
    if (home.transactions.some((other) => other.control === number))
      throw refuseToWrite("duplicate-control", "a control number used once in the group", number);
    home.transactions.push({ setId: guide.setId, control: number, implementation: guide.version, segments });
  });
  const empty = groups.find((group) => group.transactions.length === 0);
  if (empty !== undefined) throw refuseToWrite("empty-group", "at least one transaction in each group", empty.control);
  return toInterchange({ interchange: envelope.interchange, groups });
}
