/** Krippendorff's α: agreement of any number of raters with gaps, on the scale that the labels have. */
import type { Agreement } from "./agreement.js";
import { estimated, notEstimable } from "./estimate.js";

/** What distance between two labels means. */
export type MeasurementScale = "nominal" | "ordinal" | "interval" | "ratio";

/**
 * α over `ratings[rater][unit]`, null where a rater skipped a unit; `n` counts the units with at least 2 ratings, the others say nothing.
 * Null when no two labels differ anywhere. Throws RangeError on rows of unequal length, values not finite, or ratio values below 0.
 */
export function krippendorffAlpha(
  ratings: readonly (readonly (number | null)[])[],
  scale: MeasurementScale,
): Agreement {
  const units = pairableUnits(ratings, scale);
  const n = units.length;
  if (n < 2)
    return { ...notEstimable(`α needs 2 units with 2 ratings each, got ${n}`, n), agreement: agreementOf(units) };
  const agreement = agreementOf(units);
  const totals = new Map<number, number>();
  for (const value of units.flat()) totals.set(value, (totals.get(value) ?? 0) + 1);
  const values = [...totals.keys()].sort((a, b) => a - b);
  if (values.length === 1) return { ...notEstimable("every rating is the same", n), agreement };

  const distance = distanceOn(scale, values, totals);
  let seen = 0;
  for (const unit of units) seen += sumOverPairs(unit, (a, b) => distance(a, b)) / (unit.length - 1);
  const expected = sumOverPairs(values, (a, b) => totals.get(a)! * totals.get(b)! * distance(a, b));
  const rated = units.reduce((sum, unit) => sum + unit.length, 0);
  return { ...estimated(1 - ((rated - 1) * seen) / expected, n), agreement };
}

function pairableUnits(ratings: readonly (readonly (number | null)[])[], scale: MeasurementScale): number[][] {
  const count = ratings[0]?.length ?? 0;
  ratings.forEach((row, rater) => {
    if (row.length !== count)
      throw new RangeError(`ratings[${rater}] must have ${count} units, got ${row.length}; mark gaps null`);
    row.forEach((value, unit) => {
      if (value !== null && (!Number.isFinite(value) || (scale === "ratio" && value < 0)))
        throw new RangeError(
          `ratings[${rater}][${unit}] must be ${scale === "ratio" ? "0 or above" : "finite"} or null, got ${value}`,
        );
    });
  });
  return Array.from({ length: count }, (_, unit) =>
    ratings.map((row) => row[unit]!).filter((value): value is number => value !== null),
  ).filter((values) => values.length >= 2);
}

function agreementOf(units: readonly (readonly number[])[]): number | null {
  const rated = units.reduce((sum, unit) => sum + unit.length, 0);
  if (rated === 0) return null;
  const agreed = units.reduce(
    (sum, unit) => sum + (2 * sumOverPairs(unit, (a, b) => Number(a === b))) / (unit.length - 1),
    0,
  );
  return agreed / rated;
}

function sumOverPairs(values: readonly number[], of: (a: number, b: number) => number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) for (let j = 0; j < i; j++) sum += of(values[i]!, values[j]!);
  return sum;
}

/** Squared distances; the ordinal one counts the ratings that lie between, ends at half. */
function distanceOn(scale: MeasurementScale, values: readonly number[], totals: ReadonlyMap<number, number>) {
  const middle = new Map<number, number>();
  let below = 0;
  for (const value of values) {
    middle.set(value, below + totals.get(value)! / 2);
    below += totals.get(value)!;
  }
  return (a: number, b: number): number => {
    if (a === b) return 0;
    switch (scale) {
      case "nominal":
        return 1;
      case "ordinal":
        return (middle.get(a)! - middle.get(b)!) ** 2;
      case "interval":
        return (a - b) ** 2;
      case "ratio":
        return ((a - b) / (a + b)) ** 2;
    }
  };
}
