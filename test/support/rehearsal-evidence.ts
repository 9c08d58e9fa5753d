import type { Rehearsal } from '../../src/instance/rehearsal.js';
import { seenAt } from './preflight.js';

/** What a rehearsal from 2.0.0 to 2.1.0 has shown, with what a test says of it. */
export function rehearsalEvidence(fields: Partial<Rehearsal> = {}): Rehearsal {
  return {
    schemaVersion: '1',
    safe: true,
    answer: 'yes',
    mode: 'full',
    fromVersion: '2.0.0' as Rehearsal['fromVersion'],
    fromSource: 'the ledger of the database',
    toVersion: '2.1.0' as Rehearsal['toVersion'],
    rehearsedAt: seenAt,
    madeBy: 'lightspan 0.2.0',
    dump: { madeOn: '2026-09-05', bytes: 22_000_000, postgresMajor: 15 },
    copy: {
      by: 'docker',
      postgresMajor: 15,
      machine: 'linux x64, 2 CPUs, 24 GiB',
      isolated: true,
      tables: 180,
    },
    ledger: { migrations: 1, newest: '20260801000000_old.js' },
    migratingRole: 'lightdash',
    rolesKnown: true,
    enterprise: false,
    dependents: [],
    restoreSeconds: 80,
    migrationSeconds: 560,
    bytes: { before: 183_000_000, after: 325_000_000, wal: 304_000_000 },
    hops: [
      {
        toVersion: '2.1.0' as Rehearsal['toVersion'],
        outcome: 'applied',
        image: null,
        migrations: [{ name: '20260901000000_one.js', seconds: 560, locks: [] }],
        problem: null,
      },
    ],
    why: [],
    remarks: [],
    notRehearsed: ['traffic'],
    ...fields,
  };
}

export const failedRehearsal = rehearsalEvidence({
  safe: false,
  answer: 'no',
  why: ['hop 1 fails in 20260901000000_one: relation "ai_prompt" does not exist (42P01)'],
});
