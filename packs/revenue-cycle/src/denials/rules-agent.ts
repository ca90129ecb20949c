/**
 * The `rules` agent: an honest, mediocre biller. It reads the remittance and follows one fixed rule per reason code, the same for every
 * payer; of a manual it reads only titles, so it is wrong wherever payers differ. It sees only what an agent sees.
 */
import { routineAgent } from "./baselines.js";

type Value = Readonly<Record<string, unknown>>;
type Call = { tool: string; arguments: Value };
type Step<R> = Generator<Call, R, Value | undefined>;

const call = (tool: string, args: Value): Call => ({ tool, arguments: args });
const list = (value: unknown) => (value ?? []) as readonly Value[];
const text = (value: unknown) => (typeof value === "string" ? value : "");

/** What the agent has opened. */
interface Desk {
  readonly item: Value;
  readonly claim: Value;
  readonly remit: Value | undefined;
  readonly patient: Value;
  readonly carc: string;
  readonly group: string;
  readonly remarks: readonly string[];
  /** Lines that the remittance left unpaid. */
  readonly denied: readonly Value[];
}

/** How a rule ended: the disposition to close with, the cause it believes in, and the record to note. */
interface End {
  readonly disposition: string;
  readonly cause?: string;
  readonly about?: unknown;
  readonly waits?: boolean;
}

const LIMIT_CENTS = 50_000;
const cents = (amount: unknown) => Math.round(Number(text(amount)) * 100);

/** The correction channel it was taught: Medicare reopens, everyone else takes a replacement. */
const channelFor = ({ claim }: Desk) =>
  claim.status === "rejected"
    ? "new_claim"
    : text(claim.payer).startsWith("medicare")
      ? "reopening"
      : "replacement_claim";
const dispositionOf = { reopening: "reopening", replacement_claim: "corrected_claim", new_claim: "new_claim" } as const;

function* correct(
  desk: Desk,
  changes: readonly [tool: string, args: Value][],
  cause: string,
  channel = channelFor(desk),
): Step<End> {
  const opened = yield call("correction_open", { claim: desk.claim.claim, channel });
  if (opened === undefined) return { disposition: "escalated" };
  for (const [tool, args] of changes) yield call(tool, { correction: opened.correction, ...args });
  const sent = yield call("correction_submit", { correction: opened.correction });
  return {
    disposition: dispositionOf[channel as keyof typeof dispositionOf],
    cause,
    about: sent === undefined ? undefined : opened.correction,
    waits: true,
  };
}

function* appeal(desk: Desk, evidence: readonly unknown[], cause: string): Step<End> {
  const channel = text(desk.claim.payer).startsWith("medicare")
    ? "redetermination"
    : text(desk.claim.payer).endsWith("advantage")
      ? "reconsideration"
      : "appeal";
  const opened = yield call("appeal_open", { claim: desk.claim.claim, channel });
  if (opened === undefined) return { disposition: "escalated" };
  for (const one of evidence) yield call("evidence_cite", { by: opened.appeal, evidence: one });
  yield call("appeal_submit", {
    appeal: opened.appeal,
    letter: `Please pay claim ${text(desk.claim.claim)}; the cited records show that the service is due.`,
  });
  return { disposition: "appeal", cause, about: opened.appeal, waits: true };
}

/** Words in a section's title that suggest it governs a reason code. */
const GOVERNS: Readonly<Record<string, RegExp>> = {
  authorization: /after the service|no review|no authorization|late requests|redetermination/i,
  bundled: /bundled/i,
  duplicate: /duplicates/i,
  timely: /late claims|proof of|filed in time/i,
  necessity: /appeals|reconsideration|redetermination|member protection|member owes/i,
  excluded: /outside the plan|excluded|non-covered|exclusions|coverage limits/i,
  eligibility: /hold harmless|grace periods|member protection|member owes|who is billed/i,
  limits: /benefit limits|^limits|coverage limits|units/i,
};
const TOPIC: Readonly<Record<string, keyof typeof GOVERNS>> = {
  "18": "duplicate",
  "26": "eligibility",
  "27": "eligibility",
  "29": "timely",
  "50": "necessity",
  "96": "excluded",
  "97": "bundled",
  "119": "limits",
  "197": "authorization",
  "198": "authorization",
  "204": "excluded",
  "222": "limits",
  "231": "bundled",
  "234": "bundled",
  "236": "bundled",
};

