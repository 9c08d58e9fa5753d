import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { factsText } from '../../src/instance/facts/read-facts.js';
import { runCli } from '../support/cli.js';
import { serverFact } from '../support/facts.js';
import { factsOf, healthyFacts, seenAt, upgradeTo, writeSituation } from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';
import type { Anything } from './deployed.js';
import { documentFault } from './documents.js';

/** A database beside Lightdash, whose data is kept or not: what damages the description makes no data kept. */

const folder = temporaryFolder();
const file = join(folder, 'damaged.json');
const factsOfMajor = (major: number) => join(folder, `facts-${major}.json`);
beforeAll(async () => {
  await writeSituation(folder, upgradeTo([]));
  for (const major of [16, 18]) {
    const server = { ...serverFact, versionNum: major * 10_000 + 4 };
    const facts = factsOf({
      ...healthyFacts('20260801000000_old'),
      server,
      stated: { edition: 'community' },
    });
    await writeFile(factsOfMajor(major), factsText({ schemaVersion: '1', collectedAt: seenAt, facts }));
  }
});

const judge = async (bytes: Buffer, as: '--compose' | '--manifests', major: number) => {
  await writeFile(file, bytes);
  return await runCli([
    ...['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--index', folder, '--json'],
    ...['--facts', factsOfMajor(major), as, file, '--only', 'bundled-database'],
  ]);
};

const targets = [
  '/var/lib/postgresql/data',
  '/var/lib/postgresql',
  '/var/lib/postgresql/data/',
  '/data',
  '/',
];
const layout = fc.record({
  major: fc.constantFrom(16, 18),
  pgdata: fc.constantFrom(undefined, '/var/lib/postgresql/data/pgdata', '/data/pg', '/elsewhere'),
  mounts: fc.array(
    fc.record({
      target: fc.constantFrom(...targets),
      lasts: fc.constantFrom('volume', 'bind', 'anonymous', 'memory'),
      readOnly: fc.constantFrom(false, false, false, true),
    }),
    { maxLength: 3 },
  ),
});
type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never;

/** As docker compose prints it. */
const asCompose = ({ major, pgdata, mounts }: Layout) => ({
  name: 'bi',
  services: {
    lightdash: {
      image: 'lightdash/lightdash:2.0.0',
      environment: { PGHOST: 'db' },
      command: null,
      entrypoint: null,
    },
    db: {
      image: `pgvector/pgvector:pg${major}`,
      ...(pgdata === undefined ? {} : { environment: { PGDATA: pgdata } }),
      volumes: mounts.map(({ target, lasts, readOnly }) => ({
        target,
        ...(readOnly ? { read_only: true } : {}),
        ...(lasts === 'bind' ? { type: 'bind', source: '/srv/pg' } : {}),
        ...(lasts === 'volume' ? { type: 'volume', source: 'kept' } : {}),
        ...(lasts === 'anonymous' ? { type: 'volume' } : {}),
        ...(lasts === 'memory' ? { type: 'tmpfs' } : {}),
      })),
    },
  },
  volumes: { kept: { name: 'bi_kept' } },
});

const asManifests = ({ major, pgdata, mounts }: Layout) => {
  const kinds = {
    volume: 'persistentVolumeClaim',
    bind: 'hostPath',
    anonymous: 'emptyDir',
    memory: 'emptyDir',
  };
  const env = [{ name: 'PGHOST', value: 'db' }];
  const pod = (containers: object[], volumes: object[] = []) => ({
    metadata: { labels: { app: 'x' } },
    spec: { containers, volumes },
  });
  const own = { name: 'db', image: `pgvector/pgvector:pg${major}` };
  const volumeMounts = mounts.map(({ target, readOnly }, i) => ({
    name: `v${i}`,
    mountPath: target,
    readOnly,
  }));
  const volumes = mounts.map(({ lasts }, i) => ({ name: `v${i}`, [kinds[lasts]]: {} }));
  return {
    ...{ apiVersion: 'v1', kind: 'List' },
    items: [
      {
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'lightdash' } },
        spec: {
          replicas: 1,
          template: pod([{ name: 'lightdash', image: 'lightdash/lightdash:2.0.0', env }]),
        },
      },
      {
        ...{ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' } },
        spec: {
          replicas: 1,
          template: pod(
            [{ ...own, env: pgdata === undefined ? [] : [{ name: 'PGDATA', value: pgdata }], volumeMounts }],
            volumes,
          ),
        },
      },
    ],
  };
};

