/**
 * The X12 files of the office: a claim (837P), its acknowledgments (999, 277CA) and its remittances (835), written from rows before they are
 * inserted. Control numbers and times follow from the rows, so the same rows give the same bytes. A remittance that does not balance is
 * refused with the amount that is off. Nothing here decides anything about a claim.
 */
export { type AcknowledgmentDraft, acknowledgmentFile } from "./edi/acknowledgment-file.js";
export { type ClaimDraft, type ClaimLineDraft, claimFile } from "./edi/claim-file.js";
export { OFFICE } from "./edi/parties.js";
export {
  type ProviderAdjustment,
  type RemitDraft,
  type RemitLineDraft,
  type ReversedDecision,
  remittanceFile,
} from "./edi/remittance-file.js";
