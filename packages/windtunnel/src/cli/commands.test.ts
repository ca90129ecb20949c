import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { capturedTerminal, runCaptured } from "./captured-terminal.js";
import { runCommandLine } from "./command-line.js";
import { exportLine } from "./export-line.js";

// One folder with a scaffolded environment, shared by the tests below; each test that needs a data directory of its own names one.
let cwd = "";
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "windtunnel-cli-"));
  expect((await runCaptured(["init", "desk"], { cwd })).code).toBe(0);
});
afterAll(() => rmSync(cwd, { recursive: true }));

const ENV = "./desk/environment.ts";
const cli = (words: string, options: { env?: Record<string, string>; stdin?: string } = {}) =>
  runCaptured(words.split(" "), { cwd, ...options });

async function json(words: string, options: { env?: Record<string, string>; stdin?: string } = {}) {
  const { code, out, err } = await cli(`${words} --json`, options);
  const lines = out.split("\n").filter((line) => line !== "");
  expect(lines).toHaveLength(1);
  return {
    code,
    data: JSON.parse(lines[0]!),
    progress: err
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line)),
  };
}

it("scaffolds an environment whose reference passes every task", async () => {
  const { code, data } = await json(`run ${ENV} --agent reference --tasks 30 --data d-reference`);
  expect(code).toBe(0);
  expect(data).toMatchObject({
    environment: "desk",
    agent: "reference",
    attempts: 30,
    coverage: { scored: 30, unscored: 0, errored: 0, cancelled: 0 },
    reward: { mean: 1, min: 1, max: 1, p10: 1 },
    outcome: { mean: 0, unit: "USD", normalisedMean: 1 },
    passRate: 1,
    tokens: 0,
    costUsd: 0,
    wallSeconds: expect.any(Number),
  });
});

it("scaffolds an environment that the checker finds sound", async () => {
  const { code, data } = await json(`check ${ENV}`);
  expect(data.checks.flatMap((check: { problems: unknown[] }) => check.problems)).toEqual([]);
  expect(code).toBe(0);
});

it("refuses to scaffold into a folder that holds anything, and changes nothing there", async () => {
  const before = readdirSync(join(cwd, "desk"));
  const { code, data } = await json("init desk");
  expect(code).toBe(2);
  expect(data.error).toMatchObject({ code: "not_empty", path: join(cwd, "desk") });
  expect(readdirSync(join(cwd, "desk"))).toEqual(before);
});

it("keeps its data where WINDTUNNEL_DATA says, unless --data says otherwise", async () => {
  const env = { WINDTUNNEL_DATA: "d-environment" };
  await cli(`run ${ENV} --agent idle --tasks 1`, { env });
  await cli(`run ${ENV} --agent idle --tasks 1 --data d-option`, { env });
  for (const folder of ["d-environment", "d-option"]) expect((await json(`list --data ${folder}`)).data.total).toBe(1);
});

it("lists installed environments with their tools, archetypes and agents", async () => {
  const { code, out } = await runCaptured(["envs", "--json"], { cwd: process.cwd() });
  expect(code).toBe(0);
  expect(JSON.parse(out).environments.map(({ name }: { name: string }) => name)).toContain("revenue-cycle/denials");
});

it("makes the same rollouts again, at another concurrency", async () => {
  const digests = [];
  for (const [data, concurrency] of [
    ["d-same-1", 1],
    ["d-same-2", 4],
  ]) {
    await cli(`run ${ENV} --agent random --tasks 5 --attempts 3 --concurrency ${concurrency} --data ${data}`);
    const list = await json(`list rollouts --data ${data}`);
    digests.push(
      new Map(
        list.data.rollouts.map((one: { task: string; attempt: number; digest: string }) => [
          `${one.task} ${one.attempt}`,
          one.digest,
        ]),
      ),
    );
  }
  expect(digests[0]!.size).toBe(15);
  expect(new Set(digests[0]!.values()).size).toBeGreaterThan(5);
  expect(digests[1]).toEqual(digests[0]);
});

