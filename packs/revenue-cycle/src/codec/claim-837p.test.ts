import { describe, expect, test } from "vitest";
import { readFixture, replaced, withMarks, withSegments } from "../../fixtures/x12/fixture.js";
import { checkClaim, type ProfessionalClaim, parseClaims, toClaimFile } from "./claim-837p.js";
import { defineEnvelope, type Envelope } from "./file.js";
import { dropSource } from "./loop.js";
import { type Problem, X12WriteError } from "./problem.js";

const text = readFixture("claims.837p");

function read(file: string): { claims: readonly ProfessionalClaim[]; envelope: Envelope } {
  const parsed = parseClaims(file);
  if (!parsed.ok) throw new Error(parsed.problems.map((problem) => problem.message).join("\n"));
  return parsed.value;
}

function problemsOf(file: string): readonly Problem[] {
  const parsed = parseClaims(file);
  expect(parsed.ok).toBe(false);
  expect("value" in parsed).toBe(false);
  return parsed.problems;
}

const codes = (file: string) => problemsOf(file).map((problem) => problem.code);
const { claims, envelope } = read(text);
const [first, second, third] = claims as [ProfessionalClaim, ProfessionalClaim, ProfessionalClaim, ProfessionalClaim];

/** The fixture with its first claim edited, as lines that differ: removed ones under "-", added ones under "+". */
function editsOf(edit: (claim: ProfessionalClaim) => ProfessionalClaim): { "-": string[]; "+": string[] } {
  const edited = toClaimFile([edit(first), ...claims.slice(1)], envelope);
  expect(parseClaims(edited).problems).toEqual([]);
  const [before, after] = [text.split("~\n"), edited.split("~\n")];
  const trailer = (line: string) => line.startsWith("SE*");
  return {
    "-": before.filter((line) => !after.includes(line) && !trailer(line)),
    "+": after.filter((line) => !before.includes(line) && !trailer(line)),
  };
}

describe("reading and writing", () => {
  test("a file with segments that are not modelled comes back byte for byte", () => {
    expect(toClaimFile(claims, envelope)).toBe(text);
  });

  test("a parsed value survives JSON and still comes back byte for byte", () => {
    const copy = JSON.parse(JSON.stringify({ claims, envelope })) as {
      claims: ProfessionalClaim[];
      envelope: Envelope;
    };
    expect(toClaimFile(copy.claims, copy.envelope)).toBe(text);
  });

  test("under other marks the same claims are read and the same bytes come back", () => {
    const other = withMarks(text, "|", ">", "!", "'\r\n");
    const value = read(other);
    expect(dropSource(value.claims)).toEqual(dropSource(claims));
    expect(toClaimFile(value.claims, value.envelope)).toBe(other);
  });

  test("claims read under one set of marks can be written under another", () => {
    const other = withMarks(text, "|", ">", "!", "'");
    const separators = { element: "|", component: ">", repetition: "!", segment: "'", lineBreak: "" };
    const interchange = { ...envelope.interchange, separators, ending: "" };
    expect(toClaimFile(claims, { ...envelope, interchange })).toBe(other);
  });

  test("typed fields alone write a file that reads back as the same claims", () => {
    const plain = dropSource(claims);
    expect(dropSource(read(toClaimFile(plain, envelope)).claims)).toEqual(plain);
  });

  test("several other payers hang on one claim, in order, and none becomes a subscriber", () => {
    expect(
      first.otherPayers?.map((payer) => [payer.responsibility, payer.payer.id, payer.subscriber.firstName]),
    ).toEqual([
      ["P", "MB001", "GERALD"],
      ["T", "UT300", "NORA"],
    ]);
    expect(first.subscriber.memberId).toBe("00420119A");
    expect(claims).toHaveLength(4);
  });

  test("every diagnosis of every HI is kept, in order, with its qualifier", () => {
    expect(first.diagnoses.map(({ qualifier, code }) => `${qualifier}:${code}`)).toEqual([
      "ABK:J449",
      "ABF:J9611",
      "ABF:I10",
      "ABF:E785",
      "ABF:Z9981",
      "ABF:Z87891",
    ]);
  });

  test("each transaction's header and hierarchy belong to its own claims", () => {
    expect(claims.map((claim) => claim.submission.reference)).toEqual([
      "BATCH-0301",
      "BATCH-0302",
      "BATCH-0302",
      "BATCH-0302",
    ]);
    expect(claims.map((claim) => claim.subscriber.name)).toEqual(["ISAACSON", "DUARTE", "ABARA", "ABARA"]);
    expect(second.patient).toMatchObject({ relationship: "19", firstName: "LEO", birthDate: "2019-03-12" });
    expect(third.patient).toBeUndefined();
  });

  test("amounts and codes keep the form they were written in", () => {
    const [line, next] = first.lines;
    expect([first.total, line?.charge, line?.adjudications?.[0]?.adjustments[0]?.amount]).toEqual([
      "420.00",
      "300.00",
      "64.5",
    ]);
    expect([first.priorAuthorization, line?.controlNumber, next?.controlNumber]).toEqual([
      "00077120",
      "LN0001",
      "LN0002",
    ]);
    expect(second.lines[0]?.ndc).toEqual({ code: "00487950101", quantity: "90", unit: "ML" });
  });

  test("a line's ordering provider, drug and earlier adjudications are read", () => {
    expect(first.lines[0]?.orderingProvider).toEqual({ name: "OKAFOR", firstName: "ADA", npi: "1457301122" });
    expect(first.lines[0]?.adjudications).toMatchObject([{ payerId: "MB001", paid: "198.40", date: "2026-02-20" }]);
    expect(first.lines[0]).toMatchObject({ serviceDate: "2026-02-01", serviceEnd: "2026-02-28", pointers: [1, 2, 5] });
  });
});

