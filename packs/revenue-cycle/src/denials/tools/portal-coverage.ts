/** Eligibility and authorizations at the payer: answers come from the payer's own member file, stored as the office would keep them. */
import { date, kind, type Row, ref } from "windtunnel";
import { z } from "zod";
import type { DenialTables } from "../world.js";
import { serviceDate } from "../world.js";
import { byId, denialTool, found, type Office, today } from "./denial-tool.js";
import { recordOf } from "./record.js";

type Coverage = Row<DenialTables["coverages"]>;
type Member = Row<DenialTables["members"]>;

const authorizationRecord = recordOf("authorizations", "authorization", ["patient"]);

const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

const isActive = ({ from, to }: Member, on: string) => from <= on && (to === null || on <= to);

/** What the payer answers to an inquiry for a date: from the member with this id, else from one with this name and birth date. */
function answerOf(
  world: Office,
  coverage: Coverage,
  serviceDate: string,
): { active: boolean; memberId: string | null; answer: string } {
  const patient = world.need("patients", coverage.patient);
  const payer = world.need("payers", coverage.payer).name;
  const members = world.where("members", { payer: coverage.payer });
  const isNamed = (member: Member) => same(member.first, patient.first) && same(member.last, patient.last);
  const byId = members.find(({ memberId }) => memberId === coverage.memberId);
  if (byId !== undefined && !isNamed(byId) && byId.birthDate !== patient.birthDate) {
    return {
      active: false,
      memberId: null,
      answer: `${payer}: member ID ${coverage.memberId} belongs to another person; name and birth date do not match.`,
    };
  }
  const namesakes = members.filter((one) => isNamed(one) && one.birthDate === patient.birthDate);
  const member = byId ?? namesakes.find((one) => isActive(one, serviceDate)) ?? namesakes[0];
  if (member === undefined)
    return {
      active: false,
      memberId: null,
      answer: `${payer}: member not found under ID ${coverage.memberId}, name or birth date.`,
    };
  const active = isActive(member, serviceDate);
  const id =
    byId === undefined
      ? `no member has ID ${coverage.memberId}; found by name and birth date under member ID ${member.memberId}. `
      : "";
  const span = member.to === null ? `from ${member.from}, no end date` : `from ${member.from} to ${member.to}`;
  const remark = member.remark === "" ? "" : ` ${member.remark}`;
  return {
    active,
    memberId: member.memberId,
    answer: `${payer}: ${id}Coverage ${active ? "active" : "not active"} on ${serviceDate} (${span}).${remark}`,
  };
}

const eligibilityCheck = denialTool({
  name: "eligibility_check",
  description:
    "Asks the payer of a coverage whether it covered the patient on a service date, and stores the answer, which can be cited. The answer says active or not, the member id the payer knows, and what else the payer remarks, such as another plan.",
  effect: "write",
  input: z.object({ coverage: ref("coverages"), service_date: serviceDate() }),
  output: z.object({
    answer: ref("eligibility_answers"),
    coverage: ref("coverages"),
    payer: ref("payers"),
    checked_on: date(),
    service_date: serviceDate(),
    active: z.boolean(),
    member_id: kind("member_id").nullable(),
    text: z.string(),
  }),
  handle(world, { coverage: id, service_date: serviceDate }) {
    const coverage = found(world, "coverages", id);
    const row = world.insert("eligibility_answers", {
      coverage: id,
      checkedOn: today(world),
      serviceDate,
      ...answerOf(world, coverage, serviceDate),
    });
    return {
      answer: row.id,
      coverage: id,
      payer: coverage.payer,
      checked_on: row.checkedOn,
      service_date: serviceDate,
      active: row.active,
      member_id: row.memberId,
      text: row.answer,
    };
  },
});

const authSearch = denialTool({
  name: "auth_search",
  description:
    "Lists every authorization on file at payers for a patient: number, codes, dates, units, provider, status.",
  effect: "read",
  input: z.object({ patient: ref("patients") }),
  output: z.object({ authorizations: z.array(authorizationRecord.schema) }),
  handle(world, { patient }) {
    found(world, "patients", patient);
    return { authorizations: byId(world.where("authorizations", { patient })).map(authorizationRecord.view) };
  },
});

export const coverageTools = [eligibilityCheck, authSearch];
