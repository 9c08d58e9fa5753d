import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsText } from '../src/facts/facts-text.js';
import { mergeQueryErrorKinds } from '../src/merge-query/merge-error.js';
import { packageVersion } from '../src/package-version.js';
import { scenarios } from './preflight/scenarios.js';
import { inventedArtifact, inventedHeavySections } from './support/artifacts.js';
import { type CliWorld, runCli } from './support/cli.js';
import { dockerPrinting } from './support/compose-facts.js';
import { declaredCommands } from './support/declarations.js';
import { deploymentFacts, factsFileText, inCluster, valuesFact, workloadFact } from './support/deployed.js';
import { tableFact } from './support/facts.js';
import {
  type Answer,
  chartUuid,
  envOf,
  errorPayload,
  sendJson,
  sendText,
  startLightdash,
} from './support/lightdash-server.js';
import { mergeQuery, metricQuery } from './support/merge.js';
import { queryState, refusedMerge, resultPage, startedMerge } from './support/merge-responses.js';
import {
  factsOf,
  healthyFacts,
  idleLease,
  ledgerOf,
  type Situation,
  upgradeTo,
  writeSituation,
} from './support/preflight.js';
import { indexOf, realIndexFile, realIndexJson } from './support/real-index.js';
import { hostileSections, writeReportMirror } from './support/report-mirror.js';
import { changeOf, gitEnv } from './support/repository.js';
import { standIn } from './support/stand-in.js';
import { temporaryFolder } from './support/temporary-folder.js';

const composeFile = (tag: string) => `name: bi
services:
  lightdash:
    image: lightdash/lightdash:${tag}
    environment:
      - PGHOST
      - PGPASSWORD=\${PGPASSWORD:-secret}
  db:
    image: pgvector/pgvector:pg15
`;

/**
 * What a person or a pipeline sees, command by command: every form of every answer, held to the letter in
 * `test/transcripts/`. `npx vitest run test/transcripts.test.ts --update` updates them; read the difference.
 */

const folder = temporaryFolder();
const index = ['--index', realIndexFile];
const span = (from: string, to: string) => ['--from', from, '--to', to];

/** Commands as they were typed, and what came of them. */
class Transcript {
  private readonly parts: string[] = [];
  private readonly blocks = new Set<string>();
  private readonly names = new Map<string, string>([
    [folder, '<folder>'],
    [`lightspan ${packageVersion}`, 'lightspan <version>'],
  ]);

  /** What differs from run to run is shown under a name. */
  name(value: string, name: string): this {
    this.names.set(value, name);
    return this;
  }

