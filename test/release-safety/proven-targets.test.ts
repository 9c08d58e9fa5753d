import { expect, it } from 'vitest';
import { findProvenTargets } from '../../src/release-safety/index-summary.js';
import { evaluateSpan } from '../../src/release-safety/span.js';
import { compareVersions, parseVersion } from '../../src/release-safety/version.js';
import { realIndex } from '../support/real-index.js';

it.each(['0.1893.0', '1.111.0', '1.121.0', '1.123.0', '2.100.0', '2.117.0'])(
  'from %s are neither more nor fewer than upgrade-check says yes to',
  (start) => {
    const [index, from] = [realIndex(), parseVersion(start)];
    const safe = index.entries.filter(
      ({ version: to }) => compareVersions(to, from) > 0 && evaluateSpan(index, { from, to }).safe,
    );
    expect(findProvenTargets(index, from)).toEqual(safe);
  },
);
