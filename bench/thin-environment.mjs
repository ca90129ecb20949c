/**
 * The environment that throughput is measured on: handlers that do next to nothing, so that what is measured is the product around them.
 * A world of 300 rows in 3 tables, 14 calls by a scripted agent, a trace of about 11 KB.
 */
import {
  defineAgent,
  defineCriterion,
  defineEnvironment,
  defineGate,
  defineOutcome,
  defineRubric,
  defineSystem,
  defineTable,
  defineTool,
  defineWorld,
  met,
  onlyAllowedChanges,
  ref,
  ToolError,
  unmet,
} from "windtunnel";
import { z } from "zod";

const ORDERS = 60;
const LINES_PER_ORDER = 3;
const ITEMS = 60;
const WORKED = 4;

const tables = {
  orders: defineTable("ORD", {
    id: ref("orders"),
    customer: z.string(),
    city: z.string(),
    status: z.enum(["open", "picked", "shipped", "held"]),
    note: z.string(),
  }),
  lines: defineTable("LIN", {
    id: ref("lines"),
    order: ref("orders"),
    item: ref("items"),
    quantity: z.int(),
    picked: z.boolean(),
  }),
  items: defineTable("ITM", { id: ref("items"), name: z.string(), shelf: z.string(), stock: z.int() }),
};

function find(world, table, id) {
  const row = world.get(table, id);
  if (row === undefined) throw new ToolError("not_found", `there is no "${id}" in ${table}`);
  return row;
}

const tools = [
  defineTool({
    name: "get_order",
    description: "Reads an order.",
    effect: "read",
    input: z.object({ order: ref("orders") }),
    output: z.object(tables.orders.fields),
    handle: (world, { order }) => find(world, "orders", order),
  }),
  defineTool({
    name: "list_lines",
    description: "Lists the lines of an order.",
    effect: "read",
    input: z.object({ order: ref("orders") }),
    output: z.array(z.object(tables.lines.fields)),
    handle: (world, { order }) => world.where("lines", { order }),
  }),
  defineTool({
    name: "set_status",
    description: "Sets the status of an order.",
    effect: "write",
    input: z.object({ order: ref("orders"), status: z.enum(["open", "picked", "shipped", "held"]) }),
    output: z.object(tables.orders.fields),
    handle: (world, { order, status }) => world.update("orders", order, { status }),
  }),
  defineTool({
    name: "finish_shift",
    description: "Ends the work.",
    effect: "write",
    input: z.object({}),
    output: z.object({ done: z.boolean() }),
    handle(_world, _args, context) {
      context.finish();
      return { done: true };
    },
  }),
];

const NAMES = ["Osei", "Lindt", "Tanaka", "Cruz", "Haddad", "Price", "Novak", "Rao"];
const CITIES = ["Accra", "Bergen", "Cusco", "Daegu", "Eindhoven", "Fukuoka"];

function generate(world, { random, index }) {
  const items = Array.from({ length: ITEMS }, (_, i) =>
    world.insert("items", { name: `part number ${i}`, shelf: `A${i % 12}-${i}`, stock: random.int(1, 90) }),
  );
  const orders = [];
  for (let i = 0; i < ORDERS; i++) {
    const order = world.insert("orders", {
      customer: random.pick(NAMES),
      city: random.pick(CITIES),
      status: "open",
      note: "Leave at the gate when nobody answers; call an hour before delivery and ask for the depot key, which the night guard keeps; no delivery on Sundays.",
    });
    orders.push(order.id);
    for (let line = 0; line < LINES_PER_ORDER; line++) {
      const item = items[(i * LINES_PER_ORDER + line) % ITEMS].id;
      world.insert("lines", { order: order.id, item, quantity: random.int(1, 9), picked: false });
    }
  }
  const wanted = orders.slice(0, WORKED);
  return {
    prompt: `Ship orders ${wanted.join(", ")}, then finish the shift.`,
    family: "shipping",
    archetype: index % 2 === 0 ? "even" : "odd",
    facts: { orders: wanted },
  };
}

/** The four orders of the task, read and shipped, and a last look: 14 calls with finish_shift. */
function plan(orders) {
  const calls = orders.flatMap((order) => [
    { tool: "get_order", arguments: { order } },
    { tool: "list_lines", arguments: { order } },
    { tool: "set_status", arguments: { order, status: "shipped" } },
  ]);
  return [...calls, { tool: "get_order", arguments: { order: orders[0] } }, { tool: "finish_shift", arguments: {} }];
}

function play(orders) {
  const calls = plan(orders);
  let next = 0;
  return () => {
    const call = calls[next++];
    return call === undefined
      ? {}
      : {
          text: `Next I call ${call.tool}: the task asks for these orders to be shipped, each read first, and nothing else touched on the way. What I know so far agrees with the order.`,
          calls: [call],
        };
  };
}

export const environment = defineEnvironment({
  name: "thin-warehouse",
  version: "1",
  description: "Ship four orders.",
  world: defineWorld(tables),
  systems: [defineSystem({ name: "warehouse", title: "Warehouse", tools })],
  startAt: Date.UTC(2026, 2, 2, 9),
  limits: { turns: 1_000_000, toolCalls: 1_000_000 },
  instructions: "You work in a warehouse. Read each order and its lines, ship it, then finish the shift.",
  generate,
  rubric: defineRubric({
    gates: [
      defineGate({
        name: "nothing_else_touched",
        description: "Only the named orders change.",
        check: ({ facts, changes }) =>
          onlyAllowedChanges(changes, [{ table: "orders", ids: facts.orders, fields: ["status"] }]),
      }),
    ],
    criteria: [
      defineCriterion({
        name: "shipped",
        description: "The named orders are shipped.",
        points: 70,
        critical: true,
        check({ facts, after }) {
          const open = facts.orders.filter((id) => after.need("orders", id).status !== "shipped");
          const evidence = facts.orders.map((id) => ({ table: "orders", id, field: "status" }));
          return open.length === 0 ? met("all shipped", evidence) : unmet(`${open.length} not shipped`, evidence);
        },
      }),
      defineCriterion({
        name: "looked_first",
        description: "Lines are read before anything is shipped.",
        points: 30,
        after: ["shipped"],
        check: ({ timeline }) => timeline.onlyIfEarlier("set_status", "list_lines", "lines were read first"),
      }),
    ],
  }),
  outcome: defineOutcome({
    unit: "orders",
    horizonMs: 86_400_000,
    read(end) {
      const shipped = end.where("orders", { status: "shipped" }).length;
      return { value: shipped, parts: { shipped }, acceptable: shipped >= WORKED };
    },
  }),
  reference: ({ facts }) => play(facts.orders),
});

/** Reads what to ship off the prompt, as an agent must. */
export const scripted = defineAgent({
  name: "scripted",
  open: ({ task }) => play(task.prompt.match(/ORD-\d+/g) ?? []),
});

export const CALLS_PER_ROLLOUT = 3 * WORKED + 2;