/** Cites the first section of the payer's manual whose title sounds right. */
function* citeManual(desk: Desk, by: unknown): Step<void> {
  const titles = GOVERNS[TOPIC[desk.carc] ?? ""];
  if (by === undefined || titles === undefined) return;
  const listed = yield call("library_search", { payer: desk.claim.payer, source: "manual" });
  const section = list(listed?.sections).find(({ title }) => titles.test(text(title)))?.section;
  if (section !== undefined) yield call("evidence_cite", { by, evidence: section });
}

function* writeOff(desk: Desk, type: "write_off" | "contractual", cause: string): Step<End> {
  const total = desk.denied.reduce((sum, { charge }) => sum + cents(charge), 0);
  if (type === "write_off" && total > LIMIT_CENTS) return yield* escalate(desk, "billing_lead");
  let about: unknown;
  for (const { line, charge } of desk.denied)
    about = (yield call("adjust_post", { line, type, amount: charge }))?.entry ?? about;
  yield* citeManual(desk, about);
  return { disposition: type === "write_off" ? "provider_writeoff" : "contractual_writeoff", cause, about };
}

function* escalate(desk: Desk, to: string): Step<End> {
  const made = yield call("escalate", {
    item: desk.item.item,
    to,
    summary: `Item ${text(desk.item.item)} needs a decision.`,
  });
  return { disposition: "escalated", about: made?.escalation };
}

function* readChart(desk: Desk, kinds: readonly string[]): Step<readonly Value[]> {
  const listed = yield call("chart_list", { patient: desk.claim.patient });
  const found: Value[] = [];
  for (const document of list(listed?.documents).filter(({ kind }) => kinds.includes(text(kind)))) {
    const read = yield call("chart_read", { document: document.document });
    if (read !== undefined) found.push(read);
  }
  return found;
}

const firstMatch = (documents: readonly Value[], pattern: RegExp) =>
  documents
    .flatMap(({ pages }) => list(pages))
    .map((page) => pattern.exec(text(page.text))?.[0])
    .find((hit) => hit !== undefined);

function* authorization(desk: Desk): Step<End> {
  const found = yield call("auth_search", { patient: desk.claim.patient });
  const codes = list(desk.claim.lines).map(({ hcpcs }) => hcpcs);
  const date = text(desk.claim.service_date);
  const fitting = list(found?.authorizations).find(
    ({ hcpcs, from, to, status, number }) =>
      status === "approved" &&
      (hcpcs as unknown[]).some((code) => codes.includes(code)) &&
      text(from) <= date &&
      date <= text(to) &&
      number !== desk.claim.authorization,
  );
  if (fitting === undefined) {
    const emergency = (yield* readChart(desk, ["note"])).find(({ title }) => /emergency|run report/i.test(text(title)));
    const page = list(emergency?.pages)[0]?.page;
    if (page !== undefined) return yield* appeal(desk, [page], "emergency_service_unauthorized");
  }
  if (fitting === undefined)
    return yield* writeOff(
      desk,
      "write_off",
      desk.carc === "198" ? "authorized_units_exhausted" : "elective_service_never_authorized",
    );
  return yield* correct(
    desk,
    [["correction_set_authorization", { authorization: fitting.number }]],
    desk.claim.authorization === null ? "authorization_on_file_not_sent" : "authorization_number_transposed",
  );
}

