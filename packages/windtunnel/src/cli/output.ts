/**
 * Output: how a command speaks. People get text on stdout; with --json the same command puts progress as JSON lines on stderr and one
 * final JSON object on stdout. Everything passes the redactor. Text that agents wrote must already be safe: see terminal-text.ts.
 */
import { createColors } from "picocolors";
import { type Redact, redactorOf } from "./secrets.js";
import type { Sink, Terminal } from "./terminal.js";
import { toPrintableJson } from "./terminal-text.js";

export type Colors = ReturnType<typeof createColors>;

export class Output {
  readonly json: boolean;
  readonly colors: Colors;
  /** Whether stdout can be redrawn: a terminal, and people reading it. */
  readonly live: boolean;
  /** Characters a line may have. */
  readonly width: number;
  readonly redact: Redact | undefined;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, options: { json: boolean }) {
    const { env, stdout } = terminal;
    const tty = stdout.isTTY === true && env.TERM !== "dumb";
    this.#terminal = terminal;
    this.json = options.json;
    this.colors = createColors(!options.json && tty && (env.NO_COLOR ?? "") === "");
    this.live = !options.json && tty && (env.NO_COLOR ?? "") === "";
    this.width = Math.max(40, Math.min(stdout.columns || 100, 160));
    this.redact = redactorOf(env);
  }

  /** Lines for people, on stdout; nothing with --json. */
  say(text = ""): void {
    if (!this.json) this.#write(this.#terminal.stdout, `${text}\n`);
  }

  /** A remark beside the result (a warning, a hint): stderr for people, a JSON line on stderr with --json. */
  note(text: string, data: Readonly<Record<string, unknown>> = {}): void {
    if (this.json) this.progress({ event: "note", message: text, ...data });
    else this.#write(this.#terminal.stderr, `${text}\n`);
  }

  /** One JSON line on stderr; nothing for people. */
  progress(data: Readonly<Record<string, unknown>>): void {
    if (this.json) this.#write(this.#terminal.stderr, `${toPrintableJson(data)}\n`);
  }

  /** The final object. People get `text` instead, when there is any. */
  result(data: Readonly<Record<string, unknown>>, text?: string): void {
    if (this.json) this.#write(this.#terminal.stdout, `${toPrintableJson(data)}\n`);
    else if (text !== undefined) this.say(text);
  }

  /** Raw text on stdout, whatever the mode: redrawing, and data that is the result itself. Waits when the reader is slow. */
  async raw(text: string): Promise<void> {
    const { stdout } = this.#terminal;
    if (!this.#write(stdout, text)) await new Promise<void>((resolve) => void stdout.once("drain", resolve));
  }

  #write(sink: Sink, text: string): boolean {
    return sink.write(this.redact === undefined ? text : this.redact(text));
  }
}
