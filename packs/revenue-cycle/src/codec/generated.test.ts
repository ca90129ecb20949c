/** Properties over generated files: whatever a writer accepts reads back as it was, and damage never passes unseen. */
import { describe, expect, test } from "vitest";
import { type FixtureName, readFixture, seededRandom, withSegments } from "../../fixtures/x12/fixture.js";
import { type ClaimAcknowledgment, parseAcknowledgments, toAcknowledgmentFile } from "./acknowledgment-277ca.js";
import type { Adjustment } from "./adjustment.js";
import { type ClaimLine, type ProfessionalClaim, parseClaims, toClaimFile } from "./claim-837p.js";
import { formatCents, subtractMoney, sumMoney } from "./decimal.js";
import { defineEnvelope, type Envelope } from "./file.js";
import type { Parsed } from "./problem.js";
import {
  type ClaimPayment,
  type PaymentLine,
  parseRemittances,
  type Remittance,
  toRemittanceFile,
} from "./remittance-835.js";
import { balanceRemittance } from "./remittance-835-balance.js";
import { parseInterchange, toInterchange } from "./x12.js";

type Random = (below: number) => number;

const FILES = 200;
const MARKS = ["*:^~\n", "|>!~", "*:^\n", "+/%;\r\n", "\x1d\x1f\x1e\x1c"];
const NAMES = ["ISAACSON", "ISA", "GSTAAD", "O'NEIL", "LE GRAND", "SMITH-STOWE", "ÅBERG", "SE"];
const CODES = ["E1390", "E0431", "J7613", "A4253", "00420"];

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)] as T;
const some = <T>(random: Random, most: number, make: (n: number) => T, least = 0): T[] =>
  Array.from({ length: least + random(most - least + 1) }, (_, n) => make(n));
const maybe = <K extends string, T>(random: Random, key: K, make: () => T): { [P in K]?: T } =>
  random(2) === 0 ? {} : ({ [key]: make() } as { [P in K]?: T });
const digits = (random: Random, length: number) => Array.from({ length }, () => random(10)).join("");
const money = (random: Random) => pick(random, [formatCents(random(100000)), String(random(900)), `${random(90)}.5`]);
const day = (random: Random) => `2026-${pick(random, ["01", "02", "12"])}-${String(1 + random(28)).padStart(2, "0")}`;
const person = (random: Random) => ({
  name: pick(random, NAMES),
  ...maybe(random, "firstName", () => pick(random, NAMES)),
  ...maybe(random, "middleName", () => "Q"),
});
const address = (random: Random) => ({
  line1: `${random(900)} MILL ROAD`,
  ...maybe(random, "line2", () => "SUITE 4"),
  city: "SALEM",
  state: "OR",
  postalCode: digits(random, 5),
});
const procedure = (random: Random) => ({
  hcpcs: pick(random, CODES),
  modifiers: some(random, 4, () => pick(random, ["RR", "KX", "LT", "XU"])),
  ...maybe(random, "description", () => "BY PUMP"),
});
const adjustment = (random: Random): Adjustment => ({
  group: pick(random, ["CO", "PR", "OA", "PI"] as const),
  reason: pick(random, ["45", "197", "2", "00420"]),
  amount: money(random),
  ...maybe(random, "quantity", () => String(1 + random(9))),
});

function envelopeOf(random: Random): Envelope {
  const [element = "", component = "", repetition = "", segment = "", ...rest] = pick(random, MARKS);
  const separators = { element, component, repetition, segment, lineBreak: rest.join("") };
  return defineEnvelope({
    senderId: "WRHC01",
    receiverId: "NFH900",
    date: "2026-03-01",
    time: "0930",
    control: random(999999999),
    separators,
  });
}

function lineOf(random: Random, number: number, diagnoses: number): ClaimLine {
  return {
    ...procedure(random),
    number,
    charge: money(random),
    unitBasis: pick(random, ["UN", "MJ"] as const),
    units: pick(random, ["1", "1.5", "30"]),
    ...maybe(random, "placeOfService", () => "12"),
    pointers: some(random, 4, () => 1 + random(diagnoses), 1),
    serviceDate: day(random),
    ...maybe(random, "serviceEnd", () => day(random)),
    ...maybe(random, "priorAuthorization", () => digits(random, 8)),
    ...maybe(random, "controlNumber", () => digits(random, 6)),
    ...maybe(random, "ndc", () => ({ code: digits(random, 11), quantity: "2.5", unit: "ML" })),
    ...maybe(random, "orderingProvider", () => ({ ...person(random), npi: digits(random, 10) })),
    ...maybe(random, "adjudications", () =>
      some(
        random,
        2,
        () => ({
          ...procedure(random),
          payerId: digits(random, 5),
          paid: money(random),
          units: "1",
          adjustments: some(random, 9, () => adjustment(random)),
          date: day(random),
        }),
        1,
      ),
    ),
  };
}

