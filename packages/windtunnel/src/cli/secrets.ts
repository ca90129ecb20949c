/**
 * Secrets: the values of environment variables whose names end in _KEY, _TOKEN, _SECRET, _PASSWORD, _PASSWD, _KEY_ID or DATABASE_URL (or are those words), taken out of whatever is
 * stored, printed or exported. Found by name, not by shape. Values under six characters are left alone: taking them out would tear
 * ordinary text.
 */
import { maskSecrets } from "../model/redact-secrets.js";

const SECRET_NAME = /(?:^|_)(?:KEY|KEY_ID|TOKEN|SECRET|PASSWORD|PASSWD|DATABASE_URL)$/i;
const SHORTEST = 6;

export type Redact = (text: string) => string;

/** A function that masks every secret of `env` in a text, in its plain, JSON, URL and base64 forms; undefined when `env` holds none. */
export function redactorOf(env: Readonly<Record<string, string | undefined>>): Redact | undefined {
  const values = new Set<string>();
  for (const [name, value = ""] of Object.entries(env)) {
    if (SECRET_NAME.test(name) && value.trim().length >= SHORTEST) values.add(value.trim());
  }
  if (values.size === 0) return undefined;
  const secrets = Object.freeze([...values]);
  return (text) => maskSecrets(text, secrets);
}

/** The value with every string in it (keys too) masked; the same reference when nothing was. */
export function redactValue<T>(value: T, redact: Redact): T {
  if (typeof value === "string") return redact(value) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => redactValue(item, redact));
    return items.every((item, i) => item === value[i]) ? value : (items as T);
  }
  let changed = false;
  const fields: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    const newKey = redact(key);
    const newField = redactValue(field, redact);
    if (newKey !== key || newField !== field) changed = true;
    fields[newKey] = newField;
  }
  return changed ? (fields as T) : value;
}
