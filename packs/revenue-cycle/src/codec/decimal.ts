/**
 * Exact money: decimal strings with at most two places, computed in whole cents. Owns no currency and no rounding
 * except where a product needs it. A money string keeps the form it was written in until it is computed with.
 */

/** A decimal amount such as "188.4", "19.00" or "-5"; compare with `compareMoney`, never as text. */
export type Money = string;

const ZERO = 48;
const NINE = 57;

/** The same text when it is an amount (optional minus, digits, at most two after the point), else undefined. */
export function parseMoney(text: string): Money | undefined {
  return isDecimal(text, 2) ? text : undefined;
}

/** True for a plain decimal with at least one digit, no exponent, and no more than `places` digits after the point. */
export function isDecimal(text: string, places: number): boolean {
  let index = text.charCodeAt(0) === 45 ? 1 : 0;
  let digits = 0;
  while (isDigit(text.charCodeAt(index))) {
    index++;
    digits++;
  }
  if (text.charCodeAt(index) === 46) {
    const point = index++;
    while (isDigit(text.charCodeAt(index))) {
      index++;
      digits++;
    }
    const after = index - point - 1;
    if (after === 0 || after > places) return false;
  }
  return digits > 0 && index === text.length;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Whole cents as a safe integer; throws RangeError for text that is no amount or too large to be exact. */
export function toCents(money: Money): number {
  const cents = Number(exactCents(money));
  if (!Number.isSafeInteger(cents)) throw new RangeError(`amount too large for exact integer cents: ${money}`);
  return cents;
}

/** Whole cents written with two decimals: 1900 → "19.00". */
export function formatCents(cents: number | bigint): Money {
  if (typeof cents === "number" && !Number.isSafeInteger(cents)) throw new RangeError(`not whole cents: ${cents}`);
  const negative = cents < 0;
  const digits = String(negative ? -cents : cents).padStart(3, "0");
  return `${negative ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function addMoney(a: Money, b: Money): Money {
  return formatCents(exactCents(a) + exactCents(b));
}

export function subtractMoney(a: Money, b: Money): Money {
  return formatCents(exactCents(a) - exactCents(b));
}

export function sumMoney(list: Iterable<Money>): Money {
  let total = 0n;
  for (const money of list) total += exactCents(money);
  return formatCents(total);
}

/** Negative, zero or positive as `a` is less than, equal to or more than `b`, by value: "19" equals "19.00". */
export function compareMoney(a: Money, b: Money): -1 | 0 | 1 {
  const difference = exactCents(a) - exactCents(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** `money × numerator ÷ denominator` to the cent; an exact half goes away from zero. */
export function multiplyMoney(money: Money, numerator: number | bigint, denominator: number | bigint = 1n): Money {
  const divisor = BigInt(denominator);
  if (divisor <= 0n) throw new RangeError(`denominator must be positive: ${denominator}`);
  const product = exactCents(money) * BigInt(numerator);
  const magnitude = product < 0n ? -product : product;
  const rounded = (2n * magnitude + divisor) / (2n * divisor);
  return formatCents(product < 0n ? -rounded : rounded);
}

function exactCents(money: Money): bigint {
  if (!isDecimal(money, 2)) throw new RangeError(`not an amount with at most two decimals: ${JSON.stringify(money)}`);
  const point = money.indexOf(".");
  const places = point === -1 ? 0 : money.length - point - 1;
  const digits = (point === -1 ? money : money.slice(0, point) + money.slice(point + 1)) + "00".slice(places);
  return BigInt(digits);
}