it("shows, replays, exports and compares what a run kept", async () => {
  const reference = (await json(`run ${ENV} --agent reference --tasks 6 --data d-use`)).data.run;
  const declining = (await json(`run ${ENV} --agent decline-all --tasks 6 --data d-use`)).data.run;
  const [first] = (await json(`list rollouts --run ${reference} --data d-use`)).data.rollouts;

  const shown = await cli(`show ${first.id} --data d-use`);
  for (const text of ["ticket_close", "~ tickets/", "reward 1.000", "never_overpay", "see event 4"])
    expect(shown.out).toContain(text);
  const page = await json(`show ${first.id} --from 1 --limit 2 --data d-use`);
  expect(page.data.events.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2]);

  expect(await json(`replay ${reference} --data d-use`)).toMatchObject({
    code: 0,
    data: { replayed: 6, equal: 6, different: 0 },
  });
  expect(await json(`replay ${first.id} --data d-use`)).toMatchObject({
    code: 0,
    data: { equal: true, scoreCompared: true },
  });
  expect(await json(`rescore ${reference} --data d-use`)).toMatchObject({
    code: 0,
    data: { rescored: 6, after: { meanReward: 1 } },
  });

  expect((await json(`export ${reference} --out out.jsonl --data d-use`)).data.rollouts).toBe(6);
  const lines = readFileSync(join(cwd, "out.jsonl"), "utf8").trimEnd().split("\n");
  for (const line of lines) expect(exportLine.safeParse(JSON.parse(line)).error).toBeUndefined();
  expect((await cli(`export ${reference} --data d-use`)).out.trimEnd().split("\n")).toEqual(lines);

  const compared = await json(`compare ${declining} ${reference} --data d-use`);
  expect(compared.data).toMatchObject({ paired: { pairs: 6, reward: { n: 6 } }, unpaired: { onlyInA: 0, onlyInB: 0 } });
  expect(compared.data.paired.reward.value).toBeCloseTo(0.8);
  expect((await cli(`compare ${declining} ${reference} --data d-use`)).out).toContain(
    "pass^k: chance that all of k attempts",
  );

  const other = (await json(`list rollouts --run ${declining} --data d-use`)).data.rollouts.find(
    ({ task }: { task: string }) => task === first.task,
  );
  const diff = await json(`diff ${first.id} ${other.id} --data d-use`);
  expect(diff.data).toMatchObject({ sameTask: true, divergence: { event: 3 } });
  expect(
    diff.data.criteria.some(({ name, same }: { name: string; same: boolean }) => name === "looked_first" && !same),
  ).toBe(true);
});

it("tells pass@k from pass^k, and defines both", async () => {
  writeFileSync(
    join(cwd, "three-of-four.ts"),
    `import { defineAgent } from "windtunnel";
let attempts = 0;
export default defineAgent({ name: "three-of-four", open: ({ task }) => {
  const fails = attempts++ === 3;
  const ticket = /TIC-\\d+/.exec(task.prompt)![0];
  let step = 0;
  return ({ messages }) => {
    const seen = messages.at(-1);
    const value = seen?.role === "tool" ? (seen.value as { order: string; price: string; lost: boolean }) : undefined;
    step++;
    if (fails) return {};
    if (step === 1) return { calls: [{ tool: "ticket_get", arguments: { ticket } }] };
    if (step === 2) return { calls: [{ tool: "order_get", arguments: { order: value!.order } }] };
    return { calls: [{ tool: "ticket_close", arguments: { ticket, pay: value!.lost ? value!.price : "0.00" } }] };
  };
} });`,
  );
  const { data } = await json(
    `run ${ENV} --agent ./three-of-four.ts --tasks 1 --attempts 4 --concurrency 1 --data d-passes`,
  );
  const { data: compared } = await json(`compare ${data.run} ${data.run} --data d-passes`);
  const k2 = compared.passes.a.find(({ k }: { k: number }) => k === 2);
  expect([k2.passAtK.value, k2.passHatK.value]).toEqual([1, 0.5]);
  const { out } = await cli(`compare ${data.run} ${data.run} --data d-passes`);
  expect(out).toMatch(/pass@k: chance that at least one[\s\S]*pass\^k: chance that all/);
});

