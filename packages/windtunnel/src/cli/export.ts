/** `windtunnel export RUN`: JSON lines, one rollout a line, in order of commit; never holds more than one rollout in memory. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { finished } from "node:stream/promises";
import { UsageError } from "../core/fault.js";
import type { Run, Store } from "../store/store.js";
import { findRun, withStore } from "./data-directory.js";
import { EXIT, type ExitCode } from "./exit-code.js";
import { EXPORT_FORMAT, exportSchema, toExportLine } from "./export-line.js";
import type { Output } from "./output.js";
import { toPrintableJson } from "./terminal-text.js";
import type { Call, Verb } from "./verb.js";

interface ExportOptions {
  readonly out?: string;
  readonly schema?: boolean;
}

export const verb: Verb = {
  describe(command) {
    command
      .argument("[run]", "id of a run, its beginning, or last")
      .option("--out <file>", "write to this file (default: stdout)")
      .option("--schema", "print the JSON Schema of a line instead")
      .addHelpText(
        "after",
        `
Examples:
  $ windtunnel export last --out rollouts.jsonl
  $ windtunnel export last | jq -c 'select(.passed == false) | {id, reward}'
  $ windtunnel export --schema > rollout.schema.json`,
      );
  },

  async perform(call) {
    const { out, schema } = call.options as ExportOptions;
    const [name] = call.args;
    if (schema === true) {
      await call.output.raw(`${toPrintableJson(exportSchema(), call.output.json ? undefined : 2)}\n`);
      return EXIT.done;
    }
    if (name === undefined)
      throw new UsageError({
        code: "no_run",
        what: "No run is named",
        expected: "windtunnel export RUN",
        fix: "List runs with `windtunnel list`.",
      });
    if (out === undefined && call.output.json) {
      throw new UsageError({
        code: "two_outputs",
        what: "--json prints one object and an export prints lines",
        path: "--json",
        expected: "--out FILE beside it",
      });
    }
    return withStore(call, (store) => exportRun(call, store, findRun(store, name), out));
  },
};

async function exportRun(
  { terminal, output }: Call,
  store: Store,
  run: Run,
  out: string | undefined,
): Promise<ExitCode> {
  if (out === undefined) {
    await writeLines(store, run, output, (line) => output.raw(line));
    return EXIT.done;
  }
  const file = resolve(terminal.cwd, out);
  // Written aside and renamed, so that a file of that name is always a whole export.
  const aside = `${file}.${process.pid}.partial`;
  const stream = createWriteStream(aside, "utf8");
  const failed = once(stream, "error").then(([error]) => {
    throw error;
  });
  failed.catch(() => {});
  try {
    const rollouts = await writeLines(store, run, output, async (line) => {
      if (!stream.write(output.redact === undefined ? line : output.redact(line)))
        await Promise.race([once(stream, "drain"), failed]);
    });
    stream.end();
    await Promise.race([finished(stream), failed]);
    await rename(aside, file);
    output.result(
      { run: run.id, file, rollouts, format: EXPORT_FORMAT },
      `Wrote ${rollouts} rollouts of ${run.id} to ${file}.`,
    );
    return EXIT.done;
  } catch (error) {
    stream.destroy();
    await rm(aside, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EACCES" || code === "EISDIR" || code === "EROFS" || code === "ENOTDIR")
      throw new UsageError({
        code: "cannot_write",
        what: "Cannot write the export",
        path: file,
        expected: "a file in a folder this user may write",
        actual: message,
      });
    throw error;
  }
}

async function writeLines(
  store: Store,
  run: Run,
  output: Output,
  write: (line: string) => Promise<void>,
): Promise<number> {
  let rollouts = 0;
  for (const rollout of store.rollouts({ run: run.id })) {
    await write(`${JSON.stringify(toExportLine(rollout, await store.events(rollout.id), store.score(rollout.id)))}\n`);
    rollouts++;
    if (rollouts % 1000 === 0) output.progress({ event: "progress", rollouts });
  }
  return rollouts;
}
