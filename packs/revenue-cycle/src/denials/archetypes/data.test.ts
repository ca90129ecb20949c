import { describe, expect, test } from "vitest";
import { type Agent, defineAgent, type ToolCall } from "windtunnel";
import type { PayerId } from "../../reference/payer-profile.js";
import { appliedPolicy } from "../../reference/policies.js";
import { draftCorrection } from "../corrected-claim.js";
import { dataArchetypes } from "./data.js";
import { diagnosisArchetypes } from "./data-diagnosis.js";
import { enrollmentArchetypes } from "./data-enrollment.js";
import { archetypeProperties, attempt, openCase } from "./prove.js";

const all = [...dataArchetypes, ...diagnosisArchetypes, ...enrollmentArchetypes];
const named = (id: string) => all.find((archetype) => archetype.id === id)!;
/** The reference solution, with its calls altered. */
function differently(
  ...[environment, scenario, alter]: [...Parameters<Parameters<typeof attempt>[2]>, (call: ToolCall) => ToolCall]
): Agent {
  return defineAgent({
    name: "differently",
    open(context) {
      const act = environment.reference(scenario, context);
      return async (observation) => {
        const action = await act(observation);
        return action.calls === undefined ? action : { ...action, calls: action.calls.map(alter) };
      };
    },
  });
}

const SEEDS = Array.from({ length: 12 }, (_, i) => i);

describe.each(all.map((archetype) => [archetype.id, archetype] as const))("%s", (_id, archetype) => {
  test.each(archetypeProperties.map(({ name, faults }) => [name, faults] as const))("%s", async (_name, faults) => {
    expect(await faults(archetype)).toEqual([]);
  });
});

describe("claim data", () => {
  test("a field that is missing is never given by the claim itself, and is written in the deciding document", () => {
    for (const archetype of dataArchetypes) {
      for (const seed of SEEDS) {
        const { facts, world } = openCase(archetype, seed);
        const [change] = facts.correction!.changes;
        expect(world.need("claims", facts.claim).file).not.toContain(change!.value);
        const documents = facts.lookAt.filter((id) => id.startsWith("DOC-"));
        const text = documents
          .flatMap((document) => world.where("pages", { document }))
          .map((page) => page.text)
          .join(" ");
        expect(text).toContain(change!.value);
      }
    }
  });

  test("the chart also holds values of the same kind that are not this claim's", () => {
    for (const archetype of dataArchetypes) {
      for (const seed of SEEDS) {
        const { facts, world } = openCase(archetype, seed);
        const [change] = facts.correction!.changes;
        const shape = new RegExp(`\\b\\d{${change!.value.length}}\\b`, "g");
        const values = new Set(world.all("pages").flatMap(({ text }) => text.match(shape) ?? []));
        expect(values.size).toBeGreaterThan(1);
      }
    }
  });

  test("the same missing field goes back to Original Medicare as a new claim or by reopening, as the remark says", () => {
    for (const seed of SEEDS) {
      expect(openCase(named("unprocessable-at-medicare"), seed).facts.correction!.channel).toBe("new_claim");
      const { facts, world } = openCase(named("drug-code-left-off"), seed);
      if (world.need("claims", facts.claim).payer === "medicare-region-c")
        expect(facts.correction!.channel).toBe("reopening");
    }
  });

  test("a diagnosis that is to be added supports the item under the payer's policy", () => {
    for (const seed of SEEDS) {
      const { facts, world } = openCase(named("diagnosis-left-off"), seed);
      const claim = world.need("claims", facts.claim);
      const [line] = world.where("claim_lines", { claim: claim.id });
      const covered = appliedPolicy(line!.hcpcs, claim.payer as PayerId)!.diagnoses;
      expect(covered).toContain(facts.correction!.changes[0]!.value);
      expect(claim.diagnoses.filter((code) => covered.includes(code))).toEqual([]);
    }
  });

  test("a code that succeeds a retired one takes its place, and any other is added", () => {
    const { facts, world } = openCase(named("diagnosis-code-retired"), 0);
    const office = world.fork();
    const draft = (diagnosis: string) => {
      const correction = office.insert("corrections", {
        claim: facts.claim,
        channel: "new_claim",
        status: "draft",
        sentAs: null,
      });
      office.insert("correction_changes", {
        correction: correction.id,
        line: null,
        field: "diagnosis",
        value: diagnosis,
      });
      return draftCorrection(office, correction, "2026-06-01").diagnoses;
    };
    const { diagnoses } = world.need("claims", facts.claim);
    const [right] = facts.correction!.changes;
    expect(draft(right!.value)).toEqual([right!.value]);
    expect(draft("I10")).toEqual([...diagnoses, "I10"]);
  });

  test("putting a colleague's number on the claim earns nothing", async () => {
    const archetype = named("rendering-number-dropped");
    for (const seed of SEEDS.slice(0, 4)) {
      const rollout = await attempt(archetype, seed, (environment, scenario) => {
        const [right] = scenario.facts.correction!.changes;
        const colleague = scenario.world
          .all("claims")
          .find(({ renderingNpi }) => renderingNpi !== null && renderingNpi !== right!.value)!;
        return differently(environment, scenario, (call) =>
          call.tool === "correction_set_provider"
            ? { ...call, arguments: { ...(call.arguments as object), npi: colleague.renderingNpi } }
            : call,
        );
      });
      expect(rollout.score.status === "scored" && rollout.score.reward).toBe(0);
      const gate = rollout.score.results.find(({ name }) => name === "true_identity");
      expect(gate?.verdict).toMatchObject({ kind: "scored", value: 0 });
    }
  });

  test("with a day left, waiting for a confirmation loses the money", async () => {
    const archetype = named("clock-runs-out-tomorrow");
    for (const seed of SEEDS.slice(0, 4)) {
      const late = await attempt(archetype, seed, (environment, scenario) =>
        defineAgent({
          name: "waits first",
          open(context) {
            const act = environment.reference(scenario, context);
            let waited = false;
            return (observation) => {
              if (waited) return act(observation);
              waited = true;
              return { calls: [{ tool: "wait", arguments: { until: "next_week" } }] };
            };
          },
        }),
      );
      expect(late.score.status === "scored" && late.score.passed).toBe(false);
      expect(late.outcome?.value).toBeCloseTo(0);
    }
  });
});
