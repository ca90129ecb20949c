/** Reading the billing system: claims, remittances, acknowledgments and accounts, parsed and as the raw files that were exchanged. */
import { date, kind, money, ref } from "windtunnel";
import { z } from "zod";
import { formatCents, toCents } from "../../codec/decimal.js";
import { CARC } from "../../reference/carc.js";
import { RARC } from "../../reference/rarc.js";
import { entriesOf, familyOf, firstSent, linesOf, openBalance, openLineBalance } from "../account.js";
import { serviceDate } from "../world.js";
import { denialTool, found, type Office } from "./denial-tool.js";
import { recordOf } from "./record.js";

const claimRecord = recordOf("claims", "claim");
const lineRecord = recordOf("claim_lines", "line", ["claim"]);
const requestRecord = recordOf("record_requests", "request", ["claim", "payer"]);
const appealRecord = recordOf("appeals", "appeal", ["claim", "letter"]);
const correctionRecord = recordOf("corrections", "correction", ["claim"]);
const retroRecord = recordOf("retro_requests", "retro_request", ["claim"]);
const queryRecord = recordOf("queries", "query", ["claim"]);
const remitRecord = recordOf("remits", "remit", ["remarks"]);
const remitLineRecord = recordOf("remit_lines", "remit_line", ["remit", "adjustments", "remarks"]);
const ackRecord = recordOf("acknowledgments", "acknowledgment");
const entryRecord = recordOf("ledger", "entry", ["claim", "entry"]);

const remark = z.object({ code: kind("rarc"), meaning: z.string() });
const remarkOf = (code: string) => ({ code, meaning: RARC.find(code)?.label ?? "not in the house list" });

/** What has been paid and adjusted beyond the charges; "0.00" when nothing has. */
const creditOf = (world: Office, claim: Parameters<typeof openBalance>[1]) =>
  formatCents(Math.max(0, -toCents(openBalance(world, claim))));

const claimGet = denialTool({
  name: "claim_get",
  description:
    "Opens a claim: header, lines, open balance, the 837P file as sent, and the ids of everything about it (remittances, acknowledgments, letters, requests for records, appeals, corrections, questions with their answers).",
  effect: "read",
  input: z.object({ claim: ref("claims") }),
  output: z.object({
    ...claimRecord.fields,
    open_balance: money(),
    credit: money(),
    lines: z.array(lineRecord.schema),
    remits: z.array(ref("remits")),
    acknowledgments: z.array(ref("acknowledgments")),
    letters: z.array(ref("letters")),
    record_requests: z.array(requestRecord.schema),
    appeals: z.array(appealRecord.schema),
    corrections: z.array(correctionRecord.schema),
    corrected_by: z.array(ref("claims")),
    retro_requests: z.array(retroRecord.schema),
    queries: z.array(queryRecord.schema),
  }),
  handle(world, { claim: id }) {
    const claim = found(world, "claims", id);
    const ids = (rows: readonly { readonly id: string }[]) => rows.map((row) => row.id);
    return {
      ...claimRecord.view(claim),
      open_balance: openBalance(world, claim),
      credit: creditOf(world, claim),
      lines: linesOf(world, id).map(lineRecord.view),
      remits: ids(world.where("remits", { claim: id })),
      acknowledgments: ids(world.where("acknowledgments", { claim: id })),
      letters: ids(world.where("letters", { claim: id })),
      record_requests: world.where("record_requests", { claim: id }).map(requestRecord.view),
      appeals: world.where("appeals", { claim: id }).map(appealRecord.view),
      corrections: world.where("corrections", { claim: id }).map(correctionRecord.view),
      corrected_by: ids(world.where("claims", { corrects: id })),
      retro_requests: world.where("retro_requests", { claim: id }).map(retroRecord.view),
      queries: world.where("queries", { claim: id }).map(queryRecord.view),
    };
  },
});

