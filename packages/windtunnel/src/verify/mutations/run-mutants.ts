/**
 * Runs the catalogue over recorded reference solutions (and other accepted rollouts): records a seed for each, makes mutants up to a budget per
 * operator, executes each in a fresh world, and says what became of it. Deterministic under a seed. Outages are off, except where they are the mutation.
 */
import type { AnyEnvironment, Scenario } from "../../core/environment.js";
import { digestOf } from "../../core/hash.js";
import { Random } from "../../core/random.js";
import type { Verdict } from "../../core/verdict.js";
import { recordReference, type Trajectory } from "../trajectory.js";
import { OPERATORS } from "./catalogue.js";
import { type Fate, fallenOf, fateOf, isDeclaredAlternative, isEquivalent, isFalseKill } from "./classify.js";
import type { Operator } from "./draft.js";
import { type Executed, executeDraft } from "./execute-draft.js";
import { observeTrajectory, withFaults } from "./observed-run.js";
import { Seed } from "./seed.js";
import { Aboutness, targetsOf } from "./targets.js";

export interface MutationOptions {
  readonly seed?: number;
  /** Mutants executed per operator at most, those that came to nothing left out. Default 40. */
  readonly perOperator?: number;
  /** Mutants of one operator per seed trajectory at most. Default 2. */
  readonly perSeed?: number;
  /** Keys of mutants that an expert has looked at and called as good as their seed; they count as benign. */
  readonly reviewed?: ReadonlySet<string>;
  /** Operators to run, by id; all when absent. */
  readonly operators?: readonly string[];
  readonly onProgress?: (done: { readonly operator: string; readonly executed: number }) => void;
}

/** A task with trajectories on it that are accepted beside the reference solution's. */
export interface MutationSubject {
  readonly scenario: Scenario;
  readonly accepted?: readonly Trajectory[];
}

export interface MutantRecord {
  /** Names the mutant across runs: operator, task and what was done. */
  readonly key: string;
  readonly operator: string;
  readonly task: string;
  readonly archetype: string;
  readonly what: string;
  readonly fate: Fate;
  /** Benign operators: the rubric punishes it. Null for damage. */
  readonly falseKill: boolean | null;
  readonly reward: number;
  readonly seedReward: number;
  readonly passed: boolean;
  /** Would the outcome be accepted? Null when it could not be read. */
  readonly acceptable: boolean | null;
  readonly targets: readonly string[];
  /** Questions answered worse than in the seed. */
  readonly fell: readonly string[];
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** End state against the seed's: lines that only one has; kept for mutants that pass. */
  readonly difference: readonly string[];
}

/** How often an operator was tried and came to nothing. */
export interface OperatorTally {
  readonly operator: Operator;
  readonly seeds: number;
  /** Reasons that it does not apply, with the number of seeds. */
  readonly missing: ReadonlyMap<string, number>;
  /** Refused by the tools, or without effect: no mutant. */
  readonly stillborn: ReadonlyMap<string, number>;
}

