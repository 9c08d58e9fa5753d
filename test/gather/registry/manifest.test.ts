import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasManifest } from '../../../src/gather/registry/manifest.js';
import { type RegistryOptions, startRegistry } from '../../support/registry-server.js';
import { serve } from '../../support/server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const login = 'joe:secret-password';
const auth = Buffer.from(login).toString('base64');
const images = ['bi/lightdash:1.122.0'];
const world = (env: Record<string, string> = {}) => ({
  env: { HOME: temporaryFolder(), ...env },
  timeoutMs: 5000,
});
const ask = (host: string, env?: Record<string, string>, tag = '1.122.0') =>
  hasManifest({ registry: host, repository: 'bi/lightdash', tag }, world(env));
const configOf = (config: object) => ({ DOCKER_AUTH_CONFIG: JSON.stringify(config) });

describe('an image of a registry', () => {
  it.each<[string, Omit<RegistryOptions, 'images'>, (host: string) => Record<string, string>]>([
    ['that anybody may read', {}, () => ({})],
    ['that gives anybody a token', { wants: 'token' }, () => ({})],
    [
      'that would also take a login',
      { wants: 'token', challenge: (realm) => `Basic realm="test", Bearer realm="${realm}",service="test"` },
      () => ({}),
    ],
    [
      'that would rather give a token than take a login',
      { wants: 'token', challenge: (realm) => `Bearer realm="${realm}",service="test", Basic realm="test"` },
      () => ({}),
    ],
    [
      'that asks for a token in another spelling',
      { wants: 'token', challenge: (realm) => `bearer  service=test , realm = "${realm}"` },
      () => ({}),
    ],
    [
      'that has two names for a token and uses one',
      { wants: 'token', grant: (token) => ({ token, access_token: '' }) },
      () => ({}),
    ],
    [
      'that gives a token for a login',
      { wants: 'token', login },
      (host) => configOf({ auths: { [host]: { auth } } }),
    ],
    [
      'that wants a login, whose key is an address',
      { wants: 'basic', login },
      (host) =>
        configOf({ auths: { [`http://${host}/v2/`]: { username: 'joe', password: 'secret-password' } } }),
    ],
  ])('%s is there, or it is not', async (_, options, env) => {
    const { host, asked } = await startRegistry({ images, ...options });
    expect(await ask(host, env(host))).toBe(true);
    expect(await ask(host, env(host), '1.123.0')).toBe(false);
    expect(asked.filter((line) => !/^(HEAD \/v2\/|GET \/token\?)/.test(line))).toEqual([]);
  });

  it("is requested with the login of docker's configuration", async () => {
    const { host } = await startRegistry({ images, wants: 'basic', login });
    const folder = temporaryFolder();
    mkdirSync(join(folder, '.docker'));
    const text = JSON.stringify({ auths: { [host]: { auth } } });
    writeFileSync(join(folder, '.docker', 'config.json'), text);
    writeFileSync(join(folder, 'config.json'), text);
    expect(await ask(host, { HOME: folder })).toBe(true);
    expect(await ask(host, { DOCKER_CONFIG: folder })).toBe(true);
    await expect(ask(host)).rejects.toMatchObject({ code: 'http-status' });
  });

  it.each<[string, Omit<RegistryOptions, 'images'>, Record<string, string>, RegExp]>([
    ['the registry refuses the login', { wants: 'basic', login: 'joe:other' }, {}, /docker login/],
    ['the token server refuses it', { wants: 'token', login }, {}, /GET .*\/token.*HTTP 401/],
    [
      'something in between answers',
      { headers: { 'content-type': 'text/html', 'docker-content-digest': '' } },
      {},
      /no manifest/,
    ],
    ['the realm is no address', { wants: 'token', realm: 'nowhere' }, {}, /token server/],
    [
      'the realm is plain http elsewhere',
      { wants: 'token', realm: 'http://example.com/token' },
      {},
      /plain http/,
    ],
    [
      'the login is with a credential helper',
      { wants: 'basic', login },
      configOf({ auths: {}, credsStore: 'desktop' }),
      /credential helper/,
    ],
  ])('is not known where %s', async (_, options, env, told) => {
    const { host } = await startRegistry({ images, ...options });
    const error = await ask(host, env).catch((error: unknown) => error);
    expect(`${Reflect.get(Object(error), 'message')} ${Reflect.get(Object(error), 'hint')}`).toMatch(told);
    expect(error).toMatchObject({ code: expect.stringMatching(/^(http-status|usage)$/) });
  });

  it('sends no login after a redirect to another origin, nor to one that asks there', async () => {
    const { host: elsewhere, asked } = await startRegistry({ images, wants: 'basic', login });
    const { url } = await serve((request, response) =>
      response.writeHead(307, { location: `http://${elsewhere}${request.url}` }).end(),
    );
    const host = new URL(url).host;
    const auths = { [host]: { auth }, [elsewhere]: { auth } };
    await expect(ask(host, configOf({ auths }))).rejects.toMatchObject({ code: 'http-status' });
    expect(asked).toEqual([expect.stringMatching(/manifests\/1\.122\.0$/)]);
  });

  it('is not known where nobody answers, or the configuration cannot be read', async () => {
    const { host } = await startRegistry({ images, wants: 'token' });
    await expect(ask('localhost:1')).rejects.toMatchObject({ code: 'network' });
    await expect(ask(host, { DOCKER_AUTH_CONFIG: '{' })).rejects.toMatchObject({ code: 'unreadable-source' });
  });

  it.each([
    [undefined, 'lightdash/lightdash', 'registry-1.docker.io'],
    ['docker.io', 'lightdash/lightdash', 'registry-1.docker.io'],
    ['ghcr.io', 'acme/lightdash', 'ghcr.io'],
  ])('of %s, %s is asked for by https', async (registry, repository, host) => {
    const asked: string[] = [];
    const fetch = async (url: string | URL | Request, init?: RequestInit) => {
      asked.push(`${init?.method} ${url}`);
      return new Response(null, { status: 200, headers: { 'docker-content-digest': 'sha256:0' } });
    };
    const auths = { 'https://index.docker.io/v1/': { auth } };
    const options = { ...world(configOf({ auths })), fetch: fetch as typeof globalThis.fetch };
    expect(await hasManifest({ registry, repository, tag: '1.0.0' }, options)).toBe(true);
    expect(asked).toEqual([`HEAD https://${host}/v2/${repository}/manifests/1.0.0`]);
  });
});
