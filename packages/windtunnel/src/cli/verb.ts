/** Verb: the shape of a command's module. One file per verb; each is loaded only when it is the one called. */
import type { Command } from "commander";
import type { ExitCode } from "./exit-code.js";
import type { Output } from "./output.js";
import type { Terminal } from "./terminal.js";

export interface Call<O = Record<string, unknown>> {
  readonly args: readonly (string | undefined)[];
  readonly options: O & { readonly json?: boolean; readonly data?: string };
  readonly terminal: Terminal;
  readonly output: Output;
}

export interface Verb {
  /** Adds arguments, options and the examples that its --help teaches with. */
  describe(command: Command): void;
  // biome-ignore lint/suspicious/noExplicitAny: commander hands options over as a record; each verb names its own.
  perform(call: Call<any>): Promise<ExitCode>;
}
