/** `windtunnel init DIR`: writes a complete small environment. Touches nothing unless the folder is new or empty. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../core/fault.js";
import { EXIT } from "./exit-code.js";
import type { Verb } from "./verb.js";

const TEMPLATES = fileURLToPath(new URL("../../templates/", import.meta.url));
const FILES = ["environment.ts", "environment.test.ts", "README.md", "tsconfig.json"];

export const verb: Verb = {
  describe(command) {
    command.argument("<dir>", "folder to make; its name becomes the environment's").addHelpText(
      "after",
      `
Examples:
  $ windtunnel init my-env
  $ windtunnel run ./my-env/environment.ts --agent reference`,
    );
  },

  async perform({ args, terminal, output }) {
    const folder = resolve(terminal.cwd, args[0]!);
    const name = toName(basename(folder));
    await refuseUnlessEmpty(folder);
    await mkdir(folder, { recursive: true });
    for (const file of FILES) {
      const text = await readFile(join(TEMPLATES, file), "utf8");
      await writeFile(join(folder, file), text.replaceAll("{{name}}", name), { flag: "wx" });
    }
    await writeFile(join(folder, "package.json"), `${JSON.stringify(manifestOf(name), null, 2)}\n`, { flag: "wx" });
    const files = [...FILES, "package.json"];
    const path = `./${relative(terminal.cwd, join(folder, "environment.ts"))}`.replace(/^\.\/\.\.\//, "../");
    const next = `windtunnel run ${path} --agent reference`;
    output.result(
      { folder, name, files, next },
      [`Wrote ${files.join(", ")} to ${folder}.`, "", `  $ ${next}`, `  $ windtunnel check ${path}`].join("\n"),
    );
    return EXIT.done;
  },
};

async function refuseUnlessEmpty(folder: string): Promise<void> {
  const refuse = (actual: string): never => {
    throw new UsageError({
      code: "not_empty",
      what: "Cannot make an environment there",
      path: folder,
      expected: "a new or an empty folder",
      actual,
      fix: "Choose another name; nothing was changed.",
    });
  };
  try {
    const present = await readdir(folder);
    if (present.length > 0)
      refuse(`${present.length} files (${present.slice(0, 3).join(", ")}${present.length > 3 ? ", …" : ""})`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") refuse("a file of that name");
    if (code !== "ENOENT") throw error;
  }
}

/** A package name made of the folder's. */
function toName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (name === "")
    throw new UsageError({
      code: "invalid_name",
      what: "A folder's name cannot name an environment",
      path: folder,
      expected: "letters or digits in it",
    });
  return name;
}

function manifestOf(name: string): Record<string, unknown> {
  return {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    scripts: { test: "vitest run", build: "tsc", check: "windtunnel check ./environment.ts" },
    windtunnel: { environments: { main: "./dist/environment.js" } },
    // The copy at hand, by path: a registry may hold another package of this name.
    dependencies: { windtunnel: `file:${fileURLToPath(new URL("../..", import.meta.url))}`, zod: "^4.6.7" },
    devDependencies: { "@types/node": "^20.19.0", typescript: "^5.9.3", vitest: "^4.1.12" },
  };
}
