import { describe, expect, it } from 'vitest';
import type { WorkloadFact } from '../../../src/instance/facts/deployment-facts.js';
import {
  isLasting,
  isLightdashImage,
  isOtherChart,
  ownContainers,
  releaseTagOf,
  servingContainers,
  upgradeJobs,
  variableState,
} from '../../../src/instance/facts/lightdash-containers.js';
import { mayNotSee } from '../../../src/instance/facts/needs.js';
import {
  backendOf,
  containerOf,
  fromSecret,
  imageOf,
  migrationJobOf,
  workerOf,
} from '../../support/deployment.js';

const one = (name: string, repository: string | null, reference = `${repository}:1`) => ({
  name,
  image: imageOf('1', { repository, reference }),
});
const proxy = one('proxy', 'cloudsql/proxy');

describe('containers that run Lightdash', () => {
  it.each([
    ['are those that are called so', [proxy, one('lightdash', 'our/bi')], ['lightdash']],
    ['are those of an image that is called so', [proxy, one('app', 'our/Lightdash-bi')], ['app']],
    [
      'are so by what was written, where that names no repository',
      [proxy, one('app', null, 'lightdash@sha256:0')],
      ['app'],
    ],
    ['are those that are called as in the chart', [proxy, one('migrate', 'our/bi')], ['migrate']],
    [
      'are not those of which the name only begins like it',
      [proxy, one('migrate-log', 'our/bi')],
      ['proxy', 'migrate-log'],
    ],
    ['may be all, where none is called so', [proxy, one('app', 'our/bi')], ['proxy', 'app']],
  ])('%s', (_, containers, names) => {
    expect(ownContainers(containers).map(({ name }) => name)).toEqual(names);
  });

  it.each([
    ['Deployment', 'backend', true],
    ['StatefulSet', 'worker', true],
    ['Deployment', 'migration', false],
    ['Job', 'backend', false],
    ['CronJob', 'backend', false],
  ] as const)('of a %s that is the %s stay: %s', (kind, role, stays) => {
    expect(isLasting({ kind, role } as WorkloadFact)).toBe(stays);
  });

  it('serve where they stay, and are not run before the others', () => {
    const workloads = [
      backendOf('2.0.0', {
        containers: [containerOf('2.0.0', { name: 'migrate', init: true }), containerOf('2.0.0')],
      }),
      migrationJobOf('2.0.0'),
      backendOf('2.0.0', { role: 'database' }),
      workerOf('2.0.0'),
    ];
    expect(
      servingContainers(workloads).map(({ workload, container }) => [workload.role, container.init]),
    ).toEqual([
      ['backend', false],
      ['worker', false],
    ]);
  });
});

describe('jobs that an upgrade runs', () => {
  const ended = { hook: null, succeeded: 1, failed: 0 };
  it.each<[string, Partial<WorkloadFact>, string, boolean]>([
    ['a hook that ended', { succeeded: 1 }, '1.9.0', true],
    ['no hook, and not ended', { ...ended, succeeded: 0 }, '1.9.0', true],
    ['no hook, and not told to have ended', { ...ended, succeeded: null, failed: null }, '1.9.0', true],
    ['no hook, that ended with the release that runs', ended, '2.0.0', true],
    ['no hook, that failed with the release that runs', { ...ended, succeeded: 0, failed: 1 }, '2.0.0', true],
    ['no hook, that ended with another release', ended, '1.9.0', false],
    ['no hook, that failed with another release', { ...ended, succeeded: 0, failed: 1 }, '1.9.0', false],
    ['no hook, that ended with what tells no release', ended, 'latest', false],
    ['what a clock starts', { kind: 'CronJob', hook: null, succeeded: null, failed: null }, '2.0.0', false],
  ])('%s, of %j with %s: %s', (_, told, tag, runs) => {
    const job = migrationJobOf(tag, told);
    // Others are of another release, as while an upgrade goes on, and of none that is told.
    const serving = [workerOf('1.8.0'), backendOf('2.0.0'), workerOf('latest')];
    expect(upgradeJobs([...serving, job]).length).toBe(runs ? 1 : 0);
  });
});

