import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';
import { faultsWithTools, filesWithTools, skipWithoutTools } from './test/support/tools.js';

const build = 'test/support/build-once.ts';
const buildExecutable = 'test/support/build-executable.ts';
const onlyNode = 'test/support/only-node.ts';

/**
 * What takes long for what it proves: whole campaigns, programs that wait, the memory that many files or rows take, and
 * the build and the package, which are made for it once more.
 */
const long = [
  'test/{loop,package,release,supply-chain}.test.ts',
  'test/pins/{many-services,publisher-chart,replay}.test.ts',
  'test/commands/{many-files,many-rows,recommended-everywhere}.test.ts',
  'test/checks/less-is-never-better.test.ts',
];
const suites = ['test/{faults,executable,container}/**', 'test/page/speed.test.ts', ...long];
/** A rehearsal from end to end; on the installed server, those beside it restore and migrate some hundred copies. */
const rehearsal = 'test/rehearsal/rehearse.test.ts';
/** What is asked of the oldest server that Lightdash starts on, and of the newest. */
const ofServers = ['test/postgres/preflight.test.ts', 'test/postgres/collect-facts.test.ts', rehearsal];

/** `npm test` puts every property to a quarter of its cases, of which a tenth tells mutants; CI to all of them. */
const share = process.env.LIGHTSPAN_PROPERTY_SHARE ?? (process.env.CI === 'true' ? '1' : '0.25');

export default defineConfig({
  test: {
    // Two more than there are cores: with one, files that wait for the programs that they start left a quarter of the
    // processor time of two cores unused.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      // One project, for each loads the source anew in every worker.
      project('quick', {
        include: ['test/**/*.test.ts'],
        exclude: [...filesWithTools, ...suites],
        env: { LIGHTSPAN_PROPERTY_SHARE: share },
        globalSetup: [onlyNode, build],
      }),
      project('long', { include: long, globalSetup: [onlyNode, build] }),
      project('tools', { include: filesWithTools, exclude: [rehearsal], globalSetup: [build] }),
      project('postgres-12', { include: ofServers, postgres: '12', globalSetup: [build] }),
      project('postgres-18', { include: ofServers, postgres: '18', globalSetup: [build] }),
      project('faults', {
        include: ['test/faults/**/*.test.ts'],
        exclude: faultsWithTools,
        testTimeout: 300_000,
        globalSetup: [build],
      }),
      project('faults-tools', { include: faultsWithTools, testTimeout: 300_000, globalSetup: [build] }),
      project('executable', { include: ['test/executable/**/*.test.ts'], globalSetup: [buildExecutable] }),
      project('container', {
        include: ['test/container/**/*.test.ts'],
        // The image is built in one.
        hookTimeout: 600_000,
        globalSetup: [buildExecutable],
      }),
      // Measured with nothing beside it.
      project('speed', { include: ['test/page/speed.test.ts'] }),
      // Migrations that are run for real: npm run bench -- forecast.
      project('forecast', {
        include: ['bench/forecast/*.bench.ts'],
        testTimeout: 3_600_000,
        hookTimeout: 3_600_000,
      }),
      // Migrations that are run on a database and on a copy of it: npm run bench -- rehearsal.
      project('bench-rehearsal', {
        include: ['bench/rehearsal/*.bench.ts'],
        testTimeout: 3_600_000,
        hookTimeout: 3_600_000,
      }),
    ],
    coverage: {
      include: ['src/**/*.ts'],
      // Run as processes of their own alone, which are not counted: test/main, start, plain, signals and others hold them.
      exclude: [
        'src/launch/{main,plain,plain-fallback,help,waiting,signals,this-process,standard-stream,version,start,action}.ts',
      ],
      reporter: ['text-summary', 'json-summary'],
      // Beside what the mutation run leaves there: the folder is emptied first.
      reportsDirectory: 'coverage/tests',
      thresholds: {
        // Of every file: none passes because others of its folder are tested well.
        perFile: true,
        'src/{core,merge,gather/api,gather/http}/**': { lines: 90, functions: 85 },
        'src/{gather,pins,answer,steps}/**': { lines: 70, functions: 65 },
        // What spawned processes run of these is not counted.
        'src/{commands,app,door,launch,library}/**': { lines: 70, functions: 50 },
      },
    },
  },
});

type Options = NonNullable<TestProjectInlineConfiguration['test']> & {
  readonly globalSetup?: readonly string[];
  /** The major version of a server from npm, in place of the installed one. */
  readonly postgres?: string;
};

function project(
  name: string,
  { globalSetup = [], postgres = process.env.LIGHTSPAN_TEST_POSTGRES, ...options }: Options,
): TestProjectInlineConfiguration {
  return {
    plugins: [skipWithoutTools(postgres)],
    test: {
      name,
      // The source is loaded once for all files of a worker.
      isolate: false,
      // A property under coverage, on a machine with other work, takes a minute where it takes ten seconds alone.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // What is waited for comes at once on a quiet machine: as it stands, a second would be all that a busy one gets.
      expect: { poll: { timeout: 60_000 } },
      ...(postgres && { env: { LIGHTSPAN_TEST_POSTGRES: postgres } }),
      ...options,
      globalSetup: ['test/support/run-folder.ts', ...globalSetup],
    },
  };
}
