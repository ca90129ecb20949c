import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import * as own from "../index.js";
import { loadModule, looksLikePath } from "./load-module.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "windtunnel-load-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

it("gives a file this process's own windtunnel and zod, with nothing installed beside it", async () => {
  const path = write(
    "a.ts",
    'import { ToolError, World } from "windtunnel"; import { z } from "zod"; export const got: unknown[] = [ToolError, World, z.string];',
  );
  const { exports } = await loadModule(path);
  expect(exports.got).toEqual([own.ToolError, own.World, z.string]);
});

it("leaves nothing beside the file", async () => {
  const path = write("a.ts", "export default 1;");
  await loadModule(path);
  expect(readdirSync(folder)).toEqual(["a.ts"]);
});

it("changes the digest when a file it imports changes, and only then", async () => {
  write("inner.ts", "export const n: number = 1;");
  const path = write("a.ts", 'export { n } from "./inner.js";');
  const first = await loadModule(path);
  const again = await loadModule(path);
  write("inner.ts", "export const n: number = 2;");
  const changed = await loadModule(path);
  expect(again.digest).toBe(first.digest);
  expect(changed.digest).not.toBe(first.digest);
  expect(changed.exports.n).toBe(2);
});

it("says where a file does not parse", async () => {
  const path = write("a.ts", "export const x = ;\n");
  await expect(loadModule(path)).rejects.toMatchObject({
    name: "UsageError",
    code: "module_unreadable",
    path: "a.ts:1:18",
  });
});

it("says that a file throws, and leaves nothing beside it", async () => {
  const path = write("a.ts", 'throw new Error("boom");');
  await expect(loadModule(path)).rejects.toMatchObject({
    code: "module_failed",
    message: expect.stringContaining("boom"),
  });
  expect(readdirSync(folder)).toEqual(["a.ts"]);
});

it("tells a path from a name", () => {
  expect(["./a.ts", "../x", "/abs/a.js", "a.mts"].map(looksLikePath)).toEqual([true, true, true, true]);
  expect(["revenue-cycle/denials", "reference", "@scope/pkg/env"].map(looksLikePath)).toEqual([false, false, false]);
});
