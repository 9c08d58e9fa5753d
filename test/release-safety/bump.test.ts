import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateSpan } from '../../src/library.js';
import { parseReleaseSafetyIndex } from '../../src/release-safety/parse-index.js';
import { planBump } from '../../src/release-safety/pins.js';
import { parseRouteTarget, parseVersion } from '../../src/release-safety/version.js';
import { indexOf, realIndex } from '../support/real-index.js';

const bump = (pinnedVersion: string, to: string, allowRecreate = false, index = realIndex()) =>
  planBump(
    { index },
    { pinnedVersion: parseVersion(pinnedVersion), to: parseRouteTarget(to), allowRecreate },
  );

describe('where a pin moves', () => {
  it.each([
    ['1.121.0', 'latest-rolling', false, '1.156.0', 'rolling'],
    ['1.121.0', '1.130.0', false, '1.130.0', 'rolling'],
    ['1.121.0', '1.157.0', false, '1.157.0', 'refused'],
    ['1.121.0', '1.157.0', true, '1.157.0', 'recreate'],
    ['1.121.0', 'latest', false, '2.134.2', 'refused'],
    ['1.121.0', 'latest', true, '2.134.2', 'recreate'],
    ['1.214.0', 'latest-rolling', false, '1.215.0', 'refused'],
    ['1.214.0', 'latest-rolling', true, '2.134.2', 'recreate'],
    ['2.134.2', 'latest-rolling', false, '2.134.2', 'at-target'],
    ['2.134.2', 'latest', false, '2.134.2', 'at-target'],
    ['1.121.0', '1.121.0', false, '1.121.0', 'at-target'],
    ['9.9.9', 'latest-rolling', true, '9.9.9', 'refused'],
    ['1.121.0', '9.9.9', true, '9.9.9', 'refused'],
    ['0.1050.0', 'latest', true, '0.1893.0', 'refused'],
  ] as const)('%s to %s (Recreate allowed: %s): %s, %s', (from, to, allowed, toVersion, decision) => {
    const { result, decision: decided } = bump(from, to, allowed);
    expect([result.toVersion, decided]).toEqual([toVersion, decision]);
  });

  it('stops at a stop, and goes on from there', () => {
    const index = parseReleaseSafetyIndex(
      indexOf({ version: '1.0.0' }, { version: '1.1.0' }, { version: '1.2.0', requiredStops: ['1.1.0'] }),
    );
    expect(bump('1.0.0', 'latest-rolling', false, index)).toMatchObject({
      decision: 'rolling',
      result: { toVersion: '1.1.0', safe: true },
    });
    expect(bump('1.0.0', '1.2.0', true, index).decision).toBe('refused');
    expect(bump('1.1.0', 'latest-rolling', false, index)).toMatchObject({
      decision: 'rolling',
      result: { toVersion: '1.2.0', safe: true },
    });
  });

  it('goes as far as the index leads, whatever is in the way further on', () => {
    const index = parseReleaseSafetyIndex(
      indexOf({ version: '1.0.0' }, { version: '1.1.0' }, { version: '1.2.0', requiredStops: ['1.1.5'] }),
    );
    expect(bump('1.0.0', 'latest', false, index)).toMatchObject({
      decision: 'rolling',
      result: { toVersion: '1.1.0' },
      blockedBy: null,
    });
  });

  it.each(['latest', 'latest-rolling'])('%s is refused where the first step is forbidden', (to) => {
    const index = parseReleaseSafetyIndex(
      indexOf({ version: '1.0.0' }, { version: '1.1.0', minPreviousVersion: '1.0.5' }),
    );
    for (const allowRecreate of [false, true]) {
      expect(bump('1.0.0', to, allowRecreate, index)).toMatchObject({
        decision: 'refused',
        result: { toVersion: '1.1.0' },
        blockedBy: { kind: 'below-minimum-version', version: '1.1.0' },
      });
    }
  });

  it('says what is in the way', () => {
    expect(bump('1.214.0', 'latest-rolling').blockedBy).toMatchObject({
      kind: 'unknown-release',
      version: '1.215.0',
    });
  });

  it('refuses to go back', () => {
    expect(() => bump('1.121.0', '1.120.0')).toThrow(/older/);
  });

  it('is rolling only where the hop is proven, on random indexes', () => {
    const release = fc.record({
      rollingUpdateSafe: fc.constantFrom(true, true, true, false, 'unknown'),
      stop: fc.option(fc.nat(9), { freq: 6 }),
      minimum: fc.option(fc.nat(9), { freq: 6 }),
      gap: fc.nat(9).map((n) => n === 0),
    });
    const targets = fc.constantFrom('latest-rolling', 'latest', '1.5.0', '1.9.0');
    fc.assert(
      fc.property(
        fc.array(release, { minLength: 1, maxLength: 10 }),
        targets,
        fc.boolean(),
        (rows, to, allow) => {
          const index = parseReleaseSafetyIndex(
            indexOf(
              ...rows.map(({ rollingUpdateSafe, stop, minimum, gap }, i) => ({
                version: `1.${i}.0`,
                rollingUpdateSafe,
                requiredStops: stop === null ? [] : [`1.${stop}.0`],
                minPreviousVersion: minimum === null ? null : `1.${minimum}.0`,
                ...(gap ? { previousVersion: '0.0.1' } : {}),
              })),
            ),
          );
          const { result, decision, blockedBy } = planBump(
            { index },
            {
              pinnedVersion: parseVersion('1.0.0'),
              to: parseRouteTarget(to),
              allowRecreate: allow,
            },
          );
          expect(result).toEqual(evaluateSpan(index, { from: '1.0.0', to: result.toVersion }));
          expect(decision === 'rolling' || decision === 'at-target').toBe(result.safe);
          if (decision !== 'refused') expect(blockedBy).toBeNull();
          if (decision === 'recreate') {
            expect(allow).toBe(true);
            expect(result.missingRanges).toEqual([]);
            expect(result.requiredStops.filter((stop) => stop !== result.toVersion)).toEqual([]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
