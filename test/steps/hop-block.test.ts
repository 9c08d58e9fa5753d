import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Strategy } from '../../src/core/span.js';
import {
  type ComposeDeployment,
  type Deployment,
  deploymentOf,
  type HelmDeployment,
} from '../../src/instance/deployment.js';
import { planRoute } from '../../src/library/library.js';
import { libraryFor, renderHop } from '../../src/steps/hop-block.js';
import { nameOfImage, placeholders } from '../../src/steps/tool.js';
import { inCluster } from '../support/deployment.js';
import { openTerminal, type PastedInto, type StandInWorld, standIns } from '../support/pasting.js';
import { realIndex } from '../support/real-index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What is known of a deployment, and of the instance. */
interface Known<Of extends Deployment = Deployment> {
  readonly deployment: Of;
  readonly url?: string;
}

const nothing = deploymentOf({});
const tagged = {
  ...{ tagPrefix: 'v', tagSuffix: '-custom' },
  image: { registry: 'ghcr.io', repository: 'bi/lightdash', tag: 'v1.111.0-custom', digest: null },
};
const url = 'https://bi.example.com/';
const helm: Known<HelmDeployment> = { deployment: { ...nothing.helm, migrationJob: true } };
const compose: Known<ComposeDeployment> = { deployment: nothing.compose };
const composeKnown: Known<ComposeDeployment> = {
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
const helmKnown: Known<HelmDeployment> = {
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
const composeJoined: Known<ComposeDeployment> = {
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

const programs = [
  ...['docker', 'helm', 'kubectl', 'curl', 'lightspan'],
  ...['psql', 'pg_dump', 'pg_dumpall', 'pg_restore'],
];

/** What is told of that which is not known. */
function toldOf({ deployment }: Known): Record<string, string> {
  const { LIGHTDASH_SERVICE, ...others } = told;
  const isNamed = deployment.kind === 'compose' && deployment.services.length > 0;
  return isNamed ? others : { ...others, LIGHTDASH_SERVICE };
}

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
  const known =
    facts.deployment.kind === 'compose' ? facts.deployment.services : facts.deployment.deployments;
  const programsOf = standIns(folder, present, {
    ...{ fromVersion, toVersion, images },
    workloads: known.length > 0 ? known : ['lightdash'],
    image: [`${nameOfImage(image) ?? 'lightdash/lightdash'}:${tagPrefix}`, tagSuffix],
    rendered: `Service  \nDeployment ${strategy} ${reference}`,
    ...told,
  });
  spawnSync('mkdir', ['deploy'], { cwd: folder });
  return { folder, ...programsOf };
}

interface ScriptRun {
  readonly strategy?: Strategy;
  readonly env?: object;
  readonly words?: readonly string[];
  readonly shell?: string;
}

/** As a script, in a shell that is not interactive. */
function runScript(
  known: Known,
  world: ReturnType<typeof worldFor>,
  { strategy = 'Recreate', env = toldOf(known), words = ['--yes'], shell = 'sh' }: ScriptRun = {},
) {
  const { script } = hopOf(strategy, known);
  const library = libraryFor(known.deployment);
  writeFileSync(join(world.folder, 'hop.sh'), script.text);
  writeFileSync(join(world.folder, library.name), library.text);
  const [program = 'sh', ...before] = shell.split(' ');
  const { status, stdout, stderr } = spawnSync(program, [...before, 'hop.sh', ...words], {
    cwd: world.folder,
    env: { PATH: world.path, HOME: world.folder, ...env },
  });
  return { status, stdout: String(stdout), stderr: String(stderr), calls: world.calls() };
}

/** A hop with Recreate, run as a script. */
function runHop(facts: Known, env: object = {}, seen: Partial<StandInWorld> = {}) {
  const world = worldFor({ strategy: 'Recreate', facts }, programs, seen);
  return { world, ...runScript(facts, world, { env: { ...toldOf(facts), ...env } }) };
}

/** A hop to paste, and a terminal for as long as the test. */
async function opened(into: PastedInto, { strategy, facts }: Case) {
  const world = worldFor({ strategy, facts });
  const terminal = await openTerminal(into, world.folder, {
    PATH: world.path,
    HOME: world.folder,
    ...toldOf(facts),
  });
  onTestFinished(() => terminal.close());
  const { functions, commands } = hopOf(strategy, facts);
  await terminal.paste(functions);
  // What it asks at a terminal has a test of its own.
  return { block: commands.replace('yes=no', 'yes=yes'), world, terminal };
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
    '$name, $strategy: ends at a failure, whichever it is',
    async (one) => {
      const { block, world, terminal } = await opened(into, one);
      const whole = await terminal.paste(block);
      expect(whole).toMatch(/^Done\.$/m);
      expect(whole).not.toMatch(/unexpected EOF|not found|syntax/i);
      const all = world.calls();
      expect(all.length).toBeGreaterThan(20);
      const numbered = all.map((call, i) => ({ call, i })).filter(({ call }) => !mayFail.test(call));
      const step = isFirst && one.name === 'compose, all known' ? 1 : 7;
      for (const { call, i } of numbered.filter((_, n) => n % step === 0)) {
        world.reset({ call: i + 1, how: 'fail' });
        const screen = await terminal.paste(block);
        expect(screen, call).toMatch(/^Stopped in step \d of \d; nothing after it was run\./m);
        expect(screen, call).not.toMatch(/^Done\.$/m);
        expect(world.calls().length, call).toBeLessThan(i + 8);
      }
    },
    120_000,
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

  it('without its functions does nothing, and says what is missing', async () => {
    const { world, terminal } = await opened(into, cases[2]);
    const { commands, back } = hopOf('Recreate', helm);
    for (const block of [commands, back.commands])
      expect(await terminal.paste(block)).toContain('Paste the functions of this plan first.');
    expect(world.calls()).toEqual([]);
  });

  it.each(['hang', 'hang, and say 1'] as const)('Ctrl-C ends it where a program would %s', async (how) => {
    const { block, world, terminal } = await opened(into, cases[0]);
    await terminal.paste(block);
    const stop = world.calls().findIndex((call) => call.startsWith('kubectl <scale>')) + 1;
    // The scaling down: its output is on the screen.
    world.reset({ call: stop, how });
    await terminal.interrupt(block, 'HANGS\r\n');
    expect(world.calls()).toHaveLength(stop);
  });

  it('two hops pasted at once: the second does not begin where the first ended early', async () => {
    const { block, world, terminal } = await opened(into, cases[2]);
    const [next] = planRoute(realIndex(), { from: '1.115.0', to: '1.121.0' }).hops;
    if (next === undefined) throw new Error('no second hop');
    const second = renderHop(next, { at: 2, of: 2 }, compose.deployment, undefined);
    await terminal.paste(block);
    const pull = world.calls().findIndex((call) => call.includes('<pull>')) + 1;
    world.reset({ call: pull, how: 'fail' });
    const screen = await terminal.paste(block + second.commands);
    expect(screen).toContain('does not report 1.115.0, where this hop starts');
  });

  it('asks before it goes on, and a yes is a whole word', async () => {
    const { world, terminal } = await opened(into, cases[2]);
    const { commands } = hopOf('Recreate', compose);
    for (const [typed, said] of [
      ['y', 'Nothing was done.'],
      ['yes', 'Done.'],
    ] as const) {
      world.reset();
      expect(await terminal.answer(commands, 'Type yes to go on: ', typed)).toContain(said);
    }
  });
});

/** What is asked for, and does without an answer. */
const mayFail =
  /^(?:docker <context>|docker .*<ps> <--quiet>$|helm <repo> <list>|helm <get>|helm .*<--values> <->|kubectl <diff>|kubectl <config>|kubectl <exec> <deployment|curl|.*<pg_dumpall>|.*<--ignore-not-found>|.*<printenv>|kubectl <get> <events>)/;

describe('a hop, run as a script', () => {
  const recreate = cases[3];

  it.each(cases)('$name, $strategy: goes to the end, and leaves a dump that was looked into', (one) => {
    for (const shell of ['sh', 'bash', 'zsh', 'busybox sh']) {
      const world = worldFor(one);
      const { status, stderr } = runScript(one.facts, world, { strategy: one.strategy, shell });
      expect({ shell, status, stderr }).toEqual({ shell, status: 0, stderr: '' });
      const folder = join(world.folder, 'lightspan-backups');
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const dumps = files.filter((file) => /dump$|part$|lock/.test(file));
      expect(dumps).toEqual([
        expect.stringMatching(new RegExp(`/lightdash-${spans[one.strategy][0]}-\\d{8}T\\d{6}Z\\.dump$`)),
      ]);
      expect(statSync(join(folder, dumps[0] ?? '')).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(folder, dumps[0] ?? ''), 'utf8')).toContain('PGDMP');
    }
  });

  it('stops by name what was seen, and waits for the pods that each of it selects', () => {
    const { calls } = runHop(helmKnown);
    expect(
      calls.filter((call) => /^(?:kubectl <(?:scale|wait|rollout)>|helm <(?:upgrade|template)>)/.test(call)),
    ).toMatchSnapshot();
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
    expect(stderr).toContain(
      `the chart with values.yaml ${said.startsWith('no') ? 'deploys ' : ''}${said}`.slice(4),
    );
    expect(calls.at(-1)).toContain('kubectl <label> <--local>');
  });

  it('goes on with the step that it is told, and says which that is, with the backup', () => {
    const world = worldFor(recreate);
    runScript(composeKnown, world);
    const up = world.calls().findIndex((call) => call.includes('<up>')) + 1;
    spawnSync('rm', ['-r', join(world.folder, 'lightspan-backups')]);
    world.reset({ call: up, how: 'fail' });
    const failed = runScript(composeKnown, world);
    expect(failed.status).toBe(1);
    expect(failed.stderr).toMatch(
      /^Stopped in step 4 of 5; nothing after it was run\.\nOnce that is fixed, run: sh hop\.sh 4\nBackup: \S+\.dump \(\d+ bytes, SHA-256 [0-9a-f]{64}\)\nTo go back to 1\.111\.0: sh \.\/hop-1-back\.sh\n$/,
    );
    expect(runScript(composeKnown, world, { words: ['4'] })).toMatchObject({ status: 0 });
    expect(
      runScript(composeKnown, world, { words: ['5'], env: { ...told, LIGHTDASH_SERVICE: 'lightdash' } }),
    ).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('This is not what the first run was told'),
    });
  });

  it.each(['0', '9', '10', 'x', '-1', '1 '])('refuses to begin with step %j', (step) => {
    const world = worldFor(recreate);
    expect(runScript(composeKnown, world, { words: [step] })).toMatchObject({ status: 2, calls: [] });
  });

  it('does nothing without a terminal to ask at, unless it is told yes', () => {
    const world = worldFor(recreate);
    const { status, stderr, calls } = runScript(composeKnown, world, { words: [] });
    expect(status).toBe(1);
    expect(stderr).toContain('--yes continues');
    expect(calls.filter((call) => /<stop>|<up>|<scale>/.test(call))).toEqual([]);
  });

  it.each([
    ['of another database', '3456; 0 16412 TABLE DATA public orders postgres'],
    ['without data', '215; 1259 16412 TABLE public knex_migrations postgres'],
    ['of a table that is named alike', '3456; 0 16412 TABLE DATA public knex_migrations_lock postgres'],
  ])('a dump %s is no backup', (_, dumped) => {
    const { world, status, stderr, calls } = runHop(composeKnown, {}, { dumped });
    expect(status).toBe(1);
    expect(stderr).toContain('The dump has no table knex_migrations');
    expect(stderr).toContain(
      'To start 1.111.0 again instead: cd ./deploy && docker compose start lightdash worker',
    );
    expect(calls.at(-1)).toContain('<pg_restore> <--file=/dev/null>');
    const left = readdirSync(join(world.folder, 'lightspan-backups'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => /dump|part/.test(name))).toEqual([]);
  });

  it('without lightspan it asks until the version itself answers, not the newest there is', () => {
    const world = worldFor(
      recreate,
      programs.filter((program) => program !== 'lightspan'),
    );
    // The health answer names 1.115.0 as the newest release all along.
    expect(runScript(composeKnown, world)).toMatchObject({ status: 0, stderr: expect.any(String) });
    expect(world.calls().filter((call) => call.startsWith('curl')).length).toBeGreaterThan(4);
    world.reset();
    const { stdout } = spawnSync('timeout', ['2', 'sh', 'hop.sh', '5'], {
      cwd: world.folder,
      env: { PATH: world.path, HOME: world.folder, ...toldOf(composeKnown) },
    });
    expect(String(stdout)).toContain('Not ready yet; trying again in 10 seconds\n');
    expect(String(stdout)).not.toContain('Done.');
  });

  it.each(cases)('$name, $strategy: shellcheck has nothing to say', (one) => {
    const { functions, commands, block, script, back } = hopOf(one.strategy, one.facts);
    const check = (input: string, ...except: string[]) => {
      const exclude = `--exclude=${['SC2016', ...except].join(',')}`;
      const { stdout, status } = spawnSync('shellcheck', ['--shell=sh', exclude, '-'], { input });
      expect({ status, said: String(stdout) }).toEqual({ status: 0, said: '' });
    };
    const files = [script.text, back.script.text, libraryFor(one.facts.deployment).text];
    for (const text of [...files, block, back.block]) check(text);
    // It does not see that a function which is called may define others.
    for (const text of [functions, commands, back.commands]) check(text, 'SC2317', 'SC2034', 'SC2154');
  });

  it.each(cases)('$name, $strategy: is read alike by every shell, and by an interactive one', (one) => {
    const { functions, block, script, back } = hopOf(one.strategy, one.facts);
    for (const input of [script.text, back.script.text, functions, block, back.block]) {
      for (const shell of ['dash', 'bash', 'zsh', 'busybox sh']) {
        const [program = 'sh', ...words] = shell.split(' ');
        const { status, stderr } = spawnSync(program, [...words, '-n'], { input });
        expect({ shell, status, stderr: String(stderr) }).toEqual({ shell, status: 0, stderr: '' });
      }
    }
    // A comment would be a command to zsh, and a word behind ! one of bash's history.
    expect(block + back.block).not.toMatch(/(?:^|\s)#|![^ =(]/m);
  });

  it.each(cases)('$name, $strategy: is short enough to be read', (one) => {
    const { commands, back } = hopOf(one.strategy, one.facts);
    for (const block of [commands, back.commands]) expect(block.split('\n').length).toBeLessThan(120);
  });

  it('every placeholder has been seen', () => {
    const umbrella = { deployment: { ...helm.deployment, valuesPath: ['lightdash'] } };
    const all = [helm, compose, umbrella].map((known) => hopOf('Recreate', known).block).join('');
    for (const name of Object.keys(placeholders)) expect(all).toContain(`: "\${${name}:?set `);
  });
});
