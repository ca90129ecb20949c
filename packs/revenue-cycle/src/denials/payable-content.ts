/** What a corrected claim says, compared with what a payer would pay: the first field that differs, as the reason that a remittance gives for it. */
import type { Row } from "windtunnel";
import type { DenialTables } from "./world.js";

type Pays = NonNullable<Row<DenialTables["payer_truth"]>["pays"]>;

/** The content of a claim that decides payment. */
export type Content = Pick<
  Pays,
  "coverage" | "memberId" | "renderingNpi" | "orderingNpi" | "authorization" | "diagnoses" | "lines"
>;

/** A reason on a remittance. */
export interface Reason {
  readonly group: string;
  readonly carc: string;
  readonly remarks: readonly string[];
}

export function contentOf(
  claim: Row<DenialTables["claims"]>,
  lines: readonly Row<DenialTables["claim_lines"]>[],
): Content {
  const { coverage, memberId, renderingNpi, orderingNpi, authorization, diagnoses } = claim;
  return {
    coverage,
    memberId,
    renderingNpi,
    orderingNpi,
    authorization,
    diagnoses: [...diagnoses],
    lines: lines.map(({ hcpcs, modifiers, units, ndc }) => ({ hcpcs, modifiers: [...modifiers], units, ndc })),
  };
}

const missing = (carc: string, ...remarks: string[]): Reason => ({ group: "CO", carc, remarks });
const sameSet = (a: readonly string[], b: readonly string[]) =>
  JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());

/** Why the payer would refuse this content, or null when it is what it pays. The order of diagnoses and of modifiers does not matter. */
export function whatIsWrong(sent: Content, pays: Content): Reason | null {
  if (sent.coverage !== pays.coverage) return missing("22", "MA04");
  if (sent.memberId !== pays.memberId) return missing("31", "N382");
  if (sent.renderingNpi !== pays.renderingNpi) return missing("16", "N290");
  if (sent.orderingNpi !== pays.orderingNpi) return missing("16", "N265");
  if (sent.authorization !== pays.authorization) return missing("197", "M62");
  if (!sameSet(sent.diagnoses, pays.diagnoses)) return missing("11", "M76");
  if (sent.lines.length !== pays.lines.length || sent.lines.some(({ hcpcs }, i) => hcpcs !== pays.lines[i]!.hcpcs))
    return missing("16", "M20");
  for (const [i, line] of sent.lines.entries()) {
    const right = pays.lines[i]!;
    if (line.units !== right.units) return missing("16", "M53");
    if (line.ndc !== right.ndc) return missing("16", "M119");
    if (!sameSet(line.modifiers, right.modifiers)) return missing("4", "N822");
  }
  return null;
}
