/**
 * Correcting a claim: a draft of changes, then one irreversible submission, which makes a new claim row and a new 837P file. The billing system checks
 * that values are well formed and codes exist; whether they are true is the biller's business.
 */
import { date, kind, type Row, ref, ToolError } from "windtunnel";
import { z } from "zod";
import { ICD10 } from "../../reference/icd10.js";
import { MODIFIERS } from "../../reference/modifiers.js";
import { linesOf } from "../account.js";
import { answeredOn, morningAfter } from "../clock.js";
import { draftCorrection } from "../corrected-claim.js";
import { npiCheckDigit } from "../identifiers.js";
import { CORRECTION_CHANNELS, type DenialTables } from "../world.js";
import { denialTool, found, type Office, today } from "./denial-tool.js";
import { recordOf } from "./record.js";

type Change = Row<DenialTables["correction_changes"]>;
const changeRecord = recordOf("correction_changes", "change");
const correction = ref("corrections");

function draft(world: Office, id: string) {
  const row = found(world, "corrections", id);
  if (row.status !== "draft")
    throw new ToolError(
      "already_sent",
      `correction ${id} was sent as claim ${row.sentAs}; it cannot be changed or sent again`,
      { correction: id },
    );
  return row;
}

/** Fields that hold a list; a change adds to it. All others hold one value; a change replaces it. */
const ADDED: ReadonlySet<Change["field"]> = new Set(["diagnosis", "modifier"]);

function setField(world: Office, id: string, field: Change["field"], line: string | null, value: string) {
  draft(world, id);
  const same = world.where("correction_changes", { correction: id, field, line });
  const known = ADDED.has(field) ? same.find((change) => change.value === value) : same[0];
  const change =
    known === undefined
      ? world.insert("correction_changes", { correction: id, field, line, value })
      : world.update("correction_changes", known.id, { value });
  return changeRecord.view(change);
}

function lineOf(world: Office, id: string, line: string) {
  const row = draft(world, id);
  const found = linesOf(world, row.claim).find((one) => one.id === line);
  if (found === undefined)
    throw new ToolError("not_found", `claim ${row.claim} has no line "${line}"`, { line, claim: row.claim });
  return found;
}

const invalid = (code: string, message: string) => new ToolError(code, message);

const open = denialTool({
  name: "correction_open",
  description:
    "Starts a correction of a claim by a channel: replacement_claim (frequency 7, for a processed claim), new_claim (frequency 1), or reopening (a clerical correction by the payer). Returns the draft's id; nothing is sent yet. An open draft of the claim is thrown away with its changes.",
  effect: "write",
  input: z.object({ claim: ref("claims"), channel: z.enum(CORRECTION_CHANNELS) }),
  output: z.object({ correction, claim: ref("claims"), channel: z.enum(CORRECTION_CHANNELS) }),
  handle(world, { claim, channel }) {
    found(world, "claims", claim);
    for (const draft of world.where("corrections", { claim, status: "draft" })) {
      for (const { id } of world.where("correction_changes", { correction: draft.id }))
        world.remove("correction_changes", id);
      world.remove("corrections", draft.id);
    }
    const row = world.insert("corrections", { claim, channel, status: "draft", sentAs: null });
    return { correction: row.id, claim, channel };
  },
});

const setCoverage = denialTool({
  name: "correction_set_coverage",
  description:
    "Puts another coverage of the patient on the draft; the corrected claim goes to that coverage's payer under its member id. Returns the change.",
  effect: "write",
  input: z.object({ correction, coverage: ref("coverages") }),
  output: changeRecord.schema,
  handle(world, args) {
    const claim = found(world, "claims", draft(world, args.correction).claim);
    if (found(world, "coverages", args.coverage).patient !== claim.patient)
      throw invalid("wrong_patient", `coverage ${args.coverage} is not of patient ${claim.patient}`);
    return setField(world, args.correction, "coverage", null, args.coverage);
  },
});

const setMemberId = denialTool({
  name: "correction_set_member_id",
  description: "Sets the member id on the draft. Returns the change.",
  effect: "write",
  input: z.object({ correction, member_id: kind("member_id") }),
  output: changeRecord.schema,
  handle(world, { correction: id, member_id: value }) {
    draft(world, id);
    if (!/^[A-Z0-9][A-Z0-9-]{4,19}$/i.test(value))
      throw invalid("invalid_member_id", `"${value}" is not a member id: expected 5 to 20 letters, digits and hyphens`);
    return setField(world, id, "memberId", null, value);
  },
});

const setProvider = denialTool({
  name: "correction_set_provider",
  description:
    "Sets the NPI of the rendering or the ordering provider on the draft. The check digit must hold. Returns the change.",
  effect: "write",
  input: z.object({ correction, role: z.enum(["rendering", "ordering"]), npi: kind("npi") }),
  output: changeRecord.schema,
  handle(world, { correction: id, role, npi }) {
    draft(world, id);
    if (!/^\d{10}$/.test(npi) || npiCheckDigit(npi.slice(0, 9)) !== npi[9])
      throw invalid("invalid_npi", `"${npi}" is not an NPI: expected ten digits with a true check digit`);
    return setField(world, id, role === "rendering" ? "renderingNpi" : "orderingNpi", null, npi);
  },
});

