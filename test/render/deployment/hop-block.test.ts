import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planRoute } from '../../../src/library.js';
import type { Deployment, Strategy } from '../../../src/release-safety/deployment.js';
import { renderHop } from '../../../src/render/deployment/hop-block.js';
import {
  type DeploymentFacts,
  nothingOfCompose,
  nothingOfHelm,
} from '../../../src/render/deployment/known.js';
import { placeholders } from '../../../src/render/deployment-steps.js';
import { openTerminal, type PastedInto, type StandInWorld, standIns } from '../../support/pasting.js';
import { realIndex } from '../../support/real-index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const nothingKnown: DeploymentFacts = {
  instance: undefined,
  tagOf: (version) => version,
  pinsDigest: false,
  helm: nothingOfHelm,
  compose: nothingOfCompose,
};
const composeKnown: DeploymentFacts = {
  ...nothingKnown,
  instance: { url: 'https://bi.example.com/', allowHttp: false },
  tagOf: (version) => `v${version}-custom`,
  compose: {
    ...nothingOfCompose,
    file: 'deploy/docker-compose.yml',
    services: ['lightdash', 'worker'],
    image: 'ghcr.io/bi/lightdash',
    database: 'db',
  },
};
const helmKnown: DeploymentFacts = {
  ...composeKnown,
  helm: {
    context: 'prod cluster',
    release: 'bi',
    namespace: 'data team',
    chart: 'lightdash',
    chartVersion: '2.16.284',
    valuesFile: 'values.yaml',
    valuesFiles: ['base values.yaml', 'values.yaml'],
    valuesPath: [],
    deployments: ['bi-lightdash-backend', 'bi-lightdash-worker'],
    backend: 'bi-lightdash-backend',
    autoscalers: [{ name: 'bi-lightdash', target: 'bi-lightdash-backend', min: 2, max: 5 }],
    migrationJobName: 'bi-lightdash-migrate',
    migratesAtBoot: false,
    startup: 185,
  },
};
const joined = { folder: 'deploy', files: ['docker-compose.yml', 'the prod.yml'] };
const composeJoined: DeploymentFacts = {
  ...composeKnown,
  compose: { ...composeKnown.compose, joined, project: 'bi' },
};
const helm: Deployment = { kind: 'helm', chartRecreate: 'unknown', migrationJob: true };
const compose: Deployment = { kind: 'compose' };

const spans = { Recreate: ['1.111.0', '1.115.0'], RollingUpdate: ['1.121.0', '1.123.0'] } as const;

function hopOf(strategy: Strategy, deployment: Deployment, facts: DeploymentFacts) {
  const [from, to] = spans[strategy];
  const [hop] = planRoute(realIndex(), { from, to }).hops;
  if (hop?.strategy !== strategy) throw new Error(`${from} -> ${to} is no ${strategy}`);
  return renderHop(hop, { at: 1, of: 1 }, facts, deployment);
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
  { name: 'helm', strategy: 'Recreate', deployment: helm, facts: nothingKnown },
  { name: 'helm', strategy: 'RollingUpdate', deployment: helm, facts: nothingKnown },
  { name: 'compose, nothing known', strategy: 'Recreate', deployment: compose, facts: nothingKnown },
  { name: 'compose, all known', strategy: 'Recreate', deployment: compose, facts: composeKnown },
  { name: 'compose', strategy: 'RollingUpdate', deployment: compose, facts: composeKnown },
  { name: 'helm, all known', strategy: 'Recreate', deployment: helm, facts: helmKnown },
  { name: 'compose, files joined', strategy: 'RollingUpdate', deployment: compose, facts: composeJoined },
] as const;
type Case = (typeof cases)[number];

const programs = ['docker', 'helm', 'kubectl', 'psql', 'pg_dump', 'pg_restore', 'curl', 'lightspan'];

