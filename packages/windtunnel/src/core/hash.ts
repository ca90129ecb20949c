/**
 * Content hashing: MurmurHash3 x86 128-bit (public domain algorithm by A. Appleby) over UTF-8, and the canonical JSON it is fed.
 * Fast, not cryptographic: fit for state identity and seeds, not for audit (the store seals rollouts with SHA-256).
 * 32-bit lanes are used because they stay plain integers in JavaScript; 64-bit hashes would need BigInt on the hot path.
 */

const encoder = new TextEncoder();
let bytes = new Uint8Array(4096);
let words = new Int32Array(bytes.buffer);

export type HashWords = [number, number, number, number];

const rotate = (x: number, r: number) => (x << r) | (x >>> (32 - r));

function finalMix(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

/** Up to this length, writing ASCII by hand beats the call into the encoder. */
const SHORT = 96;

/** MurmurHash3_x86_128 of the UTF-8 bytes of `text`: four signed 32-bit words. */
export function hashWords(text: string, seed = 0): HashWords {
  const { length } = text;
  reserve(length * 3, 0);
  if (length > SHORT) return murmur(encoder.encodeInto(text, bytes).written, seed);
  let seen = 0;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    seen |= unit;
    bytes[i] = unit;
  }
  return murmur(seen < 128 ? length : encoder.encodeInto(text, bytes).written, seed);
}

/**
 * Hash of a record: `name`, then the values of `keys` in that order. Values are written with their type and length, so no two records
 * share their bytes; nested values are written as JSON. Far faster than stringifying the record first.
 */
export function hashRecord(
  name: string,
  record: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): HashWords {
  let at = writeText(0, TEXT, name);
  for (let i = 0; i < keys.length; i++) {
    const value = record[keys[i]!];
    if (typeof value === "string") at = writeText(at, TEXT, value);
    else if (typeof value === "number" && (value | 0) === value) at = writeInteger(at, INTEGER, value);
    else if (value === null || typeof value === "boolean")
      at = writeInteger(at, CONSTANT, value === null ? 0 : value ? 1 : 2);
    else if (typeof value === "number") at = writeText(at, NUMBER, String(value));
    else at = writeText(at, JSON_TEXT, JSON.stringify(value) ?? "");
  }
  return murmur(at, 0);
}

const TEXT = 1;
const INTEGER = 3;
const CONSTANT = 4;
const NUMBER = 5;
const JSON_TEXT = 7;

/** Makes room for `more` bytes beyond the first `used`, which are kept. */
function reserve(more: number, used: number): void {
  const room = used + more + 16;
  if (bytes.length >= room) return;
  const larger = new Uint8Array((2 * room + 4095) & ~4095);
  larger.set(bytes.subarray(0, used));
  bytes = larger;
  words = new Int32Array(bytes.buffer);
}

function writeInteger(at: number, tag: number, value: number): number {
  reserve(5, at);
  bytes[at] = tag;
  bytes[at + 1] = value;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value >>> 16;
  bytes[at + 4] = value >>> 24;
  return at + 5;
}

/** ASCII takes a byte a character; any other text is written again with two, under the next tag. */
function writeText(from: number, tag: number, text: string): number {
  const { length } = text;
  reserve(5 + 2 * length, from);
  const at = writeInteger(from, tag, length);
  let seen = 0;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    seen |= unit;
    bytes[at + i] = unit;
  }
  if (seen < 128) return at + length;
  bytes[from] = tag + 1;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    bytes[at + 2 * i] = unit;
    bytes[at + 2 * i + 1] = unit >>> 8;
  }
  return at + 2 * length;
}

/** MurmurHash3_x86_128 of the first `length` of `bytes`, which has room for 16 more. */
function murmur(length: number, seed: number): HashWords {
  let h1 = seed;
  let h2 = seed;
  let h3 = seed;
  let h4 = seed;
  const blocks = length >> 4;
  for (let block = 0; block < blocks; block++) {
    const at = block * 4;
    h1 ^= Math.imul(rotate(Math.imul(words[at]!, C1), 15), C2);
    h1 = (Math.imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0;
    h2 ^= Math.imul(rotate(Math.imul(words[at + 1]!, C2), 16), C3);
    h2 = (Math.imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0;
    h3 ^= Math.imul(rotate(Math.imul(words[at + 2]!, C3), 17), C4);
    h3 = (Math.imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0;
    h4 ^= Math.imul(rotate(Math.imul(words[at + 3]!, C4), 18), C1);
    h4 = (Math.imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0;
  }
  const tail = blocks * 16;
  const left = length - tail;
  if (left > 0) {
    // Zeroed padding lets the tail be read as whole words; the length is mixed in below, so padding cannot collide.
    bytes.fill(0, length, tail + 16);
    const at = blocks * 4;
    if (left > 12) h4 ^= Math.imul(rotate(Math.imul(words[at + 3]!, C4), 18), C1);
    if (left > 8) h3 ^= Math.imul(rotate(Math.imul(words[at + 2]!, C3), 17), C4);
    if (left > 4) h2 ^= Math.imul(rotate(Math.imul(words[at + 1]!, C2), 16), C3);
    h1 ^= Math.imul(rotate(Math.imul(words[at]!, C1), 15), C2);
  }
  h1 ^= length;
  h2 ^= length;
  h3 ^= length;
  h4 ^= length;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = finalMix(h1);
  h2 = finalMix(h2);
  h3 = finalMix(h3);
  h4 = finalMix(h4);
  h1 = (h1 + h2 + h3 + h4) | 0;
  return [h1, (h2 + h1) | 0, (h3 + h1) | 0, (h4 + h1) | 0];
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const hexOf = (word: number) =>
  HEX[word >>> 24]! + HEX[(word >>> 16) & 255]! + HEX[(word >>> 8) & 255]! + HEX[word & 255]!;

export function toHex(words: Readonly<HashWords>): string {
  return hexOf(words[0]) + hexOf(words[1]) + hexOf(words[2]) + hexOf(words[3]);
}

/** 128-bit hash of `text` as 32 hex digits. */
export function hashText(text: string): string {
  return toHex(hashWords(text));
}

/** JSON with object keys sorted at every level, so equal values give equal text. Throws TypeError on undefined, functions and non-finite numbers. */
export function toCanonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`canonical JSON has no ${value}`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  if (typeof value === "object") {
    const entries = Object.entries(value).filter(([, field]) => field !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([key, field]) => `${JSON.stringify(key)}:${toCanonicalJson(field)}`).join(",")}}`;
  }
  throw new TypeError(`canonical JSON has no ${typeof value}`);
}

/** Content digest of any JSON value: 32 hex digits, independent of key order. */
export function digestOf(value: unknown): string {
  return hashText(toCanonicalJson(value));
}

/** Adds (or with -1 takes away) a hash lane by lane: a sum that does not depend on order. */
export function addWords(lanes: HashWords, words: Readonly<HashWords>, sign: 1 | -1): void {
  lanes[0] = (lanes[0] + sign * words[0]) | 0;
  lanes[1] = (lanes[1] + sign * words[1]) | 0;
  lanes[2] = (lanes[2] + sign * words[2]) | 0;
  lanes[3] = (lanes[3] + sign * words[3]) | 0;
}
