/**
 * Completions kept and given back. The key of a row is the task and attempt that the caller names, the exact request, and how many times that
 * attempt has made it: two attempts never share a sample, nor do two equal requests of one attempt. Credentials do not reach the file.
 * Does not keep failures: a replay has nothing to give where the recorded run had an error.
 */
import { createHash } from "node:crypto";
import type { ChatCompletion, ChatEndpoint } from "./chat-endpoint.js";
import { isRecord, parseChatAnswer } from "./chat-message.js";
import type { ChatRequest, ChatRequestBody } from "./chat-request.js";
import { openRecordFile, RecordError } from "./record-file.js";

export interface RecordKey {
  /** Identity of the task, version and all: its digest, say. */
  readonly task: string;
  readonly attempt: number | string;
}

/** What the model call took when it was made. */
export interface RecordedCost {
  readonly latencyMs: number;
  readonly waitedMs: number;
  readonly attempts: number;
  readonly costUsd: number | null;
}

/**
 * A completion, live or not. Of one `fromRecord`, nothing was spent now: `latencyMs`, `waitedMs`, `attempts` and `costUsd` are 0, and
 * `recorded` has the figures of the time it was made. `usage` is the endpoint's count for the answer either way.
 */
export interface RecordedCompletion extends ChatCompletion {
  readonly fromRecord: boolean;
  readonly recorded: RecordedCost | null;
}

/** The completions of one attempt at one task. */
export interface AttemptRecord {
  complete(request: ChatRequest): Promise<RecordedCompletion>;
}

export interface CompletionRecord {
  /** Rows in the file. */
  readonly rows: number;
  /** Call once per run of an attempt: its count of equal requests starts at none. */
  forAttempt(key: RecordKey): AttemptRecord;
  close(): Promise<void>;
}

export interface CompletionRecordOptions {
  /** JSONL file; made when recording. */
  readonly path: string;
  /** "record": what is not there is asked of the endpoint and kept. "replay": what is not there is refused; nothing is sent. */
  readonly mode: "record" | "replay";
  readonly endpoint: Pick<ChatEndpoint, "complete" | "toBody" | "mask">;
}

interface Row extends RecordedCost {
  readonly v: 1;
  readonly task: string;
  readonly attempt: number | string;
  readonly repeat: number;
  readonly request: RequestDigests;
  readonly requestId: string | null;
  readonly raw: Readonly<Record<string, unknown>>;
}

/** SHA-256 of each part of a request, so that a miss can say which of them changed. */
interface RequestDigests {
  readonly model: string;
  readonly messages: string;
  readonly tools: string;
  readonly settings: string;
}

/** Opens a record. Throws RecordError: `record_unreadable` when the file cannot be opened, `record_corrupt` when a line of it is no row. */
export async function openCompletionRecord(options: CompletionRecordOptions): Promise<CompletionRecord> {
  const { path, mode, endpoint } = options;
  const file = await openRecordFile(path, mode === "record", (row) =>
    isRow(row) ? { id: idOf(row, row.request, row.repeat), group: groupOf(row) } : null,
  );

  async function replay(id: string, turn: number): Promise<RecordedCompletion> {
    const row = await file.read(id);
    const reading = isRow(row) ? parseChatAnswer(row.raw, turn) : null;
    if (!isRow(row) || reading?.ok !== true) {
      throw new RecordError("record_corrupt", `${path} holds a row whose answer is not a chat completion`, { path });
    }
    const { reportedCostUsd: _, ...said } = reading.answer;
    const { latencyMs, waitedMs, attempts, costUsd, requestId, raw } = row;
    const recorded = { latencyMs, waitedMs, attempts, costUsd };
    const spentNow = { latencyMs: 0, waitedMs: 0, attempts: 0, costUsd: 0 };
    return { ...said, ...spentNow, requestId, raw, fromRecord: true, recorded };
  }

  async function keep(key: RecordKey, request: RequestDigests, repeat: number, made: ChatCompletion): Promise<void> {
    const { latencyMs, waitedMs, attempts, costUsd, requestId, raw } = made;
    const { task, attempt } = key;
    const row: Row = { v: 1, task, attempt, repeat, request, latencyMs, waitedMs, attempts, costUsd, requestId, raw };
    const line = endpoint.mask(JSON.stringify(row));
    await file.append({ id: idOf(key, request, repeat), group: groupOf(key) }, line);
  }

  async function miss(key: RecordKey, request: RequestDigests, repeat: number): Promise<RecordError> {
    const rows = (await file.readGroup(groupOf(key))).filter(isRow);
    const facts = { path, task: key.task, attempt: key.attempt, repeat, recordedRows: rows.length };
    const what = `no completion for task "${key.task}" attempt ${key.attempt}`;
    return new RecordError(
      "record_miss",
      `${path} has ${what}: ${reasonFor(rows, request, repeat)}. Record it first`,
      facts,
    );
  }

  return {
    get rows() {
      return file.rows;
    },
    forAttempt(key) {
      const seen = new Map<string, number>();
      return {
        async complete(request) {
          const digests = digestsOf(endpoint.toBody(request));
          const first = idOf(key, digests, 0);
          const repeat = seen.get(first) ?? 0;
          seen.set(first, repeat + 1);
          const id = idOf(key, digests, repeat);
          if (file.has(id)) return replay(id, request.messages.length);
          if (mode === "replay") throw await miss(key, digests, repeat);
          const made = await endpoint.complete(request);
          await keep(key, digests, repeat, made);
          return { ...made, fromRecord: false, recorded: null };
        },
      };
    },
    close: () => file.close(),
  };
}

function reasonFor(rows: readonly Row[], request: RequestDigests, repeat: number): string {
  if (rows.length === 0) return "none was recorded for that attempt";
  const same = rows.filter(({ request: was }) => changedParts(was, request).length === 0).length;
  if (same > 0) return `this request was recorded ${same} times and is now made a further time (number ${repeat + 1})`;
  const changes = rows.map(({ request: was }) => changedParts(was, request)).sort((a, b) => a.length - b.length);
  return `${rows.length} recorded, none for this request; the nearest differs in ${(changes[0] ?? []).join(", ")}`;
}

const PARTS = ["model", "messages", "tools", "settings"] as const;

function changedParts(was: RequestDigests, is: RequestDigests): readonly string[] {
  return PARTS.filter((part) => was[part] !== is[part]);
}

function digestsOf({ model, messages, tools, ...settings }: ChatRequestBody): RequestDigests {
  return { model: sha256(model), messages: sha256(messages), tools: sha256(tools ?? []), settings: sha256(settings) };
}

function idOf(key: RecordKey, request: RequestDigests, repeat: number): string {
  return sha256([key.task, key.attempt, repeat, ...PARTS.map((part) => request[part])]);
}

const groupOf = ({ task, attempt }: RecordKey) => JSON.stringify([task, attempt]);

const sha256 = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");

function isRow(value: unknown): value is Row {
  if (!isRecord(value) || value.v !== 1 || !isRecord(value.request) || !isRecord(value.raw)) return false;
  const { task, attempt, repeat, request } = value;
  const keyed = typeof task === "string" && (typeof attempt === "string" || typeof attempt === "number");
  return keyed && Number.isInteger(repeat) && PARTS.every((part) => typeof request[part] === "string");
}
