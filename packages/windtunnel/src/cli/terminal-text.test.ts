import { expect, it } from "vitest";
import { toPrintableJson, toTerminalLine, toTerminalText } from "./terminal-text.js";

it("removes whole escape sequences, not only their first byte", () => {
  expect(toTerminalText("a\u001b[31mred\u001b[0m b\u001b]0;title\u0007c\u001b]8;;http://x\u001b\\d\u009b2Je")).toBe(
    "ared bcde",
  );
});

it("leaves nothing of an escape sequence that never ends", () => {
  expect(toTerminalText("before\u001b]52;c;ZXZpbA==")).toBe("before");
});

it("removes characters that reorder or hide text", () => {
  expect(toTerminalText("pay\u202e00.1$\u2066x\u200by\ufeffz\u061c")).toBe("pay00.1$xyz");
});

it("keeps newlines, tabs, accents and emoji", () => {
  expect(toTerminalText("é\t日本\r\n🧾\r ok")).toBe("é\t日本\n🧾\n ok");
});

it("removes backspaces and carriage returns that overwrite a line", () => {
  expect(toTerminalText("denied\b\b\b\b\b\bpassed\rgood")).toBe("deniedpassed\ngood");
});

it("cuts a line without cutting a character in two", () => {
  const line = toTerminalLine("ab🧾🧾🧾", 4);
  expect(line).toBe("ab…");
  expect(JSON.parse(JSON.stringify(line))).toBe(line);
});

it("writes JSON that is printable and parses to the same value", () => {
  const value = { text: "\u001b[2J\u202e\u0085\u200b日本" };
  const json = toPrintableJson(value);
  for (const hidden of ["\u001b", "\u202e", "\u0085", "\u200b"]) expect(json).not.toContain(hidden);
  expect(JSON.parse(json)).toEqual(value);
});
