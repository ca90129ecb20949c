/**
 * The refund desk: a small sound environment to read, to copy, and to try checkers and agents on. Policy: a parcel back within 30 days of
 * delivery and not worn earns the full price; anything else is declined. It stands for no real shop.
 */
import { z } from "zod";
import { defineAgent } from "../core/agent.js";
import { defineCriterion, defineGate } from "../core/criterion.js";
import { type Draw, defineEnvironment } from "../core/environment.js";
import { ToolError } from "../core/fault.js";
import { date, kind, money, prose, ref } from "../core/field.js";
import type { ToolCall } from "../core/message.js";
import { defineOutcome } from "../core/outcome.js";
import { defineRubric, onlyAllowedChanges } from "../core/rubric.js";
import { defineSystem } from "../core/system.js";
import { defineTool } from "../core/tool.js";
import { met, unmet } from "../core/verdict.js";
import { defineTable, defineWorld, type World } from "../core/world.js";
import { idleAgent } from "./agents.js";

const DAY_MS = 86_400_000;
const STATUS = z.enum(["delivered", "refunded", "declined"]);

const tables = {
  orders: defineTable("ORD", {
    id: ref("orders"),
    customer: kind("customer"),
    item: z.string(),
    price: money(),
    delivered: date(),
    status: STATUS,
  }),
  returns: defineTable("RET", {
    id: ref("returns"),
    order: ref("orders"),
    received: date(),
    condition: z.enum(["damaged", "unopened", "worn"]),
  }),
  tickets: defineTable("TCK", {
    id: ref("tickets"),
    order: ref("orders"),
    text: z.string(),
    status: z.enum(["open", "closed"]),
  }),
  ledger: defineTable("LED", {
    id: ref("ledger"),
    order: ref("orders"),
    entry: z.enum(["refund", "chargeback", "wrong_refund", "complaint"]),
    amount: money(),
  }),
  truths: defineTable("TRU", { id: ref("truths"), order: ref("orders"), owed: z.boolean() }, { sealed: true }),
};
type Shop = World<typeof tables>;

/** A month on, the customer and the auditor react to what the desk did. */
function settle(world: Shop, { order }: Readonly<Record<string, unknown>>): void {
  const { id, price, status } = world.need("orders", order as string);
  const owed = world.where("truths", { order: id })[0]?.owed === true;
  if (owed && status !== "refunded") world.insert("ledger", { order: id, entry: "chargeback", amount: price });
  if (!owed && status === "refunded") world.insert("ledger", { order: id, entry: "wrong_refund", amount: price });
  if (!owed && status === "delivered") world.insert("ledger", { order: id, entry: "complaint", amount: "5.00" });
}

const world = defineWorld(tables, { settle });

function find<N extends "orders" | "tickets">(shop: Shop, table: N, id: string) {
  const row = shop.get(table, id);
  if (row === undefined) throw new ToolError("not_found", `no ${table} record has the id "${id}"`);
  return row;
}

function decide(shop: Shop, id: string, status: "refunded" | "declined") {
  const order = find(shop, "orders", id);
  if (order.status !== "delivered") throw new ToolError("already_decided", `order ${id} is ${order.status} already`);
  shop.update("orders", id, { status });
  return { order: id, status };
}

