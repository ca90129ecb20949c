import { expect, it } from "vitest";
import { referenceAgent, runRollout } from "windtunnel";
import { environment, openImportedTasks } from "../index.js";
import { rulesAgent } from "../rules-agent.js";
import { applyLabels } from "./apply-labels.js";
import { importTasks } from "./import-tasks.js";
import { readSample } from "./sample.fixture.js";

const result = importTasks(readSample());
const data = result.ok ? result.data : undefined;

it("the rules agent works every imported task to its end; scores are unscored for want of a label, outcomes unknown", async () => {
  const tasks = openImportedTasks(data);
  for (const id of tasks.ids()) {
    const rollout = await runRollout({
      environment,
      scenario: tasks.open(id),
      agent: rulesAgent,
      attempt: 0,
      runSeed: "s",
    });
    expect(rollout.endReason).toBe("agent_stopped");
    expect(rollout.score).toMatchObject({
      status: "unscored",
      reason: expect.stringContaining("awaiting an expert label"),
    });
    expect(rollout.outcome).toBeNull();
  }
});

it.each(environment.baselines.map((agent) => [agent.name, agent] as const))(
  "%s breaks no imported task",
  async (_, agent) => {
    const tasks = openImportedTasks(data);
    for (const id of tasks.ids()) {
      for (const attempt of [0, 1]) {
        const rollout = await runRollout({ environment, scenario: tasks.open(id), agent, attempt, runSeed: "s" });
        expect(rollout.score).toMatchObject({ status: "unscored", reason: expect.stringContaining("label") });
      }
    }
  },
);

it("a labelled task is scored: the reference solution of the label passes, doing nothing does not", async () => {
  const [id] = openImportedTasks(data).ids();
  const { world, facts } = openImportedTasks(data).open(id!);
  const authorization = world.all("authorizations")[0]!;
  const section = world.where("sections", { source: "manual", number: "B-5" })[0]!.id;
  const label = {
    task: id,
    rootCause: "authorization_on_file_not_sent",
    dispositions: ["reopening"],
    prevention: "interface_monitoring",
    actBy: "2026-04-12",
    correction: {
      claim: facts.claim,
      channel: "reopening",
      changes: [{ field: "authorization", line: null, value: authorization.number }],
      eitherLine: false,
    },
    lookAt: [section, authorization.id],
    followUp: true,
  };
  const labelled = applyLabels(data, [{ name: "labels.jsonl", text: `${JSON.stringify(label)}\n` }]);
  if (!labelled.ok) throw new Error(JSON.stringify(labelled.problems));
  expect(labelled.labelled).toBe(1);
  const tasks = openImportedTasks(JSON.parse(JSON.stringify(labelled.data)));
  const scenario = tasks.open(id!);
  const run = (agent: Parameters<typeof runRollout>[0]["agent"]) =>
    runRollout({ environment, scenario, agent, attempt: 0, runSeed: "s" });
  expect((await run(referenceAgent(environment, scenario))).score).toMatchObject({ status: "scored", passed: true });
  expect((await run(environment.baselines.find(({ name }) => name === "idle")!)).score).toMatchObject({
    status: "scored",
    passed: false,
  });
  const [, other] = tasks.ids();
  expect(tasks.open(other!).facts.labelled).toBe(false);
});
