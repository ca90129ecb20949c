/**
 * What a person, or a program, reads when a command cannot do its work: what, where, what was expected, what to do. Faults and errors of
 * users are told apart by name, so that they are recognised whichever copy of this package threw them.
 */
import type { Command, CommanderError } from "commander";
import { UsageError } from "../core/fault.js";
import { EXIT, type ExitCode } from "./exit-code.js";
import { suggest } from "./nearest.js";
import { Output } from "./output.js";
import type { Terminal } from "./terminal.js";
import { toTerminalText } from "./terminal-text.js";

/** Prints the error to stderr, or with --json an object to stdout, and says which exit code it means. */
export function reportError(error: unknown, terminal: Terminal, options: { json: boolean }): ExitCode {
  const output = new Output(terminal, options);
  const { code, exitCode, message, details } = describe(error);
  const { colors } = output;
  if (options.json) output.result({ error: { code, message, ...details }, exitCode });
  else output.note(`${colors.red("error")}: ${toTerminalText(message)}`);
  if (exitCode === EXIT.infrastructure && error instanceof Error && (terminal.env.WINDTUNNEL_DEBUG ?? "") !== "")
    output.note(toTerminalText(error.stack ?? ""));
  return exitCode;
}

function describe(error: unknown): {
  code: string;
  exitCode: ExitCode;
  message: string;
  details: Record<string, unknown>;
} {
  if (!(error instanceof Error))
    return { code: "internal", exitCode: EXIT.infrastructure, message: String(error), details: {} };
  const data = error as Error & Record<string, unknown>;
  const text = (key: string) => (typeof data[key] === "string" ? { [key]: data[key] } : {});
  if (error.name === "UsageError") {
    const details = { ...text("path"), ...text("expected"), ...text("actual"), ...text("fix") };
    return { code: String(data.code), exitCode: EXIT.usage, message: error.message, details };
  }
  if (error.name === "Fault") {
    return {
      code: String(data.code),
      exitCode: EXIT.infrastructure,
      message: `${data.boundary} fault: ${error.message}`,
      details: text("boundary"),
    };
  }
  const hint = "Set WINDTUNNEL_DEBUG=1 to see where it was thrown.";
  const code = typeof data.code === "string" ? data.code : "internal";
  return { code, exitCode: EXIT.infrastructure, message: `${error.message} (${hint})`, details: {} };
}

export function unknownCommand(name: string, known: readonly string[]): UsageError {
  return new UsageError({
    code: "unknown_command",
    what: `There is no command "${name}"`,
    fix: suggest(name, known, "List them with `windtunnel --help`."),
  });
}

/** Commander's complaint as ours, with the nearest option. */
export function usageErrorOf(error: CommanderError, command: Command): UsageError {
  const what = error.message.replace(/^error: /, "").replace(/\n?\(Did you mean (.*?)\?\)$/s, "");
  const option = /unknown option '(-[^']*)'/.exec(error.message)?.[1];
  const hint = `See \`${command.name()} --help\`.`;
  const options = command.options.map(({ long }) => long ?? "");
  return new UsageError({
    code: error.code.replace(/^commander\./, "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    what: what.charAt(0).toUpperCase() + what.slice(1).replace(/\.$/, ""),
    fix: option === undefined ? hint : suggest(option, options, hint),
  });
}
