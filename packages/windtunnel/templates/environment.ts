/** A refund desk: a customer says a parcel never came. Look the order up; pay its price if it was lost, nothing if it was delivered. */
import * as w from "windtunnel";
import { z } from "zod";

const tables = {
  orders: w.defineTable("ORD", { id: w.ref("orders"), item: z.string(), price: w.money(), lost: z.boolean() }),
  tickets: w.defineTable("TIC", { id: w.ref("tickets"), order: w.ref("orders"), open: z.boolean(), paid: w.money() }),
};
type Desk = w.World<typeof tables>;
type Facts = { ticket: string; order: string; due: string };

const missing = (id: string): never => { throw new w.ToolError("not_found", `there is no ${id}`); };
const ticketGet = w.defineTool({
  name: "ticket_get", effect: "read", description: "The customer's request: the order it is about, and whether it is open.",
  input: z.object({ ticket: w.ref("tickets") }), output: z.object(tables.tickets.fields),
  handle: (world: Desk, { ticket }) => world.get("tickets", ticket) ?? missing(ticket),
});
const orderGet = w.defineTool({
  name: "order_get", effect: "read", description: "What was bought, at what price, and whether the carrier lost it.",
  input: z.object({ order: w.ref("orders") }), output: z.object(tables.orders.fields),
  handle: (world: Desk, { order }) => world.get("orders", order) ?? missing(order),
});
const ticketClose = w.defineTool({
  name: "ticket_close", effect: "write", description: "Closes a request and pays the customer; 0.00 declines it.",
  input: z.object({ ticket: w.ref("tickets"), pay: w.money() }), output: z.object(tables.tickets.fields),
  handle(world: Desk, { ticket, pay }, context) {
    const { id } = world.get("tickets", ticket) ?? missing(ticket);
    context.finish();
    return world.update("tickets", id, { open: false, paid: pay });
  },
});

const rubric = w.defineRubric<typeof tables, Facts>({
  gates: [w.defineGate({ name: "never_overpay", description: "Pays no more than is due.", check: ({ after, facts }) =>
    Number(after.need("tickets", facts.ticket).paid) > Number(facts.due) ? w.unmet("overpaid", [paid(facts)]) : w.met("not overpaid") })],
  criteria: [
    w.defineCriterion({ name: "closed", description: "Closes the request.", points: 20, critical: true, check: ({ after, facts }) =>
      after.need("tickets", facts.ticket).open ? w.unmet("still open") : w.met("closed", [{ ...paid(facts), field: "open" }]) }),
    w.defineCriterion({ name: "looked_first", description: "Reads the order, then decides.", points: 30, check: ({ timeline }) =>
      timeline.inOrder("order_get", "ticket_close", "read the order, then decided") }),
    w.defineCriterion({ name: "exact", description: "Pays what is due.", points: 50, critical: true, after: ["closed", "looked_first"], check: ({ after, facts }) =>
      w.scored(after.need("tickets", facts.ticket).paid === facts.due ? 1 : 0, `${facts.due} was due`, [paid(facts)]) }),
  ],
});
const paid = (facts: Facts) => ({ table: "tickets", id: facts.ticket, field: "paid" });

export const environment = w.defineEnvironment<typeof tables, Facts>({
  name: "{{name}}", version: "1", description: "Refund requests for parcels that may or may not have come.",
  world: w.defineWorld(tables), startAt: Date.UTC(2026, 0, 5, 9), limits: { turns: 8 }, rubric,
  systems: [w.defineSystem({ name: "desk", title: "Refund desk", tools: [ticketGet, orderGet, ticketClose] })],
  instructions: "You settle refund requests. A parcel the carrier lost is paid back at its price; a delivered one is declined.",
  generate(world, { random }) {
    const item = random.pick(["kettle", "lamp", "rain coat", "desk fan"]);
    const order = world.insert("orders", { item, price: `${random.int(10, 90)}.${random.int(10, 99)}`, lost: random.chance(0.5) });
    const ticket = world.insert("tickets", { order: order.id, open: true, paid: "0.00" });
    return {
      prompt: `Ticket ${ticket.id}: "My ${item} never arrived and I want my money back."`,
      archetype: order.lost ? "lost" : "delivered", family: "refund",
      facts: { ticket: ticket.id, order: order.id, due: order.lost ? order.price : "0.00" },
    };
  },
  outcome: w.defineOutcome({ // what it costs the shop: money paid without need, and 100 for a customer who was not made good
    unit: "USD", horizonMs: 0, read(end) {
      const [ticket] = end.all("tickets");
      const order = end.need("orders", ticket!.order);
      const over = Number(ticket!.paid) - (order.lost ? Number(order.price) : 0);
      const parts = { overpaid: -Math.max(0, over), customerLost: over < 0 ? -100 : 0, leftOpen: ticket!.open ? -5 : 0 };
      return { value: parts.overpaid + parts.customerLost + parts.leftOpen, parts, acceptable: over === 0 && !ticket!.open };
    },
  }),
  reference: ({ facts: { ticket, order, due } }, context) => w.scriptedAgent("reference", [
    { calls: [{ tool: "ticket_get", arguments: { ticket } }] },
    { calls: [{ tool: "order_get", arguments: { order } }] },
    { calls: [{ tool: "ticket_close", arguments: { ticket, pay: due } }] },
  ]).open(context),
  baselines: [w.scriptedAgent("idle", []), w.defineAgent({ name: "decline-all", open: ({ task }) => () =>
    ({ calls: [{ tool: "ticket_close", arguments: { ticket: /TIC-\d+/.exec(task.prompt)?.[0], pay: "0.00" } }] }) })],
});
