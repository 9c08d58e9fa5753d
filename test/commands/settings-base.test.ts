import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { realIndexFile } from '../support/real-index.js';
import { changeOf, type FilesToWrite, gitEnv, type Repository } from '../support/repository.js';

const pinned = (version: string, name = 'values.yaml') => ({
  [name]: `image:\n  repository: lightdash/lightdash\n  tag: ${version}\n`,
});
const settings = (text: string) => ({ 'lightspan.yaml': text });
const accepts = (...versions: string[]) =>
  `accept:\n${versions.map((version) => `  - release: ${version}\n    reason: we have looked\n`).join('')}`;
const five = accepts('1.112.0', '1.113.0', '1.113.1', '1.114.0', '1.115.0');

async function pinCheck({ folder }: Repository, ...argv: string[]) {
  const all = ['pin-check', '--repo', folder, '--index', realIndexFile, '--base', 'main', ...argv];
  const { code, stdout, stderr } = await runCli([...all, '--json'], { env: gitEnv });
  return { code, answer: stdout === '' ? undefined : JSON.parse(stdout), stderr };
}

describe('pin-check with settings', () => {
  it.each<[what: string, before: FilesToWrite, after: FilesToWrite, code: number, states: string[]]>([
    ['of the base', settings(five), {}, 0, Array(5).fill('counts')],
    ['of the change itself', {}, settings(five), 1, Array(5).fill('not-merged')],
    ['that the change takes away', settings(five), settings('to: latest\n'), 0, Array(5).fill('counts')],
    [
      'that the change prolongs',
      settings(`${five}    until: 2020-01-01\n`),
      settings(`${five}    until: 2099-01-01\n`),
      1,
      ['counts', 'counts', 'counts', 'counts', 'lapsed', 'not-merged'],
    ],
    ['of one release too few', settings(accepts('1.112.0', '1.113.0')), {}, 1, ['counts', 'counts']],
  ])('accepts verdicts %s', async (_, before, after, code, states) => {
    const repository = changeOf({ ...pinned('1.111.0'), ...before }, { ...pinned('1.115.0'), ...after });
    const outcome = await pinCheck(repository, '--pin', 'values.yaml#image.tag');
    expect(outcome.code).toBe(code);
    expect(outcome.answer.safe).toBe(false);
    expect(outcome.answer.judgedBy.accepted.map(({ state }: { state: string }) => state)).toEqual(states);
    expect(outcome.answer.judgedBy.settings).toMatch(/lightspan\.yaml$/);
  });

  it.each<[what: string, before: FilesToWrite, after: FilesToWrite, places: string[]]>([
    ['of the base', settings("pins: ['values.yaml#image.tag']\n"), {}, ['values.yaml']],
    [
      'that the change takes away',
      settings("pins: ['values.yaml#image.tag']\n"),
      settings('to: latest\n'),
      ['values.yaml'],
    ],
    ['that the change adds', {}, settings("pins: ['values.yaml#image.tag']\n"), ['values.yaml']],
    ['by their files alone', settings("pins: ['*.yaml']\n"), {}, ['values.yaml']],
    [
      'by path and by file',
      { ...settings("pins: ['values.yaml#image.tag', 'other.yaml']\n"), ...pinned('1.121.0', 'other.yaml') },
      pinned('1.122.0', 'other.yaml'),
      ['other.yaml', 'values.yaml'],
    ],
  ])('judges the pins %s', async (_, before, after, places) => {
    const repository = changeOf({ ...pinned('1.121.0'), ...before }, { ...pinned('1.122.0'), ...after });
    const { answer, code } = await pinCheck(repository);
    expect(answer.pins.map(({ file }: { file: string }) => file).sort()).toEqual(places);
    expect(code).toBe(0);
  });

  it('takes nothing of them with --no-settings, and refuses those of the base that have a fault', async () => {
    const moved = (text: string) =>
      changeOf({ ...pinned('1.111.0'), ...settings(text) }, { ...pinned('1.115.0'), ...settings(five) });
    expect((await pinCheck(moved(five), '--no-settings')).code).toBe(1);
    const { code, stderr } = await pinCheck(moved('acept: []\n'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('before the change:1:1: acept: unknown key')]);
  });
});

describe('a job for a change', () => {
  const plan = async ({ folder }: Repository, env: Record<string, string>) => {
    const argv = ['upgrade-plan', '--from', '1.111.0', '--to', '1.115.0', '--require-rolling', '--json'];
    const given = ['--index', realIndexFile, '--settings', join(folder, 'lightspan.yaml')];
    const { code, stderr } = await runCli([...argv, ...given], { env: { ...gitEnv, ...env } });
    return { code, stderr };
  };

  it('takes what is accepted from the base of the change', async () => {
    const repository = changeOf({ x: '1' }, settings(five));
    const main = repository.git('rev-parse', 'main');
    expect((await plan(repository, {})).code).toBe(0);
    expect((await plan(repository, { CI_MERGE_REQUEST_DIFF_BASE_SHA: main })).code).toBe(1);
    expect(await plan(repository, { GITHUB_BASE_REF: 'main' })).toEqual({
      code: 1,
      stderr: expect.stringContaining('refs/remotes/origin/main is not in this clone'),
    });
    repository.git('update-ref', 'refs/remotes/origin/main', 'change');
    expect((await plan(repository, { GITHUB_BASE_REF: 'main' })).code).toBe(0);
  });
});
