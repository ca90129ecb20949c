/**
 * What SQLite and the file system answer, in the words of a person who has to act on it. Wrong places are UsageErrors; a store that
 * breaks while it is used is a Fault of the store boundary.
 */
import { Fault, UsageError } from "../core/fault.js";

/** Says what went wrong with the store in `file`. Errors that already say it pass through. */
export function toStoreFailure(cause: unknown, file: string): UsageError | Fault {
  if (cause instanceof UsageError || cause instanceof Fault) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = codeOf(cause, message);
  const fault = (name: string, text: string) => new Fault("store", name, `${text} (${file}: ${message})`, { cause });
  const cannotWrite = (actual: string) =>
    new UsageError({
      code: "store_not_writable",
      what: "The store cannot be written",
      path: file,
      expected: "a directory on a local disk that this user may write",
      actual,
      fix: "Choose another data directory, or change its permissions.",
    });
  if (code === "SQLITE_NOTADB") {
    return new UsageError({
      code: "not_a_store",
      what: "This file is not a SQLite database",
      path: file,
      expected: "a Windtunnel store, or no file",
      actual: message,
      fix: "Choose another data directory, or move the file away; it was not changed.",
    });
  }
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code)) return cannotWrite(message);
  if (/^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|EISDIR|ENOENT|ELOOP|ENAMETOOLONG)$/.test(code)) return cannotWrite(message);
  if (code === "SQLITE_FULL" || code === "ENOSPC" || code === "EDQUOT") {
    return fault(
      "disk_full",
      "no room left for the store: this batch was not kept, all that was committed before it is intact; free space and resume the run",
    );
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return fault(
      "busy",
      "another process held the store's write lock for too long: this batch was not kept; stop that process and resume the run",
    );
  }
  if (/^SQLITE_(CORRUPT|FORMAT)/.test(code)) {
    return fault(
      "corrupt",
      "the store is damaged; keep a copy of the file, then recover what can be read with `sqlite3 FILE .recover`",
    );
  }
  if (code.startsWith("SQLITE_IOERR"))
    return fault("io", "the disk refused to read or write the store; what was committed before is intact");
  return fault("unexpected", "the store answered with an error it should not give");
}

/** libsql reports a failed open as text only; 14 is SQLITE_CANTOPEN. */
function codeOf(cause: unknown, message: string): string {
  const code = (cause as { code?: unknown } | null)?.code;
  if (typeof code === "string" && code !== "") return code;
  const opened = /Unable to open connection to local database .*: (\d+)/.exec(message);
  if (opened !== null) return opened[1] === "14" ? "SQLITE_CANTOPEN" : `SQLITE_${opened[1]}`;
  return "";
}

export const unknownRun = (id: string, file: string): UsageError =>
  new UsageError({
    code: "unknown_run",
    what: "No such run",
    path: file,
    expected: "the id of a run in this store",
    actual: id,
    fix: "List runs with `windtunnel runs`.",
  });

export const unknownRollout = (id: string, file: string): UsageError =>
  new UsageError({
    code: "unknown_rollout",
    what: "No such rollout",
    path: file,
    expected: "the id of a rollout in this store",
    actual: id,
    fix: "List rollouts with `windtunnel list`.",
  });
