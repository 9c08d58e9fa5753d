import type { ObservedFacts } from '../facts/facts-schema.js';
import { seenValue } from '../facts/seen-value.js';
import type { Version } from '../release-safety/version.js';
import { appliedNames, type LineAndLedger, pendingMigrations } from './pending.js';
import { listsMigrations } from './release-line.js';
import { firstWith, isOlder } from './runtime-eras.js';

/** Pending migrations that are dated no later than the newest one that has run. */
export interface BackDated {
  readonly newest: string;
  readonly names: readonly string[];
}

/**
 * What keeps an upgrade from rolling although its releases are proven to roll. Once a back-dated migration has run, a
 * pod of the running release that starts again takes it for a divergence, and does not start.
 *
 * @returns undefined if there is no such migration, or the missing need if that is not known
 */
export function backDatedOf({
  from,
  line,
  edition,
  facts,
}: Omit<LineAndLedger, 'facts'> & { readonly from: Version; readonly facts: ObservedFacts }):
  | BackDated
  | 'ledger'
  | 'artifacts'
  | undefined {
  const startsAnyway = isOlder(from, firstWith.startCheck) || !isOlder(from, firstWith.startOnBackDated);
  if (startsAnyway || !line.rolling) return undefined;
  const ledger = seenValue(facts.ledger);
  if (ledger === undefined) return 'ledger';
  const newest = [...appliedNames(ledger)].reduce((a, b) => (b > a ? b : a), '');
  const names = pendingMigrations({ line, edition, facts: { ledger } })
    .map(({ name }) => name)
    .filter((name) => dateOf(name) <= dateOf(newest));
  if (names.length > 0) return { newest, names };
  return line.span.every(listsMigrations) ? undefined : 'artifacts';
}

/** Two migrations may share a date, and the start check wants each new one to be later. */
function dateOf(name: string): string {
  return name.slice(0, 'YYYYMMDDhhmmss'.length);
}