function* missingData(desk: Desk): Step<End> {
  const documents = yield* readChart(desk, ["order", "note", "result"]);
  const line = list(desk.claim.lines)[0]?.line;
  const channel = desk.remarks.includes("MA130") ? "new_claim" : channelFor(desk);
  const ordering =
    firstMatch(
      documents.filter(({ kind }) => kind === "order"),
      /\b1\d{9}\b/,
    ) ?? firstMatch(documents, /\b1\d{9}\b/);
  if (desk.remarks.some((code) => ["M119"].includes(code))) {
    const ndc = firstMatch(documents, /\b\d{11}\b|\b\d{5}-\d{4}-\d{2}\b/);
    if (ndc !== undefined)
      return yield* correct(desk, [["correction_set_ndc", { line, ndc }]], "drug_code_missing", channel);
  }
  if (desk.remarks.some((code) => ["M76", "M64"].includes(code))) {
    const diagnosis = firstMatch(documents, /\b[A-TV-Z]\d{2}\.\w{1,4}\b/);
    if (diagnosis !== undefined)
      return yield* correct(
        desk,
        [["correction_add_diagnosis", { diagnosis }]],
        "supporting_diagnosis_omitted",
        channel,
      );
  }
  const role = desk.claim.rendering_npi === null ? "rendering" : "ordering";
  const npi = role === "rendering" ? yield* renderingElsewhere(desk) : ordering;
  if (npi === undefined) return yield* escalate(desk, "billing_lead");
  return yield* correct(
    desk,
    [["correction_set_provider", { role, npi }]],
    role === "rendering" ? "rendering_npi_dropped" : "ordering_provider_missing",
    channel,
  );
}

/** The rendering provider of another claim of the patient. */
function* renderingElsewhere(desk: Desk): Step<unknown> {
  const history = yield call("claim_history", { patient: desk.claim.patient });
  for (const { claim } of list(history?.claims).filter((one) => one.claim !== desk.claim.claim)) {
    const other = yield call("claim_get", { claim });
    if (typeof other?.rendering_npi === "string") return other.rendering_npi;
  }
  return undefined;
}

function* waitForPatient(desk: Desk): Step<End> {
  const held = yield call("statement_hold", { claim: desk.claim.claim });
  yield call("query_create", {
    claim: desk.claim.claim,
    to: "patient",
    question: `Please answer your plan's letter about claim ${text(desk.claim.claim)}.`,
  });
  return {
    disposition: "held_for_patient_information",
    cause: "patient_has_not_answered",
    about: held?.hold,
    waits: true,
  };
}

/** Takes the member id off the card, when it is another than the claim's. */
function* identity(desk: Desk): Step<End> {
  const cards = yield* readChart(desk, ["card"]);
  const memberId = cards
    .flatMap(({ pages }) => list(pages))
    .map((page) => /Member ([A-Z0-9-]+)/.exec(text(page.text))?.[1])
    .find((found) => found !== undefined && found !== desk.claim.member_id);
  if (memberId === undefined) return yield* otherCoverage(desk);
  return yield* correct(
    desk,
    [["correction_set_member_id", { member_id: memberId }]],
    "member_id_keyed_wrong",
    "new_claim",
  );
}

function* otherCoverage(desk: Desk): Step<End> {
  const other = list(desk.patient.coverages).find(({ coverage }) => coverage !== desk.claim.coverage);
  if (other === undefined) {
    const checked = yield call("eligibility_check", {
      coverage: desk.claim.coverage,
      service_date: desk.claim.service_date,
    });
    if (checked?.active === true) return yield* appeal(desk, [], "retro_termination_after_verification");
    return yield* billPatient(desk, "coverage_ended_no_other_plan");
  }
  const sent = yield* correct(
    desk,
    [["correction_set_coverage", { coverage: other.coverage }]],
    "coverage_moved_to_other_plan",
    "new_claim",
  );
  return { ...sent, disposition: "bill_other_payer" };
}

function* billPatient(desk: Desk, cause: string): Step<End> {
  if (desk.group !== "PR") return yield* writeOff(desk, "write_off", cause);
  const made = yield call("statement_send", { claim: desk.claim.claim, amount: desk.claim.open_balance });
  yield* citeManual(desk, made?.statement);
  return { disposition: "patient_responsibility", cause, about: made?.statement };
}

function* duplicate(desk: Desk): Step<End> {
  const history = yield call("claim_history", { patient: desk.claim.patient });
  const twin = list(history?.claims).find(
    ({ claim, service_date, status }) =>
      claim !== desk.claim.claim && service_date === desk.claim.service_date && status === "paid",
  );
  const end = yield* writeOff(
    desk,
    "contractual",
    twin === undefined ? "duplicate_of_denied_original" : "duplicate_of_paid_claim",
  );
  return { ...end, disposition: "closed_paid" };
}

