import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Strategy } from '../../src/core/span.js';
import { type Deployment, deploymentOf } from '../../src/instance/deployment.js';
import { planRoute } from '../../src/library/library.js';
import { renderHop } from '../../src/steps/hop-block.js';
import { nameOfImage, placeholders } from '../../src/steps/steps.js';
import { inCluster } from '../support/deployment.js';
import { openTerminal, type PastedInto, type StandInWorld, standIns } from '../support/pasting.js';
import { realIndex } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What is known of a deployment, and of the instance. */
interface Known {
  readonly deployment: Deployment;
  readonly url?: string;
}

const nothing = { ...deploymentOf({}), migrationJob: true };
const tagged = {
  ...{ tagPrefix: 'v', tagSuffix: '-custom' },
  image: { registry: 'ghcr.io', repository: 'bi/lightdash', tag: 'v1.111.0-custom', digest: null },
};
const url = 'https://bi.example.com/';
const helm: Known = { deployment: { ...nothing, kind: 'helm' } };
const compose: Known = { deployment: { ...nothing, kind: 'compose' } };
const composeKnown: Known = {
  url,
  deployment: {
    ...compose.deployment,
    ...tagged,
    file: 'deploy/docker-compose.yml',
    files: ['deploy/docker-compose.yml'],
    folder: 'deploy',
    services: ['lightdash', 'worker'],
    database: 'db',
  },
};
const helmKnown: Known = {
  url,
  deployment: {
    ...helm.deployment,
    ...tagged,
    context: 'prod cluster',
    release: 'bi',
    namespace: 'data team',
    chart: 'lightdash',
    chartVersion: '2.16.284',
    file: 'values.yaml',
    files: ['base values.yaml', 'values.yaml'],
    deployments: ['bi-lightdash-backend', 'bi-lightdash-worker'],
    backend: 'bi-lightdash-backend',
    database: 'statefulset/bi-postgresql',
    autoscalers: inCluster.autoscalers.slice(0, 1),
    migrationJobName: 'bi-lightdash-migrate',
    startup: 185,
  },
};
const composeJoined: Known = {
  url,
  deployment: {
    ...composeKnown.deployment,
    folder: undefined,
    files: ['deploy/docker-compose.yml', 'deploy/the prod.yml'],
    envFiles: ['deploy/prod.env'],
    project: 'bi',
  },
};

const spans = { Recreate: ['1.111.0', '1.115.0'], RollingUpdate: ['1.121.0', '1.123.0'] } as const;

function hopOf(strategy: Strategy, { deployment, url }: Known) {
  const [from, to] = spans[strategy];
  const [hop] = planRoute(realIndex(), { from, to }).hops;
  if (hop?.strategy !== strategy) throw new Error(`${from} -> ${to} is no ${strategy}`);
  const instance = url === undefined ? undefined : { url, allowHttp: false };
  return renderHop(hop, { at: 1, of: 1 }, deployment, instance);
}

const told = {
  LIGHTDASH_URL: 'https://bi.example.com/',
  NAMESPACE: 'bi',
  RELEASE: 'ld',
  VALUES_FILE: 'values.yaml',
  CHART_VERSION: '2.16.284',
  LIGHTDASH_SERVICE: 'lightdash',
  PGHOST: 'db.example.com',
  PGUSER: 'lightdash',
  PGDATABASE: 'lightdash',
};

const cases = [
  { name: 'helm', strategy: 'Recreate', facts: helm },
  { name: 'helm', strategy: 'RollingUpdate', facts: helm },
  { name: 'compose, nothing known', strategy: 'Recreate', facts: compose },
  { name: 'compose, all known', strategy: 'Recreate', facts: composeKnown },
  { name: 'compose', strategy: 'RollingUpdate', facts: composeKnown },
  { name: 'helm, all known', strategy: 'Recreate', facts: helmKnown },
  { name: 'compose, files joined', strategy: 'RollingUpdate', facts: composeJoined },
] as const;
type Case = (typeof cases)[number];

const programs = ['docker', 'helm', 'kubectl', 'psql', 'pg_dump', 'pg_restore', 'curl', 'lightspan'];

