/** Keeps a loop of synchronous work from starving the process: signals, timers and finished I/O get their turn. */

const MAX_BUSY_MS = 8;

export class Pace {
  #lastBreathMs = performance.now();

  /** Gives way to the event loop when the loop has held the thread for a while; else resolves at once. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#lastBreathMs < MAX_BUSY_MS) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#lastBreathMs = performance.now();
  }
}
