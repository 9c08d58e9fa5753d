import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { jsonSchemas } from '../scripts/json-schemas.js';
import { artifactSchema } from '../src/core/artifact/artifact.js';
import { parseReleaseSafetyIndex } from '../src/core/index/parse-index.js';
import { isRecord } from '../src/core/json/is-record.js';
import { inventedArtifact, inventedHeavySections, realArtifactText } from './support/artifacts.js';
import { type CliWorld, runCli } from './support/cli.js';
import { declaredCommands } from './support/declarations.js';
import { validatorOf } from './support/json-schema.js';
import { recordOf } from './support/known-issues.js';
import {
  type Answer,
  chartUuid,
  envOf,
  errorPayload,
  sendJson,
  startLightdash,
} from './support/lightdash-server.js';
import { metricQuery } from './support/merge.js';
import { queryState, refusedMerge, resultPage, startedMerge } from './support/merge-responses.js';
import { writeTestMirror } from './support/mirror.js';
import { healthyFacts, type Situation, writeSituation } from './support/preflight.js';
import { indexOf, realIndexFile, realIndexJson, realIndexText } from './support/real-index.js';
import { serve } from './support/server.js';
import { temporaryFolder } from './support/temporary-folder.js';

const ok = (results: unknown) => ({ status: 'ok', results });

const jsonCommands = (await declaredCommands()).filter(({ command }) =>
  command.options.some(({ long }) => long === '--json'),
);

/** Releases before and after those that start on a newer database, most with a migration; one is back-dated. */
const erasOfOldImages: Situation = {
  releases: [
    { version: '1.121.1', migrations: [{ name: '20260801000000_a' }] },
    { version: '1.122.0', migrations: [{ name: '20260802000000_b' }] },
    { version: '1.123.0', migrations: [{ name: '20260803000000_c' }] },
    { version: '1.124.0', migrations: [{ name: '20260804000000_d' }] },
    { version: '1.125.0', migrations: [{ name: '20260701000000_back_dated' }] },
    { version: '1.126.0' },
    { version: '2.89.3', migrations: [{ name: '20260805000000_e' }] },
    { version: '2.95.0', migrations: [{ name: '20260806000000_f' }] },
  ],
  facts: healthyFacts('20260801000000_a', '20260802000000_b', '20260803000000_c'),
};

const brokenMerge =
  '{mergeQuery: {sources: [], joinKey: [], tableCalculations: [], joinType: left, limit: 1}}';

describe('schemas/', () => {
  it('holds what `npm run generate -- schemas` writes, and nothing else', () => {
    const committed = readdirSync('schemas').map((file) => [file, readFileSync(`schemas/${file}`, 'utf8')]);
    expect(Object.fromEntries(committed)).toEqual(jsonSchemas);
  });

  it('takes the real index, and not one whose verdict is a maybe', () => {
    const validate = validatorOf('release-safety-index.json');
    const index = realIndexJson();
    expect(validate(index)).toBe(true);
    expect(validate({ ...index, entries: [{ ...index.entries[0], rollingUpdateSafe: 'maybe' }] })).toBe(
      false,
    );
  });

  const artifacts = readdirSync('fixtures/artifacts').filter((file) => file.endsWith('.json'));
  it.each(artifacts)('takes the real artifact %s', (file) => {
    const validate = validatorOf('release-artifact.json');
    const artifact = JSON.parse(readFileSync(`fixtures/artifacts/${file}`, 'utf8'));
    expect(validate(artifact)).toBe(true);
    expect(validate({ ...artifact, compatibility: {} })).toBe(false);
  });

  it.each(readdirSync('fixtures/merge'))('takes the example %s, and none with a misspelt key', (file) => {
    const validate = validatorOf('merge-request.json');
    const merge = parse(readFileSync(`fixtures/merge/${file}`, 'utf8'));
    expect(merge.$schema).toBe('../../schemas/merge-request.json');
    expect(validate(merge)).toBe(true);
    const { joinKey, ...rest } = merge.mergeQuery;
    expect(validate({ ...merge, mergeQuery: { ...rest, joinkey: joinKey } })).toBe(false);
  });

  it.each<[what: string, valid: boolean, change: unknown]>([
    ['a variable removed', true, { type: 'removed', name: 'A' }],
    ['a kind newer than we are', true, { type: 'deprecated', name: 'A', since: 1 }],
    ['a rename without the old name', false, { type: 'renamed', name: 'A' }],
    ['no kind', false, { name: 'A' }],
    ['a text', false, 'A was removed'],
  ])('an artifact with %s among its changes: valid is %s', (_, valid, change) => {
    const config = { checked: true, breaking: true, changes: [change] };
    const artifact = { ...JSON.parse(realArtifactText('1.121.0')), config };
    expect(validatorOf('release-artifact.json')(artifact)).toBe(valid);
    expect(artifactSchema.safeParse(artifact).success).toBe(valid);
  });
});

