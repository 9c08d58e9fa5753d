import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What docker compose deploys never rolls: no answer about it has the words of a rolling update. */

const [from, to] = ['1.111.0', '1.115.0'];
const span = ['--from', from, '--to', to, '--index', realIndexFile];

it('a check says in its table of hops that a hop is one with downtime', async () => {
  const argv = ['upgrade-check', ...span, '--fact', 'deployed-by=compose', '--format', 'markdown'];
  const { stdout } = await runCli(argv);
  expect(stdout).toContain(`| 1 | ${from} | ${to} | with downtime |`);
});

it('the script of a hop names no release as a reason for its downtime', async () => {
  const out = join(temporaryFolder(), 'hops');
  const { code } = await runCli(['upgrade-plan', ...span, '--deploy', 'compose', '--out', out]);
  expect(code).toBe(0);
  const script = readFileSync(join(out, `hop-1-${from}-to-${to}.sh`), 'utf8');
  expect(script.split('\n').filter((line) => /roll|Recreate/.test(line) && line.startsWith('#'))).toEqual([]);
});

/** A change of one file, judged from two folders. */
function changeOf(file: string, textOf: (version: string) => string): string[] {
  const folder = temporaryFolder();
  const sides = [from, to].map((version, i) => {
    const side = join(folder, String(i));
    mkdirSync(side);
    writeFileSync(join(side, file), textOf(version));
    return side;
  });
  return ['pin-check', '--before', sides[0] ?? '', '--after', sides[1] ?? '', '--index', realIndexFile];
}

const image = (version: string) => `lightdash/lightdash:${version}`;
const imageOfService = (version: string) => `services:\n  lightdash:\n    image: ${image(version)}\n`;
const imageOfValues = (version: string) => `image:\n  repository: lightdash/lightdash\n  tag: "${version}"\n`;
const compose = ['--fact', 'deployed-by=compose'];
it.each([
  ['a service of compose', 'compose.yaml', imageOfService, [], true],
  [
    'a service of compose, beside facts of a chart',
    'compose.yaml',
    imageOfService,
    ['--fact', 'deployed-by=helm'],
    true,
  ],
  [
    'a file that says nothing, where compose is stated',
    'Dockerfile',
    (v: string) => `FROM ${image(v)}\n`,
    compose,
    true,
  ],
  ['a file that says nothing', 'Dockerfile', (v: string) => `FROM ${image(v)}\n`, [], false],
  ['values of the chart, beside facts of compose', 'values.yaml', imageOfValues, compose, false],
] as const)('a pin is in the words of what deploys it: %s', async (_, file, textOf, facts, isOfCompose) => {
  const change = [...changeOf(file, textOf), ...facts];
  const needed = isOfCompose
    ? 'but needs all of Lightdash stopped first'
    : 'but needs downtime (strategy Recreate)';
  const { stdout } = await runCli(change);
  expect(stdout).toContain(needed);
  const [pin] = JSON.parse((await runCli([...change, '--json'])).stdout).pins;
  expect(pin.message).toContain(needed);
});
