import { describe, expect, test } from "vitest";
import { readFixture, replaced, withMarks, withSegments } from "../../fixtures/x12/fixture.js";
import type { Envelope } from "./file.js";
import { dropSource } from "./loop.js";
import { type Problem, X12WriteError } from "./problem.js";
import { type ClaimPayment, parseRemittances, type Remittance, toRemittanceFile } from "./remittance-835.js";
import { type BalanceFormula, balanceRemittance } from "./remittance-835-balance.js";

const text = readFixture("remittance.835");

function read(file: string): { remittances: readonly Remittance[]; envelope: Envelope } {
  const parsed = parseRemittances(file);
  if (!parsed.ok) throw new Error(parsed.problems.map((problem) => problem.message).join("\n"));
  return parsed.value;
}

function problemsOf(file: string): readonly Problem[] {
  const parsed = parseRemittances(file);
  expect(parsed.ok).toBe(false);
  return parsed.problems;
}

const { remittances, envelope } = read(text);
const [remittance] = remittances as [Remittance];
const [claim, reversal, replacement] = remittance.claims as [ClaimPayment, ClaimPayment, ClaimPayment];

function edited(edit: (claim: ClaimPayment) => ClaimPayment): string {
  return toRemittanceFile([{ ...remittance, claims: [edit(claim), reversal, replacement] }], envelope);
}

describe("reading and writing", () => {
  test("a file with segments that are not modelled comes back byte for byte", () => {
    expect(toRemittanceFile(remittances, envelope)).toBe(text);
  });

  test("under other marks the same payments are read and the same bytes come back", () => {
    const other = withMarks(text, "|", ">", "!", "\n");
    const value = read(other);
    expect(dropSource(value.remittances)).toEqual(dropSource(remittances));
    expect(toRemittanceFile(value.remittances, value.envelope)).toBe(other);
  });

  test("typed fields alone write a file that reads back the same, without source", () => {
    const plain = dropSource(remittances);
    const file = toRemittanceFile(plain, envelope);
    const again = read(file).remittances;
    const [first, ...others] = plain[0]?.claims ?? [];
    const { batch: _, ...unbatched } = first ?? claim;
    expect(again).toEqual([{ ...plain[0], claims: [unbatched, ...others] }]);
    expect(toRemittanceFile(again, envelope)).toBe(file);
  });

  test("two payments in one group stay two", () => {
    const two = [
      { ...remittance, control: "0001" },
      { ...remittance, control: "0002", trace: "EFT2" },
    ];
    const file = toRemittanceFile(two, envelope);
    expect(read(file).remittances.map((one) => [one.control, one.trace, one.claims.length])).toEqual([
      ["0001", "EFT0087712", 3],
      ["0002", "EFT2", 3],
    ]);
  });

  test("amounts keep the form they were written in", () => {
    expect([claim.paid, replacement.paid, remittance.providerAdjustments[1]?.amount]).toEqual([
      "188.4",
      "60.00",
      "-5.50",
    ]);
  });

  test("remarks of the claim and of the line are kept apart", () => {
    expect(claim.remarks).toEqual(["MA01", "MA18"]);
    expect(claim.lines.map((line) => line.remarks)).toEqual([[], ["M62", "N54"]]);
  });

  test("what was billed is read beside what was adjudicated", () => {
    expect(claim.lines[1]).toMatchObject({
      hcpcs: "E0431",
      original: { hcpcs: "E0434", modifiers: ["RR"] },
      originalUnits: "2",
    });
  });

  test("every provider adjustment is read, whichever segment it stands in", () => {
    expect(remittance.providerAdjustments.map(({ reason, reference, amount }) => [reason, reference, amount])).toEqual([
      ["WO", "PCN88001", "10.00"],
      ["L6", "INT9", "-5.50"],
      ["72", undefined, "0"],
      ["FB", undefined, "0"],
    ]);
  });

  test("claims keep the batch they stand in", () => {
    expect(remittance.claims.map((one) => one.batch?.number)).toEqual(["1", "2", "2"]);
  });

  test("an edited payment changes its one segment", () => {
    expect(edited((one) => ({ ...one, payerControlNumber: "PCN9" }))).toBe(
      replaced(text, "*47.1*12*PCN88120*12*1", "*47.1*12*PCN9*12*1"),
    );
  });

  test("an edited name leaves an identifier of another kind as it stood", () => {
    const medicare = replaced(text, "GERALD*T***MI*00420119A", "GERALD*T***HN*1EG4TE5MK73");
    const value = read(medicare);
    const claims = value.remittances[0]?.claims.map((one, n) =>
      n === 0 ? { ...one, patient: { ...one.patient, firstName: "GERRY" } } : one,
    );
    const file = toRemittanceFile([{ ...remittance, ...value.remittances[0], claims: claims ?? [] }], value.envelope);
    expect(file).toBe(replaced(medicare, "GERALD*T***HN", "GERRY*T***HN"));
  });
});

