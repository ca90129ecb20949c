/** Imported data as a task source: each task opens a world of its own patient's rows, on the office's day after the newest date of the files. */
import { type Environment, type Scenario, type Task, type TaskSource, UsageError, World } from "windtunnel";
import { PAYERS } from "../../reference/payers.js";
import { msOf } from "../calendar.js";
import type { DenialFacts } from "../facts.js";
import { addPayerLibrary } from "../library.js";
import type { DenialTables } from "../world.js";
import { IMPORTED_TABLES, type ImportedPatient, type ImportedTask, parseImportedData } from "./imported-data.js";

const OPENING_MS = 8 * 3_600_000;

type Office = World<DenialTables>;
type DenialEnvironment = Environment<DenialTables, DenialFacts>;

/** Opens imported data. Throws UsageError when it is not what an import made, or for an id that it does not hold. */
export function openTasks(environment: DenialEnvironment, value: unknown): TaskSource<DenialTables, DenialFacts> {
  const data = parseImportedData(value);
  const tasks = new Map(
    data.patients.flatMap((patient) => patient.tasks.map((task) => [task.id, { task, patient }] as const)),
  );
  return {
    description: `${tasks.size} tasks imported from files ${data.digest}`,
    size: tasks.size,
    ids: () => tasks.keys(),
    open(id) {
      const found = tasks.get(id);
      if (found === undefined)
        throw new UsageError({
          code: "unknown_task",
          what: "No such imported task",
          path: environment.name,
          expected: `one of the ${tasks.size} ids that begin with "imported/${data.digest}/"`,
          actual: id,
        });
      return openTask(environment, found.patient, found.task, data.today);
    },
  };
}

/** The world of one task, as an episode starts with it. */
export function openWorld(
  environment: Pick<DenialEnvironment, "name" | "world">,
  patient: ImportedPatient,
  task: ImportedTask,
  today: string,
): Office {
  const world: Office = World.open(environment.world, {
    seed: `${environment.name}/${task.id}`,
    now: msOf(today) + OPENING_MS,
  });
  for (const payer of patient.payers) addPayerLibrary(world, PAYERS.get(payer));
  const add = <N extends (typeof IMPORTED_TABLES)[number]>(table: N) => {
    for (const row of patient.rows[table]) world.insert(table, row as Parameters<typeof world.insert<N>>[1]);
  };
  for (const table of IMPORTED_TABLES) add(table);
  world.insert("items", task.item);
  world.takeChanges();
  return world;
}

function openTask(
  environment: DenialEnvironment,
  patient: ImportedPatient,
  imported: ImportedTask,
  today: string,
): Scenario<DenialTables, DenialFacts> {
  const { id, item, facts, archetype } = imported;
  const task: Task = Object.freeze({
    id,
    environment: environment.name,
    prompt: `Work item ${item.id}: ${item.headline}. Today is ${today}.`,
    seed: `${environment.name}/${id}`,
    family: "imported",
    archetype,
    split: "train",
    sourceGroup: `${id.slice(0, id.lastIndexOf("/"))}/${patient.rows.patients[0]?.id}`,
    limits: environment.limits,
  });
  return { task, facts, world: openWorld(environment, patient, imported, today).fork().readOnly() };
}
