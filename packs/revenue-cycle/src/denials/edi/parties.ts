/** Who stands in the office's files and under which numbers. Control numbers are derived from what they number. */
import { hashText, type Row } from "windtunnel";
import { defineEnvelope, type Envelope } from "../../codec/file.js";
import type { Address, PartyName } from "../../codec/party.js";
import { PAYERS } from "../../reference/payers.js";
import type { DenialTables } from "../world.js";

type PayerRow = Row<DenialTables["payers"]>;

/** The billing office as it names itself in files. */
export const OFFICE = {
  name: "MERIDIAN HOME MEDICAL GROUP",
  id: "MERIDIAN01",
  taxId: "841234567",
  taxonomy: "332B00000X",
  address: { line1: "400 HARBOR AVENUE", city: "COLUMBUS", state: "OH", postalCode: "432150001" },
  contact: { name: "BILLING OFFICE", phone: "6145550142" },
} as const;

const FILING_CODES: Readonly<Record<string, string>> = {
  "original-medicare": "MB",
  "medicare-advantage": "16",
  medicaid: "MC",
  commercial: "CI",
};

/** The claim filing indicator of a payer. */
export function filingCodeOf(payer: PayerRow): string {
  return (
    PAYERS.rows.find(({ payerId }) => payerId === payer.payerNumber)?.filingCode ?? FILING_CODES[payer.kind] ?? "CI"
  );
}

/** Text as files carry it: capitals, without the marks that separate. */
export const clean = (text: string) =>
  text
    .replace(/[*:^~]/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .toUpperCase();

/** An amount without needless zeros: "300.00" is written "300". */
export const short = (amount: string) => amount.replace(/\.00$/, "").replace(/(\.\d)0$/, "$1");

/** A number of so many digits, never zero, that follows from `text`. */
export function numberFrom(text: string, digits: number): number {
  return 1 + (Number.parseInt(hashText(text).slice(0, 12), 16) % (10 ** digits - 1));
}

export const personName = (first: string, last: string): PartyName => ({
  name: clean(last),
  ...(first === "" ? {} : { firstName: clean(first) }),
});

/** "Ada Lovelace" or "Lovelace, Ada". */
export function nameOf(text: string): PartyName {
  const [last, first] = text.split(",");
  if (first !== undefined) return personName(first, last!);
  const words = text.trim().split(/\s+/);
  return personName(words.slice(0, -1).join(" "), words.at(-1) ?? "");
}

/** "12 Oak St, Dayton, OH 45402"; of another form, the text goes whole into the street line with the office's city. */
export function addressOf(text: string): Address {
  const match = /^(.*?),\s*([^,]+),\s*([A-Za-z]{2})\s+(\d{5}(?:-?\d{4})?)$/.exec(text);
  const { city, state, postalCode } = OFFICE.address;
  if (match === null) return { line1: clean(text).slice(0, 55), city, state, postalCode };
  return {
    line1: clean(match[1]!).slice(0, 55),
    city: clean(match[2]!).slice(0, 30),
    state: match[3]!.toUpperCase(),
    postalCode: match[4]!.replace("-", ""),
  };
}

/** The submission of a claim as later files refer to it. */
export const submissionKey = (claim: {
  readonly controlNumber: string;
  readonly submittedOn: string;
  readonly frequency: string;
}) => `claim/${claim.controlNumber}/${claim.submittedOn}/${claim.frequency}`;

/** An envelope of one group between the office and a payer. */
export function envelopeOf(key: string, date: string, senderId: string, receiverId: string): Envelope {
  return defineEnvelope({
    senderId,
    receiverId,
    date,
    time: "0800",
    control: numberFrom(`${key}/interchange`, 9),
    usage: "P",
  });
}
