/**
 * ICD-10-CM diagnoses that the worlds use, described in our own words, with the equipment families each can support.
 * ICD-10-CM is the clinical modification by the U.S. Centers for Disease Control and Prevention (National Center for
 * Health Statistics), in the public domain in the United States; ICD-10 itself is copyright World Health Organization.
 * Nothing here is endorsed by either. A supported family is a necessary, never a sufficient, condition of coverage.
 */
import type { HcpcsCategory } from "./hcpcs.js";
import { bySource, defineTable, type Provenance } from "./table.js";

export type Laterality = "left" | "right" | "bilateral" | "unspecified";

/** One diagnosis. `code` has its dot, `bare` is the form a claim carries; dates are ISO days, null when open. */
export interface Diagnosis extends Provenance {
  readonly code: string;
  readonly bare: string;
  readonly label: string;
  readonly laterality: Laterality | null;
  readonly supports: readonly HcpcsCategory[];
  readonly validThrough: string | null;
  /** Codes of this table that took over when this one was retired. */
  readonly successors: readonly string[];
}

const provenance = bySource("CDC/NCHS ICD-10-CM tabular list");
const dx = (
  code: string,
  label: string,
  supports: readonly HcpcsCategory[] = [],
  laterality: Laterality | null = null,
): Diagnosis => ({
  code,
  bare: code.replace(".", ""),
  label,
  laterality,
  supports,
  validThrough: null,
  successors: [],
  ...provenance,
});
const retired = (row: Diagnosis, validThrough: string, successors: readonly string[]): Diagnosis => ({
  ...row,
  validThrough,
  successors,
});