function worldFor(
  { strategy, facts }: { readonly strategy: Strategy; readonly facts: Known },
  present = programs,
  told: Partial<StandInWorld> = {},
) {
  const folder = temporaryFolder();
  const [fromVersion, toVersion] = spans[strategy];
  const { image, tagPrefix, tagSuffix } = facts.deployment;
  const reference = `${nameOfImage(image) ?? 'lightdash/lightdash'}:${tagPrefix}${toVersion}${tagSuffix}`;
  const images = ['pgvector/pgvector:pg15', reference, reference];
  const programsOf = standIns(folder, present, {
    ...{ fromVersion, toVersion, images },
    rendered: `Service  \nDeployment ${strategy} ${reference}`,
    ...told,
  });
  spawnSync('mkdir', ['deploy'], { cwd: folder });
  return { folder, ...programsOf };
}

const anySecond = (call: string) => call.replace(/\d{8}T\d{6}Z/, '<now>');

/** As a script, in a shell that is not interactive. */
function runScript(
  text: string,
  world: ReturnType<typeof worldFor>,
  env: object = told,
  step: string[] = [],
) {
  writeFileSync(join(world.folder, 'hop.sh'), text);
  const { status, stdout, stderr } = spawnSync('sh', ['hop.sh', ...step], {
    cwd: world.folder,
    env: { PATH: world.path, ...env },
  });
  return { status, stdout: String(stdout), stderr: String(stderr), calls: world.calls() };
}

/** A hop with Recreate, run as a script. */
function runHop(facts: Known, env: object = {}, seen: Partial<StandInWorld> = {}) {
  const world = worldFor({ strategy: 'Recreate', facts }, programs, seen);
  return { world, ...runScript(hopOf('Recreate', facts).script.text, world, { ...told, ...env }) };
}

/** A hop to paste, and a terminal for as long as the test. */
async function opened(into: PastedInto, { strategy, facts }: Case) {
  const world = worldFor({ strategy, facts });
  const terminal = await openTerminal(into, world.folder, { PATH: world.path, ...told });
  onTestFinished(() => terminal.close());
  return { block: hopOf(strategy, facts).block, world, terminal };
}

const shells: PastedInto[] = [
  { shell: 'bash', as: 'paste' },
  { shell: 'bash', as: 'lines' },
  { shell: 'zsh', as: 'paste' },
  { shell: 'zsh', as: 'lines' },
  { shell: 'dash', as: 'lines' },
];

describe.each(shells)('pasted into $shell as $as', (into) => {
  // What a shell makes of the commands does not hang on how they reach it; all of them have been seen in one.
  const isFirst = into === shells[0];
  const pasted = cases.filter(({ name }) => isFirst || /^(?:compose, nothing|helm, all) known$/.test(name));

  it.each(pasted)(
    '$name, $strategy: ends at the first failure, whichever it is',
    async (one) => {
      const { block, world, terminal } = await opened(into, one);
      const whole = await terminal.paste(block);
      expect(whole).toMatch(/^Done\.$/m);
      expect(whole).not.toContain('unexpected EOF');
      const all = world.calls();
      expect(all.length).toBeGreaterThan(5);
      for (const [i, call] of all.entries()) {
        // Whether the repository is there already may well be a no, and a difference is one.
        if (call === 'helm <repo> <list>' || call.startsWith('kubectl <diff>')) continue;
        world.reset({ call: i + 1, how: 'fail' });
        const screen = await terminal.paste(block);
        expect(world.calls().map(anySecond), `after ${call}`).toEqual(all.slice(0, i + 1).map(anySecond));
        expect(screen).toMatch(/^Stopped in step \d of \d; nothing after it was run\./m);
        expect(screen).not.toMatch(/^Done\.$/m);
      }
    },
    60_000,
  );

  it.each(pasted)('$name, $strategy: asks for what is not set before anything is run', async (one) => {
    const { block, world, terminal } = await opened(into, one);
    const asked = Object.keys(told).filter((name) => block.includes(`"\${${name}:?`));
    expect(asked).toEqual(one.facts.url === undefined ? expect.arrayContaining(['LIGHTDASH_URL']) : []);
    for (const name of asked) {
      await terminal.paste(`kept=$${name}; unset ${name}\n`);
      expect(await terminal.paste(block)).toMatch(new RegExp(`${name}: set `));
      expect(world.calls()).toEqual([]);
      await terminal.paste(`export ${name}="$kept"\n`);
    }
  });

  it.each(['hang', 'hang, and say 1'] as const)('Ctrl-C ends it where a program would %s', async (how) => {
    const { block, world, terminal } = await opened(into, cases[0]);
    // The scaling down: its output is on the screen.
    world.reset({ call: 12, how });
    await terminal.interrupt(block, 'HANGS\r\n');
    expect(world.calls()).toHaveLength(12);
  });

  it('two hops pasted at once: the second does not begin where the first ended early', async () => {
    const { block, world, terminal } = await opened(into, cases[2]);
    const [next] = planRoute(realIndex(), { from: '1.115.0', to: '1.121.0' }).hops;
    if (next === undefined) throw new Error('no second hop');
    const second = renderHop(next, { at: 2, of: 2 }, compose.deployment, undefined);
    world.reset({ call: 4, how: 'fail' });
    const screen = await terminal.paste(block + second.block);
    expect(screen).toContain('Lightdash does not report 1.115.0, where this hop starts');
    expect(
      world
        .calls()
        .slice(4)
        .map((call) => call.split(' ')[0]),
    ).toEqual(['curl']);
  });
});

