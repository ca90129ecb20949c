/** The program: runs the command line it was started with. Importing this file starts it. */
import { runCommandLine } from "./command-line.js";
import { processTerminal } from "./terminal.js";

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
