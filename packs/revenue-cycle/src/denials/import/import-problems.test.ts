import { expect, it } from "vitest";
import type { ImportFiles } from "./import-files.js";
import { importTasks } from "./import-tasks.js";
import { edited, readSample } from "./sample.fixture.js";

const sample = readSample();
const [claims, remits, acks] = [sample.claims[0]!, sample.remits[0]!, sample.acks[0]!];

const claimsWith = (from: string, to: string): ImportFiles => ({ ...sample, claims: [edited(claims, from, to)] });
const remitsWith = (from: string, to: string): ImportFiles => ({ ...sample, remits: [edited(remits, from, to)] });
const acksWith = (from: string, to: string): ImportFiles => ({ ...sample, acks: [edited(acks, from, to)] });
const chartsWith = (name: string, text: string): ImportFiles => ({
  ...sample,
  charts: [...sample.charts, { name, text }],
});

/** The segment's number in the text, counted from 1. */
function numberOf(text: string, start: string): number {
  return text.split("~\n").findIndex((segment) => segment.startsWith(start)) + 1;
}

const cases: readonly [what: string, files: ImportFiles, problem: Readonly<Record<string, string>>][] = [
  [
    "a claim file that is no X12",
    { ...sample, claims: [{ name: "claims.837", text: "name,amount\n" }] },
    {
      file: "claims.837",
      at: "segment 1",
      code: "not-an-interchange",
      expected: "text that begins with ISA",
      found: "name,amount\n",
    },
  ],
  [
    "a file of the wrong kind",
    { ...sample, claims: [{ ...remits, name: "r.835" }] },
    { file: "r.835", at: "segment 2 (GS), element 1", code: "unsupported-guide", expected: "HC", found: "HP" },
  ],
  [
    "a file cut short",
    { ...sample, claims: [{ ...claims, text: claims.text.slice(0, 900) }] },
    { file: "claims.837", code: "unterminated-segment" },
  ],
  [
    "a claim total that is not its lines'",
    claimsWith("CLM*PH1001*172.5*", "CLM*PH1001*180*"),
    {
      file: "claims.837",
      at: `segment ${numberOf(claims.text, "CLM*PH1001")} (CLM)`,
      code: "claim-total",
      found: "180",
    },
  ],
  [
    "a date that is none",
    claimsWith("DMG*D8*19790418*F", "DMG*D8*19790431*F"),
    {
      file: "claims.837",
      at: `segment ${numberOf(claims.text, "DMG*D8*19790418")} (DMG), element 2`,
      code: "invalid-date",
      found: "19790431",
    },
  ],
  [
    "a replacement that names no original",
    claimsWith("REF*F8*PCN90050001~\n", ""),
    { file: "claims.837", code: "count-mismatch" },
  ],
  [
    "a line that does not balance",
    remitsWith("CAS*CO*45*134.2~", "CAS*CO*45*134.1~"),
    {
      file: "remits.835",
      at: `segment ${numberOf(remits.text, "SVC*HC:E1390")} (SVC), element 3`,
      code: "unbalanced",
      expected: "136.74",
      found: "136.64",
    },
  ],
  [
    "a claim that does not balance",
    remitsWith("CLP*PH1002*1*423*136.64*", "CLP*PH1002*1*423*146.64*"),
    {
      file: "remits.835",
      at: `segment ${numberOf(remits.text, "CLP*PH1002")} (CLP), element 4`,
      code: "unbalanced",
      expected: "136.64",
      found: "146.64",
    },
  ],
  [
    "a patient's part that does not balance",
    remitsWith("*136.64*34.16*", "*136.64*44.16*"),
    {
      file: "remits.835",
      at: `segment ${numberOf(remits.text, "CLP*PH1002")} (CLP), element 5`,
      code: "unbalanced",
      expected: "34.16",
      found: "44.16",
    },
  ],
  [
    "a payment that does not balance",
    remitsWith("BPR*I*136.64*", "BPR*I*136.65*"),
    {
      file: "remits.835",
      at: `segment ${numberOf(remits.text, "BPR*I*136.64")} (BPR), element 2`,
      code: "unbalanced",
      expected: "136.64",
      found: "136.65",
    },
  ],
  [
    "an acknowledgment with an unknown category",
    acksWith("STC*A7:164:IL*", "STC*Z7:164:IL*"),
    {
      file: "acks.277",
      at: `segment ${numberOf(acks.text, "STC*A7:164")} (STC), element 1, component 1`,
      code: "invalid-code-value",
      found: "Z7",
    },
  ],
  [
    "a chart document without a date",
    chartsWith("PH1001/intake.txt", "x"),
    { file: "PH1001/intake.txt", at: "file name", code: "chart_undated" },
  ],
  [
    "a chart document that is not UTF-8",
    chartsWith("PH1001/2026-01-02.txt", "a\ufffd"),
    { file: "PH1001/2026-01-02.txt", at: "offset 1", code: "not_utf8" },
  ],
  [
    "a manifest with a field of the wrong kind",
    {
      ...sample,
      charts: [
        { name: "manifest.json", text: '{"PH1002/visit.md":{"kind":"letter"}}' },
        ...sample.charts.filter(({ name }) => name !== "manifest.json"),
      ],
    },
    { file: "manifest.json", at: "PH1002/visit.md.kind", code: "chart_manifest", found: '"letter"' },
  ],
  [
    "a manifest that names no file",
    {
      ...sample,
      charts: [
        { name: "manifest.json", text: '{"PH1002/vist.md":{}}' },
        ...sample.charts.filter(({ name }) => name !== "manifest.json"),
      ],
    },
    { file: "manifest.json", at: '["PH1002/vist.md"]', code: "chart_manifest", found: "PH1002/vist.md" },
  ],
  [
    "a chart folder whose member id several patients share",
    {
      ...sample,
      claims: [{ ...claims, text: claims.text.replaceAll("CWT318840501", "CWK704113201") }],
      charts: [{ name: "CWK704113201/2026-01-02 note.txt", text: "x" }],
    },
    { file: "CWK704113201/2026-01-02 note.txt", code: "chart_ambiguous", found: "a member id of 2 patients" },
  ],
];

