/** Who a claim is about: the patient, the subscriber and the coverage, as the office's tables name them; and what a file leaves unsaid. */
import { hashText, type Row } from "windtunnel";
import type { Address, Birth, Entity, PartyName, ProfessionalClaim, Responsibility } from "../../codec/index.js";
import type { DenialTables } from "../world.js";

type Patient = Row<DenialTables["patients"]>;
type Coverage = Row<DenialTables["coverages"]>;

/** Stands where a birth date is not stated: a date that nobody takes for a real one. */
export const UNSTATED_DATE = "1900-01-01";

type Person = PartyName & Birth & { readonly address?: Address };

const patientOf = (claim: ProfessionalClaim): Person => claim.patient ?? claim.subscriber;

/** One key per patient, whatever the payer and the member id: name and birth date. */
export function personKeyOf(claim: ProfessionalClaim): string {
  const { name, firstName = "", birthDate = "" } = patientOf(claim);
  return hashText([name, firstName, birthDate].map((part) => part.trim().toUpperCase()).join("|"));
}

/** The patient as the claim states it, with what it leaves out. */
export function toPatient(claim: ProfessionalClaim): { row: Omit<Patient, "id" | "qmb">; unstated: readonly string[] } {
  const { name, firstName = "", birthDate, sex, address } = patientOf(claim);
  const known = sex === "F" || sex === "M";
  return {
    row: {
      first: firstName,
      last: name,
      birthDate: birthDate ?? UNSTATED_DATE,
      sex: known ? sex : "F",
      address: addressText(address),
    },
    unstated: [
      ...(birthDate === undefined ? [`the patient's birth date (${UNSTATED_DATE} stands for it)`] : []),
      ...(known ? [] : ["the patient's sex (F stands for it)"]),
    ],
  };
}

function addressText(address: Address | undefined): string {
  const { line1 = "", line2 = "", city = "", state = "", postalCode = "" } = address ?? {};
  const parts = [line1, line2, city, `${state} ${postalCode}`].map((part) => part.trim()).filter((part) => part !== "");
  return parts.length === 0 ? "not stated" : parts.join(", ");
}

const ORDERS: Readonly<Partial<Record<Responsibility, Coverage["order"]>>> = { P: "primary", S: "secondary" };
const RELATIONSHIPS: Readonly<Record<string, Coverage["relationship"]>> = {
  "18": "self",
  "01": "spouse",
  "19": "child",
};

export const orderOf = (responsibility: Responsibility): Coverage["order"] => ORDERS[responsibility] ?? "unknown";

/** How the patient is related to the subscriber; undefined for relationships that the tables have no word for. */
export const relationshipOf = (code: string): Coverage["relationship"] | undefined => RELATIONSHIPS[code];

export const fullName = ({ name, firstName = "" }: PartyName & { readonly entity?: Entity }) =>
  `${firstName} ${name}`.trim();

/** The coverage that the claim was sent under, with what it leaves out. */
export function toCoverage(claim: ProfessionalClaim): {
  row: Pick<Coverage, "memberId" | "subscriber" | "subscriberBirthDate" | "relationship" | "order">;
  unstated: readonly string[];
} {
  const { subscriber, patient } = claim;
  const code = patient?.relationship ?? "18";
  const relationship = relationshipOf(code);
  return {
    row: {
      memberId: subscriber.memberId,
      subscriber: fullName(subscriber),
      subscriberBirthDate: subscriber.birthDate ?? UNSTATED_DATE,
      relationship: relationship ?? "child",
      order: orderOf(subscriber.responsibility),
    },
    unstated: [
      ...(subscriber.birthDate === undefined && patient !== undefined
        ? [`the birth date of subscriber ${fullName(subscriber)} (${UNSTATED_DATE} stands for it)`]
        : []),
      ...(relationship === undefined
        ? [`a relationship of the tables: the claim says ${code}, neither spouse nor child ("child" stands for it)`]
        : []),
    ],
  };
}