const decision = z.object({ order: ref("orders"), status: STATUS });
const tools = [
  defineTool({
    name: "get_ticket",
    description: "Reads a customer's ticket.",
    effect: "read",
    input: z.object({ ticket: ref("tickets") }),
    output: z.object(tables.tickets.fields),
    handle: (shop: Shop, { ticket }) => find(shop, "tickets", ticket),
  }),
  defineTool({
    name: "get_order",
    description: "Reads an order and what the warehouse received back.",
    effect: "read",
    input: z.object({ order: ref("orders") }),
    output: z.object({ order: z.object(tables.orders.fields), returns: z.array(z.object(tables.returns.fields)) }),
    handle: (shop: Shop, { order }) => ({
      order: find(shop, "orders", order),
      returns: [...shop.where("returns", { order })],
    }),
  }),
  defineTool({
    name: "refund_order",
    description: "Pays the price of an order back. It cannot be undone.",
    effect: "write",
    input: z.object({ order: ref("orders"), amount: money() }),
    output: decision,
    handle(shop: Shop, { order, amount }) {
      if (amount !== find(shop, "orders", order).price)
        throw new ToolError("wrong_amount", "only the full price can be paid back");
      const decided = decide(shop, order, "refunded");
      shop.insert("ledger", { order, entry: "refund", amount });
      return decided;
    },
  }),
  defineTool({
    name: "decline_refund",
    description: "Declines a refund and tells the customer why.",
    effect: "write",
    input: z.object({ order: ref("orders"), reason: prose() }),
    output: decision,
    handle: (shop: Shop, { order }) => decide(shop, order, "declined"),
  }),
  defineTool({
    name: "close_ticket",
    description: "Closes the ticket and ends the work.",
    effect: "write",
    input: z.object({ ticket: ref("tickets") }),
    output: z.object(tables.tickets.fields),
    handle(shop: Shop, { ticket }, context) {
      find(shop, "tickets", ticket);
      context.finish();
      return shop.update("tickets", ticket, { status: "closed" });
    },
  }),
];

interface Facts {
  readonly ticket: string;
  readonly order: string;
  readonly price: string;
  readonly decision: "refunded" | "declined";
}

const ITEMS = ["kettle", "lamp", "jacket", "backpack", "radio", "tent", "camera", "blender"];
const NAMES = [
  "Amara Osei",
  "Jonas Lindt",
  "Mei Tanaka",
  "Rafael Cruz",
  "Nadia Haddad",
  "Owen Price",
  "Ivana Novak",
  "Samir Rao",
];
const START = Date.UTC(2026, 2, 2, 9);
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function generate(shop: Shop, { random }: Draw) {
  const late = random.chance(0.3);
  const condition = random.weighted({ damaged: 2, unopened: 2, worn: 1 });
  const owed = !late && condition !== "worn";
  const backMs = START - random.int(1, 9) * DAY_MS;
  const item = random.pick(ITEMS);
  const price = `${random.int(15, 480)}.${random.int(10, 99)}`;
  const delivered = day(backMs - (late ? random.int(31, 60) : random.int(2, 29)) * DAY_MS);
  const { id: order } = shop.insert("orders", {
    customer: random.pick(NAMES),
    item,
    price,
    delivered,
    status: "delivered",
  });
  shop.insert("returns", { order, received: day(backMs), condition });
  const { id: ticket } = shop.insert("tickets", {
    order,
    text: `I sent the ${item} back. Where is my money?`,
    status: "open",
  });
  shop.insert("truths", { order, owed });
  shop.schedule(START + 30 * DAY_MS, "settle", { order });
  const facts: Facts = { ticket, order, price, decision: owed ? "refunded" : "declined" };
  return {
    prompt: `Work ticket ${ticket}.`,
    family: "refunds",
    archetype: owed ? "owed" : late ? "late" : "worn",
    facts,
  };
}

