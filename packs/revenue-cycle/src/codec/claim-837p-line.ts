/** Loop 2400 of an 837P: one service line with its drug, its ordering provider and other payers' decisions on it. */
import {
  ADJUSTMENTS,
  type Adjustment,
  procedureRule,
  readAdjustments,
  readProcedure,
  writeAdjustments,
  writeProcedure,
} from "./adjustment.js";
import type { ClaimLine, LineAdjudication } from "./claim-837p.js";
import { readProvider, writeReference } from "./claim-837p-claim.js";
import { segmentRule } from "./element.js";
import type { LoopFormat } from "./loop.js";
import { nameRule, writeName } from "./party.js";
import { periodRule, readPeriod, writePeriod } from "./period.js";
import { elementOf, splitComponents, type Written, written } from "./segment.js";
import { SlotTable } from "./slots.js";

const POINTERS = "=1|2|3|4|5|6|7|8|9|10|11|12";

export const lineFormat: LoopFormat<ClaimLine> = {
  slots: new SlotTable(
    {
      "LX!": segmentRule(1, ["N1-6!"]),
      "SV1!": segmentRule(21, [
        procedureRule("!"),
        "M1-18!",
        "=UN|MJ!",
        "R1-15!",
        "AN1-2",
        "",
        ["!", `${POINTERS}!`, POINTERS, POINTERS, POINTERS],
      ]),
      "DTP*472!": periodRule("472"),
      "REF*G1": segmentRule(4, ["=G1!", "AN1-50!"]),
      "REF*6R": segmentRule(4, ["=6R!", "AN1-50!"]),
      LIN: segmentRule(31, ["", "=N4!", "AN1-48!"]),
      "LIN CTP!": segmentRule(11, ["", "", "", "R1-15!", ["!", "=F2|GR|ME|ML|UN!"]]),
      "NM1*DK": nameRule("DK", "1", "XX", { id: false }),
      "SVD+": segmentRule(6, ["AN2-80!", "M1-18!", procedureRule("!"), "", "R1-15!"]),
      "SVD CAS+": ADJUSTMENTS,
      "SVD DTP*573!": periodRule("573"),
    },
    {
      order:
        "LX SV1 SV5 PWK CR1 CR3 CRC DTP QTY MEA CN1 REF AMT K3 NTE PS1 HCP LIN CTP NM1 PRV N3 N4 PER SVD CAS LQ FRM",
      openers: ["LIN", "NM1", "SVD", "LQ"],
      alien: ["CLM", "HI", "PAT", "DMG", "BHT", "OI"],
    },
  ),
  read(segments, { separators, problems }) {
    const value: ClaimLine = {
      number: 0,
      hcpcs: "",
      modifiers: [],
      charge: "",
      unitBasis: "UN",
      units: "",
      pointers: [],
      serviceDate: "",
    };
    const adjudications: (LineAdjudication & { adjustments: Adjustment[] })[] = [];
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        switch (slot?.name) {
          case "LX":
            value.number = Number(elementOf(segment, 1));
            break;
          case "SV1": {
            const [, procedure = "", charge = "", basis, units = "", placeOfService = "", , pointers = ""] =
              segment.elements;
            Object.assign(value, readProcedure(procedure, separators), { charge, units });
            value.unitBasis = basis === "MJ" ? "MJ" : "UN";
            if (placeOfService !== "") value.placeOfService = placeOfService;
            value.pointers = splitComponents(pointers, separators)
              .filter((one) => one !== "")
              .map(Number);
            break;
          }
          case "DTP*472": {
            const { from, to } = readPeriod(segment);
            value.serviceDate = from;
            if (to !== undefined) value.serviceEnd = to;
            break;
          }
          case "REF*G1":
            value.priorAuthorization = elementOf(segment, 2);
            break;
          case "REF*6R":
            value.controlNumber = elementOf(segment, 2);
            break;
          case "LIN":
            value.ndc = { code: elementOf(segment, 3), quantity: "", unit: "" };
            break;
          case "LIN CTP":
            if (value.ndc !== undefined)
              value.ndc = { ...value.ndc, quantity: elementOf(segment, 4), unit: elementOf(segment, 5) };
            break;
          case "NM1*DK":
            value.orderingProvider = readProvider(segment, "person");
            break;
          case "SVD": {
            const [, payerId = "", paid = "", procedure = "", , units = ""] = segment.elements;
            adjudications.push({
              payerId,
              paid,
              ...readProcedure(procedure, separators),
              units,
              adjustments: [],
              date: "",
            });
            break;
          }
          case "SVD CAS":
            adjudications.at(-1)?.adjustments.push(...readAdjustments(segment));
            break;
          case "SVD DTP*573": {
            const last = adjudications.at(-1);
            if (last !== undefined) last.date = readPeriod(segment).from;
          }
        }
      },
      problems,
    );
    if (adjudications.length > 0) value.adjudications = adjudications;
    return value;
  },
  write(value) {
    const { ndc, orderingProvider } = value;
    return [
      written("LX", String(value.number)),
      written(
        "SV1",
        writeProcedure(value),
        value.charge,
        value.unitBasis,
        value.units,
        value.placeOfService ?? "",
        undefined,
        [0, 1, 2, 3].map((n) => (value.pointers[n] === undefined ? "" : String(value.pointers[n]))),
      ),
      writePeriod("472", value.serviceDate, value.serviceEnd),
      ...writeReference("G1", value.priorAuthorization),
      ...writeReference("6R", value.controlNumber),
      ...(ndc === undefined
        ? []
        : [
            written("LIN", undefined, "N4", ndc.code),
            written("CTP", undefined, undefined, undefined, ndc.quantity, [ndc.unit]),
          ]),
      ...(orderingProvider === undefined
        ? []
        : [writeName("DK", orderingProvider, "person", "XX", orderingProvider.npi)]),
      ...(value.adjudications ?? []).flatMap(writeAdjudication),
    ];
  },
};

function writeAdjudication(value: LineAdjudication): Written[] {
  return [
    written("SVD", value.payerId, value.paid, writeProcedure(value), undefined, value.units),
    ...writeAdjustments(value.adjustments),
    writePeriod("573", value.date),
  ];
}
