import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Fault } from "./fault.js";
import { money, ref } from "./field.js";
import { defineTable, defineWorld, World } from "./world.js";

const tables = {
  orders: defineTable("ORD", {
    id: ref("orders"),
    price: money(),
    tags: z.array(z.string()),
    address: z.object({ city: z.string() }).nullable(),
  }),
  notes: defineTable("NTE", { id: ref("notes"), order: ref("orders"), text: z.string() }),
  truths: defineTable("TRU", { id: ref("truths"), order: ref("orders"), owed: z.boolean() }, { sealed: true }),
};
type Shop = World<typeof tables>;

const definition = defineWorld(tables, {
  note: (world, { order, text }) => void world.insert("notes", { order: order as string, text: text as string }),
  chain: (world, { left }) => {
    world.insert("notes", { order: "ORD-1", text: `left ${left}` });
    if ((left as number) > 0) world.schedule(world.now + 1000, "chain", { left: (left as number) - 1 });
  },
  reveal: (world) => void world.insert("notes", { order: "ORD-1", text: String(world.all("truths").length) }),
  break: () => {
    throw new Error("the reaction broke");
  },
});

const open = (seed = "seed", now = 1_000_000): Shop => World.open(definition, { seed, now });
const order = (id: string, price = "10.00") => ({ id, price, tags: ["new"], address: { city: "Oslo" } });

describe("rows", () => {
  it("are frozen all the way down, whatever was frozen before they came in", () => {
    const world = open();
    const tags = ["a"];
    const address = { city: "Oslo" };
    const row = world.insert("orders", {
      id: "ORD-1",
      price: "1.00",
      tags,
      address: Object.freeze({ ...address, inner: { deep: 1 } }) as typeof address,
    });
    expect(Object.isFrozen(row) && Object.isFrozen(row.tags) && Object.isFrozen(row.address)).toBe(true);
    expect(Object.isFrozen((row.address as unknown as { inner: object }).inner)).toBe(true);
    expect(() => tags.push("b")).toThrow(TypeError);
    expect(world.need("orders", "ORD-1").tags).toEqual(["a"]);
  });

  it("handed out before an update keep their old values", () => {
    const world = open();
    const before = world.insert("orders", order("ORD-1"));
    const after = world.update("orders", "ORD-1", { price: "2.00" });
    expect([before.price, after.price]).toEqual(["10.00", "2.00"]);
  });

  it("come back in order of insertion, an id inserted again last, however often the world was forked", () => {
    for (const forkAt of [0, 1, 2, 3, 4]) {
      let world = open();
      const steps = [
        () => world.insert("orders", order("ORD-1")),
        () => world.insert("orders", order("ORD-2")),
        () => world.remove("orders", "ORD-1"),
        () => world.insert("orders", order("ORD-1")),
      ];
      steps.forEach((step, i) => {
        if (i === forkAt) world = world.fork();
        step();
      });
      expect(world.all("orders").map(({ id }) => id)).toEqual(["ORD-2", "ORD-1"]);
    }
  });

  it("with a missing, an undeclared or an undefined field are refused and leave no trace", () => {
    const world = open();
    world.insert("orders", order("ORD-1"));
    const hash = world.hash();
    const wrong = world as unknown as World;
    expect(() => wrong.insert("orders", { id: "ORD-2", price: "1.00", tags: [] } as never)).toThrow(
      /lacks the field "address"/,
    );
    expect(() => wrong.insert("orders", { ...order("ORD-2"), colour: "red" } as never)).toThrow(/no field "colour"/);
    expect(() => wrong.update("orders", "ORD-1", { colour: "red" } as never)).toThrow(/no field "colour"/);
    expect(() => wrong.update("orders", "ORD-1", { toString: "x" } as never)).toThrow(/no field "toString"/);
    expect(() => wrong.update("orders", "ORD-1", { price: undefined } as never)).toThrow(
      /cannot lose the field "price"/,
    );
    expect(() => wrong.update("orders", "ORD-1", { id: "ORD-9" } as never)).toThrow(/cannot change its id/);
    expect(() => world.insert("orders", order("ORD-1"))).toThrow(/already has a row "ORD-1"/);
    expect(() => world.update("orders", "ORD-7", { price: "1.00" })).toThrow(/no row "ORD-7"/);
    expect(() => world.remove("orders", "ORD-7")).toThrow(/no row "ORD-7"/);
    expect(() => wrong.all("invoices")).toThrow(/no table "invoices"/);
    expect(world.hash()).toBe(hash);
    expect(world.all("orders")).toHaveLength(1);
  });

  it("are left alone by an update that changes nothing, nested values included", () => {
    const world = open();
    const before = world.insert("orders", order("ORD-1"));
    const hash = world.hash();
    world.takeChanges();
    const after = world.update("orders", "ORD-1", { price: "10.00", tags: ["new"], address: { city: "Oslo" } });
    expect(after).toBe(before);
    expect(world.hash()).toBe(hash);
    expect(world.takeChanges().changes).toEqual([]);
  });

  it("that break their schema are found by validate, with table, row and field", () => {
    const world = open();
    world.insert("orders", order("ORD-1", "ten"));
    world.insert("truths", { id: "TRU-1", order: "ORD-1", owed: "yes" as never });
    const problems = world.validate();
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain("orders/ORD-1.price");
    expect(problems[1]).toContain("truths/TRU-1.owed");
    world.update("orders", "ORD-1", { price: "10.00" });
    world.remove("truths", "TRU-1");
    expect(world.validate()).toEqual([]);
  });

  it("can be found by several fields", () => {
    const world = open();
    world.insert("orders", order("ORD-1"));
    world.insert("notes", { order: "ORD-1", text: "a" });
    world.insert("notes", { order: "ORD-1", text: "b" });
    expect(world.where("notes", { order: "ORD-1", text: "b" })).toHaveLength(1);
    expect(world.where("notes", {})).toHaveLength(2);
  });
});

