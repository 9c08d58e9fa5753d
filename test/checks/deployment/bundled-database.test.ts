import { describe, expect, it } from 'vitest';
import { bundledDatabase } from '../../../src/checks/deployment/bundled-database.js';
import type {
  ContainerFact,
  DeploymentFact,
  ImageFact,
  WorkloadFact,
} from '../../../src/instance/facts/deployment-facts.js';
import {
  backendOf,
  chartValuesOf,
  composedAt,
  containerOf,
  databaseOf,
  deployedAt,
  imageOf,
  seenThrough,
} from '../../support/deployment.js';
import { serverFact } from '../../support/facts.js';
import { foundBy, itFinds, type Situation } from '../../support/preflight.js';

type Facts = NonNullable<Situation['facts']>;

const seen = (told: Partial<DeploymentFact>) => {
  const { deployment } = seenThrough(deployedAt('2.0.0'), { namespace: null, hooksSeen: null, ...told });
  return { deployment };
};
const rendered = seen({ origin: 'rendered', hooksSeen: true });
const hooksOut = seen({ origin: 'rendered', hooksSeen: false });
const printed = seen({ context: undefined });
const helm = { release: 'bi', namespace: 'bi', chart: 'lightdash' };
const chart = (chartVersion: string | null) => ({ helm: { ...helm, chartVersion } });
const ownChart = { helm: { ...helm, chart: 'bi-platform', chartVersion: '2.13.9' } };
const of = (...databases: WorkloadFact[]) => ({ workloads: [backendOf('2.0.0'), ...databases] });
const server = (major: number) => ({ server: { ...serverFact, versionNum: major * 10_000 + 4 } });
const extension = (name: string) => ({
  extensions: [{ name, available: '0.7.4', installed: null, trusted: false }],
});
const vector = extension('vector');
const hook = (...events: string[]) => ({ hook: { events, deletePolicies: [] } });
const enabled = (postgresqlEnabled: boolean | null) => ({
  chartValues: chartValuesOf({ postgresqlEnabled }),
});
const unread = { chartValues: 'absent' as const };
const pg16 = 'pgvector/pgvector:pg16';
const other = databaseOf('x', { role: 'other' });
const container = (told: Partial<ImageFact>, tag = '') => containerOf('', { image: imageOf(tag, told) });
const containing = (...containers: ContainerFact[]) => of(databaseOf('x', { containers }));
const inPod = { folder: '/var/lib/postgresql/data', keptIn: 'pod-volume' } as const;
const hostedAt = (databaseHost: 'inside' | 'outside') =>
  backendOf('2.0.0', { containers: [containerOf('2.0.0', { databaseHost })] });
const lookedAt = ({ data: _, ...workload }: WorkloadFact): WorkloadFact => workload;
const init = databaseOf('postgres').containers.map((one) => ({ ...one, init: true }));
const postgresOf = (registry: string, repository: string) =>
  containing(container({ registry, repository, reference: 'x' }, '16'));

