import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listEnvironments, openEnvironment } from "./find-environment.js";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "windtunnel-find-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const MODULE = `
export const environment = { name: "tiny", version: "1", rubric: {}, world: {}, tools: new Map() };
`;

function install(
  folder: string,
  name: string,
  environments: object,
  files: Record<string, string> = { "env.mjs": MODULE },
): void {
  const place = join(root, folder);
  mkdirSync(place, { recursive: true });
  writeFileSync(
    join(place, "package.json"),
    JSON.stringify({ name, version: "2.0.0", type: "module", windtunnel: { environments } }),
  );
  for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
}

it("finds environments of scoped and plain packages in every node_modules above, and of the package it stands in", () => {
  install("node_modules/@acme/billing", "@acme/billing", { denials: "./env.mjs", claims: "./env.mjs" });
  install("app/node_modules/desk", "desk", { refunds: "./env.mjs" });
  install("app", "my-app", { own: "./env.mjs" });
  mkdirSync(join(root, "app/src"));
  const addresses = listEnvironments(join(root, "app/src")).map(({ address }) => address);
  expect(addresses.filter((address) => !address.startsWith("revenue-cycle"))).toEqual([
    "my-app/own",
    "desk/refunds",
    "billing/denials",
    "billing/claims",
  ]);
});

it("opens one by its short and by its full name", async () => {
  install("node_modules/@acme/billing", "@acme/billing", { denials: "./env.mjs" });
  for (const name of ["billing/denials", "@acme/billing/denials"]) {
    const found = await openEnvironment(name, root);
    expect(found).toMatchObject({ name: "billing/denials", environment: { name: "tiny" } });
  }
});

it("refuses a short name that two packages share, and takes the full one", async () => {
  install("node_modules/@acme/billing", "@acme/billing", { denials: "./env.mjs" });
  install("node_modules/@other/billing", "@other/billing", { denials: "./env.mjs" });
  await expect(openEnvironment("billing/denials", root)).rejects.toMatchObject({ code: "ambiguous_environment" });
  await expect(openEnvironment("@other/billing/denials", root)).resolves.toMatchObject({
    name: "@other/billing/denials",
    environment: { name: "tiny" },
  });
});

it("suggests the nearest name for one that is not there", async () => {
  install("node_modules/@acme/billing", "@acme/billing", { denials: "./env.mjs" });
  await expect(openEnvironment("billing/denails", root)).rejects.toMatchObject({
    code: "environment_not_found",
    fix: expect.stringContaining('"billing/denials"'),
  });
});

it("says that a package is not built when its module is missing", async () => {
  install("node_modules/desk", "desk", { refunds: "./dist/env.mjs" });
  await expect(openEnvironment("desk/refunds", root)).rejects.toMatchObject({ code: "environment_not_built" });
});

it("refuses a file without an environment, and a file that is not there", async () => {
  writeFileSync(join(root, "a.ts"), "export const x = 1;");
  await expect(openEnvironment("./a.ts", root)).rejects.toMatchObject({ code: "no_environment", actual: "exports x" });
  await expect(openEnvironment("./b.ts", root)).rejects.toMatchObject({ code: "environment_not_found" });
});

it("makes the content of a file part of its environment's version", async () => {
  const versions = [];
  for (const text of [MODULE, `${MODULE}// edited`]) {
    writeFileSync(join(root, "env.ts"), text);
    versions.push((await openEnvironment("./env.ts", root)).environment.version);
  }
  expect(versions[0]).toMatch(/^1\+[0-9a-f]{16}$/);
  expect(versions[1]).not.toBe(versions[0]);
});
