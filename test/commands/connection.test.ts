import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { envOf, projectUuid, startLightdash, token } from '../support/lightdash-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const noMetrics = { status: 'ok', results: { data: [] } };
const otherProject = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d';

/** A home folder whose Lightdash CLI config holds this text. */
function homeWith(config: string): { readonly HOME: string; readonly file: string } {
  const home = temporaryFolder();
  const file = join(home, '.config', 'lightdash', 'config.yaml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, config);
  return { HOME: home, file };
}

const configOf = (context: object) => JSON.stringify({ user: { userUuid: 'u' }, context });

const metrics = (env: Record<string, string>, ...flags: string[]) =>
  runCli(['catalog', 'metrics', ...flags], { env });

describe('where the connection comes from', () => {
  it('flags come before the environment, and the environment before the config file', async () => {
    const server = await startLightdash(noMetrics);
    const stored = { serverUrl: server.url, project: otherProject, apiKey: 'stored-key' };
    const { HOME } = homeWith(configOf(stored));
    const env = { ...envOf({ url: 'https://nowhere.invalid' }), HOME };
    const flags = ['--url', server.url, '--project', otherProject];
    expect(await metrics(env, ...flags)).toMatchObject({ code: 0 });
    expect(await metrics({ ...env, LIGHTDASH_URL: server.url })).toMatchObject({ code: 0 });
    expect(server.received.map(({ url, headers }) => [url.split('/')[4], headers.authorization])).toEqual([
      [otherProject, `ApiKey ${token}`],
      [projectUuid, `ApiKey ${token}`],
    ]);
  });

  it('missing settings come from the login of the Lightdash CLI', async () => {
    const server = await startLightdash(noMetrics);
    const { HOME } = homeWith(configOf({ serverUrl: `${server.url}/`, project: projectUuid, apiKey: token }));
    const env = { HOME, LIGHTDASH_API_KEY: '', LIGHTDASH_PROJECT: `${projectUuid}\n` };
    expect(await metrics(env)).toMatchObject({ code: 0 });
    expect(await metrics({ HOME, LIGHTDASH_API_KEY: '' })).toMatchObject({ code: 0 });
    expect(server.received[0]?.headers.authorization).toBe(`ApiKey ${token}`);
  });

  it('--verbose says which was used, the token cut to its last 4 characters', async () => {
    const server = await startLightdash(noMetrics);
    const { HOME, file } = homeWith(configOf({ serverUrl: server.url, project: projectUuid, apiKey: token }));
    const { LIGHTDASH_PROJECT } = envOf(server);
    expect(
      await metrics({ HOME, LIGHTDASH_PROJECT: LIGHTDASH_PROJECT ?? '' }, '--url', server.url, '--verbose'),
    ).toEqual({
      code: 0,
      stdout: 'No metrics.\n',
      stderr: [
        `Instance: ${server.url} (from --url)`,
        `Project: ${projectUuid} (from LIGHTDASH_PROJECT)`,
        `Token: ****${token.slice(-4)} (from ${file})`,
        '',
      ].join('\n'),
    });
  });

  it('LIGHTDASH_PROXY_AUTHORIZATION is sent, and never shown', async () => {
    const server = await startLightdash(noMetrics);
    const env = { ...envOf(server), LIGHTDASH_PROXY_AUTHORIZATION: 'Bearer proxy-s3cret' };
    const { stdout, stderr } = await metrics(env, '--verbose');
    expect(server.received[0]?.headers['proxy-authorization']).toBe('Bearer proxy-s3cret');
    expect(stdout + stderr).not.toContain('s3cret');
  });

  it('LIGHTDASH_PROXY_AUTHORIZATION that is empty is as if it were not set', async () => {
    const server = await startLightdash(noMetrics);
    expect(await metrics({ ...envOf(server), LIGHTDASH_PROXY_AUTHORIZATION: '' })).toMatchObject({ code: 0 });
    expect(server.received[0]?.headers).not.toHaveProperty('proxy-authorization');
  });
});

describe('a stored token', () => {
  it.each([
    ['its token', { LIGHTDASH_PROJECT: projectUuid }, 'token', 'LIGHTDASH_API_KEY'],
    ['its project', { LIGHTDASH_API_KEY: token }, 'project', '--project or LIGHTDASH_PROJECT'],
  ])('goes to no other server than its own: %s', async (_, env, what, setting) => {
    const server = await startLightdash();
    const stored = { serverUrl: 'https://stored.example.com', project: projectUuid, apiKey: 'stored-key' };
    const { HOME, file } = homeWith(configOf(stored));
    const { code, stderr } = await metrics({ ...env, HOME }, '--url', server.url);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `lightspan: the ${what} in ${file} belongs to https://stored.example.com and is not sent to ${server.url}\nSet ${setting} for that server.\n`,
    );
    expect(server.received).toEqual([]);
  });

  it.each([
    ['another port', 'http://127.0.0.1:1', 'http://127.0.0.1:1'],
    ['another scheme', 'https://127.0.0.1', 'https://127.0.0.1'],
    ['no server', undefined, 'an unnamed server'],
    ['no address', 'nonsense', 'an unnamed server'],
  ])('not to %s either', async (_, serverUrl, owner) => {
    const server = await startLightdash();
    const { HOME } = homeWith(configOf({ serverUrl, project: projectUuid, apiKey: 'stored-key' }));
    expect(await metrics({ HOME }, '--url', server.url)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(` belongs to ${owner} and is not sent to http:`),
    });
    expect(server.received).toEqual([]);
  });
});

