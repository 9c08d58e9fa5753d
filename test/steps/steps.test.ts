import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Deployment, deploymentOf } from '../../src/facts/deployment.js';
import type { RouteHop } from '../../src/release-safety/route.js';
import { parseVersion } from '../../src/release-safety/version.js';
import type { KnownInstance } from '../../src/steps/commands.js';
import { renderHop } from '../../src/steps/hop-block.js';
import type { HopDetails } from '../../src/steps/shown-route.js';
import { type RenderedStep, stepsOf as stepsOfHop } from '../../src/steps/steps.js';
import { inCluster } from '../support/deployed.js';

/** What is known of a deployment with Helm, and of one with compose. */
interface Known {
  readonly instance?: KnownInstance;
  readonly helm: Deployment;
  readonly compose: Deployment;
}

const nothing: Deployment = deploymentOf({});
const helmWith = (told: Partial<Deployment>): Deployment => ({ ...nothing, kind: 'helm', ...told });
const composeWith = (told: Partial<Deployment>): Deployment => ({ ...nothing, kind: 'compose', ...told });
const tagged = {
  ...{ tagPrefix: 'v', tagSuffix: '-custom' },
  image: { registry: null, repository: null, tag: 'v1.0.0-custom', digest: 'sha256:0' },
};

/** What is known, and what the steps of every deployment with it are, whole, in one table: `steps.txt`. */
const known = {
  nothing: { helm: helmWith({}), compose: composeWith({}) },
  everything: {
    instance: { url: 'http://bi.example.com/a&b/', allowHttp: true },
    helm: helmWith({ ...tagged, release: 'bi', file: 'my values.yaml' }),
    compose: composeWith({
      ...tagged,
      image: { ...tagged.image, registry: 'ghcr.io', repository: 'bi/lightdash' },
      file: './a b/docker-compose.yml',
      services: ['lightdash', 'worker'],
      database: 'my db',
    }),
  },
  'a chart that depends on that of Lightdash': {
    instance: { url: 'https://bi.example.com', allowHttp: false },
    helm: helmWith({ release: 'lightdash', file: 'values.yaml', valuesPath: ['charts', 'lightdash'] }),
    compose: composeWith({ file: 'stacks/bi.yml', services: ['bi'] }),
  },
  'what facts tell': {
    instance: { url: 'http://bi.example.com/a&b/', allowHttp: true },
    helm: helmWith({
      ...tagged,
      context: 'prod',
      release: 'bi',
      namespace: 'data',
      chart: 'lightdash',
      file: 'prod.yaml',
      files: ['base.yaml', 'prod.yaml'],
      deployments: ['bi-lightdash-backend', 'bi-lightdash-worker'],
      backend: 'bi-lightdash-backend',
      database: 'statefulset/bi-postgresql',
      autoscalers: inCluster.autoscalers.slice(0, 1),
      migrationJobName: 'bi-lightdash-migrate',
      startup: 185,
    }),
    compose: composeWith({
      ...tagged,
      folder: '.',
      files: ['docker-compose.yml', 'prod.yml'],
      project: 'bi',
      services: ['lightdash', 'worker'],
      database: 'db',
    }),
  },
} satisfies Record<string, Known>;