function* timely(desk: Desk): Step<End> {
  for (const acknowledgment of list(desk.claim.acknowledgments as never) as unknown as readonly string[]) {
    const read = yield call("ack_get", { acknowledgment });
    if (text(read?.category).startsWith("A2")) return yield* appeal(desk, [acknowledgment], "filed_on_time_proof_held");
  }
  return yield* writeOff(desk, "write_off", "filed_late_or_unproven");
}

function* necessity(desk: Desk): Step<End> {
  if (desk.group === "PR") return yield* billPatient(desk, "criterion_not_met_valid_notice");
  const results = yield* readChart(desk, ["result", "note"]);
  const pages = results.flatMap(({ pages }) => list(pages));
  const proof = pages.find((page) => /8[0-8] ?%/.test(text(page.text))) ?? undefined;
  if (proof === undefined) return yield* writeOff(desk, "write_off", "criterion_not_met");
  return yield* appeal(desk, [proof.page], "criterion_met_evidence_not_reviewed");
}

function* records(desk: Desk): Step<End> {
  const request = list(desk.claim.record_requests)[0];
  if (request === undefined) return yield* escalate(desk, "billing_lead");
  const kinds = /operative/i.test(text(request.asks_for)) ? ["operative_note"] : ["note", "order", "result"];
  const documents = yield* readChart(desk, kinds);
  const ofTheDay = documents.filter(({ date }) => date === desk.claim.service_date);
  for (const { page } of (ofTheDay.length > 0 ? ofTheDay : documents).flatMap(({ pages }) => list(pages)))
    yield call("records_send", { request: request.request, page });
  return {
    disposition: "records_sent",
    cause: desk.carc === "226" ? "records_request_missed" : "records_not_yet_sent",
    about: request.request,
    waits: true,
  };
}

function* bundling(desk: Desk): Step<End> {
  const checked = yield call("edits_check", { claim: desk.claim.claim });
  const pair = list(checked?.findings).find(({ kind }) => kind === "pair");
  const modifier = (pair?.accepted_modifiers as string[] | undefined)?.[0];
  if (pair === undefined || pair.indicator === 0 || modifier === undefined)
    return yield* writeOff(desk, "contractual", "same_session_bundled");
  return yield* correct(
    desk,
    [["correction_add_modifier", { line: pair.line, modifier }]],
    "distinct_site_modifier_missing",
  );
}

function* units(desk: Desk): Step<End> {
  const checked = yield call("edits_check", { claim: desk.claim.claim });
  const cap = list(checked?.findings).find(({ kind }) => kind === "units");
  if (cap?.mai === 2)
    return yield* correct(desk, [["correction_set_units", { line: cap.line, units: "1" }]], "units_keyed_wrong");
  const results = yield* readChart(desk, ["result"]);
  return yield* appeal(
    desk,
    results.flatMap(({ pages }) => list(pages)).map(({ page }) => page),
    "units_supported_above_limit",
  );
}

/** Disputes an exclusion where the contract has a rate for the code; else bills or writes off by the group code. */
function* excluded(desk: Desk): Step<End> {
  const { payer, service_date } = desk.claim;
  const rate = yield call("contract_rate", { payer, hcpcs: list(desk.claim.lines)[0]?.hcpcs, service_date });
  const listed = yield call("library_search", { payer, source: "contract" });
  const clause = list(listed?.sections).find(({ title }) => /schedule/i.test(text(title)))?.section;
  if (rate === undefined || clause === undefined || desk.group !== "PR")
    return yield* billPatient(desk, "service_excluded_by_plan");
  const opened = yield call("appeal_open", { claim: desk.claim.claim, channel: "payer_dispute" });
  if (opened === undefined) return { disposition: "escalated" };
  yield call("evidence_cite", { by: opened.appeal, evidence: clause });
  yield call("appeal_submit", {
    appeal: opened.appeal,
    letter: `Claim ${text(desk.claim.claim)}: the contract has a rate for this service.`,
  });
  yield call("statement_hold", { claim: desk.claim.claim });
  return { disposition: "payer_dispute", cause: "contract_covers_denied_exclusion", about: opened.appeal, waits: true };
}

