/**
 * Which accounts need work: the last thing sent was refused, in whole or in part, or rejected on arrival, and money is still open. For every other
 * account the reason why there is nothing to do.
 */
import type { Row } from "windtunnel";
import { acknowledgmentOutcome, type ClaimStatus, compareMoney, formatCents } from "../../codec/index.js";
import type { DenialTables } from "../world.js";
import { type AccountMoney, type Answered, isReversal, type Refusal } from "./account-money.js";
import type { Account, Filing } from "./accounts.js";
import { receivedOn } from "./answers.js";

type Status = Row<DenialTables["claims"]>["status"];

export type Work =
  | { readonly kind: "denied" | "partly_denied"; readonly filing: Filing; readonly refusals: readonly Refusal[] }
  | { readonly kind: "rejected"; readonly filing: Filing; readonly category: string }
  | { readonly kind: "none"; readonly filing: Filing; readonly reason: string };

/** What is to be done about an account. */
export function findWork({ filings }: Account, money: AccountMoney): Work {
  const filing = filings.at(-1)!;
  const again = filings.length > 1 ? `sent again on ${filing.claim.submission.date}; ` : "";
  const none = (reason: string): Work => ({ kind: "none", filing, reason: again + reason });
  if (filing.claim.frequency === "8") return none("the claim was voided");
  const answer = money.answers.get(filing)?.at(-1);
  if (answer === undefined) {
    const category = rejectionOf(filing);
    if (category === undefined) return none("the payer's answer is not in the files");
    if (money.openCents <= 0) return none("rejected on arrival, but nothing is open on the account");
    return { kind: "rejected", filing, category };
  }
  if (isReversal(answer.decision)) return none("the payer took its decision back and the new one is not in the files");
  if (answer.refusals.length === 0) return none("nothing was refused");
  if (money.openCents <= 0)
    return none(`a part was refused (${reasonsOf(answer.refusals).join(", ")}), but nothing is open on the account`);
  return { kind: isPaid(answer) ? "partly_denied" : "denied", filing, refusals: answer.refusals };
}

/** "CO-197", each once, the largest amount first. */
export function reasonsOf(refusals: readonly Refusal[]): readonly string[] {
  const largestFirst = [...refusals].sort((a, b) => b.cents - a.cents);
  return [...new Set(largestFirst.map(({ group, carc }) => `${group}-${carc}`))];
}

const isPaid = ({ decision }: Answered) => compareMoney(decision.payment.paid, "0") > 0;

/** Category, status and entity of the rejection that stands, such as "A7:164:IL"; undefined when the filing is not rejected. */
function rejectionOf(filing: Filing): string | undefined {
  const outcomes = filing.receipts.map((receipt) => ({
    on: receivedOn(receipt),
    statuses: receipt.acknowledgment.statuses,
    outcome: acknowledgmentOutcome(receipt.acknowledgment.statuses),
  }));
  const rejection = outcomes.findLast(({ outcome }) => outcome === "rejected");
  if (rejection === undefined) return undefined;
  const acceptedLater = outcomes.some(({ outcome, on }) => outcome === "accepted" && on > rejection.on);
  return acceptedLater ? undefined : categoryOf(rejection.statuses);
}

const MEANINGS: Readonly<Record<string, string>> = {
  A0: "passed on to another party",
  A1: "received; not yet accepted for adjudication",
  A2: "accepted for adjudication",
  A3: "returned as unprocessable",
  A4: "not found",
  A5: "split into several claims",
  A6: "rejected for missing information",
  A7: "rejected for invalid information",
  A8: "rejected for fields that do not fit together",
};

function weightiest(statuses: readonly ClaimStatus[]): ClaimStatus | undefined {
  const outcome = acknowledgmentOutcome(statuses);
  return statuses.find((status) => acknowledgmentOutcome([status]) === outcome);
}

/** "A7:164:IL": the code of the weightiest status, which may stand second or third in its segment. */
export function categoryOf(statuses: readonly ClaimStatus[]): string {
  const status = weightiest(statuses);
  const outcome = acknowledgmentOutcome(statuses);
  const codes = status === undefined ? [] : [status, ...(status.further ?? [])];
  const code = codes.find((one) => acknowledgmentOutcome([{ ...one, date: "" }]) === outcome) ?? codes[0];
  return code === undefined
    ? ""
    : [code.category, code.status, ...(code.entity === undefined ? [] : [code.entity])].join(":");
}

/** What was found, in words, with the sender's own words where there are any. */
export function meaningOf(statuses: readonly ClaimStatus[]): string {
  const words = MEANINGS[categoryOf(statuses).slice(0, 2)] ?? "";
  const text = statuses.flatMap((status) => (status.text === undefined ? [] : [status.text])).join("; ");
  return text === "" ? words : `${words}: ${text}`;
}

/** How a filing stands. */
export function statusOf(filing: Filing, account: Account, money: AccountMoney): Status {
  const later = account.filings.slice(account.filings.indexOf(filing) + 1);
  if (
    filing.claim.frequency === "8" ||
    later.some(({ claim, corrects }) => claim.frequency === "8" && corrects === filing)
  )
    return "voided";
  const answer = money.answers.get(filing)?.at(-1);
  if (answer !== undefined) {
    if (isReversal(answer.decision)) return "reversed";
    if (answer.refusals.length === 0) return "paid";
    return isPaid(answer) ? "partly_paid" : "denied";
  }
  if (rejectionOf(filing) !== undefined) return "rejected";
  const accepted = filing.receipts.some(
    ({ acknowledgment }) => acknowledgmentOutcome(acknowledgment.statuses) === "accepted",
  );
  return accepted ? "accepted" : "submitted";
}

/** "310.00". */
export const amountOf = (money: AccountMoney) => formatCents(money.openCents);
