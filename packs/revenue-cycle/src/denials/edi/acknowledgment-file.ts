/** What came back on arrival of a claim: a 999 (the file's syntax) or a 277CA (the claim), as text. */
import type { Row, World } from "windtunnel";
import { type ClaimStatus, type StatusCategory, toAcknowledgmentFile } from "../../codec/acknowledgment-277ca.js";
import { writeFile } from "../../codec/file.js";
import { encodeSegment, STANDARD_SEPARATORS, type Written, written } from "../../codec/segment.js";
import type { DenialTables } from "../world.js";
import type { ClaimDraft } from "./claim-file.js";
import { clean, envelopeOf, numberFrom, OFFICE, personName, short, submissionKey } from "./parties.js";

/** An acknowledgment before its file. `category` is a 277CA code ("A2", or "A7:164:IL" with status and entity), or A, E or R of a 999. */
export type AcknowledgmentDraft = Pick<Row<DenialTables["acknowledgments"]>, "source" | "receivedOn" | "category">;

/** The status code that goes with a category when the row names none. */
const STATUS_OF: Readonly<Record<string, string>> = {
  A0: "16",
  A1: "19",
  A2: "20",
  A3: "21",
  A4: "35",
  A6: "21",
  A7: "33",
  A8: "21",
};

/** The 999 or 277CA that answered a claim. Throws on a category that the format does not have. */
export function acknowledgmentFile(world: World<DenialTables>, ack: AcknowledgmentDraft, claim: ClaimDraft): string {
  return ack.source === "999" ? syntaxFile(world, ack, claim) : claimStatusFile(world, ack, claim);
}

function claimStatusFile(world: World<DenialTables>, ack: AcknowledgmentDraft, claim: ClaimDraft): string {
  const payer = world.need("payers", claim.payer);
  const patient = world.need("patients", claim.patient);
  const key = `acknowledgment/${claim.controlNumber}/277/${ack.receivedOn}/${ack.category}`;
  const [category = "", status = STATUS_OF[category] ?? "19", entity] = ack.category.split(":");
  if (!/^A[0-8]$/.test(category))
    throw new Error(
      `acknowledgment of ${claim.controlNumber}: "${ack.category}" is no 277CA category; expected A0 to A8, such as "A7" or "A7:164:IL"`,
    );
  const taken = category === "A0" || category === "A1" || category === "A2";
  const verdict: ClaimStatus = {
    category: category as StatusCategory,
    status,
    ...(entity === undefined ? {} : { entity }),
    date: ack.receivedOn,
    action: taken ? "WQ" : "U",
    amount: short(claim.total),
  };
  const file = toAcknowledgmentFile(
    [
      {
        header: { reference: String(numberFrom(`${key}/reference`, 9)), date: ack.receivedOn, time: "0900" },
        informationSource: {
          role: "PR",
          name: clean(payer.name),
          id: payer.payerNumber,
          trace: String(numberFrom(`${key}/trace`, 9)),
          receivedDate: claim.submittedOn,
          processedDate: ack.receivedOn,
        },
        receiver: {
          name: OFFICE.name,
          id: OFFICE.id,
          batchReference: String(numberFrom(`${submissionKey(claim)}/reference`, 9)),
          statuses: [
            {
              category: "A1",
              status: "19",
              entity: "PR",
              date: ack.receivedOn,
              action: "WQ",
              amount: short(claim.total),
            },
          ],
        },
        provider: { name: OFFICE.name, npi: claim.billingNpi },
        patient: { ...personName(patient.first, patient.last), memberId: claim.memberId },
        patientControlNumber: claim.controlNumber,
        statuses: [verdict],
        ...(category === "A2" && claim.payerClaimNumber !== null
          ? { payerClaimControlNumber: clean(claim.payerClaimNumber) }
          : {}),
        serviceDate: claim.serviceDate,
      },
    ],
    envelopeOf(key, ack.receivedOn, payer.payerNumber, OFFICE.id),
  );
  return file;
}

function syntaxFile(world: World<DenialTables>, ack: AcknowledgmentDraft, claim: ClaimDraft): string {
  const letter = ack.category.charAt(0);
  if (letter !== "A" && letter !== "E" && letter !== "R")
    throw new Error(`acknowledgment of ${claim.controlNumber}: "${ack.category}" is no 999 code; expected A, E or R`);
  const key = `acknowledgment/${claim.controlNumber}/999/${ack.receivedOn}`;
  const payer = world.need("payers", claim.payer);
  // The 837 envelope takes its group number from the interchange's.
  const group = String(numberFrom(`${submissionKey(claim)}/interchange`, 9));
  const body: Written[] = [
    written("AK1", "HC", group, "005010X222A1"),
    written("AK2", "837", "0001", "005010X222A1"),
    letter === "A" ? written("IK5", "A") : written("IK5", letter, "I5"),
    written("AK9", letter, "1", "1", letter === "R" ? "0" : "1"),
  ];
  return writeFile(
    envelopeOf(key, ack.receivedOn, payer.payerNumber, OFFICE.id),
    { functionalId: "FA", setId: "999", version: "005010X231A1" },
    [{ segments: body.map((segment) => encodeSegment(segment, STANDARD_SEPARATORS)) }],
  );
}
