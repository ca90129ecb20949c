/**
 * Dawid and Skene's (1979) estimate of true labels from several fallible raters, by expectation–maximisation from vote shares.
 * Finds a local optimum; wants about 3 raters and 30 items. Raters are taken as independent given the truth.
 */

/** A rater may label an item more than once. */
export interface RaterLabel {
  readonly item: string;
  readonly rater: string;
  readonly label: string;
}

export interface DawidSkene {
  /** Ascending; every array below is in this order. */
  readonly labels: readonly string[];
  /** Share of items whose truth is each label. */
  readonly prevalence: readonly number[];
  /** `confusion[truth][given]`: each row sums to 1, or is null when no item is held to have that truth for this rater. */
  readonly raters: readonly { readonly rater: string; readonly confusion: readonly (readonly number[] | null)[] }[];
  readonly items: readonly {
    readonly item: string;
    readonly probabilities: readonly number[];
    readonly label: string;
  }[];
  readonly iterations: number;
  readonly converged: boolean;
}

/** Fits until no probability of an item moves by more than `tolerance`. Order of input does not matter. Throws RangeError on no labels. */
export function dawidSkene(
  given: readonly RaterLabel[],
  { tolerance = 1e-7, maxIterations = 1000 }: { tolerance?: number; maxIterations?: number } = {},
): DawidSkene {
  if (given.length === 0) throw new RangeError("dawidSkene needs at least one label");
  const labels = distinct(given.map(({ label }) => label));
  const raters = distinct(given.map(({ rater }) => rater));
  const items = distinct(given.map(({ item }) => item));
  const votes = countVotes(given, items, raters, labels);

  let beliefs = votes.map((byRater) =>
    normalised(labels.map((_, l) => byRater.reduce((sum, row) => sum + row[l]!, 0))),
  );
  let fit = maximise(votes, beliefs, raters.length);
  let [iterations, moved] = [0, Number.POSITIVE_INFINITY];
  while (moved > tolerance && iterations < maxIterations) {
    const before = beliefs;
    beliefs = votes.map((byRater) => believe(byRater, fit));
    moved = beliefs.reduce(
      (most, row, i) => row.reduce((max, p, truth) => Math.max(max, Math.abs(p - before[i]![truth]!)), most),
      0,
    );
    fit = maximise(votes, beliefs, raters.length);
    iterations++;
  }
  return {
    labels,
    prevalence: fit.prevalence,
    raters: raters.map((rater, r) => ({ rater, confusion: fit.confusions[r]! })),
    items: items.map((item, i) => {
      const probabilities = beliefs[i]!;
      return { item, probabilities, label: labels[probabilities.indexOf(Math.max(...probabilities))]! };
    }),
    iterations,
    converged: moved <= tolerance,
  };
}

interface Fit {
  readonly prevalence: readonly number[];
  /** [rater][truth][given] */
  readonly confusions: readonly (readonly (readonly number[] | null)[])[];
}

/** [item][rater][label] */
type Votes = readonly (readonly (readonly number[])[])[];

function maximise(votes: Votes, beliefs: readonly (readonly number[])[], raters: number): Fit {
  const labels = beliefs[0]!.map((_, truth) => truth);
  const prevalence = labels.map((truth) => beliefs.reduce((sum, row) => sum + row[truth]!, 0) / beliefs.length);
  const confusions = Array.from({ length: raters }, (_, rater) =>
    labels.map((truth) => {
      const row = labels.map((label) =>
        votes.reduce((sum, byRater, item) => sum + beliefs[item]![truth]! * byRater[rater]![label]!, 0),
      );
      return row.some((weight) => weight > 0) ? normalised(row) : null;
    }),
  );
  return { prevalence, confusions };
}

/** Posterior over an item's truth, in logarithms: many votes underflow a product. */
function believe(byRater: readonly (readonly number[])[], { prevalence, confusions }: Fit): number[] {
  const logs = prevalence.map((share, truth) => {
    let log = Math.log(share);
    byRater.forEach((row, rater) => {
      row.forEach((count, label) => {
        if (count > 0) log += count * Math.log(confusions[rater]![truth]?.[label] ?? 0);
      });
    });
    return log;
  });
  const top = Math.max(...logs);
  return normalised(logs.map((log) => Math.exp(log - top)));
}

function countVotes(
  given: readonly RaterLabel[],
  items: readonly string[],
  raters: readonly string[],
  labels: readonly string[],
): number[][][] {
  const at = (names: readonly string[]) => new Map(names.map((name, i) => [name, i]));
  const [itemAt, raterAt, labelAt] = [at(items), at(raters), at(labels)];
  const votes = items.map(() => raters.map(() => labels.map(() => 0)));
  for (const { item, rater, label } of given) votes[itemAt.get(item)!]![raterAt.get(rater)!]![labelAt.get(label)!]!++;
  return votes;
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort();

function normalised(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
