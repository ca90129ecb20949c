import { describe, expect, test } from "vitest";
import {
  acknowledgmentOutcome,
  balanceRemittance,
  parseAcknowledgments,
  parseClaims,
  parseInterchange,
  parseRemittances,
} from "../codec/index.js";
import { acknowledgmentFile, claimFile, remittanceFile } from "./edi-files.js";
import { openSmallOffice } from "./tools/small-office.js";

const office = () => {
  const world = openSmallOffice();
  return {
    world,
    claim: world.need("claims", "CLM-1"),
    lines: world.where("claim_lines", { claim: "CLM-1" }),
    remit: world.need("remits", "ERA-1"),
    remitLines: world.where("remit_lines", { remit: "ERA-1" }),
  };
};
const unwrap = <T>(parsed: { ok: boolean; value?: T; problems: readonly unknown[] }): T => {
  expect(parsed.problems).toEqual([]);
  return parsed.value!;
};

describe("claim files", () => {
  test("a claim file parses back to what the rows say", () => {
    const { claim } = office();
    const [parsed] = unwrap(parseClaims(claim.file)).claims;
    expect(parsed).toMatchObject({
      patientControlNumber: "WT1000001",
      total: "1200",
      frequency: "1",
      diagnoses: [{ code: "G4733" }, { code: "I10" }],
    });
    expect(
      parsed!.lines.map(({ hcpcs, modifiers, units, ndc }) => ({ hcpcs, modifiers, units, ndc: ndc?.code })),
    ).toEqual([
      { hcpcs: "E0601", modifiers: ["RR", "KX"], units: "1", ndc: undefined },
      { hcpcs: "J1745", modifiers: [], units: "10", ndc: "57894003001" },
    ]);
  });

  test("the same rows give the same bytes", () => {
    const { world, claim, lines } = office();
    expect(claimFile(world, claim, lines)).toBe(claimFile(world, claim, lines));
  });

  test("a dependent's claim names the subscriber and the patient apart", () => {
    const { world, claim, lines } = office();
    world.update("coverages", "COV-1", {
      relationship: "child",
      subscriber: "Ben Okafor",
      subscriberBirthDate: "1940-02-03",
    });
    const [parsed] = unwrap(parseClaims(claimFile(world, claim, lines))).claims;
    expect(parsed).toMatchObject({
      subscriber: { name: "OKAFOR", firstName: "BEN" },
      patient: { name: "OKAFOR", firstName: "ADA", relationship: "19" },
    });
  });

  test("a claim to the secondary payer carries what the primary decided on each line", () => {
    const { world, claim, lines } = office();
    const secondary = {
      ...claim,
      coverage: "COV-2",
      payer: "medicare-region-c",
      memberId: "1AC2DE3FG45",
      corrects: "CLM-1",
    };
    const [parsed] = unwrap(parseClaims(claimFile(world, secondary, lines))).claims;
    expect(parsed!.otherPayers).toHaveLength(1);
    expect(parsed!.lines[1]!.adjudications).toMatchObject([
      { payerId: "NFHP1", paid: "0", adjustments: [{ group: "CO", reason: "197", amount: "1000" }] },
    ]);
  });

  test("lines that do not add up to the claim are refused", () => {
    const { world, claim, lines } = office();
    expect(() => claimFile(world, { ...claim, total: "1199.99" }, lines)).toThrow("1199.99");
  });

  test("a replacement without the payer's number is refused", () => {
    const { world, claim, lines } = office();
    expect(() => claimFile(world, { ...claim, frequency: "7" }, lines)).toThrow("REF*F8");
  });
});

