import { describe, expect, it } from 'vitest';
import { parkedProbe } from '../../../src/checks/deployment/parked-probe.js';
import { foundBy, runOf } from '../../support/preflight.js';

const parked = { newest: runOf({ outcome: 'parked' }), lastSucceeded: runOf({}) };
const succeeded = { newest: runOf({}), lastSucceeded: runOf({}) };

describe('a parked run', () => {
  it.each([
    ['is not recorded yet', '1.128.0', '1.130.0', 'absent' as const, ['ok no-run-parked']],
    ['lies before one that succeeded', '1.129.0', '1.130.0', succeeded, ['ok no-run-parked']],
    [
      'makes the pods that run unready',
      '1.129.0',
      '1.200.0',
      parked,
      ['stop probe-fails-on-parked migration_run_ledger'],
    ],
    [
      'makes the last release of that kind unready',
      '1.169.0',
      '1.200.0',
      parked,
      ['stop probe-fails-on-parked migration_run_ledger'],
    ],
    [
      'would make the target unready',
      '1.128.0',
      '1.169.0',
      parked,
      ['stop probe-would-fail-on-parked migration_run_ledger'],
    ],
    ['is passed over', '1.128.0', '1.169.1', parked, ['warn run-parked migration_run_ledger']],
  ])('%s', (_, from, to, runs, found) => {
    expect(foundBy(parkedProbe, { releases: [{ version: from }, { version: to }], facts: { runs } })).toEqual(
      found,
    );
  });
});
