/** Dates and times in X12's form and in ISO form. Owns the mapping and its checks; knows no clock and no time zone. */

/** A calendar date such as "2026-11-30". */
export type IsoDate = string;

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** True for CCYYMMDD naming a day that exists. */
export function isX12Date(text: string): boolean {
  if (text.length !== 8 || !isDigits(text)) return false;
  const year = Number(text.slice(0, 4));
  const month = Number(text.slice(4, 6));
  const day = Number(text.slice(6));
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = MONTH_DAYS[month - 1];
  return year > 0 && days !== undefined && day >= 1 && day <= days + (leap ? 1 : 0);
}

/** True for HHMM, HHMMSS or HHMMSS with one or two decimal digits. */
export function isX12Time(text: string): boolean {
  if (text.length < 4 || text.length > 8 || text.length === 5 || !isDigits(text)) return false;
  return text.slice(0, 2) < "24" && text.slice(2, 4) < "60" && (text.length === 4 || text.slice(4, 6) < "60");
}

/** "20261130" → "2026-11-30"; the text must have passed `isX12Date`. */
export function toIsoDate(text: string): IsoDate {
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
}

/** "2026-11-30" → "20261130"; a text of another shape comes back so that the element check refuses it. */
export function fromIsoDate(date: IsoDate): string {
  return date.length === 10 && date[4] === "-" && date[7] === "-"
    ? date.slice(0, 4) + date.slice(5, 7) + date.slice(8)
    : date;
}

export function isDigits(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return text.length > 0;
}
