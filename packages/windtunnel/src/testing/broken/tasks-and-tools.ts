/**
 * Environments whose tasks or tools are broken: seeds dropped, clocks read, contracts not kept, arguments that cannot be enumerated.
 */
import { z } from "zod";
import { defineAgent } from "../../core/agent.js";
import { kind, ref } from "../../core/field.js";
import { defineUser } from "../../core/user.js";
import { exampleEnvironment } from "../example-environment.js";
import {
  answering,
  type BrokenEnvironment,
  edit,
  type Shop,
  withExtra,
  withGenerate,
  withTool,
} from "./edit-example.js";

export const brokenTasksAndTools: Readonly<Record<string, BrokenEnvironment>> = {
  "generate throws for some tasks": {
    check: "tasks-open",
    message: /generate threw: no such patient/,
    environment: () =>
      withGenerate((_, __, { index }) => {
        if (index === 3) throw new Error("no such patient");
        return {};
      }),
  },
  "a task has no prompt": {
    check: "tasks-open",
    message: /the task has no prompt/,
    environment: () => withGenerate(() => ({ prompt: " " })),
  },
  "facts hold a date object": {
    check: "tasks-open",
    message: /not plain JSON/,
    environment: () => withGenerate(({ facts }) => ({ facts: { ...facts, due: new Date(0) } })),
  },
  "generate draws unseeded randomness": {
    check: "seed-determinism",
    message: /generate draws on Math\.random\(\)/,
    environment: () => withGenerate(({ facts }) => ({ facts: { ...facts, salt: Math.random() } })),
  },
  "generate reads the wall clock": {
    check: "seed-determinism",
    message: /generate draws on new Date\(\)/,
    environment: () => withGenerate(({ prompt }) => ({ prompt: `${prompt} Today is ${new Date().toDateString()}.` })),
  },
  "generate keeps a counter": {
    check: "seed-determinism",
    message: /opened twice, it gave two different tasks/,
    environment: () => {
      let made = 0;
      return withGenerate(({ facts }) => ({ facts: { ...facts, number: made++ } }));
    },
  },
  "generate gives every id the same task": {
    check: "seed-determinism",
    message: /has the same world and prompt as train\/0\/0/,
    environment: () =>
      edit({
        generate: (world) => {
          world.insert("orders", {
            id: "ORD-1",
            customer: "A",
            item: "tent",
            price: "20.00",
            delivered: "2026-02-01",
            status: "delivered",
          });
          return {
            prompt: "Work.",
            family: "f",
            archetype: "a",
            facts: { ticket: "TCK-1", order: "ORD-1", price: "20.00", decision: "refunded" },
          };
        },
      }),
  },
  "a tool reads the wall clock": {
    check: "step-determinism",
    message: /draws on Date\.now\(\)/,
    environment: () =>
      withTool("get_ticket", (tool) => ({
        handle: (world, args, context) => {
          Date.now();
          return tool.handle(world, args, context);
        },
      })),
  },
  "a tool remembers between episodes": {
    check: "step-determinism",
    message: /run twice, it went two ways/,
    environment: () => {
      let calls = 0;
      return withExtra(answering("count_calls", () => ({ calls: calls++ })));
    },
  },
  "the user speaks at random": {
    check: "step-determinism",
    message: /draws on Math\.random\(\)/,
    environment: () =>
      edit({
        user: defineUser({ name: "customer", open: () => () => (Math.random() < 2 ? null : "") }),
        reference: (graded, context) => {
          const act = exampleEnvironment.reference(graded, context);
          let told = false;
          return (seen) => {
            if (told) return act(seen);
            told = true;
            return { text: "Hello." };
          };
        },
      }),
  },
  "rows do not fit their table": {
    check: "rows-conform",
    message: /a row of "orders" does not fit its schema: expected an amount/,
    environment: () =>
      withGenerate((_, world) => {
        world.insert("orders", {
          customer: "A",
          item: "tent",
          price: "20",
          delivered: "2026-02-01",
          status: "delivered",
        });
        return {};
      }),
  },
  "a result does not fit its schema": {
    check: "results-conform",
    message: /the result does not fit the output schema/,
    environment: () =>
      withTool("get_ticket", (tool) => ({
        handle: (world, args, context) => ({ ...(tool.handle(world, args, context) as object), status: 1 }),
      })),
  },
  "a result holds an undeclared field": {
    check: "results-conform",
    message: /an undeclared field/,
    environment: () =>
      withTool("get_ticket", (tool) => ({
        handle: (world, args, context) => ({ ...(tool.handle(world, args, context) as object), internal: "note" }),
      })),
  },
  "a tool declared to read writes": {
    check: "effects-honest",
    message: /a tool declared to read has written/,
    environment: () => withTool("decline_refund", () => ({ effect: "read" })),
  },
  "a refusal leaves a write behind": {
    check: "effects-honest",
    message: /a refused call left changes behind/,
    environment: () =>
      withTool("refund_order", (tool) => ({
        handle: (world, args, context) => {
          const open = world as unknown as Shop;
          const { order } = args as { order: string };
          if (open.get("orders", order)?.status === "delivered")
            open.insert("ledger", { order, entry: "refund", amount: "0.01" });
          return tool.handle(world, args, context);
        },
      })),
  },
  "a tool crashes on an id it does not know": {
    check: "tools-hold",
    message: /the tool broke \(tool_threw:get_order\)/,
    environment: () =>
      withTool("get_order", (tool) => ({
        handle: (world, args, context) => {
          (world as unknown as Shop).need("orders", (args as { order: string }).order);
          return tool.handle(world, args, context);
        },
      })),
  },
  "a baseline throws": {
    check: "tools-hold",
    message: /the agent broke \(agent_threw\): lost/,
    environment: () =>
      edit({
        baselines: [
          defineAgent({
            name: "bad",
            open: () => () => {
              throw new Error("lost");
            },
          }),
        ],
      }),
  },
  "a tool does not say what it does": {
    check: "described",
    message: /there is no description/,
    environment: () => withTool("get_order", () => ({ description: "" })),
  },
  "a mark names no table": {
    check: "marks-name-tables",
    message: /marked as an id of "order", which is no table/,
    environment: () => withTool("get_order", () => ({ input: z.object({ order: ref("order") }) })),
  },
  "a mark names a sealed table": {
    check: "marks-name-tables",
    message: /marked as an id of "truths", which is sealed/,
    environment: () => withTool("get_order", () => ({ input: z.object({ order: ref("truths") }) })),
  },
  "an argument that takes ids is not marked": {
    check: "arguments-marked",
    message: /takes ids of "orders" and is not marked/,
    environment: () => withTool("get_order", () => ({ input: z.object({ order: z.string() }) })),
  },
  "the reference gives arguments that were never seen": {
    check: "recall-at-64",
    message: /recall@64 is 0\.\d+: this call of the reference is not among the first 64 candidates/,
    environment: () =>
      withTool("get_order", (tool) => ({ input: z.object({ order: kind("order_token") }), handle: tool.handle })),
  },
};
