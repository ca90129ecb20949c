/** Damage by doing more, or something else: acts nobody called for, acts done twice, undone, handed over, or done with the wrong tool. */
import { Random } from "../../core/random.js";
import { drop } from "../edit.js";
import type { Step } from "../trajectory.js";
import { alternativesTo, fillArguments } from "./alternative-values.js";
import { type Draft, damage, insertedAt, type Operator, show, tells, withSteps } from "./draft.js";
import { parametersOf } from "./parameter.js";
import type { Seed } from "./seed.js";
import { siblingsOf, stepsTogether } from "./step-relations.js";

const effects = (seed: Seed, step: Step) => seed.event(step)?.changes ?? [];

const extraWrite = damage(
  "H8",
  "extra write",
  "A write of the solution's kind is made about a record it has nothing to do with.",
  {
    additive: true,
    missing: (seed) =>
      strangers(seed, new Random("any")).length > 0 ? null : "no write can be made about another record",
    make: (seed, random) =>
      strangers(seed, random).flatMap((step) => {
        const place = seed.steps.indexOf(seed.writes[seed.writes.length - 1]!);
        return [{ what: `also ${tells(step)}`, trajectory: insertedAt(seed, place, [step]) }];
      }),
  },
);

/** One write per tool, every reference of it to a row that no step of the seed names, nor a row that it names points at. */
function strangers(seed: Seed, random: Random): Step[] {
  const known = new Set(seed.named);
  for (const id of seed.named) for (const value of Object.values(seed.pool.row(id) ?? {})) known.add(value);
  const id = 1 + Math.max(...seed.steps.map((step) => step.id));
  return seed.tools.flatMap((tool) => {
    const parameters = [...parametersOf(tool).values()];
    if (tool.effect !== "write" || !parameters.some(({ form, required }) => form === "reference" && required))
      return [];
    const filled = fillArguments(seed, tool, random, (tables) => {
      const ids = tables
        .flatMap((table) => seed.pool.rows(table).map((row) => row.id))
        .filter((one) => !known.has(one));
      return ids.length === 0 ? undefined : { value: random.pick(ids) };
    });
    return filled === null
      ? []
      : [{ id, tool: tool.name, arguments: filled, text: null, result: undefined, ok: false, write: true }];
  });
}

const inserts = (seed: Seed, step: Step) => effects(seed, step).some(({ op }) => op === "insert");

const duplicateWrite = damage(
  "H9",
  "duplicate write",
  "A call that makes a new record is made twice, alone or with what leads up to it.",
  {
    additive: true,
    missing: (seed) => (seed.writes.some((step) => inserts(seed, step)) ? null : "no write makes a record"),
    make: (seed) =>
      seed.writes
        .filter((step) => inserts(seed, step) || stepsTogether(seed, step).length > 1)
        .flatMap((step) => {
          const group = stepsTogether(seed, step);
          const place = seed.steps.indexOf(step) + 1;
          const again = (steps: readonly Step[]) => insertedAt(seed, place, copies(seed, steps));
          return [
            ...(inserts(seed, step) ? [{ what: `twice ${tells(step)}`, trajectory: again([step]) }] : []),
            ...(group.length > 1
              ? [{ what: `twice the ${group.length} calls up to ${tells(step)}`, trajectory: again(group) }]
              : []),
          ];
        }),
  },
);

/** The steps once more, as steps of their own, that use each other's results. */
function copies(seed: Seed, steps: readonly Step[]): readonly Step[] {
  const first = 1 + Math.max(...seed.steps.map(({ id }) => id));
  const names = new Map(steps.map(({ id }, i) => [id, first + i]));
  return steps.map((step) => ({
    ...step,
    id: names.get(step.id)!,
    ok: false,
    arguments: Object.fromEntries(
      Object.entries(step.arguments).map(([name, argument]) => [
        name,
        "from" in argument
          ? { ...argument, from: { ...argument.from, step: names.get(argument.from.step) ?? argument.from.step } }
          : argument,
      ]),
    ),
  }));
}

const overwritten = (seed: Seed) =>
  seed.writes
    .slice(0, -1)
    .flatMap((step) =>
      seed.parameters(step).flatMap((parameter) =>
        alternativesTo(seed, parameter, step.arguments[parameter.name]!.value)
          .slice(0, 4)
          .map((other) => ({ step, parameter, other })),
      ),
    )
    .filter(({ step }) => effects(seed, step).length > 0);

