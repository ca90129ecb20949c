/**
 * Committer: gathers finished rollouts into batches and commits them, a few batches at a time. `add` waits when the store is behind, so
 * what is held in memory does not grow with the run.
 */
import type { Rollout } from "../core/rollout.js";

const BATCH_ROLLOUTS = 16;
const BATCH_EVENTS = 20_000;
const BATCH_AGE_MS = 50;
const BATCHES_IN_FLIGHT = 8;

export class Committer {
  readonly #commit: (batch: readonly Rollout[]) => Promise<void>;
  readonly #failed: (error: unknown) => void;
  readonly #inFlight = new Set<Promise<void>>();
  #batch: Rollout[] = [];
  #events = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `failed` hears of each commit that did not work; its batch is not kept, the others may be. */
  constructor(commit: (batch: readonly Rollout[]) => Promise<void>, failed: (error: unknown) => void) {
    this.#commit = commit;
    this.#failed = failed;
  }

  async add(rollout: Rollout): Promise<void> {
    this.#batch.push(rollout);
    this.#events += rollout.events.length;
    if (this.#batch.length >= BATCH_ROLLOUTS || this.#events >= BATCH_EVENTS) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), BATCH_AGE_MS);
    while (this.#inFlight.size >= BATCHES_IN_FLIGHT) await Promise.race(this.#inFlight);
  }

  /** Commits what is left and waits for all of it. */
  async drain(): Promise<void> {
    this.#flush();
    await Promise.all(this.#inFlight);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#events = 0;
    const work = this.#commit(batch).catch(this.#failed);
    this.#inFlight.add(work);
    void work.then(() => this.#inFlight.delete(work));
  }
}