describe('a hop, run as a script', () => {
  const recreate = cases[3];
  const script = hopOf('Recreate', composeKnown).script;

  it.each(cases)('$name, $strategy: goes to the end, and leaves a dump that was looked into', (one) => {
    const world = worldFor(one);
    const { status, stderr } = runScript(hopOf(one.strategy, one.facts).script.text, world);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const folder = join(world.folder, one.facts.deployment.folder ?? '.');
    const dumps = readdirSync(folder).filter((file) => file.includes('dump'));
    expect(dumps).toEqual([
      expect.stringMatching(new RegExp(`^lightdash-${spans[one.strategy][0]}-\\d{8}T\\d{6}Z\\.dump$`)),
    ]);
    expect(statSync(join(folder, dumps[0] ?? '')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, dumps[0] ?? ''), 'utf8')).toContain('PGDMP');
  });

  it('stops by name what was seen, and waits for the pods that each of it selects', () => {
    const { calls } = runHop(helmKnown);
    expect(calls.filter((call) => /^(?:kubectl|helm <(?:upgrade|template)>)/.test(call))).toMatchSnapshot();
  });

  it('does nothing at another context of kubectl than that of the facts, unless it is told what it is called', () => {
    const elsewhere = { ...helmKnown, deployment: { ...helmKnown.deployment, context: 'the cluster' } };
    const { status, stderr, calls } = runHop(elsewhere);
    expect({ status, calls }).toEqual({ status: 1, calls: ['kubectl <config> <current-context>'] });
    expect(stderr).toContain("kubectl config use-context 'the cluster', or set KUBE_CONTEXT");
    expect(runHop(elsewhere, { KUBE_CONTEXT: 'prod cluster' })).toMatchObject({ status: 0 });
  });

  it.each([
    [{ HELM_KUBECONTEXT: 'prod cluster' }, 0],
    [{ HELM_KUBECONTEXT: 'staging' }, 1],
    [{ HELM_KUBEAPISERVER: 'https://staging.example.com' }, 1],
    [{ HELM_KUBECONTEXT: 'prod cluster', HELM_KUBEAPISERVER: 'https://staging.example.com' }, 1],
  ])('does nothing where helm is told of another cluster than kubectl: %j', (env, expected) => {
    for (const facts of [helm, helmKnown]) {
      const { status, stderr, calls } = runHop(facts, env);
      expect(status).toBe(expected);
      if (expected === 0) continue;
      expect(new Set(calls)).toEqual(new Set(['kubectl <config> <current-context>']));
      expect(stderr).toContain('unset HELM_KUBECONTEXT and HELM_KUBEAPISERVER');
    }
  });

  it.each([
    ['another tag', 'Deployment Recreate lightdash/lightdash:v1.114.0-custom', 'no image with the tag'],
    ['a longer tag', 'Deployment Recreate lightdash/lightdash:v1.115.0-custom-2', 'no image with the tag'],
    ['a worker that rolls', 'Deployment  a:v1.115.0-custom sidecar:1', 'does not deploy with Recreate'],
  ])('stops before anything stops where the chart would deploy %s', (_, rendered, said) => {
    const { status, stderr, calls } = runHop(helmKnown, {}, { rendered });
    expect(status).toBe(1);
    expect(stderr).toContain(`the chart with values.yaml ${said.startsWith('no') ? 'deploys ' : ''}${said}`);
    expect(calls.at(-1)).toContain('kubectl <label> <--local>');
  });

  it('goes on with the step that it is told, and says which that is', () => {
    const world = worldFor(recreate);
    world.reset({ call: 12, how: 'fail' });
    const failed = runScript(script.text, world);
    expect(failed.calls.at(-1)).toBe('docker <compose> <up> <--detach>');
    expect(failed.status).toBe(1);
    expect(failed.stderr).toBe(
      'Stopped in step 7 of 8; nothing after it was run. Once that is fixed, run: sh hop.sh 7.\n',
    );
    world.reset();
    expect(runScript(script.text, world, told, ['7'])).toMatchObject({
      status: 0,
      calls: [
        'docker <compose> <up> <--detach>',
        'lightspan <upgrade-verify> <--instance> <https://bi.example.com/> <--version> <1.115.0> <--window> <24h>',
      ],
    });
  });

  it.each(['0', '9', '10', '', 'x', '-1', '1 '])('refuses to begin with step %j', (step) => {
    const world = worldFor(recreate);
    expect(runScript(script.text, world, told, [step])).toMatchObject({
      status: step === '' ? 0 : 2,
      calls: step === '' ? expect.any(Array) : [],
    });
  });

  it.each([
    ['of another database', '3456; 0 16412 TABLE DATA public orders postgres'],
    ['without data', '215; 1259 16412 TABLE public knex_migrations postgres'],
    ['of a table that is named alike', '3456; 0 16412 TABLE DATA public knex_migrations_lock postgres'],
  ])('a dump %s is no backup', (_, dumped) => {
    const { world, status, stderr, calls } = runHop(composeKnown, {}, { dumped });
    expect(status).toBe(1);
    expect(stderr).toContain('the dump has no table knex_migrations');
    expect(calls.at(-1)).toContain('<pg_restore> <--file=/dev/null>');
    expect(readdirSync(join(world.folder, 'deploy'))).toEqual([expect.stringMatching(/\.dump\.part$/)]);
  });

  it('overwrites no dump, even one of the same second', () => {
    const world = worldFor(recreate);
    const stopped = script.text.replace('$(date -u +%Y%m%dT%H%M%SZ)', 'now');
    const older = join(world.folder, 'deploy', 'lightdash-1.111.0-now.dump.part');
    writeFileSync(older, 'older');
    expect(runScript(stopped, world).status).not.toBe(0);
    expect(readFileSync(older, 'utf8')).toBe('older');
  });

  it('stops nothing where compose runs nothing of it: another project, another host, or Swarm', () => {
    const { status, stderr, calls } = runHop(composeKnown, {}, { running: '' });
    expect(status).toBe(1);
    expect(stderr).toContain('docker compose runs nothing of this project here');
    expect(calls.at(-1)).toBe('docker <compose> <ps> <--quiet>');
  });

  it('a service whose tag was forgotten stops it before anything is pulled', () => {
    const world = worldFor(recreate);
    const forgotten = { url, deployment: { ...composeKnown.deployment, services: ['a', 'b', 'c'] } };
    const { text } = hopOf('Recreate', forgotten).script;
    const { status, stderr, calls } = runScript(text, world);
    expect(status).toBe(1);
    expect(stderr).toContain('does not have v1.115.0-custom at every service of Lightdash');
    expect(calls.at(-1)).toBe('docker <compose> <config> <--images>');
  });

  it('without lightspan it asks until the version itself answers, not the newest there is', () => {
    const world = worldFor(
      recreate,
      programs.filter((program) => program !== 'lightspan'),
    );
    // The health answer names 1.115.0 as the newest release all along.
    expect(runScript(script.text, world)).toMatchObject({ status: 0, stderr: '' });
    expect(world.calls().at(-1)).toContain('curl <--fail>');
    world.reset();
    const { stdout } = spawnSync('timeout', ['2', 'sh', 'hop.sh', '8'], {
      cwd: world.folder,
      env: { PATH: world.path, ...told },
    });
    expect(String(stdout)).toBe(
      '8/8 Confirm that 1.115.0 is running before you continue\nNot yet; trying again in 10 seconds\n',
    );
  });

  it.each(cases)('$name, $strategy: shellcheck has nothing to say', (one) => {
    const { block, script } = hopOf(one.strategy, one.facts);
    for (const input of [script.text, `#!/bin/sh\n${block}`]) {
      const { stdout, status } = spawnSync('shellcheck', ['--exclude=SC2016', '-'], { input });
      expect(String(stdout)).toBe('');
      expect(status).toBe(0);
    }
  });

  it('every placeholder has been seen', () => {
    const umbrella = { deployment: { ...helm.deployment, valuesPath: ['lightdash'] } };
    const all = [helm, compose, umbrella].map((known) => hopOf('Recreate', known).block).join('');
    for (const name of Object.keys(placeholders)) expect(all).toContain(`: "\${${name}:?set `);
  });
});