it.each(cases)("%s is a problem with its place, and nothing is made", (_, files, problem) => {
  const result = importTasks(files);
  expect(result.ok).toBe(false);
  expect(Object.keys(result)).toEqual(["ok", "problems"]);
  if (!result.ok) expect(result.problems).toContainEqual(expect.objectContaining(problem));
});

it("lists the problems of every file at once", () => {
  const result = importTasks({
    ...sample,
    claims: [edited(claims, "DMG*D8*19790418*F", "DMG*D8*19790431*F")],
    remits: [edited(remits, "BPR*I*136.64*", "BPR*I*136.65*")],
    acks: [edited(acks, "STC*A7:164:IL*", "STC*Z7:164:IL*")],
  });
  expect(result.ok ? [] : [...new Set(result.problems.map(({ file }) => file))]).toEqual([
    "claims.837",
    "remits.835",
    "acks.277",
  ]);
});

it("charts of nobody in the claim files, and files that are no text, are left out with a warning", () => {
  const result = importTasks({
    ...sample,
    charts: [
      ...sample.charts,
      { name: "PH9/2026-01-01.txt", text: "x" },
      { name: "PH1001/scan.pdf", text: "%PDF" },
      { name: "loose.txt", text: "x" },
    ],
  });
  expect(
    result.ok
      ? result.warnings.filter(({ code }) => code.startsWith("chart")).map(({ file, code }) => [file, code])
      : [],
  ).toEqual([
    ["PH1001/scan.pdf", "chart_not_text"],
    ["PH9/2026-01-01.txt", "chart_unmatched"],
    ["loose.txt", "chart_without_patient"],
  ]);
});