describe("forks", () => {
  it("do not see what the original does later, nor it what they do", () => {
    const world = open();
    world.insert("orders", order("ORD-1"));
    const fork = world.fork();
    const second = fork.fork();
    world.update("orders", "ORD-1", { price: "1.00" });
    fork.update("orders", "ORD-1", { price: "2.00" });
    second.remove("orders", "ORD-1");
    world.insert("orders", order("ORD-2"));
    fork.schedule(fork.now + 5, "note", { order: "ORD-1", text: "late" });
    fork.advanceTo(fork.now + 10);
    expect(world.need("orders", "ORD-1").price).toBe("1.00");
    expect(fork.need("orders", "ORD-1").price).toBe("2.00");
    expect(second.all("orders")).toEqual([]);
    expect(fork.get("orders", "ORD-2")).toBeUndefined();
    expect(world.now).toBe(1_000_000);
    expect(world.all("notes")).toEqual([]);
  });

  it("mint the same ids as the original would, and independently of it", () => {
    const world = open();
    world.mint("orders");
    const fork = world.fork();
    expect(fork.mint("orders")).toBe(world.mint("orders"));
  });

  it("hash as the original does until one of them changes, and again once the change is undone", () => {
    const world = open();
    world.insert("orders", order("ORD-1"));
    const fork = world.fork();
    expect(fork.hash()).toBe(world.hash());
    fork.update("orders", "ORD-1", { price: "3.00" });
    expect(fork.hash()).not.toBe(world.hash());
    fork.update("orders", "ORD-1", { price: "10.00" });
    expect(fork.hash()).toBe(world.hash());
  });

  it("start with an empty log", () => {
    const world = open();
    world.insert("orders", order("ORD-1"));
    expect(world.fork().takeChanges()).toEqual({ changes: [], fired: [] });
    expect(world.takeChanges().changes).toHaveLength(1);
  });
});

