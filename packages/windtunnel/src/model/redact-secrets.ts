/**
 * Keeps credentials out of text that people and files get to see. Owns: which values count as secrets and the forms they are found in.
 * Does not promise to find a secret that nobody registered, save credential parameters of URLs, nor one that a text holds encrypted or split.
 */

const MASK = "[redacted]";

/** Shorter values are placeholders ("EMPTY", "none") that local servers ask for; masking them would maul ordinary words. */
const SHORTEST_SECRET = 6;

const CREDENTIAL_NAME = /key|token|secret|auth|passw|cookie|credential|signature|^sig$/i;
const CREDENTIAL_PARAMETER =
  /([?&](?:[\w.-]{0,40}?(?:key|token|secret|auth|passw|credential|signature)[\w.-]{0,40}|sig)=)[^&#\s"'<>\\]+/gi;

/** Whether a header or URL parameter of this name carries a credential. */
export function isCredentialName(name: string): boolean {
  return CREDENTIAL_NAME.test(name);
}

/** Masks every registered secret of at least 6 characters, as it stands and in its URL, JSON and base64 forms. The rest of the text is kept byte for byte. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const form of formsOf(secrets)) if (masked.includes(form)) masked = masked.replaceAll(form, MASK);
  return masked;
}

/** `maskSecrets`, and also the value of every URL query parameter whose name says it is a credential, registered or not. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  return maskSecrets(text, secrets).replace(CREDENTIAL_PARAMETER, `$1${MASK}`);
}

const known = new WeakMap<readonly string[], readonly string[]>();

/** Longest first, so that a secret that holds another is masked whole. */
function formsOf(secrets: readonly string[]): readonly string[] {
  const cached = known.get(secrets);
  if (cached !== undefined) return cached;
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue;
    const json = JSON.stringify(secret).slice(1, -1);
    forms.add(secret).add(encodeURIComponent(secret)).add(encodeURI(secret));
    forms.add(json).add(JSON.stringify(json).slice(1, -1));
    forms.add(Buffer.from(secret).toString("base64").replace(/=+$/, ""));
  }
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  if (Object.isFrozen(secrets)) known.set(secrets, sorted);
  return sorted;
}
