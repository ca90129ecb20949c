/**
 * How payers answer what is sent to them about a claim: corrected claims, appeals, records and requests for authorization. They decide by the
 * sealed truth and are never wrong here; mistakes of payers are in what the office starts from. Money is moved by payer-money.
 */
import type { Row, World, WorldDefinition } from "windtunnel";
import { PAYERS } from "../reference/payers.js";
import { familyOf, linesOf } from "./account.js";
import { dateOf } from "./calendar.js";
import { answeredOn } from "./clock.js";
import { acknowledgmentFile } from "./edi-files.js";
import { contentOf, type Reason, whatIsWrong } from "./payable-content.js";
import { deny, isSettled, reasonBefore, settle } from "./payer-money.js";
import type { DenialTables } from "./world.js";

type Office = World<DenialTables>;
type Claim = Row<DenialTables["claims"]>;
type Truth = Row<DenialTables["payer_truth"]>;
type Pays = NonNullable<Truth["pays"]>;
type Data = Readonly<Record<string, unknown>>;

const today = (world: Office) => dateOf(world.now);

/** What is true of a claim's family: one row for each version of the claim that would be paid. */
function truthsOf(world: Office, claim: Claim): readonly Truth[] {
  const family = new Set(familyOf(world, claim).map(({ id }) => id));
  return world.all("payer_truth").filter((truth) => family.has(truth.claim));
}

/** The one answer of a kind that the family has, or null. */
function truthOf<K extends "overturns" | "records" | "retro">(world: Office, claim: Claim, what: K): Truth[K] | null {
  return truthsOf(world, claim).find((truth) => truth[what] !== null)?.[what] ?? null;
}

const DUPLICATE = { reason: { group: "OA", carc: "18", remarks: [] } } as const;
const UNPROCESSABLE: Reason = { group: "CO", carc: "16", remarks: ["MA130"] };

const AWAITING: ReadonlySet<Claim["status"]> = new Set(["submitted", "accepted", "pended"]);

/** An earlier correction of the same service that the payer has not decided yet. */
function openBefore(world: Office, claim: Claim): boolean {
  const family = familyOf(world, claim);
  return family
    .slice(
      0,
      family.findIndex(({ id }) => id === claim.id),
    )
    .some((other) => other.corrects !== null && AWAITING.has(other.status));
}

/** The version of the claim that would be paid and that this one matches, by channel and date as well; or why none does. */
function payableAs(world: Office, claim: Claim): { pays: Pays } | { reason: Reason | null } {
  const versions = truthsOf(world, claim).flatMap(({ pays }) => (pays === null ? [] : [pays]));
  const content = contentOf(claim, linesOf(world, claim.id));
  const right = versions.filter((pays) => whatIsWrong(content, pays) === null && isGranted(world, pays));
  const pays = right.find(
    ({ channels, by }) => claim.channel !== null && channels.includes(claim.channel) && claim.submittedOn <= by,
  );
  if (pays !== undefined) return { pays };
  if (versions.length === 0) return { reason: null };
  if (right.length === 0)
    return { reason: whatIsWrong(content, versions[0]!) ?? { group: "CO", carc: "197", remarks: [] } };
  if (right.every(({ by }) => claim.submittedOn > by)) return { reason: { group: "CO", carc: "29", remarks: [] } };
  // Right in substance and sent by a way that this payer does not take: a second first-time claim, or a replacement of nothing.
  return claim.channel === "new_claim" ? DUPLICATE : { reason: UNPROCESSABLE };
}

/** A number that only a retrospective authorization gives counts once it was given. */
function isGranted(world: Office, { authorization }: Pays): boolean {
  const promised = world.all("payer_truth").some(({ retro }) => retro !== null && retro.number === authorization);
  return !promised || world.all("authorizations").some(({ number }) => number === authorization);
}

function takesReplacements(payer: string): boolean {
  const rules = PAYERS.find(payer)?.correctionChannel;
  return rules === undefined || Object.values(rules).some(({ channel }) => channel === "replacement_claim");
}

function acknowledgeClaim(world: Office, { claim: id }: Data): void {
  const claim = world.need("claims", id as string);
  const known =
    world.where("members", { payer: claim.payer, memberId: claim.memberId }).length > 0 ||
    "pays" in payableAs(world, claim);
  const refusal = !known
    ? { category: "A7", meaning: "rejected: subscriber and subscriber id not found" }
    : claim.frequency === "7" && !takesReplacements(claim.payer)
      ? { category: "A7", meaning: "rejected: this payer takes no replacement claims (frequency 7)" }
      : null;
  const answer = refusal ?? { category: "A2", meaning: "accepted by the payer for adjudication" };
  const numbered =
    refusal === null
      ? world.update("claims", claim.id, { status: "accepted", payerClaimNumber: payerClaimNumber(world, claim.id) })
      : world.update("claims", claim.id, { status: "rejected" });
  const row = { source: "277CA" as const, receivedOn: today(world), ...answer };
  world.insert("acknowledgments", { claim: claim.id, ...row, file: acknowledgmentFile(world, row, numbered) });
  if (refusal === null)
    world.schedule(answeredOn(world, claim.payer, "correction", claim.id), "adjudicate_claim", { claim: claim.id });
}

function payerClaimNumber(world: Office, claim: string): string {
  const random = world.random(`payer-claim-number/${claim}`);
  return `P${Array.from({ length: 11 }, () => random.int(0, 9)).join("")}`;
}

