import { describe } from 'vitest';
import { timeouts } from '../../../src/checks/database/timeouts.js';
import { migratorFact } from '../../support/facts.js';
import { itFinds, type MigrationCase, type Situation, upgradeTo } from '../../support/preflight.js';

const long: MigrationCase[] = [{ name: '20260901000000_x', tables: ['projects'], does: ['scans'] }];
const limited = (told: object) => ({ migrator: { ...migratorFact, ...told } });

describe('a timeout', () => {
  itFinds(timeouts, (situation: Situation) => situation, {
    'ok no-timeout-in-the-way lightdash': {
      'is not set': upgradeTo(long),
      'ends nothing that takes long': upgradeTo(
        [{ name: '20260901000000_x', tables: ['projects'], does: ['locks'] }],
        limited({ statementTimeoutMs: 30_000 }),
      ),
      'of idle transactions ends no statement': upgradeTo(
        long,
        limited({ idleInTransactionSessionTimeoutMs: 5000 }),
      ),
      'of locks ends nothing that locks nothing': upgradeTo(
        [{ name: '20260901000000_x', tables: ['projects'] }],
        limited({ lockTimeoutMs: 1000 }),
      ),
    },
    'warn timeout-set statement_timeout': {
      'is set': upgradeTo(long, limited({ statementTimeoutMs: 30_000 })),
      'may end what is not told to be short': upgradeTo(
        [{ name: '20260901000000_x', tables: ['projects'], does: 'unknown' }],
        limited({ statementTimeoutMs: 30_000 }),
      ),
    },
    'warn timeout-set lock_timeout': {
      'may end the wait for a lock': upgradeTo(
        [{ name: '20260901000000_x', tables: ['projects'], does: ['locks'] }],
        limited({ lockTimeoutMs: 1000 }),
      ),
      'may end what tells no table': upgradeTo(
        [{ name: '20260901000000_x' }],
        limited({ lockTimeoutMs: 1000 }),
      ),
    },
    'warn timeout-set transaction_timeout': {
      'may end a transaction that waits for a lock, and its session': upgradeTo(
        [{ name: '20260901000000_x', tables: ['projects'], does: ['locks'] }],
        limited({ transactionTimeoutMs: 1000 }),
      ),
    },
    'warn timeout-set idle_in_transaction_session_timeout; warn timeout-set transaction_timeout': {
      'of any kind counts': upgradeTo(
        long,
        limited({ transactionTimeoutMs: 1, idleInTransactionSessionTimeoutMs: 1 }),
      ),
    },
    'not-checked facts-not-seen': {
      'cannot be told': upgradeTo(long, limited({ statementTimeoutMs: null })),
    },
  });
});