describe("acknowledgment files", () => {
  test.each([
    ["A1", "received"],
    ["A2", "accepted"],
    ["A7", "rejected"],
    ["A7:164:IL", "rejected"],
  ] as const)("a 277CA of category %s says that the claim was %s", (category, outcome) => {
    const { world, claim } = office();
    const text = acknowledgmentFile(world, { source: "277CA", receivedOn: "2026-01-25", category }, claim);
    const [parsed] = unwrap(parseAcknowledgments(text)).acknowledgments;
    expect(parsed!.patientControlNumber).toBe("WT1000001");
    expect(acknowledgmentOutcome(parsed!.statuses)).toBe(outcome);
  });

  test.each(["A", "E", "R"])("a 999 with code %s is a whole interchange that answers the claim's group", (category) => {
    const { world, claim } = office();
    const { groups } = unwrap(
      parseInterchange(acknowledgmentFile(world, { source: "999", receivedOn: "2026-01-24", category }, claim)),
    );
    const claimGroup = unwrap(parseInterchange(claim.file)).groups[0]!.control;
    const segments = groups[0]!.transactions[0]!.segments;
    expect(segments[0]!.elements.slice(0, 3)).toEqual(["AK1", "HC", claimGroup]);
    expect(segments.find(({ id }) => id === "AK9")!.elements[1]).toBe(category);
  });

  test("a category that the format does not have is refused", () => {
    const { world, claim } = office();
    expect(() =>
      acknowledgmentFile(world, { source: "277CA", receivedOn: "2026-01-25", category: "B2" }, claim),
    ).toThrow("B2");
    expect(() => acknowledgmentFile(world, { source: "999", receivedOn: "2026-01-25", category: "X" }, claim)).toThrow(
      "X",
    );
  });
});

describe("remittance files", () => {
  test("a remittance file parses back and balances", () => {
    const { remit } = office();
    const [parsed] = unwrap(parseRemittances(remit.file)).remittances;
    expect(balanceRemittance(parsed!)).toEqual([]);
    expect(parsed!.claims[0]).toMatchObject({ status: "1", charge: "1200", paid: "0", remarks: ["MA01"] });
    expect(parsed!.claims[0]!.lines[0]).toMatchObject({
      adjustments: [{ group: "CO", reason: "197", amount: "200" }],
      remarks: ["M62"],
      controlNumber: "WT1000001-1",
    });
  });

  test("money moved outside the claim lowers the payment, and the file still balances", () => {
    const { world, claim, remit, remitLines } = office();
    const paid = remitLines.map((line) => ({ ...line, paid: line.charge, adjustments: [] }));
    const text = remittanceFile(world, { ...remit, paid: "1200.00" }, paid, claim, [
      { reason: "WO", reference: "P1", amount: "200.00" },
    ]);
    const [parsed] = unwrap(parseRemittances(text)).remittances;
    expect(parsed!.paid).toBe("1000");
    expect(balanceRemittance(parsed!)).toEqual([]);
  });

  test("a payment below zero is carried forward, and the file still balances", () => {
    const { world, claim, remit, remitLines } = office();
    const text = remittanceFile(world, remit, remitLines, claim, [{ reason: "WO", reference: "P1", amount: "50.00" }]);
    const [parsed] = unwrap(parseRemittances(text)).remittances;
    expect(parsed!.paid).toBe("0");
    expect(parsed!.providerAdjustments).toMatchObject([
      { reason: "WO", amount: "50" },
      { reason: "FB", amount: "-50" },
    ]);
    expect(balanceRemittance(parsed!)).toEqual([]);
  });

  test("a decision that replaces another reverses it in the same file", () => {
    const { world, claim, remit, remitLines } = office();
    const paid = remitLines.map((line) => ({ ...line, paid: line.charge, adjustments: [] }));
    const text = remittanceFile(world, { ...remit, trace: "2", paid: "1200.00" }, paid, claim, [], {
      remit,
      lines: remitLines,
      claim,
    });
    const [parsed] = unwrap(parseRemittances(text)).remittances;
    expect(parsed!.claims.map(({ status, charge, paid: amount }) => [status, charge, amount])).toEqual([
      ["22", "-1200", "0"],
      ["1", "1200", "1200"],
    ]);
    expect(balanceRemittance(parsed!)).toEqual([]);
  });

  test("rows that do not balance are refused with the amount that is off", () => {
    const { world, claim, remit, remitLines } = office();
    expect(() => remittanceFile(world, { ...remit, paid: "1.00" }, remitLines, claim)).toThrow(
      "what is paid is 1.00, the lines give 0.00",
    );
    expect(() => remittanceFile(world, { ...remit, patientResponsibility: "5.00" }, remitLines, claim)).toThrow(
      "patient's part",
    );
    expect(() => remittanceFile(world, remit, [{ ...remitLines[0]!, paid: "3.00" }, remitLines[1]!], claim)).toThrow(
      "LIN-1",
    );
  });
});
