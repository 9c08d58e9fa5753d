import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { recordOf } from '../support/known-issues.js';
import { realIndexFile } from '../support/real-index.js';
import { closedPort, serve } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const healthOf = (version: string) => JSON.stringify({ status: 'ok', results: { version } });

describe('where upgrade-check takes the current version from', () => {
  const run = async (...argv: string[]) => {
    const source = ['--index', realIndexFile, '--to', '1.214.0', '--json'];
    const { code, stdout } = await runCli(['upgrade-check', ...source, ...argv]);
    return { code, ...JSON.parse(stdout) };
  };
  const ask = async (listener: RequestListener) => {
    const { url } = await serve(listener);
    return await run('--instance', url, '--timeout', '1');
  };

  it('--from-file reads a pinned tag', async () => {
    const file = join(temporaryFolder(), 'values.yaml');
    writeFileSync(file, 'image:\n  tag: 1.198.1-custom\n');
    const argv = ['--from-file', `${file}#image.tag`, '--tag-suffix', '-custom'];
    expect(await run(...argv)).toMatchObject({ code: 0, fromVersion: '1.198.1' });
  });

  it('--from-file tells that compose deploys it, but not beside a file that is none of compose', async () => {
    const folder = temporaryFolder();
    const written = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const compose = written('compose.yaml', 'services: {bi: {image: "lightdash/lightdash:1.198.1"}}');
    const values = written('values.yaml', 'image: {repository: lightdash/lightdash, tag: 1.198.1}');
    const conditions = [{ fact: 'deployed-by' as const, is: 'helm' as const }];
    const affected = [{ introduced: '1.199.0' }];
    const record = written('record.json', JSON.stringify(recordOf({ affected, conditions })));
    expect(await run('--from-file', compose, '--known-issues', record)).toMatchObject({ code: 0 });
    const both = ['--from-file', compose, '--from-file', values];
    expect(await run(...both, '--known-issues', record)).toMatchObject({ code: 1 });
  });

  it('--instance asks the instance, without a login, under its path', async () => {
    const { url, requests } = await serve((_, response) => response.end(healthOf('1.198.1')));
    const answer = await run('--instance', `${url}/bi/`);
    expect(answer).toMatchObject({ code: 0, fromVersion: '1.198.1' });
    const [{ method, url: path, headers } = { headers: {} }] = requests;
    expect({ method, path }).toEqual({ method: 'GET', path: '/bi/api/v1/health' });
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('cookie');
  });

  it.each<[string, string | Buffer, string]>([
    ['HTML', '<!doctype html>', 'answered something that is not JSON'],
    ['no version', '{"status":"ok","results":{}}', 'results.version is nothing'],
    ['a version that is a number', '{"status":"ok","results":{"version":1.1}}', 'results.version is 1.1'],
    ['a development version', healthOf('0.0.0-development'), 'results.version is "0.0.0-development"'],
    [
      'a version twice',
      '{"status":"ok","results":{"version":"1.111.0","version":"1.198.1"}}',
      'contains the key "version" twice',
    ],
    ['no status', '{"results":{"version":"1.198.1"}}', 'status is nothing'],
  ])('does not trust an instance that answers %s', async (_, body, message) => {
    expect(await ask((_, response) => response.end(body))).toMatchObject({
      code: 4,
      error: { code: 'invalid-response', message: expect.stringContaining(message) },
    });
  });

  it('does not trust an instance for which a cache answers', async () => {
    const answer = await ask((_, response) => response.setHeader('age', '37').end(healthOf('1.198.1')));
    const message = expect.stringContaining('was answered by a cache, which has kept it for 37 s');
    expect(answer).toMatchObject({ code: 4, error: { code: 'invalid-response', message } });
  });

  it.each<[string, RequestListener, string]>([
    ['404', (_, response) => response.writeHead(404).end(), 'http-status'],
    ['nothing', () => {}, 'timeout'],
  ])('has no answer of an instance that answers %s', async (_, listener, code) => {
    expect(await ask(listener)).toMatchObject({ code: 3, error: { code } });
  });

  it('has no answer of an instance that is down', async () => {
    const message = expect.stringContaining('/api/v1/health');
    const answer = await run('--instance', `http://127.0.0.1:${await closedPort()}`);
    expect(answer).toMatchObject({ code: 3, error: { code: 'network', message } });
  });

  it.each([
    [['--from', '1.198.1', '--instance', 'https://example.org'], 'usage', 'given in more than one way'],
    [['--instance', 'ftp://example.org'], 'usage', 'is not an http or https URL'],
    [['--from-file', 'package.json'], 'usage', 'does not show where it pins Lightdash'],
  ])('refuses %j', async (argv, code, message) => {
    expect(await run(...argv)).toMatchObject({
      code: 2,
      safe: false,
      error: { code, message: expect.stringContaining(message) },
    });
  });
});