describe("files that are refused", () => {
  test.each([
    ["the group code that is no longer used", "CAS*CO*197*120", "CAS*CR*197*120", "invalid-code-value"],
    ["a claim status that no 835 has", "CLP*WT10432*1*", "CLP*WT10432*5*", "invalid-code-value"],
    ["a claim without a batch", "LX*1~\nTS3*1932101234*12*20261231*2*480~\n", "", "segment-out-of-place"],
    ["a batch without a claim", "LX*2~", "LX*2~\nLX*3~", "segment-out-of-place"],
    ["a claim after the provider adjustments", "SE*", "CLP*X*1*0*0**12*P~\nNM1*QC*1*A~\nSE*", "segment-out-of-place"],
    ["a claim without a patient", "NM1*QC*1*ISAACSON*GERALD*T***MI*00420119A~\n", "", "required-segment-missing"],
    ["a payment without a trace", "TRN*1*EFT0087712*1912345678~\n", "", "required-segment-missing"],
    [
      "an amount without a reason",
      "PLB*1932101234*20261231*FB*0",
      "PLB*1932101234*20261231*FB*0**5",
      "conditional-element-missing",
    ],
    ["an older group", "*X*005010X221A1", "*X*004010X091A1", "unsupported-version"],
  ])("%s", (_, from, to, code) => {
    const bad = withSegments(replaced(text, from, to), (segments) => segments);
    expect(problemsOf(bad).map((problem) => problem.code)).toContain(code);
  });

  test.each<[string, Partial<ClaimPayment>]>([
    ["six claim remarks", { remarks: ["MA01", "MA02", "MA03", "MA04", "MA05", "MA06"] }],
    ["a name with a separator", { patient: { name: "A~B" } }],
    ["an amount with three decimals", { paid: "1.234" }],
  ])("%s is not written", (_, change) => {
    expect(() => edited((one) => ({ ...one, ...change }))).toThrow(X12WriteError);
  });
});

describe("balance", () => {
  const formulas = (value: Remittance): BalanceFormula[] => balanceRemittance(value).map((problem) => problem.formula);
  const withClaim = (change: Partial<ClaimPayment>) => ({
    ...remittance,
    claims: [{ ...claim, ...change }, reversal, replacement],
  });
  const [line, denied] = claim.lines;
  if (line === undefined || denied === undefined) throw new Error("two lines expected");

  test("a remittance that adds up has no problems, reversal and recoupment included", () => {
    expect(balanceRemittance(remittance)).toEqual([]);
  });

  test("a line a cent off is named with its formula, place, expected and found", () => {
    const value = withClaim({ lines: [{ ...line, paid: "188.41" }, denied] });
    expect(balanceRemittance(value)).toMatchObject([
      {
        formula: "line",
        claim: { index: 0, patientControlNumber: "WT10432" },
        line: 0,
        expected: "188.40",
        found: "188.41",
      },
      { formula: "claim-lines", claim: { index: 0 }, expected: "188.40", found: "188.41" },
    ]);
  });

  test("a claim charge a cent off breaks the claim alone", () => {
    expect(balanceRemittance(withClaim({ charge: "420.01" }))).toMatchObject([
      { formula: "claim", expected: "188.41", found: "188.4" },
    ]);
  });

  test("a claim payment a cent off breaks claim, lines and payment", () => {
    expect(formulas(withClaim({ paid: "188.39" }))).toEqual(["claim", "claim-lines", "payment"]);
  });

  test("the same adjustment at both levels is found", () => {
    const adjustments = [{ group: "CO" as const, reason: "197", amount: "120" }];
    expect(formulas(withClaim({ adjustments }))).toEqual(["claim", "claim-lines"]);
  });

  test("an adjustment at claim level lowers the claim and not its lines", () => {
    const adjustments = [{ group: "PR" as const, reason: "1", amount: "8.40" }];
    const value = { ...withClaim({ adjustments, paid: "180.00", patientResponsibility: "55.5" }), paid: "195.50" };
    expect(balanceRemittance(value)).toEqual([]);
  });

  test("a payment a cent off is found", () => {
    expect(balanceRemittance({ ...remittance, paid: "203.91" })).toMatchObject([
      { formula: "payment", expected: "203.90", found: "203.91" },
    ]);
  });

  test("a positive provider adjustment lowers the payment", () => {
    const [first, ...rest] = remittance.providerAdjustments;
    if (first === undefined) throw new Error("an adjustment expected");
    const more = { ...remittance, providerAdjustments: [{ ...first, amount: "30.00" }, ...rest] };
    expect(balanceRemittance(more)).toMatchObject([{ formula: "payment", expected: "183.90" }]);
  });

  test("patient responsibility is the sum of PR adjustments, and absent means none", () => {
    expect(balanceRemittance(withClaim({ patientResponsibility: "47.09" }))).toMatchObject([
      { formula: "patient-responsibility", expected: "47.10", found: "47.09" },
    ]);
    const { patientResponsibility: _, ...silent } = claim;
    expect(formulas({ ...remittance, claims: [silent, reversal, replacement] })).toEqual(["patient-responsibility"]);
    expect(replacement.patientResponsibility).toBe("0");
    expect(reversal.patientResponsibility).toBeUndefined();
  });

  test("a reversal's patient responsibility is not asked for, its amounts are", () => {
    const adjustments = [{ group: "PR" as const, reason: "2", amount: "-20" }];
    expect(formulas({ ...remittance, claims: [claim, { ...reversal, adjustments }, replacement] })).toEqual([]);
    const half = [{ group: "PR" as const, reason: "2", amount: "-19.99" }];
    expect(formulas({ ...remittance, claims: [claim, { ...reversal, adjustments: half }, replacement] })).toEqual([
      "claim",
    ]);
  });

  test("a payment below zero is found even where the sums agree", () => {
    const value = { ...remittance, claims: [reversal], providerAdjustments: [], paid: "-40" };
    expect(formulas(value)).toEqual(["payment-sign"]);
    const deferred = { providerId: "1", fiscalYearEnd: "2026-12-31", reason: "FB", amount: "-40" };
    expect(formulas({ ...value, providerAdjustments: [deferred], paid: "0" })).toEqual([]);
  });
});
