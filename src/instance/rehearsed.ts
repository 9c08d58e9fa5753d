import type { ObservedFacts } from './facts/facts-schema.js';
import { withoutExtension } from './facts/known-facts.js';
import { type FactOf, seenValue } from './facts/needs.js';
import { listsMigrations, migrationsOf, type ReleaseLine } from './release-line.js';

/** The upgrade that a rehearsal may have tried, and the facts that hold the rehearsal. */
interface RehearsedUpgrade {
  readonly from: string;
  readonly to: string;
  readonly facts: Pick<ObservedFacts, 'ledger' | 'rehearsal'>;
}

export type RehearsalFact = FactOf<'rehearsal'>;

/** Whether the ledger that was seen is not the one of the copy; undefined if none was seen. */
export function isOtherLedger(
  { newest, migrations }: RehearsalFact['ledger'],
  seen: FactOf<'ledger'> | null | undefined,
): boolean | undefined {
  if (seen === null || seen === undefined) return undefined;
  return seen.length !== migrations || (newest !== null && !seen.some(({ name }) => name === newest));
}

/** The rehearsal, if it went through, and was of this upgrade of this ledger. */
export function rehearsalOf({ from, to, facts }: RehearsedUpgrade): RehearsalFact | undefined {
  const kept = seenValue(facts.rehearsal);
  if (kept === undefined || kept.fromVersion !== from || kept.toVersion !== to) return undefined;
  const hasGoneThrough = kept.answer === 'yes' && kept.hops.every(({ outcome }) => outcome === 'applied');
  return hasGoneThrough && isOtherLedger(kept.ledger, seenValue(facts.ledger)) === false ? kept : undefined;
}

/** What a rehearsal with rows has measured of one hop: as it was, there and then, and scaled to nothing else. */
export interface MeasuredHop {
  readonly seconds: number;
  readonly restoreSeconds: number | null;
  /** The day of the backup, `YYYY-MM-DD`. */
  readonly backup: string;
  readonly day: string;
  readonly machine: string;
}

/**
 * What a rehearsal measured of each hop of a route; undefined for a hop that it did not measure. A rehearsal of another
 * ledger than the one that was seen does not count.
 */
export function measuredHops(
  hops: readonly { readonly toVersion: string }[],
  { from, to, facts }: RehearsedUpgrade,
): readonly (MeasuredHop | undefined)[] {
  const kept = seenValue(facts.rehearsal);
  const isOf =
    kept?.answer === 'yes' &&
    kept.fromVersion === from &&
    kept.toVersion === to &&
    isOtherLedger(kept.ledger, seenValue(facts.ledger)) !== true;
  return hops.map(({ toVersion }) => {
    const hop = isOf ? kept.hops.find((rehearsedHop) => rehearsedHop.toVersion === toVersion) : undefined;
    if (kept === undefined || hop === undefined || kept.mode === 'dry') return undefined;
    const seconds = hop.migrations.reduce((sum, migration) => sum + (migration.seconds ?? 0), 0);
    const { restoreSeconds, dump, rehearsedAt, copy } = kept;
    return {
      seconds,
      restoreSeconds,
      backup: dump.madeOn,
      day: rehearsedAt.slice(0, 10),
      machine: copy.machine,
    };
  });
}

/**
 * The line of releases with the migrations that a rehearsal found pending, where artifacts list none: each stands at
 * the last release of its hop that lists none. What they do is not known but for the tables that they locked. It says
 * nothing of pods that overlap.
 *
 * @param schema of the tables, whose names stand without it
 */
export function withRehearsedMigrations(line: ReleaseLine, kept: RehearsalFact, schema: string): ReleaseLine {
  const listed = new Set([...line.before, ...line.span].flatMap(migrationsOf).map(({ name }) => name));
  const heaviness = { locksTable: 'unknown', rewritesTable: 'unknown', scansTable: 'unknown' } as const;
  const span = [...line.span];
  let after = -1;
  for (const { toVersion, migrations } of kept.hops) {
    const last = span.findIndex(({ version }) => version === toVersion);
    const open = span.flatMap((release, i) =>
      i > after && i <= last && !listsMigrations(release) ? [i] : [],
    );
    const files = migrations
      .map(({ name, locks }) => ({ name: withoutExtension(name), locks }))
      .filter(({ name }) => !listed.has(name))
      .map(({ name, locks }) => ({
        ...{ name, edition: 'core' as const, heaviness },
        tables: locks.map(({ table }) => table.replace(`${schema}.`, '')),
      }));
    for (const i of open) {
      const release = span[i];
      if (release !== undefined) span[i] = { ...release, rehearsed: i === open.at(-1) ? files : [] };
    }
    after = last;
  }
  return { ...line, span };
}
