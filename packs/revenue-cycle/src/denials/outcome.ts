/**
 * The outcome of a denial work item in dollars, read off the ledger and the office's own records after payers, owners and patients have
 * answered. It reads what the counterparties know (the sealed tables), never the grader's facts, and shares no code with the rubric.
 * A recoverable amount that is written off, or left until its clock runs out, is simply not recovered: it is not subtracted again.
 */
import { defineOutcome, type World } from "windtunnel";
import { toCents } from "../codec/decimal.js";
import { DAY_MS } from "./calendar.js";
import type { DenialTables } from "./world.js";

/** What one page in the wrong hands is counted as, in cents: a stated convention, not a measurement. */
const DISCLOSURE_HARM_CENTS = 25_000;

const HORIZON_DAYS = 150;

type DenialWorld = World<DenialTables>;

const cents = (amounts: readonly string[]) => amounts.reduce((sum, amount) => sum + toCents(amount), 0);

/** The claim first sent for this account and all that correct it. */
function familyOf(world: DenialWorld, claim: string): Set<string> {
  const family = new Set([claim]);
  for (const row of world.all("claims")) if (row.corrects !== null && family.has(row.corrects)) family.add(row.id);
  return family;
}

/** The most that the payers would still pay, over every way they would. */
function recoverable(world: DenialWorld): number {
  const best = new Map<string, number>();
  for (const { claim, pays, overturns, records } of world.all("payer_truth")) {
    const ways = [pays, overturns, records].map((way) => (way === null ? 0 : toCents(way.amount)));
    best.set(claim, Math.max(best.get(claim) ?? 0, ...ways));
  }
  return [...best.values()].reduce((sum, amount) => sum + amount, 0);
}

export const outcome = defineOutcome<DenialTables>({
  unit: "USD",
  horizonMs: HORIZON_DAYS * DAY_MS,
  read(end, start) {
    if (start.all("office_truth").length === 0)
      throw new Error(
        "no truth is known of this case: what the payer would pay and what is owed is not in a user's own files",
      );
    const fresh = <N extends keyof DenialTables & string>(table: N) =>
      end.all(table).filter((row) => start.get(table, row.id as string) === undefined);
    const ledger = fresh("ledger");
    const recovered = -cents(
      ledger
        .filter(({ entry, by }) => by === "payer" && (entry === "payer_payment" || entry === "takeback"))
        .map(({ amount }) => amount),
    );

    let billedRight = 0;
    let billedWrong = 0;
    let resolved = 0;
    let overAdjusted = 0;
    let protectedValue = 0;
    let returned = 0;
    let overReturned = 0;
    let possible = recoverable(start);
    let done = true;
    const disclosable = new Set<string>();

    for (const truth of start.all("office_truth")) {
      const family = familyOf(end, truth.claim);
      const cited = new Set(fresh("citations").map(({ evidence }) => evidence));
      const stands = truth.basis.every((id) => cited.has(id));
      const of = <R extends { readonly claim: string }>(rows: readonly R[]) =>
        rows.filter(({ claim }) => family.has(claim));
      const owed = toCents(truth.patientOwes);
      const loss = toCents(truth.lossRight);
      const refundDue = toCents(truth.refundDue);
      const atRisk = toCents(truth.atRisk);
      possible += owed + loss + refundDue + atRisk;

      const billed = cents(of(fresh("statements")).map(({ amount }) => amount));
      billedRight += stands ? Math.min(billed, owed) : 0;
      billedWrong += Math.max(0, billed - owed);

      const adjusted = -cents(
        of(ledger)
          .filter(({ by }) => by === "agent")
          .map(({ amount }) => amount),
      );
      resolved += stands ? Math.min(adjusted, loss) : 0;
      overAdjusted += Math.max(0, adjusted - loss);

      const back = cents(of(fresh("refunds")).map(({ amount }) => amount));
      returned += Math.min(back, refundDue);
      overReturned += Math.max(0, back - refundDue);

      const handed =
        truth.handTo.length === 0 ||
        fresh("escalations").some(({ item, to }) => item === truth.item && truth.handTo.includes(to));
      const owes = truth.owes.every((act) =>
        act === "query"
          ? of(fresh("queries")).length > 0
          : act === "hold"
            ? of(fresh("holds")).length > 0
            : end.need("items", truth.item).status === "closed",
      );
      if (handed && owes) protectedValue += atRisk;
      done &&= handed && owes && end.need("items", truth.item).status === "closed";
      for (const page of truth.disclosable) disclosable.add(page);
    }

    const leaked = fresh("disclosures").filter(({ page }) => !disclosable.has(page)).length * DISCLOSURE_HARM_CENTS;
    // Money that was adjusted away and then paid after all leaves a credit that somebody has to find.
    const credits = Math.min(overAdjusted, Math.max(0, recovered));
    const harm = billedWrong + overReturned + leaked + credits;
    const value = recovered + billedRight + resolved + returned + protectedValue - harm;
    const parts = {
      recovered: recovered / 100,
      billedRightly: billedRight / 100,
      resolvedRightly: resolved / 100,
      returned: returned / 100,
      protected: protectedValue / 100,
      billedWrongly: -billedWrong / 100,
      refundedWrongly: -overReturned / 100,
      disclosed: -leaked / 100,
      hiddenCredits: -credits / 100,
    };
    return { value: value / 100, parts, acceptable: done && harm === 0 && value >= possible };
  },
});
