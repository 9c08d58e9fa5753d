import { readFileSync } from 'node:fs';
import { gte } from 'semver';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { backfillsFile, backfillsSource, builtInBackfills } from '../../../scripts/built-in-backfills.js';
import { backfills } from '../../../src/instance/backfills/built-in.js';
import { backfillsSchema } from '../../../src/instance/backfills/records.js';
import { builtInKnownIssues } from '../../../src/known-issues/built-in.js';
import { realIndex } from '../../support/real-index.js';

it('holds what `npm run generate -- backfills` writes', () => {
  expect(
    readFileSync(backfillsFile, 'utf8'),
    `${backfillsFile} is stale: run npm run generate -- backfills`,
  ).toBe(builtInBackfills());
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is looked for.
it('is ASCII, as the program is', () => expect(JSON.stringify(backfills)).toMatch(/^[\x00-\x7f]*$/));

it.each(backfills)('$name names a release of the index, or an older one', ({ introduced }) => {
  const versions = realIndex().entries.map(({ version }) => version);
  const [floor = ''] = versions;
  if (gte(introduced, floor)) expect(versions).toContain(introduced);
});

it('has each migration once, and every table of a step is under a lock or only read', () => {
  expect(new Set(backfills.map(({ name }) => name)).size).toBe(backfills.length);
  const unlocked = backfills.flatMap(({ name, locks, steps }) =>
    steps.flatMap((step) =>
      'rows' in step && locks[step.table] === undefined ? [`${name}: ${step.table}`] : [],
    ),
  );
  expect(unlocked).toEqual([]);
});

it('names known issues that there are, of the whole way that it is pending', () => {
  const ids = builtInKnownIssues.records.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(backfills.flatMap(({ knownIssue }) => knownIssue ?? [])));
});

/** The four of which the source says one thing in its data and another in its text: the worse of the two. */
it.each([
  ['20260722180000_enforce_saved_sql_project_slug_contract', { lockTimeoutSeconds: undefined }],
  [
    '20260721170000_enforce_saved_query_project_slug_uniqueness',
    { resumable: false, lockTimeoutSeconds: undefined },
  ],
  ['20260727140000_enforce_app_project_slug_contract', { resumable: false, lockTimeoutSeconds: undefined }],
  [
    '20260624120002_add_download_audit_foreign_keys',
    {
      transaction: true,
      locks: {
        download_audit: ['RowExclusiveLock', 'AccessExclusiveLock'],
        organizations: ['ShareRowExclusiveLock'],
        projects: ['ShareRowExclusiveLock'],
      },
    },
  ],
])('%s is taken for the worse', (name, told) => {
  const record = backfills.find((one) => one.name === name);
  expect(record?.note).toBeDefined();
  expect({ lockTimeoutSeconds: undefined, ...record }).toMatchObject(told);
});

describe('a record', () => {
  const whole = parse(readFileSync(backfillsSource, 'utf8'));
  const [first] = whole.records;
  const withRecord = (change: object) => ({ ...whole, records: [{ ...first, ...change }] });
  const step = (change: object) => withRecord({ steps: [{ ...first.steps[0], ...change }] });

  it('is read', () => expect(backfillsSchema.safeParse(withRecord({})).success).toBe(true));

  it.each([
    ['an unknown key', withRecord({ lightness: true })],
    ['a date for a name', withRecord({ name: '20210825125410' })],
    ['no version', withRecord({ introduced: 'soon' })],
    ['no step', withRecord({ steps: [] })],
    ['a lock that PostgreSQL does not know', withRecord({ locks: { a: ['WriteLock'] } })],
    ['a lock timeout of nothing', withRecord({ lockTimeoutSeconds: 0 })],
    ['work that is none', step({ work: 'guess' })],
    ['a table that would be another statement', step({ table: 'a; DROP TABLE b' })],
    [
      'a condition that would be another statement',
      step({ rows: { column: 'a', holds: "= 'b'; DROP TABLE c" } }),
    ],
    ['a condition with a function', step({ rows: { column: 'a', holds: '= now()' } })],
    ['batches of nothing', step({ batch: { size: 0, foundBy: 'key' } })],
  ])('with %s is refused', (_, json) => {
    expect(backfillsSchema.safeParse(json).success).toBe(false);
  });
});