function* underpaid(desk: Desk): Step<End> {
  const opened = yield call("appeal_open", { claim: desk.claim.claim, channel: "payer_dispute" });
  if (opened === undefined) return { disposition: "escalated" };
  if (desk.remit !== undefined) yield call("evidence_cite", { by: opened.appeal, evidence: desk.remit.remit });
  yield call("appeal_submit", {
    appeal: opened.appeal,
    letter: `Claim ${text(desk.claim.claim)} was paid below contract.`,
  });
  return { disposition: "underpayment_dispute", cause: "paid_below_contract", about: opened.appeal, waits: true };
}

/** One rule per reason code. */
function* follow(desk: Desk): Step<End> {
  switch (desk.carc) {
    case "197":
    case "198":
    case "210":
    case "284":
    case "296":
    case "302":
      return yield* authorization(desk);
    case "16":
    case "206":
    case "207":
    case "208":
      return yield* missingData(desk);
    case "18":
      return yield* duplicate(desk);
    case "22":
    case "24":
    case "26":
    case "27":
    case "109":
      return yield* otherCoverage(desk);
    case "227":
      return yield* waitForPatient(desk);
    case "31":
      return yield* identity(desk);
    case "29":
      return yield* timely(desk);
    case "50":
      return yield* necessity(desk);
    case "226":
    case "252":
      return yield* records(desk);
    case "97":
    case "231":
    case "234":
    case "236":
      return yield* bundling(desk);
    case "150":
    case "151":
      return yield* units(desk);
    case "45":
    case "59":
      return yield* underpaid(desk);
    case "96":
    case "204":
      return yield* excluded(desk);
    case "119":
      return yield* billPatient(desk, desk.carc === "119" ? "benefit_maximum_reached" : "service_excluded_by_plan");
    case "222":
      return yield* writeOff(desk, "contractual", "provider_limit_reached");
    case "4":
      return yield* correct(
        desk,
        [["correction_add_modifier", { line: list(desk.claim.lines)[0]?.line, modifier: "RR" }]],
        "modifier_missing_or_wrong",
      );
    case "B7":
    case "185":
      return yield* escalate(desk, "provider_enrollment");
    default:
      return desk.claim.status === "rejected" ? yield* identity(desk) : yield* escalate(desk, "billing_lead");
  }
}

export const rulesAgent = routineAgent("rules", function* (id) {
  const item = yield call("item_get", { item: id });
  if (item === undefined) return;
  const claim = yield call("claim_get", { claim: item.claim });
  if (claim === undefined) return;
  const remits = claim.remits as readonly string[];
  const remit = remits.length === 0 ? undefined : yield call("remit_get", { remit: remits[remits.length - 1] });
  const patient = (yield call("patient_get", { patient: claim.patient })) ?? {};
  const unpaid = list(remit?.lines).filter(({ paid }) => cents(paid) === 0);
  const adjustments = (unpaid.length > 0 ? unpaid : list(remit?.lines)).flatMap(({ adjustments }) => list(adjustments));
  const reason = adjustments.find(({ carc }) => !["1", "2", "3", "45"].includes(text(carc))) ?? adjustments[0];
  const remarks = [...list(remit?.remarks), ...list(remit?.lines).flatMap((line) => list(line.remarks))].map((remark) =>
    text((remark as { code?: unknown }).code ?? remark),
  );
  const denied = list(claim.lines).filter(({ line }) => unpaid.some((one) => one.line === line));
  const end = yield* follow({
    item,
    claim,
    remit,
    patient,
    carc: text(reason?.carc),
    group: text(reason?.group),
    remarks,
    denied,
  });

  const codes = (options: unknown) => list(options).map(({ code }) => text(code));
  const causes = codes(item.cause_options);
  yield call("item_set_cause", {
    item: id,
    cause: end.cause !== undefined && causes.includes(end.cause) ? end.cause : causes[0],
  });
  yield call("item_set_prevention", { item: id, prevention: codes(item.prevention_options)[0] });
  yield call("note_add", {
    item: id,
    ...(end.about === undefined ? {} : { about: end.about }),
    text: `Worked item ${id} by the usual rule.`,
  });
  if (end.waits === true) yield call("follow_up_create", { item: id });
  const offered = codes(item.disposition_options);
  yield call("item_close", { item: id, disposition: offered.includes(end.disposition) ? end.disposition : offered[0] });
});
