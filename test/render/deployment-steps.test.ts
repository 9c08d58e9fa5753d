import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type ChartRecreate, type Deployment, stepsFor } from '../../src/release-safety/deployment.js';
import type { RouteHop } from '../../src/release-safety/route.js';
import { parseVersion } from '../../src/release-safety/version.js';
import { renderHop } from '../../src/render/deployment/hop-block.js';
import { type DeploymentFacts, nothingOfCompose, nothingOfHelm } from '../../src/render/deployment/known.js';
import { type RenderedStep, renderStep } from '../../src/render/deployment-steps.js';
import type { HopDetails } from '../../src/render/shown-route.js';

/** What is known, and what the steps of every deployment with it are, whole, in one table: `deployment-steps.txt`. */
const known: Record<string, DeploymentFacts> = {
  nothing: {
    instance: undefined,
    tagOf: (version) => version,
    pinsDigest: false,
    helm: nothingOfHelm,
    compose: nothingOfCompose,
  },
  everything: {
    instance: { url: 'http://bi.example.com/a&b/', allowHttp: true },
    tagOf: (version) => `v${version}-custom`,
    pinsDigest: true,
    helm: {
      ...nothingOfHelm,
      release: 'bi',
      chartVersion: '2.16.284',
      valuesFile: 'my values.yaml',
      valuesPath: [],
    },
    compose: {
      ...nothingOfCompose,
      file: './a b/docker-compose.yml',
      services: ['lightdash', 'worker'],
      image: 'ghcr.io/bi/lightdash',
      database: 'my db',
    },
  },
  'a chart that depends on that of Lightdash': {
    instance: { url: 'https://bi.example.com', allowHttp: false },
    tagOf: (version) => version,
    pinsDigest: false,
    helm: {
      ...nothingOfHelm,
      release: 'lightdash',
      chartVersion: undefined,
      valuesFile: 'values.yaml',
      valuesPath: ['charts', 'lightdash'],
    },
    compose: { ...nothingOfCompose, file: 'stacks/bi.yml', services: ['bi'] },
  },
};

const told: DeploymentFacts = {
  ...(known.everything ?? never()),
  helm: {
    context: 'prod',
    release: 'bi',
    namespace: 'data',
    chart: 'lightdash',
    chartVersion: '2.16.284',
    valuesFile: 'prod.yaml',
    valuesFiles: ['base.yaml', 'prod.yaml'],
    valuesPath: [],
    deployments: ['bi-lightdash-backend', 'bi-lightdash-worker'],
    backend: 'bi-lightdash-backend',
    autoscalers: [{ name: 'bi-lightdash', target: 'bi-lightdash-backend', min: 2, max: 5 }],
    migrationJobName: 'bi-lightdash-migrate',
    migratesAtBoot: true,
    startup: 185,
  },
  compose: {
    file: undefined,
    joined: { folder: '.', files: ['docker-compose.yml', 'prod.yml'] },
    project: 'bi',
    services: ['lightdash', 'worker'],
    image: undefined,
    database: 'db',
  },
};
known['what facts tell'] = told;

const charts: ChartRecreate[] = ['stops-workloads', 'needs-scale-down', 'unknown'];
const deployments: Deployment[] = [
  { kind: 'compose' },
  ...charts.flatMap((chartRecreate) =>
    [true, false].map((migrationJob) => ({ kind: 'helm', chartRecreate, migrationJob }) as const),
  ),
];
const strategies = ['RollingUpdate', 'Recreate'] as const;

const hop = (strategy: (typeof strategies)[number]): RouteHop => ({
  fromVersion: parseVersion('1.0.0'),
  toVersion: parseVersion('1.10.0'),
  strategy,
  reason: 'target',
  demandedBy: [],
  landingIssues: [],
  knownIssues: [],
  belowIndexFloor: false,
  verdict: strategy === 'RollingUpdate',
  certified: strategy === 'RollingUpdate',
  releases: [parseVersion('1.10.0')],
  unsafeVersions: [],
  unknownVersions: [],
  missingRanges: [],
});

