import { describe, expect, test } from "vitest";
import { type Agent, defineAgent } from "windtunnel";
import { HCPCS } from "../../reference/hcpcs.js";
import { EMPLOYERS } from "../../reference/names.js";
import { type PayerId, patientLiability } from "../../reference/payer-profile.js";
import { PAYERS } from "../../reference/payers.js";
import { appliedPolicy } from "../../reference/policies.js";
import { addDays, daysBetween } from "../calendar.js";
import { coverageArchetypes } from "./coverage.js";
import { archetypeProperties, attempt, openCase } from "./prove.js";

const named = (id: string) => coverageArchetypes.find((archetype) => archetype.id === id)!;
const SEEDS = Array.from({ length: 12 }, (_, i) => i);

/** A case with its claim and the coverage that should have had it, when another one should. */
function open(id: string, seed: number) {
  const opened = openCase(named(id), seed);
  const { facts, world } = opened;
  const claim = world.need("claims", facts.claim);
  const value = facts.correction?.changes.find(({ field }) => field === "coverage")?.value;
  const right = value === undefined ? undefined : world.need("coverages", value);
  const coverages = world.where("coverages", { patient: claim.patient });
  const member = (coverage: { payer: string; memberId: string }) =>
    world.where("members", { payer: coverage.payer, memberId: coverage.memberId })[0]!;
  return { ...opened, claim, right: right!, billed: world.need("coverages", claim.coverage), coverages, member };
}

const pagesOf = ({ world, facts }: ReturnType<typeof open>, kind: "card" | "court_order" | "employer_letter") =>
  world
    .where("documents", { kind })
    .filter(({ id }) => facts.lookAt.includes(id))
    .flatMap(({ id }) => world.where("pages", { document: id }).map(({ text }) => text));

const ELSEWHERE = coverageArchetypes
  .map(({ id }) => id)
  .filter((id) => openCase(named(id), 0).facts.dispositions.includes("bill_other_payer"));

describe.each(coverageArchetypes.map((archetype) => [archetype.id, archetype] as const))("%s", (_id, archetype) => {
  test.each(archetypeProperties.map(({ name, faults }) => [name, faults] as const))("%s", async (_name, faults) => {
    expect(await faults(archetype)).toEqual([]);
  });
});

/** The reference solution, sending the claim to `coverage` instead of the right one. */
const sendingTo =
  (coverage: string) =>
  (...[environment, scenario]: Parameters<Parameters<typeof attempt>[2]>): Agent =>
    defineAgent({
      name: "elsewhere",
      open(context) {
        const act = environment.reference(scenario, context);
        return async (observation) => {
          const action = await act(observation);
          const calls = action.calls?.map((call) =>
            call.tool === "correction_set_coverage"
              ? { ...call, arguments: { ...(call.arguments as object), coverage } }
              : call,
          );
          return calls === undefined ? action : { ...action, calls };
        };
      },
    });

const monthDay = (birthDate: string) => birthDate.slice(5);

