import { expect, it } from 'vitest';
import { renderFacts } from '../../../src/answer/formats/text.js';
import { factsOfKnownIssue, factsOfKnownIssues } from '../../../src/answer/outputs/known-issues.js';
import { renderMergeOutcome, renderQueryFailure } from '../../../src/answer/outputs/merge.js';
import { renderProgress } from '../../../src/answer/outputs/messages.js';
import { factsOfAudit, mostShown } from '../../../src/commands/index-verify.js';
import { renderUsersText } from '../../../src/commands/org-users.js';
import { factsOfRelease } from '../../../src/commands/release-show.js';
import { parseReleaseArtifact, type ReleaseArtifact } from '../../../src/core/artifact/artifact.js';
import { parseExactJson } from '../../../src/core/json/exact-json.js';
import { parseVersion } from '../../../src/core/version.js';
import type { KnownIssue } from '../../../src/known-issues/records.js';
import type { MergeResults } from '../../../src/merge/response.js';
import { realArtifactText } from '../../support/artifacts.js';
import { recordOf } from '../../support/known-issues.js';
import { markedPalette as palette } from '../../support/marked-palette.js';

/** What a person is shown, with none, one and many of each, for a person to read: `outputs.txt`. */

const day = '2026-09-06T18:08:42Z';
const knownThrough = { version: parseVersion('2.134.2'), asOf: '2026-09-06' };
const [one, two] = [parseVersion('2.1.0'), parseVersion('2.2.0')];

const fault = { kind: 'floor-missing', floor: one } as const;
const audit = (faults: number) => ({
  ...{ generatedAt: day, entries: 9, faultCount: faults },
  faults: Array.from({ length: faults }, () => fault),
});

const record = recordOf({
  ...{ affected: [{ introduced: one, fixed: two }], published: day, modified: day },
  ...{ when: 'crossing', effect: { kind: 'recreate' } },
});
const conditional: KnownIssue = {
  ...record,
  ...{ aliases: ['#1', '#2'], withdrawn: day, when: 'landing' },
  references: [{ type: 'WEB', url: 'https://a.example' }],
  conditions: [
    { fact: 'edition', is: 'community' },
    { fact: 'postgres', below: 14 },
  ],
  evidence: { certainty: 'confirmed', basis: 'A log.' },
};

const heavy = (heaviness: object, name = 'a', tables: readonly string[] = ['t', 'u']) => ({
  ...{ name, edition: 'core', tables },
  heaviness: { locksTable: false, rewritesTable: false, scansTable: false, ...heaviness },
});
const artifact = (more: object) =>
  parseReleaseArtifact({ ...JSON.parse(realArtifactText('1.121.0')), ...more }) as ReleaseArtifact;
const release = (more: object, knownIssues: KnownIssue[] = []) =>
  renderFacts(factsOfRelease(artifact(more), { source: 'mirror', knownIssues }), { palette });
const surface = {
  ...{ checked: false, breaking: 'unknown', changes: [], breakingCount: 2 },
  ...{ advisories: [], advisoryCount: 2 },
};

const started = (query: object, more: object = {}) =>
  renderMergeOutcome(
    {
      ...{ outcome: 'started', fieldOrigins: {}, parameterReferences: [], ...more },
      query: {
        ...{ queryUuid: '0', usedParametersValues: {}, warnings: [], cacheMetadata: { cacheHit: false } },
        ...query,
      },
    } as unknown as MergeResults,
    palette,
  );

