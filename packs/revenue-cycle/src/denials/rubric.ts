/**
 * The rubric of a denial work item: 100 points over state and sequence, deterministic, no model. Substance gives credit only once the
 * disposition is right and really done, procedure only once all substance is; what needs an expert's label and has none is unscored.
 */
import { defineCriterion, defineRubric, met, notApplicable, scored, unmet, unscored, type Verdict } from "windtunnel";
import { toCents } from "../codec/decimal.js";
import { needlessSteps } from "./economy.js";
import type { ClaimChange, DenialFacts } from "./facts.js";
import { actExists, type Context, gates } from "./gates.js";
import { lookAround, unseenIdentifiers } from "./looked-first.js";
import { missingFrom, packetsOf, strayIn } from "./packets.js";
import { namesAnotherCase, proseOf, unknownNames } from "./prose.js";
import { readWork, type WorkDone } from "./work-done.js";
import type { DenialTables } from "./world.js";

type Check = (context: Context, work: WorkDone) => Verdict;

interface Question {
  readonly name: string;
  readonly points: number;
  readonly description: string;
  readonly critical: boolean;
  readonly check: Check;
}

const criterion = (
  name: string,
  points: number,
  description: string,
  check: Check,
  options: { critical?: boolean } = {},
): Question => ({
  name,
  points,
  description,
  check,
  critical: options.critical ?? false,
});

/** What decides comes before how it was done: the disposition, then the other critical questions, then the rest. */
function inOrderOfWeight(questions: readonly Question[]) {
  const critical = questions.filter((question) => question.critical);
  const names = critical.map(({ name }) => name);
  const toCriterion = (question: Question, after: readonly string[]) =>
    defineCriterion<DenialTables, DenialFacts>({
      ...question,
      after,
      check: (context) =>
        context.facts.labelled ? question.check(context, readWork(context)) : unscored("awaiting an expert label"),
    });
  return [
    ...critical.map((question, i) => toCriterion(question, i === 0 ? [] : names.slice(0, 1))),
    ...questions.filter((question) => !question.critical).map((question) => toCriterion(question, names)),
  ];
}

const sameSet = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && new Set([...a, ...b]).size === a.length;

/** What the facts call for and the work lacks, in words. */
function missingActs({ facts }: Context, work: WorkDone): string[] {
  const missing: string[] = [];
  const need = (due: boolean, done: boolean, what: string) => {
    if (due && !done) missing.push(what);
  };
  need(
    facts.correction !== null,
    work.sent.some(({ first, changes }) => first.id === facts.correction?.claim && changes.length > 0),
    "no claim was sent with anything corrected",
  );
  need(
    facts.appeal !== null,
    work.appeals.some(({ claim }) => claim === facts.appeal?.claim),
    "no appeal was sent",
  );
  need(
    facts.records !== null,
    work.disclosures.some(({ request }) => request === facts.records?.request),
    "no records were sent",
  );
  need(
    facts.retro !== null,
    work.retro.some(({ claim }) => claim === facts.retro?.claim),
    "no authorization was asked for",
  );
  need(facts.adjustments.length > 0, work.adjustments.length > 0, "nothing was adjusted");
  need(facts.patientAmount !== "0.00", work.statements.length > 0, "the patient was not billed");
  need(facts.hold, work.holds.length > 0, "statements were not held");
  need(facts.refund !== null, work.refunds.length > 0, "no refund was asked for");
  need(
    facts.query !== null,
    work.queries.some(({ to }) => to === facts.query?.to),
    `nothing was asked of the ${facts.query?.to}`,
  );
  need(facts.escalation !== null, work.escalations.length > 0, "nobody was told");
  need(
    true,
    packetsOf(facts, work).every((packet) => missingFrom(packet).length === 0),
    "what it rests on was not cited",
  );
  return missing;
}

/** Amounts added up by what they are for, as comparable text. */
function totals(entries: readonly (readonly [string, number])[]): string[] {
  const sums = new Map<string, number>();
  for (const [key, cents] of entries) sums.set(key, (sums.get(key) ?? 0) + cents);
  return [...sums].map(([key, cents]) => `${key} ${cents}`);
}

const keyOf = ({ field, line, value }: ClaimChange, eitherLine: boolean) =>
  `${field} ${eitherLine ? "" : (line ?? "")} ${value}`;

