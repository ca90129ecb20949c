import { describe, expect, it } from "vitest";
import { digestOf, hashRecord, hashText, hashWords, toCanonicalJson, toHex } from "./hash.js";
import { Random } from "./random.js";

/** MurmurHash3_x86_128 written from its published description, byte by byte with BigInt: slow, and sharing no code with the one under test. */
function slowMurmur(text: string, seed = 0): string {
  const M = 0xffffffffn;
  const mul = (a: bigint, b: bigint) => (a * b) & M;
  const rotl = (x: bigint, r: bigint) => ((x << r) | (x >> (32n - r))) & M;
  const c = [0x239b961bn, 0xab0e9789n, 0x38b34ae5n, 0xa1e38b93n];
  const kRotations = [15n, 16n, 17n, 18n];
  const hRotations = [19n, 17n, 15n, 13n];
  const added = [0x561ccd1bn, 0x0bcaa747n, 0x96cd1c35n, 0x32ac3b17n];
  const data = [...new TextEncoder().encode(text)].map(BigInt);
  const h = [0, 1, 2, 3].map(() => BigInt(seed >>> 0));
  const mixKey = (k: bigint, i: number) => mul(rotl(mul(k, c[i]!), kRotations[i]!), c[(i + 1) % 4]!);
  const whole = data.length - (data.length % 16);
  const word = (at: number) => [0, 1, 2, 3].reduce((sum, j) => sum | ((data[at + j] ?? 0n) << BigInt(8 * j)), 0n);
  for (let at = 0; at < whole; at += 16) {
    for (let i = 0; i < 4; i++) {
      h[i] = h[i]! ^ mixKey(word(at + 4 * i), i);
      h[i] = (mul((rotl(h[i]!, hRotations[i]!) + h[(i + 1) % 4]!) & M, 5n) + added[i]!) & M;
    }
  }
  for (let i = 3; i >= 0; i--) if (data.length - whole > 4 * i) h[i] = h[i]! ^ mixKey(word(whole + 4 * i), i);
  const sumUp = () => {
    h[0] = (h[0]! + h[1]! + h[2]! + h[3]!) & M;
    for (let i = 1; i < 4; i++) h[i] = (h[i]! + h[0]!) & M;
  };
  for (let i = 0; i < 4; i++) h[i] = h[i]! ^ BigInt(data.length);
  sumUp();
  for (let i = 0; i < 4; i++) {
    let x = h[i]!;
    x = mul(x ^ (x >> 16n), 0x85ebca6bn);
    x = mul(x ^ (x >> 13n), 0xc2b2ae35n);
    h[i] = x ^ (x >> 16n);
  }
  sumUp();
  return h.map((x) => x.toString(16).padStart(8, "0")).join("");
}

describe("hashing text", () => {
  it.each([
    ["", 0, "00000000000000000000000000000000"],
    ["", 1, "88c4adec54d201b954d201b954d201b9"],
    ["0", 0, "0ab2409ea5eb34f8a5eb34f8a5eb34f8"],
    ["01", 0, "0f87acb4674f3b21674f3b21674f3b21"],
    ["I will not buy this record, it is scratched.", 0, "a0a9683b25ac5e40d9af2895890dddf5"],
    ["I will not buy this tobacconist's, it is scratched.", 0, "9b5b7ba2ef3f7866889adeaf00f3f98e"],
  ])("of %j under seed %i gives the published value", (text, seed, expected) => {
    expect(toHex(hashWords(text, seed))).toBe(expected);
  });

  it("agrees with an implementation written from the description, for every length and for text outside ASCII", () => {
    const random = new Random("hash lengths");
    const alphabet = [...'abcXYZ019 {}:",é漢😀\u0000'];
    for (let length = 0; length < 70; length++) {
      const text = Array.from({ length }, () => random.pick(alphabet)).join("");
      const seed = random.int(-5, 5);
      expect(toHex(hashWords(text, seed))).toBe(slowMurmur(text, seed));
    }
  });

  it("hashes a text the same after a longer one has used the buffer", () => {
    const before = hashText("short");
    hashText("x".repeat(100_001));
    expect(hashText("short")).toBe(before);
    expect(hashText("x".repeat(9_999))).toBe(slowMurmur("x".repeat(9_999)));
  });
});

describe("canonical JSON", () => {
  it("is the same text whatever order the keys were written in", () => {
    expect(toCanonicalJson({ b: { d: 1, c: [2, null] }, a: "x" })).toBe(
      toCanonicalJson({ a: "x", b: { c: [2, null], d: 1 } }),
    );
    expect(digestOf({ a: 1, b: 2 })).toBe(digestOf({ b: 2, a: 1 }));
  });

  it("keeps the order of lists and the difference between a number and its text", () => {
    expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]));
    expect(digestOf("1")).not.toBe(digestOf(1));
    expect(digestOf("19.00")).not.toBe(digestOf("19"));
  });

  it("reads back to the value it was made from", () => {
    const value = { text: 'quote " and \u2028', list: [[], {}, -0.5, true], none: null };
    expect(JSON.parse(toCanonicalJson(value))).toEqual(value);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, () => 1, 1n, Symbol("s"), { deep: [Number.NaN] }])(
    "refuses %s, which JSON cannot hold",
    (value) => {
      expect(() => toCanonicalJson(value)).toThrow(TypeError);
    },
  );
});

describe("hashing a record", () => {
  const hashOf = (record: Record<string, unknown>, name = "t") => toHex(hashRecord(name, record, Object.keys(record)));

  it("gives records that differ in any value, type or boundary different hashes", () => {
    const values = [
      "",
      "0",
      "1",
      "12",
      "1\u00002",
      "null",
      "true",
      "é",
      "漢",
      "漢é",
      "\u00e9\u0000",
      0,
      1,
      12,
      -1,
      255,
      256,
      2 ** 31,
      -(2 ** 31),
      2 ** 40,
      0.1,
      1e300,
      null,
      true,
      false,
      [],
      [1],
      ["1"],
      {},
      { a: 1 },
      { a: "1" },
      "x".repeat(5000),
      "é".repeat(5000),
    ];
    const hashes = new Set<string>();
    for (const a of values) for (const b of values) hashes.add(hashOf({ a, b }));
    expect(hashes.size).toBe(values.length ** 2);
    expect(hashOf({ a: "ab", b: "c" })).not.toBe(hashOf({ a: "a", b: "bc" }));
    expect(hashOf({ a: 1 }, "t")).not.toBe(hashOf({ a: 1 }, "u"));
  });

  it("depends on values alone: not on how the record was built, nor on what was hashed before", () => {
    const keys = ["id", "text", "n"];
    const first = toHex(hashRecord("t", { id: "A-1", text: "héllo", n: 3 }, keys));
    hashOf({ long: "漢".repeat(9000) });
    expect(toHex(hashRecord("t", Object.freeze({ n: 3, text: "héllo", id: "A-1" }), keys))).toBe(first);
  });

  it("holds its value from one version to the next: stored state hashes are compared with it", () => {
    expect(
      toHex(
        hashRecord(
          "orders",
          { id: "ORD-1", note: "naïve 漢", count: -7, price: 0.5, open: true, none: null, tags: ["a"] },
          ["id", "note", "count", "price", "open", "none", "tags"],
        ),
      ),
    ).toMatchInlineSnapshot(`"aad9e02d10f38cbf58ff338d9411acc8"`);
  });
});