describe('what is written is what its JSON Schema describes', () => {
  const folder = temporaryFolder();
  const mirror = join(folder, 'mirror');
  beforeAll(async () => {
    const entry = { previousVersion: null, requiredStops: [], minPreviousVersion: null };
    const show = { ...entry, version: '1.200.0', rollingUpdateSafe: false };
    const unknownKind = { type: 'deprecated', name: 'A' };
    const config = { checked: true, breaking: true, changes: [unknownKind, { type: 'removed', name: 'B' }] };
    await writeTestMirror(mirror, {
      'release-safety-index.json': realIndexText,
      'artifacts/1.121.0.json': realArtifactText('1.121.0'),
      'artifacts/1.200.0.json': JSON.stringify(inventedArtifact(show, inventedHeavySections)),
      'artifacts/1.201.0.json': JSON.stringify(inventedArtifact({ ...show, version: '1.201.0' }, { config })),
    });
  });

  const validateLine = async (schema: string, argv: readonly string[], world: CliWorld = {}) => {
    const { stdout } = await runCli(argv, world);
    expect(stdout).toMatch(/^.+\n$/);
    const output: unknown = JSON.parse(stdout);
    expect(validatorOf(schema)(output)).toBe(true);
    return output;
  };
  const validate = (schema: string, argv: readonly string[], world?: CliWorld) =>
    validateLine(schema, [...argv, '--json'], world);

  const span = ['--from', '1.111.0', '--to', '1.115.0', '--index', realIndexFile];
  const noFacts = '{"schemaVersion":"1","collectedAt":"2026-09-06T18:00:00Z","facts":{}}';
  const plan = (...argv: string[]) => ['upgrade-plan', '--index', realIndexFile, ...argv];
  const helm = ['--deploy', 'helm', '--migration-job'];
  const mirrorTo = (out: string, ...argv: string[]) => [
    ...['index', 'mirror', '--out', join(folder, out), '--index', mirror, '--offline'],
    ...argv,
  ];
  it.each<[schema: string, argv: string[], stdin?: string]>([
    ['upgrade-check-result.json', ['upgrade-check', ...span]],
    ['upgrade-check-result.json', ['upgrade-check', ...span.with(1, '0.1.0')]],
    ['failure.json', ['upgrade-check', '--from', 'x', '--to', 'y']],
    ['explain-result.json', ['explain', 'required-stop', 'rule-1']],
    ['upgrade-plan-result.json', plan('--from', '0.1893.0', ...helm)],
    ['upgrade-plan-result.json', plan('--from', '1.198.1', '--to', 'latest-rolling')],
    ['upgrade-plan-result.json', plan('--from', '1.198.1', '--to', '9.9.9')],
    ['upgrade-plan-result.json', plan('--from', '2.134.2', '--deploy', 'compose')],
    ['upgrade-preflight-result.json', ['upgrade-preflight', ...span, '--facts', '-'], noFacts],
    ['index-status-result.json', ['index', 'status', '--index', realIndexFile]],
    ['index-verify-result.json', ['index', 'verify', '--index', 'package.json']],
    ['index-mirror-result.json', mirrorTo('whole', '--from', '1.120.0', '--to', '1.121.0')],
    ['index-mirror-result.json', mirrorTo('not-whole', '--from', '1.120.0', '--to', '1.123.0')],
    ['release-show-result.json', ['release', 'show', '1.200.0', '--index', mirror]],
    ['release-show-result.json', ['release', 'show', '1.201.0', '--index', mirror]],
    ['failure.json', ['release', 'show', '1.202.0', '--index', mirror]],
    ['failure.json', ['merge', 'validate', 'no such file']],
    ['merge-validate-result.json', ['merge', 'validate', '-'], 'mergeQuery: {}'],
    ['merge-validate-result.json', ['merge', 'validate', '-'], brokenMerge],
    ['merge-submit-result.json', ['merge', 'submit', '-'], brokenMerge],
  ])('%s: %j', async (schema, argv, stdin = '') => {
    await validate(schema, argv, { stdin });
  });

  it('index-verify-result.json: every kind of fault that it describes has been seen', async () => {
    const outputs: unknown[] = [];
    for (const stdin of [faultyIndex('1.0.0'), `{"schemaVersion":"1",${faultyIndex('8.0.0').slice(1)}`]) {
      outputs.push(
        await validate('index-verify-result.json', ['index', 'verify', '--index', '-'], { stdin }),
      );
    }
    expect(seenOf('kind', outputs)).toEqual(describedOf('kind', 'index-verify-result.json'));
  });

  describe('upgrade-report-result.json', () => {
    const reported = join(folder, 'reported');
    const eras = join(folder, 'eras');
    const ofOldPods = join(folder, 'of-old-pods.json');
    beforeAll(async () => {
      await writeTestMirror(reported, reportedFiles());
      await mkdir(eras);
      await writeSituation(eras, erasOfOldImages);
      writeFileSync(
        ofOldPods,
        JSON.stringify(recordOf({ affected: [{ introduced: '2.90.0' }], effect: { kind: 'recreate' } })),
      );
    });

    const withoutArtifacts = ['--index', realIndexFile, '--offline', '--no-cache'];
    const variables = 'OLD_NAME=x\nLIMIT=1\n';
    const reports: [argv: string[], stdin?: string][] = [
      [['--from', '0.9.0', '--to', '1.6.0', '--index', reported]],
      [['--from', '0.9.0', '--to', '1.8.0', '--index', reported]],
      [['--from', '1.7.0', '--to', 'latest-rolling', '--index', reported]],
      [['--from', '1.6.0', '--to', 'latest-rolling', '--index', reported]],
      [['--from', '1.7.0', '--to', '1.8.0', '--index', reported, '--variables', '-'], variables],
      [['--from', '1.120.0', '--to', '1.122.0', ...withoutArtifacts]],
      [['--from', '2.125.0', '--to', '2.127.0', ...withoutArtifacts]],
      [['--from', '1.123.1', '--to', '1.134.0', ...withoutArtifacts]],
      [['--from', '1.121.1', '--to', '1.122.0', '--index', eras]],
      [['--from', '1.122.0', '--to', '1.123.0', '--index', eras]],
      [['--from', '1.123.0', '--to', '1.124.0', '--index', eras]],
      [['--from', '1.123.0', '--to', '1.124.0', '--index', eras, '--facts', join(eras, 'facts.json')]],
      [['--from', '1.123.0', '--to', '1.125.0', '--index', eras, '--facts', join(eras, 'facts.json')]],
      [['--from', '1.125.0', '--to', '1.126.0', '--index', eras]],
      [['--from', '2.89.3', '--to', '2.95.0', '--index', eras, '--known-issues', ofOldPods]],
    ];

    it('every word that it describes has been seen', async () => {
      const outputs = await Promise.all(
        reports.map(([argv, stdin = '']) =>
          validate('upgrade-report-result.json', ['upgrade-report', ...argv], { stdin }),
        ),
      );
      for (const key of ['kind', 'standing', 'artifact', 'landing', 'field', 'type']) {
        const described = describedOf(key, 'upgrade-report-result.json');
        expect(described).not.toEqual([]);
        expect(seenOf(key, outputs), key).toEqual(expect.arrayContaining(described));
      }
    });
  });

  it.each<[schema: string, tag: string, argv: string[]]>([
    ['upgrade-check-result.json', '1.121.0', ['--check']],
    ['upgrade-check-result.json', '1.121.0', ['--to', '1.121.0']],
    ['upgrade-check-result.json', '1.111.0', ['--to', '1.115.0']],
    ['upgrade-check-result.json', '1.111.0', ['--to', '1.115.0', '--allow-recreate', '--check']],
    ['failure.json', '1.121.0', ['--to', '1.120.0']],
    ['failure.json', 'stable', []],
  ])('%s: upgrade-bump of %s, %j', async (schema, tag, argv) => {
    const file = join(folder, 'values.yaml');
    writeFileSync(file, `image: { tag: ${tag} }\n`);
    const pin = ['--file', `${file}#image.tag`, '--index', realIndexFile, '--json'];
    await validateLine(schema, ['upgrade-bump', ...pin, ...argv]);
  });

  it.each(jsonCommands)('failure.json: $name, asked for what it does not have', async ({ name }) => {
    await validate('failure.json', [...name.split(' '), '--no-such-option']);
  });

  const submit = ['merge', 'submit', 'fixtures/merge/orders-and-visits.yaml'];
  const wait = [...submit, '--wait'];
  const metrics = { name: 'n', label: 'N', tags: [], tableName: 't', tableLabel: 'T', more: 1 };
  it.each<[schema: string, argv: string[], answers: Answer[]]>([
    ['merge-submit-result.json', submit, [startedMerge()]],
    ['merge-submit-result.json', submit, [refusedMerge({ kind: 'fan_out', sourceId: 'a' })]],
    ['merge-submit-result.json', wait, [startedMerge(), resultPage([{ day: '2026-01-01' }])]],
    ['merge-submit-result.json', [...wait, '--out', join(folder, 'rows')], [startedMerge(), resultPage([])]],
    ['merge-submit-result.json', wait, [startedMerge(), queryState('error', { error: 'no such table' })]],
    ['merge-submit-result.json', wait, [startedMerge(), queryState('cancelled')]],
    ['merge-submit-dry-run-result.json', [...submit, '--dry-run'], []],
    ['failure.json', submit, [sendJson(errorPayload(403, 'ForbiddenError', 'no'), 403)]],
    ['chart-get-result.json', ['chart', 'get', chartUuid], [ok({ metricQuery: metricQuery(), more: 1 })]],
    [
      'chart-get-metric-query-result.json',
      ['chart', 'get', chartUuid, '--metric-query'],
      [ok({ metricQuery: metricQuery() })],
    ],
    ['catalog-metrics-result.json', ['catalog', 'metrics'], [ok({ data: [metrics], pagination: {} })]],
    [
      'catalog-metrics-result.json',
      ['catalog', 'metrics', '--all'],
      [ok({ data: [metrics] }), ok({ data: [] })],
    ],
    ['org-users-result.json', ['org', 'users'], [ok([{ email: 'a@example.com' }])]],
  ])('%s: %j', async (schema, argv, answers) => {
    await validate(schema, argv, { env: envOf(await startLightdash(...answers)) });
  });

  it('upgrade-verify-result.json: every state and outcome of upgrade-verify', async () => {
    const ready = { status: 'ready' };
    const rows: readonly [status: number, readyz: object, header: string, health?: object][] = [
      [200, ready, '1.131.0'],
      [200, ready, '1.132.0'],
      [200, ready, 'development'],
      [200, { ...ready, warnings: ['migration_parked'] }, '1.131.0'],
      [503, { status: 'not_ready', reason: 'schema_pending' }, '1.131.0'],
      [404, {}, '', { status: 'ok', results: { healthy: true, version: '1.128.0' } }],
      [302, {}, ''],
    ];
    const outputs = [];
    for (const [status, readyz, header, health] of rows) {
      const { url } = await serve((request, response) => {
        if (header !== '') response.setHeader('lightdash-version', header);
        if (request.url === '/api/v1/readyz') response.writeHead(status, { location: '/login' });
        response.end(JSON.stringify(request.url === '/api/v1/health' ? health : readyz));
      });
      const argv = ['upgrade-verify', '--instance', url, '--version', '1.131.0'];
      const once = ['--window', '0s'];
      outputs.push(await validate('upgrade-verify-result.json', [...argv, ...once]));
    }
    expect(outputs).toMatchObject([
      { safe: true, outcome: 'verified' },
      { safe: false, outcome: 'superseded' },
      ...rows.slice(2).map(() => ({ safe: false, outcome: 'not-verified' })),
    ]);
    expect(seenOf('kind', outputs)).toEqual(describedOf('kind', 'upgrade-verify-result.json'));
  });

  it('query-compile-result.json: query compile', async () => {
    const env = envOf(await startLightdash(ok({ query: 'SELECT 1', more: 1 })));
    const stdin = JSON.stringify(metricQuery());
    await validate('query-compile-result.json', ['query', 'compile', '-'], { env, stdin });
  });
});

