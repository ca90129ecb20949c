/** The sample files as an import takes them. Test material. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ImportFiles, NamedText } from "./import-files.js";

const FOLDER = fileURLToPath(new URL("../../../fixtures/denials-sample/", import.meta.url));

const read = (name: string): NamedText => ({ name, text: readFileSync(`${FOLDER}${name}`, "utf8") });

/** claims.837, remits.835, acks.277 and charts/ of the sample. */
export function readSample(): ImportFiles {
  const names = readdirSync(`${FOLDER}charts`, { recursive: true, encoding: "utf8" });
  const charts = names.filter((name) => statSync(`${FOLDER}charts/${name}`).isFile());
  return {
    claims: [read("claims.837")],
    remits: [read("remits.835")],
    acks: [read("acks.277")],
    charts: charts.map((name) => ({ name, text: read(`charts/${name}`).text })),
  };
}

/** The text with `from` replaced once; throws where it does not stand there exactly once. */
export function edited(file: NamedText, from: string, to: string): NamedText {
  const parts = file.text.split(from);
  if (parts.length !== 2) throw new Error(`${JSON.stringify(from)} stands ${parts.length - 1} times in ${file.name}`);
  return { ...file, text: parts.join(to) };
}
