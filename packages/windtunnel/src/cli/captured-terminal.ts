/** A terminal for tests of commands: streams kept as text, an environment and a folder of its own, Ctrl-C on demand. */
import { Readable, Writable } from "node:stream";
import { runCommandLine } from "./command-line.js";
import type { ExitCode } from "./exit-code.js";
import type { Sink, Terminal } from "./terminal.js";

export interface CapturedTerminal extends Terminal {
  readonly out: () => string;
  readonly err: () => string;
  interrupt(): void;
  /** Codes given to exitNow. */
  readonly exits: readonly number[];
}

export function capturedTerminal(options: {
  cwd: string;
  env?: Record<string, string>;
  stdin?: string;
  tty?: boolean;
}): CapturedTerminal {
  const [stdout, stderr] = [capture(options.tty === true), capture(options.tty === true)];
  const listeners = new Set<() => void>();
  const exits: number[] = [];
  return {
    stdin: Readable.from(options.stdin === undefined ? [] : [options.stdin]),
    stdout: stdout.sink,
    stderr: stderr.sink,
    env: options.env ?? {},
    cwd: options.cwd,
    out: stdout.text,
    err: stderr.text,
    exits,
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    interrupt: () => {
      for (const listener of listeners) listener();
    },
    exitNow: (code) => void exits.push(code),
  };
}

function capture(tty: boolean): { sink: Sink; text: () => string } {
  let text = "";
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { sink: Object.assign(sink, tty ? { isTTY: true, columns: 100 } : {}), text: () => text };
}

export interface CommandResult {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** Runs one command line to its end. */
export async function runCaptured(
  argv: readonly string[],
  options: Parameters<typeof capturedTerminal>[0],
): Promise<CommandResult> {
  const terminal = capturedTerminal(options);
  const code = await runCommandLine(argv, terminal);
  return { code, out: terminal.out(), err: terminal.err() };
}
