import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { canary, composeCases } from '../support/compose-cases.js';
import { healthyFacts, upgradeTo, writeSituation } from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const factsOut = join(folder, 'out.json');

beforeAll(async () => writeSituation(folder, upgradeTo([], healthyFacts('20260801000000_old'))));

/** What is found of the compose files of a case, a check and its status each; nothing of what is said holds a secret. */
async function findingsOf(name: string, more: readonly string[] = [], change = (text: string) => text) {
  const one = composeCases.find((some) => some.name.startsWith(name));
  if (one === undefined) throw new Error(`no case ${name}`);
  const place = join(folder, name.replaceAll(/\W/g, '-'));
  mkdirSync(place, { recursive: true });
  for (const [file, text] of Object.entries(one.files)) writeFileSync(join(place, file), change(text));
  const argv = [
    ...['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--index', folder, '--json'],
    ...['--facts-out', factsOut, '--only', 'deployment'],
    ...one.compose.flatMap((file) => ['--compose', join(place, file)]),
    ...more,
  ];
  const { PATH = '' } = process.env;
  const { code, stdout, stderr } = await runCli(argv, { env: { PATH, ...one.env } });
  expect(`${stdout}${stderr}${readFileSync(factsOut, 'utf8')}`).not.toContain(canary);
  const findings: Found = JSON.parse(stdout).findings;
  return { code, findings };
}
type Found = readonly { check: string; status: string; subject: string | null }[];
const said = (findings: Found, check: string) =>
  findings.filter((one) => one.check === check).map(({ status, subject }) => `${status} ${subject}`);

/** As it must be for 2.0.0: its release, and the object storage that it does not start without. */
const healthy = (text: string) =>
  text
    .replaceAll('lightdash/lightdash:1.198.1', 'lightdash/lightdash:2.0.0')
    .replaceAll('http://minio:9000', 'https://objects.example.com')
    .replace(/^( +)- S3_ENDPOINT=.*$/m, '$&\n$1- S3_BUCKET=data\n$1- S3_REGION=us-east-1');

describe('upgrade-preflight --compose', () => {
  it('finds nothing in what is healthy, and says what compose does not tell', async () => {
    const { code, findings } = await findingsOf('with pgvector', [], healthy);
    expect(code).toBe(3);
    expect(findings.filter(({ status }) => status === 'stop' || status === 'warn')).toEqual([]);
    for (const check of ['images', 'migrators', 'required-variables', 'licence-key']) {
      expect(said(findings, check), check).toEqual(['ok null']);
    }
    expect(said(findings, 'backups')).toEqual(['not-checked null']);
  });

  it.each([
    ['to 2023-09-19', 1, ['stop postgres']],
    ['from 2023-09-19', 3, ['not-checked null']],
  ])('finds the database of its time: %s', async (name, exit, found) => {
    const { code, findings } = await findingsOf(name, [], healthy);
    expect(code).toBe(exit);
    expect(said(findings, 'bundled-database')).toEqual(found);
    expect(said(findings, 'images')).toEqual(['ok null']);
  });

  it('finds what is broken: no release, another one, and variables that are not set', async () => {
    const { code, findings } = await findingsOf('a broken one');
    expect(code).toBe(1);
    expect(said(findings, 'images')).toContain('stop service lightdash');
    expect(said(findings, 'required-variables')).toEqual([
      'stop service lightdash',
      'stop service scheduler',
    ]);
  });

  it('reads variables where --compose-env-file says', async () => {
    const file = join(folder, 'other.env');
    writeFileSync(file, 'A=1\nB=2\nC=3\n');
    await findingsOf('--env-file in place of .env', ['--compose-env-file', file]);
    const { compose, workloads } = JSON.parse(readFileSync(factsOut, 'utf8')).facts;
    expect(compose.value.project).toBe('env-file-in-place-of--env');
    expect(workloads.value[0].containers[0].image.tag).toBe('123');
  });

  it('what it cannot read is no answer, and no value of it is told', async () => {
    const file = join(folder, 'broken.yml');
    writeFileSync(file, `services:\n  lightdash:\n    extends: x\n    environment: [A=${canary}]\n`);
    const argv = ['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--index', folder];
    for (const PATH of [process.env.PATH ?? '', '']) {
      const outcome = await runCli([...argv, '--compose', file, '--json'], { env: { PATH } });
      expect(outcome.code).toBe(3);
      expect(JSON.parse(outcome.stdout).error.code).toBe('unreadable-source');
      expect(JSON.stringify(outcome)).not.toContain(canary);
    }
  });
});
