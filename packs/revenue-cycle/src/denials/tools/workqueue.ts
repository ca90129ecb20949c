/** The work queue: the item, what is decided about it, what was written down, and time passing. Closing an item checks its form, never its truth. */
import { date, defineSystem, kind, prose, ref, refToAny, ToolError } from "windtunnel";
import { z } from "zod";
import { ESCALATION_OWNERS } from "../../reference/authority.js";
import { DISPOSITIONS } from "../../reference/dispositions.js";
import { PREVENTIONS } from "../../reference/prevention.js";
import { ROOT_CAUSES } from "../../reference/root-causes.js";
import { addDays, DAY_MS, dateOf, msOf } from "../calendar.js";
import { morningAfter } from "../clock.js";
import type { DenialTables } from "../world.js";
import { denialTool, found, foundAmong, type Office, today } from "./denial-tool.js";
import { newsSchema, newsSince, takeStock } from "./news.js";
import { recordOf } from "./record.js";

const itemRecord = recordOf("items", "item", ["causes", "dispositions", "preventions"]);
const noteRecord = recordOf("notes", "note", ["item"]);
const followUpRecord = recordOf("follow_ups", "follow_up", ["item"]);
const escalationRecord = recordOf("escalations", "escalation", ["item", "summary"]);

/** What a note can be about. */
const SUBJECTS = [
  "appeals",
  "corrections",
  "claims",
  "record_requests",
  "statements",
  "escalations",
  "retro_requests",
  "refunds",
  "holds",
  "queries",
  "ledger",
] as const;
const IN_DAYS = { "7_days": 7, "14_days": 14, "30_days": 30, "45_days": 45 } as const;

const option = (name: string) => z.object({ code: kind(name), label: z.string() });
const label = (table: { find(key: string): { readonly label: string } | undefined }) => (code: string) => ({
  code,
  label: table.find(code)?.label ?? code.replaceAll("_", " "),
});

function openItem(world: Office, id: string) {
  const item = found(world, "items", id);
  if (item.status === "closed")
    throw new ToolError("item_closed", `item ${id} was closed on ${item.closedOn}; it takes no more decisions`, {
      item: id,
    });
  return item;
}

function chosen(value: string, from: readonly string[], what: string): string {
  if (!from.includes(value))
    throw new ToolError("not_an_option", `"${value}" is not one of this item's ${what}: ${from.join(", ")}`, {
      value,
      options: from,
    });
  return value;
}

const itemGet = denialTool({
  name: "item_get",
  description:
    "Opens a work item: its claim, amount and headline, the causes, dispositions and preventions to choose from, what has been chosen, and its notes, follow-ups, escalations with their answers. Also says what day it is.",
  effect: "read",
  input: z.object({ item: ref("items") }),
  output: z.object({
    today: date(),
    ...itemRecord.fields,
    cause_options: z.array(option("root_cause")),
    disposition_options: z.array(option("disposition")),
    prevention_options: z.array(option("prevention")),
    notes: z.array(noteRecord.schema),
    follow_ups: z.array(followUpRecord.schema),
    escalations: z.array(escalationRecord.schema),
  }),
  handle(world, { item: id }) {
    const item = found(world, "items", id);
    return {
      today: today(world),
      ...itemRecord.view(item),
      cause_options: item.causes.map(label(ROOT_CAUSES)),
      disposition_options: item.dispositions.map(label(DISPOSITIONS)),
      prevention_options: item.preventions.map(label(PREVENTIONS)),
      notes: world.where("notes", { item: id }).map(noteRecord.view),
      follow_ups: world.where("follow_ups", { item: id }).map(followUpRecord.view),
      escalations: world.where("escalations", { item: id }).map(escalationRecord.view),
    };
  },
});

const itemSetCause = denialTool({
  name: "item_set_cause",
  description:
    "Records the root cause of the denial, one of the item's cause options. It can be changed until the item is closed.",
  effect: "write",
  input: z.object({ item: ref("items"), cause: kind("root_cause") }),
  output: z.object({ item: ref("items"), cause: kind("root_cause") }),
  handle(world, { item: id, cause }) {
    const item = openItem(world, id);
    world.update("items", id, { cause: chosen(cause, item.causes, "causes") });
    return { item: id, cause };
  },
});

const itemSetPrevention = denialTool({
  name: "item_set_prevention",
  description:
    "Records what would have kept the denial from happening, one of the item's prevention options. It can be changed until the item is closed.",
  effect: "write",
  input: z.object({ item: ref("items"), prevention: kind("prevention") }),
  output: z.object({ item: ref("items"), prevention: kind("prevention") }),
  handle(world, { item: id, prevention }) {
    const item = openItem(world, id);
    world.update("items", id, { prevention: chosen(prevention, item.preventions, "preventions") });
    return { item: id, prevention };
  },
});

