/**
 * People and organisations as X12 names them: NM1 or N1 with their address, contact and birth data. Owns those
 * segments' rules and typed forms. Knows no role; each format says whom a segment names.
 */
import { fromIsoDate, type IsoDate, toIsoDate } from "./calendar.js";
import { paired, type SegmentRule, segmentRule } from "./element.js";
import { elementOf, type Segment, type Written, written } from "./segment.js";

export type Entity = "person" | "organization";

/** A name: `name` is the last name or the organisation's; `entity` is left out where it is the usual one for the role. */
export interface PartyName {
  entity?: Entity;
  name: string;
  firstName?: string;
  middleName?: string;
  suffix?: string;
}

export interface Address {
  line1?: string;
  line2?: string;
  city?: string;
  state?: string;
  postalCode?: string;
}

/** A person to reach: a name and a telephone number (digits). */
export interface Contact {
  name?: string;
  phone?: string;
}

export interface Birth {
  birthDate?: IsoDate;
  sex?: "F" | "M" | "U";
}

/** NM1 rules: role code, entity codes ("1|2"), identifier qualifiers, and whether name and identifier must stand. */
export function nameRule(
  role: string,
  entities: string,
  qualifiers: string,
  { id = true, name = true }: { id?: boolean; name?: boolean } = {},
): SegmentRule {
  const [idMark, nameMark] = [id ? "!" : "", name ? "!" : ""];
  return segmentRule(
    12,
    [
      `=${role}!`,
      `=${entities}!`,
      `AN1-60${nameMark}`,
      "AN1-35",
      "AN1-25",
      "AN1-10",
      "AN1-10",
      `=${qualifiers}${idMark}`,
      `AN2-80${idMark}`,
    ],
    id ? undefined : paired(8, 9),
  );
}

export function readName(segment: Segment, usual: Entity): PartyName {
  const [, , entity, name = "", firstName = "", middleName = "", , suffix = ""] = segment.elements;
  const party: PartyName = { name };
  const kind = entity === "1" ? "person" : "organization";
  if (kind !== usual) party.entity = kind;
  if (firstName !== "") party.firstName = firstName;
  if (middleName !== "") party.middleName = middleName;
  if (suffix !== "") party.suffix = suffix;
  return party;
}

/** NM1; an identifier of "" writes neither qualifier nor value. */
export function writeName(role: string, party: PartyName, usual: Entity, qualifier: string, id = ""): Written {
  const entity = (party.entity ?? usual) === "person" ? "1" : "2";
  return written(
    "NM1",
    role,
    entity,
    party.name,
    party.firstName ?? "",
    party.middleName ?? "",
    undefined,
    party.suffix ?? "",
    id === "" ? "" : qualifier,
    id,
  );
}

export const STREET = segmentRule(2, ["AN1-55!", "AN1-55"]);
export const CITY = segmentRule(7, ["AN2-30", "AN2-2", "AN3-15", "AN2-3"]);
export const BIRTH = segmentRule(11, ["=D8!", "D!", "=F|M|U"]);
export const contactRule = (code: string): SegmentRule =>
  segmentRule(9, [`=${code}!`, "AN1-60", "=TE|EM|FX|UR", "AN1-256"], paired(3, 4));

export function readStreet(segment: Segment, address: Address | undefined): Address {
  const result: Address = { ...address, line1: elementOf(segment, 1) };
  const line2 = elementOf(segment, 2);
  if (line2 !== "") result.line2 = line2;
  return result;
}

export function readCity(segment: Segment, address: Address | undefined): Address {
  const [, city = "", state = "", postalCode = ""] = segment.elements;
  const result: Address = { ...address };
  if (city !== "") result.city = city;
  if (state !== "") result.state = state;
  if (postalCode !== "") result.postalCode = postalCode;
  return result;
}

export function writeAddress(address: Address | undefined): Written[] {
  if (address === undefined) return [];
  const { line1, line2 = "", city = "", state = "", postalCode = "" } = address;
  const list: Written[] = [];
  if (line1 !== undefined) list.push(written("N3", line1, line2));
  if (city !== "" || state !== "" || postalCode !== "") list.push(written("N4", city, state, postalCode));
  return list;
}

export function readContact(segment: Segment): Contact {
  const [, , name = "", kind = "", value = ""] = segment.elements;
  const contact: Contact = {};
  if (name !== "") contact.name = name;
  if (kind === "TE" && value !== "") contact.phone = value;
  return contact;
}

export function writeContact(code: string, { name = "", phone }: Contact): Written {
  return written("PER", code, name, phone === undefined ? undefined : "TE", phone);
}

export function readBirth(segment: Segment): Birth {
  const [, , date = "", sex = ""] = segment.elements;
  const birth: Birth = { birthDate: toIsoDate(date) };
  if (sex === "F" || sex === "M" || sex === "U") birth.sex = sex;
  return birth;
}

export function writeBirth({ birthDate, sex }: Birth): Written[] {
  return birthDate === undefined ? [] : [written("DMG", "D8", fromIsoDate(birthDate), sex ?? "")];
}