describe("coverage", () => {
  test.each(ELSEWHERE)(
    "%s: the plan to bill covered the date, and every other coverage on file earns nothing",
    async (id) => {
      for (const seed of SEEDS.slice(0, 4)) {
        const { claim, right, coverages, member } = open(id, seed);
        const { from, to } = member(right);
        expect(from <= claim.serviceDate && (to === null || to >= claim.serviceDate)).toBe(true);
        const others = coverages.filter((one) => one.id !== right.id && one.id !== claim.coverage);
        for (const { id: other } of others) {
          const { score, outcome } = await attempt(named(id), seed, sendingTo(other));
          expect([score.status === "scored" && score.passed, outcome?.acceptable]).toEqual([false, false]);
        }
      }
    },
  );

  test("there is another coverage to bill by mistake, beside the right one and the one that refused", () => {
    const tempting = ELSEWHERE.filter((id) => open(id, 0).coverages.length > 2);
    expect(tempting).toEqual(ELSEWHERE);
  });

  test.each(ELSEWHERE)(
    "%s: the payer that is billed asks for no authorization and pays for the service by claim",
    (id) => {
      for (const seed of SEEDS) {
        const { claim, right, world } = open(id, seed);
        const payer = PAYERS.get(right.payer as PayerId);
        for (const { hcpcs } of world.where("claim_lines", { claim: claim.id })) {
          expect(appliedPolicy(hcpcs, payer.id)?.authRequired ?? false).toBe(false);
          expect(payer.rules.capitatedCategories).not.toContain(HCPCS.get(hcpcs).category);
        }
      }
    },
  );

  test("of two parents the earlier birthday in the year is billed, whoever is older", () => {
    const older = SEEDS.map((seed) => {
      const { billed, right } = open("birthday-decides-between-parents", seed);
      expect(monthDay(right.subscriberBirthDate) < monthDay(billed.subscriberBirthDate)).toBe(true);
      return right.subscriberBirthDate < billed.subscriberBirthDate;
    });
    expect(new Set(older).size).toBe(2);
  });

  test("a decree is followed against the birthdays, and the plan knew of it before the service", () => {
    for (const seed of SEEDS) {
      const opened = open("court-order-decides-between-parents", seed);
      const { billed, right, facts, world, claim } = opened;
      expect(monthDay(billed.subscriberBirthDate) < monthDay(right.subscriberBirthDate)).toBe(true);
      expect(pagesOf(opened, "court_order").join(" ")).toContain(`${right.subscriber} shall carry health coverage`);
      const letters = facts.lookAt.filter((id) => id.startsWith("LTR")).map((id) => world.need("letters", id));
      expect(letters.map(({ from }) => from)).toEqual([PAYERS.get(right.payer as PayerId).name]);
      expect(letters.every(({ date }) => date < claim.serviceDate)).toBe(true);
    }
  });

  test("Medicare is first where the headcount is below twenty, and the group plan where it is not", () => {
    const headcount = (pages: readonly string[]) => Number(/had (\d+) employees/.exec(pages.join(" "))![1]);
    for (const seed of SEEDS) {
      const small = open("medicare-first-for-a-small-employer", seed);
      expect(headcount(pagesOf(small, "employer_letter"))).toBeLessThan(20);
      expect([small.right.payer, small.facts.correction!.channel]).toEqual(["medicare-region-c", "reopening"]);
      expect(small.right.from <= small.claim.serviceDate).toBe(true);
      const large = open("secondary-billed-before-the-primary", seed);
      expect(headcount(pagesOf(large, "employer_letter"))).toBeGreaterThanOrEqual(20);
      expect(PAYERS.get(large.right.payer as PayerId).kind).toBe("commercial");
    }
    expect(EMPLOYERS.some(({ employees }) => employees < 20)).toBe(true);
  });

  test("a backwards end is disputed only with an answer that still bound on the date of service", () => {
    for (const seed of SEEDS) {
      const { facts, world, claim, billed, member } = open("retro-terminated-after-a-binding-answer", seed);
      const binds = PAYERS.get(claim.payer as PayerId).rules.verificationBindsDays!;
      const bound = world
        .where("eligibility_answers", { coverage: billed.id })
        .filter(({ checkedOn }) => daysBetween(checkedOn, claim.serviceDate) <= binds);
      expect(bound.map(({ id }) => id)).toEqual(facts.appeal!.evidence);
      expect(facts.appeal!.channel).toBe("payer_dispute");
      expect(member(billed).to! < claim.serviceDate).toBe(true);
    }
  });

  test("the patient is billed in full only where the payer's table allows it, no coverage is active and no answer binds", () => {
    for (const seed of SEEDS) {
      const { facts, world, claim, coverages, member } = open("coverage-ended-and-no-other-found", seed);
      const payer = PAYERS.get(claim.payer as PayerId);
      const [remit] = world.where("remits", { claim: claim.id });
      const { group, carc } = world.where("remit_lines", { remit: remit!.id })[0]!.adjustments[0]!;
      const situation = { group: group as "CO", carc, notice: "none", qmb: false, coverageActive: false } as const;
      expect(patientLiability(payer, situation).mayBill).toBe(true);
      expect(patientLiability(payer, { ...situation, coverageActive: true }).mayBill).toBe(false);
      expect(facts.patientAmount).toBe(claim.total);
      for (const { from, to } of coverages.map(member))
        expect(from > claim.serviceDate || (to !== null && to < claim.serviceDate)).toBe(true);
      const answers = world.all("eligibility_answers");
      const last = payer.rules.verificationBindsDays ?? 0;
      expect(answers.every(({ checkedOn }) => addDays(checkedOn, last) < claim.serviceDate)).toBe(true);
    }
  });

  test("a rejected claim has no remittance and no payer's number, and goes out again as a first claim", () => {
    for (const seed of SEEDS) {
      const { facts, world, claim } = open("rejected-for-a-mistyped-member-id", seed);
      expect(world.where("remits", { claim: claim.id })).toEqual([]);
      expect([claim.payerClaimNumber, facts.correction!.channel]).toEqual([null, "new_claim"]);
    }
  });

  test("the right member id is the payer's own and is on a card in the chart; the one that was typed is nobody's", () => {
    for (const id of ["rejected-for-a-mistyped-member-id", "mistyped-member-id-not-recognised"])
      for (const seed of SEEDS) {
        const opened = open(id, seed);
        const { value } = opened.facts.correction!.changes[0]!;
        const known = opened.world.where("members", { payer: opened.claim.payer }).map(({ memberId }) => memberId);
        expect(known).toContain(value);
        expect(known).not.toContain(opened.claim.memberId);
        expect(pagesOf(opened, "card").join(" ")).toContain(value);
      }
  });

  test("a move to Medicare Advantage starts on the first of the month of the service, and Medicare's answer names the plan", () => {
    for (const seed of SEEDS) {
      const { claim, right, billed, member } = open("original-medicare-billed-for-an-advantage-member", seed);
      expect(right.from).toBe(`${claim.serviceDate.slice(0, 7)}-01`);
      expect(member(billed).remark).toContain(PAYERS.get(right.payer as PayerId).name);
    }
  });

  test("what is waived by capitation is of the payer's capitated kind, for a member listed in that month", () => {
    for (const seed of SEEDS) {
      const { facts, world, claim } = open("capitated-supplies-on-the-roster", seed);
      const payer = PAYERS.get(claim.payer as PayerId);
      const lines = world.where("claim_lines", { claim: claim.id });
      expect(lines.every(({ hcpcs }) => payer.rules.capitatedCategories.includes(HCPCS.get(hcpcs).category))).toBe(
        true,
      );
      const [roster] = facts.lookAt.filter((id) => id.startsWith("LTR")).map((id) => world.need("letters", id));
      expect(roster!.subject).toContain(claim.serviceDate.slice(0, 7));
      expect(roster!.text).toContain(`${claim.memberId}`);
      expect(facts.adjustments.map(({ type }) => type)).toEqual(lines.map(() => "contractual"));
    }
  });
});
