import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { jsonSchemas } from '../scripts/json-schemas.js';
import { runCli } from './support/cli.js';
import { validatorOf } from './support/json-schema.js';
import { realIndexFile, realIndexJson } from './support/real-index.js';

describe('schemas/', () => {
  it('holds what `npm run schemas` writes, and nothing else', () => {
    const committed = readdirSync('schemas').map((file) => [file, readFileSync(`schemas/${file}`, 'utf8')]);
    expect(Object.fromEntries(committed)).toEqual(jsonSchemas);
  });

  it('takes the real index, and not one whose verdict is a maybe', () => {
    const validate = validatorOf('release-safety-index.json');
    const index = realIndexJson();
    expect(validate(index)).toBe(true);
    expect(validate({ ...index, entries: [{ ...index.entries[0], rollingUpdateSafe: 'maybe' }] })).toBe(
      false,
    );
  });

  const artifacts = readdirSync('fixtures/artifacts').filter((file) => file.endsWith('.json'));
  it.each(artifacts)('takes the real artifact %s', (file) => {
    const validate = validatorOf('release-artifact.json');
    const artifact = JSON.parse(readFileSync(`fixtures/artifacts/${file}`, 'utf8'));
    expect(validate(artifact)).toBe(true);
    expect(validate({ ...artifact, compatibility: {} })).toBe(false);
  });

  it.each(readdirSync('fixtures/merge'))('takes the example %s, and none with a misspelt key', (file) => {
    const validate = validatorOf('merge-request.json');
    const merge = parse(readFileSync(`fixtures/merge/${file}`, 'utf8'));
    expect(merge.$schema).toBe('../../schemas/merge-request.json');
    expect(validate(merge)).toBe(true);
    const { joinKey, ...rest } = merge.mergeQuery;
    expect(validate({ ...merge, mergeQuery: { ...rest, joinkey: joinKey } })).toBe(false);
  });

  const span = ['--from', '1.111.0', '--to', '1.115.0', '--index', realIndexFile];
  it.each<[schema: string, argv: string[], stdin: string]>([
    ['upgrade-check-result.json', ['upgrade-check', ...span, '--json'], ''],
    ['failure.json', ['upgrade-check', '--from', 'x', '--to', 'y', '--json'], ''],
    ['failure.json', ['merge', 'validate', 'no such file', '--json'], ''],
    ['merge-validate-result.json', ['merge', 'validate', 'fixtures/merge/chart.json', '--json'], ''],
    ['merge-validate-result.json', ['merge', 'validate', '-', '--json'], 'mergeQuery: {}'],
    [
      'merge-validate-result.json',
      ['merge', 'validate', '-', '--json'],
      '{mergeQuery: {sources: [], joinKey: [], tableCalculations: [], joinType: left, limit: 1}}',
    ],
  ])('%s describes the output of %j', async (schema, argv, stdin) => {
    const { stdout } = await runCli(argv, { stdin });
    expect(validatorOf(schema)(JSON.parse(stdout))).toBe(true);
  });
});
