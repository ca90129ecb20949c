/** The same facts in other words: paraphrase, layout, notation, length, language. Ids, amounts and dates stay what they are. */
import { equivalent, type Operator } from "./draft.js";
import { clausesOf, factsOf, type Prose, proseOf, reworded } from "./prose.js";
import type { Seed } from "./seed.js";

const NO_PROSE = "the solution writes and says nothing in words";

const wording = (
  id: string,
  name: string,
  what: string,
  rewrite: (text: string, seed: Seed, prose: Prose) => readonly string[],
): Operator =>
  equivalent(id, name, what, {
    missing: (seed) =>
      proseOf(seed).length === 0
        ? NO_PROSE
        : proseOf(seed).some((prose) => rewrite(prose.text, seed, prose).length > 0)
          ? null
          : "no text of the solution can be said that way",
    make: (seed) =>
      proseOf(seed).flatMap((prose) =>
        rewrite(prose.text, seed, prose).map((text) => ({
          what: `${prose.step.tool ?? "says"}: "${text.slice(0, 60)}"`,
          trajectory: reworded(seed, prose, text),
        })),
      ),
  });

const paraphrase = wording("B3", "paraphrase", "The same in other words.", (text) => {
  const clauses = clausesOf(text);
  const facts = factsOf(text);
  return [
    `In short: ${text}`,
    ...(clauses.length > 1 ? [[...clauses].reverse().join(" ")] : []),
    ...(facts.length > 0 ? [`This is about ${facts.join(" and ")}; it was worked as it should be.`] : []),
  ];
});

const layout = wording("B4", "layout", "The same with markdown, line breaks and spaces.", (text) => [
  clausesOf(text)
    .map((clause) => `- ${clause}`)
    .join("\n"),
  `**Note**\n\n${text.replaceAll(" ", "  ")}\n`,
  factsOf(text).reduce((bold, fact) => bold.replace(fact, `**${fact}**`), text),
]);

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const spelled = (date: string) =>
  `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;

const notation = wording("B6", "notation", "Dates and amounts in another notation.", (text, seed) => {
  const today = new Date(seed.scenario.world.now).toISOString().slice(0, 10);
  const other = text
    .replace(/\b\d{4}-\d{2}-\d{2}\b/g, spelled)
    .replace(
      /(?<![\d.,])(\d{4,})\.(\d{2})\b/g,
      (_, whole: string, cents: string) => `${Number(whole).toLocaleString("en-US")}.${cents}`,
    );
  return [
    ...(other === text ? [] : [other]),
    `${other} Written on ${spelled(today)}.`,
    `${other} (${today.slice(5, 7)}/${today.slice(8)}/${today.slice(0, 4)})`,
  ];
});

const length = wording("B9", "length", "The same facts at twice the length, or at half.", (text) => {
  const facts = factsOf(text);
  return [`${text} To say it again in full: ${text}`, ...(facts.length > 0 ? [`${facts.join(", ")}: done.`] : [])];
});

const language = wording("B10", "language", "The same facts in another language.", (text) => {
  const facts = factsOf(text).join(", ");
  return facts === ""
    ? []
    : [
        `Se ha tramitado lo siguiente: ${facts}. Los documentos citados lo demuestran.`,
        `Bearbeitet wurde: ${facts}. Die angeführten Unterlagen belegen es.`,
      ];
});

export const sameInOtherWords: readonly Operator[] = [paraphrase, layout, notation, length, language];
