/**
 * How many requests one endpoint is sent at once, and who goes next. Adaptive: grows slowly while work waits and answers stay quick, halves
 * when the endpoint says that it is overloaded, backs off when latency shows a queue on its side.
 * Fair: first come, first served; a request that returns for another try keeps its place before those that never had one.
 * Does not promise the best limit, only one that the endpoint has shown it can bear. Knows no clock and no network.
 */

/** How a permit's request ended. `neutral` says nothing about load (refused, cancelled, connection lost). */
export type PermitOutcome = "overloaded" | "neutral" | { readonly latencyMs: number };

export interface Permit {
  /** Gives the place back. Only the first call counts. */
  release(outcome: PermitOutcome): void;
}

export interface LimitState {
  /** Requests allowed at once. */
  readonly limit: number;
  readonly inFlight: number;
  readonly queued: number;
}

export interface AdaptiveLimit {
  /** Resolves when it is this caller's turn; rejects with the signal's reason as soon as that is aborted. `returning` goes before newcomers. */
  acquire(options?: { readonly signal?: AbortSignal; readonly returning?: boolean }): Promise<Permit>;
  state(): LimitState;
}

export interface LimitBounds {
  readonly initial?: number;
  readonly min?: number;
  readonly max?: number;
}

interface Waiter {
  grant(): void;
}

/** A limit that adapts ("auto": from 8, within 1 to 512 unless bounds say otherwise) or a fixed number of places. */
export function adaptiveLimit(concurrency: "auto" | number, bounds: LimitBounds = {}): AdaptiveLimit {
  const gauge = concurrency === "auto" ? adaptiveGauge(bounds) : fixedGauge(concurrency);
  const returning = new Set<Waiter>();
  const newcomers = new Set<Waiter>();
  let inFlight = 0;

  const places = () => Math.floor(gauge.limit());

  function take(): Permit {
    inFlight++;
    if (inFlight >= places()) gauge.saturated();
    const epoch = gauge.epoch();
    let held = true;
    return {
      release(outcome) {
        if (!held) return;
        held = false;
        inFlight--;
        gauge.observe(outcome, epoch);
        drain();
      },
    };
  }

  function drain(): void {
    for (const queue of [returning, newcomers]) {
      for (const waiter of queue) {
        if (inFlight >= places()) return;
        queue.delete(waiter);
        waiter.grant();
      }
    }
  }

  return {
    acquire({ signal, returning: again = false } = {}) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const ahead = again ? returning.size : returning.size + newcomers.size;
      if (ahead === 0 && inFlight < places()) return Promise.resolve(take());
      const queue = again ? returning : newcomers;
      return new Promise((resolve, reject) => {
        const leave = () => {
          queue.delete(waiter);
          reject(signal?.reason);
        };
        const waiter: Waiter = {
          grant() {
            signal?.removeEventListener("abort", leave);
            resolve(take());
          },
        };
        queue.add(waiter);
        signal?.addEventListener("abort", leave, { once: true });
      });
    },
    state: () => ({ limit: places(), inFlight, queued: returning.size + newcomers.size }),
  };
}

interface Gauge {
  limit(): number;
  /** Changes with every cut: what was sent before one is no evidence about the limit after it. */
  epoch(): number;
  saturated(): void;
  observe(outcome: PermitOutcome, epoch: number): void;
}

function fixedGauge(limit: number): Gauge {
  return { limit: () => limit, epoch: () => 0, saturated() {}, observe() {} };
}

const SMALLEST_WINDOW = 8;
const SLOWDOWN = 2;

/**
 * Works in windows of as many answers as the limit. A full window that had all places taken grows the limit by a quarter, or by one once there
 * has been a cut. Latency over twice the best seen cuts by a tenth; if the next window is no quicker, load was not the cause, and that latency
 * becomes the new baseline: otherwise a workload with longer answers would strangle itself.
 */
function adaptiveGauge({ initial = 8, min = 1, max = 512 }: LimitBounds): Gauge {
  let limit = Math.min(max, Math.max(min, initial));
  let cutOnce = false;
  let epoch = 0;
  let full = false;
  let answers = 0;
  let totalMs = 0;
  let baselineMs = Number.POSITIVE_INFINITY;
  let beforeCutMs: number | null = null;

  function startWindow(): void {
    answers = 0;
    totalMs = 0;
    full = false;
  }

  function cut(factor: number): void {
    limit = Math.max(min, limit * factor);
    cutOnce = true;
    epoch++;
    startWindow();
  }

  function closeWindow(): void {
    const meanMs = Math.max(1, totalMs / answers);
    const slow = meanMs > SLOWDOWN * baselineMs;
    const cutHelped = beforeCutMs === null || meanMs < 0.95 * beforeCutMs;
    if (slow && cutHelped && limit > min) {
      beforeCutMs = meanMs;
      cut(0.9);
      return;
    }
    baselineMs = slow ? meanMs : Math.min(baselineMs, meanMs);
    beforeCutMs = null;
    if (full) limit = Math.min(max, cutOnce ? limit + 1 : limit * 1.25);
    startWindow();
  }

  return {
    limit: () => limit,
    epoch: () => epoch,
    saturated() {
      full = true;
    },
    observe(outcome, sentIn) {
      if (outcome === "neutral" || sentIn !== epoch) return;
      if (outcome === "overloaded") {
        beforeCutMs = null;
        cut(0.5);
        return;
      }
      answers++;
      totalMs += outcome.latencyMs;
      if (answers >= Math.max(SMALLEST_WINDOW, limit)) closeWindow();
    },
  };
}