describe('the bundled database', () => {
  itFinds(bundledDatabase, (facts: Facts) => ({ facts: { ...deployedAt('2.0.0'), ...facts } }), {
    'ok no-bundled-database': {
      'is not there': {},
      'is not in a cluster that was asked': { ...seen({}), ...unread },
      'is not there, without a chart': { helm: 'absent' },
      'is not rendered': { ...rendered, ...unread },
      'is not among the StatefulSets that kubectl printed': { ...printed, ...of(other), ...unread },
      'is off by values': { ...hooksOut, ...chart('2.13.0') },
      'is not rendered by another chart': { ...rendered, ...ownChart, ...unread },
    },
    'ok database-outside': {
      'may be left out, and is not the one of Lightdash': {
        ...{ ...hooksOut, ...chart('2.13.0'), ...unread },
        workloads: [hostedAt('outside')],
      },
      'may be left out of what kubectl printed, and is not the one of Lightdash': {
        ...{ ...printed, ...chart('2.13.0'), ...enabled(null) },
        workloads: [hostedAt('outside')],
      },
    },
    'ok database-kept': {
      'is kept': of(databaseOf(pg16)),
      'is one of an unread kind beside that of Lightdash': {
        ...seen({ unreadDatabase: 'CloneSet db' }),
        workloads: [hostedAt('outside'), databaseOf(pg16)],
      },
      'is one beside that of Lightdash': {
        workloads: [hostedAt('outside'), databaseOf(pg16, { data: inPod })],
      },
      'is of an image whose name has the major': {
        ...of(databaseOf('quay.io/sclorg/postgresql-16-c9s:latest')),
        ...vector,
      },
      'is of Spilo': { ...of(databaseOf('ghcr.io/zalando/spilo-16:3.3-p1')), ...vector },
      'is kept on install': of(databaseOf(pg16, hook('pre-install'))),
      'is pinned by its digest': containing(
        container({ repository: 'pgvector/pgvector', tag: null, digest: 'sha256:1' }),
      ),
      'has vector in an image of its own': { ...of(databaseOf('corp/postgres:16')), ...vector },
      'has something beside it': containing(
        { ...container({ repository: 'corp/postgres-exporter', tag: null }), name: 'exporter' },
        ...databaseOf(pg16).containers,
      ),
      'has an image with no name of PostgreSQL': { ...of(databaseOf('corp/db:16')), ...vector },
      'is waited for by an image that floats': containing(...init, ...databaseOf(pg16).containers),
      'is rendered as it runs': { ...of(databaseOf(pg16)), ...rendered, ...server(16) },
      'runs in a cluster as it is': { ...of(databaseOf(pg16)), ...server(15) },
    },
    'stop database-not-kept bi-postgresql': {
      'is in a volume of its pod': of(databaseOf(pg16, { data: inPod })),
      'is in a volume of its pod, with Lightdash beside it': {
        workloads: [hostedAt('inside'), databaseOf(pg16, { data: inPod })],
      },
      'is in memory': of(databaseOf(pg16, { data: { ...inPod, keptIn: 'memory' } })),
      'is in its container': of(databaseOf(pg16, { data: { ...inPod, keptIn: 'container' } })),
      'is in an anonymous volume': of(databaseOf(pg16, { data: { ...inPod, keptIn: 'container-volume' } })),
    },
    'stop database-not-kept postgresql.primary.persistence.enabled': {
      'is left out, without a claim by values': {
        ...{ ...hooksOut, ...chart('2.14.0') },
        chartValues: chartValuesOf({ postgresqlEnabled: null, postgresqlPersistent: false }),
      },
    },
    'not-checked facts-not-seen': {
      'is of a kind that was not read': seen({
        origin: 'rendered',
        hooksSeen: true,
        unreadDatabase: 'CloneSet db',
      }),
      'is of an image that is built': of(databaseOf('')),
      'has its data at a place that was not seen': of(
        databaseOf(pg16, { data: { ...inPod, keptIn: 'not-told' } }),
      ),
      'has its data at a place that nobody looked at': {
        workloads: [backendOf('2.0.0'), lookedAt(databaseOf(pg16))],
      },
      'may not be seen': seen({ unseenKinds: ['statefulsets.apps'] }),
      'may not be seen, without a chart': { ...seen({ unseenKinds: ['Deployment'] }), helm: 'absent' },
      'may not be seen as a StatefulSet, without a chart': {
        ...{ ...seen({ unseenKinds: ['StatefulSet'] }), helm: 'absent' },
      },
      'may be left out of what is rendered without hooks, whatever else is there': {
        ...seen({ origin: 'rendered', hooksSeen: false, context: undefined }),
        ...{ ...of(other), ...unread },
      },
      'may be left out of what kubectl printed': { ...printed, ...chart('2.13.0'), ...unread },
      'may be left out of what kubectl printed, as it is installed alone': {
        ...{ ...printed, ...chart('2.14.0'), ...enabled(true) },
      },
      'is left out as it is installed alone': { ...hooksOut, ...chart('2.14.0'), ...enabled(true) },
      'may be left out': { ...hooksOut, ...chart('2.14.0'), ...unread },
      'may be left out, and be the one of Lightdash': {
        ...{ ...hooksOut, ...chart('2.14.0'), ...unread },
        workloads: [hostedAt('inside')],
      },
      'may be left out, where one of two uses another': {
        ...{ ...hooksOut, ...chart('2.14.0'), ...unread },
        workloads: [hostedAt('outside'), hostedAt('inside')],
      },
      'is off by a value of another chart, whose meaning is not known': {
        ...{ ...hooksOut, ...ownChart, ...enabled(false) },
      },
      'may be left out of another chart, whose version says nothing': {
        ...{ ...hooksOut, ...ownChart, ...enabled(null) },
      },
      'may be left out of what kubectl printed of another chart': {
        ...printed,
        ...ownChart,
        ...enabled(true),
      },
      'may have no vector in an image of its own': of(databaseOf('corp/postgres:16-alpine')),
      'may have vector in an image that is named like the official one': of(databaseOf('postgres-ha:16')),
      'is postgres of ghcr.io': postgresOf('ghcr.io', 'postgres'),
      'is rendered, and the server not seen': { ...of(databaseOf(pg16)), ...rendered },
    },
    'stop database-recreated bi-postgresql': {
      'is a hook of the upgrade': {
        ...{ ...of(databaseOf(pg16, hook('pre-install', 'pre-upgrade'))), ...chart('2.13.0') },
      },
      'is a hook, without a chart': { ...of(databaseOf(pg16, hook('pre-upgrade'))), helm: 'absent' },
    },
    'stop database-recreated postgresql.enabled': {
      'is left out of what kubectl printed, and recreated': {
        ...printed,
        ...chart('2.13.0'),
        ...enabled(null),
      },
      'is a hook where nothing tells whether hooks are left out': {
        ...{ ...seen({ origin: 'rendered', hooksSeen: null }), ...chart('2.13.9'), ...enabled(null) },
      },
      'is a hook that is left out': { ...hooksOut, ...chart('2.13.9'), ...enabled(null) },
      'is a hook that is left out, of a chart that is not told': {
        ...hooksOut,
        ...chart(null),
        ...enabled(true),
      },
    },
    'stop database-image-floats postgres; stop database-without-vector postgres': {
      'has an image that floats': { ...of(databaseOf('postgres')), ...vector },
    },
    'stop database-image-floats pgvector/pgvector:latest': {
      'has one that is called latest': of(databaseOf('pgvector/pgvector:latest')),
    },
    'stop database-image-floats pgvector/pgvector:0.8.0': {
      'has one with the version of the extension alone': of(databaseOf('pgvector/pgvector:0.8.0')),
    },
    'stop database-image-floats corp/db': {
      'has one with no name of PostgreSQL, which floats': { ...of(databaseOf('corp/db')), ...vector },
    },
    'stop database-too-old pgvector/pgvector:0.5.1-pg11': {
      'is older than releases accept': of(databaseOf('pgvector/pgvector:0.5.1-pg11')),
    },
    'stop database-without-vector postgres:15.4': { 'has no vector': of(databaseOf('postgres:15.4')) },
    'stop database-without-vector x': {
      'is library/postgres of docker.io': postgresOf('docker.io', 'library/postgres'),
    },
    'stop database-without-vector corp/postgres:16': {
      'has no vector in an image of its own': { ...of(databaseOf('corp/postgres:16')), extensions: [] },
      'has other extensions than vector in an image of its own': {
        ...{ ...of(databaseOf('corp/postgres:16')), ...extension('x') },
      },
    },
    'stop database-major-changes timescale/timescaledb:2.14.2-pg16': {
      'is rendered as another than runs': {
        ...of(databaseOf('timescale/timescaledb:2.14.2-pg16')),
        ...{ ...rendered, ...server(15), ...vector },
      },
    },
  });

  it.each([
    ['corp/postgres:15.4', 15],
    ['corp/postgres:v15', 15],
    ['corp/postgres:12', 12],
    ['corp/postgres:1.2-pg16', 16],
    ['corp/postgres:14-pg16', 16],
    ['pgvector/pgvector:0.8.0-pg17', 17],
    ['corp/postgres:9.6', undefined],
    ['corp/postgres:2024.1', undefined],
    ['corp/postgres:build-16', undefined],
    ['corp/postgres:pg160', undefined],
    ['pgvector/pgvector:16', undefined],
  ])('of %s is of version %s', (image, major) => {
    const facts = { ...deployedAt('2.0.0'), ...of(databaseOf(image)), ...rendered, ...server(17), ...vector };
    const found = foundBy(bundledDatabase, { facts });
    const changes = `stop database-major-changes ${image}`;
    const floats = `stop database-image-floats ${image}`;
    expect(found).toEqual(major === 17 ? ['ok database-kept'] : [major === undefined ? floats : changes]);
    if (major === undefined) return;
    expect(foundBy(bundledDatabase, { facts: { ...facts, ...server(major) } })).toEqual(['ok database-kept']);
  });

  it('needs no vector without a licence key', () => {
    const facts = { ...deployedAt('2.0.0'), ...of(databaseOf('postgres:15.4')) };
    expect(foundBy(bundledDatabase, { facts, edition: 'community' })).toEqual(['ok database-kept']);
  });

  it.each(['0.1400.0', '0.1401.0'])('of %s needs no vector before March 2025', (from) => {
    expect(
      foundBy(bundledDatabase, {
        from,
        releases: [
          { version: '0.1400.0' },
          { version: '0.1401.0', entry: { releaseDate: '2025-02-01T00:00:00Z' } },
        ],
        facts: { ...deployedAt('0.1400.0'), ...of(databaseOf('postgres:15.4')) },
      }),
    ).toEqual(['ok database-kept']);
  });

  itFinds(bundledDatabase, (facts: Facts) => ({ facts: { ...composedAt('2.0.0'), ...facts } }), {
    'ok database-kept': {
      'of compose is as it runs': { ...of(databaseOf('pgvector/pgvector:pg15')), ...server(15) },
    },
    [`stop database-major-changes ${pg16}`]: {
      'of compose is another than runs': { ...of(databaseOf(pg16)), ...server(15) },
    },
    'ok no-bundled-database': { 'of compose is not there': {} },
  });
});