describe("editing what was read", () => {
  test("a corrected claim changes its frequency and reference and nothing else", () => {
    expect(editsOf((claim) => ({ ...claim, frequency: "7", originalReference: "PCN88120" }))).toEqual({
      "-": ["CLM*WT10432*420.00***12:B:1*Y*A*Y*Y"],
      "+": ["CLM*WT10432*420.00***12:B:7*Y*A*Y*Y", "REF*F8*PCN88120"],
    });
  });

  test("an added segment takes its place in guide order", () => {
    const edited = toClaimFile(
      [{ ...first, frequency: "7", originalReference: "PCN88120" }, ...claims.slice(1)],
      envelope,
    );
    const ids = edited.split("~\n").map((line) => line.slice(0, 6));
    expect(ids.indexOf("REF*F8")).toBeGreaterThan(ids.indexOf("PWK*OZ"));
    expect(ids.indexOf("REF*F8")).toBeLessThan(ids.indexOf("NTE*AD"));
  });

  test("a changed modifier changes its one segment", () => {
    const edits = editsOf((claim) => ({
      ...claim,
      lines: claim.lines.map((line) => (line.number === 1 ? { ...line, modifiers: ["RR", "XU"] } : line)),
    }));
    expect(edits).toEqual({
      "-": ["SV1*HC:E1390:RR:KX*300.00*UN*1***1:2:5"],
      "+": ["SV1*HC:E1390:RR:XU*300.00*UN*1***1:2:5"],
    });
  });

  test("a changed list of diagnoses is written anew and read back whole", () => {
    const diagnoses = [...first.diagnoses.slice(0, 5), { qualifier: "ABF" as const, code: "Z7722" }];
    const edits = editsOf((claim) => ({ ...claim, diagnoses }));
    expect(edits["+"]).toEqual(["HI*ABK:J449*ABF:J9611*ABF:I10*ABF:E785*ABF:Z9981*ABF:Z7722"]);
    expect(edits["-"]).toHaveLength(2);
  });

  test("a removed adjudication takes its own unmodelled segments with it and no others", () => {
    const edits = editsOf((claim) => ({
      ...claim,
      lines: claim.lines.map((line) => {
        if (line.number !== 1) return line;
        const { adjudications: _, ...rest } = line;
        return rest;
      }),
    }));
    expect(edits["+"]).toEqual([]);
    expect(edits["-"]).toContain("AMT*EAF*37.10");
    expect(edits["-"]).not.toContain("LQ*UT*04.04");
  });

  test("a removed line is gone with all of its segments", () => {
    const edits = editsOf((claim) => ({ ...claim, total: "300.00", lines: claim.lines.slice(0, 1) }));
    expect(edits["-"]).toContain("SV1*HC:E0431:RR*120.00*UN*1*12**1");
    expect(edits["+"]).toEqual(["CLM*WT10432*300.00***12:B:1*Y*A*Y*Y"]);
  });

  test("an edited header keeps the contact details that are not modelled", () => {
    const submission = { ...first.submission, reference: "BATCH-9" };
    const edits = editsOf((claim) => ({ ...claim, submission }));
    expect(edits).toEqual({
      "-": ["BHT*0019*00*BATCH-0301*20260301*0930*CH"],
      "+": ["BHT*0019*00*BATCH-9*20260301*0930*CH"],
    });
  });
});