/** Every object of a JSON document. */
function* objectsIn(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (isRecord(value)) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const child of Object.values(value)) yield* objectsIn(child);
}

const sorted = (values: readonly unknown[]) =>
  [...new Set(values.filter((value) => typeof value === 'string'))].sort();

/** What stands under a key, wherever that is. */
function seenOf(key: string, documents: readonly unknown[]): string[] {
  return sorted([...objectsIn(documents)].map((object) => object[key]));
}

/** What a schema says that may stand there. */
function describedOf(key: string, file: string): string[] {
  const schema: unknown = JSON.parse(readFileSync(`schemas/${file}`, 'utf8'));
  const ofKey = [...objectsIn(schema)].flatMap(({ properties }) =>
    isRecord(properties) ? [...objectsIn(properties[key])] : [],
  );
  return sorted(ofKey.flatMap((part) => part.enum ?? part.const));
}

/** A mirror on which every standing, and every disagreement that a mirror can have, can be reported. */
function reportedFiles(): Record<string, string> {
  const index = indexOf(
    { version: '1.0.0', rollingUpdateSafe: 'unknown', backfilled: true, syntheticRequiredStop: true },
    { version: '1.1.0', backfilled: true },
    { version: '1.2.0', rollingUpdateSafe: false },
    { version: '1.3.0' },
    { version: '1.4.0', requiredStops: ['1.2.0'] },
    { version: '1.5.0', minPreviousVersion: '1.3.0' },
    { version: '1.6.0' },
    { version: '1.7.0', previousVersion: '1.6.5', rollingUpdateSafe: 'unknown' },
    { version: '1.8.0' },
  );
  const artifacts = Object.fromEntries(
    parseReleaseSafetyIndex(index).entries.map((entry) => [
      entry.version,
      inventedArtifact(entry, inventedHeavySections),
    ]),
  );
  const differs = {
    previousVersion: null,
    compatibility: { rollingUpdateSafe: 'unknown' },
    upgrade: { minPreviousVersion: '1.2.0', requiredStops: ['1.2.0'] },
  };
  const change = { type: 'deprecated', name: 'A' };
  const files: Record<string, unknown> = {
    '1.2.0': { ...artifacts['1.2.0'], config: { checked: true, breaking: true, changes: [change] } },
    '1.3.0': { ...artifacts['1.3.0'], ...differs },
    '1.4.0': artifacts['1.5.0'],
    '1.5.0': { schemaVersion: '2' },
    '1.7.0': artifacts['1.7.0'],
    '1.8.0': artifacts['1.8.0'],
  };
  return {
    'release-safety-index.json': JSON.stringify(index),
    ...Object.fromEntries(
      Object.entries(files).map(([version, file]) => [`artifacts/${version}.json`, JSON.stringify(file)]),
    ),
  };
}

