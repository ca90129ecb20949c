/** What the office asks of a payer: appeals, authorizations after the service, records it sends, and the evidence it cites for them. */
import { date, prose, ref, refToAny, ToolError } from "windtunnel";
import { z } from "zod";
import { answeredOn, morningAfter } from "../clock.js";
import { APPEAL_CHANNELS, EVIDENCE_TABLES } from "../world.js";
import { denialTool, found, foundAmong, type Office, today } from "./denial-tool.js";

const CITING = ["appeals", "retro_requests", "escalations", "ledger", "statements"] as const;

function openDraft<N extends "appeals" | "retro_requests">(world: Office, table: N, id: string) {
  const row = found(world, table, id);
  if (row.status !== "draft")
    throw new ToolError("already_sent", `${id} was sent on ${row.sentOn}; it cannot be changed or sent again`, { id });
  return row;
}

const appealOpen = denialTool({
  name: "appeal_open",
  description:
    "Starts a dispute of a claim's denial by a channel: redetermination, reconsideration, appeal, payer_dispute or exception_request; the payer's manual says which one it hears. Returns the draft's id; cite evidence on it, then send it with appeal_submit.",
  effect: "write",
  input: z.object({ claim: ref("claims"), channel: z.enum(APPEAL_CHANNELS) }),
  output: z.object({ appeal: ref("appeals"), claim: ref("claims"), channel: z.enum(APPEAL_CHANNELS) }),
  handle(world, { claim, channel }) {
    found(world, "claims", claim);
    const other = world.where("appeals", { claim, status: "draft" })[0];
    if (other !== undefined)
      throw new ToolError(
        "draft_open",
        `appeal ${other.id} of claim ${claim} is still a draft (${other.channel}); submit it first`,
        { appeal: other.id },
      );
    const row = world.insert("appeals", { claim, channel, status: "draft", letter: "", sentOn: null });
    return { appeal: row.id, claim, channel };
  },
});

const retroAuthOpen = denialTool({
  name: "retro_auth_open",
  description:
    "Starts a request to the payer to authorize a claim's services after the fact. Returns the draft's id; cite evidence on it, then send it with retro_auth_submit.",
  effect: "write",
  input: z.object({ claim: ref("claims") }),
  output: z.object({ retro_request: ref("retro_requests"), claim: ref("claims") }),
  handle(world, { claim }) {
    found(world, "claims", claim);
    const other = world.where("retro_requests", { claim, status: "draft" })[0];
    if (other !== undefined)
      throw new ToolError("draft_open", `request ${other.id} of claim ${claim} is still a draft; submit it first`, {
        retro_request: other.id,
      });
    const row = world.insert("retro_requests", { claim, status: "draft", sentOn: null, authorization: null });
    return { retro_request: row.id, claim };
  },
});

const evidenceCite = denialTool({
  name: "evidence_cite",
  description:
    "Cites one stored record (a chart page, acknowledgment, eligibility answer, manual or contract section, letter, remittance or authorization) as evidence for an appeal draft, a retro authorization draft, an escalation, an adjustment (its ledger entry) or a statement. One call per record; citing it again changes nothing. Returns the citation.",
  effect: "write",
  input: z.object({
    by: refToAny([...CITING]),
    evidence: refToAny([...EVIDENCE_TABLES] as [string, string, ...string[]]),
  }),
  output: z.object({
    citation: ref("citations"),
    by: refToAny([...CITING]),
    evidence: z.string(),
    already_cited: z.boolean(),
  }),
  handle(world, { by, evidence }) {
    const citing = foundAmong(world, CITING, by);
    if (citing === "appeals" || citing === "retro_requests") openDraft(world, citing, by);
    foundAmong(world, EVIDENCE_TABLES, evidence);
    const known = world.where("citations", { by, evidence })[0];
    const row = known ?? world.insert("citations", { by, evidence });
    return { citation: row.id, by, evidence, already_cited: known !== undefined };
  },
});

const appealSubmit = denialTool({
  name: "appeal_submit",
  description:
    "Sends an appeal draft with its citations and a letter that names the claim and says why the denial is wrong. Irreversible. The payer decides after weeks; the decision shows in claim_get and on a remittance.",
  effect: "write",
  input: z.object({ appeal: ref("appeals"), letter: prose() }),
  output: z.object({ appeal: ref("appeals"), claim: ref("claims"), sent_on: date(), cited: z.int() }),
  handle(world, { appeal: id, letter }) {
    const appeal = openDraft(world, "appeals", id);
    if (letter.trim() === "") throw new ToolError("letter_missing", `appeal ${id} needs a letter`, { appeal: id });
    const sentOn = today(world);
    world.update("appeals", id, { status: "sent", letter, sentOn });
    world.schedule(answeredOn(world, world.need("claims", appeal.claim).payer, "dispute", id), "decide_appeal", {
      appeal: id,
    });
    return { appeal: id, claim: appeal.claim, sent_on: sentOn, cited: world.where("citations", { by: id }).length };
  },
});

const retroAuthSubmit = denialTool({
  name: "retro_auth_submit",
  description:
    "Sends a retro authorization draft with its citations. Irreversible. When the payer grants it, the number shows in auth_search and has still to be put on the claim.",
  effect: "write",
  input: z.object({ retro_request: ref("retro_requests") }),
  output: z.object({ retro_request: ref("retro_requests"), claim: ref("claims"), sent_on: date(), cited: z.int() }),
  handle(world, { retro_request: id }) {
    const request = openDraft(world, "retro_requests", id);
    const sentOn = today(world);
    world.update("retro_requests", id, { status: "sent", sentOn });
    world.schedule(
      answeredOn(world, world.need("claims", request.claim).payer, "retro_authorization", id),
      "decide_retro_request",
      { retro_request: id },
    );
    return {
      retro_request: id,
      claim: request.claim,
      sent_on: sentOn,
      cited: world.where("citations", { by: id }).length,
    };
  },
});

const recordsSend = denialTool({
  name: "records_send",
  description:
    "Sends one page of a chart to the payer that asked for records. Irreversible: health information has left the office. Send exactly what the request names, one call per page. Returns the disclosure.",
  effect: "write",
  input: z.object({ request: ref("record_requests"), page: ref("pages") }),
  output: z.object({
    disclosure: ref("disclosures"),
    request: ref("record_requests"),
    page: ref("pages"),
    payer: ref("payers"),
    on: date(),
  }),
  handle(world, { request: id, page }) {
    const request = found(world, "record_requests", id);
    found(world, "pages", page);
    const sent = world.where("disclosures", { request: id });
    const again = sent.find((row) => row.page === page);
    if (again !== undefined)
      throw new ToolError("already_sent", `page ${page} was sent for request ${id} on ${again.on} (${again.id})`, {
        disclosure: again.id,
      });
    const on = today(world);
    // The payer opens a day's mail once.
    if (!sent.some((row) => row.on === on)) world.schedule(morningAfter(world, 1), "open_records", { request: id });
    const row = world.insert("disclosures", { request: id, page, payer: request.payer, on });
    return { disclosure: row.id, request: id, page, payer: request.payer, on };
  },
});

export const disputeTools = [appealOpen, retroAuthOpen, evidenceCite, appealSubmit, retroAuthSubmit, recordsSend];
