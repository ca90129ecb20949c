import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCaptured } from "./captured-terminal.js";

// An environment that makes one task of every claim file, and refuses a file that does not begin with "ISA".
const MODULE = `
import { openScenario, type TaskSource } from "windtunnel";
import { environment } from "./desk/environment.js";
export { environment };
type File = { name: string; text: string };
export function importTasks({ claims, charts }: { claims: File[]; charts: File[] }) {
  const problems = claims.filter(({ text }) => !text.startsWith("ISA")).map(({ name, text }) => ({ file: name, at: "segment 1", code: "no_envelope", message: "not an interchange", expected: "ISA", found: text.slice(0, 3) }));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, tasks: claims.length, data: { count: claims.length, charts: charts.map(({ name }) => name) }, warnings: [] };
}
export function openImportedTasks(data: { count: number }): TaskSource {
  const ids = Array.from({ length: data.count }, (_, i) => "train/0/" + i);
  return { description: "imported", size: ids.length, ids: () => ids, open: (id) => openScenario(environment, id) as never };
}
`;

let cwd = "";
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "windtunnel-import-"));
  await runCaptured(["init", "desk"], { cwd });
  writeFileSync(join(cwd, "office.ts"), MODULE);
  for (const name of ["a.837", "b.837", "r.835"]) writeFileSync(join(cwd, name), "ISA*00*~");
  writeFileSync(join(cwd, "bad.837"), "GS*HC~");
});
afterAll(() => rmSync(cwd, { recursive: true }));

async function json(words: string) {
  const { code, out } = await runCaptured([...words.split(" "), "--json"], { cwd });
  return { code, data: JSON.parse(out) };
}

it("makes tasks of a user's files, and runs them", async () => {
  const imported = await json(
    "tasks import ./office.ts --claims a.837 b.837 --remits r.835 --charts desk --out mine.json",
  );
  expect(imported).toMatchObject({ code: 0, data: { ok: true, tasks: 2 } });
  const run = await json("run ./office.ts --agent reference --tasks-from mine.json --data d");
  expect(run).toMatchObject({ code: 0, data: { attempts: 2, passRate: 1 } });
  expect(await json(`replay ${run.data.run} --data d`)).toMatchObject({ code: 0, data: { equal: 2 } });
});

it("lists every problem with its place, exits with 1 and writes nothing", async () => {
  const { code, data } = await json("tasks import ./office.ts --claims a.837 bad.837 --remits r.835 --out none.json");
  expect(code).toBe(1);
  expect(data.problems).toEqual([
    {
      file: "bad.837",
      at: "segment 1",
      code: "no_envelope",
      message: "not an interchange",
      expected: "ISA",
      found: "GS*",
    },
  ]);
  expect(existsSync(join(cwd, "none.json"))).toBe(false);
});

it("refuses to send imported tasks to another machine unless that is allowed", async () => {
  await json("tasks import ./office.ts --claims a.837 --remits r.835 --out local.json");
  const { code, data } = await json(
    "run ./office.ts --model m --base-url https://models.example/v1 --tasks-from local.json --data d",
  );
  expect(code).toBe(2);
  expect(data.error).toMatchObject({ code: "egress_refused", path: "https://models.example" });
});

it("refuses a task file of another environment, and a file that is none", async () => {
  await json("tasks import ./office.ts --claims a.837 --remits r.835 --out office.json");
  expect((await json("run ./desk/environment.ts --agent idle --tasks-from office.json --data d")).data.error.code).toBe(
    "invalid_task_file",
  );
  expect((await json("run ./office.ts --agent idle --tasks-from a.837 --data d")).data.error.code).toBe(
    "invalid_task_file",
  );
});

it("says that an environment makes no tasks of files", async () => {
  const { code, data } = await json("tasks import ./desk/environment.ts --claims a.837 --remits r.835");
  expect([code, data.error.code]).toEqual([2, "cannot_import"]);
});