describe('a variable from two objects, of which the last counts', () => {
  const of = (keys: string[] | null, emptyKeys?: string[]) => ({
    ...fromSecret('any', keys),
    ...(emptyKeys && { emptyKeys }),
  });
  const [set, empty, given, another, unseen] = [of(['A'], []), of(['A'], ['A']), of(['A']), of([]), of(null)];
  const objects = { set, empty, given, another, unseen };
  it.each([
    ['empty', 'set', 'set'],
    ['set', 'empty', 'empty'],
    ['set', 'given', 'given'],
    ['set', 'another', 'set'],
    ['set', 'unseen', 'given'],
    ['given', 'unseen', 'given'],
    ['empty', 'unseen', 'not-seen'],
    ['another', 'unseen', 'not-seen'],
    ['another', 'another', 'unset'],
  ] as const)('%s, then %s: %s', (first, last, state) => {
    const variablesFrom = [objects[first], objects[last]];
    expect(variableState({ variables: [], variablesFrom }, 'A')).toBe(state);
  });
});

it.each([
  ['lightdash/lightdash', true],
  ['lightdash', true],
  ['mirror/our-lightdash', true],
  ['mirror.example.com/our.lightdash', true],
  ['lightdash/lightdash-cli', false],
  ['ourlightdash', false],
  [null, false],
])('%s is an image of Lightdash: %s', (repository, is) => {
  expect(isLightdashImage({ repository })).toBe(is);
});

it.each([
  ['2.0.0', '2.0.0', ''],
  ['v2.0.0', '2.0.0', ''],
  ['V12.345.6-corp.1', '12.345.6', '-corp.1'],
  ['2.0.0_b+c', '2.0.0', '_b+c'],
  ['2.0.0-alpine3.20', '2.0.0', '-alpine3.20'],
  ['2.0.0-fips', '2.0.0', '-fips'],
  ['2.0.0-r1', '2.0.0', '-r1'],
  ['2.0.0-arm64', '2.0.0', '-arm64'],
  ['2.0.0-prod', '2.0.0', '-prod'],
  ['2.0.0-1', '2.0.0', '-1'],
  ['2.0.10-ourtest', '2.0.10', '-ourtest'],
])('the tag %s is of %s, with the suffix %j', (tag, version, suffix) => {
  expect(releaseTagOf({ tag })).toEqual({ version, suffix });
});

it.each([
  ...['x2.0.0', '2.0.0x', '2.0', '02.0.0', '2.0.0.1', 'latest', '', null],
  ...[
    '2.0.0-rc.1',
    '2.0.0-RC1',
    'v2.0.0-beta',
    '2.0.0_alpha.2',
    '2.0.0-fips-rc2',
    '2.0.0-pre',
    '2.0.0-dev.3',
  ],
  ...['2.0.0-snapshot', '2.0.0-nightly', '2.0.0-canary.0', '2.0.0-next', '2.0.0-preview1', '2.0.0-pr-12'],
  ...['2.0.0-abc1234', '2.0.0-gabc1234', '2.0.0-7-gabc1234', '2.0.0+0123456789abcdef', '2.0.0-20260801'],
  ...['2.0.0-main', '2.0.0-sha-abc', '2.0.0-git.5', '2.0.0-test', '2.0.0-edge'],
])('the tag %j tells no release', (tag) => {
  expect(releaseTagOf({ tag })).toBeUndefined();
});

it.each([
  [['Job'], true],
  [['jobs.batch'], true],
  [['JOBS'], true],
  [['cronjobs.batch'], false],
  [['jobsets.x'], false],
  [[], false],
])('of what %j may not be read a Job may be: %s', (unseenKinds, may) => {
  expect(mayNotSee({ unseenKinds } as unknown as Parameters<typeof mayNotSee>[0], 'Secret', 'Job')).toBe(may);
});

it.each([
  ['lightdash', false],
  ['our-charts', true],
  [null, false],
  [undefined, false],
])('%s is another chart: %s', (name, is) => {
  expect(isOtherChart(name)).toBe(is);
});