const deploymentsOf = ({ helm, compose }: Known): [name: string, Deployment][] => [
  ['compose', compose],
  ...[undefined, '2.16.283', '2.16.284'].flatMap((chartVersion) =>
    [true, undefined].map((migrationJob): [string, Deployment] => [
      `helm ${chartVersion}, job ${migrationJob}`,
      { ...helm, chartVersion, migrationJob },
    ]),
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

const stepsOf = (
  deployment: Deployment,
  strategy: (typeof strategies)[number],
  instance?: KnownInstance,
): readonly RenderedStep[] => stepsOfHop({ hop: hop(strategy), deployment, instance });

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
  const all: [string, Known][] = Object.entries(known);
  const lines = all.flatMap(([what, one]) =>
    deploymentsOf(one).flatMap(([of, deployment]) =>
      strategies.map(
        (strategy) =>
          `${what} | ${of} | ${strategy} | ${stepsOf(deployment, strategy, one.instance).map(nameOf).join(' ')}`,
      ),
    ),
  );
  const only = { at: 1, of: 1 };
  const chart = { chartVersion: '2.16.283', migrationJob: true };
  const blocks = all.flatMap(([what, { helm, compose, instance }]) => [
    `== ${what}: the block for compose ==\n${renderHop(hop('Recreate'), only, compose, instance).block}`,
    `== ${what}: the block for a chart ==\n${renderHop(hop('Recreate'), only, { ...helm, ...chart }, instance).block}`,
  ]);
  const { everything, 'what facts tell': told } = known;
  const backup: HopDetails['wayBack'] = { needs: 'backup', because: [{ kind: 'hop-not-covered' }] };
  const scripts = [
    renderHop(
      hop('Recreate'),
      { at: 2, of: 12 },
      { ...everything.helm, chartVersion: '2.16.284', migrationJob: true },
      everything.instance,
    ),
    renderHop(toldHop, only, { ...told.helm, ...chart }, told.instance),
    renderHop({ ...toldHop, wayBack: backup }, { at: 3, of: 3 }, known.nothing.compose, undefined),
  ].map(({ script }) => script);
  return [
    ...lines,
    '',
    ...[...names].map(([text, name]) => `== ${name} ==\n${text}\n`),
    ...blocks,
    ...scripts.map(({ name, text }) => `== ${name} ==\n${text}`),
  ].join('\n');
}

describe('the steps of a hop', () => {
  it('are, whole, what the table has', async () => {
    await expect(table()).toMatchFileSnapshot('steps.txt');
  });

  const cases = Object.entries(known).flatMap(([what, one]: [string, Known]) =>
    deploymentsOf(one).flatMap(([of, deployment]) =>
      strategies.map((strategy) => ({
        ...{ what, of, deployment, strategy },
        steps: stepsOf(deployment, strategy, one.instance),
      })),
    ),
  );

  const upgrade = ['Rehearse', 'Back up', 'Upgrade', 'Wait'];
  it.each<[string, Deployment, (typeof strategies)[number], string[]]>([
    ['helm', helmWith({}), 'RollingUpdate', upgrade],
    // What writes is stopped before the backup, whatever the chart does by itself.
    ['helm', helmWith({}), 'Recreate', [upgrade[0] ?? '', 'Check', 'Stop', ...upgrade.slice(1)]],
    ['compose', composeWith({}), 'RollingUpdate', ['Check', 'Back up', 'Bring']],
    // Nothing stops before the image is here, and the database goes down after its backup.
    ['compose', composeWith({}), 'Recreate', ['Check', 'Check', 'Stop', 'Back up', 'Bring', 'Bring']],
  ])('are these, in this order: %s, %3$s', (_, deployment, strategy, steps) => {
    const titles = stepsOf(deployment, strategy).map(({ title }) => title);
    const begin = ['Confirm', ...steps, 'Confirm'];
    expect(titles.map((title, i) => title.slice(0, begin[i]?.length))).toEqual(begin);
  });

  it.each([
    ['rule 3: an older chart', '2.16.283', true, 'does not stop them itself: without this, old pods would'],
    [
      'rule 3, without a job too',
      '2.16.283',
      false,
      'does not stop them itself: without this, old pods would',
    ],
    ['rule 2: a newer chart', '2.16.284', true, 'would stop them only before the migration job'],
    ['rule 4: without a job', '2.16.284', undefined, 'would stop them only while the release is applied'],
    ['a pre-release, which is older', '2.16.284-rc.1', true, 'does not stop them itself: without this'],
    ['an unknown chart', undefined, true, 'does not stop them itself; 2.16.284 and later does'],
  ])('say why they scale down: %s', (_, chartVersion, migrationJob, said) => {
    expect(JSON.stringify(stepsOf(helmWith({ chartVersion, migrationJob }), 'Recreate'))).toContain(said);
  });

  it.each([
    ['bi', 'job/bi-lightdash-migrate'],
    ['my-lightdash', 'job/my-lightdash-migrate'],
    // The chart cuts the names of its objects.
    ['b'.repeat(53), `job/${'b'.repeat(53)}-lightdash-migrate`],
    [`${'b'.repeat(60)}-lightdash`, `job/${'b'.repeat(60)}-li-migrate`],
  ])('name the migration job of the release %s', (release, job) => {
    const [upgrade] = stepsOf(helmWith({ release, migrationJob: true }), 'RollingUpdate').filter(
      ({ title }) => title.startsWith('Upgrade the release'),
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
    const { block } = renderHop(hop('Recreate'), { at: 1, of: 1 }, composeWith({ file }), undefined);
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
    const { block } = renderHop(hop('Recreate'), { at: 1, of: 1 }, composeWith(joined), undefined);
    const found = block.split('\n').filter((line) => /^cd |COMPOSE_FILE/.test(line));
    expect(found).toEqual(command === '' ? [] : [command]);
  });

  it.each([
    [
      { migrationJob: false },
      'No job migrates here, so the new pods migrate as they start: if that takes longer than the startup probe allows (lightdashBackend',
    ],
    [
      { migrationJob: false, backend: 'bi', startup: 60 },
      'the startup probe of deployment/bi allows (60 seconds)',
    ],
    [
      { backend: 'bi', startup: 'none' },
      'Unless migrationJob.enabled is set, the new pods migrate as they start; deployment/bi has no startup probe to keep its liveness probe from killing a container that migrates.',
    ],
  ] as const)('say what may end a migration at boot: %j', (told, said) => {
    const steps = stepsOf(helmWith(told), 'RollingUpdate');
    expect(JSON.stringify(steps)).toContain(said);
  });

  it('tell before anything stops that compose leaves alone what stands in a profile', () => {
    for (const strategy of ['Recreate', 'RollingUpdate'] as const) {
      const steps = stepsOf(composeWith({}), strategy);
      const told = steps.findIndex(({ notes }) => notes.some((note) => note.includes('COMPOSE_PROFILES')));
      const stops = steps.findIndex(({ commands }) =>
        commands.some((command) => /docker compose (stop|up)/.test(command)),
      );
      expect([told >= 0, told < stops]).toEqual([true, true]);
    }
  });

  it('start again whatever an autoscaler has left at nothing', () => {
    const autoscalers = ['w1', 'w2'].map((targetName) => ({
      name: `of-${targetName}`,
      targetKind: 'Deployment',
      targetName,
      minReplicas: 1,
      maxReplicas: 3,
    }));
    const steps = stepsOf(helmWith({ namespace: 'data', autoscalers }), 'Recreate');
    const { commands = [], notes = [] } = steps.find(({ title }) => title.startsWith('Wait until')) ?? {};
    expect(
      commands.filter((one) => one.includes('--replicas=1')).map((one) => /deployment (\S+)/.exec(one)?.[1]),
    ).toEqual(['--namespace', 'w1', 'w2']);
    expect(notes).toContain(
      'If the autoscaler of-w2 left deployment/w2 at 0, it is started with one pod. Check that the autoscaler is back (kubectl get horizontalpodautoscaler of-w2 --namespace data): it adds more, up to 3. If it is not, apply the file that it was saved to.',
    );
  });

  it.each([
    ['2.16.361', ['upgrade'], true],
    ['2.16.284', ['upgrade', 'lightdashBackend', 'scheduler', 'appBuildWorker'], true],
    ['2.16.283', ['lightdashBackend', 'scheduler', 'appBuildWorker'], true],
    ['2.13.0', ['lightdashBackend', 'scheduler', 'appBuildWorker'], true],
    ['2.12.9', [], false],
    [undefined, ['upgrade', 'lightdashBackend', 'scheduler', 'appBuildWorker'], false],
  ])('set what chart %s takes the strategy from, and check it where it is known', (chart, keys, checked) => {
    for (const strategy of strategies) {
      const [, rehearsal] = stepsOf(helmWith({ chartVersion: chart }), strategy);
      const values: Record<string, unknown> = parse(rehearsal?.values?.yaml ?? '');
      expect(Object.keys(values)).toEqual(['image', ...keys]);
      for (const key of keys)
        expect(values[key]).toEqual(
          key === 'upgrade' ? { mode: strategy } : { strategy: { type: strategy } },
        );
      expect(JSON.stringify(rehearsal?.commands).includes('^Deployment ')).toBe(checked);
    }
  });

  it('name the chart of another name as one to be told', () => {
    const steps = JSON.stringify(stepsOf(helmWith({ chart: 'our-lightdash' }), 'RollingUpdate'));
    expect(steps).toContain('$'.concat('{CHART:?}'));
    expect(steps).not.toContain('helm repo');
  });

  it.each(cases)(
    'deployment rule 5: $strategy with $of speaks of downtime only where there is one',
    ({ deployment, strategy, steps }) => {
      const words = JSON.stringify(steps).replaceAll('no downtime', '');
      expect(words.includes('downtime')).toBe(strategy === 'Recreate' || deployment.kind === 'compose');
    },
  );

  it.each(cases)(
    '$strategy with $of and $what: the values can be read as YAML',
    ({ what, deployment, strategy, steps }) => {
      const values = steps.flatMap((step) => step.values ?? []).map(({ yaml }) => parse(yaml));
      const tag = ['everything', 'what facts tell'].includes(what) ? 'v1.10.0-custom' : '1.10.0';
      const each = { strategy: { type: strategy } };
      const ofWorkloads = { lightdashBackend: each, scheduler: each, appBuildWorker: each };
      // Of 2.16.284 it is not known whether it has the mode, nor of a chart of someone else.
      const chart = what.startsWith('a chart') ? undefined : deployment.chartVersion;
      const ofHelm = {
        image: { tag },
        ...(chart === '2.16.283' ? {} : { upgrade: { mode: strategy } }),
        ...ofWorkloads,
      };
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

  it.each(cases)('$strategy with $of and $what: nothing is overwritten, deleted or undone', ({ steps }) => {
    const commands = steps.flatMap((step) => step.commands).join('\n');
    expect(commands).not.toMatch(/--volumes|--atomic|--rollback-on-failure|--reuse-values|--force|\brm\b/);
  });
});
