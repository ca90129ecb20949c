import { expect, it } from "vitest";
import { z } from "zod";
import { ref } from "./field.js";
import { Random } from "./random.js";
import { defineTable, defineWorld, World } from "./world.js";

const tables = {
  a: defineTable("A", { id: ref("a"), n: z.number(), tags: z.array(z.string()) }),
  b: defineTable("B", { id: ref("b"), text: z.string().nullable() }),
  s: defineTable("S", { id: ref("s"), n: z.number() }, { sealed: true }),
};
const definition = defineWorld(tables, {
  bump: (world, { id }) => {
    if (world.get("a", id as string) !== undefined)
      world.update("a", id as string, { n: world.need("a", id as string).n + 100 });
  },
});
type W = World<typeof tables>;
type Model = Map<string, string>;

/** One random operation on a world, and on a plain map that says what it should hold. */
function operate(world: W, model: Model, random: Random): void {
  const id = `X${random.int(0, 6)}`;
  const table = random.pick(["a", "b", "s"] as const);
  const key = `${table}/${id}`;
  const row = {
    id,
    ...(table === "a"
      ? { n: random.int(0, 2), tags: random.pick([["x"], ["x", "y"], []]) }
      : table === "b"
        ? { text: random.pick(["t", null]) }
        : { n: random.int(0, 2) }),
  };
  if (!model.has(key)) {
    world.insert(table, row as never);
    model.set(key, JSON.stringify(row));
  } else if (random.chance(0.4)) {
    world.remove(table, id);
    model.delete(key);
  } else {
    const { id: _, ...patch } = row;
    world.update(table, id, patch as never);
    model.set(key, JSON.stringify(row));
  }
}

/** The same content written from nothing, in another order. */
function rebuilt(model: Model, now: number, agenda: readonly { at: number; id: string }[], random: Random): W {
  const world: W = World.open(definition, { seed: "other", now });
  for (const [key, row] of random.shuffle([...model])) world.insert(key.split("/")[0] as "a", JSON.parse(row) as never);
  for (const { at, id } of agenda) world.schedule(at, "bump", { id });
  return world;
}

const contentOf = (world: W) =>
  new Map(
    Object.entries(world.toRows()).flatMap(([table, rows]) =>
      rows.map((row) => [`${table}/${row.id}`, JSON.stringify(row)] as const),
    ),
  );
const sorted = (map: Model) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

it("after any sequence of writes and forks, a world holds what a plain map would, hashes like one written from nothing, and its diff leads from before to after", () => {
  for (let round = 0; round < 120; round++) {
    const random = new Random(`properties/${round}`);
    let world: W = World.open(definition, { seed: "seed", now: 0 });
    const model: Model = new Map();
    const snapshots: { world: W; content: Model; hash: string }[] = [];
    const length = random.int(1, 60);
    for (let i = 0; i < length; i++) {
      operate(world, model, random);
      if (random.chance(0.15)) {
        const fork = world.fork();
        snapshots.push({ world, content: new Map(model), hash: world.hash() });
        world = fork;
      }
    }
    expect(sorted(contentOf(world))).toEqual(sorted(model));
    expect(world.hash()).toBe(rebuilt(model, 0, [], random).hash());
    for (const before of snapshots) {
      expect(sorted(contentOf(before.world))).toEqual(sorted(before.content));
      expect(before.world.hash()).toBe(before.hash);
      const applied = new Map(before.content);
      for (const { table, id, before: was, after } of world.diff(before.world)) {
        const key = `${table}/${id}`;
        expect(was === null ? undefined : JSON.stringify(was)).toBe(applied.get(key));
        if (after === null) applied.delete(key);
        else applied.set(key, JSON.stringify(after));
      }
      expect(sorted(applied)).toEqual(sorted(model));
    }
  }
});

it("worlds with unlike content, clock or agenda hash unlike", () => {
  const seen = new Map<string, string>();
  for (let round = 0; round < 300; round++) {
    const random = new Random(`unlike/${round}`);
    const world: W = World.open(definition, { seed: "seed", now: random.int(0, 1) });
    const model: Model = new Map();
    for (let i = random.int(0, 4); i > 0; i--) operate(world, model, random);
    const agenda = random.chance(0.3) ? [{ at: random.int(5, 6), id: "X1" }] : [];
    for (const { at, id } of agenda) world.schedule(at, "bump", { id });
    const content = JSON.stringify([sorted(model), world.now, agenda]);
    const hash = world.hash();
    expect(seen.get(hash) ?? content).toBe(content);
    seen.set(hash, content);
    expect(rebuilt(model, world.now, agenda, random).hash()).toBe(hash);
  }
  expect(seen.size).toBeGreaterThan(100);
});

it("a pending event hashes the same whatever was scheduled and fired before it", () => {
  const agenda = [
    { at: 50, id: "X1" },
    { at: 60, id: "X2" },
  ];
  const busy: W = World.open(definition, { seed: "seed", now: 0 });
  for (const at of [1, 2, 3]) busy.schedule(at, "bump", { id: "none" });
  busy.advanceTo(10);
  for (const { at, id } of [...agenda].reverse()) busy.schedule(at, "bump", { id });
  expect(busy.hash()).toBe(rebuilt(new Map(), 10, agenda, new Random("x")).hash());
});

it("running events from a fork gives the same state whether the clock moves in one step or in many", () => {
  for (let round = 0; round < 30; round++) {
    const random = new Random(`clock/${round}`);
    const world: W = World.open(definition, { seed: "seed", now: 0 });
    const model: Model = new Map();
    for (let i = 0; i < 12; i++) operate(world, model, random);
    for (let i = 0; i < 6; i++) world.schedule(random.int(0, 40), "bump", { id: `X${random.int(0, 6)}` });
    const leap = world.fork();
    leap.advanceTo(50);
    const walk = world.fork();
    for (let at = 0; at <= 50; at += random.int(1, 9)) walk.advanceTo(at);
    walk.advanceTo(50);
    expect(walk.hash()).toBe(leap.hash());
    expect(world.now).toBe(0);
  }
});
