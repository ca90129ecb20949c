/** `windtunnel envs`: the environments installed here. One that does not load is listed with its reason. */
import { pathToFileURL } from "node:url";
import { archetypesOf } from "./archetypes.js";
import { toEnvironmentModule } from "./environment-module.js";
import { EXIT } from "./exit-code.js";
import { type InstalledEnvironment, listEnvironments } from "./find-environment.js";
import { toTerminalLine } from "./terminal-text.js";
import type { Verb } from "./verb.js";

export const verb: Verb = {
  describe(command) {
    command.addHelpText(
      "after",
      `
Environments live in npm packages, which name them in package.json: "windtunnel": { "environments": { "denials": "./dist/denials/index.js" } }.
A path to a .ts or .js file works wherever a name does.

Examples:
  $ windtunnel envs
  $ windtunnel envs --json`,
    );
  },

  async perform({ terminal, output }) {
    const environments = [];
    for (const one of listEnvironments(terminal.cwd)) environments.push(await describeEnvironment(one));
    const { colors } = output;
    const lines = environments.flatMap((one) =>
      "error" in one
        ? [
            colors.bold(one.name),
            `  ${colors.red("does not load")}: ${toTerminalLine(one.error, output.width - 20)}`,
            "",
          ]
        : [
            `${colors.bold(one.name)}  ${colors.dim(`${one.package}@${one.packageVersion}`)}`,
            `  ${toTerminalLine(one.description, output.width * 2)}`,
            `  ${one.tools.length} tools: ${toTerminalLine(one.tools.join(", "), output.width * 2)}`,
            `  ${one.archetypes.length} archetypes in 200 tasks: ${toTerminalLine(one.archetypes.join(", "), output.width * 2)}`,
            `  agents: reference, random, ${one.baselines.filter((name) => name !== "random").join(", ")}`,
            "",
          ],
    );
    if (environments.length === 0)
      lines.push(
        "No environment is installed here.",
        "  $ npm install @windtunnel/revenue-cycle",
        "  $ windtunnel init my-env",
      );
    output.result({ environments }, lines.join("\n").trimEnd());
    return EXIT.done;
  },
};

async function describeEnvironment(one: InstalledEnvironment) {
  const { address: name, package: packageName, packageVersion, modulePath } = one;
  const where = { name, package: packageName, packageVersion };
  try {
    const { environment, importTasks } = toEnvironmentModule(
      (await import(/* @vite-ignore */ pathToFileURL(modulePath).href)) as Record<string, unknown>,
      modulePath,
    );
    return {
      ...where,
      version: environment.version,
      description: environment.description,
      systems: environment.systems.map((system) => system.name),
      tools: environment.toolSpecs.map((tool) => tool.name),
      baselines: environment.baselines.map((agent) => agent.name),
      archetypes: archetypesOf(environment, 200),
      importsFiles: importTasks !== undefined,
    };
  } catch (error) {
    return { ...where, error: error instanceof Error ? error.message : String(error) };
  }
}
