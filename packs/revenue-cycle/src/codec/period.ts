/** Dated segments (DTP): a day or a range of days under a qualifier. Owns their rule and their ISO form. */
import { fromIsoDate, type IsoDate, isX12Date, toIsoDate } from "./calendar.js";
import { type SegmentRule, segmentRule } from "./element.js";
import { elementOf, type Segment, type Written, written } from "./segment.js";

/** A day, or with `to` a range that includes both ends. */
export interface Period {
  from: IsoDate;
  to?: IsoDate;
}

/** DTP under one qualifier, D8 or RD8; element 3 has the form that element 2 says. */
export const periodRule = (qualifier: string): SegmentRule =>
  segmentRule(3, [`=${qualifier}!`, "=D8|RD8!", "AN1-35!"], (segment, report) => {
    const value = elementOf(segment, 3);
    const range = elementOf(segment, 2) === "RD8";
    if (value === "" || (range ? isRange(value) : isX12Date(value))) return;
    report("invalid-date", 3, range ? "CCYYMMDD-CCYYMMDD" : "CCYYMMDD", value);
  });

function isRange(value: string): boolean {
  return value.length === 17 && value[8] === "-" && isX12Date(value.slice(0, 8)) && isX12Date(value.slice(9));
}

export function readPeriod(segment: Segment): Period {
  const value = elementOf(segment, 3);
  const from = toIsoDate(value.slice(0, 8));
  return elementOf(segment, 2) === "RD8" ? { from, to: toIsoDate(value.slice(9)) } : { from };
}

export function writePeriod(qualifier: string, from: IsoDate, to?: IsoDate): Written {
  return to === undefined
    ? written("DTP", qualifier, "D8", fromIsoDate(from))
    : written("DTP", qualifier, "RD8", `${fromIsoDate(from)}-${fromIsoDate(to)}`);
}
