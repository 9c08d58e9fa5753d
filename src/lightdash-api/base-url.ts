import { LightspanError } from '../errors.js';
import { isLoopback } from '../http/address.js';

/**
 * The address of an instance: an origin and nothing else, for the endpoints bring their own paths, and credentials in
 * a URL end up in logs.
 *
 * @throws {LightspanError} `usage`, saying what to write instead; credentials are never repeated
 */
export function parseBaseUrl(text: string, { allowHttp }: { readonly allowHttp: boolean }): URL {
  const refuse = (what: string, hint = 'Give the address alone, such as https://lightdash.example.com.') =>
    new LightspanError('usage', `the Lightdash URL ${what}`, { hint });

  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (url === undefined) throw refuse('is not a URL');
  if (url.username !== '' || url.password !== '') {
    throw refuse('holds credentials', 'Take them out of the URL: the token goes into LIGHTDASH_API_KEY.');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refuse(`begins with ${url.protocol}, not with https:`);
  }
  if (url.pathname !== '/') throw refuse(`has a path (${url.pathname})`, `Give ${url.origin} alone.`);
  // A bare ? or # leaves no trace in the parsed URL.
  if (/[?#]/.test(trimmed)) throw refuse('has a query or a fragment', `Give ${url.origin} alone.`);
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url)) {
    throw refuse(
      `${url.origin} is plain http, which would show the token to the network`,
      'Use https, or --allow-http if this network may see it.',
    );
  }
  return url;
}
