import { describe, expect, it } from 'vitest';
import { parseReleaseArtifactText } from '../../../src/core/artifact/artifact.js';
import { parseReleaseSafetyIndexText } from '../../../src/core/index/parse-index.js';
import { parseVersion, type Version } from '../../../src/core/version.js';
import {
  forecastHops,
  type ReleaseWork,
  workOf,
  workOfReleases,
  workUnderRecreate,
} from '../../../src/instance/forecast/hops.js';
import { type TimeRange, unbounded } from '../../../src/instance/forecast/work-time.js';
import { releaseLine } from '../../../src/instance/release-line.js';
import { tableFact } from '../../support/facts.js';
import {
  healthyFacts,
  inputOf,
  type MigrationCase,
  publishedOf,
  type ReleaseCase,
  type Situation,
} from '../../support/preflight.js';

describe('the hops of a way', () => {
  const scan = (name: string): readonly MigrationCase[] => [{ name, tables: ['projects'], does: ['scans'] }];
  const releases: readonly ReleaseCase[] = [
    { version: '2.0.0', migrations: scan('20260801000000_old') },
    { version: '2.1.0', migrations: scan('20260901000000_x') },
    { version: '2.2.0' },
    { version: '2.3.0', artifact: 'missing' },
  ];
  const hop = (toVersion: string, ...of: readonly string[]) => ({
    toVersion: parseVersion(toVersion),
    releases: [...of, toVersion].map(parseVersion),
    missingRanges: [] as { afterVersion: Version; beforeVersion: Version }[],
  });

  function reasons(hops: readonly ReturnType<typeof hop>[], facts: Situation['facts'] = {}) {
    const input = inputOf({ releases, facts: { ...healthyFacts('20260801000000_old'), ...facts } });
    return forecastHops(hops, input).map(({ highSeconds, because }) =>
      highSeconds === null ? because.join(' ') : highSeconds > 0,
    );
  }

  it('take the time of the migrations that each brings', () => {
    expect(reasons([hop('2.1.0'), hop('2.2.0'), hop('2.3.0')])).toEqual([true, false, 'release-not-told']);
    expect(reasons([hop('2.3.0', '2.1.0', '2.2.0')])).toEqual(['release-not-told']);
  });

  const timeOf = (facts: NonNullable<Situation['facts']>, of = hop('2.1.0')) =>
    forecastHops([of], inputOf({ releases, facts }))[0];
  const sound = healthyFacts('20260801000000_old');

  it('hold what the release that runs has left', () => {
    expect(reasons([hop('2.1.0'), hop('2.2.0')], { ledger: [] })).toEqual([true, false]);
    const one = timeOf(sound)?.highSeconds ?? Number.POSITIVE_INFINITY;
    expect(timeOf({ ...sound, ledger: [] })?.highSeconds).toBeGreaterThan(one);
  });

  it('take no time for sure without a ledger', () => {
    expect(timeOf({ ...healthyFacts(), ledger: 'not-permitted' })).toMatchObject({
      lowSeconds: 0,
      because: [],
    });
  });

  it.each([
    ['tables', 'size-not-seen'],
    ['readRate', 'rate-not-measured'],
    ['sortRate', 'rate-not-measured'],
  ])('have no upper limit where %s is not seen', (fact, because) => {
    expect(reasons([hop('2.1.0')], { [fact]: 'not-permitted' })).toEqual([because]);
  });

  it('have no upper limit where releases are not in the index', () => {
    const range = { afterVersion: parseVersion('2.0.0'), beforeVersion: parseVersion('2.2.0') };
    const gap = { ...hop('2.2.0'), missingRanges: [range] };
    expect(timeOf(sound, gap)).toMatchObject({ because: ['release-not-told'] });
  });
});

