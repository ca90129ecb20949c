import { describe, expect, test } from "vitest";
import { type Agent, defineAgent } from "windtunnel";
import { identityArchetypes } from "./identity.js";
import { archetypeProperties, attempt, openCase } from "./prove.js";

/** The reference solution, which also cites the payer's answer about the coverage. */
const thorough = (...[environment, scenario]: Parameters<Parameters<typeof attempt>[2]>): Agent =>
  defineAgent({
    name: "thorough",
    open(context) {
      const act = environment.reference(scenario, context);
      let answer: string | undefined;
      return async (observation) => {
        for (const message of observation.messages)
          if (message.role === "tool" && message.ok && message.tool === "eligibility_check")
            answer = (message.value as { answer: string }).answer;
        const action = await act(observation);
        const cite = action.calls?.find(({ tool }) => tool === "evidence_cite");
        if (cite === undefined) return action;
        const { by } = cite.arguments as { by: string };
        return { calls: [...action.calls!, { tool: "evidence_cite", arguments: { by, evidence: answer! } }] };
      };
    },
  });

const SEEDS = Array.from({ length: 12 }, (_, i) => i);

describe.each(identityArchetypes.map((archetype) => [archetype.id, archetype] as const))("%s", (_id, archetype) => {
  test.each(archetypeProperties.map(({ name, faults }) => [name, faults] as const))("%s", async (_name, faults) => {
    expect(await faults(archetype)).toEqual([]);
  });

  test("the approval names the patient and another birth date, and belongs to the other person", () => {
    for (const seed of SEEDS) {
      const { facts, world } = openCase(archetype, seed);
      const patient = world.need("patients", world.need("claims", facts.claim).patient);
      const page = world.need("pages", facts.escalation!.evidence[0]!);
      expect(page.text).toContain(`${patient.first} ${patient.last}`);
      expect(page.text).not.toContain(patient.birthDate);
      expect(world.where("authorizations", { patient: patient.id })).toEqual([]);
    }
  });

  test("what is cited is from the patient's own chart, so nobody else's record leaves it", () => {
    for (const seed of SEEDS) {
      const { facts, world } = openCase(archetype, seed);
      const { document } = world.need("pages", facts.escalation!.evidence[0]!);
      expect(world.need("documents", document).patient).toBe(world.need("claims", facts.claim).patient);
    }
  });

  test("citing the payer's answer about the coverage as well costs nothing", async () => {
    const { score } = await attempt(archetype, 0, thorough);
    expect(score.status === "scored" && score.reward).toBe(1);
  });
});
