/**
 * Fields that were left off a claim: which remark points at each, what belongs there, and the record that says so, among others that say
 * something else. A gap plants the truth where a careful reader finds it; it does not say how a payer wants it corrected.
 */

import { HCPCS } from "../../reference/hcpcs.js";
import { REFERRING_DOCTORS } from "../../reference/names.js";
import type { CorrectionKind } from "../../reference/payer-profile.js";
import type { RootCauseId } from "../../reference/root-cause.js";
import { addDays } from "../calendar.js";
import type { BuiltClaim, CaseFile, ClaimSpec } from "../case-file.js";
import type { correctContent } from "../case-truth.js";
import type { ClaimChange } from "../facts.js";
import { digits, drawNpi } from "../identifiers.js";
import { type DataCase, DRUGS, EQUIPMENT, labelOf, paidEarlier, type Service, VISITS } from "./data-cases.js";

/** What was planted: the document that decides, and the value it gives. */
export interface Planted {
  readonly document: string;
  readonly value: string;
}

export interface Gap {
  readonly remark: "N290" | "N265" | "M119";
  readonly rootCause: RootCauseId;
  readonly kind: CorrectionKind;
  readonly services: readonly Service[];
  /** The claim as it went out, with the field left off. */
  omit(spec: ClaimSpec): ClaimSpec;
  plant(opened: DataCase): Planted;
  changeOf(built: BuiltClaim, value: string): ClaimChange;
  contentOf(value: string): Parameters<typeof correctContent>[1];
}

/** Another clinician, who neither gave nor ordered this service. */
export function colleagueOf(file: CaseFile): { readonly name: string; readonly npi: string } {
  const known = [file.rendering.name, file.ordering.name];
  return {
    name: file.random.pick(REFERRING_DOCTORS.filter((name) => !known.includes(name))),
    npi: drawNpi(file.random),
  };
}

/** Chart and claims that show who gave the service, and who gave earlier ones. */
export function plantVisit(opened: DataCase): Planted {
  const { file, random, service, serviceDate } = opened;
  const colleague = colleagueOf(file);
  const label = labelOf(service.hcpcs);
  const [near, far] = [random.int(26, 34), random.int(52, 64)];
  file.addDocument({
    kind: "order",
    title: "Referral",
    date: addDays(serviceDate, -random.int(66, 80)),
    author: file.ordering.name,
    pages: [`Referred for: ${label}. Referring practitioner ${file.ordering.name}, NPI ${file.ordering.npi}.`],
  });
  for (const [days, who] of [
    [near, colleague],
    [far, file.rendering],
  ] as const) {
    paidEarlier(opened, days, { renderingNpi: who.npi });
    file.addDocument({
      kind: "note",
      title: "Encounter note",
      date: addDays(serviceDate, -days),
      author: who.name,
      pages: [`${label}, given by ${who.name}, NPI ${who.npi}. Tolerated well; continue.`],
    });
  }
  const note = file.addDocument({
    kind: "note",
    title: "Encounter note",
    date: serviceDate,
    pages: [
      `${label}, given in person by ${file.rendering.name}, NPI ${file.rendering.npi}. Tolerated well; next appointment made at the desk.`,
    ],
  });
  return { document: note.id, value: file.rendering.npi };
}

export const RENDERING: Gap = {
  remark: "N290",
  rootCause: "rendering_npi_dropped",
  kind: "provider_npi",
  services: VISITS,
  omit: (spec) => ({ ...spec, renderingNpi: null }),
  plant: plantVisit,
  changeOf: (_built, value) => ({ field: "renderingNpi", line: null, value }),
  contentOf: (value) => ({ renderingNpi: value }),
};

export const ORDERING: Gap = {
  remark: "N265",
  rootCause: "ordering_provider_missing",
  kind: "provider_npi",
  services: EQUIPMENT,
  omit: (spec) => ({ ...spec, orderingNpi: null }),
  plant(opened) {
    const { file, random, service, serviceDate } = opened;
    const former = colleagueOf(file);
    const item = `${service.hcpcs}, ${labelOf(service.hcpcs)}`;
    const renewedOn = addDays(serviceDate, -random.int(4, 12));
    file.addDocument({
      kind: "order",
      title: "Equipment order",
      date: addDays(serviceDate, -random.int(340, 380)),
      author: former.name,
      pages: [`Order for ${item}. ${former.name}, NPI ${former.npi}. Valid for eleven months.`],
    });
    paidEarlier(opened, random.int(30, 34), { orderingNpi: former.npi });
    const order = file.addDocument({
      kind: "order",
      title: "Equipment order, renewed",
      date: renewedOn,
      author: file.ordering.name,
      pages: [
        `Order for ${item}, in place of the order that has run out. Care has passed to ${file.ordering.name}, NPI ${file.ordering.npi}. Signed before delivery.`,
      ],
    });
    file.addDocument({
      kind: "note",
      title: "Home visit",
      date: addDays(serviceDate, 3),
      pages: [`Equipment in use and in good order. ${file.rendering.name}, NPI ${file.rendering.npi}.`],
    });
    const other = random.pick(
      EQUIPMENT.filter(({ hcpcs }) => hcpcs !== service.hcpcs && hcpcs !== "E1390" && hcpcs !== "E0260"),
    );
    paidEarlier(opened, -2, {
      lines: [{ hcpcs: other.hcpcs, modifiers: other.modifiers, units: other.units[0] }],
      diagnoses: [random.pick(other.diagnoses)],
      authorization: null,
      orderingNpi: file.ordering.npi,
    });
    return { document: order.id, value: file.ordering.npi };
  },
  changeOf: (_built, value) => ({ field: "orderingNpi", line: null, value }),
  contentOf: (value) => ({ orderingNpi: value }),
};

export const DRUG_CODE: Gap = {
  remark: "M119",
  rootCause: "drug_code_missing",
  kind: "ndc",
  services: DRUGS,
  omit: (spec) => ({ ...spec, lines: spec.lines.map((line) => ({ ...line, ndc: null })) }),
  plant(opened) {
    const { file, random, service, serviceDate, spec } = opened;
    const { label, drugPackage } = HCPCS.get(service.hcpcs);
    const given = drugPackage!.ndc;
    let other = given;
    while (other === given) other = given.slice(0, 5) + digits(random, 6);
    const [near, far] = [random.int(26, 34), random.int(52, 64)];
    const record = (date: string, ndc: string) =>
      file.addDocument({
        kind: "note",
        title: "Administration record",
        date,
        pages: [
          `${label}: ${spec.lines[0]!.units} billing units given from package NDC ${ndc}, lot ${random.int(1000, 9999)}. Nothing left over.`,
        ],
      });
    for (const [days, ndc] of [
      [near, other],
      [far, given],
    ] as const) {
      paidEarlier(opened, days, { lines: spec.lines.map((line) => ({ ...line, ndc })) });
      record(addDays(serviceDate, -days), ndc);
    }
    file.addDocument({
      kind: "delivery",
      title: "Pharmacy receiving list",
      date: addDays(serviceDate, -2),
      author: "Stock room",
      pages: [`Received: ${label}, NDC ${other}. Cold chain broken on arrival; returned to the wholesaler unopened.`],
    });
    return { document: record(serviceDate, given).id, value: given };
  },
  changeOf: ({ lines }, value) => ({ field: "ndc", line: lines[0]!.id, value }),
  contentOf: (value) => ({ lines: [{ ndc: value }] }),
};
