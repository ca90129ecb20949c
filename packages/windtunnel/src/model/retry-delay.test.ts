import { describe, expect, it } from "vitest";
import { parseRetryAfter, retryDelayMs } from "./retry-delay.js";

describe("retryDelayMs", () => {
  it("spreads over the whole interval below a ceiling that doubles and stops at 30 s", () => {
    expect([1, 2, 3, 20].map((failures) => retryDelayMs(failures, null, () => 0.999))).toEqual([
      499.5, 999, 1998, 29970,
    ]);
    expect(retryDelayMs(5, null, () => 0)).toBe(0);
  });

  it("never comes back before Retry-After, nor waits over 120 s for it", () => {
    expect(retryDelayMs(1, 7000, () => 0)).toBe(7000);
    expect(retryDelayMs(1, 7000, () => 0.5)).toBe(7250);
    expect(retryDelayMs(1, 3_600_000, () => 0.5)).toBe(120_000);
  });
});

describe("parseRetryAfter", () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0);

  it.each([
    [{ "retry-after": "3" }, 3000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "20", "retry-after": "3" }, 20],
    [{ "retry-after": "Thu, 01 Jan 2026 12:00:05 GMT" }, 5000],
    [{ "retry-after": "Thu, 01 Jan 2026 11:00:00 GMT" }, 0],
  ])("reads %j", (headers, ms) => {
    expect(parseRetryAfter(headers, now)).toBe(ms);
  });

  it.each([{}, { "retry-after": "-1" }, { "retry-after": "soon" }, { "retry-after": "" }, { "retry-after": "NaN" }])(
    "rejects %j",
    (headers) => {
      expect(parseRetryAfter(headers, now)).toBeNull();
    },
  );
});
