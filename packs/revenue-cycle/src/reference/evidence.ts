/**
 * What a chart can prove: the fields that coverage criteria test, the circumstances under which a value counts, and the
 * document types it is read from. The chart generator writes these fields; a policy only names them.
 */
import { byPractice, defineTable, type Provenance } from "./table.js";

export const EVIDENCE_KINDS = ["observation", "note", "order", "test"] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

export const DOCUMENT_TYPES = [
  "order",
  "office_note",
  "hospital_note",
  "emergency_record",
  "operative_note",
  "test_report",
  "sleep_study",
  "delivery_receipt",
  "plan_of_care",
  "wound_log",
  "infusion_record",
  "transport_record",
  "certification",
  "fitting_note",
  "testing_log",
  "home_assessment",
  "advance_notice",
  "behavioral_health_note",
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Circumstances that must hold, or must not be broken, for a value to count. */
export const CIRCUMSTANCES = [
  "at_rest",
  "awake",
  "asleep",
  "on_exertion",
  "room_air",
  "chronic_stable_state",
  "by_treating_practitioner",
  "not_measured_by_supplier",
  "signed_and_dated",
  "in_person",
] as const;
export type Circumstance = (typeof CIRCUMSTANCES)[number];

/** One chart field. A number has a unit, a choice its values; a flag has neither. */
export interface EvidenceField extends Provenance {
  readonly id: string;
  readonly label: string;
  readonly kind: EvidenceKind;
  readonly value: "number" | "flag" | "choice";
  readonly unit: string | null;
  readonly choices: readonly string[];
  readonly foundIn: readonly DocumentType[];
}

const quantity =
  (kind: EvidenceKind) =>
  (id: string, label: string, unit: string, ...foundIn: DocumentType[]): EvidenceField => ({
    id,
    label,
    kind,
    value: "number",
    unit,
    choices: [],
    foundIn,
    ...byPractice(),
  });
const flag =
  (kind: EvidenceKind) =>
  (id: string, label: string, ...foundIn: DocumentType[]): EvidenceField => ({
    ...quantity(kind)(id, label, "", ...foundIn),
    value: "flag",
    unit: null,
  });
const choice = (id: string, label: string, choices: readonly string[], ...foundIn: DocumentType[]): EvidenceField => ({
  ...flag("note")(id, label, ...foundIn),
  value: "choice",
  choices,
});

const measured = quantity("observation");
const tested = quantity("test");
const counted = quantity("note");
const noted = flag("note");
const ordered = flag("order");

/** Every chart field that a criterion may test, by id. */
export const EVIDENCE_FIELDS = defineTable<EvidenceField>("evidence fields", (row) => row.id, [
  measured("spo2_percent", "Oxygen saturation", "%", "office_note", "hospital_note", "test_report"),
  tested("pao2_mmhg", "Arterial oxygen pressure", "mmHg", "test_report", "hospital_note"),
  tested("paco2_mmhg", "Arterial carbon dioxide pressure", "mmHg", "test_report", "hospital_note"),
  tested("fvc_percent_predicted", "Forced vital capacity", "% predicted", "test_report"),
  tested("ahi_events_per_hour", "Apnea-hypopnea index", "events/hour", "sleep_study"),
  measured("device_use_nights_percent", "Nights with at least four hours of use", "%", "test_report", "office_note"),
  measured(
    "head_elevation_degrees",
    "Head elevation needed most of the time",
    "degrees",
    "office_note",
    "hospital_note",
  ),
  tested("hba1c_percent", "Glycated hemoglobin", "%", "test_report", "office_note"),
  counted("glucose_tests_per_day", "Glucose tests ordered a day", "tests/day", "order", "office_note", "testing_log"),
  tested("visual_acuity_denominator", "Best corrected vision, 20 over", "", "test_report", "office_note"),
  counted("catheterizations_per_day", "Catheterizations a day", "times/day", "order", "office_note"),
  counted("impairment_expected_months", "How long the impairment will last", "months", "office_note"),
  measured("body_weight_kg", "Body weight", "kg", "infusion_record", "office_note"),
  counted("prior_therapy_weeks", "Earlier treatment tried", "weeks", "office_note"),
  counted("headache_days_per_month", "Headache days a month", "days/month", "office_note"),
  tested("bone_density_t_score", "Bone density T-score", "SD", "test_report"),
  tested("ferritin_ng_per_ml", "Ferritin", "ng/mL", "test_report"),
  measured("wound_depth_mm", "Wound depth", "mm", "wound_log"),
  counted("wound_care_days", "Days of ordinary wound care before the pump", "days", "wound_log", "office_note"),
  measured("range_of_motion_deficit_degrees", "Loss of joint motion", "degrees", "office_note", "fitting_note"),
  choice(
    "functional_level",
    "Functional level after limb loss",
    ["K0", "K1", "K2", "K3", "K4"],
    "office_note",
    "fitting_note",
  ),
  choice("insulin_use", "Treatment of diabetes", ["none", "oral", "insulin"], "office_note", "order"),
  noted("face_to_face_visit", "Visit in person about the need", "office_note"),
  noted("follow_up_visit", "Visit that finds benefit from the device", "office_note"),
  noted(
    "symptoms_documented",
    "Daytime sleepiness, insomnia, mood or memory trouble, or vascular disease",
    "office_note",
  ),
  noted("mobility_limits_daily_living", "Cannot do daily activities in the home", "office_note"),
  noted("lesser_aid_ruled_out", "Cane or walker is not enough", "office_note"),
  noted("manual_chair_ruled_out", "Cannot propel an optimally set manual chair", "office_note", "home_assessment"),
  noted("home_fits_equipment", "Home gives access for the equipment", "home_assessment"),
  noted(
    "repositioning_need",
    "Needs body positions that an ordinary bed does not allow",
    "office_note",
    "hospital_note",
  ),
  noted("frequent_height_change_need", "Needs bed height changes to transfer", "office_note", "hospital_note"),
  noted("permanent_urinary_impairment", "Bladder cannot be emptied or controlled for good", "office_note"),
  noted(
    "recurrent_infection_on_clean_technique",
    "Infections in spite of clean catheterization",
    "office_note",
    "test_report",
  ),
  noted("tuberculosis_screen_negative", "Tuberculosis screen negative", "test_report", "office_note"),
  noted("dose_and_waste_recorded", "Dose given and amount wasted are recorded", "infusion_record"),
  noted("bed_confined", "Cannot get up, walk or sit in a chair", "transport_record", "certification"),
  noted("other_transport_unsafe", "Other transport would endanger health", "transport_record", "certification"),
  noted("monitoring_on_the_way", "Advanced care or monitoring was needed on the way", "transport_record"),
  noted("loaded_miles_recorded", "Loaded miles from pick-up to drop-off are recorded", "transport_record"),
  noted("rehabilitation_motivation", "Wants to walk and can be expected to", "office_note", "fitting_note"),
  noted("homebound", "Leaving home takes great effort and help", "office_note", "plan_of_care"),
  noted("skilled_need", "Care needs the skill of a nurse or therapist", "plan_of_care", "office_note"),
  noted("visit_times_recorded", "Start and end of the visit are recorded", "plan_of_care"),
  noted("joint_instability", "Knee found unstable on examination", "office_note", "fitting_note"),
  noted(
    "injury_or_weakness_of_joint",
    "Injury, weakness or deformity of the braced part",
    "office_note",
    "fitting_note",
  ),
  noted(
    "progressive_neuromuscular_disease",
    "Neuromuscular or chest-wall disease with failing breathing",
    "office_note",
    "hospital_note",
  ),
  noted(
    "life_threat_without_ventilation",
    "Stopping ventilation would threaten life soon",
    "office_note",
    "hospital_note",
  ),
  ordered("signed_order", "Order signed by the treating practitioner before delivery", "order"),
  ordered("training_order", "Order for self-management training with hours", "order"),
  ordered("physician_certification", "Signed statement that the transport was necessary", "certification"),
  ordered("plan_of_care_signed", "Plan of care signed", "plan_of_care"),
]);
