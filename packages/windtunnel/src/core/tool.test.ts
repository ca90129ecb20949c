import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Fault, ToolError } from "./fault.js";
import { kind, ref } from "./field.js";
import { defineTool, pageOf, parseArguments, runHandler, type Tool, toToolSpec } from "./tool.js";
import { defineWorld, World } from "./world.js";

const lookUp = defineTool({
  name: "look_up",
  description: "Looks a code up.",
  effect: "read",
  input: z.object({ code: kind("code"), units: z.number().int().optional(), on: z.boolean().optional() }),
  output: z.object({ code: kind("code") }),
  handle: (_world, { code }) => {
    if (code === "missing") throw new ToolError("not_found", `no code "${code}"`, { nearest: ["00420"] });
    if (code === "bug") throw new TypeError("cannot read properties of undefined");
    if (code === "broken") throw new Fault("world", "lost", "the world broke");
    return { code };
  },
}) as unknown as Tool;

const world = World.open(defineWorld({}), { seed: "s", now: 0 });
const context = { finish() {} };

function refusal(given: unknown) {
  const parsed = parseArguments(lookUp, given);
  if (parsed.ok || parsed.reply.ok) throw new Error("expected a refusal");
  return parsed.reply.error;
}

describe("arguments", () => {
  it.each([["00420"], ["0003000"], ["1e5"], ["true"], ["null"], [" 7 "]])(
    "declared a string stay the string they were: %j",
    (code) => {
      for (const given of [{ code }, JSON.stringify({ code })])
        expect(parseArguments(lookUp, given)).toEqual({ ok: true, args: { code } });
    },
  );

  it.each([
    ["a number for a string", { code: 420 }, "code"],
    ["text for a number", { code: "x", units: "3" }, "units"],
    ["a fraction for an integer", { code: "x", units: 1.5 }, "units"],
    ["text for a boolean", { code: "x", on: "true" }, "on"],
    ["a missing field", {}, "code"],
    ["null for a field", { code: null }, "code"],
  ])("with %s are refused, naming the field", (_, given, path) => {
    const error = refusal(given);
    expect(error.code).toBe("invalid_arguments");
    expect(error.message).toContain(`${path}: `);
    expect(error.issues).toMatchObject([{ path }]);
  });

  it.each([[[]], [42], [true], ["[]"], ['"code"']])("that are no object are refused: %j", (given) => {
    expect(refusal(given).code).toBe("invalid_arguments");
  });

  it.each(['{"code": "x"', "{code: 'x'}", "code=x", "undefined"])(
    "that are broken JSON are refused, in words that do not depend on the engine: %j",
    (given) => {
      expect(refusal(given)).toEqual({
        code: "invalid_json",
        message: "the arguments of look_up are not valid JSON: send one JSON object",
      });
    },
  );

  it("left out count as none given", () => {
    const ping = defineTool({
      name: "ping",
      description: "Pings.",
      effect: "read",
      input: z.object({}),
      output: z.object({}),
      handle: () => ({}),
    }) as unknown as Tool;
    for (const given of [undefined, null, "", "  ", {}])
      expect(parseArguments(ping, given)).toEqual({ ok: true, args: {} });
  });
});

describe("a handler", () => {
  it("that throws a ToolError answers with its code, message and details", () => {
    expect(runHandler(lookUp, world, { code: "missing" }, context)).toEqual({
      ok: false,
      error: { code: "not_found", message: 'no code "missing"', nearest: ["00420"] },
    });
  });

  it("that throws anything else breaks the tool boundary, naming the tool", () => {
    expect(() => runHandler(lookUp, world, { code: "bug" }, context)).toThrow(
      expect.objectContaining({ boundary: "tool", code: "tool_threw:look_up" }),
    );
  });

  it("through which another boundary broke leaves that boundary named", () => {
    expect(() => runHandler(lookUp, world, { code: "broken" }, context)).toThrow(
      expect.objectContaining({ boundary: "world", code: "lost" }),
    );
  });
});

describe("a tool definition", () => {
  it.each(["LookUp", "look-up", "1st", "_x", "a".repeat(65), ""])("is refused under the name %j", (name) => {
    expect(() => defineTool({ ...lookUp, name } as never)).toThrow(/snake_case/);
  });

  it("has a wire form with both schemas and the meaning of its fields, built once and frozen", () => {
    const tool = defineTool({
      name: "t",
      description: "d",
      effect: "write",
      input: z.object({ claim: ref("claims") }),
      output: z.object({ ok: z.boolean() }),
      handle: () => ({ ok: true }),
    });
    const spec = toToolSpec(tool as unknown as Tool);
    expect(spec).toMatchObject({
      name: "t",
      effect: "write",
      inputSchema: { properties: { claim: { "x-table": "claims" } }, required: ["claim"] },
      outputSchema: { type: "object" },
    });
    expect(toToolSpec(tool as unknown as Tool)).toBe(spec);
    expect(() => Object.assign(spec.inputSchema, { type: "string" })).toThrow(TypeError);
  });
});

describe("pages", () => {
  const list = Array.from({ length: 7 }, (_, i) => i);

  it.each([1, 2, 3, 7, 10])(
    "of %i at a time, followed by their cursors, show every item once and in order",
    (limit) => {
      const seen: number[] = [];
      let cursor: string | null | undefined;
      do {
        const page = pageOf(list, cursor ?? undefined, limit);
        expect(page.total).toBe(7);
        seen.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual(list);
    },
  );

  it.each(["-1", "abc", "1.5", "NaN"])("refuse the cursor %j", (cursor) => {
    expect(() => pageOf(list, cursor, 3)).toThrow(ToolError);
  });

  it("of an empty list end at once", () => {
    expect(pageOf([], undefined, 3)).toEqual({ items: [], nextCursor: null, total: 0 });
  });
});
