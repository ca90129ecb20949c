/** One event of a trace as lines for a person. Everything that an agent, a user or a world wrote is made safe to print. */
import type { RowChange, TraceEvent } from "../core/trace.js";
import { toInstant } from "./amounts.js";
import type { Colors } from "./output.js";
import { toPrintableJson, toTerminalLine, toTerminalText } from "./terminal-text.js";

export interface EventStyle {
  readonly colors: Colors;
  readonly width: number;
  /** Nothing is cut. */
  readonly full: boolean;
}

const TEXT_LINES = 12;

/** Lines of one event; the first names it. */
export function showEvent(event: TraceEvent, style: EventStyle): string[] {
  const { colors } = style;
  const head = (text: string) => `${colors.dim(`${String(event.seq).padStart(5)}  ${toInstant(event.at)}`)}  ${text}`;
  switch (event.type) {
    case "start":
      return [
        head(
          `${colors.bold("start")} of ${toTerminalLine(event.task)}  ${colors.dim(`state ${event.state.slice(0, 12)}`)}`,
        ),
      ];
    case "message":
      return [
        head(`${colors.bold(event.role)}${event.turn === 0 ? "" : colors.dim(` turn ${event.turn}`)}`),
        ...showText(event.text, style),
      ];
    case "call": {
      const mark = event.ok ? colors.green("ok") : colors.red("failed");
      const fault = event.fault === undefined ? "" : colors.yellow(`  injected fault: ${event.fault}`);
      const args = typeof event.arguments === "string" ? event.arguments : toPrintableJson(event.arguments);
      return [
        head(
          `${colors.cyan(toTerminalLine(event.tool))} ${showLine(args, style, 34)}  ${mark}${fault}${colors.dim(` turn ${event.turn}`)}`,
        ),
        `${INDENT}→ ${showLine(toPrintableJson(event.result), style, INDENT.length + 2)}`,
        ...event.changes.flatMap((change) => showChange(change, style)),
      ];
    }
    case "world":
      return [
        head(`${colors.magenta("world")} ${toTerminalLine(event.kind)}`),
        ...event.changes.flatMap((change) => showChange(change, style)),
      ];
    case "end": {
      const how = event.terminated ? "terminated" : event.truncated ? "truncated" : "broken off";
      return [
        head(
          `${colors.bold("end")} ${how}: ${event.reason.replaceAll("_", " ")}  ${colors.dim(`state ${event.state.slice(0, 12)}`)}`,
        ),
      ];
    }
  }
}

const INDENT = " ".repeat(9);

function showLine(text: string, { full, width }: EventStyle, used: number): string {
  return full ? toTerminalLine(text) : toTerminalLine(text, Math.max(40, width - used));
}

function showText(text: string, { full, width, colors }: EventStyle): string[] {
  const lines = toTerminalText(text).split("\n");
  const shown = full
    ? lines
    : lines.slice(0, TEXT_LINES).map((line) => (line.length > width * 3 ? `${line.slice(0, width * 3)}…` : line));
  const left = lines.length - shown.length;
  return [...shown, ...(left > 0 ? [colors.dim(`… ${left} more lines (--full)`)] : [])].map(
    (line) => `${INDENT}${line}`,
  );
}

function showChange(change: RowChange, style: EventStyle): string[] {
  const { colors } = style;
  const row = `${toTerminalLine(change.table)}/${toTerminalLine(change.id)}`;
  if (change.op === "update") {
    return Object.entries(change.fields).map(
      ([field, [before, after]]) =>
        `${INDENT}${colors.yellow(`~ ${row}`)}.${toTerminalLine(field)}: ${showLine(toPrintableJson(before ?? null), style, 60)} → ${showLine(toPrintableJson(after ?? null), style, 60)}`,
    );
  }
  if (change.op === "remove") return [`${INDENT}${colors.red(`- ${row}`)}`];
  return [`${INDENT}${colors.green(`+ ${row}`)} ${showLine(toPrintableJson(change.row), style, 24 + row.length)}`];
}
