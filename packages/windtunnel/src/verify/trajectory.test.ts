import { expect, it } from "vitest";
import { openScenario } from "../core/environment.js";
import { referenceAgent, runRollout } from "../core/rollout.js";
import { drop, duplicate } from "./edit.js";
import { permitDesk } from "./mutations/permit-desk.fixture.js";
import { callOf, executeTrajectory, recordReference, toTrajectory } from "./trajectory.js";

const desk = permitDesk();
const ids = Array.from({ length: 12 }, (_, i) => `train/0/${i}`);
const rewardOf = (execution: Awaited<ReturnType<typeof executeTrajectory>>) =>
  execution.alive && execution.rollout.score.status === "scored" ? execution.rollout.score.reward : null;

it("executes what was recorded to the same end, whatever outages either meets", async () => {
  for (const id of ids) {
    const scenario = openScenario(desk, id);
    const { trajectory, rollout } = await recordReference(desk, scenario);
    const stormy = {
      ...desk,
      tools: new Map(
        [...desk.tools].map(([name, one]) => [
          name,
          { ...one, system: { ...one.system, faults: { unavailable: 0.3 } } },
        ]),
      ),
    };
    expect(rollout.score).toMatchObject({ reward: 1 });
    expect(rewardOf(await executeTrajectory(desk, scenario, trajectory))).toBe(1);
    expect(rewardOf(await executeTrajectory(stormy, scenario, trajectory))).toBe(1);
  }
});

it("leaves out calls that an outage swallowed", async () => {
  const scenario = openScenario(desk, "train/0/0");
  const lost = {
    ...desk,
    tools: new Map(
      [...desk.tools].map(([name, one]) => [name, { ...one, system: { ...one.system, faults: { unavailable: 0.5 } } }]),
    ),
  };
  const rollout = await runRollout({
    environment: lost,
    scenario,
    agent: referenceAgent(desk, scenario),
    attempt: 0,
    runSeed: "t",
  });
  const failed = rollout.events.filter((event) => event.type === "call" && !event.ok);
  expect(failed.length).toBeGreaterThan(0);
  expect(toTrajectory(desk, rollout).steps).toHaveLength(12);
});

it("takes any number of calls a turn to the same end", async () => {
  const scenario = openScenario(desk, "train/0/3");
  const { trajectory } = await recordReference(desk, scenario);
  for (const callsPerTurn of [1, 2, 4, 8])
    expect(rewardOf(await executeTrajectory(desk, scenario, trajectory, { callsPerTurn }))).toBe(1);
});

it("calls a trajectory stillborn when a call that was accepted is refused", async () => {
  const scenario = openScenario(desk, "train/0/1");
  const { trajectory } = await recordReference(desk, scenario);
  const steps = trajectory.steps.map((step) =>
    step.tool === "set_tier" ? { ...step, arguments: { ...step.arguments, application: { value: "APP-1" } } } : step,
  );
  const execution = await executeTrajectory(desk, scenario, { ...trajectory, steps });
  expect(execution).toMatchObject({ alive: false, reason: expect.stringContaining("set_tier was refused") });
  expect((await executeTrajectory(desk, scenario, { ...trajectory, steps }, { strict: false })).alive).toBe(true);
});

it("names each call after its step", async () => {
  const scenario = openScenario(desk, "train/0/2");
  const { trajectory } = await recordReference(desk, scenario);
  const dropped = drop(({ tool }) => tool === "note_add")(trajectory)!;
  const execution = await executeTrajectory(desk, scenario, dropped);
  const calls = execution.alive
    ? execution.rollout.events.flatMap((event) => (event.type === "call" && event.ok ? [event.call] : []))
    : [];
  expect(calls).toEqual(dropped.steps.map(callOf));
});

it("makes a duplicated call once more and does not die of its refusal", async () => {
  const scenario = openScenario(desk, "train/0/2");
  const { trajectory } = await recordReference(desk, scenario);
  const execution = await executeTrajectory(desk, scenario, duplicate(({ tool }) => tool === "attach")(trajectory)!);
  const attached = execution.alive
    ? execution.rollout.events.filter((event) => event.type === "call" && event.tool === "attach" && event.ok)
    : [];
  expect(attached).toHaveLength(4);
});
