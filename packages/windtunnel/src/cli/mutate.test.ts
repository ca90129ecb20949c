import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCaptured } from "./captured-terminal.js";

let cwd = "";
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "windtunnel-mutate-"));
  expect((await runCaptured(["init", "desk"], { cwd })).code).toBe(0);
});
afterAll(() => rmSync(cwd, { recursive: true }));

const mutate = (...words: string[]) =>
  runCaptured(["mutate", "./desk/environment.ts", "--tasks", "8", "--per-operator", "6", "--pairs", "4", ...words], {
    cwd,
  });

it("says of every operator what the rubric made of it, and fails where a bar is not reached", async () => {
  const { code, out } = await mutate();
  expect(out).toMatch(/H1 {2}drop action .* caught/);
  expect(out).toMatch(/B14 order of questions .* punished/);
  expect(out).toMatch(/damage to the rubric itself: \d+ of \d+ noticed/);
  expect(code).toBe(out.includes("NOT REACHED") ? 1 : 0);
});

it("gives one object with --json: operators, bars, survivors with keys, and the labels that are missing", async () => {
  const { out, code } = await mutate("--json");
  const report = JSON.parse(out);
  expect(report.operators).toHaveLength(39);
  expect(report.bars.map(({ measure }: { measure: string }) => measure)).toContain("false-kill rate");
  expect(report.falseKillRate).toMatchObject({ value: 0 });
  expect(report.verifierMutants.survivors.every(({ wanted }: { wanted: unknown }) => typeof wanted === "string")).toBe(
    true,
  );
  expect(code === 0).toBe(report.bars.every(({ reached }: { reached: boolean | null }) => reached !== false));
});

it("counts reviewed survivors as benign, and refuses a file of them that is not there", async () => {
  const first = JSON.parse((await mutate("--json")).out);
  const keys = first.survivors.map(({ key }: { key: string }) => key);
  writeFileSync(join(cwd, "reviewed.txt"), keys.join("\n"));
  const second = JSON.parse((await mutate("--json", "--reviewed", join(cwd, "reviewed.txt"))).out);
  expect(second.survivors).toEqual([]);
  expect((await mutate("--reviewed", join(cwd, "absent.txt"))).code).toBe(2);
});
