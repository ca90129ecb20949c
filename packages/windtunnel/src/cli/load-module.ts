/**
 * Loads a user's TypeScript or JavaScript file: bundled by esbuild (packages stay outside), imported from a temporary file beside it, and
 * known by a digest of every local file that went in. `windtunnel` and `zod` inside it are this very process's, so that a file runs
 * before anything is installed and its errors and schemas are the ones this program knows. Does not check types.
 */
import { createHash, randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
import { UsageError } from "../core/fault.js";

export interface LoadedModule {
  readonly exports: Readonly<Record<string, unknown>>;
  /** 16 hex digits of SHA-256 over the paths and contents of its local files. */
  readonly digest: string;
}

/** Whether a word names a file rather than something installed. */
export const looksLikePath = (word: string): boolean => /^\.{0,2}[/\\]|^[A-Za-z]:[/\\]|\.[cm]?[jt]s$/.test(word);

/** Loads the module at `path`. Throws UsageError when it cannot be read, bundled or run. */
export async function loadModule(path: string): Promise<LoadedModule> {
  const folder = dirname(path);
  const { build } = await import("esbuild");
  const bundle = await build({
    entryPoints: [path],
    absWorkingDir: folder,
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    sourcemap: "inline",
    metafile: true,
    logLevel: "silent",
    plugins: [sharedModules],
  }).catch((error: unknown) => {
    throw bundleFailure(path, error);
  });
  const beside = join(folder, `.${basename(path)}.${process.pid}.${randomUUID().slice(0, 8)}.mjs`);
  await writeFile(beside, bundle.outputFiles[0]!.contents).catch((error: Error) => {
    throw new UsageError({
      code: "cannot_write",
      what: "Cannot bundle a file here",
      path: folder,
      expected: "a folder this user may write",
      actual: error.message,
    });
  });
  process.setSourceMapsEnabled(true);
  try {
    const exports = (await import(/* @vite-ignore */ pathToFileURL(beside).href)) as Record<string, unknown>;
    return { exports, digest: await digestOfInputs(folder, Object.keys(bundle.metafile.inputs)) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
    if (name === "UsageError") throw error;
    const fix = /Cannot find package '([^']+)'/.exec(message)?.[1];
    throw new UsageError({
      code: "module_failed",
      what: `${basename(path)} throws when it is loaded (${message.replaceAll(basename(beside), basename(path))})`,
      path,
      ...(fix === undefined ? {} : { fix: `Install "${fix}" beside it: npm install ${fix}` }),
    });
  } finally {
    await rm(beside, { force: true });
  }
}

/** Modules that a loaded file shares with this process, by specifier. */
const SHARED: Readonly<Record<string, () => Promise<object>>> = {
  windtunnel: () => import("../index.js"),
  "windtunnel/testing": () => import("../testing/index.js"),
  "windtunnel/stats": () => import("../stats/index.js"),
  zod: () => import("zod"),
};

const HOLDER = "windtunnel.shared-modules";

/** Resolves shared specifiers to a module that takes its exports from this process, through a property of globalThis. */
const sharedModules: Plugin = {
  name: "shared-modules",
  setup(build) {
    const holders = globalThis as Record<symbol, unknown>;
    const holder = (holders[Symbol.for(HOLDER)] ?? {}) as Record<string, object>;
    holders[Symbol.for(HOLDER)] = holder;
    build.onResolve({ filter: /^(windtunnel(\/(testing|stats))?|zod)$/ }, ({ path }) => ({
      path,
      namespace: "shared",
    }));
    build.onLoad({ filter: /.*/, namespace: "shared" }, async ({ path }) => {
      const module = await SHARED[path]!();
      holder[path] = module;
      const names = Object.keys(module);
      const consts = names.map((name, i) => `const own${i} = own[${JSON.stringify(name)}];`).join("\n");
      const exported = names.map((name, i) => `own${i} as ${name}`).join(", ");
      return {
        contents: `const own = globalThis[Symbol.for("${HOLDER}")][${JSON.stringify(path)}];\n${consts}\nexport { ${exported} };`,
        loader: "js",
      };
    });
  },
};

async function digestOfInputs(folder: string, inputs: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const input of inputs.filter((name) => !name.startsWith("shared:")).sort()) {
    hash
      .update(`${input}\0`)
      .update(await readFile(resolve(folder, input)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

function bundleFailure(path: string, error: unknown): UsageError {
  const first = (
    error as { errors?: readonly { text: string; location?: { file: string; line: number; column: number } | null }[] }
  ).errors?.[0];
  const at = first?.location;
  return new UsageError({
    code: "module_unreadable",
    what: `Cannot read ${basename(path)} as a module (${first?.text ?? (error as Error).message})`,
    path: at ? `${at.file}:${at.line}:${at.column + 1}` : path,
    fix: "Correct the file and try again.",
  });
}
