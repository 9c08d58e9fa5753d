import { describe, expect, it } from 'vitest';
import { backfills } from '../../../src/instance/backfills/built-in.js';
import { pendingLocks, pendingWork } from '../../../src/instance/backfills/pending.js';
import { inputOf, ledgerOf, type MigrationCase, type ReleaseCase } from '../../support/preflight.js';

const timezone = '20260610120000_default_saved_chart_timezone_to_project';
const scheduler = '20260713120324_add_slug_to_scheduler';
const before = (name: string) => {
  const place = backfills.findIndex((one) => one.name === name);
  return backfills.slice(0, place).map((one) => one.name);
};

const untold = (version: string): ReleaseCase => ({ version, artifact: 'missing' });

function workOf(
  [from, ...way]: readonly ReleaseCase[],
  ledger: readonly string[],
  edition?: 'community' | 'enterprise',
) {
  const { line } = inputOf({ releases: [from ?? untold('0.1.0'), ...way] });
  return { line, edition, facts: { ledger: ledgerOf(...ledger) } };
}

const pendingNames = (...given: Parameters<typeof workOf>) =>
  pendingWork(workOf(...given)).map(({ name }) => name);

const since = backfills.slice(before('20251219171117_add_project_id_to_metrics_tree_edges').length);
const fromFloor = [...new Set(['0.1893.0', ...since.map(({ introduced }) => introduced)])].map(untold);

describe('backfills that are pending', () => {
  const across = [untold('0.3137.0'), untold('0.3138.0')];

  const hole = { previousVersion: '0.3199.0' };

  it.each<[string, Parameters<typeof workOf>, readonly string[]]>([
    ['of a release on the route that no artifact tells of', [across, ['20260101000000_any']], [timezone]],
    ['with an empty ledger', [across, []], [timezone]],
    [
      'of a release that is missing from the index',
      [[untold('0.3130.0'), { ...untold('0.3200.0'), entry: hole }], []],
      [timezone],
    ],
    [
      'not of a release that the index says there is none of',
      [[untold('0.3130.0'), untold('0.3200.0')], []],
      [],
    ],
    ['not once they have run', [across, [timezone]], []],
    ['not by their date alone', [across, ['20260610120000_another']], [timezone]],
    ['not before their release', [[untold('0.3130.0'), untold('0.3137.0')], []], []],
    [
      'of the running release, where it was ended, and all before it has run',
      [[untold('0.3138.0'), untold('0.3139.0')], before(timezone)],
      [timezone],
    ],
    [
      'not of releases before, by a ledger that begins later',
      [[untold('0.3138.0'), untold('0.3139.0')], []],
      [],
    ],
    [
      'not of releases before, by a ledger with a hole',
      [[untold('0.3138.0'), untold('0.3139.0')], before(timezone).slice(1)],
      [],
    ],
    [
      'not of releases before, by a ledger that is ahead',
      [[untold('2.0.0'), untold('2.1.0')], [scheduler]],
      [],
    ],
  ])('%s', (_, given, names) => expect(pendingNames(...given)).toEqual(names));

  it('are all that were introduced on the way from the floor', () => {
    expect(pendingNames(fromFloor, [])).toEqual(since.map(({ name }) => name));
    expect(since).toHaveLength(22);
  });

  it('are listed once where an artifact names them too, at the release of the artifact', () => {
    const told: MigrationCase = { name: timezone, tables: ['other'], does: ['locks'] };
    const [one, ...others] = pendingWork(
      workOf([{ version: '0.3137.0' }, { version: '0.3140.0', migrations: [told] }], []),
    );
    expect(others).toEqual([]);
    expect(one).toMatchObject({ name: timezone, version: '0.3140.0', tables: ['saved_queries_versions'] });
  });

  it('are not assumed of a release whose artifact lists its migrations', () => {
    const listing: ReleaseCase = { version: '0.3138.0', migrations: [{ name: '20260610120000_another' }] };
    expect(pendingNames([untold('0.3137.0'), listing], [])).toEqual(['20260610120000_another']);
  });

  it.each([
    ['1.120.0', '1.120.1'],
    ['1.120.1', undefined],
  ])('that were mended never end before: %s', (to, endlessBefore) => {
    const found = pendingWork(workOf([untold('0.3367.0'), untold('0.3368.0'), untold(to)], [])).find(
      ({ name }) => name === scheduler,
    );
    expect(found?.backfill?.endlessBefore).toBe(endlessBefore);
  });

  it('lock tables only where others wait', () => {
    const given = workOf(fromFloor, []);
    const locking = pendingLocks(given).map(({ name }) => name);
    expect(locking).toContain(timezone);
    expect(locking).not.toContain('20260417111420_grant_custom_fields_to_custom_sql_roles');
    expect(
      pendingWork(given)
        .filter(({ heaviness }) => heaviness.rewritesTable)
        .map(({ name }) => name),
    ).not.toContain('20260721170000_enforce_saved_query_project_slug_uniqueness');
  });
});
