import { serve } from './server.js';

export const manifestType = 'application/vnd.oci.image.index.v1+json';

export interface RegistryOptions {
  /** Images that are there, such as `lightdash/lightdash:1.122.0`. */
  readonly images: readonly string[];
  /** What it wants before it answers: nothing, a token of its token server, or a login with every request. */
  readonly wants?: 'token' | 'basic';
  /** `user:password`; without it, anybody is given a token. */
  readonly login?: string;
  /** Instead of its own token server. */
  readonly realm?: string;
  /** How it asks for a token; `realm` is the address of its token server. */
  readonly challenge?: (realm: string) => string;
  /** What its token server answers. */
  readonly grant?: (token: string) => object;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A registry on loopback that follows the OCI distribution specification to the letter: any other request than HEAD for
 * a manifest, or GET for a token, is 400, and so is one without the media types of manifests.
 */
export async function startRegistry({
  images,
  wants,
  login,
  realm,
  challenge: challengeOf,
  grant = (token) => ({ token }),
  headers = {},
}: RegistryOptions) {
  const asked: string[] = [];
  const basic = login && `Basic ${Buffer.from(login).toString('base64')}`;
  const server = await serve((request, response) => {
    const { method = '', url = '' } = request;
    const { authorization = '', accept = '' } = request.headers;
    const { pathname, searchParams } = new URL(url, 'http://registry');
    asked.push([method, url, authorization.replace(/(\S{12})\S+/, '$1…')].join(' ').trim());
    if (pathname === '/token' && method === 'GET') {
      const scope = searchParams.get('scope') ?? '';
      if (searchParams.get('service') !== 'test') return response.writeHead(400).end();
      if (basic !== undefined && authorization !== basic) return response.writeHead(401).end();
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(grant(`t.${scope}`)));
    }
    const [, repository = '', tag = ''] = /^\/v2\/(.+)\/manifests\/([^/]+)$/.exec(pathname) ?? [];
    if (method !== 'HEAD' || tag === '' || !accept.includes(manifestType))
      return response.writeHead(400).end();
    const scope = `repository:${repository}:pull`;
    if (wants === 'token' && authorization !== `Bearer t.${scope}`) {
      const address = realm ?? `${server.url}/token`;
      const challenge = challengeOf?.(address) ?? `Bearer realm="${address}",service="test",scope="${scope}"`;
      return response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    if (wants === 'basic' && authorization !== basic) {
      return response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
    }
    if (!images.includes(`${repository}:${tag}`)) return response.writeHead(404).end();
    response
      .writeHead(200, { 'content-type': manifestType, 'docker-content-digest': 'sha256:0', ...headers })
      .end();
  });
  return { ...server, host: new URL(server.url).host, asked };
}
