import type { Version } from '../../release-safety/version.js';
import {
  type Answers,
  type BackDated,
  defineCheck,
  type Given,
  type Judgement,
  ok,
  stop,
  warn,
} from '../check.js';
import { appliedNames, editionOf, lackingArtifacts } from '../pending.js';
import { type Place, placeLedger } from '../place.js';
import { listsMigrations } from '../release-line.js';
import { isOlder } from '../runtime-eras.js';
import { lackingEdition, strangersOf } from '../strangers.js';

/** The releases between which a database is, both included; null if no release shows that end. */
interface Interval {
  readonly oldest: string | null;
  readonly newest: string | null;
}

export type LedgerEvidence =
  | { readonly kind: 'ledger-absent' }
  | { readonly kind: 'ledger-empty' }
  | ({
      readonly kind: 'ledger-agrees';
      readonly from: string;
      readonly migrations: number;
      /** An earlier release whose artifact was not read: older names may be of that or one before it. */
      readonly unread: string | null;
    } & Interval)
  | ({ readonly kind: 'ledger-ahead'; readonly from: string } & Interval)
  | ({
      readonly kind: 'ledger-behind';
      readonly from: string;
      readonly lacking: readonly string[];
    } & Interval)
  | { readonly kind: 'ledger-half-applied'; readonly version: string; readonly lacking: readonly string[] }
  | { readonly kind: 'ledger-skipped'; readonly lacking: readonly string[] }
  | { readonly kind: 'ledger-diverged'; readonly to: string; readonly names: readonly string[] }
  | {
      readonly kind: 'ledger-without-licence';
      /** Enterprise migrations that have run, although the instance is said to be a community one. */
      readonly names: readonly string[];
    }
  | ({ readonly kind: 'ledger-back-dated' } & BackDated);

const table = 'knex_migrations';

/**
 * Whether the database is at the stated release: compares the names in `knex_migrations` with the migrations in the
 * artifacts.
 */
export const ledger = defineCheck({
  id: 'ledger',
  group: 'database',
  canStop: true,
  needs: [],
  needsOrAbsent: ['ledger'],
  mayNeed: ['artifacts', 'edition', 'deployment', 'stated'],
  needsArtifacts: true,
  judge({ facts: { ledger: rows, deployment, stated }, ...given }): Answers<LedgerEvidence> {
    if (rows === null) return [stop(table, { kind: 'ledger-absent' })];
    if (rows.length === 0) return [stop(table, { kind: 'ledger-empty' })];
    const seen = { ...given, facts: { ledger: rows } };
    const deployed = deployment != null || stated?.['deployed-by'] === 'compose';
    return [...judgePlace(seen), ...judgeStrangers(seen), ...judgeBackDated(seen, deployed)];
  },
});

type Seen = Given<'ledger', never>;

function judgePlace(seen: Seen): Answers<LedgerEvidence> {
  const { from, line, edition: stated, facts } = seen;
  const applied = appliedNames(facts.ledger);
  const edition = editionOf(line, applied, stated);
  const place = placeLedger([...line.before, ...line.span], applied, edition);
  const before = placeLedger(line.before, applied, edition);
  const interval: Interval = { oldest: place.oldest ?? null, newest: place.newest ?? null };

  const half = halfApplied(place, before.oldest);
  if (half !== undefined) return [stop(table, { kind: 'ledger-half-applied', ...half })];
  const { oldest } = place;
  if (oldest !== undefined && isOlder(from, oldest))
    return [stop(table, { kind: 'ledger-ahead', from, ...interval })];

  const lacking = before.releases.flatMap((release) => release.lacking);
  const passed = before.releases.findLastIndex((release) => release.applied === 'all');
  const behind = before.releases.slice(passed + 1).flatMap((release) => release.lacking);
  if (behind.length > 0) return [stop(table, { kind: 'ledger-behind', from, lacking: behind, ...interval })];
  const ofEdition = lackingEdition(seen);
  if (ofEdition.length > 0) return ofEdition;
  if (before.oldest === undefined || !line.before.every(listsMigrations))
    return [lackingArtifacts(line.before)];
  const skipped: Judgement<LedgerEvidence>[] =
    lacking.length === 0 ? [] : [warn(table, { kind: 'ledger-skipped', lacking })];
  const { unread } = strangersOf(seen);
  const agrees = { from, migrations: facts.ledger.length, unread, ...interval };
  return [...skipped, ok({ kind: 'ledger-agrees', ...agrees })];
}

/** A release on the route, or the running one, of which only a part has run: an upgrade to it was interrupted. */
function halfApplied(
  { releases, oldest }: Place,
  passed: Version | undefined,
): { readonly version: string; readonly lacking: readonly string[] } | undefined {
  if (oldest === undefined) return undefined;
  const reached = releases.findIndex(({ version }) => version === oldest);
  const begun = releases
    .slice(0, reached + 1)
    .filter(({ version }) => passed === undefined || !isOlder(version, passed))
    .filter(({ lacking }) => lacking.length > 0);
  const [first] = begun;
  return first && { version: oldest, lacking: begun.flatMap(({ lacking }) => lacking) };
}

function judgeStrangers({ to, line, edition, facts }: Seen): Judgement<LedgerEvidence>[] {
  const strangers = strangersOf({ to, line, facts });
  return [
    ...(strangers.unknown.length === 0
      ? []
      : [stop(table, { kind: 'ledger-diverged', to, names: strangers.unknown })]),
    ...(strangers.enterprise.length === 0 || edition !== 'community'
      ? []
      : [stop(table, { kind: 'ledger-without-licence', names: strangers.enterprise })]),
  ];
}

/**
 * Under Recreate, nothing goes wrong: whether old pods are gone by then is for the check of the rollout strategy, if the
 * deployment was seen. Compose stops the old container.
 */
function judgeBackDated({ backDated }: Seen, deployed: boolean): Answers<LedgerEvidence> {
  if (typeof backDated !== 'object') return [];
  const found = warn(table, { kind: 'ledger-back-dated', ...backDated });
  const detail = 'it decides whether old pods are gone before back-dated migrations run';
  return deployed ? [found] : [found, { lacks: 'deployment', detail }];
}