describe("sealed tables", () => {
  const hidden = () => {
    const world = open();
    world.insert("orders", order("ORD-1"));
    world.insert("truths", { id: "TRU-1", order: "ORD-1", owed: true });
    world.schedule(world.now + 10, "reveal", {});
    return world;
  };

  it("cannot be reached through a visible view, by any of its ways", () => {
    const view = hidden().visible() as unknown as World;
    const ways: Record<string, () => unknown> = {
      get: () => view.get("truths", "TRU-1"),
      need: () => view.need("truths", "TRU-1"),
      all: () => view.all("truths"),
      where: () => view.where("truths", {}),
      insert: () => view.insert("truths", { order: "ORD-1", owed: false } as never),
      update: () => view.update("truths", "TRU-1", { owed: false } as never),
      remove: () => view.remove("truths", "TRU-1"),
      mint: () => view.mint("truths"),
      fork: () => view.fork().all("truths"),
      readOnly: () => view.readOnly().all("truths"),
      visible: () => view.visible().all("truths"),
    };
    for (const [name, way] of Object.entries(ways)) expect(way, name).toThrow(/sealed/);
  });

  it("are missing from what a visible view lists, saves and compares", () => {
    const world = hidden();
    const view = world.visible();
    expect(view.tableNames).toEqual(["orders", "notes"]);
    expect(Object.keys(view.toRows())).toEqual(["orders", "notes"]);
    expect(Object.keys(world.toRows())).toEqual(["orders", "notes", "truths"]);
    const before = world.fork();
    world.update("truths", "TRU-1", { owed: false });
    expect(view.diff(before)).toEqual([]);
    expect(world.diff(before)).toHaveLength(1);
    expect(() => view.takeChanges()).toThrow(/owner/);
  });

  it("are within reach of reactions, even when a visible view moves the clock", () => {
    const world = hidden();
    world.visible().advanceTo(world.now + 10);
    expect(world.all("notes")[0]?.text).toBe("1");
  });

  it("still count in the state hash", () => {
    const world = hidden();
    const hash = world.hash();
    world.update("truths", "TRU-1", { owed: false });
    expect(world.hash()).not.toBe(hash);
  });
});

describe("a read-only view", () => {
  it("refuses every write and leaves the world as it was", () => {
    const world = open();
    world.insert("orders", order("ORD-1"));
    const twin = world.fork();
    const view = world.readOnly();
    for (const look of [view, view.visible(), world.visible().readOnly()]) {
      expect(() => look.insert("notes", { order: "ORD-1", text: "x" })).toThrow(/read-only/);
      expect(() => look.update("orders", "ORD-1", { price: "1.00" })).toThrow(/read-only/);
      expect(() => look.update("orders", "ORD-1", { price: "10.00" })).toThrow(/read-only/);
      expect(() => look.remove("orders", "ORD-1")).toThrow(/read-only/);
      expect(() => look.mint("orders")).toThrow(/read-only/);
      expect(() => look.schedule(5, "note", {})).toThrow(/read-only/);
      expect(() => look.advanceTo(look.now + 5)).toThrow(/read-only/);
      expect(() => look.takeChanges()).toThrow();
    }
    expect(world.hash()).toBe(twin.hash());
    expect(world.mint("notes")).toBe(twin.mint("notes"));
  });

  it("shows later changes of the live world, and forks into one that can be written", () => {
    const world = open();
    const view = world.readOnly();
    world.insert("orders", order("ORD-1"));
    expect(view.all("orders")).toHaveLength(1);
    const fork = view.fork();
    fork.remove("orders", "ORD-1");
    expect(view.all("orders")).toHaveLength(1);
  });
});