function worldFor(
  { strategy, facts }: Pick<Case, 'strategy' | 'facts'>,
  present = programs,
  told: Partial<StandInWorld> = {},
) {
  const folder = temporaryFolder();
  const [fromVersion, toVersion] = spans[strategy];
  const { image = 'lightdash/lightdash' } = facts.compose;
  const reference = `${image}:${facts.tagOf(toVersion)}`;
  const images = ['pgvector/pgvector:pg15', reference, reference];
  const programsOf = standIns(folder, present, {
    fromVersion,
    toVersion,
    images,
    ...told,
  });
  writeFileSync(join(folder, 'values.yaml'), `image:\n  tag: "${facts.tagOf(toVersion)}"\n`);
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

const shells: PastedInto[] = [
  { shell: 'bash', as: 'paste' },
  { shell: 'bash', as: 'lines' },
  { shell: 'zsh', as: 'paste' },
  { shell: 'zsh', as: 'lines' },
  { shell: 'dash', as: 'lines' },
];

describe.each(shells)('pasted into $shell as $as', (into) => {
  // What a shell makes of the commands does not hang on how they reach it.
  const pasted = into.as === 'lines' && into.shell !== 'dash' ? cases.slice(2, 3) : cases;

  it.each(pasted)('$name, $strategy: ends at the first failure, whichever it is', async (one) => {
    const { block } = hopOf(one.strategy, one.deployment, one.facts);
    const world = worldFor(one);
    const terminal = await openTerminal(into, world.folder, { PATH: world.path, ...told });
    expect(await terminal.paste(block)).toMatch(/^Done\.$/m);
    const all = world.calls();
    expect(all.length).toBeGreaterThan(5);
    for (const [i, call] of all.entries()) {
      // Whether the repository is there already may well be a no.
      if (call === 'helm <repo> <list>') continue;
      world.reset({ call: i + 1, how: 'fail' });
      const screen = await terminal.paste(block);
      expect(world.calls().map(anySecond), `after ${call}`).toEqual(all.slice(0, i + 1).map(anySecond));
      expect(screen).toMatch(/^Stopped in step \d of \d; nothing after it was run\./m);
      expect(screen).not.toMatch(/^Done\.$/m);
    }
    await terminal.close();
  });

  it.each(pasted)('$name, $strategy: asks for what is not set before anything is run', async (one) => {
    const { block } = hopOf(one.strategy, one.deployment, one.facts);
    const asked = Object.keys(told).filter((name) => block.includes(`"\${${name}:?`));
    const left = one.facts === helmKnown ? ['PGHOST', 'PGUSER', 'PGDATABASE'] : [];
    expect(asked).toEqual(one.facts === nothingKnown ? expect.arrayContaining(['LIGHTDASH_URL']) : left);
    const world = worldFor(one);
    const terminal = await openTerminal(into, world.folder, { PATH: world.path, ...told });
    for (const name of asked) {
      await terminal.paste(`kept=$${name}; unset ${name}\n`);
      expect(await terminal.paste(block)).toMatch(new RegExp(`${name}: set `));
      expect(world.calls()).toEqual([]);
      await terminal.paste(`export ${name}="$kept"\n`);
    }
    await terminal.close();
  });

  it.each(['hang', 'hang, and say 1'] as const)('Ctrl-C ends it where a program would %s', async (how) => {
    const [one] = cases;
    const { block } = hopOf(one.strategy, one.deployment, one.facts);
    const world = worldFor(one);
    const terminal = await openTerminal(into, world.folder, { PATH: world.path, ...told });
    // The scaling down: its output is on the screen.
    world.reset({ call: 9, how });
    await terminal.interrupt(block, 'HANGS\r\n');
    expect(world.calls()).toHaveLength(9);
    await terminal.close();
  });

  it('two hops pasted at once: the second does not begin where the first ended early', async () => {
    const one = cases[2];
    const { block } = hopOf('Recreate', compose, nothingKnown);
    const [next] = planRoute(realIndex(), { from: '1.115.0', to: '1.121.0' }).hops;
    if (next === undefined) throw new Error('no second hop');
    const second = renderHop(next, { at: 2, of: 2 }, nothingKnown, compose);
    const world = worldFor(one);
    const terminal = await openTerminal(into, world.folder, { PATH: world.path, ...told });
    world.reset({ call: 4, how: 'fail' });
    const screen = await terminal.paste(block + second.block);
    expect(screen).toContain('Lightdash does not report 1.115.0, the version that this hop starts from');
    expect(
      world
        .calls()
        .slice(4)
        .map((call) => call.split(' ')[0]),
    ).toEqual(['curl']);
    await terminal.close();
  });
});

describe('a hop, run as a script', () => {
  const recreate = cases[3];
  const script = hopOf('Recreate', compose, composeKnown).script;

  it.each(cases)('$name, $strategy: goes to the end, and leaves a dump that was looked into', (one) => {
    const world = worldFor(one);
    const { status, stderr } = runScript(hopOf(one.strategy, one.deployment, one.facts).script.text, world);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const folder =
      one.deployment === compose && one.facts !== nothingKnown ? join(world.folder, 'deploy') : world.folder;
    const dumps = readdirSync(folder).filter((file) => file.includes('dump'));
    expect(dumps).toEqual([
      expect.stringMatching(new RegExp(`^lightdash-${spans[one.strategy][0]}-\\d{8}T\\d{6}Z\\.dump$`)),
    ]);
    expect(statSync(join(folder, dumps[0] ?? '')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, dumps[0] ?? ''), 'utf8')).toContain('PGDMP');
  });

  it('stops by name what was seen, and waits for the pods that each of it selects', () => {
    const world = worldFor({ strategy: 'Recreate', facts: helmKnown });
    const { calls } = runScript(hopOf('Recreate', helm, helmKnown).script.text, world);
    const of = '<--namespace> <data team>';
    const [backend, worker] = ['<bi-lightdash-backend>', '<bi-lightdash-worker>'];
    const labels = `<--output> <go-template={{range $k, $v := .spec.selector.matchLabels}}{{$k}}={{$v}},{{end}}>`;
    const gone = `<wait> <--for=delete> <pod> ${of} <--selector> <app=lightdash> <--field-selector> <status.phase!=Succeeded,status.phase!=Failed> <--timeout=10m>`;
    expect(calls.filter((call) => call.startsWith('kubectl'))).toEqual(
      [
        '<config> <current-context>',
        `<get> <horizontalpodautoscaler> <bi-lightdash> ${of} <--ignore-not-found> <--output> <yaml>`,
        `<delete> <horizontalpodautoscaler> <bi-lightdash> ${of} <--ignore-not-found>`,
        `<scale> <deployment> ${backend} ${worker} ${of} <--replicas=0>`,
        `<get> <deployment> ${backend} ${of} ${labels}`,
        gone,
        `<get> <deployment> ${worker} ${of} ${labels}`,
        gone,
        `<get> <deployment> ${backend} ${of} <--output> <jsonpath={.spec.replicas}>`,
        `<scale> <deployment> ${backend} ${of} <--replicas=1>`,
        `<rollout> <status> <deployment> ${backend} ${of}`,
        `<rollout> <status> <deployment> ${worker} ${of}`,
      ].map((call) => `kubectl ${call}`),
    );
    expect(calls.filter((call) => call.startsWith('helm <upgrade>'))).toEqual(
      ['<--dry-run>', '<--timeout> <24h>'].map(
        (end) =>
          `helm <upgrade> <bi> <lightdash/lightdash> ${of} <--version> <2.16.284> <--values> <base values.yaml> <--values> <values.yaml> <--set-string> <image.tag=v1.115.0-custom> <--set-string> <upgrade.mode=Recreate> ${end}`,
      ),
    );
  });

  it('does nothing at another context of kubectl than that of the facts, unless it is told what it is called', () => {
    const elsewhere = { ...helmKnown, helm: { ...helmKnown.helm, context: 'the cluster' } };
    const world = worldFor({ strategy: 'Recreate', facts: elsewhere });
    const { text } = hopOf('Recreate', helm, elsewhere).script;
    const { status, stderr, calls } = runScript(text, world);
    expect({ status, calls }).toEqual({ status: 1, calls: ['kubectl <config> <current-context>'] });
    expect(stderr).toContain("kubectl config use-context 'the cluster', or set KUBE_CONTEXT");
    expect(runScript(text, world, { ...told, KUBE_CONTEXT: 'prod cluster' })).toMatchObject({ status: 0 });
  });

  it.each([
    [{ HELM_KUBECONTEXT: 'prod cluster' }, 0],
    [{ HELM_KUBECONTEXT: 'staging' }, 1],
    [{ HELM_KUBEAPISERVER: 'https://staging.example.com' }, 1],
    [{ HELM_KUBECONTEXT: 'prod cluster', HELM_KUBEAPISERVER: 'https://staging.example.com' }, 1],
  ])('does nothing where helm is told of another cluster than kubectl: %j', (env, expected) => {
    for (const facts of [nothingKnown, helmKnown]) {
      const world = worldFor({ strategy: 'Recreate', facts });
      const { text } = hopOf('Recreate', helm, facts).script;
      const { status, stderr, calls } = runScript(text, world, { ...told, ...env });
      expect(status).toBe(expected);
      if (expected === 0) continue;
      expect(new Set(calls)).toEqual(new Set(['kubectl <config> <current-context>']));
      expect(stderr).toContain('unset HELM_KUBECONTEXT and HELM_KUBEAPISERVER');
    }
  });

  it('says above its commands what speaks against it, and what is to be done first', () => {
    const [hop] = planRoute(realIndex(), { from: '1.111.0', to: '1.115.0' }).hops;
    if (hop === undefined) throw new Error('no hop');
    const issue = {
      ...{ id: 'an-issue', summary: 'It breaks.', version: hop.toVersion },
      ...{ effect: { kind: 'action-first' as const }, remedy: 'Mend it first.', notKnown: [] },
    };
    const held = { ...hop, certified: false, knownIssues: [issue] };
    const { script } = renderHop(held, { at: 1, of: 1 }, nothingKnown, compose);
    expect(script.text.split('\n').slice(2, 4)).toEqual([
      '# NOT CERTIFIED: read the release notes and test on a copy first.',
      '# Hop 1 is not certified: 1.115.0 has the known issue an-issue: It breaks; what to do: Mend it first.',
    ]);
  });

  it('is named by its place and its ends', () => {
    expect(script.name).toBe('hop-1-1.111.0-to-1.115.0.sh');
  });

  it('goes on with the step that it is told, and says which that is', () => {
    const world = worldFor(recreate);
    world.reset({ call: 11, how: 'fail' });
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
    const world = worldFor(recreate, programs, { dumped });
    const { status, stderr, calls } = runScript(script.text, world);
    expect(status).toBe(1);
    expect(stderr).toContain('the dump has no table knex_migrations');
    expect(calls.at(-1)).toContain('<pg_restore> <--list>');
    expect(readdirSync(join(world.folder, 'deploy'))).toEqual([expect.stringMatching(/\.dump\.part$/)]);
  });

  it('overwrites no dump, even one of the same second', () => {
    const world = worldFor(recreate);
    const stopped = script.text.replace('$(date -u +%Y%m%dT%H%M%SZ)', 'now');
    writeFileSync(join(world.folder, 'deploy', 'lightdash-1.111.0-now.dump.part'), 'older');
    expect(runScript(stopped, world).status).not.toBe(0);
    expect(readFileSync(join(world.folder, 'deploy', 'lightdash-1.111.0-now.dump.part'), 'utf8')).toBe(
      'older',
    );
  });

  it('stops nothing where compose runs nothing of it: another project, another host, or Swarm', () => {
    const world = worldFor(recreate, programs, { running: '' });
    const { status, stderr, calls } = runScript(script.text, world);
    expect(status).toBe(1);
    expect(stderr).toContain('docker compose runs nothing of this project here');
    expect(calls.at(-1)).toBe('docker <compose> <ps> <--quiet>');
  });

  it('a service whose tag was forgotten stops it before anything is pulled', () => {
    const world = worldFor(recreate);
    const forgotten = { ...recreate.facts, compose: { ...composeKnown.compose, services: ['a', 'b', 'c'] } };
    const { text } = hopOf('Recreate', compose, forgotten).script;
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
      '8/8 Confirm that 1.115.0 is running before you go on\nNot yet; trying again in 10 seconds\n',
    );
  });

  it.each(cases)('$name, $strategy: shellcheck has nothing to say', (one) => {
    const { block, script } = hopOf(one.strategy, one.deployment, one.facts);
    for (const input of [script.text, `#!/bin/sh\n${block}`]) {
      const { stdout, status } = spawnSync('shellcheck', ['--exclude=SC2016', '-'], { input });
      expect(String(stdout)).toBe('');
      expect(status).toBe(0);
    }
  });

  it('every placeholder has been seen', () => {
    const umbrella = { ...nothingKnown, helm: { ...nothingOfHelm, valuesPath: ['lightdash'] } };
    const texts = [helm, compose].map((deployment) => hopOf('Recreate', deployment, nothingKnown).block);
    const all = [...texts, hopOf('Recreate', helm, umbrella).block].join('');
    for (const name of Object.keys(placeholders)) expect(all).toContain(`: "\${${name}:?set `);
  });
});
