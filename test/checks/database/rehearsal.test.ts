import { expect, it } from 'vitest';
import { rehearsal } from '../../../src/checks/database/rehearsal.js';
import { parseRehearsal, type Rehearsal } from '../../../src/instance/rehearsal.js';
import { itFinds, type Situation } from '../../support/preflight.js';
import { failedRehearsal, rehearsalEvidence } from '../../support/rehearsal-evidence.js';

const ledger = (...names: readonly string[]) => names.map((name) => ({ name, batch: 1, migratedAt: null }));

const situationOf = (facts: NonNullable<Situation['facts']>): Situation => ({ facts });

itFinds(rehearsal, situationOf, {
  'ok rehearsal-went-through': {
    'all went through': { rehearsal: rehearsalEvidence() },
    'without rows': {
      rehearsal: rehearsalEvidence({ mode: 'dry', migrationSeconds: null, restoreSeconds: null }),
    },
    'on the same ledger': { rehearsal: rehearsalEvidence(), ledger: ledger('20260801000000_old.js') },
  },
  'stop rehearsal-failed': { 'a hop failed': { rehearsal: failedRehearsal } },
  'warn not-rehearsed': {
    'it has no answer': {
      rehearsal: rehearsalEvidence({ safe: false, answer: 'not-known', why: ['hop 1: a right is missing'] }),
    },
  },
  'warn other-route-rehearsed': {
    'another start, though it failed': {
      rehearsal: { ...failedRehearsal, fromVersion: '1.9.0' as Rehearsal['fromVersion'] },
    },
    'another target': { rehearsal: rehearsalEvidence({ toVersion: '2.2.0' as Rehearsal['toVersion'] }) },
  },
  'warn other-ledger-rehearsed': {
    'the database has run more': {
      rehearsal: rehearsalEvidence(),
      ledger: ledger('20260801000000_old.js', '20260802000000_more.js'),
    },
    'the database has run another': { rehearsal: failedRehearsal, ledger: ledger('20260801000001_other.js') },
  },
});

const now = new Date('2026-09-06T19:00:00Z');

it('is read as it was written', () => {
  expect(parseRehearsal(JSON.stringify(rehearsalEvidence(), null, 2), now)).toEqual(rehearsalEvidence());
});

it.each<[title: string, text: string, why: string]>([
  ['no JSON', 'yes', 'it is not JSON'],
  ['another schema', JSON.stringify({ ...rehearsalEvidence(), schemaVersion: '2' }), 'schemaVersion'],
  ['a key that nobody knows', JSON.stringify({ ...rehearsalEvidence(), rolling: true }), 'cannot be trusted'],
  [
    'a key twice',
    JSON.stringify(failedRehearsal).replace('"safe":false', '"safe":false,"safe":true'),
    'a key twice',
  ],
  ['a yes over a no', JSON.stringify({ ...failedRehearsal, safe: true }), 'not that of its hops'],
  [
    'a yes over a hop that failed',
    JSON.stringify(
      rehearsalEvidence({ hops: rehearsalEvidence().hops.map((hop) => ({ ...hop, outcome: 'failed' })) }),
    ),
    'not that of its hops',
  ],
  [
    'a day to come',
    JSON.stringify(rehearsalEvidence({ rehearsedAt: '2027-09-06T18:00:00Z' })),
    'in the future',
  ],
])('is refused with %s', (_, text, why) => {
  expect(() => parseRehearsal(text, now)).toThrow(why);
});