describe("the clock and what is scheduled", () => {
  it("never goes back, and refuses what is no instant", () => {
    const world = open();
    world.advanceTo(999);
    expect(world.now).toBe(1_000_000);
    expect(() => world.advanceTo(Number.NaN)).toThrow(/no instant/);
    expect(() => world.schedule(Number.NaN, "note", {})).toThrow(/no instant/);
  });

  it("runs what is due in order of time, then of scheduling, and leaves the rest", () => {
    const world = open();
    world.insert("orders", order("ORD-1"));
    const at = world.now;
    world.schedule(at + 20, "note", { order: "ORD-1", text: "third" });
    world.schedule(at + 10, "note", { order: "ORD-1", text: "first" });
    world.schedule(at + 10, "note", { order: "ORD-1", text: "second" });
    world.schedule(at + 21, "note", { order: "ORD-1", text: "later" });
    expect(world.nextEventAt).toBe(at + 10);
    world.advanceTo(at + 20);
    expect(world.all("notes").map(({ text }) => text)).toEqual(["first", "second", "third"]);
    expect(world.nextEventAt).toBe(at + 21);
  });

  it("runs events that events schedule, each at its own time", () => {
    const world = open();
    world.insert("orders", order("ORD-1"));
    world.takeChanges();
    world.schedule(world.now + 500, "chain", { left: 3 });
    world.advanceTo(world.now + 2_600);
    expect(world.all("notes").map(({ text }) => text)).toEqual(["left 3", "left 2", "left 1"]);
    expect(world.takeChanges().fired.map(({ at }) => at - 1_000_000)).toEqual([500, 1_500, 2_500]);
    expect(world.now).toBe(1_002_600);
    expect(world.nextEventAt).toBe(1_003_500);
  });

  it("runs an event whose time is past on the next advance, without moving back", () => {
    const world = open();
    world.insert("orders", order("ORD-1"));
    world.schedule(5, "note", { order: "ORD-1", text: "overdue" });
    world.advanceTo(world.now);
    expect(world.all("notes")).toHaveLength(1);
    expect(world.now).toBe(1_000_000);
  });

  it("keeps what it was given, whatever the caller does to it later", () => {
    const world = open();
    world.insert("orders", order("ORD-1"));
    const data = { order: "ORD-1", text: "as given" };
    world.schedule(world.now + 1, "note", data);
    expect(() => Object.assign(data, { text: "changed" })).toThrow(TypeError);
    world.advanceTo(world.now + 1);
    expect(world.all("notes")[0]?.text).toBe("as given");
  });

  it("refuses a reaction that is not defined", () => {
    expect(() => open().schedule(5, "explode", {})).toThrow(/no reaction "explode"/);
  });

  it("names the world as the boundary that broke when a reaction throws", () => {
    const world = open();
    world.schedule(world.now, "break", {});
    expect(() => world.advanceTo(world.now)).toThrow(Fault);
    const again = open();
    again.schedule(again.now, "break", {});
    try {
      again.advanceTo(again.now);
    } catch (error) {
      expect(error).toMatchObject({ boundary: "world", code: "reaction_threw:break" });
    }
  });
});

describe("the log of changes", () => {
  it("tells direct writes and each event's writes apart, and is emptied when taken", () => {
    const world = open();
    world.insert("orders", order("ORD-1"));
    world.schedule(world.now + 1, "note", { order: "ORD-1", text: "x" });
    world.advanceTo(world.now + 2);
    world.update("orders", "ORD-1", { price: "1.00" });
    const { changes, fired } = world.takeChanges();
    expect(changes.map(({ table, before, after }) => [table, before === null, after === null])).toEqual([
      ["orders", true, false],
      ["orders", false, false],
    ]);
    expect(fired.map(({ kind, changes }) => [kind, changes.map(({ table }) => table)])).toEqual([["note", ["notes"]]]);
    expect(world.takeChanges()).toEqual({ changes: [], fired: [] });
  });

  it("once taken does not grow with later writes, even when it was empty", () => {
    const world = open();
    const taken = world.takeChanges();
    world.insert("orders", order("ORD-1"));
    expect(taken.changes).toEqual([]);
  });
});

describe("minted ids", () => {
  it("are the same for the same seed, differ between seeds, and repeat within neither", () => {
    const ids = (seed: string) => {
      const world = open(seed);
      return Array.from({ length: 50 }, () => world.mint("orders"));
    };
    expect(ids("a")).toEqual(ids("a"));
    expect(ids("a")).not.toEqual(ids("b"));
    expect(new Set(ids("a")).size).toBe(50);
    expect(ids("a")[0]).toMatch(/^ORD-\d{5}$/);
  });

  it("step over rows that were inserted under an id of their own", () => {
    const next = open().mint("orders");
    const world = open();
    world.insert("orders", order(next));
    const { id: _, ...unnamed } = order("");
    expect(world.insert("orders", unnamed).id).not.toBe(next);
  });
});
