/**
 * Remark codes: the public numbers with our own short wording. A remark says which field or document the reason code means;
 * alerts inform and never stand as the only remark of a reason that needs one. Retired remarks (N29) are absent.
 */
import type { CorrectionKind } from "./payer-profile.js";
import { byPractice, bySource, defineTable, type Provenance } from "./table.js";

export interface RemarkCode extends Provenance {
  readonly code: string;
  readonly label: string;
  readonly alert: boolean;
  /** The field that this remark says is wrong; null when it is not about a field. */
  readonly pointsAt: CorrectionKind | null;
}

const listed = bySource("remittance remark list, CMS/X12 publication (own wording)");
const remark = (
  code: string,
  label: string,
  pointsAt: CorrectionKind | null = null,
  provenance: Provenance = listed,
): RemarkCode => ({ code, label, alert: false, pointsAt, ...provenance });
const alert = (code: string, label: string, provenance: Provenance = listed): RemarkCode => ({
  ...remark(code, label, null, provenance),
  alert: true,
});
const unverified = byPractice();

/** Every remark code the worlds use, by code. */
export const RARC = defineTable<RemarkCode>("rarc", (row) => row.code, [
  alert("MA01", "This decision can be appealed; the text gives the limit"),
  {
    ...alert("MA130", "The claim could not be processed and has no appeal; send a new one"),
    pointsAt: "unprocessable",
  },
  alert("M38", "Patient liable: a valid written notice was signed beforehand"),
  alert("M39", "Patient not liable: the advance notice did not meet the rules"),
  alert("N781", "Deductible of a protected Medicare beneficiary: do not collect", bySource("provcomm.ibx.com QMB")),
  alert("N782", "Coinsurance of a protected Medicare beneficiary: do not collect", bySource("provcomm.ibx.com QMB")),
  alert("N783", "Copayment of a protected Medicare beneficiary: do not collect", bySource("provcomm.ibx.com QMB")),
  remark("MA04", "Primary payer or its payment is not stated", "other_payer"),
  remark("N4", "Primary payer's statement is missing or unusable", "other_payer"),
  remark("MA27", "Member number or name on the claim is wrong or missing", "identity"),
  remark("N382", "Patient identifier is wrong or missing", "identity"),
  remark("N290", "Rendering provider's number is wrong or missing", "provider_npi"),
  remark("N265", "Ordering provider's number is wrong or missing", "provider_npi"),
  remark("N286", "Referring provider's number is wrong or missing", "provider_npi"),
  remark("N257", "Billing provider's number is wrong or missing", "provider_npi"),
  remark("M76", "Diagnosis is wrong or missing", "diagnosis"),
  remark("M64", "A further diagnosis is wrong or missing", "diagnosis"),
  remark("MA63", "Principal diagnosis is wrong or missing", "diagnosis"),
  remark("M119", "National drug code is wrong or missing", "ndc"),
  remark("M20", "Equipment or drug code is wrong or missing", "procedure_code"),
  remark("M51", "Procedure code is wrong or missing", "procedure_code"),
  remark("N56", "Code does not fit the service or its date", "procedure_code"),
  remark("M52", "Start date of service is wrong or missing", "date_of_service"),
  remark("M53", "Days or units are wrong or missing", "units"),
  remark("M77", "Place of service is wrong or missing", "place_of_service"),
  remark("M62", "Authorization number is wrong or missing", "auth_number"),
  remark("N822", "A modifier is missing", "modifier", unverified),
  remark("N823", "A modifier is incomplete or wrong", "modifier", unverified),
  remark("N519", "These modifiers do not go together", "modifier", unverified),
  remark("N362", "Units exceed what the payer accepts", "units"),
  remark("N640", "Exceeds the number allowed in the period", null, unverified),
  remark("N435", "Exceeds the number allowed without supporting records", null, unverified),
  remark("M15", "Bundled with another service or test"),
  remark("N19", "Incidental to the main service"),
  remark("N20", "Not payable with another service of the same day"),
  remark("M80", "Not payable in the same session as a service already processed"),
  remark("N115", "Decided under a local coverage policy"),
  remark("N386", "Decided under a national coverage policy"),
  remark("M8", "Blood-gas result came from the supplier or was taken on oxygen"),
  remark("M127", "Medical record of the service is missing"),
  remark("M29", "Operative note is missing"),
  remark("N706", "Documentation is missing"),
  remark("N179", "The member has been asked for information; reconsidered on receipt"),
  remark("N130", "Look in the plan's benefit documents for limits"),
  remark("N381", "Look in the contract for limits, billing or payment"),
  remark("N425", "Excluded by statute", null, unverified),
  remark("N30", "Patient does not qualify for this service"),
  remark("N95", "This type of provider may not bill this service"),
  remark("N570", "Credentialing data are missing or wrong", "provider_npi", unverified),
  remark("N418", "Sent to the wrong place; follow the payer's submission rules"),
  remark("N104", "Belongs to another claims jurisdiction"),
  remark("N522", "Duplicate of a claim that crosses over from another payer"),
  remark("M3", "Same or similar equipment already in use"),
  remark("M7", "No rental after purchase or after the rental total reached the price"),
  remark("M86", "Same or similar service already paid in this period"),
]);
