/**
 * Chance-corrected agreement on categories. Every answer carries the raw agreement beside it, because the correction is undefined when
 * all labels are the same and misleading when nearly all are. No intervals here: resample the items with `bootstrap`.
 */
import { requireCount, requireSquareCounts } from "./check.js";
import { type Estimate, estimated, notEstimable } from "./estimate.js";

/** A coefficient and the raw share of rating pairs that agree exactly; null when nothing can be compared. */
export type Agreement = Estimate & { readonly agreement: number | null };

/** Counts of items: row = first rater's category, column = second rater's. For weighted kappa the categories stand in order. */
export type AgreementTable = readonly (readonly number[])[];

/** Tabulates pairs of labels. Throws RangeError on a label that is not among `categories`. */
export function tabulate<L>(pairs: readonly (readonly [first: L, second: L])[], categories: readonly L[]): number[][] {
  const index = new Map(categories.map((category, i) => [category, i]));
  if (index.size !== categories.length)
    throw new RangeError(`categories must differ, got ${JSON.stringify(categories)}`);
  const table = categories.map(() => new Array<number>(categories.length).fill(0));
  pairs.forEach((pair, at) => {
    const [i, j] = pair.map((label) => {
      const found = index.get(label);
      if (found !== undefined) return found;
      throw new RangeError(
        `pairs[${at}] has the label ${JSON.stringify(label)}, expected one of ${JSON.stringify(categories)}`,
      );
    });
    table[i!]![j!]!++;
  });
  return table;
}

/** Cohen's κ, or weighted κ by linear or quadratic distance between category positions. Null when both raters used one category only. */
export function cohenKappa(table: AgreementTable, weights: "none" | "linear" | "quadratic" = "none"): Agreement {
  const { n, rows, columns, agreement } = margins(table);
  if (n < 2) return { ...tooFew(n), agreement };
  const power = weights === "quadratic" ? 2 : 1;
  const weight = (i: number, j: number) => (weights === "none" ? Number(i !== j) : Math.abs(i - j) ** power);
  let [seen, expected] = [0, 0];
  table.forEach((row, i) => {
    row.forEach((count, j) => {
      seen += weight(i, j) * count;
      expected += (weight(i, j) * rows[i]! * columns[j]!) / n;
    });
  });
  if (expected === 0) return { ...notEstimable("both raters gave every item the same label", n), agreement };
  return { ...estimated(1 - seen / expected, n), agreement };
}

/** Gwet's AC1: as κ, with chance agreement that does not collapse when one category dominates. Null under two categories. */
export function gwetAc1(table: AgreementTable): Agreement {
  const { n, rows, columns, agreement } = margins(table);
  if (n < 2 || agreement === null) return { ...tooFew(n), agreement };
  if (table.length < 2) return { ...notEstimable("one category leaves nothing to agree on", n), agreement };
  const chance = rows.reduce((sum, row, k) => {
    const share = (row + columns[k]!) / (2 * n);
    return sum + (share * (1 - share)) / (table.length - 1);
  }, 0);
  return { ...estimated((agreement - chance) / (1 - chance), n), agreement };
}

/**
 * Fleiss' κ for items rated by the same number of raters, not necessarily the same people.
 * `counts[item][category]` is how many raters chose it. Throws RangeError when items differ in raters: use krippendorffAlpha.
 */
export function fleissKappa(counts: readonly (readonly number[])[]): Agreement {
  const n = counts.length;
  if (n === 0) return { ...tooFew(0), agreement: null };
  const raters = counts[0]!.reduce((sum, count) => sum + count, 0);
  counts.forEach((row, i) => {
    if (row.length !== counts[0]!.length)
      throw new RangeError(`counts[${i}] must have ${counts[0]!.length} categories, got ${row.length}`);
    for (const [j, count] of row.entries()) requireCount(count, `counts[${i}][${j}]`);
    const sum = row.reduce((total, count) => total + count, 0);
    if (sum !== raters) throw new RangeError(`counts[${i}] has ${sum} ratings, expected ${raters} on every item`);
  });
  if (raters < 2) return { ...notEstimable(`agreement needs 2 raters an item, got ${raters}`, n), agreement: null };
  const pairs = n * raters * (raters - 1);
  const agreement = counts.flat().reduce((sum, count) => sum + count * (count - 1), 0) / pairs;
  if (n < 2) return { ...tooFew(n), agreement };
  const totals = counts[0]!.map((_, k) => counts.reduce((sum, row) => sum + row[k]!, 0));
  if (totals.some((total) => total === n * raters))
    return { ...notEstimable("every rater gave every item the same label", n), agreement };
  const chance = totals.reduce((sum, total) => sum + (total / (n * raters)) ** 2, 0);
  return { ...estimated((agreement - chance) / (1 - chance), n), agreement };
}

const tooFew = (n: number): Estimate => notEstimable(`agreement beyond chance needs 2 items, got ${n}`, n);

function margins(table: AgreementTable) {
  requireSquareCounts(table, "table");
  const rows = table.map((row) => row.reduce((sum, count) => sum + count, 0));
  const columns = table.map((_, j) => table.reduce((sum, row) => sum + row[j]!, 0));
  const n = rows.reduce((sum, row) => sum + row, 0);
  const agreed = table.reduce((sum, row, i) => sum + row[i]!, 0);
  return { n, rows, columns, agreement: n === 0 ? null : agreed / n };
}