const outputs: Readonly<Record<string, () => string>> = {
  'an index with many more than are shown': () =>
    renderFacts(factsOfAudit(audit(mostShown + 1200), 'index.json'), { palette }).replaceAll(
      /(?:( {2}- .*\n)\1+)/g,
      '$1  […]\n',
    ),
  'known issues': () =>
    renderFacts(factsOfKnownIssues({ records: [record, conditional], notes: [], knownThrough }, day), {
      width: 30,
    }),
  'a known issue that was withdrawn': () => renderFacts(factsOfKnownIssue(conditional)),
  'a release of which little is told': () =>
    release({
      migrations: undefined,
      api: undefined,
      config: undefined,
      declaredBreaks: undefined,
      declaredAdvisories: undefined,
      releaseDate: undefined,
    }),
  'a release with nothing to tell': () =>
    release({
      ...{ previousVersion: null, declaredBreaks: [], declaredAdvisories: [] },
      migrations: { present: false, count: 0, coreCount: 0, eeCount: 0, files: [] },
    }),
  'a release with much to tell': () =>
    release(
      {
        migrations: {
          ...{ present: true, count: 3, coreCount: 3, eeCount: 0 },
          files: [
            heavy({ locksTable: true, scansTable: true, rewritesTable: 'unknown' }),
            heavy({ scansTable: 'unknown', rewritesTable: 'unknown' }, 'b', []),
            heavy({}, 'c'),
          ],
        },
        upgrade: { minPreviousVersion: '1.100.0', requiredStops: ['1.110.0', '1.120.0'] },
        compatibility: { rollingUpdateSafe: 'unknown', recommendedStrategy: 'Recreate' },
        api: {
          rest: surface,
          mcp: { ...surface, checked: true, breaking: true, breakingCount: 1, advisoryCount: 1 },
        },
        config: {
          ...{ checked: false, breaking: 'unknown' },
          changes: [
            { type: 'removed', name: 'A' },
            { type: 'removed', name: 'B', previousDefault: null },
            { type: 'renamed', name: 'D', previousName: 'C', defaultValue: 3 },
            { type: 'defaultChanged', name: 'E', previousDefault: false, defaultValue: null },
          ],
        },
        declaredBreaks: [{ reason: 'one' }, { reason: 'two' }],
      },
      [record, conditional],
    ),
  'a release of which it is not known whether it migrates': () =>
    release({ migrations: { present: 'unknown', count: 0, coreCount: 0, eeCount: 0, files: [] } }),
  'a merge with all that is told of one': () =>
    started(
      {
        ...{ resolvedTimezone: 'UTC', usedParametersValues: { region: 'EU', year: 2026 } },
        warnings: [
          { message: 'one' },
          { message: 'two', tables: ['t', 'u'] },
          { message: 'three', fields: ['f', 'g'] },
        ],
        cacheMetadata: { cacheHit: true, cacheUpdatedTime: day, preAggregate: { hit: true, name: 'daily' } },
      },
      {
        fieldOrigins: {
          day: { kind: 'joinKey', fieldIdBySourceId: { a: 'day', b: 'date' } },
          n: { kind: 'source', sourceId: 'a', sourceFieldId: 'count' },
          ratio: { kind: 'tableCalculation' },
          other: { kind: 'newer' },
        },
        parameterReferences: ['region', 'unset', 'other'],
      },
    ),
  'a merge that was refused': () =>
    renderMergeOutcome(
      {
        outcome: 'refused',
        errors: [
          { kind: 'too_few_sources', message: 'x'.repeat(2000), sourceId: null, fieldIds: [] },
          { kind: 'newer', message: 'x'.repeat(3001), sourceId: 'a', fieldIds: ['f', 'g'] },
          { kind: 'empty_join_key', message: 'no key', sourceId: null, fieldIds: ['h'] },
        ],
      } as unknown as MergeResults,
      palette,
    ).replaceAll(/x{9,}/g, (xs) => `[${xs.length} times x]`),
  'queries that failed': () =>
    (['error', 'cancelled', 'expired'] as const)
      .flatMap((status) =>
        ['no', undefined].map((reason) => renderQueryFailure({ queryUuid: '0', status, reason })),
      )
      .join(''),
  users: () =>
    renderUsersText({
      data: [
        { email: 'a@b', isActive: true, other: 1 },
        { email: null, role: 'admin', lastName: parseExactJson('12345678901234567890') },
        { email: 5, firstName: { given: 'A' } },
      ],
    }),
  progress: () =>
    `${renderProgress({ done: 1, total: 3, seconds: 2 })}\n${renderProgress({ done: 0, total: 0, seconds: 0 })}\n`,
};

it('what a person is shown is held', async () => {
  const text = Object.entries(outputs)
    .map(([title, render]) => `=== ${title}\n\n${render()}`)
    .join('\n');
  expect(text).not.toMatch(/undefined|\bnull\b(?!$)|NaN|\[object/m);
  await expect(text).toMatchFileSnapshot('outputs.txt');
});
