import { expect, it } from "vitest";
import { redactorOf, redactValue } from "./secrets.js";

const env = {
  BILLING_TOKEN: "walrus blue 9",
  OPENAI_API_KEY: "x7-unusual/shape",
  MY_SECRET: 'pa"ss\\word',
  KEYBOARD: "qwertyuiop",
  SHORT_KEY: "abc",
};

it("masks a value held under a secret's name, whatever its shape", () => {
  const redact = redactorOf(env)!;
  expect(redact("got walrus blue 9 and x7-unusual/shape")).toBe("got [redacted] and [redacted]");
});

it("masks a secret inside JSON text", () => {
  const redact = redactorOf(env)!;
  expect(redact(JSON.stringify({ a: env.MY_SECRET }))).not.toContain("ss\\\\word");
});

it("leaves values under other names, and short ones, as they are", () => {
  expect(redactorOf(env)!("qwertyuiop abc")).toBe("qwertyuiop abc");
});

it("is absent where the environment holds no secret", () => {
  expect(redactorOf({ PATH: "/usr/bin", EMPTY_KEY: "" })).toBeUndefined();
});

it("masks strings and keys at any depth, and keeps the reference of what holds none", () => {
  const redact = redactorOf(env)!;
  const clean = { a: [1, "x", { b: null }] };
  expect(redactValue(clean, redact)).toBe(clean);
  expect(redactValue({ a: [{ "walrus blue 9": ["walrus blue 9"] }] }, redact)).toEqual({
    a: [{ "[redacted]": ["[redacted]"] }],
  });
});
