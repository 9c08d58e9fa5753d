import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { runCli } from '../support/cli.js';
import { dockerPrinting } from '../support/compose-facts.js';
import { tableFact } from '../support/facts.js';
import {
  healthyFacts,
  idleLease,
  ranRelease,
  type Situation,
  sourcesOf,
  upgradeTo,
} from '../support/preflight.js';
import { indexOf, realIndexFile } from '../support/real-index.js';
import { serve } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const here = process.cwd();
afterEach(() => process.chdir(here));
const tables = [tableFact({ name: 'projects', heapBytes: 4e9, toastBytes: 0, estimatedRows: 10_000_000 })];

const written = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const composeFile = (tag: string) =>
  written('docker-compose.yml', `services:\n  bi:\n    image: lightdash/lightdash:${tag}\n`);
const plan = (...argv: string[]) => ['upgrade-plan', '--index', realIndexFile, ...argv];
/** A plan from 2.0.0 of what the publisher says of a situation, with its facts. */
const planOf = async (situation: Situation, ...argv: readonly string[]) =>
  await runCli(['upgrade-plan', '--from', '2.0.0', ...(await sourcesOf(situation)), ...argv]);
const json = async (...argv: string[]) => {
  const { code, stdout, stderr } = await runCli(plan('--json', ...argv));
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return { code, stderr, answer: JSON.parse(stdout) };
};

describe('upgrade-plan', () => {
  it.each([
    ['as far as rolling hops reach', ['--from', '1.198.1', '--to', 'latest-rolling'], 0],
    ['nothing that rolling hops reach', ['--from', '1.156.0', '--to', 'latest-rolling'], 1],
    ['a complete route, Recreate hops included', ['--from', '0.3474.0'], 0],
    ['hops that a known issue may hold of', ['--from', '0.1893.0'], 1],
    ['--require-rolling and a Recreate hop', ['--from', '0.3474.0', '--require-rolling'], 1],
    ['--max-hops and a hop too many', ['--from', '0.3474.0', '--max-hops', '3'], 1],
    ['--max-hops and as many hops', ['--from', '0.3474.0', '--max-hops', '4'], 0],
    [
      '--max-hops, --require-rolling and a Recreate hop',
      ['--from', '1.111.0', '--to', '1.115.0', '--max-hops', '1', '--require-rolling'],
      1,
    ],
    ['newer than the index', ['--from', '9.0.0'], 1],
  ])('%s: %j exits %i', async (_, argv, code) => {
    const { stdout, ...outcome } = await runCli(plan(...argv));
    expect(outcome).toEqual({ code, stderr: '' });
    if (code === 1) expect(stdout).not.toMatch(/\bsafe\b/i);
  });

  it('says no to two rolling hops where one is allowed, and calls them safe in no format', async () => {
    const minimum = { version: '1.2.0', minPreviousVersion: '1.1.0' };
    const index = written(
      'two-hops.json',
      JSON.stringify(indexOf({ version: '1.0.0' }, { version: '1.1.0' }, minimum)),
    );
    const run = (...argv: string[]) =>
      runCli(['upgrade-plan', '--from', '1.0.0', '--to', '1.2.0', '--index', index, ...argv]);
    expect((await run('--max-hops', '2', '--require-rolling')).code).toBe(0);
    const { code, stdout } = await run('--max-hops', '1');
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('\nFew enough hops: no\n') });
    for (const format of ['json', 'markdown', 'junit', 'github']) {
      const { code, stdout } = await run('--max-hops', '1', '--format', format);
      expect(code).toBe(1);
      expect(stdout.replace('"safe":false', '')).not.toMatch(/\bsafe\b/i);
      if (format === 'json') expect(JSON.parse(stdout)).toMatchObject({ safe: false, rolling: true });
    }
  });
});

