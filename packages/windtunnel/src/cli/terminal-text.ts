/**
 * Text that something else wrote (an agent, a model, a user's file), made safe to print: no escape sequences, no control characters,
 * nothing that reorders or hides what follows. For people's eyes only: records and exports keep every byte.
 */

// Escape sequences: CSI, then OSC/DCS/SOS/PM/APC strings to their terminator (or to the end when it is missing), then two-byte escapes.
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes.
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|\u001b[ -/]*[0-~]?/g;

// Controls but tab and newline; bidirectional marks and overrides; zero-width and tag characters; separators that break a line; lone surrogates.
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** The text without anything that a terminal would act on; newlines and tabs stay. */
export function toTerminalText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(ESCAPES, "").replace(HIDDEN, "");
}

/** The same on one line of at most `width` characters, cut with an ellipsis. */
export function toTerminalLine(text: string, width = Number.POSITIVE_INFINITY): string {
  const line = toTerminalText(text).replace(/\s+/g, " ").trim();
  if (line.length <= width) return line;
  const cut = [...line.slice(0, Math.max(1, width - 1))];
  if (/\p{Surrogate}/u.test(cut.at(-1) ?? "")) cut.pop();
  return `${cut.join("")}…`;
}

/** JSON on one line whose every unprintable character is written as an escape: the same value, safe on a terminal too. */
export function toPrintableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
