/**
 * Proves an archetype: what must hold of every case it builds, whatever the seed. Each property gives its faults as data, none when it holds.
 * It runs one archetype in an environment of its own, so a property never depends on the mix.
 */
import {
  type Agent,
  defineAgent,
  defineEnvironment,
  type Environment,
  openScenario,
  type Rollout,
  type Row,
  referenceAgent,
  runRollout,
  type Scenario,
} from "windtunnel";
import { toCents } from "../../codec/decimal.js";
import {
  balanceRemittance,
  parseAcknowledgments,
  parseClaims,
  parseInterchange,
  parseRemittances,
} from "../../codec/index.js";
import { WRITE_OFF_LIMIT_CENTS } from "../../reference/authority.js";
import { ROOT_CAUSES } from "../../reference/root-causes.js";
import type { Archetype } from "../archetype.js";
import { dateOf, msOf } from "../calendar.js";
import { world } from "../definition.js";
import type { DenialFacts } from "../facts.js";
import { outcome } from "../outcome.js";
import { referenceSolution } from "../reference-solution.js";
import { rubric } from "../rubric.js";
import { systems } from "../tools/index.js";
import type { DenialTables } from "../world.js";

type Case = Scenario<DenialTables, DenialFacts>;

/** A sentence true of any right archetype, and the faults of one that breaks it. */
export interface ArchetypeProperty {
  readonly name: string;
  faults(archetype: Archetype): readonly string[] | Promise<readonly string[]>;
}

const SEEDS = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const REWARD = 0.97;

/** The archetype alone, with the office's own tools, rubric and outcome. */
export function environmentOf(archetype: Archetype): Environment<DenialTables, DenialFacts> {
  return defineEnvironment<DenialTables, DenialFacts>({
    name: `revenue-cycle/denials/${archetype.id}`,
    version: "0",
    description: archetype.id,
    world,
    systems,
    startAt: msOf("2026-01-12") + 8 * 3_600_000,
    limits: { turns: 80, toolCalls: 120 },
    instructions: "Work the item.",
    generate(rows, draw) {
      const facts = archetype.build(rows, draw);
      return {
        prompt: `Work item ${facts.item}: ${rows.need("items", facts.item).headline}`,
        archetype: archetype.id,
        family: archetype.family,
        facts,
      };
    },
    rubric,
    outcome,
    reference: referenceSolution,
  });
}

/** The case that a seed gives. */
export const openCase = (archetype: Archetype, seed: number): Case =>
  openScenario(environmentOf(archetype), `train/${seed}/0`);

/** One attempt at a case. */
export function attempt(
  archetype: Archetype,
  seed: number,
  agentOf: (environment: Environment<DenialTables, DenialFacts>, scenario: Case) => Agent,
): Promise<Rollout> {
  const environment = environmentOf(archetype);
  const scenario = openScenario(environment, `train/${seed}/0`);
  return runRollout({ environment, scenario, agent: agentOf(environment, scenario), attempt: 0, runSeed: "prove" });
}

const idle = defineAgent({ name: "idle", open: () => () => ({}) });

const ofCases = (name: string, faultsOf: (scenario: Case) => readonly string[]): ArchetypeProperty => ({
  name,
  faults: (archetype) =>
    SEEDS.flatMap((seed) => faultsOf(openCase(archetype, seed)).map((fault) => `seed ${seed}: ${fault}`)),
});

const ofRollouts = (
  name: string,
  agentOf: Parameters<typeof attempt>[2],
  faultsOf: (rollout: Rollout) => readonly string[],
): ArchetypeProperty => ({
  name,
  async faults(archetype) {
    const faults: string[] = [];
    for (const seed of SEEDS)
      faults.push(...faultsOf(await attempt(archetype, seed, agentOf)).map((fault) => `seed ${seed}: ${fault}`));
    return faults;
  },
});

/** Every row that the grader's facts name. */
function namedRows(facts: DenialFacts): string[] {
  const { correction, appeal, records, retro, refund, escalation } = facts;
  return [
    facts.item,
    facts.claim,
    ...facts.lookAt,
    ...facts.related,
    ...(correction === null
      ? []
      : [correction.claim, ...correction.changes.flatMap(({ line }) => (line === null ? [] : [line]))]),
    ...(appeal === null ? [] : [appeal.claim, ...appeal.evidence, ...appeal.alsoFitting]),
    ...(records === null ? [] : [records.request, ...records.pages]),
    ...(retro === null ? [] : [retro.claim, ...retro.evidence]),
    ...facts.adjustments.map(({ line }) => line),
    ...(refund === null ? [] : [refund.claim]),
    ...(escalation === null ? [] : escalation.evidence),
  ];
}

