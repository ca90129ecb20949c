/**
 * A program, or a person at a pipe, as an agent: one action a line of JSON on stdin, what is new as JSON lines on stderr.
 * The end of stdin is the end of the agent's turn at it. A line that is no action is answered with what is wrong, and asked for again.
 */
import { createInterface } from "node:readline";
import { z } from "zod";
import { type Agent, defineAgent } from "../core/agent.js";
import type { Action } from "../core/message.js";
import type { Output } from "./output.js";
import type { Terminal } from "./terminal.js";

const actionSchema = z.strictObject({
  text: z.string().optional(),
  calls: z.array(z.strictObject({ id: z.string().optional(), tool: z.string(), arguments: z.unknown() })).optional(),
});

export function lineAgent(terminal: Terminal, output: Output): Agent {
  return defineAgent({
    name: "person",
    open({ task, tools }) {
      const lines = createInterface({ input: terminal.stdin, crlfDelay: Number.POSITIVE_INFINITY })[
        Symbol.asyncIterator
      ]();
      output.progress({ event: "open", task, tools });
      return async ({ messages }) => {
        output.progress({ event: "observation", messages });
        for (;;) {
          const { value: line, done } = await lines.next();
          if (done === true) return {};
          if (line.trim() === "") continue;
          const read = readAction(line);
          if (typeof read !== "string") return read;
          output.progress({
            event: "refused",
            message: read,
            expected: '{"text"?: string, "calls"?: [{"tool": string, "arguments": object}]}',
          });
        }
      };
    },
  });
}

function readAction(line: string): Action | string {
  try {
    const parsed = actionSchema.safeParse(JSON.parse(line));
    return parsed.success ? (parsed.data as Action) : z.prettifyError(parsed.error);
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
}
