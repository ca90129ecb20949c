/** The frame of a case about a field of the claim: what was given, when, under which authorization, and the claims around it. Decides nothing. */
import { HCPCS } from "../../reference/hcpcs.js";
import type { PayerId } from "../../reference/payer-profile.js";
import { appliedPolicy } from "../../reference/policies.js";
import type { Archetype } from "../archetype.js";
import { addDays } from "../calendar.js";
import { type BuiltClaim, CaseFile, type ClaimSpec } from "../case-file.js";

type Draws = Parameters<Archetype["build"]>;

/** A service as the office gives it: a code, how many units at a time, and diagnoses that go with it. */
export interface Service {
  readonly hcpcs: string;
  readonly modifiers: readonly string[];
  readonly units: readonly [number, number];
  readonly diagnoses: readonly string[];
}

const service = (
  hcpcs: string,
  units: readonly [number, number],
  diagnoses: string,
  modifiers: readonly string[] = [],
): Service => ({
  hcpcs,
  modifiers,
  units,
  diagnoses: diagnoses.split(" "),
});

/** Drugs given in the office. */
export const DRUGS: readonly Service[] = [
  service("J1745", [20, 40], "K50.90 K51.90 M05.79"),
  service("Q5103", [20, 40], "K50.90 K51.90 M05.79"),
  service("J0897", [60, 60], "M81.0"),
  service("J0585", [100, 200], "G43.709 G43.719"),
  service("J1439", [750, 750], "D50.0 D50.9"),
  service("J9035", [30, 60], "C18.9 C56.1 C34.11"),
];

/** What a clinician gives in person. */
export const VISITS: readonly Service[] = [
  service("G0108", [2, 4], "E10.65 E11.65 E11.9"),
  service("G0109", [3, 6], "E11.65 E11.9"),
  ...DRUGS.slice(0, 4),
];

/** What is delivered on an order. */
export const EQUIPMENT: readonly Service[] = [
  service("E0260", [1, 1], "I50.22 I69.351 G82.20", ["RR"]),
  service("E1390", [1, 1], "J44.9 J84.112 J96.11", ["RR"]),
  service("K0003", [1, 1], "G82.20 G80.9 I69.354", ["RR"]),
  service("A4357", [2, 2], "N31.9 R33.8"),
];

export interface DataCase {
  readonly file: CaseFile;
  readonly random: CaseFile["random"];
  readonly service: Service;
  readonly serviceDate: string;
  readonly remitDate: string;
  /** The claim as it should have gone out. */
  readonly spec: ClaimSpec;
}

/** Opens a case: a service given five to eight weeks ago and answered lately, unless `datesOf` says otherwise. */
export function openDataCase(
  world: Draws[0],
  draw: Draws[1],
  options: {
    payers: readonly PayerId[];
    services: readonly Service[];
    datesOf?: (file: CaseFile) => { readonly serviceDate: string; readonly remitDate: string };
  },
): DataCase {
  const { random } = draw;
  const file = new CaseFile(world, draw, { payer: random.pick(options.payers) });
  const dates = options.datesOf?.(file) ?? {
    serviceDate: file.daysAgo(random.int(35, 55)),
    remitDate: file.daysAgo(random.int(3, 12)),
  };
  const given = random.pick(options.services);
  const units = random.int(given.units[0], given.units[1]);
  const authorization = authorizationFor(file, given.hcpcs, dates.serviceDate, units);
  const spec = {
    lines: [{ hcpcs: given.hcpcs, modifiers: given.modifiers, units }],
    serviceDate: dates.serviceDate,
    diagnoses: [random.pick(given.diagnoses)],
    authorization,
  };
  return { file, random, service: given, ...dates, spec };
}

/** The number of an approved authorization where the payer wants one, so that none is ever in doubt. */
export function authorizationFor(file: CaseFile, hcpcs: string, serviceDate: string, units: number): string | null {
  if (appliedPolicy(hcpcs, file.payer.id)?.authRequired !== true) return null;
  return file.addAuthorization({
    hcpcs: [hcpcs],
    from: addDays(serviceDate, -100),
    to: addDays(serviceDate, 80),
    units: units * 6,
  }).number;
}

/** The same service some days earlier, paid as billed. */
export function paidEarlier(
  { file, random, spec }: DataCase,
  days: number,
  differs: Partial<ClaimSpec> = {},
): BuiltClaim {
  const earlier = file.addClaim({ ...spec, serviceDate: addDays(spec.serviceDate, -days), status: "paid", ...differs });
  file.answer(earlier, addDays(earlier.claim.submittedOn, random.int(15, 21)), [{ paid: true }]);
  return earlier;
}

export const labelOf = (hcpcs: string): string => HCPCS.get(hcpcs).label;
