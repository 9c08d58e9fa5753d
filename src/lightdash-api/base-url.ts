import { LightspanError } from '../errors.js';
import { isLoopback, parseInstanceAddress } from '../http/address.js';

/**
 * The address of an instance for requests with a token: an origin and nothing else, because a token belongs to an
 * origin, and the endpoints have their own paths.
 *
 * @throws {LightspanError} `usage`, saying what to write instead; credentials are never repeated
 */
export function parseBaseUrl(text: string, { allowHttp }: { readonly allowHttp: boolean }): URL {
  const name = 'the Lightdash URL';
  const refuse = (what: string, hint: string) => new LightspanError('usage', `${name} ${what}`, { hint });
  const url = parseInstanceAddress(text, name);
  if (url.pathname !== '/') throw refuse(`has a path (${url.pathname})`, `Give ${url.origin} alone.`);
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url)) {
    throw refuse(
      `${url.origin} is plain http, which would show the token to the network`,
      'Use https, or --allow-http if this network may see it.',
    );
  }
  return url;
}
