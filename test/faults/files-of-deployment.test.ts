import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { readSettings } from '../../src/app/settings/read.js';
import { runCli } from '../support/cli.js';
import { dockerPrinting } from '../support/compose-facts.js';
import { composedAt } from '../support/deployment.js';
import { callsIn, folderWith, plan } from '../support/plan-files.js';
import { healthyFacts, upgradeTo, writeSituation } from '../support/preflight.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { itFailsClosed } from './campaign.js';
import { byteFault } from './mutations.js';

/** Which files a deployment has, said in several places that agree or not: all of them in their order, or no answer. */

const seed = Number(process.env.LIGHTSPAN_FAULTS_SEED ?? 20_260_906);

/** Some of the files, in any order. */
const someOf = (...names: readonly string[]) =>
  fc
    .subarray([...names], { minLength: 1 })
    .chain((some) => fc.shuffledSubarray(some, { minLength: some.length }));
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined });

const ofTools = {
  helm: {
    key: 'values',
    option: '--values',
    place: 'image.tag',
    files: ['base.yaml', 'prod.yaml', 'other.yaml'],
  },
  compose: {
    key: 'files',
    option: '--compose',
    place: 'services.lightdash.image',
    files: ['compose.yaml', 'compose.prod.yaml', 'worker.yaml'],
  },
} as const;
type Tool = keyof typeof ofTools;

const planned = fc.constantFrom<Tool>('helm', 'compose', 'compose').chain((tool) =>
  fc.record({
    tool: fc.constant(tool),
    ofSettings: maybe(someOf(...ofTools[tool].files)),
    given: maybe(someOf(...ofTools[tool].files)),
    pin: maybe(fc.constant(ofTools[tool].files[0])),
    envFiles: tool === 'compose' ? maybe(someOf('prod.env', 'more.env')) : fc.constant(undefined),
    composeFile: tool === 'compose' ? maybe(someOf(...ofTools.compose.files)) : fc.constant(undefined),
  }),
);

it('no printed command that names one file of the deployment leaves out another', async () => {
  const counts = { planned: 0, refused: 0 };
  for (const one of fc.sample(planned, { seed, numRuns: 120 })) {
    const { tool, ofSettings, given, pin, envFiles, composeFile } = one;
    const { key, option, place } = ofTools[tool];
    // A project of the command line is not that of the settings, and its variables are not either.
    const isOfSettings = ofSettings !== undefined && given === undefined;
    const settings = { deploy: tool, [tool]: { [key]: ofSettings, envFiles: ofSettings && envFiles } };
    const folder = folderWith({
      'worker.yaml': 'services: {worker: {image: "lightdash/lightdash:1.111.0"}}\n',
      'more.env': 'A=1\n',
      'lightspan.yaml': JSON.stringify(settings),
      ...(composeFile && { '.env': `COMPOSE_FILE=${composeFile.join(':')}\n` }),
    });
    const at = (name: string) => join(folder, name);
    const { code, printed, error } = await plan(
      tool,
      ...(ofSettings ? ['--settings', at('lightspan.yaml')] : ['--no-settings']),
      ...(given ?? []).flatMap((name) => [option, at(name)]),
      ...(isOfSettings ? [] : (envFiles ?? []).flatMap((name) => ['--compose-env-file', at(name)])),
      ...(pin === undefined ? [] : ['--from-file', `${at(pin)}#${place}`]),
    );
    const story = `seed ${seed}: ${JSON.stringify(one)} ${error}`;
    expect([0, 2], story).toContain(code);
    counts[code === 0 ? 'planned' : 'refused'] += 1;
    const said = given ?? ofSettings;
    for (const { call, named } of callsIn(printed)) {
      const inOrder = named.filter((name) => name.startsWith(folder) && !name.endsWith('.env'));
      if (inOrder.length === 0) continue;
      if (said !== undefined) expect(inOrder, `${story}\n${call}`).toEqual(said.map(at));
      // Files of variables come in place of .env, which names the others here.
      else if (composeFile && !envFiles) expect(inOrder, `${story}\n${call}`).toEqual(composeFile.map(at));
      const variables = named.filter((name) => name.endsWith('.env'));
      if (envFiles) expect(variables, `${story}\n${call}`).toEqual(envFiles.map(at));
    }
  }
  process.stdout.write(`files of a plan: ${counts.planned} planned, ${counts.refused} refused\n`);
});

const mirror = temporaryFolder();
beforeAll(async () =>
  writeSituation(mirror, upgradeTo([], { ...healthyFacts('20260801000000_old'), ...composedAt('2.0.0') })),
);
const project = {
  name: 'bi',
  services: { lightdash: { image: 'lightdash/lightdash:2.0.0', environment: {} } },
};
const docker = dockerPrinting(project);
const composeFiles = ofTools.compose.files;

