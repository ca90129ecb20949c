/** Draws for resampling: a caller's stream, or one made from an integer. Not cryptographic. */

/** Uniform draws in [0, 1), or an integer that seeds such a stream. */
export type RandomSource = (() => number) | number;

/** The stream itself; an integer gives the same draws on any machine (sfc32). */
export function toDraws(source: RandomSource): () => number {
  if (typeof source === "function") return source;
  if (!Number.isSafeInteger(source))
    throw new RangeError(`random must be a function or an integer seed, got ${source}`);
  let [a, b, c, counter] = [source | 0, Math.floor(source / 2 ** 32) | 0, 0x9e3779b9 | 0, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 16; i++) next();
  return next;
}