const setAuthorization = denialTool({
  name: "correction_set_authorization",
  description: "Sets the authorization number on the draft. Returns the change.",
  effect: "write",
  input: z.object({ correction, authorization: kind("authorization_number") }),
  output: changeRecord.schema,
  handle(world, { correction: id, authorization }) {
    draft(world, id);
    if (!/^[A-Z0-9-]{3,30}$/i.test(authorization))
      throw invalid(
        "invalid_authorization",
        `"${authorization}" is not an authorization number: expected 3 to 30 letters, digits and hyphens`,
      );
    return setField(world, id, "authorization", null, authorization);
  },
});

const addDiagnosis = denialTool({
  name: "correction_add_diagnosis",
  description:
    "Adds an ICD-10-CM diagnosis (with its point) to the draft, after those on the claim; the successor of a retired code takes its place. Only what the signed record supports may be added. Returns the change.",
  effect: "write",
  input: z.object({ correction, diagnosis: kind("icd10") }),
  output: changeRecord.schema,
  handle(world, { correction: id, diagnosis }) {
    const claim = found(world, "claims", draft(world, id).claim);
    if (!ICD10.has(diagnosis))
      throw invalid(
        "unknown_code",
        `"${diagnosis}" is not in the diagnosis code set; write it with its point, such as J44.9`,
      );
    if (claim.diagnoses.includes(diagnosis))
      throw invalid("already_there", `claim ${claim.id} carries ${diagnosis} already`);
    if (claim.diagnoses.length + world.where("correction_changes", { correction: id, field: "diagnosis" }).length >= 12)
      throw invalid("too_many", "a claim takes at most twelve diagnoses");
    return setField(world, id, "diagnosis", null, diagnosis);
  },
});

const addModifier = denialTool({
  name: "correction_add_modifier",
  description:
    "Adds a modifier to a line of the draft, after those already there. Only what the signed record supports may be added. Returns the change.",
  effect: "write",
  input: z.object({ correction, line: ref("claim_lines"), modifier: kind("modifier") }),
  output: changeRecord.schema,
  handle(world, { correction: id, line, modifier }) {
    const row = lineOf(world, id, line);
    if (!MODIFIERS.has(modifier)) throw invalid("unknown_code", `"${modifier}" is not in the modifier list`);
    if (row.modifiers.includes(modifier)) throw invalid("already_there", `line ${line} carries ${modifier} already`);
    if (
      row.modifiers.length + world.where("correction_changes", { correction: id, field: "modifier", line }).length >=
      4
    )
      throw invalid("too_many", "a line takes at most four modifiers");
    return setField(world, id, "modifier", line, modifier);
  },
});

const setUnits = denialTool({
  name: "correction_set_units",
  description:
    "Sets the units of a line of the draft; its charge follows from the charge per unit. Returns the change.",
  effect: "write",
  input: z.object({ correction, line: ref("claim_lines"), units: kind("units") }),
  output: changeRecord.schema,
  handle(world, { correction: id, line, units }) {
    lineOf(world, id, line);
    if (!/^[1-9]\d{0,4}$/.test(units))
      throw invalid("invalid_units", `"${units}" is not a number of units: expected a whole number from 1`);
    return setField(world, id, "units", line, units);
  },
});

const setNdc = denialTool({
  name: "correction_set_ndc",
  description: "Sets the National Drug Code (eleven digits) of a drug line of the draft. Returns the change.",
  effect: "write",
  input: z.object({ correction, line: ref("claim_lines"), ndc: kind("ndc") }),
  output: changeRecord.schema,
  handle(world, { correction: id, line, ndc }) {
    lineOf(world, id, line);
    if (!/^\d{11}$/.test(ndc.replaceAll("-", "")))
      throw invalid("invalid_ndc", `"${ndc}" is not an NDC: expected eleven digits`);
    return setField(world, id, "ndc", line, ndc);
  },
});

const submit = denialTool({
  name: "correction_submit",
  description:
    "Sends the draft to the payer as it stands. Irreversible. Returns the id of the claim that was sent, with its frequency and original reference; an acknowledgment comes in a day and the payer's decision in weeks. Sending while an earlier submission is open makes a duplicate.",
  effect: "write",
  input: z.object({ correction }),
  output: z.object({
    correction,
    claim: ref("claims"),
    corrects: ref("claims"),
    channel: z.enum(CORRECTION_CHANNELS),
    frequency: z.string(),
    original_reference: kind("payer_claim_number").nullable(),
    submitted_on: date(),
  }),
  handle(world, { correction: id }) {
    const row = draft(world, id);
    const source = found(world, "claims", row.claim);
    if (row.channel === "replacement_claim" && source.payerClaimNumber === null && source.frequency !== "7") {
      throw invalid(
        "no_payer_claim_number",
        `claim ${source.id} has no payer claim number: the payer never processed it, so there is nothing to replace`,
      );
    }
    const sent = draftCorrection(world, row, today(world));
    world.update("corrections", id, { status: "sent", sentAs: sent.id });
    if (row.channel === "reopening")
      world.schedule(answeredOn(world, sent.payer, "reopening", sent.id), "adjudicate_claim", { claim: sent.id });
    else world.schedule(morningAfter(world, 1), "acknowledge_claim", { claim: sent.id });
    return {
      correction: id,
      claim: sent.id,
      corrects: source.id,
      channel: row.channel,
      frequency: sent.frequency,
      original_reference: sent.originalReference,
      submitted_on: sent.submittedOn,
    };
  },
});

export const correctionTools = [
  open,
  setCoverage,
  setMemberId,
  setProvider,
  setAuthorization,
  addDiagnosis,
  addModifier,
  setUnits,
  setNdc,
  submit,
];
