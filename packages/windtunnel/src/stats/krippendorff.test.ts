import { describe, expect, test } from "vitest";
import { cohenKappa, tabulate } from "./agreement.js";
import { krippendorffAlpha } from "./krippendorff.js";

const parse = (rows: string[]) => rows.map((row) => [...row].map((mark) => (mark === "·" ? null : Number(mark))));
const irr = parse(["123321412···", "1233224125·3", "·3332342251·", "12332441251·"]);
const wikipedia = parse(["·····34121133·3", "1·213343·······", "··21344·21133·4"]);

describe("krippendorffAlpha", () => {
  test.each([
    ["nominal", 0.7434],
    ["ordinal", 0.8154],
    ["interval", 0.8491],
    ["ratio", 0.7974],
  ] as const)("of four raters with gaps is the published value on the %s scale", (scale, alpha) => {
    expect(krippendorffAlpha(irr, scale).value).toBeCloseTo(alpha, 4);
  });

  test.each([
    ["nominal", 0.6914],
    ["ordinal", 0.8067],
    ["interval", 0.8108],
  ] as const)("of three raters with many gaps is the published value on the %s scale", (scale, alpha) => {
    expect(krippendorffAlpha(wikipedia, scale).value).toBeCloseTo(alpha, 4);
  });

  test("does not depend on the order of raters or units", () => {
    const shuffled = [...irr].reverse().map((row) => [...row].reverse());
    expect(krippendorffAlpha(shuffled, "ordinal").value).toBeCloseTo(krippendorffAlpha(irr, "ordinal").value!, 12);
  });

  test("ignores units that fewer than two raters saw", () => {
    const padded = irr.map((row, rater) => [...row, rater === 0 ? 5 : null, null]);
    expect(krippendorffAlpha(padded, "interval")).toEqual(krippendorffAlpha(irr, "interval"));
  });

  test("nears Scott's correction of the same table as units grow: two raters with equal margins give Cohen's κ", () => {
    const one = Array.from({ length: 4000 }, (_, i) => i % 2);
    const two = one.map((label, i) => (i % 10 < 2 ? 1 - label : label));
    const kappa = cohenKappa(
      tabulate(
        one.map((label, i) => [label, two[i]!] as const),
        [0, 1],
      ),
    );
    const alpha = krippendorffAlpha([one, two], "nominal");
    expect(alpha.value).toBeCloseTo(kappa.value!, 3);
    expect(alpha.agreement).toBeCloseTo(kappa.agreement!, 12);
  });

  test("is undefined with the reason when every rating is the same", () => {
    expect(
      krippendorffAlpha(
        [
          [1, 1, 1],
          [1, 1, 1],
        ],
        "nominal",
      ),
    ).toEqual({
      value: null,
      n: 3,
      reason: "every rating is the same",
      agreement: 1,
    });
  });

  test("is undefined when no two raters saw the same unit", () => {
    expect(
      krippendorffAlpha(
        [
          [1, null],
          [null, 2],
        ],
        "nominal",
      ),
    ).toMatchObject({ value: null, n: 0, agreement: null });
  });

  test("rejects ragged rows, NaN, and negative ratio values", () => {
    expect(() => krippendorffAlpha([[1, 2], [1]], "nominal")).toThrow("ratings[1]");
    expect(() =>
      krippendorffAlpha(
        [
          [1, Number.NaN],
          [1, 2],
        ],
        "nominal",
      ),
    ).toThrow("ratings[0][1]");
    expect(() =>
      krippendorffAlpha(
        [
          [1, -2],
          [1, 2],
        ],
        "ratio",
      ),
    ).toThrow("ratings[0][1]");
  });
});
