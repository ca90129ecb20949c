/** Identifiers in the formats real systems check: NPIs with their Luhn digit, member ids by a payer's template, control numbers. */
import type { Random } from "windtunnel";

const LETTERS = "ACDEFGHJKMNPQRTUVWXY";

/** A ten-digit NPI whose check digit holds (Luhn over 80840 + number). */
export function drawNpi(random: Random): string {
  const stem = `1${digits(random, 8)}`;
  return stem + npiCheckDigit(stem);
}

/** The check digit of the first nine digits of an NPI. */
export function npiCheckDigit(stem: string): string {
  let sum = 24;
  for (let i = 0; i < 9; i++) {
    const digit = Number(stem[8 - i]);
    const doubled = i % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return String((10 - (sum % 10)) % 10);
}

/** Fills a template: # becomes a digit, @ a capital letter, all else stays. */
export function fillTemplate(random: Random, template: string): string {
  return template.replace(/[#@]/g, (mark) =>
    mark === "#" ? digits(random, 1) : LETTERS[random.int(0, LETTERS.length - 1)]!,
  );
}

export function digits(random: Random, count: number): string {
  let text = "";
  for (let i = 0; i < count; i++) text += random.int(0, 9);
  return text;
}

/** The same id with two neighbouring different digits exchanged, as a tired typist writes it. */
export function transpose(random: Random, id: string): string {
  const places = [...id].flatMap((char, i) =>
    /\d/.test(char) && /\d/.test(id[i + 1] ?? "") && id[i + 1] !== char ? [i] : [],
  );
  if (places.length === 0) return id.replace(/\d/, (digit) => String((Number(digit) + 1) % 10));
  const at = random.pick(places);
  return id.slice(0, at) + id[at + 1]! + id[at]! + id.slice(at + 2);
}
