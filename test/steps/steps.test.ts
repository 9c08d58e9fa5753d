import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { RouteHop } from '../../src/core/route/route.js';
import { parseVersion } from '../../src/core/version.js';
import { folderFoundIn } from '../../src/instance/compose-files.js';
import {
  type ComposeDeployment,
  type Deployment,
  deploymentOf,
  type HelmDeployment,
} from '../../src/instance/deployment.js';
import type { KnownInstance } from '../../src/steps/database.js';
import { libraryFor, renderHop } from '../../src/steps/hop-block.js';
import { backStepsOf, type RenderedStep, stepsOf as stepsOfHop } from '../../src/steps/steps.js';
import type { HopDetails } from '../../src/words/route/route.js';
import { inCluster } from '../support/deployment.js';

/** What is known of a deployment with Helm, and of one with compose. */
interface Known {
  readonly instance?: KnownInstance;
  readonly helm: HelmDeployment;
  readonly compose: ComposeDeployment;
}

const nothing = deploymentOf({});
const helmWith = (told: Partial<HelmDeployment>): HelmDeployment => ({ ...nothing.helm, ...told });
const composeWith = (told: Partial<ComposeDeployment>): ComposeDeployment => {
  const files = told.files ?? (told.file === undefined ? [] : [told.file]);
  return { ...nothing.compose, folder: folderFoundIn(files), ...told, files };
};
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
    helm: helmWith({
      ...{ release: 'lightdash', file: 'values.yaml', valuesPath: ['charts', 'lightdash'] },
      ...{ files: ['values.yaml'], image: { ...tagged.image, tag: '1.0.0', digest: null } },
      // One of each, where the next has several.
      ...{ deployments: ['lightdash-backend'], backend: 'lightdash-backend', startup: 'none' },
      autoscalers: inCluster.autoscalers
        .slice(0, 1)
        .map((one) => ({ ...one, targetName: 'lightdash-backend' })),
    }),
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
      autoscalers: inCluster.autoscalers.slice(0, 2),
      migrationJobName: 'bi-lightdash-migrate',
      startup: 185,
    }),
    compose: composeWith({
      ...tagged,
      files: ['docker-compose.yml', 'prod.yml'],
      envFiles: ['prod.env'],
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
  knownIssues: [
    {
      ...{ id: 'an-issue', summary: 'It breaks.', version: parseVersion('1.10.0') },
      ...{ effect: { kind: 'action-first' }, remedy: 'Fix it first.', notKnown: [] },
    },
  ],
  time: { lowSeconds: 90, highSeconds: 600, because: [] },
  wayBack: { needs: 'code', because: [{ kind: 'starts-on-newer-database', migrations: 3 }] },
};

const stepsOf = (deployment: Deployment, strategy: (typeof strategies)[number]): readonly RenderedStep[] => [
  ...stepsOfHop({ hop: hop(strategy), deployment }),
  ...backStepsOf({ hop: hop(strategy), deployment }),
];

/** Every text once, under a name, and before them which deployment has which. */
function table(): string {
  const names = new Map<string, string>();
  const nameOf = (step: RenderedStep) => {
    const text = [
      step.title,
      ...(step.values === undefined ? [] : [`--- ${step.values.file}`, step.values.yaml.trimEnd()]),
      ...step.commands.map((command) => command.replaceAll(/^/gm, '    ').replace('   ', '  $')),
      ...step.notes.map((note) => `* ${note}`),
      `? ${step.failure}`,
      `> ${step.continuation}`,
      `< ${step.undo}`,
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
          `${what} | ${of} | ${strategy} | ${stepsOf(deployment, strategy).map(nameOf).join(' ')}`,
      ),
    ),
  );
  const only = { at: 1, of: 1 };
  const chart = { chartVersion: '2.16.283', migrationJob: true };
  const blocks = [known['what facts tell']].flatMap(({ helm, compose, instance }) =>
    [compose, { ...helm, ...chart }].flatMap((deployment) => {
      const { functions, commands, back } = renderHop(hop('Recreate'), only, deployment, instance);
      return [
        `== to paste once for ${deployment.kind} ==\n${functions}`,
        `== the block for ${deployment.kind} ==\n${commands}`,
        `== the block of the way back for ${deployment.kind} ==\n${back.commands}`,
      ];
    }),
  );
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
  ].flatMap(({ script, back }) => [script, back.script]);
  const libraries = [known.nothing.helm, known.nothing.compose].map(libraryFor);
  return [
    ...lines,
    '',
    ...[...names].map(([text, name]) => `== ${name} ==\n${text}\n`),
    ...blocks,
    ...[...scripts, ...libraries].map(({ name, text }) => `== ${name} ==\n${text}`),
  ].join('\n');
}