const DECISIONS = ["refund_order", "decline_refund"];
const rubric = defineRubric<typeof tables, Facts>({
  gates: [
    defineGate({
      name: "no_wrong_refund",
      description: "No money is paid that is not owed.",
      check: ({ facts, after }) => {
        const paid = after.where("ledger", { entry: "refund" });
        const evidence = paid.map(({ id }) => ({ table: "ledger", id }));
        return paid.length === 0 || facts.decision === "refunded"
          ? met("nothing wrongly paid", evidence)
          : unmet("paid what was not owed", evidence);
      },
    }),
    defineGate({
      name: "nothing_else_touched",
      description: "Only the ticket's own records change.",
      check: ({ facts, changes }) =>
        onlyAllowedChanges(changes, [
          { table: "orders", ids: [facts.order], fields: ["status"] },
          { table: "tickets", ids: [facts.ticket], fields: ["status"] },
          { table: "ledger", op: "insert" },
        ]),
    }),
  ],
  criteria: [
    defineCriterion({
      name: "right_decision",
      description: "The order is refunded or declined as the policy says.",
      points: 60,
      critical: true,
      check: ({ facts, after }) => {
        const { id, status } = after.need("orders", facts.order);
        const evidence = [{ table: "orders", id, field: "status" }];
        return status === facts.decision
          ? met(`order is ${status}`, evidence)
          : unmet(`order is ${status}, not ${facts.decision}`, evidence);
      },
    }),
    defineCriterion({
      name: "looked_first",
      description: "The order was read before it was decided.",
      points: 20,
      after: ["right_decision"],
      check: ({ timeline }) =>
        timeline.onlyIfEarlier(
          (call) => DECISIONS.includes(call.tool),
          "get_order",
          "the order was read before the decision",
        ),
    }),
    defineCriterion({
      name: "ticket_closed",
      description: "The ticket was closed once the order was decided.",
      points: 20,
      after: ["right_decision"],
      check: ({ timeline }) =>
        timeline.inOrder((call) => DECISIONS.includes(call.tool), "close_ticket", "decision, then closing"),
    }),
  ],
});

const outcome = defineOutcome<typeof tables>({
  unit: "USD",
  horizonMs: 31 * DAY_MS,
  read(end) {
    const losses = end.all("ledger").filter(({ entry }) => entry !== "refund");
    const parts = Object.fromEntries(losses.map(({ id, amount }) => [id, -Number(amount)]));
    return {
      value: losses.reduce((sum, { amount }) => sum - Number(amount), 0),
      parts,
      acceptable: losses.length === 0,
    };
  },
});

/** Reads the ticket and the order, then does the same to every order. */
const always = (name: string, decide: (order: string, price: string) => ToolCall) =>
  defineAgent({
    name,
    open() {
      let turn = 0;
      return ({ messages }) => {
        const last = messages.at(-1);
        const seen =
          last?.role === "tool" && last.ok
            ? (last.value as { order: string & { id: string; price: string } }).order
            : undefined;
        turn++;
        if (turn === 1 && last?.role === "user")
          return { calls: [{ tool: "get_ticket", arguments: { ticket: last.text.slice(12, -1) } }] };
        if (turn === 2 && seen !== undefined) return { calls: [{ tool: "get_order", arguments: { order: seen } }] };
        if (turn === 3 && seen !== undefined) return { calls: [decide(seen.id, seen.price)] };
        return {};
      };
    },
  });

/** A sound environment of one family of tasks: `checkEnvironment` passes it. */
export const exampleEnvironment = defineEnvironment<typeof tables, Facts>({
  name: "refund-desk",
  version: "1",
  description: "A shop's refund desk: read the ticket, look at the order, pay back or decline, close.",
  world,
  systems: [defineSystem({ name: "shop", title: "Shop back office", tools })],
  startAt: START,
  limits: { turns: 12, toolCalls: 24 },
  instructions:
    "You work a refund desk. Refund the full price when the parcel came back within 30 days of delivery and is not worn; decline otherwise. Then close the ticket.",
  generate,
  rubric,
  outcome,
  reference: ({ facts: { ticket, order, price, decision } }) => {
    const steps = [
      { tool: "get_ticket", arguments: { ticket } },
      { tool: "get_order", arguments: { order } },
      decision === "refunded"
        ? { tool: "refund_order", arguments: { order, amount: price } }
        : { tool: "decline_refund", arguments: { order, reason: "Outside the return policy." } },
      { tool: "close_ticket", arguments: { ticket } },
    ];
    let next = 0;
    return () => ({ calls: steps.slice(next, ++next) });
  },
  baselines: [
    idleAgent,
    always("refund-all", (order, amount) => ({ tool: "refund_order", arguments: { order, amount } })),
    always("decline-all", (order) => ({ tool: "decline_refund", arguments: { order, reason: "No." } })),
  ],
});