function claimOf(
  random: Random,
  shared: Pick<ProfessionalClaim, "submission" | "billingProvider" | "payer">,
): ProfessionalClaim {
  const diagnoses = some(
    random,
    12,
    (n) => ({ qualifier: n === 0 ? ("ABK" as const) : ("ABF" as const), code: `I${n}` }),
    1,
  );
  const lines = some(random, 4, (n) => lineOf(random, n + 1, diagnoses.length), 1);
  const frequency = pick(random, ["1", "7", "8"] as const);
  return {
    ...shared,
    subscriber: {
      ...person(random),
      memberId: digits(random, 9),
      responsibility: pick(random, ["P", "S", "T"] as const),
      filingCode: "CI",
      ...maybe(random, "groupNumber", () => digits(random, 5)),
      ...maybe(random, "address", () => address(random)),
      ...(random(2) === 0 ? {} : { birthDate: day(random), sex: "F" as const }),
    },
    ...maybe(random, "patient", () => ({
      ...person(random),
      relationship: "19",
      birthDate: day(random),
      sex: "U" as const,
    })),
    patientControlNumber: digits(random, 8),
    total: sumMoney(lines.map((line) => line.charge)),
    placeOfService: "12",
    frequency,
    ...(frequency === "1" ? {} : { originalReference: digits(random, 9) }),
    ...maybe(random, "priorAuthorization", () => digits(random, 8)),
    ...maybe(random, "referral", () => digits(random, 8)),
    ...maybe(random, "acceptsAssignment", () => "C" as const),
    diagnoses,
    ...maybe(random, "attachments", () =>
      some(random, 3, () => ({ reportType: "OZ", transmission: "EL", control: "A1" }), 1),
    ),
    ...maybe(random, "notes", () => [{ code: "ADD", text: "A NOTE" }]),
    ...maybe(random, "referringProvider", () => ({ ...person(random), npi: digits(random, 10) })),
    ...maybe(random, "renderingProvider", () => ({
      ...person(random),
      npi: digits(random, 10),
      taxonomy: "207RP1001X",
    })),
    ...maybe(random, "facility", () => ({ name: "DEPOT", address: address(random) })),
    ...maybe(random, "otherPayers", () =>
      some(
        random,
        2,
        () => ({
          responsibility: "P" as const,
          relationship: "18",
          filingCode: "MB",
          adjustments: some(random, 8, () => adjustment(random)),
          ...maybe(random, "paid", () => money(random)),
          subscriber: { ...person(random), memberId: digits(random, 9) },
          payer: { name: "OTHER", id: digits(random, 5) },
          ...maybe(random, "paidDate", () => day(random)),
        }),
        1,
      ),
    ),
    lines,
  };
}

function claimsOf(random: Random): ProfessionalClaim[] {
  return some(
    random,
    2,
    (n) => {
      const shared = {
        submission: {
          control: String(n + 1).padStart(4, "0"),
          reference: digits(random, 6),
          date: day(random),
          time: "0930",
          submitter: {
            name: "WINDRIVER",
            id: "WRHC01",
            ...maybe(random, "contact", () => ({ name: "MARA", phone: "5035550117" })),
          },
          receiver: { name: "NORTHFIELD", id: "NFH900" },
        },
        billingProvider: {
          name: "WINDRIVER",
          npi: digits(random, 10),
          taxId: digits(random, 9),
          ...maybe(random, "address", () => address(random)),
        },
        payer: { name: "NORTHFIELD", id: "NFH900" },
      };
      return some(random, 3, () => claimOf(random, shared), 1);
    },
    1,
  ).flat();
}

function paymentLineOf(random: Random): PaymentLine {
  const adjustments = some(random, 8, () => adjustment(random));
  const charge = money(random);
  return {
    ...procedure(random),
    charge,
    paid: subtractMoney(charge, sumMoney(adjustments.map((one) => one.amount))),
    adjustments,
    ...maybe(random, "units", () => "2"),
    ...maybe(random, "original", () => procedure(random)),
    ...maybe(random, "serviceDate", () => day(random)),
    ...maybe(random, "controlNumber", () => digits(random, 6)),
    ...maybe(random, "allowed", () => money(random)),
    remarks: some(random, 2, () => pick(random, ["M62", "N115"])),
  };
}

