import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openScriptedEndpoint, type Script, type ScriptedEndpoint } from "../model/scripted-endpoint.js";
import { runCaptured } from "./captured-terminal.js";

let cwd = "";
let server: ScriptedEndpoint | undefined;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "windtunnel-model-"));
  await runCaptured(["init", "desk"], { cwd });
});
afterAll(() => rmSync(cwd, { recursive: true }));
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function run(script: Script, words: string, env: Record<string, string> = {}) {
  server = await openScriptedEndpoint(script);
  const argv = `run ./desk/environment.ts --model scripted --base-url ${server.baseUrl} --json ${words}`.split(" ");
  const { code, out } = await runCaptured(argv, { cwd, env });
  return { code, data: JSON.parse(out) };
}

const usage = { prompt_tokens: 100, completion_tokens: 10, cost: 0.01 };
const gaveUp = { text: "I do not know.", usage };

it("runs a model with the key from the environment, and counts tokens and cost by its own numbers", async () => {
  const { code, data } = await run(() => gaveUp, "--tasks 3 --data d-count", { OPENAI_API_KEY: "plain-looking-value" });
  expect(code).toBe(0);
  expect(data).toMatchObject({ agent: "scripted", attempts: 3, tokens: 330, passRate: 0 });
  expect(data.costUsd).toBeCloseTo(0.03);
  expect(server!.requests[0]!.headers.authorization).toBe("Bearer plain-looking-value");
});

it("stops at the cost limit, says so, and goes on when it is raised", async () => {
  const { code, data } = await run(() => gaveUp, "--tasks 6 --concurrency 1 --max-cost 0.02 --data d-cost");
  expect(code).toBe(1);
  expect(data).toMatchObject({ stoppedBy: "cost", complete: false, coverage: { scored: 2, cancelled: 4 } });
  const resumed = await runCaptured(["run", "--resume", data.run, "--max-cost", "1", "--json", "--data", "d-cost"], {
    cwd,
  });
  expect(resumed.code).toBe(0);
  expect(JSON.parse(resumed.out)).toMatchObject({ run: data.run, complete: true, coverage: { scored: 6 } });
});

it("stops at once when the endpoint refuses the key, with no score made of it", async () => {
  const { code, data } = await run(
    () => ({ status: 401, body: { error: { message: "bad key" } } }),
    "--tasks 50 --concurrency 1 --data d-key",
  );
  expect(code).toBe(3);
  expect(data.error).toMatchObject({ code: "model_auth", boundary: "model" });
  expect(server!.requests.length).toBeLessThan(5);
});

it("leaves attempts not begun for a resume when the endpoint has gone, and the resume makes them", async () => {
  let gone = true;
  const { code, data } = await run(
    ({ index }) => (gone && index > 2 ? { status: 429, body: { error: { message: "insufficient_quota" } } } : gaveUp),
    "--tasks 40 --concurrency 1 --data d-gone",
  );
  expect(code).toBe(3);
  const id = /--resume (\S+)/.exec(data.error.message)![1]!;
  gone = false;
  const resumed = await runCaptured(["run", "--resume", id, "--json", "--data", "d-gone"], { cwd });
  expect(JSON.parse(resumed.out)).toMatchObject({ coverage: { scored: 33, errored: 7, cancelled: 0 } });
});

it("keeps attempts that broke apart from those that failed", async () => {
  const answers = [gaveUp, { status: 400, body: { error: { message: "no such field" } } }, gaveUp];
  const { code, data } = await run(answers, "--tasks 3 --concurrency 1 --data d-broken");
  expect(code).toBe(3);
  expect(data).toMatchObject({
    coverage: { scored: 2, errored: 1 },
    complete: false,
    reward: { mean: 0 },
    errors: [{ attempts: 1 }],
  });
});

it("refuses an address that holds a credential", async () => {
  for (const baseUrl of ["http://user:pass@host/v1", "http://host/v1?api_key=12345678"]) {
    const { code, out } = await runCaptured(
      ["run", "./desk/environment.ts", "--model", "m", "--base-url", baseUrl, "--json"],
      { cwd },
    );
    expect([code, JSON.parse(out).error.code]).toEqual([2, "invalid_base_url"]);
  }
});
