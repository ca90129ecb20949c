/** Ids of runs: what ran, then six letters that tell this run from its like. Unique within a data directory because the store refuses a repeat. */
import { randomInt } from "node:crypto";

/** Digits and letters that are not mistaken for one another. */
const ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

export function newRunId(environment: string, agent: string): string {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 32);
  const tail = Array.from({ length: 6 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  const short = environment.slice(environment.lastIndexOf("/") + 1);
  return [plain(short), plain(agent), tail].filter((part) => part !== "").join("-");
}
