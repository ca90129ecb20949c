/** `windtunnel audit tau2 DIR`: lints foreign task files for checks that cannot fail. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../core/fault.js";
import {
  auditTau2,
  parseTau2Tasks,
  TAU2_FINDINGS,
  type Tau2Audit,
  type Tau2FindingKind,
} from "../verify/audit/tau2.js";
import { EXIT } from "./exit-code.js";
import { toTerminalLine } from "./terminal-text.js";
import type { Verb } from "./verb.js";

export const verb: Verb = {
  describe(command) {
    command
      .argument("<format>", 'what the files are: "tau2"')
      .argument("<dir>", "a tau2-bench domain folder with a tasks.json, a folder of such folders, or a tasks.json")
      .addHelpText(
        "after",
        `
Static: it reads the tasks' evaluation criteria and runs nothing. Exit code 1 when a do-nothing agent passes some task.

Examples:
  $ windtunnel audit tau2 tau2-bench/data/tau2/domains/airline
  $ windtunnel audit tau2 tau2-bench/data/tau2/domains --json | jq '.files[].counts'`,
      );
  },

  async perform({ args, output }) {
    const [format, dir] = args as [string, string];
    if (format !== "tau2")
      throw new UsageError({
        code: "unknown_format",
        what: "No such audit",
        expected: '"tau2"',
        actual: `"${format}"`,
        fix: "Use `windtunnel audit tau2 DIR`.",
      });
    const audits = filesOf(dir).map((file) => ({
      file,
      audit: auditTau2(parseTau2Tasks(readFileSync(file, "utf8"), file)),
    }));
    const open = audits.some(({ audit }) => audit.counts.doNothingPass > 0);
    output.result(
      {
        format,
        files: audits.map(({ file, audit }) => ({ file, ...audit })),
        counts: totals(audits.map(({ audit }) => audit)),
      },
      audits.flatMap(({ file, audit }) => show(file, audit)).join("\n"),
    );
    return open ? EXIT.failed : EXIT.done;
  },
};

function filesOf(path: string): string[] {
  const missing = (expected: string): never => {
    throw new UsageError({
      code: "no_tasks",
      what: "No tasks to audit",
      path,
      expected,
      fix: "Give a tau2-bench domain folder.",
    });
  };
  if (!existsSync(path)) return missing("a folder or a tasks.json that exists");
  if (statSync(path).isFile()) return [path];
  if (existsSync(join(path, "tasks.json"))) return [join(path, "tasks.json")];
  const inner = readdirSync(path)
    .sort()
    .map((name) => join(path, name, "tasks.json"))
    .filter((file) => existsSync(file));
  return inner.length === 0 ? missing("a tasks.json in it, or in its folders") : inner;
}

const totals = (audits: readonly Tau2Audit[]) =>
  Object.fromEntries(
    (Object.keys(TAU2_FINDINGS) as Tau2FindingKind[]).map((kind) => [
      kind,
      audits.reduce((sum, { counts }) => sum + counts[kind], 0),
    ]),
  );

function show(file: string, { tasks, audits, counts }: Tau2Audit): string[] {
  const lines = [`${file}: ${tasks} tasks`];
  for (const kind of Object.keys(TAU2_FINDINGS) as Tau2FindingKind[]) {
    if (counts[kind] === 0) continue;
    lines.push(`  ${String(counts[kind]).padStart(4)} of ${tasks}  ${kind}: ${TAU2_FINDINGS[kind]}`);
    const named = audits.filter(({ findings }) => findings.some((finding) => finding.kind === kind));
    lines.push(`              tasks ${named.map(({ task }) => toTerminalLine(task)).join(", ")}`);
  }
  return [...lines, ""];
}
