/**
 * A payer's decision in money: the remittance with its 835 file, and the postings on the account. A decision that replaces an earlier one reverses
 * it in the same file. Owns arithmetic; whether a claim is payable is decided elsewhere.
 */
import type { Row, World } from "windtunnel";
import { formatCents, toCents } from "../codec/decimal.js";
import { accountLine, entriesOf, firstSent, linesOf, openLineBalance } from "./account.js";
import { dateOf } from "./calendar.js";
import { type RemitDraft, type RemitLineDraft, remittanceFile } from "./edi-files.js";
import type { Reason } from "./payable-content.js";
import type { DenialTables } from "./world.js";

type Office = World<DenialTables>;
type Claim = Row<DenialTables["claims"]>;
type Adjustment = Row<DenialTables["remit_lines"]>["adjustments"][number];

const REPROCESSED = "payment after reprocessing";
const COST_SHARE: ReadonlySet<string> = new Set(["1", "2", "3"]);

/** True once the payer has paid what was asked for again: it will pay no more on this account. */
export function isSettled(world: Office, claim: Claim): boolean {
  return entriesOf(world, claim).some(({ note }) => note === REPROCESSED);
}

/** The reason for which the latest remittance of a claim refused a line; undefined when none did. */
export function reasonBefore(world: Office, claim: Claim): Reason | undefined {
  const remit = lastRemit(world, claim);
  if (remit === undefined) return undefined;
  for (const line of world.where("remit_lines", { remit: remit.id })) {
    const refusal = line.adjustments.find(({ carc }) => carc !== "45" && !COST_SHARE.has(carc));
    if (refusal !== undefined) return { group: refusal.group, carc: refusal.carc, remarks: line.remarks };
  }
  return undefined;
}

function lastRemit(world: Office, claim: Claim) {
  return world
    .where("remits", { claim: claim.id })
    .reduce<Row<DenialTables["remits"]> | undefined>(
      (last, one) => (last === undefined || one.date >= last.date ? one : last),
      undefined,
    );
}

/** Refuses every line for one reason. */
export function deny(world: Office, claim: Claim, reason: Reason): void {
  const lines = linesOf(world, claim.id).map((line) => ({
    line: line.id,
    hcpcs: line.hcpcs,
    charge: line.charge,
    paid: "0.00",
    adjustments: [{ group: reason.group, carc: reason.carc, amount: line.charge }],
    remarks: [...reason.remarks],
  }));
  post(world, claim, lines);
  world.update("claims", claim.id, { status: "denied" });
}

/**
 * Pays `amount` and leaves `patient` to the patient, over the lines that are still open, and posts both; the rest of those lines is waived by contract.
 * `replaces` is the claim whose earlier decision this one takes the place of, or null for a claim that stands by itself.
 */