function paymentOf(random: Random): ClaimPayment {
  const adjustments = some(random, 2, () => adjustment(random));
  const lines = some(random, 3, () => paymentLineOf(random));
  const all = [...adjustments, ...lines.flatMap((line) => line.adjustments)];
  const charge = lines.length === 0 ? money(random) : sumMoney(lines.map((line) => line.charge));
  const owed = sumMoney(all.filter((one) => one.group === "PR").map((one) => one.amount));
  return {
    patientControlNumber: digits(random, 8),
    status: pick(random, ["1", "2", "3"] as const),
    charge,
    paid: subtractMoney(charge, sumMoney(all.map((one) => one.amount))),
    ...(owed === "0.00" ? {} : { patientResponsibility: owed }),
    filingCode: "12",
    payerControlNumber: digits(random, 9),
    adjustments,
    patient: { ...person(random), ...maybe(random, "memberId", () => digits(random, 9)) },
    ...maybe(random, "renderingProvider", () => ({ ...person(random), npi: digits(random, 10) })),
    remarks: some(random, 5, () => "MA01"),
    ...maybe(random, "statementFrom", () => day(random)),
    lines,
  };
}

function remittancesOf(random: Random): Remittance[] {
  return some(
    random,
    2,
    (n) => {
      const claims = some(random, 3, () => paymentOf(random));
      const providerAdjustments = some(random, 8, () => ({
        providerId: pick(random, ["1932101234", "1932101235"]),
        fiscalYearEnd: "2026-12-31",
        reason: "WO",
        amount: money(random),
        ...maybe(random, "reference", () => digits(random, 6)),
      }));
      const withheld = sumMoney(providerAdjustments.map((one) => one.amount));
      return {
        control: String(n + 1).padStart(4, "0"),
        paid: subtractMoney(sumMoney(claims.map((one) => one.paid)), withheld),
        method: "CHK" as const,
        date: day(random),
        trace: digits(random, 9),
        originId: `1${digits(random, 9)}`,
        payer: { name: "NORTHFIELD", ...maybe(random, "address", () => address(random)) },
        payee: { name: "WINDRIVER", id: digits(random, 10) },
        claims,
        providerAdjustments,
      };
    },
    1,
  );
}

function acknowledgmentsOf(random: Random): ClaimAcknowledgment[] {
  const shared = {
    header: { control: "0001", reference: digits(random, 6), date: day(random), time: "1105" },
    informationSource: {
      role: "PR" as const,
      name: "NORTHFIELD",
      id: "NFH900",
      ...maybe(random, "trace", () => digits(random, 6)),
    },
    receiver: { name: "WINDRIVER", id: "WRHC01", ...maybe(random, "batchReference", () => digits(random, 6)) },
    provider: { name: "WINDRIVER", npi: digits(random, 10) },
  };
  return some(
    random,
    4,
    () => ({
      ...shared,
      patient: { ...person(random), ...maybe(random, "memberId", () => digits(random, 9)) },
      patientControlNumber: digits(random, 8),
      statuses: some(
        random,
        2,
        () => ({
          category: pick(random, ["A1", "A2", "A7"] as const),
          status: "20",
          date: day(random),
          action: pick(random, ["U", "WQ"] as const),
          ...maybe(random, "entity", () => "85"),
          ...maybe(random, "amount", () => money(random)),
        }),
        1,
      ),
      ...maybe(random, "payerClaimControlNumber", () => digits(random, 9)),
      ...maybe(random, "serviceDate", () => day(random)),
    }),
    1,
  );
}

function wholeOf<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(parsed.problems.map((problem) => problem.message).join("\n"));
  return parsed.value;
}

const claimsBack = (text: string) => {
  const { claims, envelope } = wholeOf(parseClaims(text));
  return toClaimFile(claims, envelope);
};
const remittancesBack = (text: string) => {
  const { remittances, envelope } = wholeOf(parseRemittances(text));
  return toRemittanceFile(remittances, envelope);
};
const acknowledgmentsBack = (text: string) => {
  const { acknowledgments, envelope } = wholeOf(parseAcknowledgments(text));
  return toAcknowledgmentFile(acknowledgments, envelope);
};