  async run(argv: readonly string[], world: CliWorld = {}): Promise<void> {
    const { code, stdout, stderr } = await runCli(argv, world);
    const shown = argv.map((word) => (/^[\w./:=#@+-]+$/.test(word) ? word : `'${word}'`)).join(' ');
    this.parts.push(
      this.conceal(
        [
          `$ lightspan ${shown}`,
          ...(world.columns === undefined ? [] : [`(a terminal of ${world.columns} columns)`]),
          stdout.trimEnd(),
          ...(stderr === '' ? [] : ['--- standard error', stderr.trimEnd()]),
          `--- exit ${code}`,
          '',
        ].join('\n'),
      ),
    );
  }

  private conceal(text: string): string {
    let concealed = text;
    for (const [value, name] of this.names) concealed = concealed.replaceAll(value, name);
    // Long lists of releases, and the style and script of a page, stand in each answer as in any other.
    concealed = concealed
      .replaceAll(/("\d+\.\d+\.\d+",)(?:"\d+\.\d+\.\d+",){9,}/g, (list, first: string) => {
        const count = list.split(',').length - 2;
        return `${first}<${count} more>,`;
      })
      .replaceAll(/<(style|script)\b[^>]*>[\s\S]*?<\/\1>/g, (block) => {
        if (this.blocks.has(block)) return '<as before>';
        this.blocks.add(block);
        return block;
      });
    // A file may lose the carriage returns of CSV on its way through git.
    return concealed.replaceAll('\r\n', '\\r\n').replaceAll(/"elapsedMs":[\d.]+/g, '"elapsedMs":0');
  }

  async hold(file: string): Promise<void> {
    await expect(`${this.parts.join('\n')}`).toMatchFileSnapshot(`transcripts/${file}.txt`);
  }
}

const formats = ['text', 'json', 'markdown', 'junit', 'github'] as const;

/** Spans of the real index, named by what is the matter with them. */
const spans = {
  safe: span('1.121.0', '1.123.0'),
  unsafe: span('1.111.0', '1.115.0'),
  'below the floor': span('0.1050.0', '0.1895.0'),
  'to the floor': span('0.1050.0', '0.1893.0'),
  'below a minimum': span('1.2.0', '1.5.0'),
  'from an absent version': span('1.121.99', '1.123.0'),
  'to an absent version': span('1.121.0', '1.122.99'),
  'beyond the index': span('2.134.0', '9.0.0'),
  'same version': span('2.134.2', '2.134.2'),
  'same version, absent': span('9.0.0', '9.0.0'),
} as const;

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const indexWithStop = file(
  'stop.json',
  JSON.stringify(
    indexOf(
      { version: '1.0.0' },
      { version: '1.1.0', requiredStops: ['1.1.0'] },
      { version: '1.2.0', rollingUpdateSafe: 'unknown' },
      { version: '1.3.0', minPreviousVersion: '1.2.0', rollingUpdateSafe: false },
    ),
  ),
);

describe('transcripts', () => {
  it('upgrade-check', async () => {
    const transcript = new Transcript();
    for (const argv of Object.values(spans)) {
      for (const format of formats) {
        await transcript.run(['upgrade-check', ...argv, ...index, '--format', format], {});
      }
      await transcript.run(['upgrade-check', ...argv, ...index, '--verbose'], { columns: 60 });
    }
    for (const format of formats) {
      await transcript.run([
        'upgrade-check',
        ...span('1.0.0', '1.3.0'),
        '--index',
        indexWithStop,
        '--format',
        format,
      ]);
    }
    await transcript.run(['upgrade-check', ...spans.unsafe, ...index, '--color'], {
      columns: 100,
      env: { LANG: 'C.UTF-8' },
    });
    await transcript.hold('upgrade-check');
  });

  it('upgrade-check --verify-artifacts', async () => {
    const transcript = new Transcript();
    const mirror = temporaryFolder();
    transcript.name(mirror, '<mirror>');
    await writeReportMirror(mirror, (version, i) =>
      version === '1.122.0' ? { compatibility: { rollingUpdateSafe: false } } : i % 7 === 3 ? undefined : {},
    );
    for (const argv of [spans.safe, spans.unsafe, span('1.123.0', '1.156.0')]) {
      for (const format of formats) {
        const question = ['upgrade-check', ...argv, '--index', mirror, '--verify-artifacts'];
        await transcript.run([...question, '--format', format]);
      }
    }
    await transcript.hold('upgrade-check-artifacts');
  });

  it('upgrade-plan', async () => {
    const transcript = new Transcript();
    const asked = [
      ...Object.values(spans),
      ['--from', '0.1050.0'],
      ['--from', '1.2.0', '--to', 'latest-rolling'],
      ['--from', '1.121.0', '--to', 'latest-rolling'],
      ['--from', '1.3.0', '--require-rolling'],
    ];
    for (const argv of asked) {
      for (const format of formats) {
        await transcript.run(['upgrade-plan', ...argv, ...index, '--format', format]);
      }
    }
    const least = ['--from', '1.195.0', '--to', '1.199.0', '--prefer', 'least-downtime'];
    for (const format of formats) {
      const artifacts = ['--artifact-url', 'fixtures/mirror'];
      await transcript.run(['upgrade-plan', ...least, ...index, ...artifacts, '--format', format]);
    }
    await transcript.run(['upgrade-plan', ...spans.unsafe, ...index, '--verbose']);
    for (const format of formats) {
      await transcript.run(['upgrade-plan', '--from', '1.0.0', '--index', indexWithStop, '--format', format]);
    }
    await transcript.hold('upgrade-plan');
  });

  it('upgrade-plan --deploy, with facts of the deployment', async () => {
    const transcript = new Transcript();
    const facts = join(folder, 'facts.json');
    const plan = ['upgrade-plan', ...spans.unsafe, ...index, '--facts', facts, '--deploy'];
    const known = deploymentFacts({ ...inCluster, chartValues: valuesFact });
    writeFileSync(facts, factsFileText(known));
    await transcript.run([...plan, 'helm']);
    await transcript.run([...plan, 'helm', '--release', 'other', '--chart-version', '2.16.300']);
    await transcript.run([...plan, 'compose']);
    const needed = ['LIGHTDASH_SECRET', 'S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'];
    const image = 'lightdash/lightdash:1.111.0';
    const environment = { PGHOST: 'db', ...Object.fromEntries(needed.map((name) => [name, 'x'])) };
    const lightdash = { image, environment };
    const services = { lightdash, worker: lightdash, db: { image: 'pgvector/pgvector:pg15' } };
    const compose = file('docker-compose.yml', composeFile('1.111.0'));
    const more = file('prod.yml', 'services: {}\n');
    const collect = ['upgrade-preflight', ...spans.unsafe, ...index, '--only', 'images'];
    const files = ['--compose', compose, '--compose', more];
    const env = dockerPrinting({ name: 'bi', services });
    await transcript.run([...collect, ...files, '--facts-out', facts], { env });
    await transcript.run([...plan, 'compose']);
    await transcript.hold('upgrade-plan-deploy');
  });

  it('upgrade-preflight', async () => {
    const transcript = new Transcript();
    for (const [name, { broken }] of Object.entries(scenarios)) {
      const folder = temporaryFolder();
      transcript.name(folder, `<${name}>`);
      await writeSituation(folder, broken);
      const { from = broken.releases?.[0]?.version ?? '', edition, diskFree } = broken;
      const argv = [
        ...['upgrade-preflight', '--from', from, '--to', 'latest'],
        ...['--index', folder, '--facts', join(folder, 'facts.json')],
        ...(edition === undefined ? [] : ['--fact', `edition=${edition}`]),
        ...(diskFree === undefined ? [] : ['--disk-free', String(diskFree)]),
      ];
      await transcript.run(argv);
      if (name !== 'long-lock-on-projects') continue;
      for (const format of formats) await transcript.run([...argv, '--format', format]);
      const same = argv.slice(1);
      for (const format of formats) await transcript.run(['upgrade-plan', ...same, '--format', format]);
      await transcript.run(['upgrade-plan', ...same, '--deploy', 'compose']);
      for (const format of ['text', 'markdown', 'json']) {
        await transcript.run(['upgrade-report', ...same, '--format', format]);
      }
      await transcript.run([...argv, '--only', 'ledger,table-locks'], { columns: 60 });
      await transcript.run([...argv, '--color'], { columns: 100, env: { LANG: 'C.UTF-8' } });
    }
    await transcript.run(['upgrade-preflight', '--grants']);
    await transcript.hold('upgrade-preflight');
  });

  it('upgrade-report', async () => {
    const transcript = new Transcript();
    const mirror = temporaryFolder();
    const hostile = temporaryFolder();
    transcript.name(mirror, '<mirror>').name(hostile, '<hostile mirror>');
    await writeReportMirror(mirror);
    await writeReportMirror(hostile, (version, i) => (i % 5 === 0 ? hostileSections(version, 2) : {}));
    const forms = ['text', 'markdown', 'json', 'html'];
    const values = file(
      'values.yaml',
      'extraEnv:\n  - name: OLD_FLAG\n    value: x\n  - name: OTHER\n    value: y\n',
    );
    for (const form of forms) {
      for (const argv of [
        spans.unsafe,
        spans['below a minimum'],
        spans['same version'],
        spans['beyond the index'],
      ]) {
        await transcript.run(['upgrade-report', ...argv, '--index', mirror, '--format', form]);
      }
      await transcript.run(['upgrade-report', ...spans['below the floor'], ...index, '--format', form]);
      const more = ['--variables', `${values}#extraEnv`, '--format', form];
      await transcript.run(['upgrade-report', ...span('1.115.0', '1.125.0'), '--index', mirror, ...more]);
      await transcript.run([
        'upgrade-report',
        ...span('1.121.0', '1.122.0'),
        '--index',
        hostile,
        '--format',
        form,
      ]);
    }
    await transcript.hold('upgrade-report');
  });

  it('upgrade-bump', async () => {
    const transcript = new Transcript();
    const pins: [string, string][] = [
      ['1.121.0', '1.156.0'],
      ['1.111.0', '1.115.0'],
      ['2.134.2', 'latest'],
      ['0.1050.0', 'latest'],
      ['latest', 'latest'],
    ];
    for (const [pin, to] of pins) {
      for (const format of formats) {
        for (const more of [[], ['--allow-recreate']]) {
          const values = file('pinned.yaml', `image:\n  tag: "${pin}" # keep\n`);
          const argv = ['upgrade-bump', '--file', `${values}#image.tag`, '--to', to, ...index, '--check'];
          await transcript.run([...argv, '--format', format, ...more]);
        }
      }
    }
    await transcript.hold('upgrade-bump');
  });

  it('pin-check', async () => {
    const transcript = new Transcript();
    const tag = (version: string) => `image:\n  tag: "${version}"\n`;
    const compose = (version: string) => `services: {bi: {image: "lightdash/lightdash:${version}"}}\n`;
    const repository = changeOf(
      {
        'proven/values.yaml': tag('1.121.0'),
        'recreate/values.yaml': tag('1.156.0'),
        'minimum/values.yaml': tag('1.2.0'),
        'beyond/values.yaml': tag('2.134.2'),
        'back/values.yaml': tag('1.156.0'),
        'gone/values.yaml': `gone: 1\n${tag('1.123.0')}`,
        'renamed/values.yaml': `# a long enough file\n${tag('1.121.0')}a: 1\nb: 2\nc: 3\n`,
        'digest/values.yaml': tag(`1.156.0@sha256:${'0'.repeat(64)}`),
        'template/values.yaml': tag('1.156.0'),
        'same/values.yaml': tag('1.156.0'),
        'latest/values.yaml': tag('latest'),
        'compose.yaml': compose('1.121.0'),
      },
      {
        'proven/values.yaml': tag('1.156.0'),
        'recreate/values.yaml': tag('1.157.0'),
        'minimum/values.yaml': tag('1.156.0'),
        'beyond/values.yaml': tag('9.9.9'),
        'back/values.yaml': tag('1.121.0'),
        'gone/values.yaml': null,
        'renamed/values.yaml': null,
        'renamed to/values.yaml': `# a long enough file\n${tag('1.156.0')}a: 1\nb: 2\nc: 3\n`,
        'digest/values.yaml': tag(`1.157.0@sha256:${'0'.repeat(64)}`),
        'template/values.yaml': tag('{{ tag }}'),
        'new/values.yaml': tag('2.134.2'),
        'compose.yaml': compose('1.156.0').replace('lightdash/', 'acme.example.com/'),
      },
    );
    transcript.name(repository.folder, '<repository>');
    for (const name of ['main', 'change']) {
      const commit = repository.git('rev-parse', name);
      transcript.name(commit, `<${name}>`).name(commit.slice(0, 12), `<${name}>`);
    }
    const argv = ['pin-check', '--repo', repository.folder, '--base', 'main', ...index];
    const pins = ['--pin', '*/values.yaml#image.tag', '--pin', 'compose.yaml#services.*.image'];
    const world = { env: gitEnv };
    for (const format of formats) {
      await transcript.run([...argv, ...pins, '--format', format], world);
      const one = ['--pin', 'recreate/values.yaml#image.tag', '--accept', 'recreate'];
      await transcript.run([...argv, ...one, '--format', format], world);
      await transcript.run([...argv, '--pin', 'same/*.yaml#image.tag', '--format', format], world);
      await transcript.run([...argv, '--pin', 'none.yaml#image.tag', '--format', format], world);
    }
    await transcript.run([...argv, ...pins, '--verbose'], world);
    await transcript.run(
      [...argv, ...pins, '--accept', 'added', '--accept', 'removed', '--accept', 'renamed'],
      world,
    );
    await transcript.run([...argv, ...pins, '--color'], world);
    await transcript.run(argv, world);
    repository.git('switch', '--quiet', '--create', 'unrelated', 'main');
    repository.commit({ 'README.md': 'x' });
    repository.git('switch', '--quiet', '--create', 'another', 'main');
    repository.commit({ 'another/values.yaml': 'image: {repository: nginx, tag: 1.0.0}' });
    for (const head of ['unrelated', 'another']) {
      transcript.name(repository.git('rev-parse', head).slice(0, 12), `<${head}>`);
      await transcript.run([...argv, '--head', head], world);
    }
    await transcript.run([...argv.with(4, 'origin/main'), ...pins], world);
    await transcript.run([...argv.with(4, '0'.repeat(40)), ...pins], world);
    await transcript.hold('pin-check');
  });

  it('index and release', async () => {
    const transcript = new Transcript();
    const faulty = realIndexJson();
    const { entries } = faulty;
    Object.assign(entries[0] ?? {}, { syntheticRequiredStop: false });
    Object.assign(entries[5] ?? {}, { syntheticRequiredStop: true });
    Object.assign(entries[3000] ?? {}, { requiredStops: ['9.9.9', '0.1.0'], minPreviousVersion: '9.9.9' });
    Object.assign(entries[3010] ?? {}, { minPreviousVersion: '1.0.99' });
    Object.assign(entries[20] ?? {}, { rollingUpdateSafe: true });
    Object.assign(entries[3100] ?? {}, { releaseDate: '2001-01-01T00:00:00Z' });
    Object.assign(entries[3500] ?? {}, { releaseDate: '2031-01-01T00:00:00Z' });
    Object.assign(entries[3300] ?? {}, { rollingUpdateSafe: null });
    entries.splice(3200, 1);
    entries.push({ ...entries[10] });
    const broken = file('faulty.json', JSON.stringify(faulty));
    const belowFloor = file(
      'below.json',
      JSON.stringify({
        ...indexOf({ version: '1.0.0' }, { version: '1.1.0' }),
        backfillFloorVersion: '1.0.5',
      }),
    );
    const twice = file('twice.json', '{"schemaVersion":"1","schemaVersion":"1","entries":[]}');
    const newer = file(
      'newer.json',
      JSON.stringify({ ...indexOf({ version: '1.0.0' }), schemaVersion: '9' }),
    );
    for (const source of [
      realIndexFile,
      indexWithStop,
      broken,
      belowFloor,
      twice,
      newer,
      join(folder, 'none'),
    ]) {
      for (const more of [[], ['--json']]) {
        await transcript.run(['index', 'status', '--index', source, ...more]);
        await transcript.run(['index', 'verify', '--index', source, ...more]);
        await transcript.run(['upgrade-check', ...spans.safe, '--index', source, ...more]);
      }
    }
    for (const from of ['1.121.0', '1.156.0', '9.9.9', 'latest']) {
      await transcript.run(['index', 'datasource', '--from', from, '--index', realIndexFile]);
    }
    const heavy = inventedArtifact(
      {
        version: '1.200.0',
        previousVersion: '1.199.0',
        rollingUpdateSafe: false,
        requiredStops: ['1.200.0'],
        minPreviousVersion: '1.111.0',
      },
      inventedHeavySections,
    );
    const artifacts = file('{version}.json', '').replace('{version}.json', '');
    file('1.200.0.json', JSON.stringify(heavy));
    file('1.201.0.json', JSON.stringify({ ...heavy, version: '1.202.0' }));
    file('1.203.0.json', '{}');
    const places = [`file:${artifacts}{version}.json`, 'fixtures/artifacts/{version}.json', artifacts];
    for (const version of ['1.200.0', '1.201.0', '1.203.0', '1.121.0', '1.136.1', '9.9.9']) {
      for (const place of places) {
        for (const more of [[], ['--json']]) {
          await transcript.run(['release', 'show', version, '--artifact-url', place, ...more]);
        }
      }
    }
    await transcript.hold('index-and-release');
  });

  it('merge, chart, query, catalog and org', async () => {
    const transcript = new Transcript();
    const request = JSON.stringify({ mergeQuery: mergeQuery() });
    const ask = async (argv: readonly string[], answers: readonly Answer[], stdin = request) => {
      const server = await startLightdash(...answers);
      transcript.name(new URL(server.url).host, '<instance>');
      await transcript.run(argv, { env: envOf(server), stdin });
    };
    for (const name of [
      'orders-and-visits.yaml',
      'conversion-with-calculations.yaml',
      'export-with-parameters.json',
      'orders-and-earlier-result.yaml',
      'chart.json',
    ]) {
      await transcript.run(['merge', 'validate', `fixtures/merge/${name}`]);
      await transcript.run(['merge', 'validate', `fixtures/merge/${name}`, '--json']);
    }
    const calculation = { name: 'ratio', displayName: 'Ratio', sql: `1 / \${ a.count }` };
    const merges: unknown[] = [
      { mergeQuery: mergeQuery({ tableCalculations: [calculation] }) },
      { mergeQuery: mergeQuery({ sources: [] }) },
      { mergeQuery: mergeQuery({ joinKey: [] }) },
      { mergeQuery: mergeQuery({ joinType: 'cross' as never, limit: -1 }) },
      { mergeQuery: mergeQuery({ joinKey: [{ name: 'day', fieldIdBySourceId: { a: 'day' } }] }) },
      { mergequery: {} },
    ];
    for (const merge of merges) {
      for (const more of [[], ['--json']]) {
        await transcript.run(['merge', 'validate', '-', ...more], { stdin: JSON.stringify(merge) });
      }
    }
    await transcript.run(['merge', 'validate', '-'], { stdin: 'mergeQuery:\n  - [\n' });
    await ask(['merge', 'submit', '-', '--dry-run'], []);
    for (const more of [[], ['--json'], ['--verbose']]) {
      await ask(['merge', 'submit', '-', ...more], [startedMerge()]);
      await ask(
        ['merge', 'submit', '-', ...more],
        [refusedMerge(...mergeQueryErrorKinds.map((kind) => ({ kind, sourceId: 'a', fieldIds: ['day'] })))],
      );
      await ask(
        ['merge', 'submit', '-', ...more],
        [sendJson(errorPayload(404, 'NotFoundError', 'No project'), 404)],
      );
      await ask(
        ['merge', 'submit', '-', '--wait', ...more],
        [startedMerge(), queryState('error', { error: 'relation "x" does not exist' })],
      );
    }
    const rows = [
      { day: '2026-01-01', count: 1 },
      { day: '2026-01-02', count: 0 },
      { day: '', count: false },
    ];
    for (const output of ['table', 'csv', 'json', 'ndjson']) {
      await ask(['merge', 'submit', '-', '--wait', '--output', output], [startedMerge(), resultPage(rows)]);
    }
    const chart = { status: 'ok', results: { uuid: chartUuid, name: 'Orders', metricQuery: metricQuery() } };
    for (const more of [[], ['--json'], ['--metric-query']]) {
      await ask(['chart', 'get', chartUuid, ...more], [chart]);
    }
    const query = '{"exploreName":"orders","dimensions":["orders_id"]}';
    for (const more of [[], ['--json']]) {
      await ask(
        ['query', 'compile', '-', ...more],
        [{ status: 'ok', results: { query: 'SELECT 1' } }],
        query,
      );
      const metric = {
        name: 'revenue',
        label: 'Revenue',
        tags: ['finance'],
        categories: [],
        tableName: 'orders',
        tableLabel: 'Orders',
      };
      await ask(['catalog', 'metrics', ...more], [{ status: 'ok', results: { data: [metric] } }]);
      const users = [{ userUuid: 'u1', email: 'a@example.com', role: 'admin', isActive: true }];
      await ask(['org', 'users', ...more], [{ status: 'ok', results: users }]);
      await ask(
        ['org', 'users', ...more],
        [sendJson(errorPayload(403, 'ForbiddenError', 'Not allowed'), 403)],
      );
    }
    await transcript.hold('instance');
  });

  it('upgrade-verify', async () => {
    const transcript = new Transcript();
    const readyz = (status: number, body: unknown, version?: string): Answer[] => [
      (response, { url }) => {
        if (!url.endsWith('/readyz')) {
          if (version !== undefined) response.setHeader('Lightdash-Version', version);
          response.end();
        } else sendJson(body as Record<string, unknown>, status)(response);
      },
    ];
    const health = (body: unknown): Answer[] => [
      (response, { url }) =>
        sendJson(url.endsWith('/health') ? body : {}, url.endsWith('/health') ? 200 : 404)(response),
    ];
    const moments: Answer[][] = [
      readyz(200, { status: 'ready' }, '1.156.0'),
      readyz(200, { status: 'ready' }, '1.157.0'),
      readyz(200, { status: 'ready' }, '1.155.0'),
      readyz(200, { status: 'ready' }),
      readyz(200, { status: 'ready', warnings: ['migration_parked'] }, '1.156.0'),
      readyz(200, { status: 'ready', warnings: ['migration_ledger_unavailable'] }, '1.156.0'),
      readyz(503, { status: 'not_ready', reason: 'schema_pending' }),
      readyz(200, { status: 'not_ready' }, '1.156.0'),
      readyz(200, { status: 'ready', warnings: 'soon' }, '1.156.0'),
      readyz(200, { status: 'ready', warnings: [1] }, '1.156.0'),
      readyz(200, 'ready', '1.156.0'),
      readyz(500, { status: 'error', error: { message: 'broken' } }, '1.156.0'),
      health({ status: 'ok', results: { version: '1.120.0' } }),
      health({ status: 'ok', results: { healthy: true, version: 'main' } }),
      health({ status: 'ok', results: { healthy: true, version: '1.120.0' } }),
      health({ status: 'ok', results: { healthy: true, version: '1.156.0' } }),
    ];
    for (const answers of moments) {
      for (const more of [[], ['--json'], ['--allow-newer']]) {
        const { url } = await startLightdash(...answers);
        transcript.name(new URL(url).host, '<instance>');
        const argv = [
          'upgrade-verify',
          '--instance',
          url,
          '--version',
          '1.156.0',
          '--polls',
          '1',
          '--window',
          '1s',
          '--interval',
          '2s',
        ];
        await transcript.run([...argv, ...more]);
      }
    }
    const healthy = { ...healthyFacts('20260801000000_old', '20260901000000_new'), constraints: [] };
    const instances: Readonly<Record<string, NonNullable<Situation['facts']>>> = {
      verified: healthy,
      broken: {
        ...healthy,
        ledger: ledgerOf('20260801000000_old'),
        tables: [tableFact({ name: 'projects', estimatedRows: 1000 })],
        lease: [{ ...idleLease, parkedAt: '2026-09-06T18:00:00Z', parkedAppVersion: '2.1.0' }],
        runs: 'not-permitted',
      },
    };
    for (const [name, facts] of Object.entries(instances)) {
      const folder = temporaryFolder();
      const before = temporaryFolder();
      const { url } = await startLightdash(...readyz(200, { status: 'ready' }, '2.1.0'));
      transcript.name(new URL(url).host, '<instance>').name(folder, `<${name}>`).name(before, '<before>');
      const releases = [
        { version: '2.0.0', migrations: [{ name: '20260801000000_old' }] },
        { version: '2.1.0', migrations: [{ name: '20260901000000_new', tables: ['projects'] }] },
      ];
      await writeSituation(folder, { releases, facts });
      await writeSituation(before, { facts: { ...healthy, ledger: ledgerOf('20260801000000_old') } });
      const argv = ['upgrade-verify', '--instance', url, '--version', '2.1.0', '--polls', '1'];
      const files = ['--facts', join(folder, 'facts.json'), '--before', join(before, 'facts.json')];
      for (const more of [[], ['--json']]) {
        await transcript.run([...argv, '--index', folder, ...files, ...more]);
      }
      const text = readFileSync(join(before, 'facts.json'), 'utf8');
      const later = join(before, 'later.json');
      writeFileSync(later, text.replace('T18:00:00Z', 'T19:00:00Z'));
      for (const other of [join(folder, 'facts.json'), later]) {
        await transcript.run([...argv, '--index', folder, ...files.with(3, other)]);
      }
    }
    await transcript.hold('upgrade-verify');
  });

  it('errors, in every format', async () => {
    const transcript = new Transcript();
    const refused: string[][] = [
      [],
      ['--version', '--json'],
      ['upgrade-check'],
      ['upgrade-check', ...span('1.x', '1.2.0')],
      ['upgrade-check', ...span('1.2.0-rc.1', '1.2.0')],
      ['upgrade-check', ...span('1.123.0', '1.121.0')],
      ['upgrade-check', ...spans.safe, '--from', '1.2.0'],
      ['upgrade-check', ...spans.safe, '--timeout', 'soon'],
      ['upgrade-check', ...spans.safe, '--index', join(folder, 'none.json')],
      ['upgrade-check', ...spans.safe, '--index', 'http://example.com/index.json'],
      ['upgrade-check', ...spans.safe, ...index, '--max-age', '1s'],
      ['upgrade-check', ...spans.safe, '--index', 'https://example.invalid/i.json', '--offline'],
      ['upgrade-check', ...spans.safe, ...index, '--nonsense'],
      ['upgrade-check', ...spans.safe, ...index, 'more'],
      ['upgrade-plan'],
      ['upgrade-plan', '--from', '1.2.0', '--to', 'newest'],
      ['upgrade-report', ...spans.safe, ...index, '--format', 'pdf'],
      ['upgrade-bump', '--file', 'values.yaml'],
      ['merge', 'submit', 'none.yaml'],
      ['index', 'mirror'],
      ['explain', 'nonsense'],
    ];
    for (const argv of refused) {
      await transcript.run(argv);
      const takesFormat = /^upgrade-(check|plan|bump)$/.test(argv[0] ?? '');
      for (const more of takesFormat ? formats.slice(1) : []) {
        await transcript.run([...argv, '--format', more]);
      }
      if (argv.length > 0) await transcript.run([...argv, '--json']);
    }
    await transcript.hold('errors');
  });

  it('refusals', async () => {
    const transcript = new Transcript();
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const preflight = ['upgrade-preflight', ...spans.safe, ...index];
    const verify = ['upgrade-verify', '--instance', 'http://127.0.0.1:9', '--version', '1.2.0'];
    const verified = [...verify, ...index];
    const plan = ['upgrade-plan', ...spans.safe, ...index];
    const bump = ['upgrade-bump', ...index, '--file'];
    const report = ['upgrade-report', ...spans.safe, ...index];
    const url = 'https://lightdash.example.com';
    const results = ['query', 'results', chartUuid, '--url', url, '--project', chartUuid];
    const check = ['upgrade-check', ...spans.safe, ...index];
    const facts = file('facts.json', factsFileText({}));
    const values = file('values.yaml', 'image: {tag: 1.2.0}\nextraEnv: 1\nempty:\n');
    const compose = file('compose.yaml', composeFile('1.2.0'));
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const beside = join(folder, 'beside');
    mkdirSync(beside);
    file('beside/compose.override.yaml', 'services: {}\n');
    const scripts = join(folder, 'scripts');
    mkdirSync(scripts);
    file('scripts/hop-1-1.121.0-to-1.123.0.sh', '# mine\n');
    const pinned = `${values}#image.tag`;
    const ledger = file('ledger.json', factsFileText(factsOf(healthyFacts('x'))));
    const backfilled = file(
      'backfilled.json',
      JSON.stringify(indexOf({ version: '0.9.0', backfilled: true }, { version: '1.0.0', backfilled: true })),
    );
    const inTwoNamespaces = ['one', 'two'].map((namespace) =>
      workloadFact({ kind: 'Deployment', name: 'lightdash', role: 'backend', namespace }),
    );
    const otherPin = `${file('other.yaml', 'image: {tag: 1.3.0}\n')}#image.tag`;
    const mirror = join(folder, 'refusing');
    await writeSituation(mirror, upgradeTo([]));
    const manifestsOf = (namespace: string) =>
      `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: lightdash, namespace: ${namespace}}\nspec: {template: {spec: {containers: [{name: lightdash, image: "lightdash/lightdash:1.2.0"}]}}}\n`;
    const deployed = file('deployed.json', factsFileText(deploymentFacts(inCluster)));
    const repository = changeOf({ 'values.yaml': 'image: {tag: 1.2.0}\n' }, { x: '1' });
    repository.git('switch', '--quiet', '--create', 'with-pins');
    repository.commit({ 'lightspan.pins.yaml': 'pins: values.yaml#image.tag\n' });
    repository.git('switch', '--quiet', 'change');
    const pins = ['pin-check', '--repo', repository.folder, ...index];
    transcript.name(repository.folder, '<repository>');

    const refused: readonly (readonly string[])[] = [
      [...check, '--tag-suffix', '-x'],
      ['upgrade-check', '--instance', url, '--to', '1.2.0', '--offline', ...index],
      [...check, '--json', '--format', 'junit'],
      [...check, '--accept-issue', 'nonsense'],
      ['known-issues', 'show', 'nonsense'],
      [...check, '--known-issues', empty],

      [...preflight, '--sql', '--grants'],
      [...preflight, '--facts', facts, '--from-database'],
      preflight,
      [...preflight, '--facts', facts, '--only', 'nonsense'],
      [...preflight, '--facts', facts, '--database', 'postgresql://db/x'],
      [...preflight, '--facts', facts, '--facts-out', 'x.json'],
      [...preflight, '--facts', '-', '--manifests', '-'],
      [...preflight, '--database', 'postgresql://db/x', '--offline'],
      [...preflight, '--kubernetes', '--offline'],
      [...preflight, '--kubernetes', '--compose', compose],
      [...preflight, '--kubernetes', '--manifests', values, '--values', values],
      [...preflight, '--compose', compose, '--values', values],
      [...preflight, '--manifests', '-', '--values', '-'],
      [...preflight, '--facts', facts, '--compose-env-file', 'x.env'],
      [...preflight, '--facts', facts, '--context', 'x'],
      [...preflight, '--facts', facts, '--migrating-role', 'app'],
      [...preflight, '--facts', facts, '--secret-keys'],
      [...preflight, '--facts', facts, '--namespace', 'x'],
      [...preflight, '--facts', facts, '--max-age', '1s'],
      [
        ...preflight,
        '--facts',
        file(
          'future.json',
          factsText({ schemaVersion: '1', collectedAt: '2101-01-01T00:00:00Z', facts: {} }),
        ),
      ],
      ['upgrade-preflight', '--from-database', '--to', '1.123.0', ...index, '--facts', facts],
      ['upgrade-preflight', '--from-database', '--to', '1.0.0', '--index', backfilled, '--facts', ledger],
      ['upgrade-preflight', '--from-database', '--to', '2.1.0', '--index', mirror, '--facts', ledger],
      [...report, '--only', 'lock-and-lease'],

      [...plan, '--deploy', 'helm', '--format', 'junit'],
      [...plan, '--out', 'x'],
      [...plan, '--deploy', 'compose', '--release', 'x'],
      [...plan, '--deploy', 'helm', '--release', 'a\nb'],
      [
        ...[...plan.slice(0, 1), '--to', '1.123.0', ...index, '--deploy', 'compose'],
        ...['--from-file', `${file('a\tb.yaml', composeFile('1.121.0'))}#services.lightdash.image`],
      ],

      [...verified, '--polls', '9', '--interval', '10s', '--window', '1m'],
      [...verified, '--project', chartUuid],
      [...verified, '--before', facts],
      [...verified, '--canary', file('no-merge.yaml', 'a: 1\n'), '--project', chartUuid],

      [...bump, `${file('latest.yaml', 'image: {tag: latest}\n')}#image.tag`],
      [...bump, `${file('digest.yaml', `image: {tag: "1.121.0@sha256:${'0'.repeat(64)}"}\n`)}#image.tag`],
      [...bump, `${file('escaped.yaml', 'image: {tag: "1.121\\x2e0"}\n')}#image.tag`],
      [...bump, `${file('template.yaml', 'image: {{ x\n')}#image.tag`],
      [...bump, `${file('alias.yaml', 'image: *none\n')}#image.tag`],
      [...bump, `${file('deep.yaml', `x: ${'['.repeat(2000)}${']'.repeat(2000)}\n`)}#image.tag`],

      [...report, '--variables', values],
      [...report, '--variables', `${values}#none`],
      [...report, '--variables', `${values}#extraEnv`],
      [...report, '--variables', file('empty.env', '# nothing\n')],
      [...report, '--variables', join(folder, 'none.env')],

      pins,
      [...pins, '--base', 'main', '--pre-commit'],
      [...pins, '--base', 'main', '--head', 'change', '--staged'],
      [...pins, '--base', 'main', '--config', 'none.yaml'],
      [...pins, '--before', values],
      [...pins, '--before', values, '--after', values, '--head', 'change'],
      [...pins, '--before', values, '--after', values, '--staged'],
      [...pins, '--pre-commit', '--head', 'change'],
      [...pins, '--pre-commit', '--staged'],

      [...results, '--out', 'x.csv', '--output', 'ndjson'],
      [...results, '--output', 'ndjson', '--raw-csv'],
      [...results, '--output', 'csv', '--json'],
      ['query', 'results', 'nonsense', '--url', url, '--project', chartUuid],
      ['query', 'results', chartUuid, '--url', url],
      ['query', 'results', chartUuid, '--project', chartUuid],
      ['query', 'compile', file('query.json', '{"metrics":["a_b"]}'), '--url', url, '--project', chartUuid],

      ['pin-check', '--before', values, '--pin', 'values.yaml#image.tag', ...index],
      [...pins, '--base', 'main', '--head', 'with-pins'],
      [...plan.slice(0, 1), '--to', '1.123.0', '--from-file', pinned, '--deploy', 'compose', ...index],
      [
        ...plan,
        '--deploy',
        'helm',
        '--facts',
        file('two.json', factsFileText(deploymentFacts({ ...inCluster, workloads: inTwoNamespaces }))),
      ],
      [...plan, '--deploy', 'helm', '--out', scripts],
      [...preflight, '--facts', deployed, '--manifests', file('one.yaml', manifestsOf('one'))],
      [...preflight, '--manifests', file('two.yaml', manifestsOf('one') + manifestsOf('two'))],
      [...preflight, '--compose', file('beside/compose.yaml', composeFile('1.2.0'))],
      [...bump, `${file('known.yaml', 'image: {tag: 1.2.0}\n')}#image.tag`, '--max-bytes', '1KiB'],
      [...check.slice(0, 5), '--index', '-'],
      [...check, '--known-issues', mirror],
      ['index', 'mirror', '--out', beside, ...index],
      ['release', 'show', '1.121.0', '--index', mirror],
      ['release', 'show', '1.121.0', '--artifact-url', `${url}/{version}.json`, '--offline'],
      ['upgrade-plan', '--from-file', pinned, '--from-file', otherPin, '--to', '1.123.0', ...index],
    ];
    const env = { LIGHTDASH_API_KEY: 'a-token', HOME: folder };
    for (const argv of refused) await transcript.run(argv, { env });
    const twice = ['upgrade-check', '--from-file', '-#image.tag', '--to', '1.123.0', '--index', '-'];
    await transcript.run(twice, { env, stdin: 'image: {tag: 1.121.0}\n' });
    const merge = ['merge', 'submit', '-', '--url', url, '--project', chartUuid, '--params-file', '-'];
    await transcript.run(merge, { env, stdin: JSON.stringify({ mergeQuery }) });
    await transcript.run(results, { env: { HOME: folder } });
    await transcript.run(results, { env: { ...env, LIGHTDASH_API_KEY: 'Bearer a-token' } });
    await transcript.run(results, { env: { ...env, LIGHTDASH_API_KEY: 'a\nb' } });
    const small = JSON.stringify(indexOf({ version: '1.0.0' }));
    const twiceIn = small.replace('{', '{"schemaVersion":"1",');
    for (const stdin of ['{"a":1}', twiceIn, JSON.stringify({ ...realIndexJson(), entries: [] })]) {
      await transcript.run(['upgrade-check', ...spans.safe, '--index', '-'], { env, stdin });
    }
    const noPrograms = { ...env, PATH: folder };
    await transcript.run([...preflight, '--kubernetes'], { env: noPrograms });
    await transcript.run([...pins, '--base', 'main'], { env: noPrograms });
    const proxied = { ...env, HTTPS_PROXY: 'ftp://proxy.example.org' };
    await transcript.run(['upgrade-check', ...spans.safe, '--index', `${url}/index.json`], { env: proxied });
    const summary = { ...env, GITHUB_STEP_SUMMARY: folder };
    await transcript.run([...check, '--format', 'github'], { env: summary });
    await transcript.hold('refusals');
  });

  it('refusals of what a file, an address or a database is given as', async () => {
    const transcript = new Transcript();
    const own = temporaryFolder();
    transcript.name(own, '<own>');
    let files = 0;
    const write = (text: string) => {
      files += 1;
      const path = join(own, `${files}.yaml`);
      writeFileSync(path, text);
      return path;
    };
    const env = { HOME: own, PATH: own, LIGHTDASH_API_KEY: 'a-token' };

    const digest = `sha256:${'0'.repeat(64)}`;
    for (const [text, path] of [
      ['a: &x 1.2.0\nimage: *x\n', 'image'],
      ['a: &x {tag: 1.2.0}\nimage: *x\n', 'image.tag'],
      ['image: {tag: 1.2.0}\n', 'image'],
      ['image: {tag: 1.2}\n', 'image.tag'],
      ['image: {tag: true}\n', 'image.tag'],
      ['image: {tag: }\n', 'image.tag'],
      ['image: {tag: "{{ x }}"}\n', 'image.tag'],
      ['image: {tag: $TAG}\n', 'image.tag'],
      ['image: {tag: latest}\n', 'image.tag'],
      ['image: {tag: main}\n', 'image.tag'],
      ['image: {tag: 1.2.0-commercial}\n', 'image.tag'],
      [`image: lightdash/lightdash@${digest}\n`, 'image'],
      ['image: lightdash/lightdash\n', 'image'],
      [`image: {tag: 1.2.0, digest: "${digest}"}\n`, 'image.tag'],
      ['image: {repository: "a:1", tag: 1.2.0}\n', 'image.tag'],
      ['a: {repository: b, tag: 1.2.0}\nc: {repository: b, tag: 1.3.0}\n', 'a.tag'],
      ['a: {tag: 1.2.0}\n', 'b.tag'],
      ['x: &x {tag: 1.2.0}\na:\n  <<: *x\n', 'a.tag'],
      ['a: {tag: 1.2.0}\n---\na: {tag: 1.2.0}\n', 'a.tag'],
    ]) {
      const argv = ['upgrade-check', '--from-file', `${write(text ?? '')}#${path}`, '--to', '1.123.0'];
      await transcript.run([...argv, ...index], { env });
    }

    const address = [
      'lightdash',
      'ftp://x',
      'https://u:p@x',
      'https://x/a?b=1#c',
      'https://x/#',
      'http://x.example',
    ];
    for (const url of address) {
      await transcript.run(['upgrade-check', '--instance', url, '--to', '1.123.0', ...index], { env });
      await transcript.run(['org', 'users', '--url', url], { env });
    }
    for (const url of ['x://y', 'https://[']) {
      await transcript.run(['upgrade-check', ...spans.safe, '--index', url], { env });
      await transcript.run(['upgrade-check', ...spans.safe, ...index, '--known-issues', url], { env });
    }

    const preflight = ['upgrade-preflight', ...spans.safe, ...index, '--only', 'images'];
    for (const database of [
      'db',
      'postgresql://a b@c:d@e/f/g:h',
      'postgresql://u:p%@db/x',
      'postgresql://u:p/q@db/x',
      'postgresql://db,other/x',
      'postgresql://db:70000/x',
      'postgresql://db/x?connect_timeout=soon',
      'postgresql://db/x?sslmode=no-verify',
      'postgresql://db/x?sslmode=allow',
      'postgresql://db/x?service=bi',
      'postgresql://db/x?sslmode=maybe',
      'postgresql://db/x?sslrootcert=system&sslmode=require',
      'postgresql://db/x?sslnegotiation=direct&sslmode=prefer',
      'postgresql://db/x?nonsense=1',
      'postgresql://db/x?require_auth=none',
    ]) {
      await transcript.run([...preflight, '--database', database], { env: { ...env, PGUSER: 'me' } });
    }

    for (const text of [
      '',
      'a: 1\n',
      'services: {}\n',
      '- a\n',
      '{{ if x }}\n',
      `${'['.repeat(2000)}\n`,
      'apiVersion: v1\nkind: PodList\nitems: 1\n',
      'apiVersion: v1\nkind: List\nitems: [1]\n',
      'apiVersion: v1\nkind: Pod\nmetadata: {}\n',
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: 1}\n',
      `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\n`,
    ]) {
      await transcript.run([...preflight, '--manifests', write(text)], { env });
    }
    const container = (told: string) =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: b, image: "lightdash/lightdash:1.2.0", ${told}}]}}}\n`;
    for (const told of [
      'env: [{name: 1}]',
      'env: [{name: "A=B"}]',
      'env: [{name: A, valueFrom: {}}]',
      'envFrom: [{}]',
      'startupProbe: {}',
      'resources: {limits: {memory: much}}',
    ]) {
      await transcript.run([...preflight, '--manifests', write(container(told))], { env });
    }
    const beside = (kind: string, group: string, spec: string, uid = '') =>
      `${container('args: []')}---\napiVersion: ${group}\nkind: ${kind}\nmetadata: {name: c${uid}}\nspec: ${spec}\n`;
    const runs = '{template: {spec: {containers: [{name: b, image: "lightdash/lightdash:1.2.0"}]}}}';
    const expression = '{matchExpressions: [{key: a, operator: Is}]}';
    for (const text of [
      beside('HorizontalPodAutoscaler', 'autoscaling/v2', '{maxReplicas: 1}'),
      beside('PodDisruptionBudget', 'policy/v1', `{selector: ${expression}}`),
      beside('PodDisruptionBudget', 'policy/v1', '{minAvailable: []}'),
      beside('Deployment', 'apps/v1', '{template: {spec: {containers: [1]}}}'),
      beside('Deployment', 'apps/v1', '{template: {spec: {containers: [{name: b}]}}}'),
      beside('Deployment', 'apps/v1', '{template: {spec: {containers: []}}}'),
      beside('Deployment', 'apps/v1', '{template: {spec: {containers: [{name: b, image: a b}]}}}'),
      beside('Pod', 'v1', '{containers: [{name: b, image: a}]}', ', creationTimestamp: soon'),
      beside('Deployment', 'apps/v1', runs, ', uid: "1"'),
      `{"a":${'['.repeat(300)}`,
    ]) {
      await transcript.run([...preflight, '--manifests', write(text)], { env });
    }
    for (const text of [
      'a: [',
      '- a\n',
      'apiVersion: v1\nkind: Pod\n',
      'service: {port: 1}\nimage: {tag: 1}\n',
    ]) {
      await transcript.run([...preflight, '--values', write(text)], { env });
    }
    for (const service of ['1', '{"image": 1}', '{"image": "$TAG"}', '{"environment": ["=x"]}']) {
      const stdin = `{"name": "a", "services": {"b": ${service}}}\n`;
      await transcript.run([...preflight, '--compose', '-'], { env, stdin });
    }

    const submit = ['merge', 'submit', '-', '--url', 'https://lightdash.example.com', '--project', chartUuid];
    const stdin = JSON.stringify({ mergeQuery: mergeQuery() });
    for (const more of [
      ...['x', ':=1', 'x:=', 'x=[1', `x:=${'['.repeat(300)}`, 'x:={"a":1}'].map((param) => [
        '--param',
        param,
      ]),
      ['--param', 'x=1', '--param', 'x=2'],
      ['--params-file', write('- 1\n')],
      ['--params-file', write('')],
      ['--params-file', join(own, 'none.yaml')],
      ['--output', 'csv'],
      ['--params-file', write('a: {b: 1}\n')],
      ['--mode', 'interactive', '--export-limit', '5'],
      ['--export-limit', '0'],
    ]) {
      await transcript.run([...submit, ...more], { env, stdin });
    }
    await transcript.run([...preflight.with(-1, ','), '--facts', 'x'], { env });
    await transcript.hold('refusals-of-what-is-given');
  });

  it('faults of an instance', async () => {
    const transcript = new Transcript();
    const home = temporaryFolder();
    transcript.name(home, '<home>');
    const ask = async (argv: readonly string[], answers: readonly Answer[], stdin?: string) => {
      const server = await startLightdash(...answers);
      transcript.name(new URL(server.url).host, '<instance>');
      await transcript.run(argv, {
        env: { ...envOf(server), HOME: home },
        ...(stdin === undefined ? {} : { stdin }),
      });
    };

    // Whatever is asked, such a 200 is no answer.
    const twice = '{"status":"ok","results":[],"results":[]}';
    const texts = [
      '<!doctype html><p>Log in',
      ' ',
      '{"status":',
      twice,
      '['.repeat(600),
      '{}',
      '{"status":"ok","results":[{}]}',
    ];
    for (const text of texts) await ask(['org', 'users'], [sendText(text)]);
    await ask(['org', 'users'], [(response) => response.end(Buffer.from([0xff, 0xfe]))]);

    const metric = { name: 'm', label: 'M', tags: [], categories: [], tableName: 't', tableLabel: 'T' };
    const metrics = (count: number, pagination: object | undefined) => ({
      status: 'ok',
      results: { data: Array.from({ length: count }, (_, i) => ({ ...metric, name: `m${i}` })), pagination },
    });
    const page = { page: 1, pageSize: 1, totalPageCount: 2, totalResults: 2 };
    for (const pages of [
      [metrics(1, { ...page, page: 2 })],
      [metrics(3, page)],
      [metrics(1, page), metrics(1, { ...page, page: 2 })],
      [metrics(1, page), metrics(0, { ...page, page: 2 })],
      [metrics(1, page), metrics(0, { ...page, page: 2, totalResults: 3 })],
      [metrics(1, { page: 1, totalPageCount: 2 }), metrics(0, { page: 2, totalPageCount: 2 })],
      [metrics(1, { page: 1, totalPageCount: 3 }), metrics(0, { page: 2, totalPageCount: 3 })],
    ]) {
      await ask(['catalog', 'metrics', '--all'], pages);
    }

    const merge = JSON.stringify({ mergeQuery: mergeQuery() });
    // What is sent once is answered once.
    for (const status of [201, 302, 400, 401, 403, 404, 408, 429, 500, 503]) {
      await ask(
        ['merge', 'submit', '-'],
        [sendJson(errorPayload(status, 'SomeError', 'said', { id: 1 }), status)],
        merge,
      );
    }
    for (const [text, type] of [
      ['<html><head><title lang="en"> Gateway </title>', 'text/html'],
      ['<html>', 'text/html'],
      ['too many', 'text/plain'],
      ['{"error":"of a proxy"}', 'application/json'],
      ['{"message":"of a gateway"}', 'application/json'],
      ['x'.repeat(5000), 'text/plain'],
    ] as const) {
      await ask(
        ['merge', 'submit', '-'],
        [
          (response) => {
            response.setHeader('retry-after', '120');
            sendText(text, { status: 429, type })(response);
          },
        ],
        merge,
      );
    }
    const submit = ['merge', 'submit', '-', '--wait', '--output', 'csv'];
    const rows = [{ day: '2026-01-01' }, { day: '2026-01-02' }];
    for (const answers of [
      [startedMerge({ queryUuid: undefined })],
      [startedMerge({ queryUuid: 'nonsense' })],
      [startedMerge(), queryState('')],
      [startedMerge(), queryState('ready')],
      [startedMerge(), resultPage(rows, { page: 2 })],
      [startedMerge(), resultPage(rows, { nextPage: 1 })],
      [startedMerge(), resultPage(rows, { totalResults: 3, nextPage: null })],
      [startedMerge(), resultPage(rows.slice(1), { totalResults: 2, nextPage: null })],
      [
        startedMerge(),
        resultPage(rows, { totalPageCount: 2 }),
        resultPage([{ day: '', other: 1 }], { page: 2 }),
      ],
      [startedMerge(), queryState('ready', { rows: [1] })],
      [startedMerge(), sendText('{"status":"ok","results":{"status":"ready","rows":[{"__proto__":1}]}}')],
      [startedMerge(), queryState('cancelled')],
      [startedMerge(), queryState('expired', { error: 'too old' })],
    ]) {
      await ask(submit, answers, merge);
    }
    await ask([...submit.slice(0, 4), '1s'], [startedMerge(), queryState('executing')], merge);
    for (const number of ['.inf', '.nan']) {
      const withNumber = merge.replace(/}$/, `,"x":${number}}`);
      await ask(['merge', 'submit', '-', '--no-validate'], [startedMerge()], withNumber);
    }

    const config = join(home, '.config', 'lightdash', 'config.yaml');
    mkdirSync(dirname(config), { recursive: true });
    const listed = ['org', 'users'];
    for (const text of [
      'context: [',
      'context: *none',
      'context: 1\ncontext: 2',
      `a: ${'b'.repeat(1024 * 1024)}`,
    ]) {
      writeFileSync(config, text);
      await transcript.run(listed, { env: { HOME: home } });
    }
    rmSync(config);
    mkdirSync(config);
    await transcript.run(listed, { env: { USERPROFILE: home } });
    rmSync(config, { recursive: true });

    // An instance that is asked for its version.
    const health =
      (body: string | Uint8Array): Answer =>
      (response) =>
        response.end(body);
    const ok = { status: 'ok', results: { healthy: true, version: '1.121.0' } };
    for (const body of [
      '<html>',
      'no',
      '{"status":"ok","status":"ok"}',
      new Uint8Array([0xff]),
      JSON.stringify({ status: 'ok', results: {} }),
      JSON.stringify({ status: 'ok', results: { healthy: true, version: 'main' } }),
      JSON.stringify({ ...ok, status: 'error' }),
      JSON.stringify({ ...ok, results: { ...ok.results, healthy: false } }),
      JSON.stringify({ ...ok, results: { ...ok.results, requiresMigration: true } }),
    ]) {
      const { url } = await startLightdash(health(body));
      transcript.name(new URL(url).host, '<instance>');
      await transcript.run(['upgrade-check', '--instance', url, '--to', '1.123.0', ...index]);
    }
    const readyz =
      (status: number, body: object, version = '1.156.0'): Answer =>
      (response, request) => {
        response.setHeader('Lightdash-Version', version);
        if (request.url.endsWith('/readyz')) sendJson(body, status)(response);
        else response.end();
      };
    const { url: contradicting } = await startLightdash(
      readyz(200, { status: 'ready', reason: 'schema_pending' }),
    );
    transcript.name(new URL(contradicting).host, '<instance>');
    await transcript.run([
      ...['upgrade-verify', '--instance', contradicting, '--version', '1.156.0', '--polls', '1'],
      ...['--window', '1s', '--interval', '2s'],
    ]);

    await transcript.hold('faults-of-an-instance');
  });

  it('faults of files and programs', async () => {
    const transcript = new Transcript();
    const own = temporaryFolder();
    transcript.name(own, '<own>');
    const write = (name: string, text: string | Uint8Array) => {
      const path = join(own, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    };

    // A file that another program writes while the index is fetched.
    const pinned = write('values.yaml', 'image: {tag: 1.121.0}\n');
    const { url } = await startLightdash((response) => {
      writeFileSync(pinned, 'image: {tag: 1.122.0}\n');
      sendText(JSON.stringify(realIndexJson()))(response);
    });
    transcript.name(new URL(url).host, '<instance>');
    const bump = ['upgrade-bump', '--file', `${pinned}#image.tag`, '--to', '1.123.0'];
    await transcript.run([...bump, '--index', `${url}/index.json`]);

