import { expect, it } from "vitest";
import { greedyCover } from "./kill-matrix.js";

it("covers every row with the fewest questions that a greedy choice finds", () => {
  const rows = [["a", "b"], ["a"], ["b", "c"], ["c"], ["a", "c"]];
  expect(greedyCover(["a", "b", "c"], rows)).toEqual(["a", "c"]);
});

it("covers nothing with nothing", () => {
  expect(greedyCover(["a"], [])).toEqual([]);
});
