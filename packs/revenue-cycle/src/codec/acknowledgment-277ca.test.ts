import { describe, expect, test } from "vitest";
import { readFixture, replaced, withMarks, withSegments } from "../../fixtures/x12/fixture.js";
import {
  acknowledgmentOutcome,
  type ClaimAcknowledgment,
  parseAcknowledgments,
  type StatusCategory,
  toAcknowledgmentFile,
} from "./acknowledgment-277ca.js";
import type { Envelope } from "./file.js";
import { dropSource } from "./loop.js";
import { X12WriteError } from "./problem.js";

const text = readFixture("acknowledgments.277ca");

function read(file: string): { acknowledgments: readonly ClaimAcknowledgment[]; envelope: Envelope } {
  const parsed = parseAcknowledgments(file);
  if (!parsed.ok) throw new Error(parsed.problems.map((problem) => problem.message).join("\n"));
  return parsed.value;
}

function codes(file: string): string[] {
  const parsed = parseAcknowledgments(file);
  expect(parsed.ok).toBe(false);
  return parsed.problems.map((problem) => problem.code);
}

const { acknowledgments, envelope } = read(text);
const [first, second] = acknowledgments as [ClaimAcknowledgment, ClaimAcknowledgment];

describe("reading and writing", () => {
  test("a file with segments that are not modelled comes back byte for byte", () => {
    expect(toAcknowledgmentFile(acknowledgments, envelope)).toBe(text);
  });

  test("under other marks the same acknowledgments are read and the same bytes come back", () => {
    const other = withMarks(text, "|", ">", "!", "~\n");
    const value = read(other);
    expect(dropSource(value.acknowledgments)).toEqual(dropSource(acknowledgments));
    expect(toAcknowledgmentFile(value.acknowledgments, value.envelope)).toBe(other);
  });

  test("typed fields alone write a file that reads back the same, without source", () => {
    const plain = dropSource(acknowledgments);
    expect(read(toAcknowledgmentFile(plain, envelope)).acknowledgments).toEqual(plain);
  });

  test("claims of one patient share the patient's level and stay apart", () => {
    expect(acknowledgments.map((one) => [one.patient.name, one.patientControlNumber])).toEqual([
      ["ISAACSON", "WT10432"],
      ["DUARTE", "WT10433"],
      ["DUARTE", "WT10434"],
    ]);
  });

  test("a claim's statuses are its own, not its batch's or its lines'", () => {
    expect(first.statuses).toEqual([
      { category: "A2", status: "20", entity: "PR", date: "2026-03-01", action: "WQ", amount: "420.00" },
    ]);
    expect(first.payerClaimControlNumber).toBe("PCN88120");
    expect(second.statuses).toHaveLength(1);
    expect(second.statuses[0]).toMatchObject({
      category: "A7",
      status: "562",
      entity: "85",
      action: "U",
      amount: "75",
    });
    expect(second.payerClaimControlNumber).toBeUndefined();
  });

  test("a patient level that states it has nothing below comes back so", () => {
    const other = text.replaceAll("*PT~", "*PT*0~");
    const value = read(other);
    expect(toAcknowledgmentFile(value.acknowledgments, value.envelope)).toBe(other);
  });

  test("an edited status changes its one segment", () => {
    const statuses = [{ category: "A3" as const, status: "21", date: "2026-03-02", action: "U" as const }];
    const edited = toAcknowledgmentFile([{ ...first, statuses }, ...acknowledgments.slice(1)], envelope);
    expect(edited).toBe(replaced(text, "STC*A2:20:PR*20260301*WQ*420.00", "STC*A3:21*20260302*U"));
  });
});

describe("outcome", () => {
  test.each<[StatusCategory, string]>([
    ["A0", "forwarded"],
    ["A1", "received"],
    ["A2", "accepted"],
    ["A3", "rejected"],
    ["A4", "notFound"],
    ["A5", "split"],
    ["A6", "rejected"],
    ["A7", "rejected"],
    ["A8", "rejected"],
  ])("category %s means %s", (category, outcome) => {
    expect(acknowledgmentOutcome([{ category, status: "20", date: "2026-03-01" }])).toBe(outcome);
  });

  test("one rejection outweighs an acceptance, wherever it stands", () => {
    const accepted = { category: "A2" as const, status: "20", date: "2026-03-01" };
    expect(acknowledgmentOutcome([accepted, { ...accepted, category: "A7" }])).toBe("rejected");
    expect(acknowledgmentOutcome([{ ...accepted, further: [{ category: "A3", status: "21" }] }])).toBe("rejected");
    expect(acknowledgmentOutcome([{ ...accepted, category: "A1" }, accepted])).toBe("accepted");
  });

  test("no status is no outcome", () => {
    expect(acknowledgmentOutcome([])).toBeUndefined();
  });
});

describe("files that are refused", () => {
  test.each([
    ["a category that no acknowledgment has", "STC*A2:20:PR", "STC*F1:20:PR", "invalid-code-value"],
    ["a claim without a status", "STC*A0:16*20260301*WQ*55.5~\n", "", "required-segment-missing"],
    ["a status without an action", "20260301*WQ*420.00", "20260301**420.00", "required-element-missing"],
    ["a level out of order", "HL*3*2*19*1", "HL*3*1*19*1", "hierarchy"],
    ["another guide", "ST*277*0001*005010X214", "ST*277*0001*005010X212", "unsupported-guide"],
    ["an older group", "*X*005010X214", "*X*004040X167", "unsupported-version"],
    ["a patient level without a claim", "HL*5*3*PT", "HL*5*3*PT~\nNM1*QC*1*LONE*SAM~\nHL*6*3*PT", "hierarchy"],
  ])("%s", (_, from, to, code) => {
    expect(codes(withSegments(replaced(text, from, to), (segments) => segments))).toContain(code);
  });

  test("a status whose date does not exist is not written", () => {
    const statuses = [{ category: "A2" as const, status: "20", date: "2026-13-01", action: "WQ" as const }];
    expect(() => toAcknowledgmentFile([{ ...first, statuses }], envelope)).toThrow(X12WriteError);
    expect(() => toAcknowledgmentFile([{ ...first, statuses: [] }], envelope)).toThrow(X12WriteError);
  });
});
