/**
 * Ambient sources: the wall clock and unseeded randomness. `watchAmbient` runs synchronous work and says which of them it drew on.
 * It swaps the globals for the time of the call, so nothing that awaits, and nothing in another realm or worker, is seen.
 */

/** Runs `work` with a wall clock moved by `shiftMs`; `used` names each ambient source that it drew on. What `work` throws is thrown on. */
export function watchAmbient<T>(shiftMs: number, used: Set<string>, work: () => T): T {
  const { Date: RealDate, performance: realPerformance } = globalThis;
  const realRandom = Math.random;
  const realNow = realPerformance.now;
  const note = <R>(source: string, value: R): R => {
    used.add(source);
    return value;
  };
  const now = () => RealDate.now() + shiftMs;

  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: unknown[]) =>
      args.length === 0 ? note("new Date()", new target(now())) : (Reflect.construct(target, args) as Date),
    apply: (target) => note("Date()", new target(now()).toString()),
    get: (target, key) => (key === "now" ? () => note("Date.now()", now()) : Reflect.get(target, key)),
  });
  Math.random = () => note("Math.random()", realRandom());
  realPerformance.now = () => note("performance.now()", realNow.call(realPerformance) + shiftMs);
  try {
    return work();
  } finally {
    globalThis.Date = RealDate;
    Math.random = realRandom;
    realPerformance.now = realNow;
  }
}
