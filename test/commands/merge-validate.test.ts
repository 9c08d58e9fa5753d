import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const merge = 'fixtures/merge/orders-and-visits.yaml';
const text = readFileSync(merge, 'utf8');

const examples = readdirSync('fixtures/merge').map((name) => `fixtures/merge/${name}`);

const folder = temporaryFolder();

const validateText = (stdin: string | Uint8Array, ...flags: string[]) =>
  runCli(['merge', 'validate', '-', ...flags], { stdin });

/** The merge with one calculation, whose SQL is written so in YAML; it begins in line 35, column 12. */
const withSql = (yaml: string) =>
  text.replace(/ {2}tableCalculations: \[\]\n$/, () =>
    ['  tableCalculations:', '    - name: x', '      displayName: X', `      sql: ${yaml}`, ''].join('\n'),
  );

describe('lightspan merge validate', () => {
  it('takes several files, and says of each what is wrong with it', async () => {
    const broken = join(folder, 'broken.yaml');
    const none = join(folder, 'empty.yaml');
    writeFileSync(broken, text.replace('id: visits', 'id: visit'));
    writeFileSync(none, '{}');
    const merges = await runCli(['merge', 'validate', ...examples]);
    expect(merges).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        new RegExp(`^(fixtures/merge/\\S+: valid: .*\n){${examples.length}}Only the server checks .*\n$`),
      ),
    });
    const { code, stdout } = await runCli(['merge', 'validate', merge, broken, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      status: 'breaks-rules',
      errors: [{ file: broken }, { file: broken }, { file: broken }],
    });
    const together = await runCli(['merge', 'validate', merge, broken, none]);
    expect(together.code).toBe(2);
    expect(together.stdout).toMatch(
      new RegExp(`^${merge}: valid: .*\n(${broken}:.*\n){3}${none}:1:1: .*\nOnly the server checks .*\n$`),
    );
    expect(await runCli(['merge', 'validate', '-', '-'], { stdin: text })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('standard input is named twice'),
    });
  });

  it('says of a key that stands twice where it is, and nothing that its schema does not have', async () => {
    const { code, stdout } = await validateText('a: 1\na: 2\n', '--json');
    expect({ code, faults: JSON.parse(stdout).faults }).toEqual({
      code: 2,
      faults: [
        { file: 'standard input', path: '', line: 2, column: 1, message: 'the key "a" appears twice' },
      ],
    });
  });

  it('exits 1 for a merge that breaks rules, each at its place, in the order of the file', async () => {
    const broken = text.replace('visits: visits_day', 'visit: visits_day').replace('id: orders', 'id: merge');
    const { code, stdout } = await validateText(broken);
    expect(code).toBe(1);
    expect(stdout.split('\n').map((line) => line.split(': ', 3).join(': '))).toEqual([
      'standard input:9:9: mergeQuery.joinKey[0].fieldIdBySourceId: join_key_coverage',
      'standard input:9:9: mergeQuery.joinKey[0].fieldIdBySourceId: join_key_coverage',
      'standard input:9:17: mergeQuery.joinKey[0].fieldIdBySourceId.orders: unknown_source_in_join_key',
      'standard input:10:16: mergeQuery.joinKey[0].fieldIdBySourceId.visit: unknown_source_in_join_key',
      'standard input:12:11: mergeQuery.sources[0].id: reserved_source_id',
      'standard input:15:22: mergeQuery.sources[0].metricQuery.dimensions[0]: fan_out',
      'standard input:26:22: mergeQuery.sources[1].metricQuery.dimensions[0]: fan_out',
      '',
    ]);
  });

  it.each<[what: string, text: string | Uint8Array, lines: (string | RegExp)[]]>([
    ['an empty file', '', ['1:1: it is empty']],
    [
      'a misspelt key',
      text.replace('joinKey:', 'joinKeys:'),
      [
        '6:3: mergeQuery.joinKeys: unknown key; did you mean `joinKey`?',
        '4:3: mergeQuery.joinKey: missing; expected a list',
        'To send a key that lightspan does not know, unchanged: merge submit --no-validate',
      ],
    ],
    [
      'a limit below 0',
      text.replace('limit: 500', 'limit: -5'),
      ['5:10: mergeQuery.limit: expected 0 or more, got -5'],
    ],
    [
      'a chart beyond the limits of the contract',
      `${text}chart: { chartConfig: { type: map, config: { mapType: wolrd, dataLayerOpacity: 0, later: 1 } } }\n`,
      [
        '33:55: chart.chartConfig.config.mapType: expected "USA", "world", "europe" or "custom", got "wolrd"; did you mean `world`?',
        '33:80: chart.chartConfig.config.dataLayerOpacity: expected 0.1 or more, got 0',
      ],
    ],
    [
      'values that are no numbers, where any value may stand',
      text.replace(
        'filters: {}',
        'filters: {dimensions: {id: x, and: [{id: f, target: {fieldId: a}, operator: equals, values: [.nan, -.inf, 1e999]}]}}',
      ),
      [
        '17:102: mergeQuery.sources[0].metricQuery.filters.dimensions.and[0].values[0]: expected a finite number, got NaN',
        '17:108: mergeQuery.sources[0].metricQuery.filters.dimensions.and[0].values[1]: expected a finite number, got -Infinity',
      ],
    ],
    [
      'truncated JSON',
      '{"mergeQuery": {',
      [/^1:17: Flow map .* end with a }$/, '1:17: Flow map must end with a }'],
    ],
  ])('exits 2 for %s', async (_, content, lines) => {
    const { code, stdout, stderr } = await validateText(content);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(stdout.replaceAll('standard input:', '').split('\n')).toEqual([
      ...lines.map((line) => (line instanceof RegExp ? expect.stringMatching(line) : line)),
      '',
    ]);
  });

  it('exits 0 for what newer servers take, and says so once, at the first of it', async () => {
    const newer = text
      .replace('  joinKey:', '  sorts: [{ fieldId: merge_day, descending: true }]\n  joinKey:')
      .replace('    - id: visits', '    - id: visits\n      repeatValues: true')
      .replace('visits: visits_day', 'visits: visits_created_day')
      .replace('dimensions: [visits_day]', 'dimensions: []')
      .replace(
        /tableCalculations: \[\]\n$/,
        "tableCalculations: [{ name: x, displayName: X, sql: '', formula: '=1' }]\n",
      );
    const { code, stdout } = await validateText(newer);
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => line.includes('newer than the contract'))).toEqual([
      expect.stringMatching(
        /^standard input:11:17: mergeQuery\.joinKey\[0\]\.fieldIdBySourceId\.visits: warning: newer than the contract \(2\.202\.0\)/,
      ),
    ]);
    const json = await validateText(newer, '--json');
    expect(json.code).toBe(0);
    expect(JSON.parse(json.stdout)).toMatchObject({
      valid: true,
      errors: [],
      warnings: [{ kind: 'newer_than_contract', line: 11, column: 17 }],
    });
  });

  /* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the form of a reference. */

  it('warns beside the rules that are broken', async () => {
    const { code, stdout } = await validateText(withSql('${a b.c} + ${a.c}'));
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^standard input:35:23: \S+: unresolved_calculation_reference: .*\nstandard input:35:12: \S+: warning: .*\n$/,
    );
  });

  it('leaves what is not a reference to the SQL, and says so', async () => {
    const { code, stdout } = await validateText(withSql('${visits.visits_sessions'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nstandard input:35:12: \S+: warning: .* has no closing brace /);
  });

  it.each([
    ['a block', '|\n        sum(1) +\n          ${visit.x} + ${visits.y}', ['37:11', '37:24']],
    ['a folded block', '>-\n        sum(1) +\n        ${visit.x} + ${visits.y}', ['37:9', '37:22']],
    ['quotes', '"sum(1) +\n        ${visit.x} + ${visits.y}"', ['36:9', '36:22']],
    ['a plain text', 'sum(1) + ${visit.x}', ['35:21']],
    ['quotes, where it is written with escapes', '"1 + ${visit\\u002ex}"', ['35:12']],
  ])('places a bad reference in %s at its own line', async (_, sql, places) => {
    const { code, stdout } = await validateText(withSql(sql));
    expect(code).toBe(1);
    expect(
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split(':').slice(1, 3).join(':')),
    ).toEqual(places);
    expect(stdout.match(/unresolved_calculation_reference/g)).toHaveLength(places.length);
  });
  /* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the form of a reference. */

  it('stops reading a file of 200 MB', async () => {
    const file = join(folder, 'large.yaml');
    writeFileSync(file, '');
    truncateSync(file, 200 * 1024 * 1024);
    const { code, stdout, stderr } = await runCli(['merge', 'validate', file, '--json']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'too-large' } });
    expect(stderr).toMatch(/large\.yaml is larger than \d+ bytes/);
  });
});