/** What the deepest mount that has a folder, of what the image itself mounts and what is named, does with its data. */
function isKept(
  major: number,
  pgdata: string,
  mounts: readonly { target: string; lasts: boolean }[],
): boolean {
  const own = major >= 18 ? '/var/lib/postgresql' : '/var/lib/postgresql/data';
  const at = (path: string) => `${path}/`.replace(/\/+/g, '/');
  const found = [{ target: own, lasts: false }, ...mounts]
    .filter(({ target }) => at(pgdata).startsWith(at(target)))
    .sort((a, b) => at(a.target).split('/').length - at(b.target).split('/').length);
  return found.at(-1)?.lasts === true;
}

const majorIn = (image: unknown) => Number(/pg(\d\d)$/.exec(String(image))?.[1] ?? Number.NaN);
const folderOf = (pgdata: unknown, major: number) =>
  typeof pgdata === 'string' && pgdata !== ''
    ? pgdata
    : major >= 18
      ? `/var/lib/postgresql/${major}/docker`
      : '/var/lib/postgresql/data';
const isDatabase = (image: unknown) => /(^|[-_./])(postgres|pgvector)(?=[:@]|$)/.test(String(image));

/**
 * Whether, read as a person would, every PostgreSQL of a printed project keeps its data; true if there is none, or if
 * Lightdash uses another.
 */
function keptInCompose(json: Anything): boolean {
  if (json.services.lightdash?.environment?.PGHOST !== 'db') return true;
  return Object.values(json.services as Record<string, Anything>).every((service) => {
    if (!isDatabase(service?.image)) return true;
    const mounts = (service.volumes ?? []).filter((one: Anything) => one.read_only !== true);
    const lasts = ({ type, source }: Anything) => type === 'bind' || (type === 'volume' && !!source);
    return isKept(
      majorIn(service.image),
      folderOf(service.environment?.PGDATA, majorIn(service.image)),
      mounts.map((one: Anything) => ({ target: String(one.target), lasts: lasts(one) })),
    );
  });
}

function keptInManifests(json: Anything): boolean {
  const [first] = json.items;
  if (first.spec?.template?.spec?.containers?.[0]?.env?.[0]?.value !== 'db') return true;
  return json.items.every(({ kind, spec }: Anything) => {
    const pod = spec?.template?.spec;
    const own = pod?.containers?.find(({ image }: Anything) => isDatabase(image));
    if (own === undefined || !['StatefulSet', 'Deployment', 'DaemonSet'].includes(kind)) return true;
    const claims = (spec.volumeClaimTemplates ?? []).map((one: Anything) => one.metadata?.name);
    const mounts = (own.volumeMounts ?? []).filter((one: Anything) => one.readOnly !== true);
    const lasts = ({ name }: Anything) => {
      const volume = (pod.volumes ?? []).find((one: Anything) => one.name === name);
      return claims.includes(name) || volume?.persistentVolumeClaim != null || volume?.hostPath != null;
    };
    const pgdata = own.env?.findLast(({ name }: Anything) => name === 'PGDATA')?.value;
    return isKept(
      majorIn(own.image),
      folderOf(pgdata, majorIn(own.image)),
      mounts.map((one: Anything) => ({ target: String(one.mountPath), lasts: lasts(one) })),
    );
  });
}

for (const [as, written, keptIn] of [
  ['--compose', asCompose, keptInCompose],
  ['--manifests', asManifests, keptInManifests],
] as const) {
  const safeInTruth = (bytes: Buffer): boolean => {
    try {
      return keptIn(as === '--compose' ? JSON.parse(bytes.toString()) : parse(bytes.toString()));
    } catch {
      return false;
    }
  };
  const bytesOf = (one: Layout) => Buffer.from(JSON.stringify(written(one)));

  it(`${as}: before any fault, a go is exactly where the data is kept`, async () => {
    const answers = { go: 0, stop: 0 };
    for (const one of fc.sample(layout, { seed: 59, numRuns: 300 })) {
      const { code, stdout } = await judge(bytesOf(one), as, one.major);
      expect(code === 0, `${JSON.stringify(one)}\n${stdout}`).toBe(safeInTruth(bytesOf(one)));
      answers[code === 0 ? 'go' : 'stop'] += 1;
    }
    expect(Math.min(answers.go, answers.stop)).toBeGreaterThan(30);
  });

  itFailsClosed(
    `a database that may not be kept, by ${as}`,
    { cases: fc.record({ one: layout, fault: documentFault }), numRuns: 1000, exitCodes: [0, 1, 2, 3, 4] },
    async ({ one, fault }) => {
      const damaged = fault.apply(bytesOf(one));
      const outcome = await judge(damaged, as, one.major);
      return { damaged, outcome, safeInTruth: safeInTruth(damaged) };
    },
  );
}