/** Every diagnosis the worlds use, by dotted code. */
export const ICD10 = defineTable<Diagnosis>("icd10", (row) => row.code, [
  dx("J43.9", "Emphysema, type not stated", ["oxygen"]),
  dx("J44.1", "COPD in acute flare", ["oxygen", "ventilator"]),
  dx("J44.9", "COPD, no further detail", ["oxygen", "ventilator", "bed"]),
  dx("J84.10", "Pulmonary fibrosis, type not stated", ["oxygen"]),
  dx("J84.112", "Idiopathic pulmonary fibrosis", ["oxygen"]),
  dx("J96.10", "Chronic respiratory failure, gas defect not stated", ["ventilator"]),
  dx("J96.11", "Chronic respiratory failure with low oxygen", ["oxygen", "ventilator"]),
  dx("J96.12", "Chronic respiratory failure with high carbon dioxide", ["ventilator", "pap"]),
  dx("I27.20", "Pulmonary hypertension, type not stated", ["oxygen"]),
  dx("R09.02", "Low blood oxygen", ["oxygen"]),
  dx("R06.02", "Shortness of breath"),
  dx("I10", "High blood pressure without known cause"),
  dx("I50.9", "Heart failure, type not stated", ["bed"]),
  dx("I50.22", "Chronic systolic heart failure", ["oxygen", "bed", "home-health"]),
  dx("I50.23", "Acute on chronic systolic heart failure", ["bed", "home-health", "ambulance"]),
  dx("G47.33", "Obstructive sleep apnea", ["pap"]),
  dx("G47.31", "Central sleep apnea, primary", ["pap"]),
  dx("G47.30", "Sleep apnea, type not stated"),
  dx("E66.2", "Severe obesity with shallow breathing", ["pap", "ventilator"]),
  dx("G12.21", "Amyotrophic lateral sclerosis", ["ventilator", "wheelchair", "bed"]),
  dx("G71.01", "Duchenne or Becker muscular dystrophy", ["ventilator", "wheelchair"]),
  dx("G70.00", "Myasthenia gravis, not in crisis", ["ventilator"]),
  dx("G20.A1", "Parkinson disease, no dyskinesia or fluctuation noted", ["wheelchair", "bed"]),
  dx("G35.A", "Relapsing-remitting multiple sclerosis", ["wheelchair", "bed", "supply"]),
  dx("G80.9", "Cerebral palsy, type not stated", ["wheelchair", "bed"]),
  dx("G81.91", "One-sided paralysis, right dominant side", ["wheelchair", "bed"], "right"),
  dx("G81.94", "One-sided paralysis, left non-dominant side", ["wheelchair", "bed"], "left"),
  dx("G82.20", "Paraplegia, extent not stated", ["wheelchair", "bed", "supply"]),
  dx("G82.50", "Quadriplegia, level not stated", ["wheelchair", "bed", "supply", "ambulance"]),
  dx("I69.351", "Right dominant-side paralysis after a stroke", ["wheelchair", "bed", "home-health"], "right"),
  dx("I69.354", "Left non-dominant-side paralysis after a stroke", ["wheelchair", "bed", "home-health"], "left"),
  dx("M62.81", "General muscle weakness"),
  dx("R26.2", "Difficulty walking"),
  dx("R26.89", "Other trouble with gait"),
  dx("L89.153", "Pressure ulcer over the sacrum, stage 3", ["bed", "wound", "home-health"]),
  dx("L89.154", "Pressure ulcer over the sacrum, stage 4", ["bed", "wound", "home-health", "ambulance"]),
  dx("L97.411", "Right heel or midfoot ulcer, skin breakdown only", ["wound"], "right"),
  dx("L97.412", "Right heel or midfoot ulcer, fat layer exposed", ["wound", "home-health"], "right"),
  dx("T81.31XA", "Surgical wound reopened, first encounter", ["wound", "home-health"]),
  dx("E10.9", "Type 1 diabetes, no complication", ["glucose", "other"]),
  dx("E10.65", "Type 1 diabetes with high glucose", ["glucose", "other"]),
  dx("E11.9", "Type 2 diabetes, no complication", ["glucose", "other"]),
  dx("E11.65", "Type 2 diabetes with high glucose", ["glucose", "other"]),
  dx("E11.22", "Type 2 diabetes with chronic kidney disease", ["glucose", "other"]),
  dx("E11.621", "Type 2 diabetes with a foot ulcer", ["glucose", "wound", "other"]),
  dx("O24.410", "Diabetes of pregnancy, diet controlled", ["glucose", "other"]),
  dx("Z79.4", "Long-term insulin use"),
  dx("H54.8", "Legal blindness (U.S. definition)", ["glucose"]),
  dx("N31.9", "Nerve-related bladder dysfunction, type not stated", ["supply"]),
  dx("R33.8", "Other urinary retention", ["supply"]),
  dx("R33.9", "Urinary retention, not detailed", ["supply"]),
  dx("N39.498", "Other named urinary incontinence", ["supply"]),
  dx("R32", "Urinary incontinence, not detailed"),
  dx("K50.00", "Small-bowel Crohn disease, no complication", ["drug"]),
  dx("K50.90", "Crohn disease, site not stated, no complication", ["drug"]),
  dx("K51.90", "Ulcerative colitis, not detailed, no complication", ["drug"]),
  dx("M05.79", "Seropositive rheumatoid arthritis, several sites", ["drug"]),
  dx("M06.9", "Rheumatoid arthritis, not detailed", ["drug"]),
  dx("L40.0", "Plaque psoriasis", ["drug"]),
  dx("L40.50", "Psoriatic arthritis, not detailed", ["drug"]),
  dx("M45.9", "Ankylosing spondylitis, spinal site not stated", ["drug"]),
  dx("G43.709", "Chronic migraine without aura, not intractable", ["drug"]),
  dx("G43.719", "Chronic migraine without aura, intractable", ["drug"]),
  dx("C18.9", "Colon cancer, part not stated", ["drug"]),
  dx("C34.11", "Upper-lobe lung cancer, right", ["drug"], "right"),
  dx("C34.12", "Upper-lobe lung cancer, left", ["drug"], "left"),
  dx("C34.90", "Lung cancer, part and side not stated", [], "unspecified"),
  dx("C56.1", "Cancer of the right ovary", ["drug"], "right"),
  dx("C56.2", "Cancer of the left ovary", ["drug"], "left"),
  dx("M81.0", "Age-related osteoporosis without current fracture", ["drug"]),
  dx("D50.0", "Iron deficiency anemia from chronic blood loss", ["drug"]),
  dx("D50.9", "Iron deficiency anemia, not detailed", ["drug"]),
  dx("Z74.01", "Confined to bed", ["ambulance"]),
  dx("N18.6", "End-stage kidney disease", ["ambulance"]),
  dx("Z99.2", "Dependent on dialysis", ["ambulance"]),
  dx("I63.9", "Stroke, cause not stated", ["ambulance"]),
  dx("S72.001A", "Right hip-neck fracture, closed, first encounter", ["ambulance"], "right"),
  dx("Z89.511", "Right leg absent below the knee", ["prosthesis"], "right"),
  dx("Z89.512", "Left leg absent below the knee", ["prosthesis"], "left"),
  dx("Z89.519", "Leg absent below the knee, side not stated", [], "unspecified"),
  dx("Z89.611", "Right leg absent above the knee", ["prosthesis"], "right"),
  dx("Z89.612", "Left leg absent above the knee", ["prosthesis"], "left"),
  dx("Z47.1", "Aftercare of a joint replacement", ["home-health"]),
  dx("Z96.651", "Artificial right knee present", ["home-health"], "right"),
  dx("Z96.652", "Artificial left knee present", ["home-health"], "left"),
  dx("G56.00", "Carpal tunnel syndrome, side not stated", [], "unspecified"),
  dx("G56.01", "Carpal tunnel syndrome, right", ["orthosis"], "right"),
  dx("G56.02", "Carpal tunnel syndrome, left", ["orthosis"], "left"),
  dx("M17.0", "Primary knee osteoarthritis, both knees", ["orthosis"], "bilateral"),
  dx("M17.10", "Primary knee osteoarthritis, side not stated", [], "unspecified"),
  dx("M17.11", "Primary knee osteoarthritis, right", ["orthosis"], "right"),
  dx("M17.12", "Primary knee osteoarthritis, left", ["orthosis"], "left"),
  dx("M25.561", "Right knee pain", [], "right"),
  dx("M25.562", "Left knee pain", [], "left"),
  dx("S83.511A", "Right anterior cruciate sprain, first encounter", ["orthosis"], "right"),
  dx("S83.512A", "Left anterior cruciate sprain, first encounter", ["orthosis"], "left"),
  dx("S93.401A", "Right ankle sprain, first encounter", ["orthosis"], "right"),
  dx("S93.402A", "Left ankle sprain, first encounter", ["orthosis"], "left"),
  dx("M48.061", "Lumbar stenosis without walking pain", ["orthosis"]),
  dx("M54.16", "Lumbar nerve-root pain", ["orthosis"]),
  dx("M54.50", "Low back pain, not detailed", ["orthosis"]),
  retired(dx("M54.5", "Low back pain (retired parent code)"), "2021-09-30", ["M54.50"]),
  retired(dx("G20", "Parkinson disease (retired parent code)"), "2023-09-30", ["G20.A1"]),
  retired(dx("G35", "Multiple sclerosis (retired parent code)"), "2025-09-30", ["G35.A"]),
  retired(dx("I27.2", "Other secondary pulmonary hypertension (retired parent code)"), "2017-09-30", ["I27.20"]),
]);

const predecessorEnds: ReadonlyMap<string, string> = new Map(
  ICD10.rows.flatMap(({ validThrough, successors }) =>
    validThrough === null ? [] : successors.map((code) => [code, validThrough] as const),
  ),
);

/** Whether the code may be billed for a service on that ISO day; false for a code outside the table. */
export function isDiagnosisValidOn(code: string, isoDay: string): boolean {
  const row = ICD10.find(code);
  if (row === undefined) return false;
  const predecessorEnd = predecessorEnds.get(code);
  return (
    (predecessorEnd === undefined || isoDay > predecessorEnd) &&
    (row.validThrough === null || isoDay <= row.validThrough)
  );
}
