import { describe, expect, test } from "vitest";
import { cohenKappa, fleissKappa, gwetAc1, tabulate } from "./agreement.js";

const fleiss1971 = [
  [0, 0, 0, 0, 14],
  [0, 2, 6, 4, 2],
  [0, 0, 3, 5, 6],
  [0, 3, 9, 2, 0],
  [2, 2, 8, 1, 1],
  [7, 7, 0, 0, 0],
  [3, 2, 6, 3, 0],
  [2, 5, 3, 2, 2],
  [6, 5, 2, 1, 0],
  [0, 2, 2, 3, 7],
];
const agresti = [
  [7, 7, 2, 3],
  [2, 8, 3, 7],
  [1, 5, 4, 9],
  [2, 8, 9, 14],
];
const transposed = (table: number[][]) => table.map((_, j) => table.map((row) => row[j]!));

describe("cohenKappa", () => {
  test.each([
    [
      [
        [20, 5],
        [10, 15],
      ],
      0.4,
    ],
    [
      [
        [45, 15],
        [25, 15],
      ],
      0.1304,
    ],
    [
      [
        [25, 35],
        [5, 35],
      ],
      0.2593,
    ],
    [
      [
        [118, 5],
        [2, 0],
      ],
      -0.0234,
    ],
    [agresti, 0.1293],
  ])("of %j is the published value", (table, kappa) => {
    expect(cohenKappa(table).value).toBeCloseTo(kappa, 4);
  });

  test.each([
    ["linear", 0.2374],
    ["quadratic", 0.332],
  ] as const)("with %s weights is the published value", (weights, kappa) => {
    expect(cohenKappa(agresti, weights).value).toBeCloseTo(kappa, 4);
  });

  test.each(["none", "linear", "quadratic"] as const)(
    "with %s weights does not depend on which rater comes first",
    (weights) => {
      expect(cohenKappa(transposed(agresti), weights).value).toBeCloseTo(cohenKappa(agresti, weights).value!, 12);
    },
  );

  test("weights change nothing on two categories", () => {
    const table = [
      [20, 5],
      [10, 15],
    ];
    expect(cohenKappa(table, "quadratic").value).toBeCloseTo(cohenKappa(table).value!, 12);
  });

  test("is undefined with the reason, raw agreement beside it, when all labels are the same", () => {
    expect(
      cohenKappa([
        [12, 0],
        [0, 0],
      ]),
    ).toEqual({
      value: null,
      n: 12,
      reason: expect.stringContaining("same label"),
      agreement: 1,
    });
  });

  test("is undefined on one item and on none", () => {
    expect(
      cohenKappa([
        [1, 0],
        [0, 0],
      ]),
    ).toMatchObject({ value: null, agreement: 1, n: 1 });
    expect(
      cohenKappa([
        [0, 1],
        [0, 0],
      ]),
    ).toMatchObject({ value: null, agreement: 0, n: 1 });
    expect(
      cohenKappa([
        [0, 0],
        [0, 0],
      ]),
    ).toMatchObject({ value: null, agreement: null, n: 0 });
  });

  test("shows the raw agreement that it corrects", () => {
    expect(
      cohenKappa([
        [118, 5],
        [2, 0],
      ]).agreement,
    ).toBeCloseTo(0.944, 3);
  });

  test.each([
    [[]],
    [[[1, 2]]],
    [
      [
        [1, -1],
        [0, 0],
      ],
    ],
    [
      [
        [1, 0.5],
        [0, 0],
      ],
    ],
  ])("rejects the table %j", (table) => {
    expect(() => cohenKappa(table)).toThrow(RangeError);
  });
});

describe("gwetAc1", () => {
  test.each([
    [
      [
        [118, 5],
        [2, 0],
      ],
      0.9408,
    ],
    [
      [
        [20, 5],
        [10, 15],
      ],
      0.4059,
    ],
  ])("of %j is the published value", (table, ac1) => {
    expect(gwetAc1(table).value).toBeCloseTo(ac1, 4);
  });

  test("is undefined where one category leaves no choice", () => {
    expect(gwetAc1([[5]])).toMatchObject({ value: null, agreement: 1 });
  });
});

describe("fleissKappa", () => {
  test("of Fleiss 1971 is the published value", () => {
    const kappa = fleissKappa(fleiss1971);
    expect(kappa.value).toBeCloseTo(0.2099, 4);
    expect(kappa.agreement).toBeCloseTo(0.378, 3);
  });

  test("is undefined with the reason when every rater says the same", () => {
    expect(
      fleissKappa([
        [0, 3],
        [0, 3],
      ]),
    ).toMatchObject({ value: null, agreement: 1, reason: expect.any(String) });
  });

  test("rejects items with unequal raters", () => {
    expect(() =>
      fleissKappa([
        [1, 2],
        [2, 2],
      ]),
    ).toThrow("counts[1]");
  });
});

describe("tabulate", () => {
  test("counts pairs by first label in rows", () => {
    expect(
      tabulate(
        [
          ["no", "yes"],
          ["no", "yes"],
          ["yes", "yes"],
        ],
        ["yes", "no"],
      ),
    ).toEqual([
      [1, 0],
      [2, 0],
    ]);
  });

  test("rejects a label outside the categories and a category twice", () => {
    expect(() => tabulate([["yes", "maybe"]], ["yes", "no"])).toThrow('pairs[0] has the label "maybe"');
    expect(() => tabulate([], ["yes", "yes"])).toThrow(RangeError);
  });
});
