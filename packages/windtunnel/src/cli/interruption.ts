/** Ctrl-C: the first asks for an orderly end, the second ends the process at once. */
import { EXIT } from "./exit-code.js";
import type { Output } from "./output.js";
import type { Terminal } from "./terminal.js";

export interface Interruption {
  readonly signal: AbortSignal;
  /** Stops listening. */
  end(): void;
}

export function watchInterruption(terminal: Terminal, output: Output, what: string): Interruption {
  const controller = new AbortController();
  const end = terminal.onInterrupt(() => {
    if (controller.signal.aborted) return terminal.exitNow(EXIT.cancelled);
    output.note(`\nStopping: ${what}. Ctrl-C again to end at once.`, { event: "interrupted" });
    controller.abort();
  });
  return { signal: controller.signal, end };
}