    // A mirror that lacks an artifact, and one that was damaged.
    const mirror = join(own, 'mirror');
    const known = ['--artifact-url', 'fixtures/mirror'];
    await transcript.run([
      'index',
      'mirror',
      '--out',
      mirror,
      ...index,
      ...known,
      '--from',
      '1.195.0',
      '--to',
      '1.196.1',
    ]);
    const check = ['upgrade-check', ...spans.safe, '--index', mirror];
    const sums = readFileSync(join(mirror, 'SHA256SUMS'), 'utf8');
    const damaged = [
      '',
      'nonsense\n',
      sums + sums,
      `${sums}${'0'.repeat(64)}  ../x\n`,
      `${sums}${'0'.repeat(64)}  gone\n`,
      sums.replaceAll(/^.*index.*\n/gm, ''),
      sums.replaceAll(/^[0-9a-f]{64}/gm, '0'.repeat(64)),
    ];
    for (const text of damaged) {
      writeFileSync(join(mirror, 'SHA256SUMS'), text);
      await transcript.run(check);
    }
    await transcript.run([...check, '--max-bytes', '1']);
    rmSync(join(mirror, 'SHA256SUMS'));
    await transcript.run(check);
    mkdirSync(join(mirror, 'SHA256SUMS'));
    await transcript.run(check);
    rmSync(join(mirror, 'release-safety-index.json'));
    rmSync(join(mirror, 'SHA256SUMS'), { recursive: true });
    await transcript.run(check);

