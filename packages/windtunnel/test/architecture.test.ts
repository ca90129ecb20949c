/**
 * The shape of the source, read from the source: which folder may import which, who may touch the outside, how files are named, sized and
 * opened. Each rule is a function of one file, and is shown a file that it must reject.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

interface Source {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}
type Rule = (source: Source) => string[];

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const CORE = "packages/windtunnel/src/";

/** Folders of the package, with those they may import beside themselves ("root" is the public API). Folders of one line do not import each other. */
const LAYERS: readonly { readonly folders: readonly string[]; readonly may: readonly string[] }[] = (() => {
  const ground = ["core", "stats"];
  const middle = ["verify", "label", "train", "model", "store"];
  const upper = ["engine", "serve", "handoff", "improve"];
  return [
    { folders: ground, may: [] },
    { folders: ["testing"], may: ground },
    { folders: middle, may: ground },
    { folders: upper, may: [...ground, ...middle] },
    { folders: ["cli"], may: [...ground, ...middle, ...upper, "testing", "root"] },
  ];
})();
const IO_FOLDERS = ["store", "model", "engine", "serve", "handoff", "cli"];
const PACK_IMPORTS = ["windtunnel", "windtunnel/testing", "windtunnel/stats"];

const isTest = (path: string) => /\.(test|suite)\.ts$/.test(path);
const folderOf = (path: string) =>
  path.startsWith(CORE) && path.slice(CORE.length).includes("/") ? path.slice(CORE.length).split("/")[0] : undefined;
const isPackSource = (path: string) => /^packs\/[^/]+\/src\//.test(path);
/** Code that reads a user's own files stands outside the rule against clocks: it names itself. */
const isImportCode = (path: string) => /\/import[/.-]|-import(er)?[/.]/.test(path);

const importsOf = ({ text }: Source) =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
const isBuiltin = (name: string) =>
  name.startsWith("node:") ||
  [
    "fs",
    "path",
    "os",
    "crypto",
    "child_process",
    "worker_threads",
    "http",
    "https",
    "net",
    "process",
    "util",
    "url",
  ].includes(name);

/** The code of a source without comments and text, so that neither is mistaken for it. */
function codeOf({ text }: Source): string {
  const file = ts.createSourceFile("x.ts", text, ts.ScriptTarget.Latest, true);
  const quiet: [number, number][] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isRegularExpressionLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    )
      quiet.push([node.getStart(), node.end]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  const code = text.split("");
  for (const [from, to] of quiet) code.fill(" ", from, to);
  for (const range of commentsOf(file, text)) code.fill(" ", range.pos, range.end);
  return code.join("");
}

function commentsOf(file: ts.SourceFile, text: string): ts.CommentRange[] {
  const found = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ])
      found.set(range.pos, range);
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  return [...found.values()];
}

const dependencyDirection: Rule = (source) => {
  if (isTest(source.path) || !source.path.startsWith(CORE)) return [];
  const folder = folderOf(source.path);
  const allowed = folder === undefined ? ["core"] : LAYERS.find(({ folders }) => folders.includes(folder))?.may;
  if (allowed === undefined) return [`${source.path}: the folder "${folder}" has no place in the order of layers`];
  return importsOf(source).flatMap((name) => {
    if (!name.startsWith("."))
      return /^windtunnel(\/|$)/.test(name) ? [`${source.path} imports its own package by name: ${name}`] : [];
    const target = posix.join(posix.dirname(source.path), name);
    const other = folderOf(target) ?? "root";
    if (!target.startsWith(CORE)) return [`${source.path} imports from outside the package's source: ${name}`];
    return other === folder || allowed.includes(other)
      ? []
      : [`${source.path} (${folder ?? "root"}) imports ${name} (${other})`];
  });
};