it("plays what another run did, and comes to the same end states", async () => {
  const first = (await json(`run ${ENV} --agent random --tasks 4 --attempts 2 --data d-replay`)).data.run;
  const { code, data } = await json(`run ${ENV} --agent replay:${first} --data d-replay`);
  expect(code).toBe(0);
  expect(data.attempts).toBe(8);
  const [a, b] = await Promise.all(
    [first, data.run].map(async (run) =>
      (await json(`list rollouts --run ${run} --data d-replay`)).data.rollouts.map(
        (one: { finalState: string }) => one.finalState,
      ),
    ),
  );
  expect(b).toEqual(a);
});

it("runs an agent from a file, and an edit of it is another agent", async () => {
  const agent = (pay: string) => `import { defineAgent } from "windtunnel";
export default defineAgent({ name: "mine", open: ({ task }) => () => ({ calls: [{ tool: "ticket_close", arguments: { ticket: /TIC-\\d+/.exec(task.prompt)![0], pay: "${pay}" } }] }) });`;
  const versions = [];
  for (const pay of ["0.00", "1.00"]) {
    writeFileSync(join(cwd, "mine.ts"), agent(pay));
    versions.push((await json(`run ${ENV} --agent ./mine.ts --tasks 2 --data d-file`)).data.agentVersion);
  }
  expect(versions[0]).not.toBe(versions[1]);
});

it("plays a task from actions on stdin, and keeps it as a rollout", async () => {
  const { code, data, progress } = await json(`play ${ENV} --data d-play`, {
    stdin: 'not json\n{"calls":[{"tool":"ticket_get","arguments":{"ticket":"TIC-1"}}]}\n',
  });
  expect(code).toBe(0);
  expect(progress.map(({ event }) => event)).toEqual(["start", "open", "observation", "refused", "observation"]);
  expect(data.score).toMatchObject({ status: "scored", reward: 0 });
  expect((await json(`show ${data.rollout.id} --data d-play`)).data.rollout.agent).toBe("person");
});

it("demonstrates an environment: every agent, the agreement of reward and outcome, and a rollout to look at", async () => {
  const { code, data, progress } = await json(`demo ${ENV} --tasks 8 --data d-demo`);
  expect(code).toBe(0);
  expect(data.agents.map(({ agent }: { agent: string }) => agent)).toEqual([
    "reference",
    "idle",
    "decline-all",
    "random",
  ]);
  expect(data.rollouts).toBe(32);
  expect(data.agreement.auc.value).toBeGreaterThan(0.5);
  expect(progress.some(({ event }) => event === "progress")).toBe(true);
  const shown = await cli(data.show.replace(/^windtunnel /, ""));
  expect(shown.code).toBe(0);
});

it("removes old runs only when told to, and says what it would remove", async () => {
  for (let i = 0; i < 3; i++) await cli(`run ${ENV} --agent idle --tasks 1 --data d-prune`);
  expect((await json("prune --keep-last 1 --data d-prune")).data).toMatchObject({ dryRun: true, runs: [{}, {}] });
  expect((await json("list --data d-prune")).data.total).toBe(3);
  expect((await json("prune --keep-last 1 --yes --data d-prune")).data).toMatchObject({ dryRun: false });
  expect((await json("list --data d-prune")).data.total).toBe(1);
});

it("keeps a secret that a person typed out of the store, the screen and the export", async () => {
  const env = { VAULT_TOKEN: "correct horse 7" };
  const stdin = `${JSON.stringify({ text: "my token is correct horse 7", calls: [{ tool: "ticket_get", arguments: { ticket: "correct horse 7" } }] })}\n`;
  const { data } = await json(`play ${ENV} --data d-secret`, { env, stdin });
  const shown = await cli(`show ${data.rollout.id} --full --data d-secret`);
  const exported = await cli(`export last --data d-secret`);
  for (const { out } of [shown, exported]) {
    expect(out).toContain("[redacted]");
    expect(out).not.toContain("correct horse 7");
  }
});