    const binary = write('binary.json', Uint8Array.of(0x7b, 0xff));
    await transcript.run(['upgrade-check', ...spans.safe, '--index', binary]);
    await transcript.run(['upgrade-check', ...spans.safe, ...index, '--known-issues', binary]);

    // Programs that are asked.
    const preflight = ['upgrade-preflight', ...spans.safe, ...index, '--only', 'images'];
    const compose = write('compose.yaml', composeFile('1.121.0'));
    for (const script of [
      'case $2 in version) echo 2.30.0;; *) echo secret >&2; exit 1;; esac',
      'case $2 in version) echo 2.30.0;; *) echo secret;; esac',
    ]) {
      await transcript.run([...preflight, '--compose', compose], { env: standIn('docker', script) });
    }
    await transcript.run([...preflight, '--compose', compose], { env: { PATH: own } });
    const pins = ['pin-check', '--repo', own, ...index, '--base', 'main', '--pin', 'values.yaml#image.tag'];
    for (const script of [
      `echo "fatal: detected dubious ownership in repository at '/x'" >&2; exit 128`,
      'echo "fatal: not a git repository (or any of the parent directories): .git" >&2; exit 128',
      'exit 128',
      'kill -9 $$',
    ]) {
      await transcript.run(pins, { env: standIn('git', script) });
    }
    await transcript.hold('faults-of-files-and-programs');
  });

  it('help, explain and completion', async () => {
    const transcript = new Transcript();
    await transcript.run(['--help']);
    for (const { name } of await declaredCommands()) await transcript.run([...name.split(' '), '--help']);
    for (const shell of ['bash', 'zsh', 'fish']) await transcript.run(['completion', shell]);
    await transcript.run(['explain']);
    // One word of each form; docs/words.md has them all.
    for (const words of [
      ...[['rule-1'], ['required-stop'], ['ledger'], ['object-storage-required'], ['network'], ['exit-3']],
      ['verdict', 'unknown-release'],
      ['landings'],
    ]) {
      await transcript.run(['explain', ...words]);
    }
    await transcript.run(['explain', 'required-stop', '--json']);
    await transcript.hold('help');
  });
});