function fileFaults({ world: rows }: Case): string[] {
  const faults: string[] = [];
  const check = (id: string, problems: readonly unknown[]) => {
    if (problems.length > 0) faults.push(`${id}: ${JSON.stringify(problems[0])}`);
  };
  for (const { id, file } of rows.all("claims")) check(id, parseClaims(file).problems);
  for (const { id, source, file } of rows.all("acknowledgments"))
    check(id, (source === "999" ? parseInterchange(file) : parseAcknowledgments(file)).problems);
  for (const { id, file } of rows.all("remits")) {
    const parsed = parseRemittances(file);
    check(id, parsed.problems);
    if (parsed.ok) for (const remittance of parsed.value.remittances) check(id, balanceRemittance(remittance));
  }
  return faults;
}

const PRICING = new Set(["1", "2", "3", "23", "45"]);

/** Reason codes for which the item's claim was refused, in whole or in part. */
function refusals({ facts, world: rows }: Case): string[] {
  const remits = rows.where("remits", { claim: facts.claim });
  const lines = remits.flatMap(({ id }): readonly Row<DenialTables["remit_lines"]>[] =>
    rows.where("remit_lines", { remit: id }),
  );
  return [...new Set(lines.flatMap(({ adjustments }) => adjustments.map(({ carc }) => carc)))].filter(
    (carc) => !PRICING.has(carc),
  );
}

function pickListFaults(scenario: Case): string[] {
  const { facts, world: rows } = scenario;
  const item = rows.need("items", facts.item);
  const cause = ROOT_CAUSES.get(facts.rootCause);
  const carcs = refusals(scenario);
  return [
    ...(item.causes.includes(facts.rootCause) ? [] : [`cause ${facts.rootCause} is not offered`]),
    ...(item.causes.length < 2 ? ["only one cause is offered"] : []),
    ...facts.dispositions
      .filter((one) => !item.dispositions.includes(one))
      .map((one) => `disposition ${one} is not offered`),
    ...(item.preventions.includes(facts.prevention) ? [] : [`prevention ${facts.prevention} is not offered`]),
    ...(carcs.length === 0 || carcs.some((carc) => cause.carcs.includes(carc))
      ? []
      : [`cause ${cause.id} does not stand behind ${carcs.join(", ")}`]),
  ];
}

function authorityFaults({ facts }: Case): string[] {
  const written = facts.adjustments
    .filter(({ type }) => type === "write_off")
    .reduce((sum, { amount }) => sum + toCents(amount), 0);
  return written > WRITE_OFF_LIMIT_CENTS.biller! && !facts.needsApproval
    ? [`writes off ${written / 100} without approval`]
    : [];
}

/** The properties of a case as built, then those of working it. */
export const archetypeProperties: readonly ArchetypeProperty[] = [
  ofCases("every row fits its table", ({ world: rows }) => rows.validate()),
  ofCases("every row that the facts name exists", ({ facts, world: rows }) =>
    namedRows(facts).filter((id) => !rows.tableNames.some((table) => rows.get(table, id) !== undefined)),
  ),
  ofCases("every file parses, and every remittance adds up", fileFaults),
  ofCases("the right answers are among the options, and the cause can stand behind the reason code", pickListFaults),
  ofCases("what is due can still be done today", ({ facts, world: rows }) =>
    facts.actBy === null || facts.actBy >= dateOf(rows.now) ? [] : [`due by ${facts.actBy}`],
  ),
  ofCases("no write-off is due that the biller may not decide alone", authorityFaults),
  {
    name: "the same seed gives the same world, and no two seeds do",
    faults(archetype) {
      const hashes = SEEDS.map((seed) => openCase(archetype, seed).world.hash());
      return [
        ...(openCase(archetype, SEEDS[0]).world.hash() === hashes[0] ? [] : ["the same seed gave another world"]),
        ...(new Set(hashes).size === hashes.length ? [] : ["two seeds gave one world"]),
      ];
    },
  },
  ofRollouts(
    "the reference solution passes with nearly all points, and its end is acceptable",
    referenceAgent,
    ({ score, outcome: result }) => {
      if (score.status !== "scored") return [score.reason];
      const short = score.results
        .filter(({ verdict }) => verdict.kind === "scored" && verdict.value < 1)
        .map(({ name, verdict }) => `${name}: ${JSON.stringify(verdict)}`);
      return [
        ...(score.passed && score.reward >= REWARD ? [] : [`reward ${score.reward}; ${short.join("; ")}`]),
        ...(result?.acceptable === true ? [] : [`outcome ${JSON.stringify(result)}`]),
      ];
    },
  ),
  ofRollouts(
    "doing nothing earns nothing",
    () => idle,
    ({ score, outcome: result }) => [
      ...(score.status === "scored" && score.reward === 0 ? [] : [JSON.stringify(score)]),
      ...(result?.value === 0 && !result.acceptable ? [] : [`outcome ${JSON.stringify(result)}`]),
    ],
  ),
];
