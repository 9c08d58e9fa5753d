import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/**
 * Every source file has its test: one that mirrors its path, that of the command it belongs to, or the one named here.
 * A name that ends in a slash stands for what is in that folder and has no test of its own.
 */
const coveredBy: readonly {
  readonly test: string;
  readonly why: string;
  readonly files: readonly string[];
}[] = [
  {
    test: 'cli.test.ts',
    why: 'what every command goes through; the tests of the commands do on every line',
    files: ['errors.ts', 'exit-codes.ts', 'package-version.ts', 'notice.ts', 'commands/'],
  },
  {
    test: 'compile-cache.test.ts',
    why: 'whose folders Node takes compiled code from, and where the program does not start',
    files: ['start.ts'],
  },
  { test: 'package.test.ts', why: 'the library is imported from its package', files: ['index.ts'] },
  {
    test: 'http/client.test.ts',
    why: 'real servers and real faults, through the client that these make up',
    files: ['http/collect.ts', 'http/exchange.ts', 'http/fault.ts'],
  },
  { test: 'http/proxy.test.ts', why: 'real proxies, and how they fail', files: ['http/proxy-pool.ts'] },
  {
    test: 'commands/fetched-index.test.ts',
    why: 'an index from everywhere it may come from, through the cache',
    files: ['sources/fetch-cached.ts', 'sources/index-source.ts', 'sources/sha256.ts', 'sources/utf8.ts'],
  },
  {
    test: 'commands/index-mirror.test.ts',
    why: 'processes that are killed, stopped and at it at once hold it',
    files: ['sources/folder-lock.ts'],
  },
  {
    test: 'commands/output-file.test.ts',
    why: 'files of every mode and owner are replaced, by processes that are killed too',
    files: ['sources/write-file.ts'],
  },
  {
    test: 'sources/pinned-version.test.ts',
    why: 'whole files, through the reader that asks what else they say of the image',
    files: ['sources/image-places.ts'],
  },
  {
    test: 'sources/artifacts.test.ts',
    why: 'artifacts are loaded from real sources of both kinds',
    files: ['sources/artifact-source.ts', 'sources/artifact-url.ts'],
  },
  {
    test: 'commands/upgrade-plan.test.ts',
    why: 'real instances answer it',
    files: ['sources/instance-answer.ts', 'sources/running-version.ts', 'release-safety/route-target.ts'],
  },
  {
    test: 'commands/explain.test.ts',
    why: 'every word is found by its name, and printed',
    files: ['render/words/'],
  },
  {
    test: 'commands/upgrade-verify.test.ts',
    why: 'real instances that change state answer it',
    files: ['instance-state.ts', 'sources/instance-state.ts'],
  },
  { test: 'commands/merge-validate.test.ts', why: 'files of every kind', files: ['sources/merge-file.ts'] },
  {
    test: 'lightdash-api/client.test.ts',
    why: 'each endpoint through the client, and through its command',
    files: ['lightdash-api/'],
  },
  {
    test: 'merge-query/fields.test.ts',
    why: 'every field of the contract, and what is said where it is wrong',
    files: ['merge-query/'],
  },
  {
    test: 'release-safety/parse-artifact.test.ts',
    why: 'the schemas of index and artifact are tested as they are read',
    files: [
      'shared/is-record.ts',
      'release-safety/artifact-schema.ts',
      'release-safety/field-schemas.ts',
      'release-safety/index-schema.ts',
      'release-safety/json-text.ts',
      'release-safety/json-value.ts',
      'release-safety/schema-issue.ts',
    ],
  },
  {
    test: 'release-safety/report.test.ts',
    why: 'it folds what a report says',
    files: ['release-safety/api-changes.ts'],
  },
  {
    test: 'release-safety/deployment.test.ts',
    why: 'a chart version is what the steps depend on',
    files: ['release-safety/chart-version.ts'],
  },
  {
    test: 'render/deployment/hop-block.test.ts',
    why: 'real shells run the commands that these make',
    files: ['render/deployment/'],
  },
  {
    test: 'schemas.test.ts',
    why: 'real output is held to the schema of each',
    files: ['render/json/'],
  },
  {
    test: 'commands/gate-formats.test.ts',
    why: 'whole outputs, and hostile text in all of them',
    files: ['render/gate/', 'render/github/', 'render/junit/', 'render/markdown/'],
  },
  {
    test: 'commands/completion.test.ts',
    why: 'the shells themselves run the scripts',
    files: ['render/completion/'],
  },
  {
    test: 'commands/upgrade-report.test.ts',
    why: 'whole reports, in every format',
    files: ['render/html/', 'render/report/', 'render/phrase.ts'],
  },
  {
    test: 'commands/upgrade-check.test.ts',
    why: 'texts are compared whole where their command writes them',
    files: ['render/text/', 'render/palette.ts', 'render/printable.ts', 'render/rows/row-format.ts'],
  },
];

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));

const mirrorOf = (file: string) => `test/${file.replace(/\.ts$/, '.test.ts')}`;
const testOfCommand = (file: string) => file.replace(/^commands\/([^/]+)\/.+$/, 'test/commands/$1.test.ts');
const hasOwn = (file: string) =>
  existsSync(mirrorOf(file)) || (testOfCommand(file) !== file && existsSync(testOfCommand(file)));
const covers = (name: string, file: string) => (name.endsWith('/') ? file.startsWith(name) : file === name);

describe('every source file has its test', () => {
  it.each(files.filter((file) => !hasOwn(file)))('%s', (file) => {
    const entries = coveredBy.filter((entry) => entry.files.some((name) => covers(name, file)));
    expect(entries.map(({ test }) => test)).toHaveLength(1);
  });

  it.each(coveredBy)('$test: $why', ({ test, files: names }) => {
    expect(existsSync(`test/${test}`)).toBe(true);
    const idle = names.filter((name) => !files.some((file) => covers(name, file) && !hasOwn(file)));
    expect(idle, 'have a test of their own, or are not there').toEqual([]);
  });
});
