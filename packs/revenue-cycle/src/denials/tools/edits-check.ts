/** The scrubber: a claim against the house edits. It says what an edit finds and what would satisfy it, never whether the record supports that. */
import { kind, type Row, ref } from "windtunnel";
import { z } from "zod";
import { bundlingPair, UNIT_CAPS } from "../../reference/edits.js";
import { HCPCS } from "../../reference/hcpcs.js";
import { ICD10 } from "../../reference/icd10.js";
import { conflictingModifiers } from "../../reference/modifiers.js";
import { linesOf } from "../account.js";
import type { DenialTables } from "../world.js";
import { denialTool, found } from "./denial-tool.js";

type Line = Row<DenialTables["claim_lines"]>;
type Claim = Row<DenialTables["claims"]>;

const finding = z.object({
  kind: z.enum(["pair", "units", "modifiers", "missing", "diagnosis"]),
  line: ref("claim_lines").nullable(),
  with_line: ref("claim_lines").nullable(),
  /** Of a pair: 0 never paid together, 1 with an accepted modifier. */
  indicator: z.int().nullable(),
  /** Of a unit cap: 1 per line, 2 per day and absolute, 3 per day and open to records. */
  mai: z.int().nullable(),
  /** The most units that pass, of a unit cap. */
  max_units: kind("units").nullable(),
  accepted_modifiers: z.array(kind("modifier")),
  /** What took the place of a retired diagnosis. */
  successors: z.array(kind("icd10")),
  text: z.string(),
});
type Finding = z.output<typeof finding>;

const NONE = {
  line: null,
  with_line: null,
  indicator: null,
  mai: null,
  max_units: null,
  accepted_modifiers: [] as string[],
  successors: [] as string[],
};

const SIDES = ["LT", "RT"];
const TENURES = ["RR", "NU", "UE"];

function pairFindings(lines: readonly Line[]): Finding[] {
  return lines.flatMap((line, i) =>
    lines.slice(i + 1).flatMap((other) => {
      const pair = bundlingPair(line.hcpcs, other.hcpcs);
      if (pair === undefined) return [];
      const [column1, column2] = pair.column1 === line.hcpcs ? [line, other] : [other, line];
      const modifier = [...column1.modifiers, ...column2.modifiers].find((one) => pair.acceptedModifiers.includes(one));
      const way =
        pair.indicator === 0
          ? "never paid together"
          : modifier === undefined
            ? `paid together only with ${pair.acceptedModifiers.join(", ")} on either line, when the record supports it`
            : `parted by ${modifier}`;
      const text = `${column2.hcpcs} is bundled into ${column1.hcpcs} (${pair.reason}); ${way}`;
      return [
        {
          ...NONE,
          kind: "pair" as const,
          line: column2.id,
          with_line: column1.id,
          indicator: pair.indicator,
          accepted_modifiers: [...pair.acceptedModifiers],
          text,
        },
      ];
    }),
  );
}

function unitFindings(lines: readonly Line[]): Finding[] {
  return lines.flatMap((line) => {
    const cap = UNIT_CAPS.find(line.hcpcs);
    if (cap === undefined) return [];
    const units = (cap.mai === 1 ? [line] : lines.filter(({ hcpcs }) => hcpcs === line.hcpcs)).reduce(
      (sum, one) => sum + Number(one.units),
      0,
    );
    if (units <= cap.maxUnits) return [];
    const what = cap.mai === 1 ? "the excess is denied" : "every unit of that day is denied";
    const text = `${line.hcpcs}: ${units} units against a cap of ${cap.maxUnits} per ${cap.mai === 1 ? "line" : "day"}; ${what}${cap.liftedByRecords ? "; records can lift the cap on appeal" : "; the cap cannot be lifted"}`;
    return [{ ...NONE, kind: "units" as const, line: line.id, mai: cap.mai, max_units: String(cap.maxUnits), text }];
  });
}

function lineFindings(claim: Claim, lines: readonly Line[]): Finding[] {
  return lines.flatMap((line) => {
    const code = HCPCS.find(line.hcpcs);
    const lacks = (modifiers: readonly string[]) => !line.modifiers.some((one) => modifiers.includes(one));
    const missing = (text: string, modifiers: readonly string[] = []) => ({
      ...NONE,
      kind: "missing" as const,
      line: line.id,
      accepted_modifiers: [...modifiers],
      text: `${line.hcpcs}: ${text}`,
    });
    return [
      ...conflictingModifiers(line.modifiers).map(([a, b]) => ({
        ...NONE,
        kind: "modifiers" as const,
        line: line.id,
        text: `${line.hcpcs}: ${a} and ${b} exclude each other`,
      })),
      ...(code?.requiresOrderingProvider === true && claim.orderingNpi === null
        ? [missing("needs an ordering provider")]
        : []),
      ...(code?.requiresNdc === true && line.ndc === null ? [missing("needs a National Drug Code")] : []),
      ...(code?.lateralityApplies === true && lacks(SIDES) ? [missing("states no side (LT or RT)", SIDES)] : []),
      ...(code?.rental === true && lacks(TENURES)
        ? [missing("does not say whether it is rented (RR) or bought (NU, UE)", TENURES)]
        : []),
    ];
  });
}

function diagnosisFindings(claim: Claim): Finding[] {
  return claim.diagnoses.flatMap((code) => {
    const { validThrough, successors = [] } = ICD10.find(code) ?? {};
    if (validThrough === undefined || validThrough === null || claim.serviceDate <= validThrough) return [];
    return [
      {
        ...NONE,
        kind: "diagnosis" as const,
        successors: [...successors],
        text: `${code} was retired after ${validThrough}; successors: ${successors.join(", ")}`,
      },
    ];
  });
}

export const editsCheck = denialTool({
  name: "edits_check",
  description:
    "Runs the house edits over a claim: bundled pairs with the modifiers that would part them, unit caps, modifiers that exclude each other, missing fields, retired diagnoses. It does not know what the record supports.",
  effect: "read",
  input: z.object({ claim: ref("claims") }),
  output: z.object({ claim: ref("claims"), findings: z.array(finding) }),
  handle(world, { claim: id }) {
    const claim = found(world, "claims", id);
    const lines = linesOf(world, id);
    return {
      claim: id,
      findings: [
        ...pairFindings(lines),
        ...unitFindings(lines),
        ...lineFindings(claim, lines),
        ...diagnosisFindings(claim),
      ],
    };
  },
});