/** `COMPOSE_FILE` beside the files or in the environment, which wins; the separator as people set it. */
const chosen = fc.record({
  named: someOf(...composeFiles),
  inEnvironment: maybe(someOf(...composeFiles)),
  beside: maybe(someOf(...composeFiles)),
  written: fc.constantFrom(
    (value: string) => `COMPOSE_FILE=${value}\n`,
    (value: string) => `export COMPOSE_FILE="${value}"\n`,
    (value: string) => `A=1\r\nCOMPOSE_FILE='${value}' # as we deploy\r\n`,
    (value: string) => `COMPOSE_PATH_SEPARATOR=,\nCOMPOSE_FILE=${value.replaceAll(':', ',')}\n`,
    (value: string) => `COMPOSE_FILE=other.yaml\nCOMPOSE_FILE=${value}\n`,
  ),
  fault: fc.constant({ kind: 'files' as const }),
});

itFailsClosed(
  'COMPOSE_FILE that names other files',
  { cases: chosen, numRuns: 400, exitCodes: [0, 2] },
  async ({ named, inEnvironment, beside, written }) => {
    const text = beside === undefined ? '' : written(beside.join(':'));
    const folder = folderWith({ 'worker.yaml': 'services: {}\n', '.env': text });
    const at = (name: string) => join(folder, name);
    const outcome = await runCli(
      [
        ...['upgrade-preflight', '--from', '2.0.0', '--to', '2.1.0', '--index', mirror, '--json'],
        ...['--only', 'images', ...named.flatMap((name) => ['--compose', at(name)])],
      ],
      { env: { ...docker, ...(inEnvironment && { COMPOSE_FILE: inEnvironment.map(at).join(':') }) } },
    );
    const read = inEnvironment ?? beside ?? named;
    const safeInTruth = read.join() === named.join();
    return { damaged: Buffer.from(`${named} of ${inEnvironment} or ${text}`), outcome, safeInTruth };
  },
);

const here = process.cwd();
afterEach(() => process.chdir(here));

const layouts = {
  values: ['values.yaml', 'envs/dev/values.yaml', 'envs/prod/values.yaml', 'values-staging.yaml'],
  compose: ['compose.yaml', 'dev/compose.yaml', 'prod/docker-compose.yml', 'staging/compose.yaml'],
} as const;
const textsOf = {
  values: (tag: string) => `image:\n  repository: lightdash/lightdash\n  tag: ${tag}\n`,
  compose: (tag: string) => `services:\n  lightdash:\n    image: lightdash/lightdash:${tag}\n`,
} as const;
const environments = fc.constantFrom('values' as const, 'compose' as const).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    files: fc.subarray([...layouts[kind]], { minLength: 2 }),
    tags: fc.array(fc.constantFrom('1.121.0', '1.122.0'), { minLength: 4, maxLength: 4 }),
    fault: maybe(byteFault),
  }),
);

it('init writes no two environments as one release', async () => {
  const counts = { 'one file': 0, 'no file': 0, refused: 0 };
  for (const { kind, files, tags, fault } of fc.sample(environments, { seed, numRuns: 150 })) {
    const texts = files.map((_, i) => Buffer.from(textsOf[kind](tags[i] ?? '')));
    const [first = Buffer.of(), ...rest] = texts;
    const damaged = [fault?.apply(first) ?? first, ...rest];
    const folder = temporaryFolder();
    for (const [i, name] of files.entries()) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), damaged[i] ?? '');
    }
    process.chdir(folder);
    const { code, stderr } = await runCli(['init'], { env: { PGHOST: '127.0.0.1' } });
    const story = `seed ${seed}: ${files}\n${damaged.join('\n')}\n${stderr}`;
    expect([0, 2, 3], story).toContain(code);
    const settings = existsSync('lightspan.yaml') ? readFileSync('lightspan.yaml', 'utf8') : '';
    const { helm, compose } = settings === '' ? {} : readSettings(settings, 'lightspan.yaml');
    const written = [...(helm?.values ?? []), ...(compose?.files ?? [])];
    expect(written.length, `${story}${settings}`).toBeLessThanOrEqual(1);
    // Where nothing is damaged, each of them is an environment.
    if (fault === undefined) expect(written, `${story}${settings}`).toEqual([]);
    counts[code !== 0 ? 'refused' : written.length === 1 ? 'one file' : 'no file'] += 1;
  }
  process.stdout.write(`init of environments: ${JSON.stringify(counts)}\n`);
});