describe('upgrade-plan --deploy', () => {
  const span = ['--from', '1.111.0', '--to', '1.115.0'];
  const hopOf = async (...argv: string[]) => {
    const { code, stderr, answer } = await json(...argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return answer.hops[0];
  };
  /** All that is printed of commands. */
  const commandsOf = async (...argv: string[]): Promise<string> => (await hopOf(...argv)).block;
  const asked = (block: string) =>
    [...new Set([...block.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name))].sort();

  it('lists the steps of the first hop in at most 60 lines, and says how to get the commands', async () => {
    const argv = ['--deploy', 'helm', '--chart-version', '2.16.283', '--migration-job'];
    const asked = plan('--from', '1.3.0', '--to', '1.115.0', ...argv);
    const { stdout } = await runCli(asked, { columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('\nHop 1: 1.3.0 -> 1.111.0 (Recreate)\n');
    expect(stdout).toMatch(/\n {2}1\. /);
    expect(stdout).not.toMatch(/^\( begin=1$/m);
    expect(stdout).toMatch(
      /\n {2}Add --verbose for the details of each step, its commands as one block \(\d+\s+lines,\s+after\s+the functions that all hops share\),\s+and\s+the\s+way\s+back;\s+or\s+--out\s+<folder>\s+for\s+scripts\.\n/,
    );
    expect(stdout).toMatch(
      /\nNext: see whether .*:\n {4}lightspan upgrade-preflight --from 1\.3\.0 --to 1\.111\.0 .* --database env\n {2}then write .*:\n {4}lightspan upgrade-plan --index .* --out hops\n. Answer: yes, in 2 steps .*\n$/s,
    );
    expect(stdout.split('\n').length).toBeLessThanOrEqual(60);
  });

  it('lists the commands of the first hop as one block, if asked: what comes after is planned again', async () => {
    const argv = ['--deploy', 'helm', '--chart-version', '2.16.283', '--migration-job', '--verbose'];
    const { stdout } = await runCli(plan('--from', '1.3.0', '--to', '1.115.0', ...argv));
    expect(stdout).toContain('\nHop 1: 1.3.0 -> 1.111.0 (Recreate)\n');
    expect(stdout).not.toMatch(/\nHop 2: 1\.111\.0 -> /);
    expect(
      stdout.match(
        /^Paste these functions once|^Then paste this as one block|^The way back, |^\( begin=1$/gm,
      ),
    ).toHaveLength(5);
    expect(stdout).toContain('\nNext: run the steps of hop 1, then plan again from 1.111.0, ');
  });

  it('uses what --from-file read of a compose file: its name, service, image, suffix and database', async () => {
    const image = 'ghcr.io/bi/lightdash:v1.111.0-custom';
    const volumes = [{ type: 'volume', source: 'db-data', target: '/var/lib/postgresql/data' }];
    const services = { web: { image }, jobs: { image }, store: { image: 'pgvector/pgvector:pg15', volumes } };
    const file = written('bi.yml', stringify({ services }));
    const argv = [
      ...['--from-file', `${file}#services.web.image`, '--tag-suffix', '-custom'],
      ...['--to', '1.115.0', '--deploy', 'compose'],
    ];
    const planned = async (env: Record<string, string>) =>
      JSON.parse((await runCli(plan(...argv, '--json'), { env })).stdout).hops[0];
    const { steps, block } = await planned(dockerPrinting({ name: 'bi', services }));
    const next = { image: 'ghcr.io/bi/lightdash:v1.115.0-custom' };
    expect(steps[0].values.file).toBe(file);
    expect(parse(steps[0].values.yaml)).toEqual({ services: { web: next, jobs: next } });
    expect(block).toContain(`compose() { docker compose --file ${file} "$@"; }\n`);
    expect(block).toContain(`services=\${LIGHTDASH_SERVICE:-web jobs}\n`);
    expect(block).toContain('  compose exec -T store ');
    expect(asked(block)).toEqual(['LIGHTDASH_URL']);
    // Without docker compose, nobody knows which service is the database.
    const without = await planned({ PATH: '/nowhere' });
    expect(asked(without.block)).toEqual(['LIGHTDASH_URL', 'PGDATABASE', 'PGHOST', 'PGUSER']);
  });

  it('uses what --from-file read of Helm values: the name of the file, and under which keys they stand', async () => {
    const file = written('umbrella.yaml', 'lightdash:\n  image:\n    tag: v1.111.0\n');
    const { steps, block } = await hopOf(
      ...['--from-file', `${file}#lightdash.image.tag`, '--to', '1.115.0', '--deploy', 'helm'],
    );
    expect(steps[0].values.file).toBe(file);
    // The version of Lightdash's own chart is not known.
    const each = { strategy: { type: 'Recreate' } };
    expect(parse(steps[0].values.yaml)).toEqual({
      lightdash: {
        image: { tag: 'v1.115.0' },
        upgrade: { mode: 'Recreate' },
        ...{ lightdashBackend: each, scheduler: each, appBuildWorker: each },
      },
    });
    expect(block).toContain(`--values ${file}\n`);
    expect(asked(block)).toEqual('CHART LIGHTDASH_URL NAMESPACE PGDATABASE PGHOST PGUSER RELEASE'.split(' '));
    expect(block).not.toMatch(/^ +if .*update_repository/m);
  });

  it.each([
    ...['tag', 'lightdash.tag', 'imageTag'],
    // Values in the file of Flux, Argo CD and helmfile: helm takes such a file for values that no chart has.
    'spec.values.image.tag',
    'spec.source.helm.valuesObject.image.tag',
    'app.valuesObject.image.tag',
    'app.values.image.tag',
    'releases.0.values.0.image.tag',
  ])('takes %s of a file for no place of Helm values, which would set another key', async (path) => {
    const value = path
      .split('.')
      .reduceRight<unknown>((inner, key) => (key === '0' ? [inner] : { [key]: inner }), '1.111.0');
    const file = written('values.yaml', JSON.stringify(value));
    const argv = plan('--from-file', `${file}#${path}`, '--to', '1.115.0', '--deploy', 'helm');
    const { code, stderr } = await runCli(argv);
    expect(code).toBe(2);
    expect(stderr).toContain(`#${path} is not the image.tag of Helm values`);
  });

  it('--values names every file of the deployment, and so the one that was read', async () => {
    const file = written('pinned.yaml', 'image:\n  tag: 1.111.0\n');
    const argv = ['--from-file', `${file}#image.tag`, '--to', '1.115.0', '--deploy', 'helm'];
    expect(await commandsOf(...argv)).toContain(`--values ${file}\n`);
    const { code, stderr } = await runCli(plan(...argv, '--values', 'other.yaml'));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('is not a file of the deployment: other.yaml'),
    });
    const both = await commandsOf(...argv, '--values', 'base.yaml', '--values', file);
    expect(both.match(/(?<=--values )[^\s-]\S*/g)?.slice(0, 2)).toEqual(['base.yaml', file]);
  });

  it('--instance is where the version is confirmed', async () => {
    const { url } = await serve((_, response) =>
      response.end(JSON.stringify({ status: 'ok', results: { version: '1.111.0' } })),
    );
    const argv = ['--instance', url, '--to', '1.115.0', '--deploy', 'helm'];
    const block = (await commandsOf(...argv)).replaceAll(url, '<url>');
    expect(await commandsOf(...argv, '--allow-http')).toContain("allow_http='yes'");
    expect(block).toContain("url=<url> allow_http='' ");
    expect(asked(block)).not.toContain('LIGHTDASH_URL');
  });

  it.each<[file: string, text: string, isCompose: boolean]>([
    ['stack.yml', 'services:\n  bi:\n    image: lightdash/lightdash:1.121.0\n', true],
    ['.env', 'LIGHTDASH_VERSION=1.121.0\n', true],
    ['compose-values.yaml', 'image:\n  repository: lightdash/lightdash\n  tag: 1.121.0\n', false],
  ])(
    'knows by what %s pins, not by its name, whether docker compose deploys it',
    async (name, text, isCompose) => {
      const span = ['--from-file', written(name, text), '--to', '1.156.0', '--index', realIndexFile];
      for (const command of ['upgrade-plan', 'upgrade-check', 'upgrade-report']) {
        const { stdout } = await runCli([command, ...span]);
        expect(stdout.includes('docker compose')).toBe(isCompose);
      }
    },
  );

  it('of docker compose, which never rolls, no text says that a hop does', async () => {
    const argv = ['--from', '1.121.0', '--to', '1.156.0', '--deploy', 'compose'];
    for (const more of [[], ['--verbose'], ['--format', 'markdown']]) {
      const { code, stdout } = await runCli(plan(...argv, ...more));
      expect(code).toBe(0);
      expect(stdout).toMatch(/Hop 1: 1\.121\.0 -(>|&gt;) 1\.156\.0 \(with downtime\)/);
      expect(stdout).toMatch(/Start 1\.156\.0 \(with downtime\)/);
      expect(stdout).not.toMatch(/RollingUpdate|\brolling all\b/);
    }
    for (const format of ['html', 'markdown', 'text']) {
      const report = ['upgrade-report', '--format', format, '--index', realIndexFile, '--to', '1.156.0'];
      const { stdout } = await runCli([...report, '--from-file', composeFile('1.121.0')]);
      expect(stdout).toContain('with downtime');
      expect(stdout).not.toMatch(/RollingUpdate|rolling all the way|is a rolling update|pods may overlap/);
    }
    const { answer } = await json(...argv);
    expect(answer.hops[0]).toMatchObject({ strategy: 'RollingUpdate' });
  });

  it('of docker compose, --require-rolling is a no, in the JSON too', async () => {
    const argv = ['--from', '1.198.1', '--to', '1.214.0', '--deploy', 'compose', '--require-rolling'];
    const { code, stdout } = await runCli(plan(...argv));
    expect(code).toBe(1);
    expect(stdout).toContain('Next: plan without --require-rolling');
    const { code: ofJson, answer } = await json(...argv);
    expect({ code: ofJson, safe: answer.safe }).toEqual({ code: 1, safe: false });
  });

  it('a start that the index lacks above its floor gets no commands', async () => {
    const argv = ['--from', '1.112.7', '--to', '1.115.0', '--deploy', 'compose'];
    const { code, stdout } = await runCli(plan(...argv, '--out', join(folder, 'never')));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Answer: no: 1\.112\.7 is not a release; nearest: 1\.112\.\d, 1\.11\d\.\d\n/);
    expect(stdout).toContain(' it): lightspan upgrade-plan --from 1.11');
    expect(stdout).not.toMatch(/docker|Hop 1: |\bsh /);
    expect(existsSync(join(folder, 'never'))).toBe(false);
    const { answer } = await json(...argv);
    expect(answer.hops[0]).not.toHaveProperty('steps');
    expect(answer.hops[0]).not.toHaveProperty('block');
  });

  it('says how far it would roll where the way begins with a downtime, and that this is so', async () => {
    const label = /^Without downtime: as far as ([\d.]+) in one step \(--to \1\)$/m;
    const { stdout } = await runCli(plan('--from', '1.160.0', '--to', 'latest'));
    const [, rolling = ''] = label.exec(stdout) ?? [];
    expect(rolling).toBe('1.196.1');
    const there = await runCli(plan('--from', '1.160.0', '--to', rolling));
    expect(there.stdout).toMatch(/^Answer: yes, rolling$/m);
    for (const argv of [
      // No release rolls from here, the way begins with a step that rolls, and compose never rolls.
      plan('--from', '1.156.0', '--to', 'latest'),
      plan('--from', '1.160.0', '--to', 'latest-rolling'),
      plan('--from', '1.160.0', '--to', rolling),
      plan('--from', '1.160.0', '--to', 'latest', '--deploy', 'compose'),
    ])
      expect((await runCli(argv)).stdout).not.toContain('Without downtime');
  });

  it('--out writes a script for each hop once, and says how to run it', async () => {
    const out = join(temporaryFolder(), 'a b', 'hops');
    const argv = plan('--from', '1.3.0', '--to', '1.115.0', '--deploy', 'compose', '--out', out);
    const { code, stdout } = await runCli(argv);
    expect(code).toBe(0);
    const names = ['hop-1-1.3.0-to-1.111.0.sh', 'hop-2-1.111.0-to-1.115.0.sh'];
    expect(readdirSync(out).sort()).toEqual([names[0], 'hop-1-back.sh', names[1], 'hop-2-back.sh', 'lib.sh']);
    for (const name of names) {
      expect(stdout).toContain(`\n  Run, with LIGHTDASH_URL and 1 more set: sh '${join(out, name)}'\n`);
      expect(readFileSync(join(out, name), 'utf8')).toMatch(/^#!\/bin\/sh\n# Lightdash /);
    }
    expect(stdout).not.toContain('begin=1');
    const whole = await runCli([...argv, '--verbose']);
    expect(whole.stdout).toContain(`\n  The way back: sh '${join(out, 'hop-1-back.sh')}'\n`);
    const written = () => names.map((name) => statSync(join(out, name)).ino);
    const before = written();
    const again = JSON.parse((await runCli([...argv, '--json'])).stdout);
    expect(written()).toEqual(before);
    expect(again.hops.map((hop: { script: string }) => hop.script)).toEqual(
      names.map((name) => join(out, name)),
    );
  });

  it('--out names scripts so that a shell takes them for files, also in a folder that looks like options', async () => {
    process.chdir(temporaryFolder());
    const index = join(here, realIndexFile);
    const argv = ['--from', '1.3.0', '--to', '1.115.0', '--deploy', 'compose', '--out=-o9', '--index', index];
    const { code, stdout } = await runCli(['upgrade-plan', ...argv, '--verbose']);
    const names = [
      ...['hop-1-1.3.0-to-1.111.0.sh', 'hop-1-back.sh'],
      ...['hop-2-1.111.0-to-1.115.0.sh', 'hop-2-back.sh'],
    ];
    expect(code).toBe(0);
    expect(stdout.match(/(?<=: sh ).*/g)).toEqual(names.map((name) => `./-o9/${name}`));
    for (const name of names) execFileSync('sh', ['-n', `./-o9/${name}`]);
  });

  it.each([
    ['hop-2-1.111.0-to-1.115.0.sh', 'another script'],
    ['hop-1-1.2.0-to-1.111.0.sh', 'of another plan'],
    ['hop-01-1.3.0-to-1.111.0.sh', 'of another plan'],
    ['lib.sh', 'another script'],
    ['hop-1-back.sh', 'another script'],
    ['hop-3-back.sh', 'of another plan'],
    ['hop-notes.sh', undefined],
  ])('--out beside %s, which is %s', async (name, what) => {
    const out = temporaryFolder();
    writeFileSync(join(out, name), 'edited');
    const argv = ['--from', '1.3.0', '--to', '1.115.0', '--deploy', 'compose', '--out', out];
    const { code, answer } = await json(...argv);
    expect(code).toBe(what === undefined ? 0 : 3);
    expect(readFileSync(join(out, name), 'utf8')).toBe('edited');
    if (what === undefined) return;
    const message = `${join(out, name)} already exists and is ${what}`;
    expect(answer.error).toEqual({ code: 'unwritable-output', message });
    expect(readdirSync(out)).toEqual([name]);
  });

  it('--out reports a folder that cannot be made', async () => {
    const argv = [...span, '--deploy', 'compose', '--out', join(written('a-file', ''), 'folder')];
    const { code, answer } = await json(...argv);
    expect(code).toBe(3);
    expect(answer.error.message).toContain('cannot make ');
  });

  it.each([
    [['--deploy', 'helm', '--chart-version', '2.16'], 'invalid-version', '"2.16" is not a chart version'],
    [['--chart-version', '2.16.284'], 'usage', '--chart-version works only with --deploy helm'],
  ])('%j is refused: %s', async (argv, code, message) => {
    const { answer, ...outcome } = await json('--from', '1.111.0', ...argv);
    expect(outcome.code).toBe(2);
    expect(answer).toEqual({ safe: false, error: { code, message: expect.stringContaining(message) } });
  });

  it.each(['-x', `a\${b}`])(
    '--release=%s is refused: helm could take it for an option, or a shell for more',
    async (name) => {
      const { code, answer } = await json(...span, '--deploy', 'helm', `--release=${name}`);
      expect(code).toBe(2);
      expect(answer.error).toEqual({
        code: 'usage',
        message: `--deploy prints commands, and ${JSON.stringify(name)} cannot be part of one`,
      });
    },
  );
});

it('upgrade-plan with facts of a database says how long each hop is down, and where no limit can be given why', async () => {
  const releases = [
    ranRelease,
    {
      version: '2.1.0',
      migrations: [{ name: '20260901000000_x', tables: ['projects'], does: ['rewrites'] as const }],
      entry: { rollingUpdateSafe: false },
    },
    {
      version: '2.2.0',
      migrations: [{ name: '20260902000000_y', tables: ['projects'], does: 'unknown' as const }],
      entry: { rollingUpdateSafe: false, requiredStops: ['2.1.0'] },
    },
  ];
  const facts = { ...healthyFacts('20260801000000_old'), tables };
  const { code, stdout } = await planOf({ releases, facts });
  expect(code).toBe(0);
  expect(stdout).toContain('Hop 1: time of migrations: 47 seconds to 8 minutes; ');
  expect(stdout).toContain('Hop 2: time of migrations: not known: an artifact does not say');
  expect(stdout).toContain('Downtime: at least 47 seconds; ');
});

it('a route that rolls is not safe where a finding of the instance stops it', async () => {
  const lease = [{ ...idleLease, parkedAt: '2026-09-06T18:00:00Z', parkedAppVersion: '2.1.0' }];
  const { code, stdout } = await planOf(upgradeTo([], { lease }), '--json');
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, safe: false, rolling: true });
});

describe('upgrade-plan tells what going back costs', () => {
  const old = '20260801000000_old';
  const releases = [
    ranRelease,
    { version: '2.1.0' },
    {
      version: '2.2.0',
      migrations: [{ name: '20260901000000_new', tables: ['projects'] }],
      entry: { requiredStops: ['2.1.0'] },
    },
  ];
  const told = async (situation: Situation) =>
    JSON.parse((await planOf(situation, '--json')).stdout).hops.map(
      ({ wayBack }: { readonly wayBack: { needs: string; because: { kind: string }[] } }) =>
        [wayBack.needs, ...wayBack.because.map(({ kind }) => kind)].join(' '),
    );

  const { ledger: _, ...withoutLedger } = healthyFacts(old);
  it.each<[what: string, facts: Situation['facts'], way: string]>([
    ['one that is newer than all that the old image holds', healthyFacts(old), 'starts-on-newer-database'],
    ['no ledger', withoutLedger, 'order-not-known'],
    ['facts of no database: the artifacts are those of the mirror', {}, 'order-not-known'],
  ])('of no migration, and of %s', async (_, facts = {}, way) => {
    const needs = way === 'order-not-known' ? 'backup' : 'code';
    expect(await told({ releases, facts })).toEqual(['code no-migrations', `${needs} ${way}`]);
  });
});

describe('upgrade-plan --prefer', () => {
  const releases = [
    ranRelease,
    {
      version: '2.1.0',
      migrations: [{ name: '20260901000000_a', tables: ['projects'], does: ['rewrites'] as const }],
    },
    {
      version: '2.2.0',
      migrations: [
        { name: '20260902000000_b', tables: ['projects'], does: ['scans'] as const },
        { name: '20260902000001_c', edition: 'ee' as const, tables: ['projects'], does: ['scans'] as const },
      ],
      entry: { rollingUpdateSafe: false },
    },
    {
      version: '2.3.0',
      migrations: [{ name: '20260903000000_d', tables: ['projects'], does: 'unknown' as const }],
    },
  ];
  const answered = async (of: Situation, ...argv: readonly string[]) =>
    JSON.parse((await planOf(of, '--json', ...argv)).stdout);
  const leastDowntime = (of: Situation, ...argv: readonly string[]) =>
    answered(of, '--prefer', 'least-downtime', ...argv);
  const seen = healthyFacts('20260801000000_old');

  it('takes the fewest hops by itself', async () => {
    for (const argv of [[], ['--prefer', 'fewest-hops']]) {
      const answer = await answered({ releases }, ...argv);
      expect(answer).toMatchObject({ prefer: 'fewest-hops', hops: [{ toVersion: '2.3.0' }] });
      expect(answer).not.toHaveProperty('underRecreate');
      expect((await planOf({ releases }, ...argv)).stdout).not.toContain('Preferred');
    }
  });

  it('least-downtime rolls where that is proven, and says what it spares', async () => {
    const { code, stdout } = await planOf({ releases }, '--prefer', 'least-downtime');
    expect(code).toBe(0);
    expect(stdout).toContain('\nPreferred: least downtime by the number of migrations, ');
    const { hops, underRecreate } = await leastDowntime({ releases });
    const ways = hops.map(({ toVersion, strategy }: Record<string, string>) => `${toVersion} ${strategy}`);
    expect(ways).toEqual(['2.1.0 RollingUpdate', '2.2.0 Recreate', '2.3.0 RollingUpdate']);
    expect(underRecreate).toMatchObject({
      countedBy: 'migrations',
      chosen: { releases: 1, migrations: 2 },
      fewestHops: { releases: 3, migrations: 4 },
    });
    // The artifacts were read: what they bring is known to the way back as well.
    expect(stdout).not.toContain('migrations unknown');
  });

  it('goes by the time of migrations where facts tell of the tables', async () => {
    const { hops, prefer, underRecreate } = await leastDowntime({ releases, facts: { ...seen, tables } });
    const ofHop = { migrationTime: hops[1].migrationTime };
    expect(prefer).toBe('least-downtime');
    expect(underRecreate).toEqual({
      countedBy: 'migration-time',
      chosen: { hops: 1, releases: 1, releasesNotTold: 0, migrations: 2, ...ofHop },
      fewestHops: {
        ...{ hops: 1, releases: 3, releasesNotTold: 0, migrations: 4 },
        migrationTime: { lowSeconds: expect.any(Number), highSeconds: null, because: ['work-not-told'] },
      },
    });
  });

  it.each([
    ['more hops than are allowed', ['--prefer', 'least-downtime', '--max-hops', '2'], 1],
    ['as many', ['--prefer', 'least-downtime', '--max-hops', '3'], 0],
  ])('%s: %j exits %i', async (_, argv, code) => {
    expect((await planOf({ releases }, ...argv)).code).toBe(code);
  });

  it.each(['fewest-hops', 'least-downtime'])(
    '%s asks for no artifact where there is no hop',
    async (prefer) => {
      const { url, requests } = await serve((_, response) => response.writeHead(404).end());
      const argv = ['--prefer', prefer, '--to', '2.0.0', '--artifact-url', `${url}/{version}.json`];
      const { code } = await planOf({ releases, facts: { ...seen, tables } }, ...argv);
      expect({ code, requests }).toEqual({ code: 0, requests: [] });
    },
  );

  it('says nothing of it where no route leads', async () => {
    const answer = await leastDowntime({ releases }, '--to', '9.0.0');
    expect(answer).toMatchObject({ prefer: 'least-downtime', hops: [] });
    expect(answer).not.toHaveProperty('underRecreate');
  });
});