/** An index in which every kind of fault stands that one index with such a floor can have. */
function faultyIndex(floor: string): string {
  const [sound] = indexOf({ version: '0.9.0', releaseDate: '2026-01-01T00:00:00Z' }).entries;
  const entry = (version: string, previousVersion: string | null, fields: object = {}) => {
    return { ...sound, version, previousVersion, ...fields };
  };
  return JSON.stringify({
    schemaVersion: '1',
    generatedAt: '2026-09-06T18:08:42Z',
    backfillFloorVersion: floor,
    entries: [
      entry('0.9.0', null, { syntheticRequiredStop: true }),
      entry('1.0.0', '0.9.0', { backfilled: true }),
      entry('1.2.0', '1.1.0', { requiredStops: ['1.1.0', '1.3.0'], minPreviousVersion: '1.1.0' }),
      entry('1.2.0', '1.1.0', { minPreviousVersion: '1.3.0' }),
      entry('1.4.0', '1.3.0', { releaseDate: '2026-12-01T00:00:00Z' }),
      entry('1.3.0', '1.2.0', { releaseDate: '2025-01-01T00:00:00Z', minPreviousVersion: '1.4.0' }),
      entry('1.5.0', '1.4.0', { rollingUpdateSafe: 'maybe' }),
    ],
  });
}
