/**
 * Finds environments: in the npm packages reachable from a folder (its own package and every node_modules above it), and in a user's file.
 * A package lists its environments in package.json: "windtunnel": { "environments": { "denials": "./dist/denials/index.js" } }.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyEnvironment } from "../core/environment.js";
import { UsageError } from "../core/fault.js";
import { type EnvironmentModule, toEnvironmentModule } from "./environment-module.js";
import { loadModule, looksLikePath } from "./load-module.js";
import { suggest } from "./nearest.js";

export interface InstalledEnvironment {
  /** "revenue-cycle/denials": the package without its scope, and the environment's name in it. */
  readonly address: string;
  /** The package's full name. */
  readonly package: string;
  readonly packageVersion: string;
  readonly modulePath: string;
}

export interface FoundEnvironment {
  /** What names it from any folder: an installed address, or an absolute path. */
  readonly name: string;
  readonly environment: AnyEnvironment;
  readonly module: EnvironmentModule;
}

/** Every installed environment, nearest package first; a package found twice counts once. */
export function listEnvironments(from: string): InstalledEnvironment[] {
  const found: InstalledEnvironment[] = [];
  const seen = new Set<string>();
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    for (const root of [folder, ...packagesIn(join(folder, "node_modules"))]) {
      for (const environment of environmentsOf(root)) {
        const key = `${environment.package}/${environment.address}`;
        if (!seen.has(key)) found.push(environment);
        seen.add(key);
      }
    }
    if (dirname(folder) === folder) return found;
  }
}

function packagesIn(modules: string): string[] {
  const list = (folder: string) => {
    try {
      return readdirSync(folder).filter((name) => !name.startsWith("."));
    } catch {
      return [];
    }
  };
  return list(modules).flatMap((name) =>
    name.startsWith("@") ? list(join(modules, name)).map((inner) => join(modules, name, inner)) : [join(modules, name)],
  );
}

function environmentsOf(root: string): InstalledEnvironment[] {
  const file = join(root, "package.json");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  if (!text.includes('"windtunnel"')) return [];
  let manifest: { name?: unknown; version?: unknown; windtunnel?: { environments?: unknown } };
  try {
    manifest = JSON.parse(text);
  } catch {
    return [];
  }
  const { name, version, windtunnel } = manifest;
  const environments = windtunnel?.environments;
  if (typeof name !== "string" || typeof environments !== "object" || environments === null) return [];
  return Object.entries(environments).flatMap(([short, path]) =>
    typeof path === "string"
      ? [
          {
            address: `${name.replace(/^@[^/]+\//, "")}/${short}`,
            package: name,
            packageVersion: String(version ?? "0.0.0"),
            modulePath: resolve(root, path),
          },
        ]
      : [],
  );
}

/** Opens the environment that a person named: an address, or a path to a .ts or .js file. */
export async function openEnvironment(name: string, from: string): Promise<FoundEnvironment> {
  return looksLikePath(name) ? openFile(name, from) : openInstalled(name, from);
}

async function openFile(name: string, from: string): Promise<FoundEnvironment> {
  const path = resolve(from, name);
  if (!existsSync(path) || statSync(path).isDirectory()) {
    throw new UsageError({
      code: "environment_not_found",
      what: "There is no such environment file",
      path,
      expected: "a .ts or .js file whose default export is an environment",
      fix: "Make one with `windtunnel init DIR`.",
    });
  }
  const { exports, digest } = await loadModule(path);
  const module = toEnvironmentModule(exports, path);
  // The content is part of the version, so that runs of a file before and after an edit are never taken for the same environment.
  const environment: AnyEnvironment = { ...module.environment, version: `${module.environment.version}+${digest}` };
  return { name: path, environment, module: { ...module, environment } };
}

async function openInstalled(name: string, from: string): Promise<FoundEnvironment> {
  const installed = listEnvironments(from);
  const matches = installed.filter((one) => one.address === name || fullAddress(one) === name);
  const one = matches[0];
  if (one === undefined) {
    const known = installed.map(({ address }) => address);
    const listing =
      known.length === 0
        ? "No environment is installed here: npm install @windtunnel/revenue-cycle, or make one with `windtunnel init DIR`."
        : "List them with `windtunnel envs`.";
    throw new UsageError({
      code: "environment_not_found",
      what: `There is no environment "${name}"`,
      expected: 'an installed "package/environment", or a path to a .ts or .js file',
      fix: suggest(name, known, listing),
    });
  }
  const other = matches.find((match) => match.package !== one.package);
  if (other !== undefined) {
    throw new UsageError({
      code: "ambiguous_environment",
      what: `Two packages have an environment "${name}"`,
      expected: "one of them",
      actual: `${one.package} and ${other.package}`,
      fix: `Say which: "${fullAddress(one)}" or "${fullAddress(other)}".`,
    });
  }
  if (!existsSync(one.modulePath)) {
    throw new UsageError({
      code: "environment_not_built",
      what: `${one.package} names a module that is not there`,
      path: one.modulePath,
      fix: "Build the package (npm run build), or install it again.",
    });
  }
  const module = toEnvironmentModule(
    (await import(/* @vite-ignore */ pathToFileURL(one.modulePath).href)) as Record<string, unknown>,
    one.modulePath,
  );
  const shared = installed.some((twin) => twin.address === one.address && twin.package !== one.package);
  return { name: shared ? fullAddress(one) : one.address, environment: module.environment, module };
}

const fullAddress = (one: InstalledEnvironment) =>
  `${one.package}/${one.address.slice(one.address.lastIndexOf("/") + 1)}`;