describe("element errors", () => {
  test("every bad element and component of a segment is reported, and one summary", () => {
    const bad = replaced(text, "CLM*WT10432*420.00***12:B:1*Y*A*Y*Y", "CLM*WT10432*4x0.00***12:C:9*Q*Z*Y*Y");
    const problems = problemsOf(bad).filter((problem) => problem.at.segment === problemsOf(bad)[0]?.at.segment);
    expect(problems.map(({ code, at, found }) => [code, at.element, at.component, found])).toEqual([
      ["invalid-character", 2, undefined, "4x0.00"],
      ["invalid-code-value", 5, 2, "C"],
      ["invalid-code-value", 5, 3, "9"],
      ["invalid-code-value", 6, undefined, "Q"],
      ["invalid-code-value", 7, undefined, "Z"],
      ["segment-has-element-errors", undefined, undefined, "5 element errors"],
    ]);
    for (const { at, found } of problems.slice(0, 5)) expect(bad.slice(at.offset).startsWith(found)).toBe(true);
  });

  test.each([
    ["a missing element", "REF*9F*RF0091", "REF*9F", "required-element-missing", 2],
    ["a text too long", "NTE*ADD*OXYGEN ORDERED AT DISCHARGE", `NTE*ADD*${"X".repeat(81)}`, "element-too-long", 2],
    ["a text too short", "NTE*ADD*OXYGEN", "NTE*AD*OXYGEN", "element-too-short", 1],
    ["a day that does not exist", "DMG*D8*19510704*M", "DMG*D8*19510231*M", "invalid-date", 2],
    ["a range with one end", "RD8*20260201-20260228", "RD8*20260201-", "invalid-date", 3],
    ["a third decimal of money", "AMT*D*278.40", "AMT*D*278.401", "invalid-character", 2],
    ["an unknown unit basis", "120.00*UN*1*12**1", "120.00*DA*1*12**1", "invalid-code-value", 3],
    ["too many components", "SV1*HC:E0431:RR*", "SV1*HC:E0431:RR:A1:A2:A3:D:E:F*", "too-many-components", 1],
    ["too many elements", "LX*2~", "LX*2*2~", "too-many-elements", 2],
    ["a component where none may be", "REF*9F*RF0091", "REF*9F*RF:0091", "too-many-components", 2],
    ["a repetition where none may be", "REF*9F*RF0091", "REF*9F*RF^0091", "too-many-repetitions", 2],
    [
      "an adjustment reason without an amount",
      "CAS*CO*45*64.5~\nCAS*PR*1*30.00*1*2*47.10",
      "CAS*CO*45*64.5~\nCAS*PR*1*30.00*1*2",
      "conditional-element-missing",
      6,
    ],
    ["a time after midnight", "20260301*0931*CH", "20260301*2431*CH", "invalid-time", 5],
    ["an ICD-9 list", "HI*ABK:J4520", "HI*BK:4939", "invalid-code-value", 1],
  ])("%s is one element problem and one summary", (_, from, to, code, element) => {
    const problems = problemsOf(replaced(text, from, to));
    expect(problems.map((problem) => [problem.code, problem.at.element])).toEqual([
      [code, element],
      ["segment-has-element-errors", undefined],
    ]);
  });
});

