import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseReleaseSafetyIndex } from '../../src/core/index/parse-index.js';
import type { AppliedNote } from '../../src/core/results.js';
import { planRoute } from '../../src/core/route/route.js';
import { majorsCrossed } from '../../src/core/span.js';
import { parseVersion, type Version } from '../../src/core/version.js';
import { builtInKnownIssues } from '../../src/known-issues/built-in.js';
import { demandsOf } from '../../src/known-issues/demands.js';
import { notesOf } from '../../src/known-issues/known-issues.js';
import { checkKnownIssues, parseRecords } from '../../src/known-issues/records.js';
import { linesOfDemands, linesOfNotes } from '../../src/words/evidence/demands.js';
import { upgradeNotesUrl } from '../../src/words/evidence/release.js';
import { runCli } from '../support/cli.js';
import { noDemands } from '../support/judged-by.js';
import { afterRecords } from '../support/known-issues.js';
import { indexOf, realIndex, realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const spanOf = (from: string, to: string) => ({ from: parseVersion(from), to: parseVersion(to) });
const notesFor = (from: string, to: string, facts: Readonly<Record<string, string | number>> = {}) =>
  notesOf(
    builtInKnownIssues.notes,
    { get: (name) => facts[name] },
    afterRecords,
  )(spanOf(from, to)).map(({ id, notKnown }) => `${id}${notKnown.length === 0 ? '' : '?'}`);

describe('the majors of a span', () => {
  it.each([
    ['1.262.1', '2.0.0', ['2.0.0']],
    ['1.262.1', '1.262.1', []],
    ['2.0.0', '2.134.2', []],
    ['0.3486.1', '2.1.0', ['1.0.0', '2.0.0']],
    ['2.134.2', '3.358.2', ['3.0.0']],
  ])('%s to %s: %j', (from, to, majors) => {
    expect(majorsCrossed(spanOf(from, to))).toEqual(majors);
  });

  it('are not counted for ever', () => {
    expect(majorsCrossed(spanOf('1.0.0', '999999999.0.0'))).toHaveLength(50);
  });
});

/** A broken instance, whose dashboards would go stale, and healthy ones. */
describe('a note of pre-aggregates', () => {
  const broken = { edition: 'enterprise', 'pre-aggregates': 'on', 'pre-aggregates-without-refresh': 2 };
  const ids = (facts: Record<string, string | number>, from = '2.134.2') =>
    notesFor(from, '3.358.2', { 'deployed-by': 'helm', 'chart-version': '3.0.0', ...facts }).filter((id) =>
      id.startsWith('pre-aggregates'),
    );

  it('applies where the switch is on, with a licence, and nothing refreshes one', () => {
    expect(ids(broken)).toEqual(['pre-aggregates-not-rebuilt']);
  });

  it.each([
    ['without a licence', { ...broken, edition: 'community' }],
    ['with the switch off', { ...broken, 'pre-aggregates': 'off' }],
    ['with a refresh for each', { ...broken, 'pre-aggregates-without-refresh': 0 }],
  ])('does not apply %s', (_, facts) => {
    expect(ids(facts)).toEqual([]);
  });

  it('may apply where nothing is known, and is behind whoever runs 3.0.0', () => {
    expect(ids({})).toEqual(['pre-aggregates-not-rebuilt?']);
    expect(ids(broken, '3.0.0')).toEqual([]);
  });
});

it('a note of the object store, of the chart and of RustFS applies to those that it concerns', () => {
  expect(notesFor('0.3050.0', '0.3060.0', { 'object-storage': 'missing' })).toEqual([
    'object-storage-required-to-start',
  ]);
  expect(notesFor('0.3050.0', '0.3060.0', { 'object-storage': 'configured' })).toEqual([]);
  const compose = { 'deployed-by': 'compose', edition: 'community' };
  expect(notesFor('2.134.2', '2.200.0', { ...compose, 'object-store': 'minio' })).toEqual([
    'minio-to-rustfs',
  ]);
  expect(notesFor('2.134.2', '2.200.0', { ...compose, 'object-store': 'other' })).toEqual([]);
  const helm = { 'deployed-by': 'helm', 'chart-version': '2.16.361', 'migration-job': 'on' };
  const ofChart = notesFor('1.237.0', '2.134.3', helm).filter((id) => id.startsWith('chart'));
  expect(ofChart).toEqual(['chart-secret-refs-strict', 'chart-3']);
});

it.each<
  [note: string, ends: string, concerned: Record<string, string>, spared: readonly Record<string, string>[]]
>([
  ['client-needs-the-same-major', '1.262.1 2.0.0', {}, []],
  ['client-needs-the-same-major', '2.134.2 3.1.0', {}, []],
  [
    'duckdb-extensions-at-run-time',
    '1.18.0 1.38.1',
    { 'pre-aggregates': 'on' },
    [{ 'pre-aggregates': 'off' }],
  ],
  [
    'duckdb-s3-without-keys',
    '0.2841.0 0.2850.0',
    { 'pre-aggregates': 'on', 'variable.S3_ACCESS_KEY': 'absent' },
    [{ 'variable.S3_ACCESS_KEY': 'set' }, { 'pre-aggregates': 'off' }],
  ],
  [
    'nats-workers-lose-messages',
    '0.2600.0 0.2674.0',
    { 'variable.NATS_URL': 'set' },
    [{ 'variable.NATS_URL': 'absent' }, { 'variable.NATS_URL': 'empty' }],
  ],
  ['image-on-an-older-base', '0.2540.0 0.2541.0', {}, []],
  ['merged-charts-show-one-source', '2.119.0 2.134.2', {}, []],
  [
    'tracked-env-of-the-repository',
    '1.228.0 1.229.0',
    { 'deployed-by': 'compose' },
    [{ 'deployed-by': 'helm' }],
  ],
  [
    'browser-host-renders-null',
    '1.121.0 1.172.0',
    { 'deployed-by': 'helm', 'variable.HEADLESS_BROWSER_HOST': 'empty' },
    [{ 'deployed-by': 'compose' }, { 'variable.HEADLESS_BROWSER_HOST': 'set' }],
  ],
  [
    'browser-host-not-set',
    '0.1892.0 0.1900.0',
    { 'variable.HEADLESS_BROWSER_HOST': 'absent' },
    [{ 'variable.HEADLESS_BROWSER_HOST': 'set' }],
  ],
  [
    'setup-variable-resets-domains',
    '0.1967.0 0.1968.0',
    { 'variable.LD_SETUP_ORGANIZATION_EMAIL_DOMAIN': 'set' },
    [{ 'variable.LD_SETUP_ORGANIZATION_EMAIL_DOMAIN': 'absent' }],
  ],
])(
  '%s applies on the way %s where it concerns, may apply where nothing is known, and spares others',
  (id, ends, concerned, spared) => {
    const [from = '', to = ''] = ends.split(' ');
    const told = (facts: Record<string, string>) =>
      notesFor(from, to, facts).filter((note) => note.replace('?', '') === id);
    expect(told(concerned)).toEqual([id]);
    if (Object.keys(concerned).length > 0) expect(told({})).toEqual([`${id}?`]);
    for (const facts of spared) expect(told({ ...concerned, ...facts })).toEqual([]);
    // Whoever runs what ends the range, or is past its beginning, has it behind them.
    expect(notesFor('3.9.0', '3.9.1', concerned)).not.toContain(id);
  },
);

describe('what an upgrade asks for', () => {
  const known = { notesOf: () => [], knownThrough: builtInKnownIssues.knownThrough };

  it('says where knowledge ends, once, and only beyond it', () => {
    expect(demandsOf(known, realIndex(), spanOf('2.0.0', '2.134.2')).beyond).toBeUndefined();
    expect(demandsOf(known, realIndex(), spanOf('2.134.3', '2.134.3')).beyond).toBeUndefined();
    expect(linesOfDemands(demandsOf(known, realIndex(), spanOf('2.0.0', '2.134.3')))).toEqual([
      'Nothing is known here of problems found in releases after 2.134.2 (as of 2026-11-27): a newer lightspan, or --known-issues, may bring records of them.',
    ]);
    expect(demandsOf(undefined, realIndex(), spanOf('2.0.0', '3.0.0'))).toMatchObject({
      notes: [],
      beyond: undefined,
    });
  });

  it('says at each major what its notes say, and which of them only may concern the instance', () => {
    const [two, three, four] = ['2.0.0', '2.5.0', '3.0.0'].map(parseVersion) as [Version, Version, Version];
    const note = { concerns: 'start', before: null, after: null, references: [], notKnown: [] } as const;
    const notes: AppliedNote[] = [
      { ...note, id: 'a', version: two, summary: 'Set A v1.2 first.' },
      { ...note, id: 'b', version: two, summary: 'Set B', notKnown: ['edition'] },
      { ...note, id: 'c', version: three, summary: 'Set C.' },
    ];
    expect(linesOfDemands({ majors: [two, four], notes, beyond: undefined, laterStops: [] })).toEqual([
      "Crosses 2.0.0, a major for which the publisher's notes list nothing to do (read 2026-11-27); " +
        'note a: Set A v1.2 first; note b, which may concern you: Set B',
      `Crosses 3.0.0, a major: nothing is known of it here; read ${upgradeNotesUrl}`,
    ]);
    const next = parseVersion('4.0.0');
    expect(linesOfDemands({ majors: [four, next], notes, beyond: undefined, laterStops: [] })).toEqual([
      `Crosses 3.0.0, 4.0.0, a major each: nothing is known of it here; read ${upgradeNotesUrl}`,
    ]);
    const one = parseVersion('1.0.0');
    expect(linesOfDemands({ majors: [one], notes: [], beyond: undefined, laterStops: [] })).toEqual([
      "Crosses 1.0.0, a major for which the publisher's notes list nothing to do (read 2026-11-27)",
    ]);
  });

  it('says of a note that hangs on no major what it is, and where the rest stands', () => {
    const note = { concerns: 'start', before: null, after: null, references: [], notKnown: [] } as const;
    const [two, three] = [parseVersion('2.0.0'), parseVersion('2.5.0')];
    const notes: AppliedNote[] = [
      { ...note, id: 'a', version: two, summary: 'Set A.' },
      { ...note, id: 'c', version: three, summary: 'Set C.', notKnown: ['edition'] },
    ];
    expect(linesOfNotes({ ...noDemands, majors: [two], notes })).toEqual([
      'From 2.5.0, note c, which may concern you: Set C (lightspan known-issues show c)',
    ]);
  });

  it('warns of a stop that is later than the target, which no route can have before', () => {
    const index = parseReleaseSafetyIndex(
      indexOf(
        { version: '1.0.0' },
        { version: '1.1.0', requiredStops: ['1.3.0'] },
        { version: '1.2.0' },
        { version: '1.3.0' },
      ),
    );
    const { laterStops } = demandsOf(known, index, spanOf('1.0.0', '1.2.0'));
    expect(laterStops).toEqual([{ stop: '1.3.0', demandedBy: ['1.1.0'] }]);
    expect(linesOfDemands({ ...noDemands, laterStops })).toEqual([
      expect.stringContaining(
        '1.1.0 requires the stop 1.3.0 first, which is later than the target (span rule 3)',
      ),
    ]);
    expect(demandsOf(known, index, spanOf('1.0.0', '1.3.0')).laterStops).toEqual([]);
    expect(demandsOf(known, index, spanOf('1.1.0', '1.2.0')).laterStops).toEqual([]);
    expect(demandsOf(known, realIndex(), spanOf('0.1893.0', '2.134.2')).laterStops).toEqual([]);
  });

  it.each([
    ['text', []],
    ['JSON, on standard error', ['--json']],
  ])('is said by upgrade-check of a release beyond the index too, as %s', async (_, more) => {
    const argv = ['upgrade-check', '--from', '2.130.0', '--to', '3.10.0', '--index', realIndexFile, ...more];
    const { code, stdout, stderr } = await runCli(argv);
    expect(code).toBe(1);
    const said = more.length > 0 ? stderr : stdout;
    expect(said).toContain('Crosses 3.0.0, a major');
    expect(said).toContain('note minio-to-rustfs, which may concern you');
  });

  it('says nothing of a version that is mistyped', async () => {
    const argv = ['upgrade-check', '--from', '1.121.0', '--to', '2.1.77', '--index', realIndexFile];
    expect((await runCli(argv)).stdout).not.toContain('Crosses');
  });

  it('names no release beyond the index that is built in for tests', () => {
    expect(realIndex().entries.at(-1)?.version).toBe(builtInKnownIssues.knownThrough.version);
  });
});

it('a note hands on where to read more', () => {
  const [note] = builtInKnownIssues.notes;
  const [range] = note?.affected ?? [];
  const spans = notesOf(note === undefined ? [] : [note], { get: () => undefined }, afterRecords);
  const [applied] = spans(spanOf('0.1.0', range?.introduced ?? ''));
  expect(applied?.references).toEqual(note?.references.map(({ url }) => url));
  expect(applied?.references[0]).toMatch(/^https:/);
});

describe('a route over a major', () => {
  const routeOf = (...versions: readonly (string | { version: string; minPreviousVersion: string })[]) => {
    const rows = versions.map((one) => (typeof one === 'string' ? { version: one } : one));
    const index = parseReleaseSafetyIndex(indexOf(...rows));
    const to = rows.at(-1)?.version ?? '';
    return planRoute(index, { from: parseVersion('1.0.0'), to: parseVersion(to) }).hops.map(
      (hop) => hop.toVersion,
    );
  };

  it('lands on the last release before it, where that costs no hop', () => {
    const minimum = { version: '2.5.0', minPreviousVersion: '1.1.0' };
    expect(routeOf('1.0.0', '1.1.0', '1.2.0', '1.3.0', '2.0.0', '2.1.0', minimum)).toEqual([
      '1.3.0',
      '2.5.0',
    ]);
  });

  it('crosses it within a hop where another landing would cost one', () => {
    expect(routeOf('1.0.0', '1.1.0', '2.0.0', '2.1.0')).toEqual(['2.1.0']);
    const late = { version: '2.5.0', minPreviousVersion: '2.1.0' };
    expect(routeOf('1.0.0', '1.1.0', '2.0.0', '2.1.0', '2.2.0', late)).toEqual(['2.2.0', '2.5.0']);
  });
});

describe('records of notes', () => {
  const [note] = builtInKnownIssues.notes;

  it('are read like known issues, one or a set, and so is how far records reach', () => {
    expect(parseRecords(note).records).toEqual([note]);
    const set = { schemaVersion: '1', records: builtInKnownIssues.records, notes: [note] };
    expect(parseRecords(set).records.at(-1)).toEqual(note);
    const knownThrough = { version: '3.1.0', asOf: '2026-12-01' };
    expect(parseRecords({ schemaVersion: '1', knownThrough })).toEqual({ records: [], knownThrough });
  });

  it.each([
    ['another kind', { kind: 'nota' }],
    ['an effect, which would take a yes away', { effect: { kind: 'recreate' } }],
    ['a fact that there is not', { conditions: [{ fact: 'editon', is: 'community' }] }],
    ['a range without a release', { affected: [{ introduced: '2.0.0', fixed: '1.0.0' }] }],
  ])('are refused with %s', (_, fields) => {
    expect(checkKnownIssues({ ...note, ...fields }).faults).not.toEqual([]);
  });
});

describe('a command', () => {
  const folder = temporaryFolder();
  const later = join(folder, 'later.json');
  writeFileSync(
    later,
    JSON.stringify(indexOf({ version: '2.134.2' }, { version: '3.0.0' }, { version: '3.1.0' })),
  );
  const span = ['--from', '2.134.2', '--to', '3.1.0', '--index', later];
  const ask = (command: string, ...more: string[]) => runCli([command, ...span, ...more]);

  it('says that it crosses a major, keeps its yes, and says no where that is asked for', async () => {
    const said =
      /Crosses 3\.0\.0, a major: the publisher asks you to act; read .*upgrade-notes; .*pre-aggregates-not-rebuilt/;
    const check = await ask('upgrade-check');
    expect(check).toMatchObject({ code: 0, stdout: expect.stringMatching(said) });
    expect(check.stdout).toContain('Verdict: SAFE');
    const json = await ask('upgrade-check', '--json');
    expect(Object.keys(JSON.parse(json.stdout))).toHaveLength(9);
    expect(json).toMatchObject({ code: 0, stderr: expect.stringMatching(said) });
    for (const command of ['upgrade-check', 'upgrade-plan', 'upgrade-report']) {
      for (const format of ['text', 'markdown']) {
        expect((await ask(command, '--format', format)).stdout.replaceAll('\\', '')).toMatch(
          /Crosses 3\.0\.0/,
        );
      }
      expect(await ask(command, '--fail-on', 'major')).toMatchObject({ code: 1 });
      expect(await ask(command, '--fail-on', 'major', '--accept', 'majors/3.0.0')).toMatchObject({ code: 0 });
      expect(await ask(command, '--fail-on', 'major', '--accept', 'majors/4.0.0')).toMatchObject({ code: 1 });
    }
  });

  it('tells what changes in one table, and in JSON', async () => {
    const facts = ['--fact', 'edition=enterprise', '--fact', 'pre-aggregates=on'];
    const { stdout } = await ask('upgrade-plan', ...facts, '--format', 'markdown');
    expect(stdout).toContain('**What changes for you**');
    const json = JSON.parse((await ask('upgrade-plan', ...facts, '--json')).stdout);
    expect(json).toMatchObject({
      majors: ['3.0.0'],
      upgradeNotes: 'https://docs.lightdash.com/self-host/upgrade-notes',
      judgedBy: { knownThrough: { version: '2.134.2', asOf: '2026-11-27' } },
    });
    expect(json.notes.map(({ id }: { id: string }) => id)).toContain('pre-aggregates-not-rebuilt');
    const none = await runCli([
      'upgrade-plan',
      '--from',
      '2.1.0',
      '--to',
      '2.2.0',
      '--index',
      realIndexFile,
      '--json',
    ]);
    expect(Object.keys(JSON.parse(none.stdout))).not.toEqual(expect.arrayContaining(['majors', 'notes']));
  });

  it('does not offer Renovate what is refused', async () => {
    const releases = async (...more: string[]) => {
      const argv = ['index', 'datasource', '--from', '2.134.2', '--index', later, ...more];
      return JSON.parse((await runCli(argv)).stdout).releases.map(
        ({ version }: { version: string }) => version,
      );
    };
    expect(await releases()).toEqual(['2.134.2', '3.0.0', '3.1.0']);
    expect(await releases('--fail-on', 'major')).toEqual(['2.134.2']);
  });

  it('leaves notes out with --publisher-only, and says the major all the same', async () => {
    const { stdout } = await ask('upgrade-plan', '--publisher-only');
    expect(stdout).toContain('Crosses 3.0.0');
    expect(stdout).not.toContain('What changes for you');
    expect(stdout).not.toContain('of releases up to');
  });

  it('knows as far as the records that are named reach', async () => {
    const knownThrough = join(folder, 'known-through.yaml');
    writeFileSync(knownThrough, 'schemaVersion: "1"\nknownThrough: { version: 3.1.0, asOf: 2026-09-01 }\n');
    const { stdout } = await ask('upgrade-check', '--known-issues', knownThrough);
    expect(stdout).toContain('of releases up to 3.1.0 (as of 2026-09-01)');
    expect(stdout).not.toContain('Nothing is known here');
  });
});
