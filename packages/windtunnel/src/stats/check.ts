/** Checks of arguments: each throws a RangeError that names the argument, what it must be and what it was. */

export function requireFinite(values: readonly number[], name: string): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at >= 0)
    throw new RangeError(`${name}[${at}] must be a finite number, got ${values[at]}; leave missing values out`);
}

export function requireCount(value: number, name: string, max = Number.MAX_SAFE_INTEGER): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > max)
    throw new RangeError(`${name} must be an integer in 0..${max}, got ${value}`);
}

/** A confidence level such as 0.95: a share, not a percentage. */
export function requireLevel(level: number): void {
  if (!(level > 0 && level < 1))
    throw new RangeError(`level must lie between 0 and 1 (for example 0.95), got ${level}`);
}

export function requireProbabilities(values: readonly number[], name: string): void {
  const at = values.findIndex((value) => !(value >= 0 && value <= 1));
  if (at >= 0) throw new RangeError(`${name}[${at}] must lie in 0..1, got ${values[at]}`);
}

/** A square table of counts, at least 1 by 1. */
export function requireSquareCounts(table: readonly (readonly number[])[], name: string): void {
  if (table.length === 0) throw new RangeError(`${name} must have a row for each category, got none`);
  table.forEach((row, i) => {
    if (row.length !== table.length)
      throw new RangeError(
        `${name}[${i}] must have ${table.length} columns like the table has rows, got ${row.length}`,
      );
    for (const [j, count] of row.entries()) requireCount(count, `${name}[${i}][${j}]`);
  });
}
