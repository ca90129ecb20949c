/** The known word closest to one that is not known, for "did you mean". */

/** Letters inserted, removed, changed or swapped with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(row[j - 1]! + 1, previous[j]! + 1, previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}

/** The nearest of `known`, or undefined when none is near: a third of the letters may differ, or one may begin with the other. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const given = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const name = candidate.toLowerCase();
    const begins = given.length >= 2 && (name.startsWith(given) || name.endsWith(`/${given}`));
    const apart = begins ? 0.5 : distance(given, name);
    if (apart < bestDistance) {
      best = candidate;
      bestDistance = apart;
    }
  }
  return bestDistance <= Math.max(1, Math.floor(word.length / 3)) ? best : undefined;
}

/** A sentence for an error's `fix`: the nearest name, or the list. */
export function suggest(word: string, known: readonly string[], listHint: string): string {
  const near = nearest(word, known);
  return near === undefined ? listHint : `Did you mean "${near}"? ${listHint}`;
}
