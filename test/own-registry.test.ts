import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import packageJson from '../package.json' with { type: 'json' };
import { serve } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** The line of the README that puts the package into a registry of one's own, tried with a strict one on loopback. */

const { version } = packageJson;
const published = /^\$ (npm publish --registry )(https:\/\/\S+)$/m.exec(readFileSync('README.md', 'utf8'));
const token = 'npm_loopback';

const documentSchema = z.object({
  _id: z.literal('lightspan'),
  name: z.literal('lightspan'),
  'dist-tags': z.object({ latest: z.literal(version) }),
  versions: z.record(
    z.literal(version),
    z.looseObject({ name: z.literal('lightspan'), dist: z.looseObject({ integrity: z.string() }) }),
  ),
  _attachments: z.record(z.string(), z.object({ data: z.string(), length: z.number() })),
});

/** Takes one release once, from who is logged in, and only if its digest is that of what came; knows nothing else. */
async function startRegistry() {
  const asked: string[] = [];
  let held: { readonly manifest: object; readonly tarball: Buffer } | undefined;
  const { url } = await serve(async (request, response) => {
    const answer = (status: number, body: object | Buffer) =>
      response.writeHead(status).end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
    const what = `${request.method} ${request.url?.split('?')[0]}`;
    asked.push(what);
    if (request.headers.authorization !== `Bearer ${token}`) return answer(401, { error: 'log in' });
    if (what === 'PUT /lightspan') {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(Buffer.from(part));
      const { versions, _attachments, ...document } = documentSchema.parse(
        JSON.parse(Buffer.concat(parts).toString()),
      );
      const tarball = Buffer.from(Object.values(_attachments)[0]?.data ?? '', 'base64');
      const manifest = Object.values(versions)[0];
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      if (manifest?.dist.integrity !== integrity) return answer(400, { error: 'another digest' });
      if (held !== undefined) return answer(403, { error: 'that version is there' });
      const dist = { ...manifest.dist, tarball: `${url}/lightspan/-/lightspan-${version}.tgz` };
      held = { manifest: { ...document, versions: { [version]: { ...manifest, dist } } }, tarball };
      return answer(201, { ok: true });
    }
    if (held !== undefined && what === 'GET /lightspan') return answer(200, held.manifest);
    if (held !== undefined && what === `GET /lightspan/-/lightspan-${version}.tgz`)
      return answer(200, held.tarball);
    return answer(404, { error: 'not found' });
  });
  return { url, asked };
}

describe('a registry of one’s own', () => {
  it('takes the package as the README publishes it, and serves it to npm install', async () => {
    const [, command = '', address = ''] = published ?? [];
    expect(address).toMatch(/^https:\/\/npm\.example\.com/);
    const { url, asked } = await startRegistry();
    const home = temporaryFolder();
    writeFileSync(join(home, '.npmrc'), `${url.replace('http:', '')}/:_authToken=${token}\n`);
    const env = {
      ...{ PATH: process.env.PATH, HOME: home, npm_config_cache: join(home, 'cache') },
      // What prepack builds is there already.
      ...{
        npm_config_ignore_scripts: 'true',
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_update_notifier: 'false',
      },
    };
    const run = promisify(execFile);
    const shell = (line: string, cwd: string) => run('sh', ['-c', line], { cwd, env });
    await shell(`${command}${url}`, '.');
    const again = await shell(`${command}${url}`, '.').catch((error: unknown) => error);
    expect(again).toMatchObject({ stderr: expect.stringContaining('previously published') });

    const app = temporaryFolder();
    writeFileSync(join(app, 'package.json'), '{"private": true}');
    await shell(`npm install --cache other --registry ${url} lightspan`, app);
    const { stdout } = await shell('./node_modules/.bin/lightspan --version', app);
    expect(stdout.trim()).toBe(version);
    // Nothing else is fetched: no dependency comes from anywhere.
    expect(new Set(asked)).toEqual(
      new Set(['PUT /lightspan', 'GET /lightspan', `GET /lightspan/-/lightspan-${version}.tgz`]),
    );
  });
});
