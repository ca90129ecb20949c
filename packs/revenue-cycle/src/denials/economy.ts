/** Steps that a case did not call for and that cost somebody time: questions in vain, drafts left lying, the same thing done twice. */
import type { Evidence } from "windtunnel";
import type { Context } from "./gates.js";
import { patientOf } from "./ownership.js";
import { claimsOf } from "./prose.js";
import type { WorkDone } from "./work-done.js";

const MANY_REFUSALS = 3;

/** Evidence of every needless step. */
export function needlessSteps(context: Context, work: WorkDone): Evidence[] {
  const { facts, timeline, after } = context;
  const rows = (table: string, list: readonly { readonly id: string }[]) => list.map(({ id }) => ({ table, id }));
  const refused = timeline.failed.filter(({ fault }) => fault === undefined);
  return [
    ...foreignCharts(context),
    ...repeated(context),
    ...(refused.length > MANY_REFUSALS ? refused.map(({ seq }) => ({ event: seq })) : []),
    ...rows(
      "queries",
      work.queries.filter(({ to }) => to !== facts.query?.to),
    ),
    ...rows("holds", facts.hold ? [] : work.holds),
    ...rows(
      "escalations",
      work.escalations.filter(({ to }, i) => i > 0 || !(facts.escalation?.to.includes(to) ?? false)),
    ),
    ...rows("retro_requests", facts.retro === null ? work.retro : askedAgain(work)),
    ...rows("corrections", after.where("corrections", { status: "draft" })),
    ...rows("appeals", after.where("appeals", { status: "draft" })),
    ...rows("retro_requests", after.where("retro_requests", { status: "draft" })),
    ...rows("citations", idleCitations(context, work)),
    ...rows("eligibility_answers", idleInquiries(context)),
  ];
}

function foreignCharts({ facts, timeline, after }: Context): Evidence[] {
  const patient = after.get("claims", facts.claim)?.patient;
  return timeline.done
    .filter(({ arguments: args }) => {
      const { patient: opened, document } = args as { patient?: string; document?: string };
      const about = opened ?? (document === undefined ? undefined : after.get("documents", document)?.patient);
      return about !== undefined && about !== patient;
    })
    .map(({ seq }) => ({ event: seq }));
}

/** Records that bother somebody, or clutter the file, when they are made twice; looking again, or setting a field again, does not. */
const ONCE = new Set([
  "notes",
  "follow_ups",
  "escalations",
  "queries",
  "disclosures",
  "refunds",
  "statements",
  "appeals",
]);

/** Calls that made the same record once more. */
function repeated({ timeline }: Context): Evidence[] {
  const made = new Set<string>();
  return timeline.done.flatMap(({ seq, tool, arguments: args, changes }) => {
    if (!changes.some(({ op, table }) => op === "insert" && ONCE.has(table))) return [];
    const call = `${tool} ${JSON.stringify(args)}`;
    if (made.has(call)) return [{ event: seq }];
    made.add(call);
    return [];
  });
}

/** Authorizations asked for once more while the first request was not refused. */
const askedAgain = ({ retro }: WorkDone) =>
  retro.filter((later, i) =>
    retro.slice(0, i).some((earlier) => earlier.claim === later.claim && earlier.status !== "refused"),
  );

/** Citations on something that was there before: no packet of this case takes them. */
function idleCitations(
  { before }: Context,
  { citations, appeals, retro, escalations, adjustments, statements }: WorkDone,
) {
  const packets = new Set([...appeals, ...retro, ...escalations, ...adjustments, ...statements].map(({ id }) => id));
  return citations.filter(({ id, by }) => before.get("citations", id) === undefined && !packets.has(by));
}

/** Eligibility asked of another patient's coverage, or for a day that none of the case's claims is about. */
function idleInquiries(context: Context) {
  const { facts, before, after } = context;
  const claims = claimsOf(context);
  const patient = after.get("claims", facts.claim)?.patient;
  const days = new Set(
    after
      .all("claims")
      .filter(({ id }) => claims.has(id))
      .map(({ serviceDate }) => serviceDate),
  );
  return after
    .all("eligibility_answers")
    .filter(
      ({ id, serviceDate, checkedOn }) =>
        before.get("eligibility_answers", id) === undefined &&
        (patientOf(after, id) !== patient || (!days.has(serviceDate) && serviceDate !== checkedOn)),
    );
}
