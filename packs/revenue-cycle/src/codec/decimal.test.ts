import { describe, expect, test } from "vitest";
import {
  addMoney,
  compareMoney,
  formatCents,
  multiplyMoney,
  parseMoney,
  subtractMoney,
  sumMoney,
  toCents,
} from "./decimal.js";

describe("money", () => {
  test.each(["0", "19.00", "188.4", "-5", ".5", "-12.05", "007", "999999999999999999"])(
    "%s is an amount and stays as written",
    (text) => {
      expect(parseMoney(text)).toBe(text);
    },
  );

  test.each(["", "-", ".", "1.", "1.234", "1e3", "+1", " 1", "1,000", "--1", "1.2.3", "NaN", "١"])(
    "%j is no amount",
    (text) => {
      expect(parseMoney(text)).toBeUndefined();
    },
  );

  test("sums are exact where binary fractions are not", () => {
    expect(addMoney("0.1", "0.2")).toBe("0.30");
    expect(sumMoney(Array.from({ length: 1000 }, () => "0.01"))).toBe("10.00");
    expect(subtractMoney("420", "188.4")).toBe("231.60");
  });

  test("sums beyond safe integers stay exact", () => {
    expect(addMoney("999999999999999999.99", "0.01")).toBe("1000000000000000000.00");
  });

  test("equality is by value, not by form", () => {
    expect(compareMoney("19", "19.00")).toBe(0);
    expect(compareMoney("-0", "0")).toBe(0);
    expect(compareMoney("9.99", "10")).toBe(-1);
    expect(compareMoney("-1", "-2")).toBe(1);
  });

  test("cents and text convert both ways", () => {
    expect(toCents("188.4")).toBe(18840);
    expect(toCents("-.05")).toBe(-5);
    expect(formatCents(-5)).toBe("-0.05");
    expect(formatCents(18840n)).toBe("188.40");
  });

  test("what is not whole cents or not exact is refused", () => {
    expect(() => toCents("abc")).toThrow(RangeError);
    expect(() => toCents("99999999999999999999")).toThrow(RangeError);
    expect(() => formatCents(0.5)).toThrow(RangeError);
    expect(() => addMoney("1", "")).toThrow(RangeError);
    expect(() => multiplyMoney("1", 1, 0)).toThrow(RangeError);
  });

  test("a product rounds an exact half away from zero", () => {
    expect(multiplyMoney("235.50", 20, 100)).toBe("47.10");
    expect(multiplyMoney("0.05", 1, 2)).toBe("0.03");
    expect(multiplyMoney("-0.05", 1, 2)).toBe("-0.03");
    expect(multiplyMoney("10", 1, 3)).toBe("3.33");
    expect(multiplyMoney("20", 1, 3)).toBe("6.67");
  });
});
