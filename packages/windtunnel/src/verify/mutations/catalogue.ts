/**
 * The catalogue of mutation operators: H1–H25 damage a right solution, B1–B14 leave it as good as it was. All are generic: they read tool
 * schemas, marks of meaning, the visible world and the trace, and name no environment, tool or field.
 */
import { sameInOtherOrder } from "./benign-order.js";
import { sameInOtherWords } from "./benign-words.js";
import { damageToTime, sameInAnotherWorld } from "./benign-worlds.js";
import { damageByAdding } from "./damage-added.js";
import { damageByLeavingOut } from "./damage-omitted.js";
import { damageToValues } from "./damage-values.js";
import { damageToWords } from "./damage-words.js";
import type { Operator } from "./draft.js";

const number = ({ id }: Operator) => Number(id.slice(1));

/** The 25 damaging operators, H1 first. */
export const DAMAGE: readonly Operator[] = [
  ...damageByLeavingOut,
  ...damageByAdding,
  ...damageToValues,
  ...damageToWords,
  ...damageToTime,
].sort((a, b) => number(a) - number(b));

/** The 14 operators that must cost nothing, B1 first. */
export const EQUIVALENTS: readonly Operator[] = [...sameInOtherOrder, ...sameInOtherWords, ...sameInAnotherWorld].sort(
  (a, b) => number(a) - number(b),
);

export const OPERATORS: readonly Operator[] = [...DAMAGE, ...EQUIVALENTS];
