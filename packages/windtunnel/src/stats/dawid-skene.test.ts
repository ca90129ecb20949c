import { describe, expect, test } from "vitest";
import { dawidSkene, type RaterLabel } from "./dawid-skene.js";

/** Dawid and Skene 1979, table 1: a word per patient, three reports of observer 1, then one each of observers 2 to 5. */
const table = `
1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343 1111111 2223212 1211111
1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222 1111111 1111111 1121121
1111111 3333233 1111111 2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222
`;
const anaesthetists: RaterLabel[] = table
  .trim()
  .split(/\s+/)
  .flatMap((reports, patient) =>
    [...reports].map((label, i) => ({ item: `${patient + 1}`, rater: `${Math.max(1, i - 1)}`, label })),
  );

describe("dawidSkene", () => {
  const fit = dawidSkene(anaesthetists);

  test("finds the published prevalence", () => {
    expect(fit.labels).toEqual(["1", "2", "3", "4"]);
    expect(fit.prevalence).toEqual([0.3996, 0.422, 0.1118, 0.0667].map((share) => expect.closeTo(share, 3)));
    expect(fit.converged).toBe(true);
  });

  test("finds the published error rates of observer 1", () => {
    const { rater, confusion } = fit.raters[0]!;
    expect(rater).toBe("1");
    expect(confusion[0]).toEqual([0.889, 0.111, 0, 0].map((share) => expect.closeTo(share, 2)));
    expect(confusion[2]).toEqual([0, 0.339, 0.661, 0].map((share) => expect.closeTo(share, 2)));
  });

  test("settles patient 3 as published", () => {
    expect(fit.items.find(({ item }) => item === "3")).toMatchObject({ label: "2" });
  });

  test("does not depend on the order of labels", () => {
    const reversed = dawidSkene([...anaesthetists].reverse());
    expect(reversed.items.map(({ label }) => label)).toEqual(fit.items.map(({ label }) => label));
    reversed.prevalence.forEach((share, i) => {
      expect(share).toBeCloseTo(fit.prevalence[i]!, 9);
    });
  });

  test("trusts two careful raters over three that guess", () => {
    const given: RaterLabel[] = [];
    for (let i = 0; i < 200; i++) {
      const truth = i % 2;
      const guess = (salt: number) => ((i * 7919 + salt * 104729) >> 3) & 1;
      const labels = [truth, truth, guess(1), guess(2), guess(3)];
      labels.forEach((label, r) => {
        given.push({ item: `${i}`, rater: `r${r}`, label: `${label}` });
      });
    }
    const { items } = dawidSkene(given);
    expect(items.filter(({ item, label }) => Number(label) === Number(item) % 2).length).toBeGreaterThan(195);
  });

  test("keeps probabilities finite over thousands of votes on one item", () => {
    const given = Array.from({ length: 5000 }, (_, i) => ({
      item: `${i % 2}`,
      rater: `${i % 7}`,
      label: `${i % 2 === 0 || i % 9 === 0}`,
    }));
    for (const { probabilities } of dawidSkene(given).items)
      expect(probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
  });

  test("stops at its iteration limit and says so", () => {
    expect(dawidSkene(anaesthetists, { maxIterations: 1 })).toMatchObject({ iterations: 1, converged: false });
  });

  test("rejects an empty list", () => {
    expect(() => dawidSkene([])).toThrow(RangeError);
  });
});
