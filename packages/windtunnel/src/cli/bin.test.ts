import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

// The program as it is installed: needs `npm run build` first, which `npm install` does.
const BIN = fileURLToPath(new URL("../../bin/windtunnel.js", import.meta.url));
const built = existsSync(fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url)));

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "windtunnel-bin-"));
  writeFileSync(
    join(cwd, "slow.mjs"),
    'import { defineAgent } from "windtunnel";\nexport default defineAgent({ name: "slow", open: () => async () => { await new Promise((done) => setTimeout(done, 15)); return {}; } });',
  );
});
afterAll(() => rmSync(cwd, { recursive: true }));

const RUN = ["run", "./desk/environment.ts", "--agent", "./slow.mjs", "--tasks", "60", "--concurrency", "2", "--json"];

const windtunnel = (...argv: string[]) => spawnSync(process.execPath, [BIN, ...argv], { cwd, encoding: "utf8" });
const lastJson = (text: string) => JSON.parse(text.trimEnd().split("\n").at(-1)!);

/** Starts a run and waits until some of it is committed. */
async function startRun(): Promise<{
  child: ChildProcess;
  run: string;
  exit: Promise<{ code: number | null; out: string }>;
}> {
  const child = spawn(process.execPath, [BIN, ...RUN], { cwd });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  const exit = new Promise<{ code: number | null; out: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, out })),
  );
  while (!/"completed":[1-9]/.test(err) && child.exitCode === null) await new Promise((done) => setTimeout(done, 10));
  return { child, run: JSON.parse(err.slice(0, err.indexOf("\n"))).run, exit };
}

function rolloutsOf(run: string): string[] {
  const { rollouts } = lastJson(windtunnel("list", "rollouts", "--run", run, "--limit", "1000", "--json").stdout);
  return rollouts.map(
    ({ task, attempt, digest }: { task: string; attempt: number; digest: string }) => `${task} ${attempt} ${digest}`,
  );
}

it.runIf(built)("scaffolds and runs with nothing installed in the folder", () => {
  expect(windtunnel("init", "desk").status).toBe(0);
  const { status, stdout } = windtunnel("run", "./desk/environment.ts", "--agent", "reference", "--json");
  expect([status, lastJson(stdout).passRate]).toEqual([0, 1]);
});

it.runIf(built)("loses no finished rollout to a kill, and runs none twice", async () => {
  const { child, run, exit } = await startRun();
  child.kill("SIGKILL");
  await exit;
  const kept = rolloutsOf(run);
  expect(kept.length).toBeGreaterThan(0);
  const resumed = windtunnel("run", "--resume", run, "--json");
  expect(lastJson(resumed.stdout)).toMatchObject({ coverage: { scored: 60, cancelled: 0 }, status: "done" });
  const all = rolloutsOf(run);
  expect(all).toHaveLength(60);
  expect(new Set(all).size).toBe(60);
  expect(all.slice(0, kept.length)).toEqual(kept);
});

it.runIf(built)("ends with 130 on Ctrl-C and says how to go on", async () => {
  const { child, run, exit } = await startRun();
  child.kill("SIGINT");
  const { code, out } = await exit;
  expect(code).toBe(130);
  expect(lastJson(out).resume).toBe(`windtunnel run --resume ${run}`);
});

it.runIf(built)("gives a file's errors an exit code of 2 and one JSON object", () => {
  writeFileSync(join(cwd, "broken.ts"), "export const environment = {\n");
  const { status, stdout } = windtunnel("run", "./broken.ts", "--agent", "idle", "--json");
  expect(status).toBe(2);
  expect(lastJson(stdout)).toMatchObject({ exitCode: 2, error: { code: "module_unreadable", path: "broken.ts:2:1" } });
});

it.runIf(built)("prints help for every command, with examples", () => {
  const { stdout } = windtunnel("--help");
  const names = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name!);
  expect(names).toContain("demo");
  for (const name of names) {
    const help = windtunnel(name, "--help");
    expect([name, help.status]).toEqual([name, 0]);
    expect(help.stdout).toMatch(/Examples:\n {2}\$ /);
  }
});
