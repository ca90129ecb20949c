/**
 * Seeded randomness. A stream is derived from text, so (run, task, attempt) names its own stream whatever the worker count.
 * Not cryptographic.
 */
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import { hashWords } from "./hash.js";

/** A deterministic stream of draws; the same seed gives the same draws on any machine. */
export class Random {
  readonly seed: string;
  readonly #generator: { next(): number };

  constructor(seed: string) {
    this.seed = seed;
    const [a, b, c, d] = hashWords(seed);
    this.#generator = xoroshiro128plusFromState([a, b, c, d | 1]);
  }

  /** An independent stream named by `label`; does not consume from this one. */
  derive(label: string): Random {
    return new Random(`${this.seed}/${label}`);
  }

  /** Uniform in [0, 1) with 32 bits. */
  float(): number {
    return (this.#generator.next() >>> 0) / 4_294_967_296;
  }

  /** Uniform integer in [min, max], both ends included. Throws RangeError when max < min. */
  int(min: number, max: number): number {
    if (!(max >= min)) throw new RangeError(`Random.int needs max >= min, got min ${min}, max ${max}`);
    return min + Math.floor(this.float() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.float() < probability;
  }

  /** One element, uniformly. Throws RangeError on an empty list. */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError("Random.pick needs a list that is not empty");
    return list[this.int(0, list.length - 1)] as T;
  }

  /** One key of `weights`, with probability proportional to its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
    if (!(total > 0)) throw new RangeError("Random.weighted needs a positive total weight");
    let left = this.float() * total;
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return entries[entries.length - 1]![0];
  }

  /** A shuffled copy (Fisher–Yates). */
  shuffle<T>(list: readonly T[]): T[] {
    const copy = [...list];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
    }
    return copy;
  }

  /** `count` different elements in random order. Throws RangeError when the list is shorter. */
  sample<T>(list: readonly T[], count: number): T[] {
    if (count > list.length) throw new RangeError(`Random.sample needs ${count} elements, the list has ${list.length}`);
    return this.shuffle(list).slice(0, count);
  }
}
