import { LightspanError } from '../../core/lightspan-error.js';

/** Whether text is meant as a URL, well formed or not, and not as a path. A scheme of one letter is a drive. */
export function looksLikeUrl(text: string): boolean {
  // Every form of a URL has one of these, and most paths have none.
  if (!text.includes(':') && !text.includes('//')) return false;
  return isWrittenAsUrl(text) || mistypedUrls.some((form) => form.test(text));
}

/** Whether text has the form of a URL. `new URL` also accepts `https:/user:password@host` and `a:b`. */
export function isWrittenAsUrl(text: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9+.-]+:\/\//.test(text);
}

/** Texts that may contain a password, and so must not be treated as a file name and shown. */
const mistypedUrls: readonly RegExp[] = [
  // https:/host, https:host, https//host, and https://host after a blank.
  /^\s*https?(?::|\/\/)/i,
  // //user:password@host
  /^\s*\/\/[^/]*@/,
  // user:password@host; not C:/a@b
  /^(?![a-z]:[\\/])[^/\\]*:.*@/is,
];

/**
 * A URL for display: without user, password and fragment, and without its query, which may be a signature and so as
 * good as a password.
 */
export function describeUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`;
}

/** Text that was meant as a URL, for display. If it cannot be parsed, all before its last `@` may be a password. */
export function describeAddress(text: string): string {
  const url = isWrittenAsUrl(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && url.host !== '') return describeUrl(url);
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1')
    .replace(/#.*$/s, '')
    .replace(/\?.*$/s, '?…');
}

/**
 * The address of an instance as an operator writes it. It may include a path; whatever follows the path is not part of
 * an address.
 *
 * @param name the name of the text in messages
 * @throws {LightspanError} `usage`, saying what to write instead; credentials are never repeated
 */
export function parseInstanceAddress(text: string, name = '--instance: the URL'): URL {
  const refuse = (what: string, hint: string) => new LightspanError('usage', `${name} ${what}`, { hint });
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    const shown = JSON.stringify(describeAddress(trimmed));
    throw refuse(`${shown} is not an http or https URL`, 'Write it like https://lightdash.example.com.');
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse(
      'contains a user or a password',
      'Remove it: the version needs no login, and a token goes into LIGHTDASH_API_KEY.',
    );
  }
  // An empty query or fragment leaves no trace in the parsed URL.
  if (/[?#]/.test(trimmed)) {
    throw refuse('has a query or a fragment', `Give ${describeUrl(url).replace(/\?\u2026$/, '')} alone.`);
  }
  return url;
}

/** Why this URL may not be requested, or undefined if it may: https always, plain http to loopback or if allowed. */
export function schemeFault(url: URL, allowHttp: boolean): string | undefined {
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return 'it is neither https nor http';
  return allowHttp || loopbackHosts.includes(url.hostname)
    ? undefined
    : 'plain http can be read and changed by anyone in between';
}

export function requireAllowedScheme(url: URL, allowHttp: boolean): void {
  const fault = schemeFault(url, allowHttp);
  if (fault === undefined) return;
  throw new LightspanError('usage', `${describeUrl(url)} is not contacted: ${fault}`, {
    hint: 'Use https, or --allow-http if you trust the network in between.',
  });
}

/**
 * Requests to these stay on this machine. The names below `localhost` should too (RFC 6761), but some systems resolve
 * them over the network.
 */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Splits user and password off a URL, into the header that carries them. A header given explicitly wins. */
export function splitCredentials(
  url: URL,
  headers: Readonly<Record<string, string>> = {},
): { readonly url: URL; readonly secretHeaders: Readonly<Record<string, string>> } {
  const secretHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (url.username === '' && url.password === '') return { url, secretHeaders };
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  const userAndPassword = `${decode(url.username)}:${decode(url.password)}`;
  const authorization = `Basic ${Buffer.from(userAndPassword).toString('base64')}`;
  return { url: bare, secretHeaders: { authorization, ...secretHeaders } };
}

/** A URL may contain a stray percent sign, which stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