describe("generated files", () => {
  test("claims read back as they were written, and write the same bytes", () => {
    for (let seed = 1; seed <= FILES; seed++) {
      const random = seededRandom(seed);
      const claims = claimsOf(random);
      const text = toClaimFile(claims, envelopeOf(random));
      expect(wholeOf(parseClaims(text)).claims).toEqual(claims);
      expect(claimsBack(text)).toBe(text);
    }
  });

  test("remittances read back as they were written, and write the same bytes", () => {
    for (let seed = 1; seed <= FILES; seed++) {
      const random = seededRandom(seed);
      const remittances = remittancesOf(random);
      const text = toRemittanceFile(remittances, envelopeOf(random));
      expect(wholeOf(parseRemittances(text)).remittances).toEqual(remittances);
      expect(remittancesBack(text)).toBe(text);
    }
  });

  test("acknowledgments read back as they were written, and write the same bytes", () => {
    for (let seed = 1; seed <= FILES; seed++) {
      const random = seededRandom(seed);
      const acknowledgments = acknowledgmentsOf(random);
      const text = toAcknowledgmentFile(acknowledgments, envelopeOf(random));
      expect(wholeOf(parseAcknowledgments(text)).acknowledgments).toEqual(acknowledgments);
      expect(acknowledgmentsBack(text)).toBe(text);
    }
  });

  test("a remittance built to add up does, and one amount moved by a cent does not", () => {
    for (let seed = 1; seed <= FILES; seed++) {
      const random = seededRandom(seed);
      const [remittance] = remittancesOf(random);
      const [claim, ...others] = remittance?.claims ?? [];
      if (remittance === undefined || claim === undefined) continue;
      const sums = balanceRemittance(remittance).filter((problem) => problem.formula !== "payment-sign");
      expect(sums).toEqual([]);
      const claims = [{ ...claim, paid: sumMoney([claim.paid, "0.01"]) }, ...others];
      expect(balanceRemittance({ ...remittance, claims }).map((problem) => problem.formula)).toContain("payment");
    }
  });
});

describe("damaged and foreign text", () => {
  const readers: readonly [FixtureName, (text: string) => Parsed<unknown>, (text: string) => string][] = [
    ["claims.837p", parseClaims, claimsBack],
    ["acknowledgments.277ca", parseAcknowledgments, acknowledgmentsBack],
    ["remittance.835", parseRemittances, remittancesBack],
  ];

  test.each(readers)("%s with segments of unknown meaning anywhere comes back byte for byte", (name, _, back) => {
    for (let seed = 1; seed <= FILES; seed++) {
      const random = seededRandom(seed);
      const text = withSegments(readFixture(name), (segments) => {
        const inside = segments.flatMap((one, n) => (/^(ISA|GS|SE|GE|IEA|PLB)|^$/.test(one) ? [] : [n]));
        const places = new Set(some(random, 6, () => pick(random, inside), 1));
        return segments.flatMap((one, n) =>
          places.has(n) ? [one, pick(random, ["K3*NOTE", "ZZ9*00420**", "QTY*ZZ*1.50", "ZA*A:B:*C^D"])] : [one],
        );
      });
      expect(back(text)).toBe(text);
    }
  });

  test.each(readers)(
    "%s damaged at random is refused with problems, or is whole and comes back byte for byte",
    (name, parse, back) => {
      const text = readFixture(name);
      let refused = 0;
      for (let seed = 1; seed <= 5 * FILES; seed++) {
        const random = seededRandom(seed);
        const [at, length] = [random(text.length), random(12)];
        const damage = pick(random, [
          "",
          "*",
          "~",
          ":",
          "^",
          "~\n",
          "0",
          "ISA*",
          "HL*1",
          "\n",
          "\u0000",
          "É",
          "-",
          "LX*1~\n",
        ]);
        const bad = text.slice(0, at) + damage + text.slice(at + length);
        const parsed = parse(bad);
        if (parsed.ok) expect(back(bad)).toBe(bad);
        else {
          refused++;
          expect(parsed.problems.length).toBeGreaterThan(0);
        }
        const syntax = parseInterchange(bad);
        if (syntax.ok) expect(toInterchange(syntax.value)).toBe(bad);
      }
      expect(refused).toBeGreaterThan(FILES);
    },
  );

  test.each(readers)("%s: a megabyte of levels, claims or lines is refused soon", (name, parse) => {
    const head = readFixture(name).split("~\n").slice(0, 8).join("~\n");
    const [, interchange, group, control] = /\*00501\*(\d+).*\*(\d+)\*X\*.*ST\*\d+\*(\d+)/s.exec(head) ?? [];
    for (const filler of [
      "HL*1**20*1",
      "CLM*A*1***11:B:1*Y*A*Y*Y",
      "LX*1",
      "CAS*CO*45*1",
      "NM1*QC*1*A",
      "TRN*2*A",
      "PLB*1*20261231*WO*1",
      "SVC*HC:A*1*1",
    ]) {
      const lines = Math.floor(1_000_000 / (filler.length + 2));
      const body = `~\n${filler}`.repeat(lines);
      const text = `${head}${body}~\nSE*${lines + 7}*${control}~\nGE*1*${group}~\nIEA*1*${interchange}~\n`;
      expect(parseInterchange(text).ok).toBe(true);
      expect(parse(text).ok).toBe(false);
    }
  });
});
