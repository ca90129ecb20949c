/** Loop 2110 of an 835: one service line with its adjustments, allowed amount and remarks. Owns its segments. */
import {
  ADJUSTMENTS,
  type Adjustment,
  procedureRule,
  readAdjustments,
  readProcedure,
  writeAdjustments,
  writeProcedure,
} from "./adjustment.js";
import { fromIsoDate, toIsoDate } from "./calendar.js";
import { segmentRule } from "./element.js";
import type { LoopFormat } from "./loop.js";
import type { PaymentLine } from "./remittance-835.js";
import { elementOf, type Segment, type Separators, type Written, written } from "./segment.js";
import { SlotTable } from "./slots.js";

const dateRule = (qualifier: string) => segmentRule(6, [`=${qualifier}!`, "D!"]);

export const paymentLineFormat: LoopFormat<PaymentLine> = {
  slots: new SlotTable(
    {
      "SVC!": segmentRule(7, [procedureRule("!"), "M1-18!", "M1-18!", "", "R1-15", procedureRule("?"), "R1-15"]),
      "DTM*472": dateRule("472"),
      "DTM*150": dateRule("150"),
      "DTM*151": dateRule("151"),
      "CAS+": ADJUSTMENTS,
      "REF*6R": segmentRule(4, ["=6R!", "AN1-50!"]),
      "AMT*B6": segmentRule(3, ["=B6!", "M1-18!"]),
      "LQ*HE+": segmentRule(2, ["=HE!", "AN1-30!"]),
    },
    { order: "SVC DTM CAS REF AMT QTY LQ", alien: ["BPR", "TRN", "N1", "NM1", "MOA", "BHT", "HL", "SV1"] },
  ),
  read(segments, { separators, problems }) {
    const adjustments: Adjustment[] = [];
    const remarks: string[] = [];
    const value: PaymentLine = { hcpcs: "", modifiers: [], charge: "", paid: "", adjustments, remarks };
    this.slots.walk(
      segments,
      separators,
      (segment, { slot }) => {
        switch (slot?.name) {
          case "SVC":
            readService(segment, value, separators);
            break;
          case "DTM*472":
          case "DTM*150":
            value.serviceDate = toIsoDate(elementOf(segment, 2));
            break;
          case "DTM*151":
            value.serviceEnd = toIsoDate(elementOf(segment, 2));
            break;
          case "CAS":
            adjustments.push(...readAdjustments(segment));
            break;
          case "REF*6R":
            value.controlNumber = elementOf(segment, 2);
            break;
          case "AMT*B6":
            value.allowed = elementOf(segment, 2);
            break;
          case "LQ*HE":
            remarks.push(elementOf(segment, 2));
        }
      },
      problems,
    );
    return value;
  },
  write(value) {
    const { units = "", original, originalUnits = "", controlNumber, allowed } = value;
    const billed = original === undefined ? "" : writeProcedure(original);
    return [
      written("SVC", writeProcedure(value), value.charge, value.paid, undefined, units, billed, originalUnits),
      ...writeDates(value),
      ...writeAdjustments(value.adjustments),
      ...(controlNumber === undefined ? [] : [written("REF", "6R", controlNumber)]),
      ...(allowed === undefined ? [] : [written("AMT", "B6", allowed)]),
      ...value.remarks.map((remark) => written("LQ", "HE", remark)),
    ];
  },
};

function readService(segment: Segment, value: PaymentLine, separators: Separators): void {
  const [, procedure = "", charge = "", paid = "", , units = "", original = "", originalUnits = ""] = segment.elements;
  Object.assign(value, readProcedure(procedure, separators), { charge, paid });
  if (units !== "") value.units = units;
  if (original !== "") value.original = readProcedure(original, separators);
  if (originalUnits !== "") value.originalUnits = originalUnits;
}

function writeDates({ serviceDate, serviceEnd }: PaymentLine): Written[] {
  if (serviceDate === undefined) return [];
  const start = written("DTM", serviceEnd === undefined ? "472" : "150", fromIsoDate(serviceDate));
  return serviceEnd === undefined ? [start] : [start, written("DTM", "151", fromIsoDate(serviceEnd))];
}
