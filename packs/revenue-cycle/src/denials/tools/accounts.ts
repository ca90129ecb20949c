/** Money on an account: adjustments, statements, holds and refunds. Enforces arithmetic and holds; who may decide what is not the ledger's business. */
import { date, money, ref, ToolError } from "windtunnel";
import { z } from "zod";
import { formatCents, toCents } from "../../codec/decimal.js";
import { accountLine, entriesOf, familyOf, firstSent, openBalance, openLineBalance } from "../account.js";
import { ADJUSTMENT_TYPES } from "../world.js";
import { denialTool, found, type Office, positiveCents, today } from "./denial-tool.js";

const lesser = (a: string, b: string) => (toCents(a) < toCents(b) ? a : b);

const holdOf = (world: Office, claim: Parameters<typeof familyOf>[1]) => {
  const family = familyOf(world, claim).map(({ id }) => id);
  return world.all("holds").find((hold) => family.includes(hold.claim));
};

const adjustPost = denialTool({
  name: "adjust_post",
  description:
    "Posts an adjustment that takes an amount off a line's open balance: contractual (waived by contract) or write_off (the provider's loss). Irreversible. Write-offs above the biller's limit need the owner's approval first. Refused above the open balance. Returns the ledger entry; cite on it, with evidence_cite, what it rests on.",
  effect: "write",
  input: z.object({ line: ref("claim_lines"), type: z.enum(ADJUSTMENT_TYPES), amount: money() }),
  output: z.object({ entry: ref("ledger"), line: ref("claim_lines"), amount: money(), open_balance: money() }),
  handle(world, { line: id, type, amount }) {
    const line = accountLine(world, found(world, "claim_lines", id));
    const claim = world.need("claims", line.claim);
    const open = lesser(openLineBalance(world, line), openBalance(world, claim));
    const cents = positiveCents(amount, open, "open balance of the line");
    const entry = world.insert("ledger", {
      claim: claim.id,
      line: line.id,
      entry: type,
      amount: formatCents(-cents),
      on: today(world),
      by: "agent",
      note: type === "write_off" ? "written off" : "contract allowance",
    });
    return { entry: entry.id, line: line.id, amount: entry.amount, open_balance: openLineBalance(world, line) };
  },
});

const statementSend = denialTool({
  name: "statement_send",
  description:
    "Sends the patient a statement for an amount of the claim. Irreversible. Only what the payer's rules make the patient's may be billed. Refused above the open balance and while statements are held. Returns the statement; cite on it, with evidence_cite, what it rests on.",
  effect: "write",
  input: z.object({ claim: ref("claims"), amount: money() }),
  output: z.object({ statement: ref("statements"), claim: ref("claims"), amount: money(), open_balance: money() }),
  handle(world, { claim: id, amount }) {
    const claim = found(world, "claims", id);
    const hold = holdOf(world, claim);
    if (hold !== undefined)
      throw new ToolError("on_hold", `statements on this account are held since ${hold.on} (${hold.id})`, {
        hold: hold.id,
      });
    const cents = positiveCents(amount, openBalance(world, claim), "open balance of the claim");
    const on = today(world);
    const statement = world.insert("statements", { claim: id, patient: claim.patient, amount, on });
    world.insert("ledger", {
      claim: firstSent(world, claim).id,
      line: null,
      entry: "patient_billed",
      amount: formatCents(-cents),
      on,
      by: "office",
      note: `statement ${statement.id}`,
    });
    return { statement: statement.id, claim: id, amount, open_balance: openBalance(world, claim) };
  },
});

const statementHold = denialTool({
  name: "statement_hold",
  description:
    "Holds all patient statements on the claim's account until the payer's part is settled. Returns the hold. Refused when the account is held already.",
  effect: "write",
  input: z.object({ claim: ref("claims") }),
  output: z.object({ hold: ref("holds"), claim: ref("claims"), on: date() }),
  handle(world, { claim: id }) {
    const hold = holdOf(world, found(world, "claims", id));
    if (hold !== undefined)
      throw new ToolError("already_held", `statements on this account are held since ${hold.on} (${hold.id})`, {
        hold: hold.id,
      });
    const row = world.insert("holds", { claim: id, on: today(world) });
    return { hold: row.id, claim: id, on: row.on };
  },
});

const refundRequest = denialTool({
  name: "refund_request",
  description:
    "Asks for money to be given back to the claim's payer. Irreversible. Refused above what that payer has paid on the claim. Returns the refund.",
  effect: "write",
  input: z.object({ claim: ref("claims"), amount: money() }),
  output: z.object({
    refund: ref("refunds"),
    claim: ref("claims"),
    payer: ref("payers"),
    amount: money(),
    open_balance: money(),
  }),
  handle(world, { claim: id, amount }) {
    const claim = found(world, "claims", id);
    const kept = entriesOf(world, claim)
      .filter(({ entry }) => entry === "payer_payment" || entry === "takeback" || entry === "refund")
      .reduce((sum, entry) => sum - toCents(entry.amount), 0);
    const cents = positiveCents(amount, formatCents(Math.max(0, kept)), "amount paid on the claim and still kept");
    const on = today(world);
    const refund = world.insert("refunds", { claim: id, payer: claim.payer, amount, on });
    world.insert("ledger", {
      claim: firstSent(world, claim).id,
      line: null,
      entry: "refund",
      amount: formatCents(cents),
      on,
      by: "office",
      note: `refund ${refund.id}`,
    });
    return { refund: refund.id, claim: id, payer: claim.payer, amount, open_balance: openBalance(world, claim) };
  },
});

export const accountTools = [adjustPost, statementSend, statementHold, refundRequest];
