import { describe, expect, test } from "vitest";
import { type FixtureName, readFixture, replaced, withMarks, withSegments } from "../../fixtures/x12/fixture.js";
import { type Problem, X12WriteError } from "./problem.js";
import { splitComponents, splitRepetitions } from "./segment.js";
import { type Interchange, parseInterchange, toInterchange } from "./x12.js";

const FIXTURES: readonly FixtureName[] = ["claims.837p", "acknowledgments.277ca", "remittance.835"];
const claims = readFixture("claims.837p");

function read(text: string): Interchange {
  const parsed = parseInterchange(text);
  if (!parsed.ok) throw new Error(parsed.problems.map((problem) => problem.message).join("\n"));
  return parsed.value;
}

function problemsOf(text: string): readonly Problem[] {
  const parsed = parseInterchange(text);
  expect(parsed.ok).toBe(false);
  return parsed.problems;
}

const codes = (text: string) => problemsOf(text).map((problem) => problem.code);

describe("writing what was read", () => {
  test.each(FIXTURES)("%s comes back byte for byte", (name) => {
    const text = readFixture(name);
    expect(toInterchange(read(text))).toBe(text);
  });

  test.each([
    ["|", ">", "^", "~"],
    ["|", ">", "!", "\n"],
    ["\x1d", "\x1f", "\x1e", "\x1c"],
    ["*", ":", "^", "~\r\n"],
    ["+", "/", "%", "'\n\n"],
  ])("marks %j %j %j %j come from the header and come back", (element, component, repetition, end) => {
    const text = withMarks(claims, element, component, repetition, end);
    const { interchange, groups } = read(text);
    expect(interchange.separators).toMatchObject({
      element,
      component,
      repetition,
      segment: end[0],
      lineBreak: end.slice(1),
    });
    const service = groups[0]?.transactions[0]?.segments.find((segment) => segment.id === "SV1");
    expect(splitComponents(service?.elements[1] ?? "", interchange.separators)).toEqual(["HC", "E1390", "RR", "KX"]);
    expect(toInterchange({ interchange, groups })).toBe(text);
  });

  test("a file that ends at its last segment mark comes back without a line break", () => {
    const text = claims.trimEnd();
    expect(toInterchange(read(text))).toBe(text);
  });

  test("unknown segments, trailing empty elements, padding and repetitions are kept", () => {
    const text = withSegments(claims, (segments) =>
      segments.flatMap((segment) =>
        segment.startsWith("REF*D9") ? [segment, "ZZ9*A^B^C*00420**", "K3*  X "] : [segment],
      ),
    );
    const value = read(text);
    expect(toInterchange(value)).toBe(text);
    const odd = value.groups[0]?.transactions[0]?.segments.find((segment) => segment.id === "ZZ9");
    expect(odd?.elements).toEqual(["ZZ9", "A^B^C", "00420", "", ""]);
    expect(splitRepetitions(odd?.elements[1] ?? "", value.interchange.separators)).toEqual(["A", "B", "C"]);
  });

  test("interchange acknowledgments before the first group are kept", () => {
    const text = replaced(claims, "\nGS*HC", "\nTA1*000000001*260301*0930*A*000~\nGS*HC");
    expect(toInterchange(read(text))).toBe(text);
  });

  test("an older version is read with the header's letter U as no separator", () => {
    const text =
      "ISA*00*          *00*          *ZZ*UNUM           *ZZ*UU             *260301*0930*U*00401*000000001*0*T*:~GS*HC*UNUM*UU*20260301*0930*1*X*004010X098A1~ST*837*0001~REF*UU*UUU~SE*3*0001~GE*1*1~IEA*1*000000001~";
    expect(toInterchange(read(text))).toBe(text);
  });

  test("data that holds a separator is refused", () => {
    const value = read(claims);
    const [group] = value.groups;
    const [transaction] = group?.transactions ?? [];
    if (group === undefined || transaction === undefined) throw new Error("no transaction");
    const bad = (text: string) => {
      const segments = [{ id: "K3", elements: ["K3", text], index: 0, offset: 0 }];
      return { ...value, groups: [{ ...group, transactions: [{ ...transaction, segments }] }] };
    };
    expect(() => toInterchange(bad("A*B"))).toThrow(X12WriteError);
    expect(() => toInterchange(bad("A~B"))).toThrow(X12WriteError);
    expect(() =>
      toInterchange({ ...value, interchange: { ...value.interchange, senderId: "LONGER THAN FIFTEEN" } }),
    ).toThrow(X12WriteError);
  });
});

