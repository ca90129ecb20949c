/** Compiles and runs every TypeScript example of the README and the docs, so that what they show is true. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = `${root}packages/windtunnel/test/.docs`;

const pages = [
  "README.md",
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const examples = pages.flatMap((page) =>
  [...readFileSync(root + page, "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map((match, i) => ({
    name: `${page} #${i + 1}`,
    code: match[1] ?? "",
  })),
);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const files = examples.map(({ code }, i) => {
  const file = `${folder}/example-${i + 1}.ts`;
  writeFileSync(file, `${code}\nexport {};\n`);
  return file;
});

function problemsOf(names: readonly string[]): string[] {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: names }, ts.sys, root);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([...names, `${root}packages/windtunnel/src/stats/jstat.d.ts`], options))
    .map(
      (problem) =>
        `${problem.file?.fileName.split("/").pop()}: ${ts.flattenDiagnosticMessageText(problem.messageText, "\n")}`,
    );
}

describe("examples in the docs", () => {
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("compile", () => {
    expect(problemsOf(files)).toEqual([]);
  });

  it("would be caught if they did not compile", () => {
    const broken = `${folder}/broken.ts`;
    writeFileSync(broken, 'import { noSuchExport } from "windtunnel";\nnoSuchExport();\n');
    expect(problemsOf([broken]).length).toBeGreaterThan(0);
  });

  for (const [i, { name }] of examples.entries()) {
    it(`run: ${name}`, async () => {
      await expect(import(/* @vite-ignore */ files[i]!)).resolves.toBeDefined();
    });
  }
});
