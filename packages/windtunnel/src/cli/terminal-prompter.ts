/** Questions to a person at a terminal. Leaving (Ctrl-C or Esc) ends the rollout as cancelled. */
import { autocomplete, isCancel, text } from "@clack/prompts";
import { Fault } from "../core/fault.js";
import type { Output } from "./output.js";
import type { Prompter } from "./person-agent.js";
import type { Terminal } from "./terminal.js";
import { toPrintableJson, toTerminalLine, toTerminalText } from "./terminal-text.js";

/** `leave` is called when the person leaves, before the question rejects. */
export function terminalPrompter(terminal: Terminal, output: Output, leave: () => void): Prompter {
  const { colors, width } = output;
  const streams = { input: terminal.stdin, output: terminal.stdout };
  const answered = (answer: string | symbol): string => {
    if (!isCancel(answer)) return String(answer);
    leave();
    throw new Fault("agent", "person_left", "the person left before the end");
  };
  return {
    open({ task, tools }) {
      output.say(
        colors.dim(
          `${task.id}: ${tools.length} tools; type to filter, Ctrl-C to leave. What you do is kept as a rollout.`,
        ),
      );
    },
    show({ messages }) {
      for (const message of messages) {
        if (message.role === "tool") {
          const mark = message.ok ? colors.green("ok") : colors.red("failed");
          output.say(`${colors.cyan(message.tool)} ${mark}`);
          output.say(toTerminalText(toPrintableJson(message.value, 2)));
        } else output.say(`${colors.bold(message.role)}\n${toTerminalText(message.text)}`);
        output.say();
      }
    },
    async choose(question, choices) {
      const options = choices.map(({ value, label, hint }) => ({
        value,
        label: toTerminalLine(label, width - 10),
        ...(hint === undefined ? {} : { hint: toTerminalLine(hint, Math.max(20, width - label.length - 14)) }),
      }));
      return answered(
        await autocomplete<string>({ message: toTerminalLine(question), options, maxItems: 12, ...streams }),
      );
    },
    async ask(question, { hint, check }) {
      const message = toTerminalLine(question);
      return answered(
        await text({
          message,
          ...(hint === undefined ? {} : { placeholder: toTerminalLine(hint) }),
          validate: (typed) => check?.(typed ?? ""),
          ...streams,
        }),
      );
    },
  };
}