const revert = damage("H10", "revert", "A decision is overwritten with another before the work ends.", {
  missing: (seed) => (overwritten(seed).length > 0 ? null : "no write of the solution can be overwritten by another"),
  make: (seed) =>
    overwritten(seed).map(({ step, parameter, other }) => {
      const place = seed.steps.indexOf(seed.writes[seed.writes.length - 1]!);
      const [again] = copies(seed, [step]);
      const changed = { ...again!, arguments: { ...step.arguments, [parameter.name]: { value: other } } };
      return {
        what: `${step.tool} once more, with ${parameter.name} ${show(other)}`,
        trajectory: insertedAt(seed, place, [changed]),
      };
    }),
});

const undone = (seed: Seed, random: Random) =>
  seed.writes.flatMap((step) =>
    siblingsOf(seed, step, random).flatMap((one) =>
      siblingsOf(seed, step, random)
        .filter(({ tool }) => tool !== one.tool)
        .map((two) => [one, { ...two, id: one.id + 1 }] as const),
    ),
  );

const doUndo = damage("H11", "do and undo", "A write that nothing calls for, and the write that takes it back.", {
  additive: true,
  missing: (seed) => (undone(seed, new Random("any")).length > 0 ? null : "no two other tools take the same record"),
  make: (seed, random) =>
    undone(seed, random).map(
      ([one, two]): Draft => ({
        what: `${tells(one)}, then ${tells(two)}`,
        trajectory: insertedAt(seed, seed.steps.indexOf(seed.writes[seed.writes.length - 1]!), [one, two]),
        undoes: [one.id, two.id],
      }),
    ),
});

const wrongTool = damage("H18", "wrong tool", "Another tool that takes the same record stands in for the right one.", {
  missing: (seed) =>
    seed.writes.some((step) => siblingsOf(seed, step, new Random("any")).length > 0)
      ? null
      : "no other tool takes the same records",
  make: (seed, random) =>
    seed.writes.flatMap((step) =>
      siblingsOf(seed, step, random).flatMap((other) => {
        const rest = drop(({ id }) => id === step.id)(seed.trajectory);
        const place = seed.steps.indexOf(step);
        return rest === null
          ? []
          : [
              {
                what: `${tells(other)} instead of ${step.tool}`,
                trajectory: { ...rest, steps: [...rest.steps.slice(0, place), other, ...rest.steps.slice(place)] },
              },
            ];
      }),
    ),
});

const HAND_OFF = /escalat|\bhand(s|ed)? ?-?(off|over)|transfers? (the|to|a)|supervisor|human/i;

const handOffs = (seed: Seed) =>
  seed.tools.filter(
    ({ name, description, effect }) =>
      effect === "write" && HAND_OFF.test(`${name.replaceAll("_", " ")} ${description.split(".")[0]}`),
  );

const escalateInstead = damage(
  "H20",
  "escalate instead",
  "The resolution is replaced by a hand-off; the item is then closed as before.",
  {
    missing: (seed) =>
      handOffs(seed).length === 0
        ? "no tool hands the work to somebody"
        : handOffs(seed).some(({ name }) => seed.writes.some(({ tool }) => tool === name))
          ? "handing over is the solution here"
          : null,
    make: (seed, random) =>
      handOffs(seed).flatMap((tool) => {
        const kept = seed.steps.filter(
          (step) =>
            !step.write || (effects(seed, step).length > 0 && effects(seed, step).every(({ op }) => op === "update")),
        );
        const own = new Set(kept.map(({ id }) => id));
        const closing = kept.filter((step) =>
          Object.values(step.arguments).every((a) => !("from" in a) || own.has(a.from.step)),
        );
        const filled = fillArguments(seed, tool, random, (tables) => {
          const ids = [...seed.named].filter((id) => tables.includes(seed.pool.tableOf(id) ?? ""));
          return ids.length === 0 ? undefined : { value: ids[0] };
        });
        if (filled === null) return [];
        const id = 1 + Math.max(...seed.steps.map((step) => step.id));
        const call: Step = {
          id,
          tool: tool.name,
          arguments: filled,
          text: null,
          result: undefined,
          ok: false,
          write: true,
        };
        const place = closing.findIndex(({ write }) => write);
        const at = place < 0 ? closing.length : place;
        return [
          {
            what: `${tells(call)} in place of the work`,
            trajectory: withSteps(seed, [...closing.slice(0, at), call, ...closing.slice(at)]),
          },
        ];
      }),
  },
);

export const damageByAdding: readonly Operator[] = [
  extraWrite,
  duplicateWrite,
  revert,
  doUndo,
  wrongTool,
  escalateInstead,
];
