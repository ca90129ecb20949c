/** The program: runs the command line it was started with. Importing this file starts it. */
import { runCommandLine } from "./command-line.js";
import { EXIT } from "./exit-code.js";
import { processTerminal } from "./terminal.js";

// A user's agent or environment runs in this process: what it throws on its own, or its leaving, must not pass for success.
let done = false;
const broke = (what: string) => (cause: unknown) => {
  process.stderr.write(`error: ${what}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`);
  done = true;
  process.exit(EXIT.infrastructure);
};
process.on("uncaughtException", broke("something threw outside of any call, such as a timer of an agent"));
process.on("unhandledRejection", broke("a promise was rejected and nobody handled it"));
process.on("exit", () => {
  if (done) return;
  process.stderr.write("error: the process was left before the command had ended; what was committed is kept\n");
  process.exitCode = EXIT.infrastructure;
});

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
done = true;