describe('the work of a way', () => {
  const tables = [tableFact({ name: 'projects', heapBytes: 4e9, toastBytes: 0, estimatedRows: 10_000_000 })];
  const brings = (name: string, ...does: readonly ('scans' | 'rewrites')[]) => ({
    name,
    tables: ['projects'],
    does,
  });
  const releases: readonly ReleaseCase[] = [
    { version: '2.0.0', migrations: [brings('20260801000000_old', 'scans')] },
    {
      version: '2.1.0',
      migrations: [brings('20260901000000_a', 'scans'), brings('20260901000001_b', 'rewrites')],
    },
    { version: '2.2.0' },
    { version: '2.3.0', artifact: 'missing' },
    {
      version: '2.5.0',
      entry: { previousVersion: '2.4.0' },
      migrations: [brings('20260905000000_c', 'rewrites')],
    },
    { version: '2.6.0', migrations: [{ name: '20260906000000_d', tables: ['projects'], does: 'unknown' }] },
  ];

  /** By release: how many migrations, whether all is told, and whether an upper limit can be given. */
  function told(facts: Situation['facts'] = {}) {
    const input = inputOf({ releases, facts: { ...healthyFacts('20260801000000_old'), tables, ...facts } });
    return workOfReleases(input).map(
      ({ version, migrations, listed, time }) =>
        `${version} ${migrations}${listed ? '' : ' not told'}${time.highSeconds === null ? ' no limit' : ''}`,
    );
  }

  it('is that of the migrations of each release; a release that does not list its migrations has no upper limit', () => {
    expect(told()).toEqual([
      '2.1.0 2',
      '2.2.0 0',
      '2.3.0 0 not told no limit',
      '2.5.0 1 not told no limit',
      '2.6.0 1 no limit',
    ]);
  });

  it('counts to the first what the release that runs has left, and without a ledger what the releases bring', () => {
    expect(told({ ledger: [] })[0]).toBe('2.1.0 3');
    expect(told({ ledger: 'not-permitted' })[0]).toBe('2.1.0 2');
  });

  it('is empty for an upgrade that crosses no release', () => {
    expect(workOfReleases(inputOf({ releases: [{ version: '2.0.0' }] }))).toEqual([]);
  });

  it('has no upper limit for the first release where the index lacks the running version', () => {
    const { index, artifacts } = publishedOf({ releases: releases.slice(0, 3) });
    const outcomes = new Map(
      [...artifacts].map(([version, text]) => [
        version,
        { kind: 'artifact' as const, artifact: parseReleaseArtifactText(text) },
      ]),
    );
    const span = { from: parseVersion('1.9.9'), to: parseVersion('2.2.0') };
    const line = releaseLine(parseReleaseSafetyIndexText(index), span, span.from, outcomes);
    const works = workOfReleases({ line, edition: undefined, facts: {} });
    expect(works.map((work) => work.listed)).toEqual([false, true, true]);
  });

  const workAt = (version: string, migrations: number, listed: boolean, time: TimeRange): ReleaseWork => ({
    ...{ version: parseVersion(version), migrations, listed, time },
  });
  const works = [
    workAt('2.1.0', 2, true, { lowSeconds: 1, highSeconds: 2.5, because: [] }),
    workAt('2.2.0', 1, true, unbounded(3, 'work-not-told')),
    workAt('2.3.0', 4, false, unbounded(0, 'release-not-told')),
  ];

  it.each([
    ['2.1.0', [0, 2500, 1000], [0, 2, 0]],
    ['2.2.0', [1, 0, 3000], [0, 1, 0]],
    ['2.3.0', [1, 0, 0], [1, 4, 0]],
    ['9.9.9', [1, 0, 0], [1, 0, 0]],
  ])('%s weighs: what has no known end, or is not told, before all that is', (version, time, count) => {
    expect(workOf(works, 'migration-time')(parseVersion(version))).toEqual(time);
    expect(workOf(works, 'migrations')(parseVersion(version))).toEqual(count);
  });

  it('is compared by what Recreate hops do, and no other', () => {
    const hops = [
      { strategy: 'RollingUpdate' as const, releases: [parseVersion('2.1.0')] },
      { strategy: 'Recreate' as const, releases: works.slice(1).map(({ version }) => version) },
    ];
    const counted = { hops: 1, releases: 2, releasesNotTold: 1, migrations: 5 };
    expect(workUnderRecreate(hops, works, 'migrations')).toEqual(counted);
    expect(workUnderRecreate(hops, works, 'migration-time')).toEqual({
      ...counted,
      migrationTime: { lowSeconds: 3, highSeconds: null, because: ['work-not-told', 'release-not-told'] },
    });
    const none = { hops: 0, releases: 0, releasesNotTold: 0, migrations: 0 };
    expect(workUnderRecreate([], works, 'migrations')).toEqual(none);
  });
});