describe("claims that are refused", () => {
  test.each([
    ["a total a cent off its lines", "CLM*WT10432*420.00*", "CLM*WT10432*420.01*", "claim-total"],
    ["a replacement without the payer's number", "REF*F8*PCN0000881~\n", "", "original-reference-missing"],
    ["a frequency that 837P does not take", "12:B:1*Y*A*Y*Y", "12:B:6*Y*A*Y*Y", "invalid-code-value"],
    ["a second principal diagnosis", "HI*ABF:Z9981", "HI*ABK:Z9981", "diagnosis-list"],
    ["a pointer past the diagnoses", "UN*1***1:2:5", "UN*1***1:2:7", "line-list"],
    ["a gap in the line numbers", "LX*2~", "LX*3~", "line-list"],
    ["the same reference twice", "REF*9F*RF0091", "REF*9F*RF0091~\nREF*9F*RF0092", "segment-repeated"],
    ["a line without a service", "SV1*HC:E0431:RR*120.00*UN*1*12**1~\n", "", "required-segment-missing"],
    ["a drug without its quantity", "CTP****90*ML~\n", "", "required-segment-missing"],
    [
      "a provider without a tax id",
      "N3*410 MILL ROAD~\nN4*SALEM*OR*973010000~\nREF*EI*931234567",
      "N3*410 MILL ROAD~\nN4*SALEM*OR*973010000",
      "required-segment-missing",
    ],
    ["a level that skips a number", "HL*3*2*23*0", "HL*4*2*23*0", "hierarchy"],
    ["a level under the wrong parent", "HL*4*1*22*0", "HL*4*3*22*0", "hierarchy"],
    ["a level that claims to have children", "HL*4*1*22*0", "HL*4*1*22*1", "hierarchy"],
    ["an unknown level", "HL*4*1*22*0", "HL*4*1*99*0", "hierarchy"],
    [
      "a level without a claim",
      "HL*4*1*22*0",
      "HL*4*1*22*0~\nSBR*P*18*******CI~\nNM1*IL*1*A*B****MI*1~\nNM1*PR*2*N*****PI*N~\nHL*5*1*22*0",
      "hierarchy",
    ],
    ["a patient under a member who is the patient", "SBR*P********CI", "SBR*P*18*******CI", "hierarchy"],
    [
      "a member who is not the patient with a claim",
      "HL*5*1*22*0~\nSBR*P*18*******CI",
      "HL*5*1*22*0~\nSBR*P********CI",
      "hierarchy",
    ],
    ["another payer after the lines", "LX*2~", "SBR*T*18*******CI~\nLX*2~", "segment-out-of-place"],
    ["a service before its line", "HI*BG:09", "SV1*HC:E0431*1*UN*1***1", "segment-out-of-place"],
  ])("%s", (_, from, to, code) => {
    const bad = withSegments(replaced(text, from, to), (segments) => segments);
    expect(codes(bad)).toContain(code);
  });

  test("a thirteenth diagnosis", () => {
    expect(codes(replaced(text, "HI*BG:09", `HI*${Array.from({ length: 7 }, () => "ABF:I10").join("*")}`))).toEqual([
      "diagnosis-list",
    ]);
  });

  test("a transaction without claims", () => {
    const cut = withSegments(text, (segments) => {
      const start = segments.findIndex((one) => one.startsWith("HL*1"));
      const end = segments.findIndex((one) => one.startsWith("SE*"));
      return [...segments.slice(0, start), ...segments.slice(end)];
    });
    expect(codes(cut)).toContain("no-content");
  });

  test.each([
    ["an interchange of 4010", "*00501*", "*00401*", "unsupported-version", "00501", "00401"],
    [
      "a group of 4010",
      "*X*005010X222A1~\nST*837*0001",
      "*X*004010X098A1~\nST*837*0001",
      "unsupported-version",
      "005010X222A1",
      "004010X098A1",
    ],
    [
      "another guide",
      "ST*837*0001*005010X222A1",
      "ST*837*0001*005010X223A2",
      "unsupported-guide",
      "005010X222A1",
      "005010X223A2",
    ],
    ["another group kind", "GS*HC*", "GS*HP*", "unsupported-guide", "HC", "HP"],
    ["another transaction", "ST*837*0001", "ST*276*0001", "unsupported-guide", "837", "276"],
  ])("%s, with expected and found at the place", (_, from, to, code, expected, found) => {
    const bad = replaced(text, from, to);
    const [problem, ...others] = problemsOf(bad).filter((one) => one.at.element !== 11);
    expect(problem).toMatchObject({ code, expected, found });
    expect(others).toEqual([]);
  });

  test("a remittance is no claim file", () => {
    expect(codes(readFixture("remittance.835"))).toContain("unsupported-guide");
  });
});

describe("claims that are not written", () => {
  const plain = dropSource(third);
  test.each<[string, ProfessionalClaim]>([
    ["a total a cent off", { ...plain, total: "55.51" }],
    ["a void without the payer's number", { ...plain, frequency: "8" }],
    ["data with a separator", { ...plain, patientControlNumber: "A*1" }],
    ["data with a line break", { ...plain, priorAuthorization: "A\n1" }],
    [
      "a date that does not exist",
      { ...plain, lines: plain.lines.map((line) => ({ ...line, serviceDate: "2026-02-30" })) },
    ],
    ["an amount that is none", { ...plain, total: "x" }],
    ["no lines", { ...plain, total: "0", lines: [] }],
    [
      "five modifiers",
      { ...plain, lines: plain.lines.map((line) => ({ ...line, modifiers: ["RR", "KX", "GA", "LT", "XU"] })) },
    ],
    ["no diagnosis", { ...plain, diagnoses: [] }],
    ["a group that the envelope lacks", { ...plain, submission: { ...plain.submission, group: 1 } }],
  ])("%s", (_, claim) => {
    expect(() => toClaimFile([claim], envelope)).toThrow(X12WriteError);
  });

  test("no claims at all, or an envelope whose parts do not fit", () => {
    expect(() => toClaimFile([], envelope)).toThrow(X12WriteError);
    const options = { senderId: "A", receiverId: "NFH900", date: "2026-03-01", time: "0930", control: 1 };
    expect(() => toClaimFile([plain], defineEnvelope(options))).toThrow(X12WriteError);
    expect(() => defineEnvelope({ ...options, control: 1_000_000_000 })).toThrow(X12WriteError);
  });

  test("a claim that can be sent has no problems, one that cannot names each", () => {
    expect(checkClaim(plain)).toEqual([]);
    const found = checkClaim({ ...plain, frequency: "7", total: "1" }).map((problem) => problem.code);
    expect(found).toEqual(["claim-total", "original-reference-missing"]);
  });
});