const packImports: Rule = (source) => {
  if (!/^packs\/[^/]+\/(src|test)\//.test(source.path)) return [];
  const pack = source.path.split("/").slice(0, 2).join("/");
  return importsOf(source).flatMap((name) => {
    if (/windtunnel/.test(name) && !PACK_IMPORTS.includes(name) && !name.startsWith("@windtunnel/"))
      return [`${source.path} imports a deep path: ${name}`];
    if (name.startsWith(".") && !posix.join(posix.dirname(source.path), name).startsWith(`${pack}/`))
      return [`${source.path} imports from outside its pack: ${name}`];
    return [];
  });
};

const noBuiltins: Rule = (source) => {
  const folder = folderOf(source.path);
  if (isTest(source.path) || folder === undefined || IO_FOLDERS.includes(folder)) return [];
  return importsOf(source)
    .filter(isBuiltin)
    .map((name) => `${source.path} imports ${name}: only ${IO_FOLDERS.join(", ")} do I/O`);
};

const AMBIENT: readonly [RegExp, string][] = [
  [/\bDate\s*\.\s*now\b/, "Date.now"],
  [/\bnew\s+Date\s*(\(\s*\)|(?!\s*\())/, "new Date()"],
  [/(?<!\bnew\s+)(?<![.\w])Date\s*\(/, "Date()"],
  [/\bperformance\s*\.\s*now\b/, "performance.now"],
  [/\bMath\s*\.\s*random\b/, "Math.random"],
  [/\brandomUUID\b|\bgetRandomValues\b/, "crypto randomness"],
  [/\bprocess\s*\.\s*env\b/, "process.env"],
];

const noAmbient: Rule = (source) => {
  const pure =
    ["core", "stats"].includes(folderOf(source.path) ?? "") ||
    (isPackSource(source.path) && !isImportCode(source.path));
  if (!pure || isTest(source.path)) return [];
  const code = codeOf(source);
  return AMBIENT.filter(([pattern]) => pattern.test(code)).map(
    ([, what]) => `${source.path} uses ${what}: time and randomness are injected`,
  );
};

const onlyCliSpeaks: Rule = (source) => {
  const folder = folderOf(source.path);
  if (isTest(source.path) || folder === "cli" || !(source.path.startsWith(CORE) || isPackSource(source.path)))
    return [];
  const code = codeOf(source);
  const found: string[] = [];
  if (/\bconsole\s*\.\s*\w+/.test(code) || /\bprocess\s*\.\s*(stdout|stderr)\b/.test(code))
    found.push(`${source.path} prints: only cli does`);
  if (/\bprocess\s*\.\s*env\b/.test(code)) found.push(`${source.path} reads the environment: only cli does`);
  return found;
};

const LONGEST = 500;
/** Files that may be longer, each with its reason. */
const LONG_FILES: Readonly<Record<string, string>> = {};

const fileSize: Rule = ({ path, text }) => {
  const lines = text.split("\n").length - 1;
  return lines > LONGEST && LONG_FILES[path] === undefined
    ? [`${path} has ${lines} lines, at most ${LONGEST}: split it by concept`]
    : [];
};

const BANNED = [
  "utils",
  "util",
  "helpers",
  "helper",
  "common",
  "types",
  "manager",
  "service",
  "base",
  "misc",
  "shared",
];

const fileName: Rule = ({ path }) => {
  const found: string[] = [];
  const stem = posix.basename(path).replace(/(\.(test|suite|fixture|d|examples))?\.tsx?$/, "");
  for (const part of [...posix.dirname(path).split("/").slice(2), ...stem.split(/[.-]/)])
    if (BANNED.includes(part)) found.push(`${path} is named "${part}", which says nothing: name the concept`);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem)) found.push(`${path} is not kebab-case`);
  return found;
};

const headerComment: Rule = ({ path, text }) => {
  if (isTest(path) || !/\/src\//.test(path) || path.endsWith(".d.ts")) return [];
  const header = /^(?:#![^\n]*\n)?\s*(\/\*[\s\S]*?\*\/|(?:\/\/[^\n]*\n)+)/.exec(text)?.[1] ?? "";
  return /[A-Za-z]{3,}[\s\S]{12,}/.test(header) ? [] : [`${path} does not begin with a comment that says what it owns`];
};

const RULES: Readonly<
  Record<string, { readonly rule: Rule; readonly rejects: readonly Source[]; readonly accepts: readonly Source[] }>
> = {
  "dependencies point one way": {
    rule: dependencyDirection,
    rejects: [
      { path: `${CORE}core/world.ts`, text: 'import { run } from "../engine/run.js";' },
      { path: `${CORE}core/world.ts`, text: 'import type { Mean } from "../stats/intervals.js";' },
      { path: `${CORE}verify/certify.ts`, text: 'export { x } from "../label/queue.js";' },
      { path: `${CORE}store/sqlite.ts`, text: 'const engine = await import("../engine/run.js");' },
      { path: `${CORE}serve/app.ts`, text: 'import "../cli/main.js";' },
      { path: `${CORE}testing/fakes.ts`, text: 'import type { Store } from "../store/store.js";' },
      { path: `${CORE}index.ts`, text: 'export * from "./engine/run.js";' },
      { path: `${CORE}store/sqlite.ts`, text: 'import { World } from "../index.js";' },
      { path: `${CORE}extras/x.ts`, text: 'import "../core/world.js";' },
      { path: `${CORE}core/world.ts`, text: 'import { x } from "windtunnel";' },
      { path: `${CORE}core/world.ts`, text: 'import { x } from "../../../ui/src/x.js";' },
    ],
    accepts: [
      { path: `${CORE}core/world.ts`, text: 'import { hashWords } from "./hash.js"; import { z } from "zod";' },
      {
        path: `${CORE}testing/report.ts`,
        text: 'import { wilson } from "../stats/intervals.js"; import { World } from "../core/world.js";',
      },
      {
        path: `${CORE}cli/run.ts`,
        text: 'import "../engine/run.js"; import "../testing/index.js"; import "./output.js";',
      },
      { path: `${CORE}core/world.ts`, text: '// import { run } from "../engine/run.js";\nexport {};' },
    ],
  },
  "packs import the public API only": {
    rule: packImports,
    rejects: [
      { path: "packs/desk/src/index.ts", text: 'import { World } from "windtunnel/dist/core/world.js";' },
      {
        path: "packs/desk/src/index.ts",
        text: 'import { World } from "../../../packages/windtunnel/src/core/world.js";',
      },
      { path: "packs/desk/test/desk.test.ts", text: 'import { x } from "../../other/src/x.js";' },
    ],
    accepts: [
      {
        path: "packs/desk/src/denials/index.ts",
        text: 'import "windtunnel"; import "windtunnel/testing"; import "windtunnel/stats"; import "../codec/index.js"; import "zod";',
      },
    ],
  },
  "only some folders do I/O": {
    rule: noBuiltins,
    rejects: [
      { path: `${CORE}core/hash.ts`, text: 'import { createHash } from "node:crypto";' },
      { path: `${CORE}stats/mean.ts`, text: 'import fs from "fs";' },
      { path: `${CORE}verify/certify.ts`, text: 'const { readFile } = await import("node:fs/promises");' },
    ],
    accepts: [{ path: `${CORE}store/sqlite.ts`, text: 'import { createHash } from "node:crypto";' }],
  },
  "time and randomness are injected": {
    rule: noAmbient,
    rejects: [
      ...[
        "Date.now()",
        "new Date()",
        "new Date",
        "Date()",
        "performance.now()",
        "Math.random()",
        "crypto.randomUUID()",
        "process.env.HOME",
        "const f = Math\n  .random;",
      ].map((text) => ({
        path: `${CORE}core/world.ts`,
        text: `export const x = ${text.startsWith("const") ? `0;\n${text}` : `${text};`}`,
      })),
      { path: `${CORE}stats/mean.ts`, text: "export const t = `at \u0024{Date.now()}`;" },
      { path: "packs/desk/src/denials/world.ts", text: "export const now = new Date();" },
    ],
    accepts: [
      {
        path: `${CORE}core/world.ts`,
        text: '// never Date.now()\n/* nor Math.random() */\nexport const text = "new Date()"; export const at = new Date(0).toISOString(); export const utc = Date.UTC(2026, 1, 1); export const t = `Math.random \u0024{at}`; export const r = /Math.random/;',
      },
      { path: "packs/desk/src/denials/import-claims.ts", text: "export const now = new Date();" },
      { path: `${CORE}engine/run.ts`, text: "export const now = Date.now();" },
    ],
  },
  "only cli prints or reads the environment": {
    rule: onlyCliSpeaks,
    rejects: [
      { path: `${CORE}engine/run.ts`, text: 'console.log("done");' },
      { path: `${CORE}model/chat.ts`, text: "export const key = process.env.API_KEY;" },
      { path: `${CORE}serve/app.ts`, text: 'process.stderr.write("x");' },
      { path: "packs/desk/src/index.ts", text: 'console.warn("x");' },
    ],
    accepts: [
      { path: `${CORE}cli/output.ts`, text: "console.log(process.env.HOME);" },
      { path: `${CORE}engine/run.ts`, text: '// console.log("x")\nexport {};' },
    ],
  },
  "files are short enough to read": {
    rule: fileSize,
    rejects: [{ path: `${CORE}core/x.ts`, text: "x\n".repeat(LONGEST + 1) }],
    accepts: [{ path: `${CORE}core/x.ts`, text: "x\n".repeat(LONGEST) }],
  },
  "files are named for a concept": {
    rule: fileName,
    rejects: [
      "core/utils.ts",
      "core/world-helpers.ts",
      "serve/types.ts",
      "common/x.ts",
      "store/base-store.ts",
      "core/World.ts",
      "core/run_all.ts",
      "engine/run-manager.test.ts",
    ].map((name) => ({ path: `${CORE}${name}`, text: "" })),
    accepts: ["core/world.ts", "core/world-properties.test.ts", "store/store.suite.ts", "core/database.ts"].map(
      (name) => ({ path: `${CORE}${name}`, text: "" }),
    ),
  },
  "source files say what they own": {
    rule: headerComment,
    rejects: [
      { path: `${CORE}core/x.ts`, text: "export const x = 1;" },
      { path: `${CORE}core/x.ts`, text: "// ok\nexport const x = 1;" },
      { path: `${CORE}core/x.ts`, text: 'import "./y.js";\n/** Says it too late to be a header. */' },
    ],
    accepts: [{ path: `${CORE}core/x.ts`, text: "/** X: the thing that this file owns. */\nexport const x = 1;" }],
  },
};

function sourcesIn(folder: string): Source[] {
  const found: Source[] = [];
  const walk = (at: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (["node_modules", "dist", "fixtures", "coverage"].includes(entry.name) || entry.name.startsWith(".")) continue;
      const path = join(at, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (/\.tsx?$/.test(entry.name))
        found.push({ path: relative(ROOT, path).replaceAll("\\", "/"), text: readFileSync(path, "utf8") });
    }
  };
  walk(join(ROOT, folder));
  return found.filter(({ path }) => !path.startsWith("packages/ui/"));
}

const sources = [...sourcesIn("packages"), ...sourcesIn("packs")];

describe.each(Object.entries(RULES))("%s", (_, { rule, rejects, accepts }) => {
  it("in every file", () => {
    expect(sources.flatMap(rule)).toEqual([]);
  });

  it.each(rejects.map((source) => [source.path, source.text.slice(0, 80), source] as const))(
    "and a file that breaks the rule is told so: %s %j",
    (_path, _text, source) => {
      expect(rule(source)).not.toEqual([]);
    },
  );

  it("and files that keep it are left alone", () => {
    for (const source of accepts) expect(rule(source)).toEqual([]);
  });
});

it("the rules look at real files, of every layer that there is", () => {
  const folders = new Set(sources.map(({ path }) => folderOf(path)).filter((folder) => folder !== undefined));
  expect(folders.has("core") && folders.has("testing")).toBe(true);
  expect(sources.length).toBeGreaterThan(40);
  expect(dirname(sources[0]!.path)).not.toBe(".");
});

it("an exemption from the cap on size is for a file that still needs it", () => {
  const long = new Set(sources.filter(({ text }) => text.split("\n").length - 1 > LONGEST).map(({ path }) => path));
  expect(Object.keys(LONG_FILES).filter((path) => !long.has(path))).toEqual([]);
});
