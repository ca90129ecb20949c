import { describe, expect, it } from "vitest";
import { type AdaptiveLimit, adaptiveLimit, type Permit, type PermitOutcome } from "./adaptive-limit.js";

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

/** Keeps `offered` requests alive for some rounds; each round every one on the wire ends as `outcome` says. */
async function load(limit: AdaptiveLimit, rounds: number, outcome: (inFlight: number) => PermitOutcome): Promise<void> {
  const held: Permit[] = [];
  let stop = false;
  const ask = (): Promise<void> =>
    limit.acquire().then((permit) => {
      if (stop) permit.release("neutral");
      else held.push(permit);
    });
  for (let n = 0; n < 200; n++) void ask();
  for (let round = 0; round < rounds; round++) {
    await settle();
    const wave = held.splice(0);
    for (const permit of wave) {
      permit.release(outcome(wave.length));
      void ask();
    }
  }
  stop = true;
  await settle();
  for (const permit of held.splice(0)) permit.release("neutral");
  await settle();
}

describe("queue", () => {
  it("never lets more than the limit through", async () => {
    const limit = adaptiveLimit(2);
    const granted: Permit[] = [];
    for (let n = 0; n < 5; n++) void limit.acquire().then((permit) => granted.push(permit));
    await settle();
    expect(granted).toHaveLength(2);
    expect(limit.state()).toEqual({ limit: 2, inFlight: 2, queued: 3 });
    granted[0]?.release({ latencyMs: 1 });
    await settle();
    expect(granted).toHaveLength(3);
  });

  it("serves first come, first served, and lets a returning request go before newcomers", async () => {
    const limit = adaptiveLimit(1);
    const order: string[] = [];
    const first = await limit.acquire();
    const enter = (name: string, returning: boolean) =>
      limit.acquire({ returning }).then((permit) => {
        order.push(name);
        permit.release("neutral");
      });
    const all = [enter("a", false), enter("b", false), enter("again", true), enter("c", false)];
    first.release("neutral");
    await Promise.all(all);
    expect(order).toEqual(["again", "a", "b", "c"]);
  });

  it("lets a waiting request leave at once, and keeps its place for nobody", async () => {
    const limit = adaptiveLimit(1);
    const first = await limit.acquire();
    const abort = new AbortController();
    const waiting = limit.acquire({ signal: abort.signal });
    const next = limit.acquire();
    abort.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    await expect(limit.acquire({ signal: abort.signal })).rejects.toThrow("gone");
    first.release("neutral");
    await next;
    expect(limit.state()).toEqual({ limit: 1, inFlight: 1, queued: 0 });
  });

  it("counts a permit that is given back twice once", async () => {
    const limit = adaptiveLimit(1);
    const permit = await limit.acquire();
    permit.release("neutral");
    permit.release("neutral");
    expect(limit.state().inFlight).toBe(0);
  });
});

describe("adaptation", () => {
  it("grows under load that is answered quickly, up to its bound", async () => {
    const limit = adaptiveLimit("auto", { initial: 4, max: 32 });
    await load(limit, 60, () => ({ latencyMs: 100 }));
    expect(limit.state().limit).toBe(32);
  });

  it("does not grow while nobody waits", async () => {
    const limit = adaptiveLimit("auto", { initial: 4 });
    for (let n = 0; n < 200; n++) (await limit.acquire()).release({ latencyMs: 100 });
    expect(limit.state().limit).toBe(4);
  });

  it("halves once for a burst of refusals that were sent together", async () => {
    const limit = adaptiveLimit("auto", { initial: 16 });
    await load(limit, 1, () => "overloaded");
    expect(limit.state().limit).toBe(8);
  });

  it("keeps at least one place however often it is refused", async () => {
    const limit = adaptiveLimit("auto", { initial: 16 });
    await load(limit, 20, () => "overloaded");
    expect(limit.state().limit).toBe(1);
  });

  it("grows one by one after a cut", async () => {
    const limit = adaptiveLimit("auto", { initial: 32 });
    await load(limit, 1, () => "overloaded");
    const before = limit.state().limit;
    await load(limit, 3, () => ({ latencyMs: 100 }));
    expect(limit.state().limit - before).toBeLessThanOrEqual(3);
    expect(limit.state().limit).toBeGreaterThan(before);
  });

  it("stays near what a server that queues beyond 10 requests can serve", async () => {
    const limit = adaptiveLimit("auto", { initial: 4 });
    await load(limit, 300, (inFlight) => ({ latencyMs: 100 * Math.max(1, inFlight / 10) }));
    expect(limit.state().limit).toBeGreaterThanOrEqual(8);
    expect(limit.state().limit).toBeLessThanOrEqual(40);
  });

  it("does not strangle a workload whose answers grow longer for reasons of their own", async () => {
    const limit = adaptiveLimit("auto", { initial: 16, max: 64 });
    await load(limit, 20, () => ({ latencyMs: 100 }));
    await load(limit, 40, () => ({ latencyMs: 900 }));
    expect(limit.state().limit).toBeGreaterThan(40);
  });

  it("takes refused and cancelled requests for no sign of load", async () => {
    const limit = adaptiveLimit("auto", { initial: 8 });
    await load(limit, 50, () => "neutral");
    expect(limit.state().limit).toBe(8);
  });
});