describe("envelopes", () => {
  test("names and data that look like envelope segments are data", () => {
    const text = replaced(claims, "NM1*IL*1*ISAACSON*NORA", "NM1*IL*1*ISA*IEA*GS*ST*SE");
    const [first, second] = read(text).groups[0]?.transactions ?? [];
    expect(second?.control).toBe("0002");
    expect(first?.segments.some((segment) => segment.elements[3] === "ISA")).toBe(true);
  });

  test("transactions of one group stay apart, each with its own hierarchy ids", () => {
    const transactions = read(claims).groups[0]?.transactions ?? [];
    const ids = transactions.map((one) => one.segments.filter((s) => s.id === "HL").map((s) => s.elements[1]));
    expect(ids).toEqual([
      ["1", "2"],
      ["1", "2", "3", "4", "5"],
    ]);
    expect(transactions.map((one) => one.segments[0]?.elements[3])).toEqual(["BATCH-0301", "BATCH-0302"]);
  });

  test.each([
    ["a segment count", "SE*83*0001", "SE*82*0001", "count-mismatch", "83", "82"],
    ["a segment count with a leading zero", "SE*83*0001", "SE*083*0001", "count-mismatch", "83", "083"],
    ["a group count of 0", "GE*2*301", "GE*0*301", "count-mismatch", "2", "0"],
    ["a group total", "IEA*1*000000301", "IEA*2*000000301", "count-mismatch", "1", "2"],
    ["a transaction's control number", "SE*83*0001", "SE*83*0002", "control-mismatch", "0001 (ST02)", "0002"],
    ["a group's control number", "GE*2*301", "GE*2*302", "control-mismatch", "301 (GS06)", "302"],
    [
      "the interchange's control number",
      "IEA*1*000000301",
      "IEA*1*000000302",
      "control-mismatch",
      "000000301 (ISA13)",
      "000000302",
    ],
  ])("%s that is wrong is reported with expected and found", (_, from, to, code, expected, found) => {
    const text = replaced(claims, from, to);
    const problems = problemsOf(text);
    expect(problems.map((problem) => [problem.code, problem.expected, problem.found])).toEqual([
      [code, expected, found],
    ]);
    expect(text.slice(problems[0]?.at.offset).startsWith(found)).toBe(true);
  });

  test("every wrong trailer of one file is reported", () => {
    const wrong = claims.replace("SE*83*0001", "SE*7*0009").replace("GE*2*301", "GE*0*302");
    expect(codes(wrong)).toEqual(["count-mismatch", "control-mismatch", "count-mismatch", "control-mismatch"]);
  });

  test.each(["SE*83*0001~\n", "GE*2*301~\n", "IEA*1*000000301~\n"])("a missing %j is reported", (trailer) => {
    expect(codes(replaced(claims, trailer, ""))).toContain("trailer-missing");
  });

  test("a control number used twice is reported", () => {
    const text = claims.replace("ST*837*0002", "ST*837*0001").replace("*0002~\nGE", "*0001~\nGE");
    expect(codes(text)).toEqual(["duplicate-control"]);
  });

  test.each([
    ["a second ISA inside", "BHT*0019*00*BATCH-0302", "ISA*00~\nBHT*0019*00*BATCH-0302", "unexpected-envelope"],
    ["a segment before any transaction", "ST*837*0001", "REF*X~\nST*837*0001", "segment-outside-transaction"],
    ["a second interchange", "IEA*1*000000301~\n", `IEA*1*000000301~\n${claims}`, "content-after-interchange"],
    ["an empty segment", "REF*2U*0003000~\n", "REF*2U*0003000~\n~\n", "empty-segment"],
    ["a segment id in small letters", "REF*2U*0003000", "ref*2U*0003000", "invalid-segment-id"],
    ["another line break than the header's", "REF*2U*0003000~\n", "REF*2U*0003000~\r\n", "line-break"],
    ["a control character", "GERALD*T***MI*00420119A~\nN3", "GER\u0007LD*T***MI*00420119A~\nN3", "invalid-character"],
    ["a line break inside a segment", "NTE*ADD*OXYGEN ", "NTE*ADD*OXYGEN\n", "invalid-character"],
    ["an ISA of the wrong width", "*WRHC01         *ZZ", "*WRHC01*ZZ", "element-too-short"],
    ["an ISA element that holds a segment mark", "*WRHC01         *ZZ", "*WRHC01    ~    *ZZ", "invalid-character"],
    ["an ISA with a letter for a mark", "*0*T*:~", "*0*T*X~", "invalid-separator"],
    ["an ISA with one mark twice", "*0*T*:~", "*0*T*^~", "invalid-separator"],
  ])("%s is reported", (_, from, to, code) => {
    expect(codes(replaced(claims, from, to))).toContain(code);
  });
});

describe("text that is no X12", () => {
  const megabyte = 1_000_000;
  test.each([
    ["nothing", ""],
    ["blanks", "   \n  "],
    ["a word", "ISAACSON"],
    ["only ISA", "ISA"],
    ["a header that never ends", `ISA*${"x".repeat(megabyte)}`],
    ["a megabyte of one letter", "A".repeat(megabyte)],
    ["a megabyte of marks", claims.slice(0, 107) + "~".repeat(megabyte)],
    ["a megabyte of stars", claims.slice(0, 107) + "*".repeat(megabyte)],
    ["a megabyte of headers", claims.slice(0, 107) + "ST*837*0001~\n".repeat(megabyte / 13)],
    [
      "a megabyte of numbered transactions",
      claims.slice(0, 160) +
        Array.from({ length: 40_000 }, (_, n) => `ST*837*${10_000 + n}~\nSE*2*${10_000 + n}~\n`).join(""),
    ],
    ["a megabyte of controls", claims.slice(0, 107) + "\u0000\u0001".repeat(megabyte / 2)],
    ["binary", String.fromCharCode(...Array.from({ length: 5000 }, (_, n) => (n * 7919) % 65536))],
  ])("%s gives problems without a throw", (_, text) => {
    const problems = problemsOf(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThanOrEqual(1001);
  });

  test("a file cut short at any character gives no value", () => {
    for (let length = 0; length < claims.length - 1; length++) {
      const parsed = parseInterchange(claims.slice(0, length));
      if (parsed.ok || parsed.problems.length === 0) throw new Error(`accepted when cut at ${length}`);
    }
  });
});