const claimHistory = denialTool({
  name: "claim_history",
  description:
    "Lists every claim of a patient, oldest service first: date, codes billed, status, total, payer, and which claim it corrects. Use it to find duplicates, originals and claims with the same cause.",
  effect: "read",
  input: z.object({ patient: ref("patients") }),
  output: z.object({
    claims: z.array(
      z.object({
        claim: ref("claims"),
        service_date: serviceDate(),
        submitted_on: date(),
        hcpcs: z.array(kind("hcpcs")),
        status: z.string(),
        total: money(),
        payer: ref("payers"),
        corrects: ref("claims").nullable(),
      }),
    ),
  }),
  handle(world, { patient }) {
    found(world, "patients", patient);
    const claims = [...world.where("claims", { patient })].sort((a, b) =>
      a.serviceDate < b.serviceDate ? -1 : a.serviceDate > b.serviceDate ? 1 : 0,
    );
    return {
      claims: claims.map((claim) => ({
        claim: claim.id,
        service_date: claim.serviceDate,
        submitted_on: claim.submittedOn,
        hcpcs: linesOf(world, claim.id).map(({ hcpcs }) => hcpcs),
        status: claim.status,
        total: claim.total,
        payer: claim.payer,
        corrects: claim.corrects,
      })),
    };
  },
});

const remitGet = denialTool({
  name: "remit_get",
  description:
    "Opens a remittance: what the payer paid, adjusted and left to the patient, per line with group code, reason code and remarks in words, and the 835 file as received.",
  effect: "read",
  input: z.object({ remit: ref("remits") }),
  output: z.object({
    ...remitRecord.fields,
    remarks: z.array(remark),
    lines: z.array(
      z.object({
        ...remitLineRecord.fields,
        adjustments: z.array(
          z.object({ group: kind("adjustment_group"), carc: kind("carc"), amount: money(), meaning: z.string() }),
        ),
        remarks: z.array(remark),
      }),
    ),
  }),
  handle(world, { remit: id }) {
    const remit = found(world, "remits", id);
    return {
      ...remitRecord.view(remit),
      remarks: remit.remarks.map(remarkOf),
      lines: world.where("remit_lines", { remit: id }).map((line) => ({
        ...remitLineRecord.view(line),
        adjustments: line.adjustments.map((one) => ({
          ...one,
          meaning: CARC.find(one.carc)?.label ?? "not in the house list",
        })),
        remarks: line.remarks.map(remarkOf),
      })),
    };
  },
});

const ackGet = denialTool({
  name: "ack_get",
  description:
    "Opens an acknowledgment of a claim file: a 999 (syntax only) or a 277CA (accepted or rejected by the payer) with its category, its meaning and the file as received.",
  effect: "read",
  input: z.object({ acknowledgment: ref("acknowledgments") }),
  output: ackRecord.schema,
  handle: (world, { acknowledgment }) => ackRecord.view(found(world, "acknowledgments", acknowledgment)),
});

const accountGet = denialTool({
  name: "account_get",
  description:
    "Shows the account of a claim and its corrections: every ledger entry, and what is still open per line and in all (a negative balance is a credit, shown as such). Charges are positive, what reduces the balance is negative.",
  effect: "read",
  input: z.object({ claim: ref("claims") }),
  output: z.object({
    claim: ref("claims"),
    claims: z.array(ref("claims")),
    open_balance: money(),
    credit: money(),
    lines: z.array(
      z.object({ line: ref("claim_lines"), hcpcs: kind("hcpcs"), charge: money(), open_balance: money() }),
    ),
    entries: z.array(z.object({ ...entryRecord.fields, kind: z.string() })),
    statements: z.array(recordOf("statements", "statement", ["claim", "patient"]).schema),
    held_since: date().nullable(),
  }),
  handle(world, { claim: id }) {
    const claim = found(world, "claims", id);
    const first = firstSent(world, claim);
    const family = familyOf(world, claim).map((one) => one.id);
    return {
      claim: first.id,
      claims: family,
      open_balance: openBalance(world, claim),
      credit: creditOf(world, claim),
      lines: linesOf(world, first.id).map((line) => ({
        line: line.id,
        hcpcs: line.hcpcs,
        charge: line.charge,
        open_balance: openLineBalance(world, line),
      })),
      entries: entriesOf(world, claim).map((entry) => ({ ...entryRecord.view(entry), kind: entry.entry })),
      statements: world
        .all("statements")
        .filter((row) => family.includes(row.claim))
        .map((row) => ({ statement: row.id, amount: row.amount, on: row.on })),
      held_since: world.all("holds").find((row) => family.includes(row.claim))?.on ?? null,
    };
  },
});

export const billingReadTools = [claimGet, claimHistory, remitGet, ackGet, accountGet];
