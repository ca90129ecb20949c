/**
 * The frame of a case about who covers the patient: a service that no payer authorizes beforehand or pays by capitation, so that coverage alone
 * decides; cards and answers as an office keeps them; and a claim that another plan should have had. Which plan is right is the archetype's.
 */
import { type PayerId, patientLiability } from "../../reference/payer-profile.js";
import { PAYERS } from "../../reference/payers.js";
import type { RootCauseId } from "../../reference/root-cause.js";
import type { Archetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { CaseFile, type ClaimSpec, type CoverageRow, type PatientRow } from "../case-file.js";
import type { DenialFacts } from "../facts.js";
import { digits } from "../identifiers.js";
import { settle } from "../settlement.js";

type Draws = Parameters<Archetype["build"]>;

/** What was given: a code, how often, diagnoses that go with it, and what a plan calls this kind of care. */
export interface Service {
  readonly hcpcs: string;
  readonly modifiers: readonly string[];
  readonly units: number;
  readonly diagnoses: readonly string[];
  readonly kind: string;
}

const service = (kind: string, hcpcs: string, units: number, diagnoses: string, modifiers: readonly string[] = []) => ({
  kind,
  hcpcs,
  units,
  diagnoses: diagnoses.split(" "),
  modifiers,
});

export const ADULT_SERVICES: readonly Service[] = [
  service("Equipment", "K0003", 1, "G82.20 I69.354", ["RR"]),
  service("Equipment", "E0250", 1, "I50.22 G82.20 I69.351", ["RR"]),
  service("Urological supplies", "A4357", 2, "N31.9 R33.8"),
  service("Diabetes training", "G0108", 2, "E11.65 E11.9"),
  service("Infused drugs", "J1439", 750, "D50.0 D50.9"),
  service("Ambulance", "A0429", 1, "I63.9 S72.001A"),
];
export const CHILD_SERVICES: readonly Service[] = [
  service("Equipment", "K0003", 1, "G80.9", ["RR"]),
  service("Diabetes training", "G0108", 2, "E10.65 E10.9"),
  service("Urological supplies", "A4357", 2, "N31.9"),
  service("Ambulance", "A0429", 1, "S72.001A"),
];

export const COMMERCIAL = ["northfield", "crestway"] as const;
export const ADVANTAGE = ["harborlight-advantage", "silverbirch-advantage"] as const;

/** The other one of a pair. */
export const otherOf = (pair: readonly [PayerId, PayerId], payer: PayerId): PayerId =>
  pair[0] === payer ? pair[1] : pair[0];

export interface CoverageCase {
  readonly file: CaseFile;
  readonly random: CaseFile["random"];
  readonly service: Service;
  readonly serviceDate: string;
  readonly remitDate: string;
  /** The claim as it goes to the coverage that the case opens with. */
  readonly spec: ClaimSpec;
}

/** Opens a case: a service of five to eight weeks ago, answered lately. */
export function openCoverageCase(
  ...[world, draw, options]: [
    ...Draws,
    {
      readonly payers: readonly PayerId[];
      readonly age?: readonly [number, number];
      readonly relationship?: CoverageRow["relationship"];
      readonly services?: readonly Service[];
    },
  ]
): CoverageCase {
  const { random } = draw;
  const file = new CaseFile(world, draw, {
    payer: random.pick(options.payers),
    ...(options.age === undefined ? {} : { age: options.age }),
    ...(options.relationship === undefined ? {} : { relationship: options.relationship }),
  });
  const given = random.pick(options.services ?? ADULT_SERVICES);
  const serviceDate = file.daysAgo(random.int(35, 55));
  const remitDate = file.daysAgo(random.int(5, 12));
  const spec = specOf(given, serviceDate, random.pick(given.diagnoses));
  return { file, random, service: given, serviceDate, remitDate, spec };
}

export const specOf = ({ hcpcs, modifiers, units }: Service, serviceDate: string, diagnosis: string): ClaimSpec => ({
  lines: [{ hcpcs, modifiers, units }],
  serviceDate,
  diagnoses: [diagnosis],
});

/** Changes what the payer's own file says of a coverage's member. */
export function atPayer(
  file: CaseFile,
  { payer, memberId }: CoverageRow,
  changes: { readonly from?: string; readonly to?: string; readonly remark?: string },
): void {
  for (const { id } of file.world.where("members", { payer, memberId })) file.world.update("members", id, changes);
}

/** Changes what the office's registration says of a coverage. */
export const onFile = (file: CaseFile, { id }: CoverageRow, changes: Partial<CoverageRow>): CoverageRow =>
  file.world.update("coverages", id, changes);

export const nameOf = ({ first, last }: PatientRow): string => `${first} ${last}`;

/** A copy of a member's card. */
export function addCard(
  file: CaseFile,
  coverage: Pick<CoverageRow, "payer" | "memberId">,
  date: string,
  more: { readonly title?: string; readonly text?: string; readonly back?: string } = {},
): string {
  const { name } = PAYERS.get(coverage.payer as PayerId);
  const front = `${name}. ${nameOf(file.patient)}. Member ID ${coverage.memberId}.${more.text === undefined ? "" : ` ${more.text}`}`;
  return file.addDocument({
    kind: "card",
    title: more.title ?? "Insurance card",
    author: "Front desk",
    date,
    signed: false,
    pages: more.back === undefined ? [front] : [front, more.back],
  }).id;
}

/** An eligibility answer of the past, worded as the payer words it; its trace number is what a dispute quotes. */
export function addActiveAnswer(
  file: CaseFile,
  coverage: CoverageRow,
  asked: { readonly checkedOn: string; readonly serviceDate: string },
): string {
  const { name } = PAYERS.get(coverage.payer as PayerId);
  return file.addEligibilityAnswer({
    ...asked,
    coverage,
    active: true,
    text: `${name}: Coverage active on ${asked.serviceDate} (from ${coverage.from}, no end date). Trace number ${digits(file.random, 12)}.`,
  });
}

/** State insurance that the patient once had, which the office never took off the file. */
export function addEndedMedicaid(file: CaseFile, before: string): CoverageRow {
  return file.addCoverage({
    payer: "tri-county-medicaid",
    order: "unknown",
    from: addDays(before, -file.random.int(900, 1200)),
    to: addDays(before, -file.random.int(200, 500)),
  });
}

/** The section that says what becomes of a service when a payer's coverage was not in force. */
export const notInForce = (file: CaseFile): string =>
  patientLiability(file.payer, { group: "CO", carc: "27", notice: "none", qmb: false, coverageActive: false }).section;

/** The case's claim was refused because `right` should have had it: a first claim to that plan, inside its own filing limit. */
export function billElsewhere(
  { file, service: { hcpcs }, serviceDate, remitDate, spec }: CoverageCase,
  right: CoverageRow,
  denial: {
    readonly group: "CO" | "OA";
    readonly carc: string;
    readonly remark?: string;
    readonly rootCause: RootCauseId;
    /** Section of the manual of the payer that refused. */
    readonly section: string;
    readonly lookAt: readonly string[];
    readonly status?: string;
  },
): DenialFacts {
  const { group, carc, remark, rootCause, section, status } = denial;
  const payer = PAYERS.get(right.payer as PayerId);
  const built = file.addClaim(spec);
  const { remit } = file.answer(
    built,
    remitDate,
    [{ group, carc, ...(remark === undefined ? {} : { remarks: [remark] }) }],
    status === undefined ? {} : { status },
  );
  return settle(file, {
    built,
    carc,
    headline: `${group}-${carc}${remark === undefined ? "" : ` (${remark})`} on ${hcpcs}`,
    queue: "coverage",
    rootCause,
    dispositions: ["bill_other_payer", "new_claim"],
    remitDate,
    lookAt: [remit.id, right.id, ...denial.lookAt, file.section(section)],
    correction: {
      kind: "identity",
      channel: "new_claim",
      payer,
      by: addDays(serviceDate, payer.clocks.timelyFilingDays),
      changes: [{ field: "coverage", line: null, value: right.id }],
      contents: [{ coverage: right }],
    },
  });
}