it("prints nothing that a terminal would act on, whatever an agent wrote", async () => {
  const stdin = `${JSON.stringify({ text: "\u001b[2Jgone\u202e", calls: [{ tool: "\u001b]0;x\u0007t", arguments: "\u001b[31m{" }] })}\n`;
  const { data } = await json(`play ${ENV} --data d-escape`, { stdin });
  const shown = await cli(`show ${data.rollout.id} --full --data d-escape`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there.
  expect(shown.out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(shown.out).toContain("gone");
});

it("refuses what it cannot use: exit 2, what, where, and the nearest name", async () => {
  const cases: [string, string, string][] = [
    ["rnu", "unknown_command", '"run"'],
    [`run ${ENV} --agent refrence`, "unknown_agent", '"reference"'],
    [`run ./nothing.ts --agent reference`, "environment_not_found", "windtunnel init"],
    [`run ${ENV} --agent idle --taks 3`, "unknown_option", '"--tasks"'],
    [`run ${ENV} --agent idle --tasks none`, "invalid_option", ""],
    [`run ${ENV}`, "no_agent", "reference"],
    [`run ${ENV} --agent idle --model m`, "two_agents", ""],
    [`run ${ENV} --model m --base-url ftp://x`, "invalid_base_url", ""],
    ["show ro-0000000000000000 --data d-none", "no_data", "--data"],
    ["prune --data d-none", "nothing_to_prune", ""],
  ];
  for (const [words, code, fix] of cases) {
    const result = await json(words);
    expect([words, result.code, result.data.error.code]).toEqual([words, 2, code]);
    expect(`${result.data.error.fix ?? ""} ${result.data.error.message}`).toContain(fix);
  }
});

it("keeps what is finished when it is interrupted, says how to go on, and goes on", async () => {
  writeFileSync(
    join(cwd, "slow.ts"),
    'import { defineAgent } from "windtunnel";\nexport default defineAgent({ name: "slow", open: () => async () => { await new Promise((done) => setTimeout(done, 20)); return {}; } });',
  );
  const terminal = capturedTerminal({ cwd });
  const words = `run ${ENV} --agent ./slow.ts --tasks 40 --concurrency 2 --json --data d-stop`.split(" ");
  const running = runCommandLine(words, terminal);
  while (!/"completed":[1-9]/.test(terminal.err())) await new Promise((done) => setTimeout(done, 5));
  terminal.interrupt();
  expect(await running).toBe(130);
  const stopped = JSON.parse(terminal.out());
  expect(stopped.coverage.scored).toBeGreaterThan(0);
  expect(stopped.coverage.cancelled).toBe(40 - stopped.coverage.scored);
  expect(stopped.complete).toBe(false);
  expect(stopped.resume).toContain(`run --resume ${stopped.run}`);
  const resumed = await json(stopped.resume.replace(/^windtunnel /, ""));
  expect(resumed).toMatchObject({ code: 0, data: { run: stopped.run, coverage: { scored: 40, cancelled: 0 } } });
});

it("does not go on with a run whose environment has changed", async () => {
  const { run } = (await json(`run ${ENV} --agent idle --tasks 2 --data d-change`)).data;
  const file = join(cwd, "desk/environment.ts");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, `${text}// edited\n`);
  const { code, data } = await json(`run --resume ${run} --data d-change`);
  writeFileSync(file, text);
  expect(code).toBe(2);
  expect(data.error).toMatchObject({ code: "not_resumable", path: "environmentVersion" });
});

it("ends at once on a second Ctrl-C", async () => {
  const terminal = capturedTerminal({ cwd });
  const running = runCommandLine(`run ${ENV} --agent ./slow.ts --tasks 10 --json --data d-twice`.split(" "), terminal);
  while (!terminal.err().includes("start")) await new Promise((done) => setTimeout(done, 2));
  terminal.interrupt();
  terminal.interrupt();
  await running;
  expect(terminal.exits).toEqual([130]);
});
