/**
 * The reference solution: reads what a careful person would read, then does exactly what the grader's facts call for, through the same
 * tools as any agent. It proves that every task can be done; it is never an agent under test.
 */
import type { Act, Action, Observation, ReferenceSolution } from "windtunnel";
import type { ClaimChange, DenialFacts } from "./facts.js";

type Call = { tool: string; arguments: Record<string, unknown> };
type Results = readonly Readonly<Record<string, unknown>>[];
/** A plan yields the calls of one turn and receives their results. */
type Plan = Generator<readonly Call[], void, Results>;

const call = (tool: string, args: Record<string, unknown>): Call => ({ tool, arguments: args });

const TRIES = 6;

export const referenceSolution: ReferenceSolution<DenialFacts> = ({ facts }) => runPlan(plan(facts));

/** Turns a plan into an agent: one turn per yield, a call repeated while its system is down. */
function runPlan(steps: Plan): Act {
  let pending:
    | { calls: readonly Call[]; results: (Readonly<Record<string, unknown>> | undefined)[]; tries: number }
    | undefined;
  const next = (results: Results): Action => {
    const { done, value } = steps.next(results);
    if (done === true || value === undefined) return {};
    pending = { calls: value, results: value.map(() => undefined), tries: 0 };
    return { calls: value };
  };
  return (observation: Observation) => {
    if (pending === undefined) return next([]);
    const current = pending;
    const open = current.results.flatMap((result, i) => (result === undefined ? [i] : []));
    observation.messages.forEach((message, i) => {
      if (message.role !== "tool") return;
      const at = open[i]!;
      if (message.ok) current.results[at] = message.value as Readonly<Record<string, unknown>>;
      else if ((message.value as { code: string }).code !== "unavailable" || ++current.tries > TRIES) {
        throw new Error(
          `${message.tool}(${JSON.stringify(current.calls[at]!.arguments)}) was refused: ${JSON.stringify(message.value)}`,
        );
      }
    });
    const again = current.results.flatMap((result, i) => (result === undefined ? [current.calls[i]!] : []));
    return again.length > 0 ? { calls: again } : next(current.results as Results);
  };
}

function* plan(facts: DenialFacts): Plan {
  const { item } = facts;
  yield [call("item_get", { item })];
  const [claim] = yield [call("claim_get", { claim: facts.claim })];
  const patient = claim!.patient as string;
  yield* lookAround(facts, claim!);

  let about: string | undefined;
  if (facts.escalation !== null) {
    const [made] = yield [call("escalate", { item, to: facts.escalation.to[0]!, summary: summaryOf(facts) })];
    about = made!.escalation as string;
    yield* cite(about, facts.escalation.evidence);
    if (facts.needsApproval) yield [call("wait", { until: "next_event" })];
  }
  if (facts.query !== null) {
    const [made] = yield [
      call("query_create", {
        claim: facts.claim,
        to: facts.query.to,
        question: `Please confirm what the record supports for claim ${facts.claim}.`,
      }),
    ];
    about ??= made!.query as string;
  }
  if (facts.retro !== null) {
    const [made] = yield [call("retro_auth_open", { claim: facts.retro.claim })];
    about = made!.retro_request as string;
    yield* cite(about, facts.retro.evidence);
    yield [call("retro_auth_submit", { retro_request: about })];
    if (facts.correction !== null) {
      yield [call("wait", { until: "next_event" })];
      yield [call("auth_search", { patient })];
    }
  }
  if (facts.correction !== null) about = yield* correct(facts.correction);
  if (facts.appeal !== null) {
    const [made] = yield [call("appeal_open", { claim: facts.appeal.claim, channel: facts.appeal.channel })];
    about = made!.appeal as string;
    yield* cite(about, facts.appeal.evidence);
    yield [
      call("appeal_submit", {
        appeal: about,
        letter: `We ask for payment of claim ${facts.appeal.claim}. The cited records show why.`,
      }),
    ];
  }
  if (facts.records !== null) {
    for (const page of facts.records.pages) yield [call("records_send", { request: facts.records.request, page })];
    about ??= facts.records.request;
  }
  let based: string | undefined;
  for (const { line, type, amount } of facts.adjustments) {
    const [made] = yield [call("adjust_post", { line, type, amount })];
    based ??= made!.entry as string;
  }
  if (facts.patientAmount !== "0.00") {
    const [made] = yield [call("statement_send", { claim: facts.claim, amount: facts.patientAmount })];
    based ??= made!.statement as string;
  }
  if (based !== undefined) yield* cite(based, facts.basis);
  about ??= based;
  if (facts.hold) {
    const [made] = yield [call("statement_hold", { claim: facts.claim })];
    about ??= made!.hold as string;
  }
  if (facts.refund !== null) {
    const [made] = yield [call("refund_request", facts.refund)];
    about ??= made!.refund as string;
  }
  yield [call("note_add", { item, about: about ?? facts.claim, text: summaryOf(facts) })];
  for (const related of facts.related)
    yield [call("note_add", { item, about: related, text: `Claim ${related} has the same cause.` })];
  yield [call("item_get", { item })];
  yield [
    call("item_set_cause", { item, cause: facts.rootCause }),
    call("item_set_prevention", { item, prevention: facts.prevention }),
    ...(facts.followUp ? [call("follow_up_create", { item })] : []),
    call("item_close", { item, disposition: facts.dispositions[0]! }),
  ];
}

