import { expect, it } from "vitest";
import { maskSecrets, redactSecrets } from "./redact-secrets.js";

const SECRET = 'k"7/+ü-unusual shape';

it.each([
  ["as it is", SECRET],
  ["URL encoded", encodeURIComponent(SECRET)],
  ["inside JSON", JSON.stringify({ a: SECRET })],
  ["inside JSON inside JSON", JSON.stringify(JSON.stringify({ a: SECRET }))],
  ["in base64", Buffer.from(SECRET).toString("base64")],
])("masks a registered secret %s", (_, text) => {
  const masked = redactSecrets(`before ${text} after`, [SECRET]);
  expect(masked).not.toContain("unusual");
  expect(masked).not.toContain(Buffer.from(SECRET).toString("base64").slice(0, 12));
  expect(masked).toMatch(/^before .*\[redacted\].* after$/);
});

it("masks the longer of two secrets whole", () => {
  expect(maskSecrets("abcdef-123456", ["abcdef", "abcdef-123456"])).toBe("[redacted]");
});

it("masks unregistered credential parameters of URLs and no others", () => {
  const text = "POST https://h/v1?api-version=2026&api_key=abc&sig=x%2F1#f and ?access_token=t";
  expect(redactSecrets(text, [])).toBe(
    "POST https://h/v1?api-version=2026&api_key=[redacted]&sig=[redacted]#f and ?access_token=[redacted]",
  );
});

it("leaves placeholders that are too short to be secrets alone", () => {
  expect(redactSecrets("EMPTY and none", ["EMPTY", "none", ""])).toBe("EMPTY and none");
});

it("leaves URL parameters alone when only registered values are asked for", () => {
  expect(maskSecrets("?token=abcdefgh", ["other-secret"])).toBe("?token=abcdefgh");
});