export interface SeedRecord {
  readonly task: string;
  readonly archetype: string;
  readonly reward: number;
  readonly passed: boolean;
  readonly acceptable: boolean | null;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

export interface MutationRun {
  readonly environment: AnyEnvironment;
  readonly seed: number;
  readonly seeds: readonly SeedRecord[];
  /** Tasks whose reference could not be recorded or executed again, with the reason. */
  readonly unusable: readonly { readonly task: string; readonly reason: string }[];
  readonly tallies: readonly OperatorTally[];
  readonly mutants: readonly MutantRecord[];
}

/** At most this share of an operator's mutants is set aside as equivalent; the rest survives. */
export const EQUIVALENT_SHARE = 0.15;
/** Drafts tried per mutant wanted. */
const PATIENCE = 4;

/** Records seeds, makes, executes and classifies mutants. */
export async function runMutants(
  given: AnyEnvironment,
  subjects: readonly MutationSubject[],
  options: MutationOptions = {},
): Promise<MutationRun> {
  const { seed = 0, operators, reviewed = new Set<string>() } = options;
  const environment = withFaults(given, 0);
  const random = new Random(`mutants/${seed}`);
  const { seeds, unusable } = await recordSeeds(environment, subjects);
  const about = new Aboutness();
  for (const one of seeds) about.note(one.run.verdicts);
  const executed: Executed[] = [];
  const tallies: OperatorTally[] = [];
  for (const operator of OPERATORS) {
    if (operators !== undefined && !operators.includes(operator.id)) continue;
    const { tally, done } = await runOperator(operator, seeds, random.derive(operator.id), options);
    tallies.push(tally);
    for (const one of done) about.note(one.run.verdicts);
    executed.push(...done);
  }
  return {
    environment: given,
    seed,
    seeds: seeds.map(({ scenario, run }) => ({
      task: scenario.task.id,
      archetype: scenario.task.archetype,
      reward: run.reward,
      passed: run.passed,
      acceptable: run.acceptable,
      verdicts: run.verdicts,
    })),
    unusable,
    tallies,
    mutants: setAside(executed.map((one) => toRecord(one, about, reviewed))),
  };
}

/** The reference solution of each task, and its other accepted trajectories, executed as they are. */
export async function recordSeeds(environment: AnyEnvironment, subjects: readonly MutationSubject[]) {
  const seeds: Seed[] = [];
  const unusable: { task: string; reason: string }[] = [];
  for (const { scenario, accepted = [] } of subjects) {
    const { trajectory, rollout } = await recordReference(environment, scenario);
    for (const one of [trajectory, ...accepted]) {
      const run = await observeTrajectory(environment, scenario, one);
      if (run.alive && run.scored && rollout.score.status === "scored")
        seeds.push(new Seed(environment, scenario, one, run));
      else
        unusable.push({
          task: scenario.task.id,
          reason: !run.alive
            ? run.reason
            : rollout.score.status === "scored"
              ? "the trajectory gives no score when it is executed again"
              : rollout.score.reason,
        });
    }
  }
  return { seeds, unusable };
}

async function runOperator(
  operator: Operator,
  seeds: readonly Seed[],
  random: Random,
  { perOperator = 40, perSeed = 2, onProgress }: MutationOptions,
): Promise<{ tally: OperatorTally; done: readonly Executed[] }> {
  const missing = new Map<string, number>();
  const stillborn = new Map<string, number>();
  const count = (map: Map<string, number>, reason: string) => map.set(reason, (map.get(reason) ?? 0) + 1);
  const done: Executed[] = [];
  let applicable = 0;
  for (const seed of random.shuffle(seeds)) {
    const reason = operator.missing(seed);
    if (reason !== null) {
      count(missing, reason);
      continue;
    }
    if (done.length >= perOperator) {
      applicable++;
      continue;
    }
    const drafts = operator.make(seed, random.derive(seed.trajectory.task));
    if (drafts.length === 0) {
      count(missing, "there is no place for it in this solution");
      continue;
    }
    applicable++;
    let made = 0;
    for (const draft of drafts.slice(0, perSeed * PATIENCE)) {
      if (made >= perSeed || done.length >= perOperator) break;
      const result = await executeDraft(operator, seed, draft);
      if (typeof result === "string") count(stillborn, result);
      else {
        done.push(result);
        made++;
        onProgress?.({ operator: operator.id, executed: done.length });
      }
    }
  }
  return { tally: { operator, seeds: applicable, missing, stillborn }, done };
}

function toRecord(
  { operator, seed, draft, run, base, touched }: Executed,
  about: Aboutness,
  reviewed: ReadonlySet<string>,
): MutantRecord {
  const { environment, scenario } = seed;
  const key = digestOf([operator.id, scenario.task.id, draft.what]).slice(0, 12);
  const targets =
    base === null
      ? targetsOf(environment, seed.run.verdicts, run.verdicts, touched, about, operator.additive)
      : new Set<string>();
  const benign = !operator.harmful || reviewed.has(key);
  const fate = ((): Fate => {
    if (base !== null)
      return !run.scored ? "errored" : run.passed || run.reward > base.reward + 1e-9 ? "survived" : "killed";
    if (operator.harmful && isEquivalent(seed.run, run)) return "equivalent";
    const { replaced } = draft;
    if (operator.harmful && replaced !== undefined && isDeclaredAlternative(seed.run, run, scenario.facts, replaced))
      return "equivalent";
    return fateOf(environment, seed.run, run, targets);
  })();
  return {
    key,
    operator: operator.id,
    task: scenario.task.id,
    archetype: scenario.task.archetype,
    what: draft.what,
    fate,
    falseKill: benign ? isFalseKill(environment, seed.run, run) : null,
    reward: run.reward,
    seedReward: base?.reward ?? seed.run.reward,
    passed: run.passed,
    acceptable: run.acceptable,
    targets: [...targets],
    fell: base === null ? fallenOf(seed.run, run) : [],
    verdicts: run.verdicts,
    difference: run.passed && operator.harmful ? differenceOf(seed.run.state, run.state) : [],
  };
}

function differenceOf(seed: readonly string[], mutant: readonly string[]): readonly string[] {
  const [mine, theirs] = [new Set(mutant), new Set(seed)];
  return [
    ...seed.filter((line) => !mine.has(line)).map((line) => `- ${line.slice(0, 240)}`),
    ...mutant.filter((line) => !theirs.has(line)).map((line) => `+ ${line.slice(0, 240)}`),
  ].slice(0, 12);
}

/** Lets the rule of equivalence set aside no more than its share of an operator; what is beyond counts as survived. */
function setAside(records: readonly MutantRecord[]): readonly MutantRecord[] {
  const total = new Map<string, number>();
  for (const { operator } of records) total.set(operator, (total.get(operator) ?? 0) + 1);
  const left = new Map([...total].map(([operator, count]) => [operator, Math.floor(count * EQUIVALENT_SHARE)]));
  return records.map((record) => {
    if (record.fate !== "equivalent") return record;
    const room = left.get(record.operator)!;
    left.set(record.operator, room - 1);
    return room > 0 ? record : { ...record, fate: "survived" };
  });
}
