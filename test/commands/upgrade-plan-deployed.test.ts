import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { collectDeployment } from '../../src/gather/deployment/collect.js';
import type { AppliedBy, WorkloadFact } from '../../src/instance/facts/deployment-facts.js';
import { runCli, testNow } from '../support/cli.js';
import { dockerPrinting, noInput } from '../support/compose-facts.js';
import {
  containerFact,
  deploymentFacts,
  factsFileText,
  imageFact,
  inCluster,
  valuesFact,
  workloadFact,
} from '../support/deployment.js';
import { realIndexFile } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type Facts = Parameters<typeof factsFileText>[0];

const folder = temporaryFolder();
const span = ['--from', '1.111.0', '--to', '1.115.0'];

let written = 0;
function factsFile(facts: Facts): string {
  written += 1;
  const file = join(folder, `facts-${written}.json`);
  writeFileSync(file, factsFileText(facts));
  return file;
}

/** As `--facts` of what is told, with the options; the facts are of no database, and so nothing is asked of artifacts. */
async function plan(facts: Facts, ...argv: readonly string[]) {
  const from = argv.some((word) => word.startsWith('--from-file')) ? ['--to', '1.115.0'] : span;
  const given = ['--index', realIndexFile, ...from, '--facts', factsFile(facts)];
  const { code, stdout, stderr } = await runCli(['upgrade-plan', '--json', ...given, ...argv]);
  const answer = JSON.parse(stdout);
  const [{ block, steps = [] } = { block: undefined }]: { block: unknown; steps?: Step[] }[] =
    answer.hops ?? [];
  const notes = steps.flatMap((step) => step.notes).join('\n');
  return { code, stderr, answer, block: String(block), steps, notes };
}

interface Step {
  readonly title: string;
  readonly commands: readonly string[];
  readonly notes: readonly string[];
  readonly values?: { readonly file: string; readonly yaml: string };
}

const asked = (block: string) =>
  [...new Set([...block.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name))].sort();

const told = deploymentFacts({ ...inCluster, chartValues: valuesFact });

/** The same where its pods migrate. */
const atItsStart = (workload: WorkloadFact): WorkloadFact => ({ ...workload, containers: [containerFact()] });

const bi = workloadFact({ kind: 'Deployment', name: 'bi', role: 'backend' });

const backendWith = (container: Parameters<typeof containerFact>[0]) => {
  const containers = [containerFact(container)];
  return workloadFact({ kind: 'Deployment', name: 'bi', role: 'backend', containers });
};

