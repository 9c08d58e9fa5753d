import { describe, expect, it } from 'vitest';
import { chartVersion } from '../../../src/checks/deployment/chart-version.js';
import { chartOf, isChartBefore } from '../../../src/instance/first-versions.js';
import {
  backendOf,
  chartValuesOf,
  deployedAt,
  migrationJobOf,
  servingOf,
  workerOf,
} from '../../support/deployment.js';
import { itFinds, type Situation } from '../../support/preflight.js';

type Facts = NonNullable<Situation['facts']>;

const chart = (version: string | null, name: string | null = 'lightdash') => ({
  helm: { release: 'bi', namespace: 'bi', chart: name, chartVersion: version },
});
const values = (told: Parameters<typeof chartValuesOf>[0] = {}) => ({
  chartValues: chartValuesOf({ upgradeMode: null, ...told }),
});
const job = { workloads: [servingOf('2.0.0'), workerOf('2.0.0'), migrationJobOf('2.0.0')] };
const stopped = { workloads: [servingOf('2.0.0', { replicas: 0 }), migrationJobOf('2.0.0')] };
const rolls: Situation = { releases: [{ version: '2.0.0' }, { version: '2.1.0' }] };
const breaks: Situation = {
  releases: [{ version: '2.0.0' }, { version: '2.1.0', entry: { rollingUpdateSafe: false } }],
};
const old = backendOf('0.2248.0');
const floating = backendOf('latest');

const unread: Situation = { releases: [{ version: '2.0.0' }, { version: '2.1.0', artifact: 'missing' }] };

describe('the version of the chart', () => {
  itFinds(
    chartVersion,
    ([way, facts]: readonly [Situation, Facts]) => ({ ...way, facts: { ...deployedAt('2.0.0'), ...facts } }),
    {
      'ok chart-fits': {
        fits: [breaks, {}],
        'needs no values where it knows all': [breaks, { chartValues: 'absent' }],
        'is taken for that of the publisher': [breaks, chart('2.16.361', null)],
        'need not stop them where the index proves it and the artifact was not read': [
          unread,
          { ...chart('2.16.283'), ...job, ...values() },
        ],
        'stops them': [breaks, { ...chart('2.16.284'), ...job, ...values() }],
        'need not stop them': [rolls, { ...chart('2.16.283'), ...job, ...values() }],
        'need not stop what stands still': [breaks, { ...chart('2.16.283'), ...stopped, ...values() }],
        'has no job to stop them for': [breaks, { ...chart('2.16.283'), ...values() }],
        'is not asked to know it': [rolls, { ...chart('2.16.284'), ...values({ upgradeMode: '' }) }],
        'has it chosen': [rolls, { ...chart('2.10.0'), workloads: [old], ...values({ imageTag: '2.1.0' }) }],
        'runs another all the same': [rolls, { ...chart('2.10.0'), ...values() }],
        'chooses a release by itself': [rolls, { ...chart('2.10.1'), workloads: [old], ...values() }],
      },
      'ok no-chart': { 'is none': [breaks, { helm: 'absent' }] },
      'warn chart-of-others bi-platform': {
        'is of another chart': [breaks, chart('1.0.0', 'bi-platform')],
      },
      'not-checked facts-not-seen': {
        'is not told': [breaks, chart(null)],
        'is no version': [breaks, chart('newest')],
        'stops them perhaps': [
          breaks,
          { ...chart('2.8.0'), workloads: [servingOf('2.0.0')], chartValues: 'not-permitted' },
        ],
        'stops pods that were not seen': [breaks, { ...chart('2.16.283'), workloads: [], ...values() }],
        'may not know what values say': [rolls, { ...chart('2.16.360'), chartValues: 'absent' }],
      },
      'stop pods-not-stopped-for-job 2.16.283': {
        'stops no pods before the job': [breaks, { ...chart('2.16.283'), ...job, ...values() }],
        'stops no pods before the job, of which the number is not written': [
          breaks,
          {
            ...chart('2.16.283'),
            workloads: [servingOf('2.0.0', { replicas: null }), migrationJobOf('2.0.0')],
            ...values(),
          },
        ],
      },
      'stop pods-not-stopped-for-job 2.16.284-rc.1+build': {
        'is a pre-release of one that stops them': [
          breaks,
          { ...chart('2.16.284-rc.1+build'), ...job, ...values() },
        ],
      },
      'warn chart-value-ignored upgrade.mode': {
        'does not know upgrade.mode, on which nothing depends where the index proves that it rolls': [
          unread,
          { ...chart('2.16.283'), ...values({ upgradeMode: 'Recreate' }) },
        ],
        'does not know upgrade.mode, which changes nothing': [
          breaks,
          { ...chart('2.16.283'), ...values({ upgradeMode: 'RollingUpdate' }) },
        ],
        'does not know upgrade.mode, of an upgrade that rolls': [
          rolls,
          { ...chart('2.16.283'), ...values({ upgradeMode: 'Recreate' }) },
        ],
      },
      'stop chart-value-ignored upgrade.mode': {
        'does not know upgrade.mode, which is relied on': [
          breaks,
          { ...chart('2.16.283'), ...values({ upgradeMode: 'Recreate' }) },
        ],
      },
      'warn chart-value-not-told upgrade.mode': {
        'knows upgrade.mode perhaps': [
          rolls,
          { ...chart('2.16.284'), ...values({ upgradeMode: 'Recreate' }) },
        ],
      },
      'stop chart-value-ignored lightdashBackend.strategy; warn chart-value-ignored migrationJob.enabled; warn chart-value-ignored migrationJob.existingSecret; warn chart-value-ignored migrationJob.inheritGlobalEnv':
        {
          'knows nothing of a strategy and of a job': [
            breaks,
            {
              ...chart('2.5.0'),
              ...values({
                imageTag: '2.0.0',
                backendStrategy: 'Recreate',
                migrationJobEnabled: true,
                migrationJobExistingSecret: 'x',
                migrationJobInheritsGlobalEnv: true,
              }),
            },
          ],
        },
      'stop chart-chooses-old-app image.tag': {
        'chooses a release of long ago': [rolls, { ...chart('2.10.0'), workloads: [old], ...values() }],
        'chooses it where no image tells another': [
          rolls,
          { ...chart('2.10.0'), workloads: [floating], ...values() },
        ],
      },
    },
  );
});

describe('a version of the chart', () => {
  it.each<[string | null, string | undefined, boolean?]>([
    ['2.13.0', '2.13.0', false],
    ['v12.13.10', '12.13.10', false],
    ['2.13.0-rc.1', '2.13.0', true],
    ['2.13.0+acme', '2.13.0', false],
    ['2.13.0-rc.1+acme', '2.13.0', true],
    [' 2.13.0', undefined],
    ['=2.13.0', undefined],
    ['2.13.0-01', undefined],
    ['x2.13.0', undefined],
    ['2.13.0x', undefined],
    ['2.13', undefined],
    [null, undefined],
    ['', undefined],
    ['*', undefined],
    ['^2.13.0', undefined],
    ['2.13.x', undefined],
  ])('%s: %s', (text, version, isBefore) => {
    const chart = chartOf(text);
    expect(chart).toEqual(version === undefined ? undefined : { text, version });
    // Not lenient: a range is no version, and is neither before nor behind one.
    expect(chart && isChartBefore(chart, chart.version)).toBe(isBefore);
  });
});