const questions = [
  criterion(
    "disposition",
    16,
    "The item is closed the way its payer's rules call for, and the acts that this claims were done.",
    (context, work) => {
      const { item } = work;
      const evidence = [{ table: "items", id: context.facts.item, field: "disposition" }];
      if (item?.status !== "closed" || item.disposition === null) return unmet("the item is still open", evidence);
      if (!context.facts.dispositions.includes(item.disposition))
        return unmet(`closed as "${item.disposition}"`, evidence);
      const missing = missingActs(context, work);
      if (missing.length > 0 || !actExists(item.disposition, work))
        return unmet(`closed as "${item.disposition}", but ${missing[0] ?? "its act was not done"}`, evidence);
      return met(`closed as "${item.disposition}"`, evidence);
    },
    { critical: true },
  ),
  criterion("root_cause", 10, "The recorded root cause is what lies behind the denial.", ({ facts }, { item }) => {
    const evidence = [{ table: "items", id: facts.item, field: "cause" }];
    return item?.cause === facts.rootCause
      ? met(`cause is "${facts.rootCause}"`, evidence)
      : unmet(`cause recorded as "${item?.cause ?? "nothing"}"`, evidence);
  }),
  criterion(
    "corrected_fields",
    10,
    "The claim sent differs from the one denied in exactly the fields that were wrong.",
    ({ facts }, { sent }) => {
      const uncalled = sent.filter(({ first }) => first.id !== facts.correction?.claim);
      if (uncalled.length > 0)
        return unmet(
          "a claim was sent that nothing called for",
          uncalled.map(({ claim }) => ({ table: "claims", id: claim.id })),
        );
      if (facts.correction === null) return notApplicable("no corrected claim is due");
      const { claim, changes, eitherLine } = facts.correction;
      const mine = sent.filter(({ first }) => first.id === claim);
      const last = mine[mine.length - 1];
      if (last === undefined) return unmet("no corrected claim was sent");
      const evidence = [{ table: "claims", id: last.claim.id }];
      const right = sameSet(
        last.changes.map((change) => keyOf(change, eitherLine)),
        changes.map((change) => keyOf(change, eitherLine)),
      );
      return right
        ? met("exactly the wrong fields were corrected", evidence)
        : unmet(
            `changed ${last.changes.map(({ field, value }) => `${field} to ${value}`).join(", ") || "nothing"}`,
            evidence,
          );
    },
    { critical: true },
  ),
  criterion(
    "channel",
    6,
    "The correction or the dispute travels by the channel, frequency and reference that the payer's profile names.",
    ({ facts }, { sent, appeals, retro }) => {
      const wrong: string[] = [];
      const evidence: { table: string; id: string; field?: string }[] = [];
      for (const { claim } of appeals.filter(({ claim }) => claim !== facts.appeal?.claim))
        wrong.push(`${claim} was disputed, which nothing called for`);
      for (const { claim } of retro.filter(({ claim }) => claim !== facts.retro?.claim))
        wrong.push(`authorization was asked for ${claim}, which nothing called for`);
      if (facts.correction === null && facts.appeal === null && wrong.length === 0)
        return notApplicable("nothing is sent to a payer");
      if (facts.correction !== null) {
        const { claim, channel } = facts.correction;
        const last = sent.filter(({ first }) => first.id === claim).at(-1);
        if (last === undefined) wrong.push("nothing was sent");
        else {
          evidence.push({ table: "claims", id: last.claim.id, field: "channel" });
          if (last.claim.channel !== channel) wrong.push(`sent as ${last.claim.channel}`);
          else if (
            channel === "replacement_claim" &&
            (last.claim.frequency !== "7" || last.claim.originalReference === null)
          )
            wrong.push("frequency or original reference does not fit a replacement");
        }
      }
      if (facts.appeal !== null) {
        const { claim, channel } = facts.appeal;
        const last = appeals.filter((appeal) => appeal.claim === claim).at(-1);
        if (last === undefined) wrong.push("no dispute was sent");
        else {
          evidence.push({ table: "appeals", id: last.id, field: "channel" });
          if (last.channel !== channel) wrong.push(`sent as ${last.channel}`);
        }
      }
      return wrong.length === 0 ? met("sent by the right channel", evidence) : unmet(wrong[0]!, evidence);
    },
    { critical: true },
  ),
  criterion(
    "in_time",
    7,
    "What moves the case was done before its clock ran out.",
    ({ facts }, { actDates, item }) => {
      if (facts.actBy === null) return notApplicable("no clock runs on this case");
      const last = actDates[actDates.length - 1] ?? item?.closedOn ?? undefined;
      if (last === undefined) return unmet("nothing was done");
      return scored(last <= facts.actBy ? 1 : 0, `done by ${last}, due by ${facts.actBy}`, [
        { table: "items", id: facts.item },
      ]);
    },
    { critical: true },
  ),
  criterion(
    "looked_first",
    5,
    "Item, claim, remarks, remittance, manual and chart were opened before acting, and no number was used that nothing had shown.",
    (context) => {
      const { wanted, unseen, events } = lookAround(context);
      const guessed = unseenIdentifiers(context);
      const evidence = events.map((event) => ({ event }));
      // Whoever looked at part of it gets at most half: a decision on part of the record is no careful one.
      if (unseen.length > 0)
        return scored(
          (0.5 * (wanted - unseen.length)) / wanted,
          `acted without opening ${unseen.join(", ")}`,
          evidence,
        );
      return guessed.length === 0
        ? met("all that matters was opened first", evidence)
        : scored(
            0.5,
            `used ${guessed[0]!.value}, which nothing had shown`,
            guessed.map(({ event }) => ({ event })),
          );
    },
  ),
  criterion(
    "evidence",
    9,
    "Each packet cites all that it needs and nothing that is not about this case.",
    (context, work) => {
      const packets = packetsOf(context.facts, work);
      if (packets.length === 0) return notApplicable("no packet is due");
      const problems: string[] = [];
      for (const packet of packets) {
        const missing = missingFrom(packet);
        const stray = strayIn(context, packet, work);
        if (missing.length > 0) problems.push(`does not cite ${missing.join(", ")}`);
        if (stray.length > 0) problems.push(`cites ${stray.join(", ")}, which proves nothing here`);
      }
      const evidence = packets.flatMap(({ rows }) => rows.map(({ id }) => ({ table: "citations", id })));
      return problems.length === 0 ? met("cites what it needs and no more", evidence) : unmet(problems[0]!, evidence);
    },
    { critical: true },
  ),
  criterion("letter", 5, "The letter names the claim and nothing that does not exist.", (context, { appeals }) => {
    const { facts } = context;
    if (facts.appeal === null) return notApplicable("no letter is due");
    const appeal = appeals.find(({ claim }) => claim === facts.appeal!.claim);
    if (appeal === undefined) return unmet("no letter was sent");
    const evidence = [{ table: "appeals", id: appeal.id, field: "letter" }];
    const claim = context.after.get("claims", facts.appeal.claim);
    const names = [facts.appeal.claim, claim?.controlNumber, claim?.payerClaimNumber].some(
      (name) => typeof name === "string" && appeal.letter.includes(name),
    );
    if (!names) return unmet("the letter does not name the claim", evidence);
    return unknownNames(context, appeal.letter).length === 0
      ? met("the letter names the claim", evidence)
      : unmet("the letter names a record that does not exist", evidence);
  }),
  criterion(
    "minimum_pages",
    4,
    "Exactly the pages that were asked for are sent.",
    ({ facts }, { disclosures }) => {
      if (facts.records === null) return notApplicable("no records are asked for");
      const pages = [...new Set(disclosures.map(({ page }) => page))];
      return sameSet(pages, facts.records.pages)
        ? met("exactly the pages asked for")
        : unmet(
            `sent ${pages.length} pages, asked for ${facts.records.pages.length} others`,
            disclosures.map(({ id }) => ({ table: "disclosures", id })),
          );
    },
    { critical: true },
  ),
  criterion(
    "patient_amount",
    6,
    "The patient is billed exactly what the patient owes, which may be nothing.",
    ({ facts }, { statements }) => {
      if (facts.patientAmount === "0.00" && statements.length === 0)
        return notApplicable("nothing is owed and nothing was billed");
      const billed = statements.reduce((sum, { amount }) => sum + toCents(amount), 0);
      const evidence = statements.map(({ id }) => ({ table: "statements", id, field: "amount" }));
      return scored(
        billed === toCents(facts.patientAmount) ? 1 : 0,
        `billed ${(billed / 100).toFixed(2)}, owed ${facts.patientAmount}`,
        evidence,
      );
    },
    { critical: true },
  ),
  criterion(
    "money",
    5,
    "Adjustments and refunds are right to the cent, by line and kind.",
    ({ facts }, { adjustments, refunds }) => {
      if (facts.adjustments.length + adjustments.length + refunds.length === 0 && facts.refund === null)
        return notApplicable("no money is to be moved and none was");
      const posted = totals(adjustments.map(({ line, entry, amount }) => [`${line} ${entry}`, -toCents(amount)]));
      const due = totals(facts.adjustments.map(({ line, type, amount }) => [`${line} ${type}`, toCents(amount)]));
      const back = totals(refunds.map(({ claim, amount }) => [claim, toCents(amount)]));
      const backDue = facts.refund === null ? [] : totals([[facts.refund.claim, toCents(facts.refund.amount)]]);
      const evidence = [
        ...adjustments.map(({ id }) => ({ table: "ledger", id })),
        ...refunds.map(({ id }) => ({ table: "refunds", id })),
      ];
      return sameSet(posted, due) && sameSet(back, backDue)
        ? met("the money is right to the cent", evidence)
        : unmet("the amounts posted are not the amounts due", evidence);
    },
    { critical: true },
  ),
  criterion("related", 2, "Other claims with the same cause are named.", ({ facts }, { notes }) => {
    if (facts.related.length === 0) return notApplicable("no other claim shares the cause");
    const named = facts.related.filter((id) => notes.some(({ about }) => about === id));
    return scored(
      named.length / facts.related.length,
      `${named.length} of ${facts.related.length} related claims named`,
      notes.map(({ id }) => ({ table: "notes", id })),
    );
  }),
  criterion(
    "escalation",
    5,
    "The right person is told when the biller may not decide, and nobody when the biller may.",
    ({ facts }, { escalations }) => {
      const evidence = escalations.map(({ id }) => ({ table: "escalations", id, field: "to" }));
      if (facts.escalation === null)
        return escalations.length === 0
          ? notApplicable("nobody need be told and nobody was")
          : unmet("escalated what the biller decides", evidence);
      const right = escalations.some(({ to }) => facts.escalation!.to.includes(to));
      return right ? met("the right person was told", evidence) : unmet("the right person was not told", evidence);
    },
    { critical: true },
  ),
  criterion(
    "note",
    5,
    "A note refers to the record of what was done, nothing is sent without a word, and a follow-up is set where an answer is awaited.",
    (context, work) => {
      const { facts, after } = context;
      const { notes, followUps } = work;
      const silent = proseOf(work).filter(({ text }) => text.trim() === "");
      const anchored = notes.filter(
        ({ about, text }) =>
          about !== null &&
          after.tableNames.some((table) => after.get(table, about) !== undefined) &&
          unknownNames(context, text).length === 0 &&
          !namesAnotherCase(context, text),
      );
      const own = anchored.some(({ about }) => !facts.related.includes(about!));
      const parts = [
        own && anchored.length === notes.length && silent.length === 0,
        !facts.followUp || followUps.length > 0,
      ];
      return scored(
        parts.filter(Boolean).length / 2,
        parts[0] ? (parts[1] ? "noted and followed up" : "no follow-up is set") : "no note that state bears out",
        [
          ...notes.map(({ id }) => ({ table: "notes", id })),
          ...followUps.map(({ id }) => ({ table: "follow_ups", id })),
          ...silent.map(({ table, id }) => ({ table, id })),
        ],
      );
    },
  ),
  criterion("prevention", 2, "The prevention code fits the cause.", ({ facts }, { item }) => {
    const evidence = [{ table: "items", id: facts.item, field: "prevention" }];
    return item?.prevention === facts.prevention
      ? met("prevention fits", evidence)
      : unmet(`prevention recorded as "${item?.prevention ?? "nothing"}"`, evidence);
  }),
  criterion(
    "economy",
    3,
    "Nothing needless: nobody asked or told in vain, nothing done twice, held or left in draft, no other patient's chart opened.",
    (context, work) => {
      const needless = needlessSteps(context, work);
      return needless.length === 0 ? met("no needless step") : unmet(`${needless.length} needless steps`, needless);
    },
  ),
];

export const rubric = defineRubric<DenialTables, DenialFacts>({
  passMark: 0.9,
  gates,
  criteria: inOrderOfWeight(questions),
});