describe('upgrade-plan --deploy helm --facts', () => {
  it('asks for nothing that the facts tell, and names what is theirs', async () => {
    const { code, stderr, block, notes, steps } = await plan(told, '--deploy', 'helm');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // The last of several files counts.
    expect(steps.flatMap(({ values }) => values?.file ?? [])).toEqual(['prod.yaml']);
    expect(asked(block)).toEqual(['LIGHTDASH_URL']);
    for (const command of [
      'kubectl exec --stdin statefulset/bi-postgresql --namespace "$namespace"',
      `helm_here "$verb" "$release" "\${CHART:-lightdash/lightdash}" --version 2.16.283 "$@"`,
      '\nrelease=bi\nnamespace=data files=prod.yaml',
      "\nworkloads='bi-lightdash-backend bi-lightdash-worker'\n",
      'for workload in $workloads; do kube scale deployment "$workload" --replicas=0; done',
      // Those of these workloads, as the cluster has them then.
      'kube get horizontalpodautoscaler "$autoscaler" --output yaml',
    ]) {
      expect(block).toContain(command);
    }
    expect(block).toMatch(/--values base\.yaml --values prod\.yaml/);
    expect(block).not.toContain('horizontalpodautoscaler shop');
    expect(notes).toContain('(job/bi-lightdash-migrate)');
  });

  it('prints no commands past what stops in the facts, and says how to go on', async () => {
    const workloads = [backendWith({ variables: [] })];
    const facts = deploymentFacts({ ...inCluster, workloads });
    const out = join(folder, 'no-scripts');
    const { code, answer, block } = await plan(facts, '--deploy', 'helm', '--out', out);
    expect({ code, block, safe: answer.safe, certified: answer.certified }).toEqual({
      ...{ code: 1, block: 'undefined', safe: false, certified: true },
    });
    expect(answer.stops).toEqual([expect.objectContaining({ check: 'required-variables', status: 'stop' })]);
    expect(existsSync(out)).toBe(false);
  });

  it.each([
    [['--chart-version', '2.16.300'], '--version 2.16.300'],
    [['--fact', 'chart-version=2.16.300'], '--version 2.16.300'],
    [['--values', 'base.yaml'], '\nnamespace=data files=base.yaml'],
    [['--values', 'base.yaml'], '--values base.yaml --values prod.yaml'],
    [['--tag-suffix', '-fips'], ' tag=1.115.0-fips\n'],
  ])('what is given counts before a fact: %j', async (argv, has) => {
    const { code, stderr, block } = await plan(told, '--deploy', 'helm', ...argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(block).toContain(has);
  });

  it('--fact counts before what was stated when the facts were collected', async () => {
    const stated = { 'chart-version': '2.16.299', 'migration-job': 'off' } as const;
    const again = ['--fact', 'chart-version=2.16.300', '--fact', 'migration-job=on'];
    const facts = deploymentFacts({ ...inCluster, chartValues: valuesFact, stated });
    const { block, notes } = await plan(facts, '--deploy', 'helm', ...again);
    expect(block).toContain('--version 2.16.300');
    expect(notes).toContain('Helm waits for the migration job');
  });

  const backends = inCluster.workloads.filter(({ role }) => role === 'backend');
  it.each<[string[], WorkloadFact[], string]>([
    [['--migration-job'], backends, 'Helm waits for the migration job'],
    [['--fact', 'migration-job=on'], backends, 'Helm waits for the migration job'],
    [['--fact', 'migration-job=off'], backends.map(atItsStart), 'The new pods migrate as they start'],
  ])('%j counts where the facts say something else', async (argv, workloads, says) => {
    const { notes } = await plan(deploymentFacts({ ...inCluster, workloads }), '--deploy', 'helm', ...argv);
    expect(notes).toContain(says);
  });

  it('another version that runs stops the plan, and no steps are shown', async () => {
    const workloads = [backendWith({ image: imageFact('lightdash/lightdash', '1.110.0') })];
    const facts = deploymentFacts({ ...inCluster, workloads });
    const { code, answer, block } = await plan(facts, '--deploy', 'helm');
    expect({ code, block }).toEqual({ code: 1, block: 'undefined' });
    expect(answer.stops).toContainEqual(expect.objectContaining({ check: 'images' }));
  });

  const namespace = '--all-namespaces';
  const named = <T extends object>(objects: readonly T[], name: string) =>
    objects.map((one) => ({ ...one, name }));
  it.each<[string, object]>([
    ['-x', { helm: { ...inCluster.helm, release: '-x' } }],
    ['bi\u001b[2J', { helm: { ...inCluster.helm, release: 'bi\u001b[2J' } }],
    [
      namespace,
      {
        deployment: { ...inCluster.deployment, namespace },
        helm: { ...inCluster.helm, namespace },
        workloads: inCluster.workloads.map((one) => ({ ...one, namespace })),
      },
    ],
    ['--all', { workloads: named(inCluster.workloads, '--all') }],
    ['a\nb', { autoscalers: named(inCluster.autoscalers, 'a\nb') }],
    ['a\tb.yaml', { chartValues: { ...valuesFact, files: ['a\tb.yaml'] } }],
  ])('refuses facts with a name that cannot stand in a command: %j', async (name, facts) => {
    const { code, answer } = await plan(deploymentFacts({ ...inCluster, ...facts }), '--deploy', 'helm');
    const message = `--deploy prints commands, and ${JSON.stringify(name)} cannot be part of one`;
    expect({ code, error: answer.error }).toEqual({ code: 2, error: { code: 'usage', message } });
  });

  it.each(['bi', 'a.b', '0'])('takes %s as the name of a Helm release', async (release) => {
    const helm = { ...inCluster.helm, release };
    expect(await plan(deploymentFacts({ ...inCluster, helm }), '--deploy', 'helm')).toMatchObject({
      code: 0,
    });
  });

  it.each<[string, Facts, string[], string]>([
    [
      'facts of another release: the names in them are its own',
      told,
      ['--release', 'ld'],
      '--release ld, but the facts are of the release bi',
    ],
    [
      'two namespaces',
      deploymentFacts({
        ...inCluster,
        workloads: ['data', 'staging'].map((namespace) => ({ ...bi, namespace })),
      }),
      [],
      'the facts are of Lightdash in several namespaces: data, staging',
    ],
    [
      'facts of compose',
      deploymentFacts({ deployment: { ...inCluster.deployment, kind: 'compose', origin: 'compose' } }),
      [],
      '--deploy helm, but the facts are of a deployment with compose',
    ],
    [
      'what is said to be compose',
      {},
      ['--fact', 'deployed-by=compose'],
      '--deploy helm, but the facts are of a deployment with compose',
    ],
  ])('refuses %s', async (_, facts, argv, message) => {
    const { code, answer } = await plan(facts, '--deploy', 'helm', ...argv);
    expect({ code, error: answer.error }).toEqual({ code: 2, error: { code: 'usage', message } });
  });

  it('takes the release that the facts name too', async () => {
    expect(await plan(told, '--deploy', 'helm', '--release', 'bi')).toMatchObject({ code: 0, stderr: '' });
  });

  const containers = [containerFact({ entrypointReplaced: true, starts: 'worker' })];
  const also = (told: Partial<WorkloadFact> & Pick<WorkloadFact, 'kind' | 'role'>) =>
    deploymentFacts({
      ...inCluster,
      workloads: [...inCluster.workloads, workloadFact({ name: 'extra', containers, ...told })],
    });
  it.each([
    [also({ kind: 'StatefulSet', role: 'worker' }), 'StatefulSet extra'],
    [also({ kind: 'DaemonSet', role: 'backend' }), 'DaemonSet extra'],
    [also({ kind: 'CronJob', role: 'migration' }), 'CronJob extra'],
    [also({ kind: 'StatefulSet', role: 'worker', replicas: 0 }), undefined],
    [also({ kind: 'CronJob', role: 'migration', suspended: true }), undefined],
    [also({ kind: 'CronJob', role: 'other' }), undefined],
    [also({ kind: 'Job', role: 'migration', hook: null }), undefined],
  ])('--deploy helm is refused where its steps would leave something running (%#)', async (facts, what) => {
    const { code, answer } = await plan(facts, '--deploy', 'helm');
    expect(code).toBe(what === undefined ? 0 : 2);
    const message = `the steps of --deploy helm stop Deployments, but ${what} would keep running`;
    expect(answer.error?.message).toBe(what && message);
  });

  const ofHelm = { deployment: inCluster.deployment, workloads: inCluster.workloads };
  const absent = (origin: 'cluster' | 'rendered') => ({
    ...deploymentFacts({ ...ofHelm, deployment: { ...inCluster.deployment, origin } }),
    helm: { status: 'absent', source: 'deployment' } as const,
  });
  const by = (appliedBy: AppliedBy) =>
    deploymentFacts({ ...inCluster, helm: { ...inCluster.helm, appliedBy } });
  it.each([
    [by('argo-cd'), 'the facts are of a release that Argo CD applies', 'they turn off automated sync'],
    [by('flux'), 'the facts are of a release that Flux applies', 'begin with flux suspend helmrelease'],
    [by('other'), 'the facts are of objects that Helm did not apply', 'apply each hop as you apply these'],
    [absent('cluster'), 'the facts are of objects that Helm did not apply', 'with the same tool: it would'],
  ])('--deploy helm is refused where a person with helm is not the owner (%#)', async (facts, what, hint) => {
    const argv = ['--deploy', 'helm', '--fact', 'deployed-by=helm'];
    const { code, answer, stderr } = await plan(facts, ...argv);
    expect({ code, error: answer.error }).toEqual({
      code: 2,
      error: { code: 'usage', message: `--deploy helm, but ${what}` },
    });
    expect(stderr).toContain(hint);
  });

  it.each([
    [by('argo-cd'), 'run the steps of hop 1.'],
    [by('flux'), 'run the steps of hop 1.'],
    [by('other'), 'apply hop 1 with the tool that applies these objects; confirm each hop before the next.'],
    [
      absent('cluster'),
      'apply hop 1 with the tool that applies these objects; confirm each hop before the next.',
    ],
  ])(
    'what comes next is nothing that is refused where a person with helm is not the owner (%#)',
    async (facts, next) => {
      const argv = ['upgrade-plan', ...span, '--index', realIndexFile, '--facts', factsFile(facts)];
      const { stdout } = await runCli(argv);
      expect(stdout).toContain(`${next}\n`);
      expect(stdout).not.toContain('--deploy');
    },
  );

  it.each([
    ['argo-cd', 'argocd app set "${APPLICATION:?set ', 'argocd app sync', 'automated'],
    ['flux', 'flux suspend helmrelease "${HELM_RELEASE:?set ', 'flux resume helmrelease', 'upgrade-verify'],
  ] as const)(
    'without --deploy, the steps of %s: pause, stop, backup, go on',
    async (owner, pause, goOn, last) => {
      const { code, block, steps, notes } = await plan(by(owner));
      expect({ code, block }).toEqual({ code: 0, block: 'undefined' });
      expect(steps.map(({ title }) => title.split(' ')[0])).toEqual([
        'Pause',
        'Stop',
        'Set',
        'Let',
        'Confirm',
      ]);
      const commands = steps.flatMap((step) => step.commands);
      expect(commands[0]).toContain(pause);
      expect(commands).toContain(
        'kubectl scale deployment bi-lightdash-backend --replicas=0 --namespace data',
      );
      expect(commands.join('\n')).toContain(goOn);
      expect(commands.at(-1)).toContain(last);
      expect(notes).toContain('examples/helm/backup.yaml.tpl');
    },
  );

  it('manifests without a label of Helm that would be applied do not tell who applies them', async () => {
    expect((await plan(absent('rendered'), '--deploy', 'helm')).code).toBe(0);
  });
});

describe('upgrade-plan --deploy compose --facts', () => {
  const path = (name: string) => join(folder, name);
  const needed = ['LIGHTDASH_SECRET', 'S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION'];
  const lightdash = {
    image: 'ghcr.io/bi/lightdash:v1.111.0-custom',
    environment: Object.fromEntries(needed.map((name) => [name, 'x'])),
  };
  const db = {
    image: 'pgvector/pgvector:pg15',
    volumes: [{ type: 'volume', source: 'db-data', target: '/var/lib/postgresql/data' }],
  };
  const prod = { name: 'deploy', services: { lightdash, worker: lightdash, db } };
  const pinned = { name: 'bi', services: { web: lightdash, jobs: lightdash } };

  beforeAll(() => {
    mkdirSync(path('deploy'));
    for (const name of ['deploy/docker-compose.yml', 'deploy/prod.yml']) writeFileSync(path(name), '');
  });

  /** The facts of a project, as docker compose reads it from the files of these names. */
  const collect = async (project: object, ...names: readonly string[]) => {
    const { facts } = await collectDeployment(
      { compose: names.map(path) },
      { env: dockerPrinting(project), stdin: noInput(), now: () => testNow },
    );
    return facts;
  };

  it('asks for nothing that the facts tell: files, project, services, image, database', async () => {
    const facts = await collect(prod, 'deploy/docker-compose.yml', 'deploy/prod.yml');
    const { code, stderr, block, steps } = await plan({ ...facts }, '--deploy', 'compose');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(asked(block)).toEqual(['LIGHTDASH_URL']);
    const named = `docker compose --file ${path('deploy/docker-compose.yml')} --file ${path('deploy/prod.yml')}`;
    expect(block).not.toMatch(/^ *cd /m);
    expect(block).toContain(`[ -n "\${COMPOSE_PROJECT_NAME:-}" ] || export COMPOSE_PROJECT_NAME=deploy\n`);
    expect(block).toContain(`\ncompose() { ${named} "$@"; }\n`);
    expect(block).toContain(`\nservices=\${LIGHTDASH_SERVICE:-lightdash worker}\n`);
    expect(block).toContain('for service in $services; do compose stop --timeout 90 "$service"; done');
    expect(block).toContain(' old=v1.111.0-custom tag=v1.115.0-custom\n');
    expect(block).toContain('compose exec -T db sh -c');
    expect(steps.flatMap(({ values }) => values ?? [])).toContainEqual({
      file: `${path('deploy/docker-compose.yml')} or ${path('deploy/prod.yml')}`,
      yaml: ['lightdash', 'worker'].reduce(
        (text, name) => `${text}  ${name}:\n    image: "ghcr.io/bi/lightdash:v1.115.0-custom"\n`,
        'services:\n',
      ),
    });
  });

  const from = (place: string) => ['--deploy', 'compose', '--from-file', `${place}#services.web.image`];

  it('a file that pins is one of those of the facts, whatever its path is', async () => {
    writeFileSync(path('pinned.yml'), 'services: {web: {image: "ghcr.io/bi/lightdash:v1.111.0-custom"}}\n');
    const facts = await collect(pinned, 'pinned.yml');
    for (const place of [path('pinned.yml'), `${folder}/./pinned.yml`]) {
      const own = await plan(facts, ...from(place), '--tag-suffix', '-custom');
      expect(own).toMatchObject({ code: 0, stderr: '' });
      expect(own.block).toContain(`\ncompose() { docker compose --file ${path('pinned.yml')} "$@"; }\n`);
      expect(own.block).toContain(`\nservices=\${LIGHTDASH_SERVICE:-web jobs}\n`);
    }
  });

  it('refuses another file than those of the facts', async () => {
    writeFileSync(path('other.yml'), 'services: {web: {image: "lightdash/lightdash:1.111.0"}}\n');
    const facts = await collect(prod, 'deploy/docker-compose.yml', 'deploy/prod.yml');
    const { code, answer } = await plan(facts, ...from(path('other.yml')));
    const all = `${path('deploy/docker-compose.yml')}, ${path('deploy/prod.yml')}`;
    const message = `${path('other.yml')} pins the version, but is not a file of the deployment: ${all}`;
    expect({ code, message: answer.error?.message }).toEqual({ code: 2, message });
  });

  it('every service that is named of the file is stopped', async () => {
    const of = (repository: string) => `{image: "${repository}:1.111.0"}`;
    writeFileSync(path('two.yml'), `services: {web: ${of('lightdash/lightdash')}, jobs: ${of('q.io/bi')}}\n`);
    writeFileSync(path('apart.yml'), `services: {apart: ${of('lightdash/lightdash')}}\n`);
    const places = ['two.yml#services.web', 'two.yml#services.jobs', 'apart.yml#services.apart'];
    const [web = '', jobs = '', apart = ''] = places.map((place) => `--from-file=${path(place)}.image`);
    const { block } = await plan({}, '--deploy', 'compose', web, jobs);
    expect(block).toContain(`\nservices=\${LIGHTDASH_SERVICE:-web jobs}\n`);
    const { code, answer } = await plan({}, '--deploy', 'compose', web, jobs, apart);
    const message = `${path('two.yml')} and ${path('apart.yml')} both pin the version, and it is not known which files are deployed`;
    expect({ code, message: answer.error?.message }).toEqual({ code: 2, message });
  });

  it('what is to be set is the variable, where the release stands in a file of variables', async () => {
    mkdirSync(path('filled'));
    writeFileSync(path('filled/compose.yaml'), 'services: {web: {image: lightdash/lightdash:v$BI-custom}}\n');
    writeFileSync(path('filled/.env'), 'SITE_URL=https://bi.example.com\nBI=1.111.0\n');
    const compose = [
      '--deploy',
      'compose',
      '--from-file',
      path('filled/compose.yaml'),
      '--tag-suffix',
      '-custom',
    ];
    const { steps, block } = await plan({}, ...compose);
    const values = steps.flatMap((step) => step.values ?? []);
    expect(values).toEqual([{ file: path('filled/.env'), yaml: 'BI=1.115.0\n' }]);
    expect(block).toContain(' setting=BI\n');
    expect(block).toContain('set $setting there first');
    const other = await plan({}, ...compose, '--compose-env-file', path('prod.env'));
    const message = `${path('filled/.env')} sets the release of ${path('filled/compose.yaml')}, but docker compose reads ${path('prod.env')} instead`;
    expect({ code: other.code, message: other.answer.error?.message }).toEqual({ code: 2, message });
  });

  it('what the file says of its services is filled in, where no docker compose reads it', async () => {
    const here = temporaryFolder();
    const file = join(here, 'compose.yaml');
    writeFileSync(
      file,
      'services:\n  bi:\n    image: ghcr.io/lightdash/lightdash:latest\n  db: {image: "postgres:16"}\n',
    );
    const argv = ['upgrade-plan', '--json', ...span, '--index', realIndexFile, '--deploy', 'compose'];
    const { stdout } = await runCli([...argv, '--compose', file], { env: { PATH: here } });
    const [hop] = JSON.parse(stdout).hops;
    const [values] = hop.steps.flatMap((step: { values?: unknown }) => step.values ?? []);
    expect(values).toEqual({
      file,
      yaml: 'services:\n  bi:\n    image: "ghcr.io/lightdash/lightdash:1.115.0"\n',
    });
    expect(hop.block).not.toContain('<your');
  });

  it('the file of variables beside one compose file is as good as that, and leads to its preflight', async () => {
    const here = temporaryFolder();
    writeFileSync(join(here, 'compose.yaml'), 'services: {web: {image: lightdash/lightdash:$BI}}\n');
    writeFileSync(join(here, '.env'), 'BI=1.111.0\n');
    const argv = [
      'upgrade-plan',
      '--from-file',
      join(here, '.env'),
      '--to',
      '1.115.0',
      '--index',
      realIndexFile,
    ];
    const { stdout } = await runCli([...argv, '--json', '--deploy', 'compose'], { env: { PATH: here } });
    const [hop] = JSON.parse(stdout).hops;
    const [values] = hop.steps.flatMap((step: { values?: unknown }) => step.values ?? []);
    expect(values).toEqual({ file: join(here, '.env'), yaml: 'BI=1.115.0\n' });
    const text = await runCli(argv);
    expect(text.stdout).toMatch(/^Answer: yes, in one step, with downtime, as always with docker compose\n/);
    expect(text.stdout).toContain(
      '(it prints the line that reads a database inside compose; for another, add --database env): lightspan ',
    );
    expect(text.stdout).toContain(`--compose ${join(here, 'compose.yaml')}; then `);
    expect(text.stdout).not.toContain('(Recreate)');
    writeFileSync(join(here, 'compose.other.yaml'), 'services: {}\n');
    expect(await runCli([...argv, '--deploy', 'compose'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not the image of a compose service'),
    });
  });

  it('a file of variables that docker compose is given pins for the compose files that are named', async () => {
    const here = temporaryFolder();
    const at = (name: string) => join(here, name);
    mkdirSync(at('envs'));
    writeFileSync(at('compose.yaml'), 'services: {web: {image: "lightdash/lightdash:$BI"}}\n');
    writeFileSync(at('envs/prod.env'), 'BI=1.111.0\nOTHER_LIGHTDASH_TAG=1.111.0\n');
    writeFileSync(at('envs/more.env'), 'BI=1.110.0\n');
    const base = ['upgrade-plan', '--to', '1.115.0', '--index', realIndexFile, '--deploy', 'compose'];
    const run = (place: string, ...argv: string[]) =>
      runCli([...base, '--from-file', at(place), ...argv], { env: { PATH: here } });
    const compose = ['--compose', at('compose.yaml')];
    const prod = ['--compose-env-file', at('envs/prod.env')];
    const { stdout } = await run('envs/prod.env#BI', ...compose, ...prod, '--json');
    const [hop] = JSON.parse(stdout).hops;
    const [values] = hop.steps.flatMap((step: { values?: unknown }) => step.values ?? []);
    expect(values).toEqual({ file: at('envs/prod.env'), yaml: 'BI=1.115.0\n' });
    expect(hop.block).toContain(`--env-file ${at('envs/prod.env')} "$@"`);

    // Another variable, or one that a later file overwrites, does not say what runs.
    const more = ['--compose-env-file', at('envs/more.env')];
    for (const [place = '', ...argv] of [
      ['envs/prod.env#OTHER_LIGHTDASH_TAG', ...compose, ...prod],
      ['envs/prod.env#BI', ...compose, ...prod, ...more],
      ['envs/prod.env#BI', ...prod],
    ])
      expect(await run(place, ...argv)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('is not the image of a compose service'),
      });
    // Without the option it is taken for that of docker compose, unless docker compose would read another.
    const alone = JSON.parse((await run('envs/prod.env#BI', ...compose, '--json')).stdout);
    expect(alone.hops[0].block).toContain(`--env-file ${at('envs/prod.env')} "$@"`);
    writeFileSync(at('.env'), 'LIGHTDASH_SECRET=x\n');
    expect(await run('envs/prod.env#BI', ...compose)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--compose-env-file ${at('envs/prod.env')}`),
    });
  });

  it('no file is named where a later one has the image without a release', async () => {
    const here = temporaryFolder();
    const files = { 'compose.yaml': '1.110.0', 'prod.yaml': 'latest' };
    for (const [name, tag] of Object.entries(files))
      writeFileSync(join(here, name), `services: {web: {image: "lightdash/lightdash:${tag}"}}\n`);
    const project = { name: 'bi', services: { web: { image: 'lightdash/lightdash:latest' } } };
    const compose = Object.keys(files).flatMap((name) => ['--compose', join(here, name)]);
    const argv = ['upgrade-plan', '--json', ...span, '--index', realIndexFile, '--deploy', 'compose'];
    const { stdout } = await runCli([...argv, ...compose], { env: dockerPrinting(project) });
    expect(JSON.parse(stdout).hops[0].block).toContain('compose.yaml or ');
  });

  it.each<[what: string, image: string, env: string, values: object]>([
    ['a variable', 'lightdash/lightdash:$BI', 'BI=1.110.0\n', { file: '.env', yaml: 'BI=1.115.0\n' }],
    [
      'a release',
      'lightdash/lightdash:1.110.0',
      '',
      {
        file: 'compose.yaml',
        yaml: 'services:\n  web:\n    image: "lightdash/lightdash:1.115.0"\n',
      },
    ],
    [
      'latest, with the image as docker compose has it',
      'lightdash/lightdash:latest',
      '',
      {
        file: 'compose.yaml',
        yaml: 'services:\n  web:\n    image: "lightdash/lightdash:1.115.0"\n',
      },
    ],
  ])(
    'where it is set is in the files, too, if --from says what runs: %s',
    async (_, image, variables, values) => {
      const here = temporaryFolder();
      writeFileSync(join(here, 'compose.yaml'), `services: {web: {image: "${image}"}}\n`);
      writeFileSync(join(here, '.env'), variables);
      const project = { name: 'bi', services: { web: { image: image.replace('$BI', '1.110.0') } } };
      const argv = ['upgrade-plan', '--json', ...span, '--index', realIndexFile, '--deploy', 'compose'];
      const { stdout } = await runCli([...argv, '--compose', join(here, 'compose.yaml')], {
        env: dockerPrinting(project),
      });
      const steps: Step[] = JSON.parse(stdout).hops[0].steps;
      const found = steps.flatMap((step) => step.values ?? []);
      expect(found.map(({ file, yaml }) => ({ file: file.slice(here.length + 1), yaml }))).toEqual([values]);
    },
  );
});
