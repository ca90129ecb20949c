import { describe, expect, test } from "vitest";
import { applyIsotonic, brier, ece, fitIsotonic, pava } from "./calibration.js";
import { toDraws } from "./draw.js";

const outcomes = [0, 0, 1, 0, 1, 1, 1, 0, 1, 1];
const forecasts = outcomes.map((y, i) => ({ probability: (5 + 10 * i) / 100, outcome: y === 1 }));

describe("ece", () => {
  test.each([
    [5, 0.22],
    [2, 0.1],
  ])("over %i right-closed bins is the published value", (bins, value) => {
    expect(ece(forecasts, { bins, binning: "equalWidth" }).value).toBeCloseTo(value, 4);
  });

  test("puts a probability on an edge into the lower bin, whatever rounding does to the product", () => {
    for (const bins of [3, 7, 10, 20]) {
      const edges = Array.from({ length: bins + 1 }, (_, i) => ({ probability: i / bins, outcome: true }));
      expect(ece(edges, { bins, binning: "equalWidth" }).bins.map((bin) => bin.n)).toEqual([
        2,
        ...new Array(bins - 1).fill(1),
      ]);
    }
  });

  test("over equal masses does not depend on order and never splits equal probabilities", () => {
    const tied = [0.2, 0.2, 0.2, 0.7, 0.9, 0.9].map((probability, i) => ({ probability, outcome: i % 2 === 0 }));
    const options = { bins: 6, binning: "equalMass" } as const;
    const result = ece(tied, options);
    expect(ece([...tied].reverse(), options).value).toBeCloseTo(result.value!, 12);
    expect(result.bins.map((bin) => bin.n)).toEqual([3, 1, 2]);
  });

  test("of one bin is the gap between mean probability and outcome share", () => {
    expect(ece(forecasts, { bins: 1, binning: "equalMass" }).value).toBeCloseTo(0.1, 12);
  });

  test("of nothing is undefined, and of a probability past 1 or no bins an error", () => {
    expect(ece([], { bins: 5, binning: "equalWidth" })).toMatchObject({ value: null, bins: [] });
    expect(() => ece([{ probability: 1.1, outcome: true }], { bins: 5, binning: "equalWidth" })).toThrow(RangeError);
    expect(() => ece(forecasts, { bins: 0, binning: "equalWidth" })).toThrow(RangeError);
  });
});

describe("brier", () => {
  test("is the published value", () => {
    const four = [0.1, 0.9, 0.8, 0.3].map((probability, i) => ({ probability, outcome: i === 1 || i === 2 }));
    expect(brier(four).value).toBeCloseTo(0.0375, 12);
    expect(brier(forecasts).value).toBeCloseTo(0.1925, 12);
  });

  test("equals reliability − resolution + uncertainty", () => {
    const draw = toDraws(4);
    const items = Array.from({ length: 300 }, () => {
      const probability = Math.floor(draw() * 5) / 4;
      return { probability, outcome: draw() < 0.2 + 0.5 * probability };
    });
    const base = items.filter((item) => item.outcome).length / 300;
    const { bins } = ece(items, { bins: 300, binning: "equalMass" });
    const parts = bins.map(
      ({ n, meanProbability: p, outcomeShare: y }) => (n / 300) * ((p - y) ** 2 - (y - base) ** 2),
    );
    expect(brier(items).value).toBeCloseTo(parts.reduce((sum, part) => sum + part, 0) + base * (1 - base), 12);
  });
});

describe("pava", () => {
  test.each([
    [
      [1, 3, 2, 4, 3, 5],
      [1, 2.5, 2.5, 3.5, 3.5, 5],
    ],
    [outcomes, [0, 0, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 1, 1]],
  ])("of %j is the published fit", (values, fit) => {
    expect(pava(values)).toEqual(fit);
  });

  test("equals the min–max formula max_{a≤i} min_{b≥i} mean(a..b)", () => {
    const draw = toDraws(9);
    const values = Array.from({ length: 25 }, () => Math.floor(draw() * 8));
    const weights = values.map(() => 1 + Math.floor(draw() * 3));
    const mean = (from: number, to: number) => {
      let [sum, weight] = [0, 0];
      for (let i = from; i <= to; i++) {
        sum += values[i]! * weights[i]!;
        weight += weights[i]!;
      }
      return sum / weight;
    };
    const at = values.map((_, i) => i);
    pava(values, weights).forEach((fit, i) => {
      const expected = Math.max(
        ...at.slice(0, i + 1).map((from) => Math.min(...at.slice(i).map((to) => mean(from, to)))),
      );
      expect(fit).toBeCloseTo(expected, 12);
    });
  });

  test("rejects weights that are missing or not above 0", () => {
    expect(() => pava([1, 2], [1])).toThrow(RangeError);
    expect(() => pava([1, 2], [1, 0])).toThrow("weights[1]");
  });
});

describe("fitIsotonic", () => {
  const items = forecasts.map(({ probability, outcome }) => ({ score: probability, outcome }));

  test("gives each fitted score its PAVA value and is constant beyond the ends", () => {
    const map = fitIsotonic(items);
    const fit = pava(outcomes);
    for (const [i, { score }] of items.entries()) expect(applyIsotonic(map, score)).toBeCloseTo(fit[i]!, 12);
    expect(applyIsotonic(map, -1)).toBe(0);
    expect(applyIsotonic(map, 2)).toBe(1);
  });

  test("pools equal scores whatever their order", () => {
    const tied = [true, false, false, true].map((outcome) => ({ score: 1, outcome }));
    expect(fitIsotonic(tied)).toEqual({ scores: [1], probabilities: [0.5] });
  });

  test("rejects an empty list", () => {
    expect(() => fitIsotonic([])).toThrow(RangeError);
  });
});