describe('bad settings, each before anything is sent', () => {
  const complete = envOf({ url: 'http://127.0.0.1:9' });

  it('without anything it says all that is to be set', async () => {
    const message =
      /Set --url or LIGHTDASH_URL, and --project or LIGHTDASH_PROJECT, and LIGHTDASH_API_KEY, or log in/;
    expect(await metrics({})).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });

  it.each([
    ['LIGHTDASH_URL', /the address of the Lightdash instance is not set\nSet --url or LIGHTDASH_URL, or/],
    ['LIGHTDASH_PROJECT', /the project is not set\nSet --project or LIGHTDASH_PROJECT to its UUID, or/],
    ['LIGHTDASH_API_KEY', /the token is not set\nSet LIGHTDASH_API_KEY to a personal access token, or/],
  ])('without %s it says which and where', async (name, message) => {
    const { HOME } = homeWith('answers: {}\n');
    const refused = { code: 2, stdout: '', stderr: expect.stringMatching(message) };
    expect(await metrics({ ...complete, [name]: '' })).toEqual(refused);
    expect(await metrics({ ...complete, [name]: ' ', HOME })).toEqual(refused);
  });

  it.each([
    [{ LIGHTDASH_URL: 'https://x.example/projects/1' }, /LIGHTDASH_URL: the Lightdash URL has a path/],
    [{ LIGHTDASH_URL: 'http://lightdash.example.com' }, /plain http[\s\S]*--allow-http/],
    [{ LIGHTDASH_PROJECT: 'mine' }, /LIGHTDASH_PROJECT: the project UUID "mine" is not a UUID version 4/],
    [{ LIGHTDASH_API_KEY: 's3cret\u0007' }, /the token contains a character that no header can carry/],
    [{ LIGHTDASH_PROXY_AUTHORIZATION: 'Basic s3cret\u0007' }, /the proxy authorization contains a character/],
  ])('%j', async (bad, message) => {
    const outcome = await metrics({ ...complete, ...bad });
    expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
    expect(outcome.stderr).not.toContain('s3cret');
  });

  it.each([
    ['no YAML', 'context: {apiKey: s3cret-key', /config\.yaml: it is not YAML/],
    ['too large', `# s3cret${' '.repeat(1024 ** 2)}`, /yaml: it is larger than 1048576 bytes\nRepair it, or/],
    ['a tag of its own', 'context: !!js/function "s3cret-key"', /config\.yaml: it is not YAML/],
    ['no object', '- s3cret-key\n', /LIGHTDASH_URL/],
  ])('a config file that is %s, nothing of it repeated', async (_, config, message) => {
    const { HOME } = homeWith(config);
    const { code, stderr } = await metrics({ HOME }, '--debug');
    expect([2, 3]).toContain(code);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('internal error');
    expect(stderr).not.toContain('s3cret');
  });

  it('a config file that is a folder', async () => {
    const { HOME, file } = homeWith('');
    const home = { HOME: join(HOME, 'other') };
    mkdirSync(file.replace(HOME, home.HOME), { recursive: true });
    const outcome = await metrics(home);
    expect(outcome).toMatchObject({ code: 3, stderr: expect.stringContaining('it is a folder, not a file') });
    // A home that is a file has none.
    expect(await metrics({ HOME: homeWith('').file })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the address of the Lightdash instance is not set'),
    });
  });
});