const summaryOf = (facts: DenialFacts) =>
  `Worked ${facts.item}, claim ${facts.claim}; the record it refers to says what was done.`;

function* cite(by: string, evidence: readonly string[]): Plan {
  for (const one of evidence) yield [call("evidence_cite", { by, evidence: one })];
}

function* correct(correction: NonNullable<DenialFacts["correction"]>): Generator<readonly Call[], string, Results> {
  const [opened] = yield [call("correction_open", { claim: correction.claim, channel: correction.channel })];
  const draft = opened!.correction as string;
  for (const change of correction.changes) yield [changeCall(draft, change)];
  yield [call("correction_submit", { correction: draft })];
  return draft;
}

function changeCall(correction: string, { field, line, value }: ClaimChange): Call {
  switch (field) {
    case "coverage":
      return call("correction_set_coverage", { correction, coverage: value });
    case "memberId":
      return call("correction_set_member_id", { correction, member_id: value });
    case "renderingNpi":
      return call("correction_set_provider", { correction, role: "rendering", npi: value });
    case "orderingNpi":
      return call("correction_set_provider", { correction, role: "ordering", npi: value });
    case "authorization":
      return call("correction_set_authorization", { correction, authorization: value });
    case "diagnosis":
      return call("correction_add_diagnosis", { correction, diagnosis: value });
    case "modifier":
      return call("correction_add_modifier", { correction, line, modifier: value });
    case "units":
      return call("correction_set_units", { correction, line, units: value });
    case "ndc":
      return call("correction_set_ndc", { correction, line, ndc: value });
  }
}

/** Opens what the facts say a careful person opens, each list before what it lists, several records of a kind in one turn. */
function* lookAround(facts: DenialFacts, claim: Readonly<Record<string, unknown>>): Plan {
  const patient = claim.patient as string;
  const payer = claim.payer as string;
  const byTable = new Map<string, string[]>();
  for (const id of facts.lookAt) {
    const prefix = id.split("-")[0]!;
    byTable.set(prefix, [...(byTable.get(prefix) ?? []), id]);
  }
  const open = function* (prefix: string, tool: string, argument: string, among = (_id: string) => true): Plan {
    const ids = (byTable.get(prefix) ?? []).filter(among);
    if (ids.length > 0) yield ids.map((id) => call(tool, { [argument]: id }));
  };
  const own = new Set([...(claim.remits as string[]), ...(claim.acknowledgments as string[])]);
  const isOwn = (id: string) => own.has(id);
  yield* open("ERA", "remit_get", "remit", isOwn);
  yield* open("ACK", "ack_get", "acknowledgment", isOwn);
  let wanted = byTable.get("SEC") ?? [];
  for (const source of ["manual", "contract", "policy"]) {
    if (wanted.length === 0) break;
    const [found] = yield [call("library_search", { payer, source })];
    const listed = new Set((found!.sections as { section: string }[]).map(({ section }) => section));
    const here = wanted.filter((id) => listed.has(id));
    if (here.length > 0) yield here.map((section) => call("library_read", { section }));
    wanted = wanted.filter((id) => !listed.has(id));
  }
  yield [call("patient_get", { patient })];
  const needsHistory = (byTable.get("CLM") ?? []).filter((id) => id !== facts.claim);
  if (needsHistory.length > 0) {
    yield [call("claim_history", { patient })];
    yield needsHistory.map((claim) => call("claim_get", { claim }));
    yield* open("ERA", "remit_get", "remit", (id) => !isOwn(id));
    yield* open("ACK", "ack_get", "acknowledgment", (id) => !isOwn(id));
  }
  if (byTable.has("AUT")) yield [call("auth_search", { patient })];
  if (byTable.has("LTR")) {
    yield [call("correspondence_list", { patient })];
    yield* open("LTR", "correspondence_read", "letter");
  }
  if (byTable.has("DOC")) {
    yield [call("chart_list", { patient })];
    yield* open("DOC", "chart_read", "document");
  }
  for (const coverage of byTable.get("COV") ?? [])
    yield [call("eligibility_check", { coverage, service_date: facts.serviceDate })];
  if (facts.lookAtEdits) yield [call("edits_check", { claim: facts.claim })];
}
