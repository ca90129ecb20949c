/**
 * Terminal: everything a command takes from its process (streams, environment variables, working folder, Ctrl-C), as one value, so that
 * a command can run inside a test. It formats nothing: see output.ts.
 */
import type { Readable, Writable } from "node:stream";

/** Where text goes. `columns` is absent when that is no terminal. */
export type Sink = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Calls back on each Ctrl-C or polite kill until the returned function is called. */
  onInterrupt(listener: () => void): () => void;
  /** Ends the process at once: for a second Ctrl-C. */
  exitNow(code: number): void;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  // A reader that has gone away (`windtunnel list | head`) is no fault of the command.
  const quiet = (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  };
  process.stdout.on("error", quiet);
  process.stderr.on("error", quiet);
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    onInterrupt(listener) {
      process.on("SIGINT", listener);
      process.on("SIGTERM", listener);
      return () => {
        process.off("SIGINT", listener);
        process.off("SIGTERM", listener);
      };
    },
    exitNow: (code) => process.exit(code),
  };
}
