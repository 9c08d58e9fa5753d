import { describe, expect, it } from 'vitest';
import { forecastHops } from '../../../src/instance/forecast/hops.js';
import { parseVersion } from '../../../src/release-safety/version.js';
import {
  healthyFacts,
  inputOf,
  type MigrationCase,
  type ReleaseCase,
  type Situation,
} from '../../support/preflight.js';

const scan = (name: string): readonly MigrationCase[] => [{ name, tables: ['projects'], does: ['scans'] }];
const releases: readonly ReleaseCase[] = [
  { version: '2.0.0', migrations: scan('20260801000000_old') },
  { version: '2.1.0', migrations: scan('20260901000000_x') },
  { version: '2.2.0' },
  { version: '2.3.0', artifact: 'missing' },
];
const hop = (toVersion: string, ...of: readonly string[]) => ({
  toVersion: parseVersion(toVersion),
  releases: [...of, toVersion].map(parseVersion),
  missingRanges: [],
});

function reasons(hops: readonly ReturnType<typeof hop>[], facts: Situation['facts'] = {}) {
  const input = inputOf({ releases, facts: { ...healthyFacts('20260801000000_old'), ...facts } });
  return forecastHops(hops, input).map(({ highSeconds, because }) =>
    highSeconds === null ? because.join(' ') : highSeconds > 0,
  );
}

describe('the times of hops', () => {
  it('are those of the migrations that each brings', () => {
    expect(reasons([hop('2.1.0'), hop('2.2.0'), hop('2.3.0')])).toEqual([true, false, 'release-not-told']);
    expect(reasons([hop('2.3.0', '2.1.0', '2.2.0')])).toEqual(['release-not-told']);
  });

  it('hold what the release that runs has left', () => {
    expect(reasons([hop('2.1.0'), hop('2.2.0')], { ledger: [] })).toEqual([true, false]);
    const whole = inputOf({ releases, facts: { ...healthyFacts('20260801000000_old'), ledger: [] } });
    const [both] = forecastHops([hop('2.1.0')], whole);
    const [one] = forecastHops(
      [hop('2.1.0')],
      inputOf({ releases, facts: healthyFacts('20260801000000_old') }),
    );
    expect(both?.highSeconds).toBeGreaterThan(one?.highSeconds ?? Number.POSITIVE_INFINITY);
  });

  it('are none for sure without a ledger', () => {
    const input = inputOf({ releases, facts: { ...healthyFacts(), ledger: 'not-permitted' } });
    expect(forecastHops([hop('2.1.0')], input)).toMatchObject([{ lowSeconds: 0, because: [] }]);
  });

  it.each([
    ['tables', 'size-not-seen'],
    ['readRate', 'rate-not-measured'],
    ['sortRate', 'rate-not-measured'],
  ])('have no upper limit where %s is not seen', (fact, because) => {
    expect(reasons([hop('2.1.0')], { [fact]: 'not-permitted' })).toEqual([because]);
  });

  it('have no upper limit where releases are not in the index', () => {
    const range = { afterVersion: parseVersion('2.0.0'), beforeVersion: parseVersion('2.2.0') };
    const gap = { ...hop('2.2.0'), missingRanges: [range] };
    const input = inputOf({ releases, facts: healthyFacts('20260801000000_old') });
    expect(forecastHops([gap], input)).toMatchObject([{ because: ['release-not-told'] }]);
  });
});
