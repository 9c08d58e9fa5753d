import { type Answers, defineCheck, type Given, type Judgement, ok, stop } from '../check.js';
import { lackingArtifacts, pendingMigrations, tablesOf } from '../pending.js';
import { listsMigrations, migrationsOf } from '../release-line.js';
import { firstWith, isOlder } from '../runtime-eras.js';
import { lackingEdition, strangersOf } from '../strangers.js';
import { minimumMajor } from './postgres-version.js';

export type StartCheckEvidence =
  | { readonly kind: 'start-corrupt-directory'; readonly to: string; readonly names: readonly string[] }
  | { readonly kind: 'start-diverged'; readonly to: string; readonly names: readonly string[] }
  | {
      readonly kind: 'start-outside-artifact';
      readonly to: string;
      readonly names: readonly string[];
      /** The releases that bring them. */
      readonly versions: readonly string[];
      readonly stops: readonly string[];
      /** Set if this release aborts because of the minimum version, and not because of a stop. */
      readonly minimum: string | null;
    }
  | {
      readonly kind: 'start-privileges';
      readonly to: string;
      readonly schema: string;
      readonly tables: readonly string[];
    }
  | { readonly kind: 'start-postgres'; readonly to: string; readonly major: number }
  | { readonly kind: 'start-proceeds'; readonly to: string; readonly checked: boolean };

/**
 * What the start check of the target will report, by its own rules: if it aborts, its container does not start. The
 * subject is the id of its check, as the target prints it.
 */
export const startCheck = defineCheck({
  id: 'start-check',
  group: 'database',
  canStop: true,
  needs: ['ledger', 'server', 'migrator', 'tables'],
  mayNeed: ['edition'],
  needsArtifacts: true,
  judge(given): Answers<StartCheckEvidence> {
    const { to } = given;
    const findings = isOlder(to, firstWith.lease)
      ? judgeKnex(given)
      : isOlder(to, firstWith.startCheck)
        ? []
        : [...judgeVersionPath(given), ...judgePrivileges(given), ...judgePostgres(given)];
    if (findings.length > 0) return findings;
    const asksLedger = isOlder(to, firstWith.lease) || !isOlder(to, firstWith.startCheck);
    if (asksLedger && !given.line.before.every(listsMigrations)) return [lackingArtifacts(given.line.before)];
    const lacking = asksLedger ? lackingEdition(given) : [];
    if (lacking.length > 0) return lacking;
    return [ok({ kind: 'start-proceeds', to, checked: !isOlder(to, firstWith.startCheck) })];
  },
});

type Seen = Given<'ledger' | 'server' | 'migrator' | 'tables', never>;

function strangersOfEdition(given: Seen): readonly string[] {
  const { unknown, enterprise } = strangersOf(given);
  return given.edition === 'community' ? [...unknown, ...enterprise] : unknown;
}

/** Before the lease, Knex itself refused a ledger with names that are not in its image. */
function judgeKnex(given: Seen): Judgement<StartCheckEvidence>[] {
  const names = strangersOfEdition(given);
  return names.length === 0 ? [] : [stop('knex', { kind: 'start-corrupt-directory', to: given.to, names })];
}

function judgeVersionPath(given: Seen): Judgement<StartCheckEvidence>[] {
  const { to, line } = given;
  const names = strangersOfEdition(given);
  if (names.length > 0) return [stop('version-path', { kind: 'start-diverged', to, names })];
  const target = line.span.findLast(({ version }) => version === to);
  if (target?.artifact === undefined) return [];
  const { requiredStops, minPreviousVersion } = target.artifact.upgrade;
  const own = new Set(migrationsOf(target).map(({ name }) => name));
  const outside = pendingMigrations(given).filter(({ name }) => !own.has(name));
  const stops = requiredStops.filter((version) => version !== to);
  const minimum = isOlder(to, firstWith.startCheckWithoutMinimum) ? minPreviousVersion : null;
  if (outside.length === 0 || (stops.length === 0 && minimum === null)) return [];
  return [
    stop('version-path', {
      kind: 'start-outside-artifact',
      to,
      names: outside.map(({ name }) => name),
      versions: [...new Set(outside.map(({ version }) => version))],
      stops,
      minimum,
    }),
  ];
}

/** Of the tables it checks, only those in the target's own artifact. */
function judgePrivileges(given: Seen): Judgement<StartCheckEvidence>[] {
  const { to, line, facts } = given;
  const { migrator, tables } = facts;
  const ofTarget = pendingMigrations(given).filter(({ version }) => version === to);
  const named = tablesOf(ofTarget);
  const unowned = tables.filter(({ name, owned }) => !owned && named.has(name)).map(({ name }) => name);
  const mayCreate = migrator.superuser || (migrator.schemaUsage && migrator.schemaCreate);
  if (mayCreate && unowned.length === 0) return [];
  if (line.span.length === 0) return [];
  return [
    stop('migration-privileges', {
      kind: 'start-privileges',
      to,
      schema: mayCreate ? '' : migrator.schema,
      tables: unowned,
    }),
  ];
}

function judgePostgres({ to, facts: { server } }: Seen): Judgement<StartCheckEvidence>[] {
  const major = Math.floor(server.versionNum / 10_000);
  return major < minimumMajor ? [stop('postgres-version', { kind: 'start-postgres', to, major })] : [];
}