const itemClose = denialTool({
  name: "item_close",
  description:
    "Closes the work item with a disposition, one of its disposition options. Irreversible: do what the disposition says first, set the cause, then close. Refused while no cause is set.",
  effect: "write",
  input: z.object({ item: ref("items"), disposition: kind("disposition") }),
  output: z.object({ item: ref("items"), disposition: kind("disposition"), closed_on: date() }),
  handle(world, { item: id, disposition }) {
    const item = openItem(world, id);
    if (item.cause === null)
      throw new ToolError("cause_missing", `item ${id} has no cause; set one with item_set_cause before closing`, {
        item: id,
      });
    const closedOn = today(world);
    world.update("items", id, {
      disposition: chosen(disposition, item.dispositions, "dispositions"),
      status: "closed",
      closedOn,
    });
    return { item: id, disposition, closed_on: closedOn };
  },
});

const noteAdd = denialTool({
  name: "note_add",
  description:
    "Adds a note to the item, about one record when `about` names it (a claim, correction, appeal, statement, ledger entry and so on). Notes stay; the note id is returned.",
  effect: "write",
  input: z.object({ item: ref("items"), about: refToAny([...SUBJECTS]).optional(), text: prose() }),
  output: z.object({ note: ref("notes"), item: ref("items"), on: date() }),
  handle(world, { item, about, text }) {
    found(world, "items", item);
    if (about !== undefined) foundAmong(world, SUBJECTS, about);
    const note = world.insert("notes", { item, about: about ?? null, text, on: today(world) });
    return { note: note.id, item, on: note.on };
  },
});

const followUpCreate = denialTool({
  name: "follow_up_create",
  description:
    "Sets a dated follow-up on the item, for work that waits for an answer; in 30 days unless another time is given. Returns its id and due date.",
  effect: "write",
  input: z.object({ item: ref("items"), in: z.enum(["7_days", "14_days", "30_days", "45_days"]).optional() }),
  output: z.object({ follow_up: ref("follow_ups"), item: ref("items"), due_on: date() }),
  handle(world, { item, in: days = "30_days" }) {
    found(world, "items", item);
    const row = world.insert("follow_ups", { item, dueOn: addDays(today(world), IN_DAYS[days]) });
    return { follow_up: row.id, item, due_on: row.dueOn };
  },
});

const escalate = denialTool({
  name: "escalate",
  description:
    "Hands the item to a person who may decide what the biller may not, with a summary. Cite supporting records on the returned escalation with evidence_cite. The owner answers in about a day; the answer shows in item_get.",
  effect: "write",
  input: z.object({ item: ref("items"), to: z.enum(ESCALATION_OWNERS), summary: prose() }),
  output: z.object({ escalation: ref("escalations"), item: ref("items"), to: z.enum(ESCALATION_OWNERS), on: date() }),
  handle(world, { item, to, summary }) {
    openItem(world, item);
    const on = today(world);
    const row = world.insert("escalations", { item, to, summary, on, status: "sent", answer: "", approves: null });
    world.schedule(morningAfter(world, 1), "answer_escalation", { escalation: row.id });
    return { escalation: row.id, item, to, on };
  },
});

const wait = denialTool({
  name: "wait",
  description:
    "Lets time pass: until the next answer from outside arrives, until tomorrow, or for a week. Returns the date reached and what happened on the way, with the ids of new records. Clocks of payers run on meanwhile.",
  effect: "write",
  input: z.object({ until: z.enum(["next_event", "tomorrow", "next_week"]) }),
  output: z.object({ now: date(), happened: z.array(newsSchema) }),
  handle(world, { until }) {
    const stock = takeStock(world);
    const next = world.nextEventAt;
    if (until === "next_event" && next === undefined)
      throw new ToolError("nothing_pending", "nobody owes an answer: no event is pending");
    world.advanceTo(
      until === "next_event"
        ? Math.max(next!, world.now)
        : msOf(today(world)) + (until === "tomorrow" ? 1 : 7) * DAY_MS + 8 * HOUR_MS,
    );
    return { now: dateOf(world.now), happened: newsSince(world, stock) };
  },
});

const HOUR_MS = 3_600_000;

export const workqueue = defineSystem<DenialTables>({
  name: "workqueue",
  title: "Work queue",
  tools: [itemGet, itemSetCause, itemSetPrevention, itemClose, noteAdd, followUpCreate, escalate, wait],
});
