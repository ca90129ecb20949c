/** Claim adjustments (CAS) and procedures (HC:code:modifiers): what 837P and 835 share. Owns their rules and forms. */

import type { Money } from "./decimal.js";
import { type CrossRule, segmentRule } from "./element.js";
import { refuseToWrite } from "./loop.js";
import { elementOf, type Segment, type Separators, splitComponents, type Written, written } from "./segment.js";

export type AdjustmentGroup = "CO" | "PR" | "OA" | "PI";

/** One reason of one CAS group; a positive amount lowers the payment. */
export interface Adjustment {
  group: AdjustmentGroup;
  reason: string;
  amount: Money;
  quantity?: string;
}

/** A procedure code with its modifiers (at most four); `qualifier` is left out for HC. */
export interface Procedure {
  hcpcs: string;
  modifiers: readonly string[];
  qualifier?: string;
  description?: string;
}

const REASONS = 6;

const wholeReasons: CrossRule = (segment, report) => {
  for (let n = 5; n <= 17; n += 3) {
    const [reason, amount, quantity] = [n, n + 1, n + 2].map((one) => elementOf(segment, one) !== "");
    if (amount && !reason) report("conditional-element-missing", n, `a reason, since element ${n + 1} is given`, "");
    if ((reason || quantity) && !amount)
      report("conditional-element-missing", n + 1, `an amount, since element ${reason ? n : n + 2} is given`, "");
  }
};

const OPTIONAL_REASON = ["AN1-5", "M1-18", "R1-15"];
export const ADJUSTMENTS = segmentRule(
  19,
  ["=CO|PR|OA|PI!", "AN1-5!", "M1-18!", "R1-15", ...Array.from({ length: REASONS - 1 }, () => OPTIONAL_REASON).flat()],
  wholeReasons,
);

/** The composite rule of a procedure; `required` is "!" or "?". */
export const procedureRule = (required: "!" | "?"): readonly string[] => [
  required,
  "AN2-2!",
  "AN1-48!",
  "AN2-2",
  "AN2-2",
  "AN2-2",
  "AN2-2",
  "AN1-80",
  "AN1-48",
];

export function readAdjustments(segment: Segment): Adjustment[] {
  const list: Adjustment[] = [];
  const group = elementOf(segment, 1) as AdjustmentGroup;
  for (let n = 2; n < segment.elements.length; n += 3) {
    const reason = elementOf(segment, n);
    if (reason === "") continue;
    const adjustment: Adjustment = { group, reason, amount: elementOf(segment, n + 1) };
    const quantity = elementOf(segment, n + 2);
    if (quantity !== "") adjustment.quantity = quantity;
    list.push(adjustment);
  }
  return list;
}

/** CAS segments: neighbours of one group share a segment, six reasons at most. */
export function writeAdjustments(list: readonly Adjustment[]): Written[] {
  const runs: Adjustment[][] = [];
  for (const adjustment of list) {
    const run = runs.at(-1);
    if (run !== undefined && run[0]?.group === adjustment.group && run.length < REASONS) run.push(adjustment);
    else runs.push([adjustment]);
  }
  return runs.map((run) =>
    written(
      "CAS",
      ...[run[0]?.group, ...run.flatMap(({ reason, amount, quantity = "" }) => [reason, amount, quantity])],
    ),
  );
}

export function readProcedure(element: string, separators: Separators): Procedure {
  const [qualifier = "", hcpcs = "", a = "", b = "", c = "", d = "", description = ""] = splitComponents(
    element,
    separators,
  );
  const procedure: Procedure = { hcpcs, modifiers: [a, b, c, d].filter((modifier) => modifier !== "") };
  if (qualifier !== "HC") procedure.qualifier = qualifier;
  if (description !== "") procedure.description = description;
  return procedure;
}

export function writeProcedure({
  hcpcs,
  modifiers,
  qualifier = "HC",
  description = "",
}: Procedure): (string | undefined)[] {
  if (modifiers.length > 4) throw refuseToWrite("too-many-components", "at most 4 modifiers", modifiers.join(":"));
  const [a = "", b = "", c = "", d = ""] = modifiers;
  return [qualifier, hcpcs, a, b, c, d, description];
}
