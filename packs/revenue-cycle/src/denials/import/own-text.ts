/**
 * A file as received, cut down to one claim: the envelope, the levels above it and the claim's own segments, verbatim; counts are made right again.
 * Other patients' claims leave it, so that no task carries more health information than its own.
 */
import { type Envelope, toAcknowledgmentFile, toClaimFile, toRemittanceFile } from "../../codec/index.js";
import type { Filing } from "./accounts.js";
import type { ReadDecision, ReadReceipt } from "./read-files.js";

/** The envelope with only the group that a transaction stood in. */
function ownGroup(envelope: Envelope, group = 0): Envelope {
  return { ...envelope, groups: envelope.groups.slice(group, group + 1) };
}

function ungrouped<T extends { group?: number }>({ group: _, ...rest }: T): Omit<T, "group"> {
  return rest;
}

export function ownClaimText({ claim, envelope }: Filing): string {
  return toClaimFile(
    [{ ...claim, submission: ungrouped(claim.submission) }],
    ownGroup(envelope, claim.submission.group),
  );
}

/** Everything the remittance says of the filing; the payment's total stays that of the whole remittance. */
export function ownRemittanceText(filing: Filing, { remittance, envelope }: ReadDecision): string {
  const claims = filing.decisions.filter((other) => other.remittance === remittance).map(({ payment }) => payment);
  const names = claims.flatMap(({ patientControlNumber, payerControlNumber }) => [
    patientControlNumber,
    payerControlNumber,
  ]);
  const providerAdjustments = remittance.providerAdjustments.filter(({ reference }) =>
    names.some((name) => reference?.includes(name) === true),
  );
  return toRemittanceFile(
    [{ ...ungrouped(remittance), claims, providerAdjustments }],
    ownGroup(envelope, remittance.group),
  );
}

export function ownReceiptText({ acknowledgment, envelope }: ReadReceipt): string {
  const { header } = acknowledgment;
  return toAcknowledgmentFile([{ ...acknowledgment, header: ungrouped(header) }], ownGroup(envelope, header.group));
}