export function settle(
  world: Office,
  claim: Claim,
  terms: { readonly amount: string; readonly patient: string },
  replaces: Claim | null,
): void {
  const prior = replaces === null ? undefined : lastRemit(world, replaces);
  const priorLines = prior === undefined ? [] : world.where("remit_lines", { remit: prior.id });
  const parts = linesOf(world, claim.id).map((line) => {
    const account = accountLine(world, line);
    const before = priorLines.find((one) => world.need("claim_lines", one.line).number === line.number);
    const kept = (before?.adjustments ?? []).filter(({ group, carc }) => group === "PR" && COST_SHARE.has(carc));
    const charge = toCents(line.charge);
    const open = toCents(openLineBalance(world, account)) + charge - toCents(account.charge);
    const paid = toCents(before?.paid ?? "0.00");
    const elsewhere = prior === undefined ? Math.min(charge, Math.max(0, charge - open)) : 0;
    return { line, account, kept, charge, open, paid, elsewhere, room: charge - paid - elsewhere - sumOf(kept) };
  });
  const openWeights = parts.map(({ open }) => Math.max(0, open));
  const weights = openWeights.some((weight) => weight > 0) ? openWeights : parts.map(({ room }) => Math.max(0, room));
  const allowed = share(toCents(terms.amount) + toCents(terms.patient), weights);
  const payments = share(toCents(terms.amount), allowed);

  const lines = parts.map(({ line, kept, charge, paid, elsewhere }, i) => {
    const [payment, patient] = [payments[i]!, allowed[i]! - payments[i]!];
    const waived = charge - paid - payment - patient - elsewhere - sumOf(kept);
    const adjustments: Adjustment[] = [
      ...(waived === 0 ? [] : [{ group: "CO", carc: "45", amount: formatCents(waived) }]),
      ...(elsewhere === 0 ? [] : [{ group: "OA", carc: "23", amount: formatCents(elsewhere) }]),
      ...kept,
      ...(patient === 0 ? [] : [{ group: "PR", carc: "2", amount: formatCents(patient) }]),
    ];
    return {
      line: line.id,
      hcpcs: line.hcpcs,
      charge: line.charge,
      paid: formatCents(paid + payment),
      adjustments,
      remarks: [],
    };
  });
  post(
    world,
    claim,
    lines,
    prior === undefined || replaces === null ? undefined : { remit: prior, lines: priorLines, claim: replaces },
  );

  for (const [i, { account, charge, open }] of parts.entries()) {
    const [payment, patient] = [payments[i]!, allowed[i]! - payments[i]!];
    const rest = open - payment - patient;
    // What a person wrote off stays written off: only the contract allowance of an earlier posting is taken back.
    const allowance = -sumOf(world.where("ledger", { line: account.id, entry: "contractual", by: "office" }));
    const waived = rest >= 0 ? rest : -Math.min(-rest, Math.max(0, allowance));
    const entry = (kind: Row<DenialTables["ledger"]>["entry"], cents: number, by: "office" | "payer", note: string) => {
      if (cents !== 0)
        world.insert("ledger", {
          claim: account.claim,
          line: account.id,
          entry: kind,
          amount: formatCents(cents),
          on: dateOf(world.now),
          by,
          note,
        });
    };
    entry("charge", charge - toCents(account.charge), "office", "charge as corrected");
    entry("payer_payment", -payment, "payer", REPROCESSED);
    entry("patient_billed", -patient, "office", "cost share billed");
    entry("contractual", -waived, "office", "contract allowance");
  }
  world.update("claims", claim.id, { status: "paid" });
  if (replaces !== null && replaces.id !== claim.id) world.update("claims", replaces.id, { status: "reversed" });
}

const sumOf = (entries: readonly { readonly amount: string }[]) =>
  entries.reduce((sum, { amount }) => sum + toCents(amount), 0);

/** Splits whole cents in proportion to the weights, exactly: parts add up, and none exceeds its weight unless the whole does. */
function share(cents: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return weights.map((_, i) => (i === 0 ? cents : 0));
  let upTo = 0;
  let given = 0;
  return weights.map((weight) => {
    upTo += weight;
    const due = Math.floor((cents * upTo) / total);
    const part = due - given;
    given = due;
    return part;
  });
}

function post(
  world: Office,
  claim: Claim,
  lines: readonly RemitLineDraft[],
  reverses?: Parameters<typeof remittanceFile>[5],
): void {
  const random = world.random(`remittance/${claim.id}/${world.now}`);
  const number = (length: number) => Array.from({ length }, () => random.int(0, 9)).join("");
  const row: RemitDraft = {
    payer: claim.payer,
    date: dateOf(world.now),
    trace: number(12),
    status: world.need("coverages", claim.coverage).order === "secondary" ? "2" : "1",
    payerClaimNumber:
      claim.payerClaimNumber ??
      reverses?.remit.payerClaimNumber ??
      firstSent(world, claim).payerClaimNumber ??
      `P${number(11)}`,
    charge: formatCents(sumOf(lines.map(({ charge: amount }) => ({ amount })))),
    paid: formatCents(sumOf(lines.map(({ paid: amount }) => ({ amount })))),
    patientResponsibility: formatCents(
      sumOf(lines.flatMap(({ adjustments }) => adjustments.filter(({ group }) => group === "PR"))),
    ),
    remarks: [],
  };
  const remit = world.insert("remits", {
    claim: claim.id,
    ...row,
    file: remittanceFile(world, row, lines, claim, [], reverses),
  });
  for (const line of lines) world.insert("remit_lines", { remit: remit.id, ...line });
}