describe('the steps of a hop', () => {
  it('are, whole, what the table has', async () => {
    await expect(table()).toMatchFileSnapshot('steps.txt');
  });

  const cases = Object.entries(known).flatMap(([what, one]: [string, Known]) =>
    deploymentsOf(one).flatMap(([of, deployment]) =>
      strategies.map((strategy) => ({
        ...{ what, of, strategy },
        steps: stepsOf(deployment, strategy),
      })),
    ),
  );

  it.each<[string, Deployment, (typeof strategies)[number], string[]]>([
    ['helm', helmWith({}), 'RollingUpdate', ['Look', 'Back up', 'Start', 'Confirm']],
    // What writes is stopped before the backup, whatever the chart does by itself.
    ['helm', helmWith({}), 'Recreate', ['Look', 'Stop', 'Back up', 'Start', 'Confirm']],
    ['compose', composeWith({}), 'RollingUpdate', ['Look', 'Back up', 'Start', 'Confirm']],
    ['compose', composeWith({}), 'Recreate', ['Look', 'Stop', 'Back up', 'Start', 'Confirm']],
  ])('are these, in this order: %s, %3$s', (_, deployment, strategy, begin) => {
    const titles = stepsOf(deployment, strategy).map(({ title }) => title);
    const all = [...begin, 'Look', 'Stop', 'Put', 'Start', 'Confirm'];
    expect(titles.map((title, i) => title.slice(0, all[i]?.length))).toEqual(all);
  });

  it.each([
    [['docker-compose.yml'], undefined],
    [['./docker-compose.yml'], undefined],
    [['deploy/compose.yaml'], 'cd ./deploy'],
    [['-deploy/compose.yml'], 'cd ./-deploy'],
    [['stacks/bi/compose.yml'], 'cd ./stacks/bi'],
    [['../bi/docker-compose.yaml'], 'cd ../bi'],
    [['.hidden/compose.yaml'], 'cd ./.hidden'],
    [['/srv/bi/compose.yaml'], 'cd /srv/bi'],
    [['/compose.yaml'], 'cd /'],
    [['a b/compose.yaml'], "cd './a b'"],
    [['docker-compose.yml', 'docker-compose.override.yml'], undefined],
    [['docker-compose.yml', 'compose.override.yaml'], undefined],
    [['a b/compose.yaml', 'a b/compose.override.yaml'], "cd './a b'"],
  ])('are run where compose finds its files by itself: %j', (files, command) => {
    const { block } = renderHop(hop('Recreate'), { at: 1, of: 1 }, composeWith({ files }), undefined);
    expect(block.split('\n').filter((line) => line.startsWith('cd '))).toEqual(command ? [command] : []);
    expect(block).toContain(`[ -z "\${COMPOSE_FILE:-}" ] ||`);
    expect(block).not.toContain(' --file ');
  });

  it.each([
    [{ files: ['bi.yml'] }, '--file bi.yml'],
    [{ files: ['stacks/bi.yml'] }, '--file stacks/bi.yml'],
    [
      { files: ['compose.yml', 'b/compose.override.yml'] },
      '--file compose.yml --file b/compose.override.yml',
    ],
    [{ files: ['stacks/bi.yml', 'prod one.yml'] }, "--file stacks/bi.yml --file 'prod one.yml'"],
    [
      { files: ['compose.yml', 'compose.override.yml', 'more.yml'] },
      '--file compose.yml --file compose.override.yml --file more.yml',
    ],
    [
      { files: ['compose.yml'], envFiles: ['a.env', 'b.env'], folder: undefined },
      '--file compose.yml --env-file a.env --env-file b.env',
    ],
  ])('name every file of compose in every command: %j', (given, named) => {
    const { block, steps, back } = renderHop(
      hop('Recreate'),
      { at: 1, of: 1 },
      composeWith(given),
      undefined,
    );
    const notes = steps.flatMap((step) => [...step.commands, ...step.notes]);
    const text = [block, back.block, ...notes].join('\n').replaceAll(`'\\''`, `'`);
    const calls = text.match(/docker compose [-a-z"$@]+.*/g) ?? [];
    const runs = calls.filter((call) => !/^docker compose (?:version|does|here|project|is|\(its)/.test(call));
    expect(runs.length).toBeGreaterThan(3);
    expect(runs.filter((call) => !call.startsWith(`docker compose ${named} `))).toEqual([]);
    expect(block).not.toMatch(/^ *cd /m);
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
      const [rehearsal] = stepsOf(helmWith({ chartVersion: chart }), strategy);
      const values: Record<string, unknown> = parse(rehearsal?.values?.yaml ?? '');
      expect(Object.keys(values)).toEqual(['image', ...keys]);
      for (const key of keys)
        expect(values[key]).toEqual(
          key === 'upgrade' ? { mode: strategy } : { strategy: { type: strategy } },
        );
      expect(rehearsal?.commands.includes(`tagged "$tag" ${strategy}`)).toBe(checked);
    }
  });

  it('set the release in the image that each service of compose has, whoever publishes it', () => {
    const image = (repository: string) => ({ registry: null, repository, tag: '1.111.0', digest: null });
    const deployment = composeWith({
      ...{ image: image('lightdash/lightdash'), services: ['lightdash', 'exports'] },
      images: new Map([['exports', image('our/lightdash')]]),
    });
    const [look] = stepsOf(deployment, 'Recreate');
    const { services } = parse(look?.values?.yaml ?? '');
    const release = hop('Recreate').toVersion;
    expect(services).toEqual({
      lightdash: { image: `lightdash/lightdash:${release}` },
      exports: { image: `our/lightdash:${release}` },
    });
  });

  it('name the chart of another name as one to be told', () => {
    const { commands } = renderHop(
      hop('RollingUpdate'),
      { at: 1, of: 1 },
      helmWith({ chart: 'our-lightdash' }),
      undefined,
    );
    expect(commands).toContain('$'.concat('{CHART:?}'));
    expect(commands).not.toContain('update_repository');
  });

  it.each(cases)('$strategy with $of and $what: the values set the tag, as YAML', ({ what, steps }) => {
    const values = steps.flatMap((step) => step.values ?? []).map(({ yaml }) => parse(yaml));
    const tag = what === 'everything' || what === 'what facts tell' ? 'v1.10.0-custom' : '1.10.0';
    expect(values).toHaveLength(2);
    const image = '"(?:<your image>:|ghcr.io/bi/lightdash:)?';
    expect(JSON.stringify(values[0])).toMatch(new RegExp(`${image}${tag}"`));
    expect(JSON.stringify(values[1])).toMatch(new RegExp(`${image}${tag.replace('1.10.0', '1.0.0')}"`));
  });

  it('destroy nothing: no function removes a volume, a database or what a person may have written', () => {
    for (const deployment of [helmWith({}), composeWith({})]) {
      const { block, back } = renderHop(hop('Recreate'), { at: 1, of: 1 }, deployment, undefined);
      const text = `${block}${back.block}`.replaceAll(/(say|fail) (['"])[\s\S]*?\2/g, '');
      expect(text).not.toMatch(
        /--volumes|--atomic|--rollback-on-failure|--reuse-values|--force|\bdown\b|DROP /,
      );
      const removed = [...text.matchAll(/\brm -[rf]+ (.*)/g)].map(([, what]) =>
        what?.replace(/;? fi$|; lock.*/, ''),
      );
      for (const what of removed) expect(what).toMatch(/^"\$(?:lock|state|dump\.part|folder"\/\*\.part)/);
    }
  });
});
