/** Where things stand in an X12 text, in words: the segment with its id for a position, and the segments that a balance formula is about. */
import type { BalanceProblem, Position } from "../../codec/index.js";

/** A text's segments, split at the marks that its ISA declares; no more than is needed to name a place. */
export class Places {
  readonly #segments: readonly string[];
  readonly #mark: string;

  constructor(text: string) {
    this.#mark = text[3] ?? "*";
    let end = -1;
    for (let n = 0; n < 16 && (n === 0 || end !== -1); n++) end = text.indexOf(this.#mark, end + 1);
    const terminator = end === -1 ? "~" : (text[end + 2] ?? "~");
    this.#segments = text.split(terminator);
  }

  /** "segment 12 (CLP), element 4, component 2". */
  describe({ segment, element, component }: Pick<Position, "segment" | "element" | "component">): string {
    const id = this.#idOf(segment - 1);
    return [
      `segment ${segment}${/^[A-Z][A-Z0-9]{1,2}$/.test(id) ? ` (${id})` : ""}`,
      ...(element === undefined ? [] : [`element ${element}`]),
      ...(component === undefined ? [] : [`component ${component}`]),
    ].join(", ");
  }

  /** The element that a balance formula of the payment number `remittance` (from 0) found wrong. */
  describeBalance(remittance: number, { formula, claim, line }: BalanceProblem): string {
    const element = { line: 3, claim: 4, "claim-lines": 4, "patient-responsibility": 5, payment: 2, "payment-sign": 2 };
    let [st, clp, svc] = [-1, -1, -1];
    for (let n = 0; n < this.#segments.length; n++) {
      const id = this.#idOf(n);
      if (id === "ST") {
        st++;
        clp = svc = -1;
      } else if (id === "CLP") {
        clp++;
        svc = -1;
      } else if (id === "SVC") svc++;
      if (st !== remittance) continue;
      const here =
        claim === undefined
          ? id === "BPR"
          : clp === claim.index && (line === undefined ? id === "CLP" : id === "SVC" && svc === line);
      if (here) return this.describe({ segment: n + 1, element: element[formula] });
    }
    return `payment ${remittance + 1}`;
  }

  #idOf(n: number): string {
    return (this.#segments[n] ?? "").trimStart().split(this.#mark, 1)[0] ?? "";
  }
}
