import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../package.json' with { type: 'json' };
import { copyToWrite } from './support/copy.js';
import { environmentOfNode } from './support/node-under-test.js';
import { Repository } from './support/repository.js';
import { serve } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

const readme = readFileSync('README.md', 'utf8');

/** Every command line of the README, the section it stands in, and the output that stands below it. */
const shown = readme.split(/^## /m).flatMap((section) => {
  const heading = section.split('\n', 1)[0] ?? '';
  const blocks = [...section.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    [...block.matchAll(/^\$ (.+)\n((?:(?!\$ ).*\n)*)/gm)].map(([, command = '', output = '']) => ({
      heading,
      command,
      output,
    })),
  );
});

/** Those to install are run in an empty home (install.test.ts), and `npm test` is what runs this. */
const followed = shown.filter(({ heading, command }) => heading !== 'Install' && command !== 'npm test');

/** The one thing that changes from day to day. */
const withoutAge = (text: string) => text.replaceAll(/\b\d+ days old\b/g, '… days old');

/** An instance that is ready and serves 1.156.0. */
const instance = () =>
  serve((request, response) => {
    response.setHeader('content-type', 'application/json').setHeader('lightdash-version', '1.156.0');
    response.end(
      request.url === '/api/v1/readyz'
        ? '{"status":"ready"}'
        : '{"status":"ok","results":{"healthy":true,"version":"1.156.0"}}',
    );
  });

/** What the commands need of a fresh clone. One for all of them: the later use what the earlier wrote. */
function freshClone(): Repository {
  const repository = new Repository();
  for (const name of ['fixtures', '.gitignore']) copyToWrite(name, join(repository.folder, name));
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message=clone');
  return repository;
}

/** What npx comes to in a clone that is built; that it does is held where the README's first lines are pasted. */
const npx = `npx() { shift; node '${resolve('bin', 'lightspan.cjs')}' "$@"; }`;

function follow(
  command: string,
  cwd: string,
  home: string,
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const env = { ...environmentOfNode, HOME: home };
  const args = ['--noprofile', '--norc', '-ec', `${npx}\n${command}`];
  return new Promise((done) => {
    execFile('bash', args, { cwd, env }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

// In the order of the page: a command may use what one before it has written.
describe('the README', { shuffle: false }, () => {
  it('has the main job, and at most 1,100 words', () => {
    expect(followed[0]?.command).toMatch(/^npm ci && npx lightspan upgrade-check /);
    expect(shown).toContainEqual({ heading: 'Try it', command: 'npm test', output: '' });
    expect(readme.trim().split(/\s+/).length).toBeLessThanOrEqual(1100);
  });

  it('has no command outside of the blocks that are followed', () => {
    expect(readme.match(/^\$ /gm)).toHaveLength(shown.length);
    expect(readme.match(/^```(?!console$).+/gm)).toEqual(['```yaml']);
  });

  it('has the gate of its page, with one name to replace, and inputs that the action has', () => {
    const [inReadme, onPage] = [readme, readFileSync('docs/gate-in-five-minutes.md', 'utf8')].map(
      (text) => /^```yaml\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? '',
    );
    expect(inReadme).toBe(onPage);
    expect(inReadme?.match(/\b[A-Z]{2,}\b/g)).toEqual(['OWNER']);
    const { on: events, jobs } = parse(inReadme ?? '');
    expect(events).toHaveProperty('merge_group');
    const [checkout, gate] = jobs['pin-check'].steps;
    expect(checkout.with['fetch-depth']).toBe(0);
    expect(gate.uses).toBe(`OWNER/lightspan@v${packageJson.version}`);
    expect(Object.keys(parse(readFileSync('action.yml', 'utf8')).inputs)).toEqual(
      expect.arrayContaining(Object.keys(gate.with)),
    );
    const example = parse(readFileSync('examples/github-actions/gate.yml', 'utf8'));
    expect(example.jobs['pin-check'].steps[1].with).toMatchObject(gate.with);
  });

  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  it.each(links)('links to %s, which is there', (link) => expect(existsSync(link)).toBe(true));

  let renewed = readme;
  const clone = freshClone();
  const home = temporaryFolder();
  it.each(followed)(
    '$command',
    async ({ command, output }) => {
      const { url } = await instance();
      const line = command.replace(/^npm ci && /, '').replace('https://lightdash.example.com', url);
      const { code, stdout, stderr } = await follow(line, clone.folder, home);
      const isReport = command.includes('upgrade-report');
      expect({ code, stderr }).toEqual({
        code: isReport ? 1 : 0,
        stderr: expect.stringMatching(
          isReport ? /^(Warning: .*\n)?Report written to report\.html\n/ : /^(Warning: .*\n)?$/,
        ),
      });
      const printed = output.startsWith('Warning: ') ? stderr + stdout : stdout;
      if (withoutAge(printed) !== withoutAge(output)) renewed = renewed.replace(output, () => printed);
      const answer = printed.replace(/^Warning: .*\n/, '');
      expect(answer.trimEnd().split('\n').length).toBeLessThanOrEqual(13);
      if (command.includes('--out report.html')) {
        expect(readFileSync(join(clone.folder, 'report.html'), 'utf8')).toContain('EE_OLD_NAME');
      }
    },
    60_000,
  );

  it('shows what its commands print: --update writes it again', () =>
    expect(renewed).toMatchFileSnapshot(resolve('README.md')));

  it('leaves the clone as it was', () => expect(clone.git('status', '--porcelain')).toBe(''));
});