/** With how long its migrations take, and what going back costs. */
const toldHop: RouteHop & HopDetails = {
  ...hop('Recreate'),
  time: { lowSeconds: 90, highSeconds: 600, because: [] },
  wayBack: { needs: 'code', because: [{ kind: 'starts-on-newer-database', migrations: 3 }] },
};

const stepsOf = (deployment: Deployment, strategy: (typeof strategies)[number], facts: DeploymentFacts) =>
  stepsFor(strategy, deployment).map((step) =>
    renderStep(step, { ...facts, ...hop(strategy), tag: facts.tagOf('1.10.0') }),
  );

/** Every text once, under a name, and before them which deployment has which. */
function table(): string {
  const names = new Map<string, string>();
  const nameOf = (step: RenderedStep) => {
    const text = [
      step.title,
      ...(step.values === undefined ? [] : [`--- ${step.values.file}`, step.values.yaml.trimEnd()]),
      ...step.commands.map((command) => command.replaceAll(/^/gm, '    ').replace('   ', '  $')),
      ...step.notes.map((note) => `* ${note}`),
    ].join('\n');
    const name = names.get(text) ?? `S${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  const lines = Object.entries(known).flatMap(([what, facts]) =>
    deployments.flatMap((deployment) =>
      strategies.map((strategy) => {
        const of =
          deployment.kind === 'compose'
            ? 'compose'
            : `helm ${deployment.chartRecreate}${deployment.migrationJob ? ' with job' : ''}`;
        return `${what} | ${of} | ${strategy} | ${stepsOf(deployment, strategy, facts).map(nameOf).join(' ')}`;
      }),
    ),
  );
  const chart = { kind: 'helm', chartRecreate: 'needs-scale-down', migrationJob: true } as const;
  const blocks = Object.entries(known).flatMap(([what, facts]) => [
    `== ${what}: the block for compose ==\n${renderHop(hop('Recreate'), { at: 1, of: 1 }, facts, { kind: 'compose' }).block}`,
    `== ${what}: the block for a chart ==\n${renderHop(hop('Recreate'), { at: 1, of: 1 }, facts, chart).block}`,
  ]);
  const scripts = [
    renderHop(hop('Recreate'), { at: 2, of: 12 }, known.everything ?? never(), deployments[1] ?? never()),
    renderHop(toldHop, { at: 1, of: 1 }, told, chart),
    renderHop(
      { ...toldHop, wayBack: { needs: 'backup', because: [{ kind: 'hop-not-covered' }] } },
      { at: 3, of: 3 },
      known.nothing ?? never(),
      { kind: 'compose' },
    ),
  ].map(({ script }) => script);
  return [
    ...lines,
    '',
    ...[...names].map(([text, name]) => `== ${name} ==\n${text}\n`),
    ...blocks,
    ...scripts.map(({ name, text }) => `== ${name} ==\n${text}`),
  ].join('\n');
}

function never(): never {
  throw new Error('the table has no such row');
}

describe('the steps of a hop', () => {
  it('are, whole, what the table has', async () => {
    await expect(table()).toMatchFileSnapshot('deployment-steps.txt');
  });

  const cases = Object.entries(known).flatMap(([what, facts]) =>
    deployments.flatMap((deployment) =>
      strategies.map((strategy) => ({
        what,
        deployment,
        strategy,
        steps: stepsOf(deployment, strategy, facts),
      })),
    ),
  );

  it.each([
    ['bi', 'job/bi-lightdash-migrate'],
    ['my-lightdash', 'job/my-lightdash-migrate'],
    // The chart cuts the names of its objects.
    ['b'.repeat(53), `job/${'b'.repeat(53)}-lightdash-migrate`],
    [`${'b'.repeat(60)}-lightdash`, `job/${'b'.repeat(60)}-li-migrate`],
  ])('name the migration job of the release %s', (release, job) => {
    const facts = known.nothing ?? never();
    const helm = { ...nothingOfHelm, release };
    const deployment = { kind: 'helm', chartRecreate: 'unknown', migrationJob: true } as const;
    const [upgrade] = stepsOf(deployment, 'RollingUpdate', { ...facts, helm }).filter(({ title }) =>
      title.startsWith('Upgrade the release'),
    );
    expect(upgrade?.notes.join('\n')).toContain(`(${job})`);
  });

  it.each([
    ['docker-compose.yml', ''],
    ['./docker-compose.yml', ''],
    ['deploy/compose.yaml', 'cd ./deploy'],
    ['-deploy/compose.yml', 'cd ./-deploy'],
    ['stacks/bi/compose.yml', 'cd ./stacks/bi'],
    ['../bi/docker-compose.yaml', 'cd ../bi'],
    ['.hidden/compose.yaml', 'cd ./.hidden'],
    ['/srv/bi/compose.yaml', 'cd /srv/bi'],
    ['/compose.yaml', 'cd /'],
    ['a b/compose.yaml', "cd './a b'"],
    ['stacks/bi.yml', `[ -n "\${COMPOSE_FILE:-}" ] || export COMPOSE_FILE=stacks/bi.yml`],
  ])('run where compose finds %s', (file, command) => {
    const facts = known.nothing ?? never();
    const { block } = renderHop(
      hop('Recreate'),
      { at: 1, of: 1 },
      { ...facts, compose: { ...nothingOfCompose, file } },
      { kind: 'compose' },
    );
    const found = block.split('\n').filter((line) => /^cd |COMPOSE_FILE/.test(line));
    expect(found).toEqual(command === '' ? [] : [command]);
  });

  it.each([
    [{ folder: '.', files: ['docker-compose.yml', 'docker-compose.override.yml'] }, ''],
    [{ folder: 'a b', files: ['compose.yaml', 'compose.override.yaml'] }, "cd './a b'"],
    [
      { folder: '.', files: ['docker-compose.yml', 'prod.yml'] },
      `[ -n "\${COMPOSE_FILE:-}" ] || export COMPOSE_FILE=docker-compose.yml:prod.yml`,
    ],
    [
      { folder: 'stacks', files: ['bi.yml', '../prod one.yml'] },
      `[ -n "\${COMPOSE_FILE:-}" ] || { cd ./stacks; export COMPOSE_FILE='bi.yml:../prod one.yml'; }`,
    ],
    [
      { folder: '.', files: ['compose.yml', 'compose.override.yml', 'more.yml'] },
      `[ -n "\${COMPOSE_FILE:-}" ] || export COMPOSE_FILE=compose.yml:compose.override.yml:more.yml`,
    ],
  ])('join what compose joins: %j', (joined, command) => {
    const facts = known.nothing ?? never();
    const { block } = renderHop(
      hop('Recreate'),
      { at: 1, of: 1 },
      { ...facts, compose: { ...nothingOfCompose, joined } },
      { kind: 'compose' },
    );
    const found = block.split('\n').filter((line) => /^cd |COMPOSE_FILE/.test(line));
    expect(found).toEqual(command === '' ? [] : [command]);
  });

  it.each([
    [
      { migratesAtBoot: true },
      'No job migrates here, so the new pods migrate as they start: if that takes longer than the startup probe allows (lightdashBackend',
    ],
    [
      { migratesAtBoot: true, backend: 'bi', startup: 60 },
      'the startup probe of deployment/bi allows (60 seconds)',
    ],
    [
      { backend: 'bi', startup: 'none' },
      'Unless migrationJob.enabled is set, the new pods migrate as they start; deployment/bi has no startup probe to keep its liveness probe from killing a container that migrates.',
    ],
  ] as const)('say what may end a migration at boot: %j', (told, said) => {
    const facts = known.nothing ?? never();
    const deployment = { kind: 'helm', chartRecreate: 'unknown', migrationJob: false } as const;
    const steps = stepsOf(deployment, 'RollingUpdate', { ...facts, helm: { ...nothingOfHelm, ...told } });
    expect(JSON.stringify(steps)).toContain(said);
  });

  it('tell before anything stops that compose leaves alone what stands in a profile', () => {
    const facts = known.nothing ?? never();
    for (const strategy of ['Recreate', 'RollingUpdate'] as const) {
      const steps = stepsOf({ kind: 'compose' }, strategy, facts);
      const told = steps.findIndex(({ notes }) => notes.some((note) => note.includes('COMPOSE_PROFILES')));
      const stops = steps.findIndex(({ commands }) =>
        commands.some((command) => /docker compose (stop|up)/.test(command)),
      );
      expect([told >= 0, told < stops]).toEqual([true, true]);
    }
  });

  it('start again whatever an autoscaler has left at nothing', () => {
    const facts = known.nothing ?? never();
    const deployment = { kind: 'helm', chartRecreate: 'unknown', migrationJob: true } as const;
    const autoscalers = ['w1', 'w2'].map((target) => ({ name: `of-${target}`, target, min: 1, max: 3 }));
    const steps = stepsOf(deployment, 'Recreate', {
      ...facts,
      helm: { ...nothingOfHelm, namespace: 'data', autoscalers },
    });
    const { commands, notes } = steps.find(({ title }) => title.startsWith('Wait until')) ?? never();
    expect(
      commands.filter((one) => one.includes('--replicas=1')).map((one) => /deployment (\S+)/.exec(one)?.[1]),
    ).toEqual(['--namespace', 'w1', 'w2']);
    expect(notes).toContain(
      'If the autoscaler of-w2 left deployment/w2 at 0, it is started with one pod. Check that the autoscaler is back (kubectl get horizontalpodautoscaler of-w2 --namespace data): it adds more, up to 3. If it is not, apply the file that it was saved to.',
    );
  });

  it('name the chart of another name as one to be told', () => {
    const facts = known.nothing ?? never();
    const deployment = { kind: 'helm', chartRecreate: 'unknown', migrationJob: true } as const;
    const helm = { ...nothingOfHelm, chart: 'our-lightdash' };
    const steps = JSON.stringify(stepsOf(deployment, 'RollingUpdate', { ...facts, helm }));
    expect(steps).toContain('$'.concat('{CHART:?}'));
    expect(steps).not.toContain('helm repo');
  });

  it.each(cases)(
    'deployment rule 5: $strategy with $deployment speaks of downtime only where there is one',
    ({ deployment, strategy, steps }) => {
      const words = JSON.stringify(steps).replaceAll('no downtime', '');
      expect(words.includes('downtime')).toBe(strategy === 'Recreate' || deployment.kind === 'compose');
    },
  );

  it.each(cases)(
    '$strategy with $deployment and $what: the values can be read as YAML',
    ({ what, deployment, strategy, steps }) => {
      const values = steps.flatMap((step) => step.values ?? []).map(({ yaml }) => parse(yaml));
      const tag = ['everything', 'what facts tell'].includes(what) ? 'v1.10.0-custom' : '1.10.0';
      const ofHelm = { image: { tag }, upgrade: { mode: strategy } };
      const service = (image: string) => ({ image: `${image}:${tag}` });
      expect(values).toEqual([
        {
          nothing: [ofHelm, { services: { '<your service>': service('<your image>') } }],
          everything: [
            ofHelm,
            {
              services: {
                lightdash: service('ghcr.io/bi/lightdash'),
                worker: service('ghcr.io/bi/lightdash'),
              },
            },
          ],
          'what facts tell': [
            ofHelm,
            { services: { lightdash: service('<your image>'), worker: service('<your image>') } },
          ],
          'a chart that depends on that of Lightdash': [
            { charts: { lightdash: ofHelm } },
            { services: { bi: service('<your image>') } },
          ],
        }[what]?.[deployment.kind === 'helm' ? 0 : 1],
      ]);
    },
  );

  it.each(cases)(
    '$strategy with $deployment and $what: nothing is overwritten, deleted or undone',
    ({ steps }) => {
      const commands = steps.flatMap((step) => step.commands).join('\n');
      expect(commands).not.toMatch(/--volumes|--atomic|--rollback-on-failure|--reuse-values|--force|\brm\b/);
    },
  );
});
