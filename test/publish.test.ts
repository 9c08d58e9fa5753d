import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { environmentOfNode } from './support/node-under-test.js';
import { serve } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { copyTree } from './support/tree.js';

const [line = ''] = /^\$ (npm publish .+)$/m.exec(readFileSync('README.md', 'utf8'))?.slice(1) ?? [];

it('the line of the README puts the package into a registry', async () => {
  const bodies: string[] = [];
  const { url } = await serve((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.method === 'PUT') bodies.push(body);
      response.statusCode = request.method === 'PUT' ? 201 : 404;
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  const folder = copyTree(join(temporaryFolder(), 'clone'));
  const home = temporaryFolder();
  writeFileSync(join(home, '.npmrc'), `//${new URL(url).host}/:_authToken=of-this-test\n`);
  const command = line.replace('https://npm.example.com', url);
  expect(command).not.toBe(line);
  const npm = { npm_config_ignore_scripts: 'true', npm_config_update_notifier: 'false' };
  const env = { ...environmentOfNode, ...npm, HOME: home };
  await new Promise<void>((done, fail) => {
    execFile('sh', ['-ec', command], { cwd: folder, env }, (error) =>
      error === null ? done() : fail(error),
    );
  });
  expect(bodies).toHaveLength(1);
  const { name, versions, _attachments: attachments } = JSON.parse(bodies[0] ?? '{}');
  expect(name).toBe(packageJson.name);
  expect(versions[packageJson.version].bin).toHaveProperty('lightspan');
  const [tarball] = Object.values<{ data: string }>(attachments);
  expect(Buffer.from(tarball?.data ?? '', 'base64').subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
});
