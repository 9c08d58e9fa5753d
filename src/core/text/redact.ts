import { isRecord } from '../json/is-record.js';

/** Removes secrets from whatever is shown or stored: a server may send back what it received. */
interface Redactor {
  readonly text: (text: string) => string;
  readonly json: (value: unknown) => unknown;
}

export function createRedactor(secrets: readonly string[]): Redactor {
  // The longest first, because one may be a part of another.
  const knownSecrets = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .toSorted((a, b) => b.length - a.length)
    .map((secret) =>
      mayBeWord.test(secret) ? new RegExp(`(?<![\\p{L}\\p{N}_])${secret}(?![\\p{L}\\p{N}_])`, 'gu') : secret,
    );
  const text = (text: string) =>
    knownSecrets.reduce<string>((rest, secret) => rest.replaceAll(secret, replacement), text);
  const json = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), json(inner)]));
  };
  return { text, json };
}

/** The secrets of an authorization header: its value, the credential after its scheme, and a password. */
export function secretsOfHeader(value: string): string[] {
  const credential = value.replace(/^\S+\s+/, '');
  const basic = /^basic\s/i.test(value) ? fromBase64(credential) : '';
  const password = basic.slice(basic.indexOf(':') + 1);
  // A short one would match in ordinary words.
  const decoded = [basic, password].filter((secret) => secret.length >= 8);
  return [...new Set([value, credential, ...decoded])];
}

function fromBase64(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)));
  } catch {
    return '';
  }
}

/** A secret that may be part of ordinary words, unlike a token of a server: redacted only as a whole word. */
const mayBeWord = /^[a-z]{1,15}$/i;

const replacement = '[redacted]';
