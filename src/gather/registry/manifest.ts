import type { Env } from '../../core/common/env.js';
import { isRecord } from '../../core/json/is-record.js';
import { LightspanError } from '../../core/lightspan-error.js';
import { loopbackHosts } from '../http/address.js';
import { createHttpClient, type HttpResponse } from '../http/client.js';
import { requestDetails } from '../http/request-details.js';
import { mostBytes } from '../limits.js';
import { type RegistryLogin, readRegistryLogin } from './docker-config.js';

/** An image by its tag. */
interface ImageTag {
  /** Undefined is Docker Hub. */
  readonly registry: string | undefined;
  readonly repository: string;
  readonly tag: string;
}

interface RegistryWorld {
  /** For the proxy, and where docker has its configuration. */
  readonly env: Env;
  /** For one answer. */
  readonly timeoutMs: number;
  readonly fetch?: typeof fetch | undefined;
}

const hub = { host: 'registry-1.docker.io', names: ['index.docker.io', 'docker.io', 'registry-1.docker.io'] };

/** Image indexes and manifests, of OCI and of Docker. */
const mediaTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];

/** No token is larger. */
const maxBytes = mostBytes.small;

/**
 * Whether a registry has the manifest of a tag (OCI distribution specification): HEAD alone, which counts as no pull.
 * A login is that of docker's configuration, and goes to the registry and its token server only.
 *
 * @throws {LightspanError} if that is not known: `network`, `timeout`, `http-status`, `unreadable-source`, or `usage`
 *   for an address that may not be contacted
 */
export async function hasManifest(image: ImageTag, world: RegistryWorld): Promise<boolean> {
  const { env, timeoutMs } = world;
  const { host, names } = registryOf(image);
  const http = createHttpClient(world);
  const base = new URL(
    `${loopbackHosts.includes(new URL(`http://${host}`).hostname) ? 'http' : 'https'}://${host}`,
  );
  const url = new URL(`/v2/${image.repository}/manifests/${image.tag}`, base);
  const head = (authorization?: string) =>
    http.request({
      ...{ url, method: 'HEAD', timeoutMs, maxBytes, allowHttp: false },
      headers: { accept: mediaTypes.join(', ') },
      ...(authorization !== undefined && { secretHeaders: { authorization } }),
      acceptStatus: (status) => [200, 401, 404].includes(status),
    });

  const first = await head();
  if (first.status !== 401) return readAnswer(first, url);
  const refused = (hint: string) =>
    new LightspanError('http-status', `HEAD ${url}: HTTP 401`, {
      hint,
      details: requestDetails({ status: 401 }),
    });
  // Who asks for a login behind a redirect is not the registry that it is for.
  if (first.url.origin !== base.origin) throw refused('A server other than the registry asks for a login.');
  const { login, isWithHelper } = await readRegistryLogin(names, env);
  const hint = hintOfLogin(host, { login, isWithHelper });
  const basic = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const challenge = bearerChallenge(first.headers.get('www-authenticate') ?? '');
  const authorization = challenge === undefined ? basic : await readToken(challenge, image, basic, world);
  if (authorization === undefined) throw refused(hint);
  const second = await head(authorization);
  if (second.status === 401) throw refused(hint);
  return readAnswer(second, url);
}

function registryOf({ registry = 'docker.io' }: ImageTag): { host: string; names: readonly string[] } {
  return hub.names.includes(registry) ? hub : { host: registry, names: [registry] };
}

/** Only what says that it is a manifest is one: proxies and portals answer 200 too. */
function readAnswer({ status, headers }: HttpResponse, url: URL): boolean {
  if (status === 404) return false;
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  if (headers.get('docker-content-digest') || mediaTypes.includes(type.trim())) return true;
  throw new LightspanError('http-status', `HEAD ${url}: HTTP 200, but no manifest`, {
    hint: 'Check whether a proxy or a sign-in page answers instead of the registry.',
    details: requestDetails({ status: 200 }),
  });
}

/**
 * The parameters of the Bearer challenge in a `WWW-Authenticate` header, which may offer other schemes beside it (RFC
 * 9110, 11.6.1).
 */
function bearerChallenge(header: string): Readonly<Record<string, string>> | undefined {
  const parts = header.matchAll(/([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,"]+)))?/g);
  let scheme = '';
  let challenge: Record<string, string> | undefined;
  for (const [, name = '', quoted, value = quoted] of parts) {
    if (value === undefined) scheme = name.toLowerCase();
    if (scheme !== 'bearer') continue;
    challenge = { ...challenge, ...(value !== undefined && { [name.toLowerCase()]: value }) };
  }
  return challenge;
}

/** What the token server gives for this image, as a header: to anybody, or to the login. */
async function readToken(
  challenge: Readonly<Record<string, string>>,
  { repository }: ImageTag,
  basic: string | undefined,
  world: RegistryWorld,
): Promise<string> {
  const { realm = '', service, scope = `repository:${repository}:pull` } = challenge;
  const noToken = (what: string) =>
    new LightspanError('http-status', `the registry's token server ${what}`, {
      hint: 'Check whether a proxy answers instead of the registry.',
    });
  if (!URL.canParse(realm)) throw noToken('has no address');
  const url = new URL(realm);
  if (service !== undefined) url.searchParams.set('service', service);
  url.searchParams.append('scope', scope);
  const { body } = await createHttpClient(world).request({
    ...{ url, timeoutMs: world.timeoutMs, maxBytes, allowHttp: false, redirects: 'refuse' },
    headers: { accept: 'application/json' },
    ...(basic !== undefined && { secretHeaders: { authorization: basic } }),
  });
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw noToken('answered something that is not JSON');
  }
  const token = isRecord(json) ? json.token || json.access_token : undefined;
  if (typeof token !== 'string' || !/^[\x21-\x7E]+$/.test(token)) throw noToken('gave no token');
  return `Bearer ${token}`;
}

function hintOfLogin(host: string, { login, isWithHelper }: RegistryLogin): string {
  if (login !== undefined) return `The login that docker has for ${host} is not allowed to read this image.`;
  return isWithHelper
    ? 'The login is with a credential helper of docker, and lightspan runs none: set DOCKER_AUTH_CONFIG, or ' +
        `use a DOCKER_CONFIG folder with "auths" for ${host}.`
    : `The image is private, or the registry does not know it: docker login ${host}.`;
}
