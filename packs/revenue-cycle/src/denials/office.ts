/** How people answer: owners to escalations, coders, physicians and patients to questions. They know the sealed truth of the item. */
import type { Row, World, WorldDefinition } from "windtunnel";
import { familyOf } from "./account.js";
import type { DenialTables } from "./world.js";

const NOT_MINE = "This is not mine to decide; please send it to whoever owns it.";
const NOTHING_TO_ADD = "The record stands as written; nothing to add.";

function answerEscalation(world: World<DenialTables>, data: Readonly<Record<string, unknown>>): void {
  const escalation = world.need("escalations", data.escalation as string);
  const truth = world.where("office_truth", { item: escalation.item })[0];
  const owner = truth?.handTo.includes(escalation.to) === true;
  world.update("escalations", escalation.id, {
    status: "answered",
    answer: owner ? truth.answer : NOT_MINE,
    approves: owner ? truth.approves : null,
  });
}

function answerQuery(world: World<DenialTables>, data: Readonly<Record<string, unknown>>): void {
  const query = world.need("queries", data.query as string);
  const family = new Set(familyOf(world, world.need("claims", query.claim)).map(({ id }) => id));
  const truth: Row<DenialTables["office_truth"]> | undefined = world
    .all("office_truth")
    .find(({ claim }) => family.has(claim));
  world.update("queries", query.id, { answer: truth?.queryTo === query.to ? truth.queryAnswer : NOTHING_TO_ADD });
}

/** Answers of the office's own people, by the event that brings them. */
export const officeReactions: WorldDefinition<DenialTables>["reactions"] = {
  answer_escalation: answerEscalation,
  answer_query: answerQuery,
};
