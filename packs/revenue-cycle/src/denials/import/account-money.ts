/**
 * The money of an account as its files state it: charges, payments, contract allowances and the patient's cost share, in whole cents by line.
 * What a payer refused stays open. Nothing is posted that no file says.
 */

import type { Row } from "windtunnel";
import { type Adjustment, toCents } from "../../codec/index.js";
import { CARC } from "../../reference/carc.js";
import type { DenialTables } from "../world.js";
import type { Account, Filing } from "./accounts.js";
import { type DecidedClaim, decidedLines } from "./decided-lines.js";
import type { ReadDecision } from "./read-files.js";

type Ledger = Row<DenialTables["ledger"]>;

/** One entry; `line` is a line number, or null for the claim as a whole. Charges positive, what lowers the balance negative. */
export interface Posting {
  readonly line: number | null;
  readonly entry: Ledger["entry"];
  readonly cents: number;
  readonly on: string;
  readonly by: "office" | "payer";
  readonly note: string;
}

/** What a decision left unpaid on a line (or on the claim, when null), and why. */
export interface Refusal {
  readonly line: number | null;
  readonly group: string;
  readonly carc: string;
  readonly cents: number;
}

export interface Answered {
  readonly decision: ReadDecision;
  readonly decided: DecidedClaim;
  readonly refusals: readonly Refusal[];
}

export interface AccountMoney {
  readonly postings: readonly Posting[];
  readonly openCents: number;
  /** The decisions on each filing that has any, oldest first. */
  readonly answers: ReadonlyMap<Filing, readonly Answered[]>;
}

const REVERSAL = "22";

export const isReversal = ({ payment }: ReadDecision) => payment.status === REVERSAL;

/** Posts everything that is known about an account. */
export function accountMoney({ filings }: Account): AccountMoney {
  const postings: Posting[] = chargesOf(filings);
  const answers = new Map<Filing, readonly Answered[]>();
  filings.forEach((filing, n) => {
    const elsewhere = (others: readonly Filing[]) =>
      others.some((other) => other.claim.payer.id !== filing.claim.payer.id);
    const rules: Rules = { paidBefore: elsewhere(filings.slice(0, n)), billedAfter: elsewhere(filings.slice(n + 1)) };
    const list = filing.decisions.map((decision): Answered => {
      const decided = decidedLines(filing, decision.payment);
      const parts = [...decided.lines, ...decided.rest.map((part) => ({ ...part, line: null }))];
      const refusals = parts.flatMap((part) => post(part, decision.remittance.date, rules, postings));
      return { decision, decided, refusals: isReversal(decision) ? [] : refusals.filter(({ cents }) => cents > 0) };
    });
    if (list.length > 0) answers.set(filing, list);
  });
  return { postings, openCents: postings.reduce((sum, { cents }) => sum + cents, 0), answers };
}

/** Charges of the filing first sent, and the differences that later ones make; a void changes no charge. */
function chargesOf(filings: readonly Filing[]): Posting[] {
  const charged = new Map<number, number>();
  return filings
    .filter(({ claim }) => claim.frequency !== "8")
    .flatMap(({ claim }, n) => {
      const now = new Map(claim.lines.map(({ number, charge }) => [number, toCents(charge)]));
      const numbers = [...new Set([...charged.keys(), ...now.keys()])];
      return numbers.flatMap((line): Posting[] => {
        const cents = (now.get(line) ?? 0) - (charged.get(line) ?? 0);
        charged.set(line, now.get(line) ?? 0);
        const note = n === 0 ? "charge" : "charge as corrected";
        return cents === 0 ? [] : [{ line, entry: "charge", cents, on: claim.submission.date, by: "office", note }];
      });
    });
}

interface Rules {
  /** An earlier payer's decisions are on this account, so that OA 23 says nothing new. */
  readonly paidBefore: boolean;
  /** The claim went on to another payer, which may pay the cost share. */
  readonly billedAfter: boolean;
}

function post(
  {
    line,
    paid,
    adjustments,
  }: { readonly line: number | null; readonly paid: string; readonly adjustments: readonly Adjustment[] },
  on: string,
  rules: Rules,
  postings: Posting[],
): Refusal[] {
  const payment = toCents(paid);
  const add = (entry: Posting["entry"], cents: number, by: Posting["by"], note: string) => {
    if (cents !== 0) postings.push({ line, entry, cents, on, by, note });
  };
  if (payment > 0) add("payer_payment", -payment, "payer", "payment");
  else add("takeback", -payment, "payer", "payment taken back");
  return adjustments.flatMap(({ group, reason: carc, amount }): Refusal[] => {
    const cents = toCents(amount);
    const kind = CARC.find(carc)?.kind;
    if (kind === "cost-share" && group === "PR") {
      if (!rules.billedAfter) add("patient_billed", -cents, "office", "cost share billed");
    } else if ((kind === "pricing" || kind === "cost-share") && group !== "PR") {
      add(
        "contractual",
        -cents,
        "office",
        carc === "45" ? "contract allowance" : `contract allowance (${group}-${carc})`,
      );
    } else if (carc === "23") {
      if (!rules.paidBefore) add("payer_payment", -cents, "payer", "paid or waived by an earlier payer (OA-23)");
    } else return [{ line, group, carc, cents }];
    return [];
  });
}