function adjudicateClaim(world: Office, { claim: id }: Data): void {
  const claim = world.need("claims", id as string);
  const source = claim.corrects === null ? null : world.need("claims", claim.corrects);
  const decision = isSettled(world, claim) || openBefore(world, claim) ? DUPLICATE : payableAs(world, claim);
  if ("pays" in decision) {
    settle(world, claim, decision.pays, claim.channel === "new_claim" ? null : source);
  } else {
    const before = source === null ? undefined : reasonBefore(world, source);
    deny(world, claim, decision.reason ?? before ?? UNPROCESSABLE);
  }
}

const citedBy = (world: Office, by: string) =>
  new Set(world.where("citations", { by }).map(({ evidence }) => evidence));

function decideAppeal(world: Office, { appeal: id }: Data): void {
  const appeal = world.need("appeals", id as string);
  const claim = world.need("claims", appeal.claim);
  const overturns = truthOf(world, claim, "overturns");
  const cited = citedBy(world, appeal.id);
  const heard =
    overturns?.channels.includes(appeal.channel) === true && appeal.sentOn !== null && appeal.sentOn <= overturns.by;
  if (isSettled(world, claim)) {
    world.update("appeals", appeal.id, { status: "dismissed" });
    write(
      world,
      claim,
      "Appeal dismissed",
      `The claim ${claim.controlNumber} has been paid since; there is nothing left to decide.`,
    );
  } else if (overturns !== null && heard && overturns.evidence.every((one) => cited.has(one))) {
    world.update("appeals", appeal.id, { status: "overturned" });
    settle(world, claim, overturns, claim);
    write(
      world,
      claim,
      "Appeal decided in your favour",
      `The denial of claim ${claim.controlNumber} is overturned; payment follows.`,
    );
  } else if (heard) {
    world.update("appeals", appeal.id, { status: "upheld" });
    write(
      world,
      claim,
      "Denial upheld",
      `What was submitted for claim ${claim.controlNumber} does not change the decision.`,
    );
  } else {
    world.update("appeals", appeal.id, { status: "dismissed" });
    write(
      world,
      claim,
      "Dispute dismissed",
      `The dispute of claim ${claim.controlNumber} is not one that we hear in this form or at this time.`,
    );
  }
}

function openRecords(world: Office, { request: id }: Data): void {
  const request = world.need("record_requests", id as string);
  if (request.status === "answered") return;
  const claim = world.need("claims", request.claim);
  const wanted = truthOf(world, claim, "records");
  const inTime = new Set(
    world
      .where("disclosures", { request: request.id })
      .filter(({ on }) => wanted === null || on <= wanted.by)
      .map(({ page }) => page),
  );
  if (wanted !== null && wanted.request === request.id && wanted.pages.every((page) => inTime.has(page))) {
    world.update("record_requests", request.id, { status: "answered" });
    world.schedule(answeredOn(world, request.payer, "records_review", request.id), "decide_records", {
      request: request.id,
    });
  } else {
    write(
      world,
      claim,
      "Records received",
      `We have opened what you sent for claim ${claim.controlNumber}. It is not all that we asked for in time.`,
    );
  }
}

function decideRecords(world: Office, { request: id }: Data): void {
  const claim = world.need("claims", world.need("record_requests", id as string).claim);
  const wanted = truthOf(world, claim, "records");
  if (wanted !== null && !isSettled(world, claim)) settle(world, claim, wanted, claim);
}

function decideRetroRequest(world: Office, { retro_request: id }: Data): void {
  const request = world.need("retro_requests", id as string);
  const claim = world.need("claims", request.claim);
  const grants = truthOf(world, claim, "retro");
  const cited = citedBy(world, request.id);
  if (
    grants === null ||
    request.sentOn === null ||
    request.sentOn > grants.by ||
    !grants.evidence.every((one) => cited.has(one))
  ) {
    world.update("retro_requests", request.id, { status: "refused" });
    write(
      world,
      claim,
      "Authorization refused",
      `The request for authorization after the service on claim ${claim.controlNumber} is refused.`,
    );
    return;
  }
  const lines = linesOf(world, claim.id);
  const known = world.where("authorizations", { patient: claim.patient, number: grants.number })[0];
  const authorization =
    known ??
    world.insert("authorizations", {
      patient: claim.patient,
      payer: claim.payer,
      number: grants.number,
      hcpcs: [...new Set(lines.map(({ hcpcs }) => hcpcs))],
      from: claim.serviceDate,
      to: claim.serviceDate,
      units: String(lines.reduce((sum, { units }) => sum + Number(units), 0)),
      providerNpi: claim.renderingNpi ?? claim.billingNpi,
      status: "approved",
    });
  world.update("retro_requests", request.id, { status: "approved", authorization: authorization.id });
  write(
    world,
    claim,
    "Authorization granted",
    `Authorization ${grants.number} covers the services of claim ${claim.controlNumber}.`,
  );
}

function write(world: Office, claim: Claim, subject: string, text: string): void {
  world.insert("letters", {
    patient: claim.patient,
    claim: claim.id,
    from: world.need("payers", claim.payer).name,
    channel: "letter",
    date: today(world),
    subject,
    text,
  });
}

/** Answers of payers, by the event that brings them. */
export const payerReactions: WorldDefinition<DenialTables>["reactions"] = {
  acknowledge_claim: acknowledgeClaim,
  adjudicate_claim: adjudicateClaim,
  decide_appeal: decideAppeal,
  open_records: openRecords,
  decide_records: decideRecords,
  decide_retro_request: decideRetroRequest,
};
