/** Option values as typed: counts, dollars, ages, sizes. Each refuses what it cannot use, naming the option. */
import { UsageError } from "../core/fault.js";

function refuse(option: string, expected: string, actual: string): never {
  throw new UsageError({
    code: "invalid_option",
    what: "An option has a value it cannot use",
    path: option,
    expected,
    actual: `"${actual}"`,
  });
}

/** A whole number of at least `min`. */
export const parseCount =
  (option: string, min = 1) =>
  (text: string): number => {
    const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(Number.isSafeInteger(count) && count >= min)) refuse(option, `a whole number of at least ${min}`, text);
    return count;
  };

/** A number of at least `min`. */
export const parseAmount =
  (option: string, what: string, min = 0) =>
  (text: string): number => {
    const amount = /^\$?\d+(\.\d+)?$/.test(text) ? Number(text.replace("$", "")) : Number.NaN;
    if (!(amount >= min)) refuse(option, what, text);
    return amount;
  };

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** An age such as "30d", "12h" or "2w", ms. */
export const parseAge =
  (option: string) =>
  (text: string): number => {
    const [, count, unit] = /^(\d+(?:\.\d+)?)(m|h|d|w)$/.exec(text) ?? [];
    if (count === undefined || unit === undefined) refuse(option, "an age such as 30d, 12h or 2w", text);
    return Number(count) * UNIT_MS[unit]!;
  };

const UNIT_BYTES: Readonly<Record<string, number>> = {
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
};

/** A size such as "500MB" or "2GB", bytes. */
export const parseSize =
  (option: string) =>
  (text: string): number => {
    const [, count, unit] = /^(\d+(?:\.\d+)?)\s*([kmg]i?b)$/i.exec(text) ?? [];
    if (count === undefined || unit === undefined) refuse(option, "a size such as 500MB or 2GB", text);
    return Number(count) * UNIT_BYTES[unit.toLowerCase()]!;
  };

/** One of a fixed list of words. */
export const parseChoice =
  <W extends string>(option: string, words: readonly W[]) =>
  (text: string): W => {
    if (!words.includes(text as W)) refuse(option, `one of ${words.join(", ")}`, text);
    return text as W;
  };
