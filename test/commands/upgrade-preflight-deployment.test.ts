import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type FactKeyOf, factKeysOf } from '../../src/instance/facts/needs.js';
import { runCli, spawnCli, testNow } from '../support/cli.js';
import { validatorOf } from '../support/json-schema.js';
import { asYaml, canary, chartObjects, inCluster } from '../support/manifests.js';
import { upgradeTo, writeSituation } from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const manifests = join(folder, 'manifests.yaml');
const values = join(folder, 'values.yaml');
const compose = join(folder, 'compose.json');
const factsOut = join(folder, 'out.json');
const databaseFacts = join(folder, 'database.json');

beforeAll(async () => {
  await writeSituation(folder, upgradeTo([]));
  const file = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'));
  const keys: readonly string[] = factKeysOf('deployment');
  const facts = Object.fromEntries(Object.entries(file.facts).filter(([key]) => !keys.includes(key)));
  writeFileSync(databaseFacts, JSON.stringify({ ...file, facts }));
  writeFileSync(manifests, asYaml(chartObjects({ chart: '2.16.101', app: '2.0.0', job: true })));
  writeFileSync(values, `migrationJob: {enabled: true}\nextraEnv: [{name: A, value: ${canary}}]\n`);
  writeFileSync(compose, projectWith('lightdash/lightdash:2.0.0'));
});

/** What docker compose prints of a service with an image. */
function projectWith(image: string): string {
  return JSON.stringify({ name: 'bi', services: { lightdash: { image } } });
}

const preflight = ['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--index', folder];

async function collect(...more: string[]) {
  const outcome = await runCli([...preflight, '--facts-out', factsOut, ...more]);
  const text = readFileSync(factsOut, 'utf8');
  expect(`${outcome.stdout}${outcome.stderr}${text}`).not.toContain(canary);
  const file = JSON.parse(text);
  expect(validatorOf('facts.json')(file)).toBe(true);
  return { ...outcome, facts: file.facts, collectedAt: file.collectedAt };
}

describe('the deployment, in upgrade-preflight', () => {
  it('may be all that is looked at', async () => {
    const files = ['--manifests', manifests, '--values', values];
    const { facts, stdout, collectedAt } = await collect(...files, '--only', 'deployment');
    expect(collectedAt).toBe(testNow.toISOString());
    expect(facts.workloads).toMatchObject({ status: 'seen', seenAt: collectedAt });
    expect(facts.chartValues.value).toMatchObject({ migrationJobEnabled: true, variables: ['A'] });
    expect(facts).not.toHaveProperty('ledger');
    expect(stdout).toContain(`${manifests}, ${values}`);
  });

  it('is written with what is stated beside it', async () => {
    const { facts } = await collect('--values', values, '--fact', 'edition=enterprise');
    expect(facts.stated).toMatchObject({ status: 'seen', value: { edition: 'enterprise' } });
  });

  it('may be compose files, as docker compose printed them', async () => {
    const { facts } = await collect('--compose', compose);
    expect(facts.workloads.value).toMatchObject([{ name: 'lightdash', kind: 'service' }]);
    expect(facts.helm).toMatchObject({ status: 'absent' });
    writeFileSync(join(folder, 'other.json'), projectWith('nginx:1').replace('lightdash', 'web'));
    const other = await collect('--compose', join(folder, 'other.json'));
    expect(other.facts.workloads).toMatchObject({ status: 'absent' });
  });

  it('stands in one file with the facts of a database', async () => {
    const { facts, stdout } = await collect('--facts', databaseFacts, '--manifests', manifests);
    // As old as what was collected before.
    expect(stdout).toMatch(/\.yaml, collected 2026-09-06T18:00:00Z/);
    expect(facts.workloads.status).toBe('seen');
    expect(facts.ledger.status).toBe('seen');
    const again = await collect('--facts', factsOut, '--values', values, '--json');
    expect(JSON.parse(again.stdout).facts.source).toBe(`${factsOut}, ${values}`);
    expect(again.facts).toMatchObject({ workloads: facts.workloads, chartValues: { status: 'seen' } });
  });

  it.each<[FactKeyOf<'deployment'>, string]>([
    ['workloads', 'the workloads'],
    ['chartValues', 'the values of the chart'],
    ['compose', 'the compose files'],
  ])('is not told twice: %s', async (key, name) => {
    const files = key === 'compose' ? [compose] : [manifests, values];
    const source =
      key === 'compose' ? ['--compose', compose] : ['--manifests', manifests, '--values', values];
    const { facts } = await collect(...source);
    const file = JSON.parse(readFileSync(databaseFacts, 'utf8'));
    writeFileSync(factsOut, JSON.stringify({ ...file, facts: { ...file.facts, [key]: facts[key] } }));
    const { code, stderr } = await runCli([...preflight, '--facts', factsOut, ...source]);
    expect(code).toBe(2);
    expect(stderr).toContain(`lightspan: ${factsOut} and ${files.join(', ')} both describe ${name}\n`);
  });

  it('names what the manifests lack among all that is missing, and no command that would not bring it', async () => {
    const some = join(folder, 'some.yaml');
    const objects = inCluster(chartObjects({ chart: '2.16.101', app: '2.0.0' }));
    writeFileSync(some, asYaml(objects.filter(({ kind }) => kind !== 'Pod')));
    const seen = [...preflight, '--manifests', some, '--values', values];
    const argv = [...seen, '--only', 'images,autoscaler'];
    const { code, stdout } = await runCli(argv);
    expect(code, stdout).toBe(3);
    const lacking = 'the pods (--kubernetes, or --manifests with them)';
    expect(stdout.split('\n')[0]).toBe(`Answer: NOT KNOWN: provide ${lacking}`);
    expect(stdout).toContain(`Next: provide ${lacking}; then check again.\n`);
    const all = await runCli([...seen, '--only', 'images,startup-time']);
    expect(all.stdout).toContain(
      'the database (--database env, or --facts <file>), the pods (--kubernetes, or ',
    );
  });

  it('may come from standard input', async () => {
    const argv = [...preflight, '--manifests', '-', '--only', 'deployment', '--facts-out', factsOut];
    const { stderr } = await spawnCli(argv, { stdin: readFileSync(manifests) });
    expect(stderr).toContain('Facts written');
    expect(JSON.parse(readFileSync(factsOut, 'utf8')).facts.deployment.value.sources).toEqual([
      'standard input',
    ]);
  });

  it.each(['2.6.0', '2.6.1', '2.9.1', '2.10.174', '2.10.181', '2.14.0', '2.16.22', '2.16.101', '2.16.361'])(
    'is without a warning of NATS by the default of the chart %s',
    async (chart) => {
      for (const job of [false, true]) {
        writeFileSync(manifests, asYaml(chartObjects({ chart, app: '2.0.0', job, worker: true })));
        const { stdout } = await collect('--manifests', manifests, '--only', 'deployment', '--json');
        const findings: { check: string; status: string }[] = JSON.parse(stdout).findings;
        const said = findings.filter(({ check }) => check === 'required-variables');
        expect(said.filter(({ status }) => status === 'warn')).toEqual([]);
      }
    },
  );

  it.each<[string, string[], number, string]>([
    ['manifests are not there', ['--manifests', '/nowhere'], 3, 'there is no such file'],
    ['manifests are none', ['--manifests', 'package.json'], 4, 'it is not a Kubernetes object'],
    ['values are none', ['--values', 'bin/lightspan.cjs'], 4, 'is not valid YAML or JSON'],
  ])('is refused where %s', async (_, more, code, message) => {
    const outcome = await runCli([...preflight, ...more]);
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toContain(message);
  });
});
