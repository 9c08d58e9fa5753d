import type { DeepReadonly } from '../../core/common/deep-readonly.js';
import { compact } from '../../core/text/compact.js';
import { shellWord } from '../../core/text/quoted-words.js';
import type { Rehearsal } from '../../instance/rehearsal.js';
import type { KnownIssue } from '../../known-issues/records.js';
import { countOf, describeBytes } from '../../words/phrase.js';
import { type Answer, emptyAnswer, type Fact, noHops, type Question } from '../answer.js';
import { headlineOf, type OtherOutcome } from '../headline.js';

/** What an answer shows of a rehearsal besides its kept result. */
interface ShownRehearsal {
  /** The dump, as it was named. */
  readonly dump: string;
  /** The last of what a migrator printed, where that may explain it. */
  readonly lastLines: readonly string[];
  /** What is known of the migration that failed. */
  readonly knownIssue: KnownIssue | undefined;
  /** The commands that come next, in the words of the user; undefined where an address in them may have a password. */
  readonly commands: {
    /** The same one, with more options. */
    readonly again: (...more: readonly string[]) => string | undefined;
    /** The plan that takes the evidence; undefined where none was written. */
    readonly plan: string | undefined;
  };
}

type RehearsalResult = DeepReadonly<Rehearsal>;

export function answerOfRehearsal(result: RehearsalResult, shown: ShownRehearsal): Answer {
  const { answer, fromVersion, toVersion, hops, remarks, notRehearsed } = result;
  const { dump, lastLines } = shown;
  return {
    ...emptyAnswer,
    ...noHops,
    title: `Rehearsal: ${fromVersion} -> ${toVersion}`,
    headline: headlineOf(outcomeOfRehearsal(result)),
    // It never makes a span rolling.
    safe: false,
    verdict: answer === 'yes' ? true : answer === 'no' ? false : 'unknown',
    strategy: undefined,
    facts: compact<Fact>(
      result.why.length > 1 && { label: 'Why', text: '', items: result.why.slice(1) },
      shown.knownIssue && {
        label: 'Known issue',
        text: `${shown.knownIssue.id}: ${shown.knownIssue.summary}`,
      },
      { label: 'Dump', text: describeDump(result, dump) },
      { label: 'Copy', text: describeCopy(result) },
      factsOfSizes(result),
      { label: 'Not rehearsed', text: notRehearsed.join(', ') },
    ),
    questions:
      hops.length === 0
        ? [questionOfAll(result)]
        : hops.map((hop, i): Question => {
            const isYes = hop.outcome === 'applied';
            return {
              name: `hop ${i + 1}: ${hop.toVersion}`,
              answer: isYes ? 'yes' : hop.outcome === 'failed' ? 'no' : 'unknown',
              yes: isYes,
              isDetail: true,
              why: hop.problem === null ? [] : [hop.problem.message],
            };
          }),
    remarks: remarks.map((text) => ({ text })),
    details: compact<Fact>(
      hops.map((hop, i) => ({ label: `Hop ${i + 1}`, text: describeHop(hop) })),
      factsOfMigrations(result),
      factOfSmallerDump(result),
      lastLines.length > 0 && { label: 'The migrator printed last', text: '', items: lastLines },
    ),
    next: nextOf(result, shown),
  };
}

/** Where there is no hop, of all of it: a list of tests that is empty reads as if none had been run. */
function questionOfAll({ answer, why }: RehearsalResult): Question {
  const yes = answer === 'yes';
  return {
    name: 'no hop',
    answer: yes ? 'yes' : answer === 'no' ? 'no' : 'unknown',
    yes,
    isDetail: true,
    why,
  };
}

/** A time is quoted with its day and its machine; none is scaled to another. */
function outcomeOfRehearsal(result: RehearsalResult): OtherOutcome {
  const { answer, mode, hops, why, migrationSeconds, dump, toVersion } = result;
  if (answer === 'no') return { kind: 'no', reason: why[0] ?? 'it fails' };
  if (answer === 'not-known') return { kind: 'not-known', missing: why[0] ?? 'it could not be rehearsed' };
  if (hops.length === 0) return { kind: 'nothing-to-do', why: `${toVersion} is the running version` };
  if (mode === 'dry') return { kind: 'rehearsed', what: `${describeApplied(hops)} (dry: no times)` };
  const time = describeTime(migrationSeconds ?? 0);
  const backup = `the backup of ${dump.madeOn} (${describeBytes(dump.bytes)})`;
  return { kind: 'rehearsed', what: `${time} of migrations on this machine, on ${backup}` };
}

/** `all 41 migrations of 2 hops apply` */
function describeApplied(hops: RehearsalResult['hops']): string {
  const count = hops.reduce((sum, { migrations }) => sum + migrations.length, 0);
  const where = countOf(hops.length, 'hop');
  if (count === 0) return `no migration has to run in ${where}`;
  return count === 1 ? `the only migration of ${where} applies` : `all ${count} migrations of ${where} apply`;
}

/** `0.8 s`, `42 s`, `9 min 20 s`, `2 h 5 min`. */
function describeTime(seconds: number): string {
  if (seconds < 60) return `${seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds)} s`;
  const rounded = Math.round(seconds);
  if (rounded < 3600) return `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
  return `${Math.floor(rounded / 3600)} h ${Math.round((rounded % 3600) / 60)} min`;
}

function describeDump({ dump, ledger }: RehearsalResult, name: string): string {
  const of = dump.postgresMajor === null ? '' : `, PostgreSQL ${dump.postgresMajor}`;
  const applied =
    ledger.newest === null
      ? ''
      : `; ${countOf(ledger.migrations, 'migration has', 'migrations have')} run, the last ${ledger.newest}`;
  return `${name} of ${dump.madeOn}, ${describeBytes(dump.bytes)}${of}${applied}`;
}

function describeCopy({ copy, mode, restoreSeconds }: RehearsalResult): string {
  const restored = restoreSeconds === null ? 'without rows' : `restored in ${describeTime(restoreSeconds)}`;
  const network = copy.isolated ? 'without a network' : 'with the network of this machine';
  const where = mode === 'full' ? ` (${copy.machine})` : '';
  return `PostgreSQL ${copy.postgresMajor} ${network}, ${restored}${where}`;
}

function factsOfSizes({ bytes }: RehearsalResult): Fact | undefined {
  if (bytes === null) return undefined;
  const { before, after, wal } = bytes;
  const text = `${describeBytes(before)} before, ${describeBytes(after)} after; ${describeBytes(wal)} of WAL`;
  return { label: 'Size', text };
}

function describeHop({ toVersion, outcome, migrations, problem }: RehearsalResult['hops'][number]): string {
  const applied = `${countOf(migrations.length, 'migration')} applied`;
  if (outcome === 'applied') return `${toVersion}: ${applied}, and a second start found nothing to do`;
  if (outcome === 'not-reached') return `${toVersion}: not reached`;
  if (outcome === 'not-known') return `${toVersion}: ${applied}; whether the rest does is not known`;
  const { migration, message } = problem ?? { migration: null, message: 'it fails' };
  return `${toVersion}: ${applied}, then ${migration === null ? '' : `${migration}: `}${message}`;
}

const mostMigrations = 10;

/** The migrations, slowest first; without times, strongest lock first. */
function factsOfMigrations({ hops, mode }: RehearsalResult): Fact | undefined {
  const all = hops.flatMap(({ migrations }) => migrations);
  const slowest = all.toSorted((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0)).slice(0, mostMigrations);
  if (slowest.length === 0) return undefined;
  const items = slowest.map(({ name, seconds, locks }) => {
    const time = seconds === null ? '' : `${describeTime(seconds)}  `;
    const [lock] = locks;
    if (lock === undefined) return `${time}${name}`;
    const held = lock.heldSeconds === null ? '' : ` for ${describeTime(lock.heldSeconds)}`;
    return `${time}${name}: ${nameOfLock(lock.mode)} on ${lock.table}${held}`;
  });
  const more = all.length > mostMigrations ? ` (${mostMigrations} of ${all.length})` : '';
  return { label: `${mode === 'full' ? 'Slowest' : 'Migrations'}${more}`, text: '', items };
}

/** Where a dry rehearsal names a few tables of many, their rows are all that a time needs. */
function factOfSmallerDump({ answer, mode, hops, copy }: RehearsalResult): Fact | undefined {
  const locks = hops.flatMap(({ migrations }) => migrations.flatMap((migration) => migration.locks));
  const tables = [...new Set(locks.map(({ table }) => table))].sort();
  const isSmall = tables.length > 0 && tables.length * 2 <= copy.tables;
  if (answer !== 'yes' || mode !== 'dry' || !isSmall) return undefined;
  const label = `A dump with the rows of ${tables.length} of ${copy.tables} tables, for --full`;
  return { label, text: '', items: [dumpOfTables(tables)] };
}

/** In the order in which a dump is restored: constraints come after the rows. */
function dumpOfTables(tables: readonly string[]): string {
  const ledgers = ['*.knex_migrations', '*.knex_migrations_lock', 'graphile_worker.migrations'];
  const named = tables.map((table) => table.split('.', 1).concat(table.slice(table.indexOf('.') + 1)));
  const patterns = named.map((parts) => parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.'));
  const rows = [...patterns, ...ledgers].map((pattern) => `--table=${shellWord(pattern)}`).join(' ');
  const dump = (options: string) => `pg_dump ${options} "$DATABASE_URL"`;
  const of = (section: string) => dump(`--section=${section} --no-comments --no-subscriptions`);
  return `(${of('pre-data')} && ${dump(`--data-only ${rows}`)} && ${of('post-data')}) > rows.sql`;
}

/** `AccessExclusiveLock` as PostgreSQL's manual writes it: `ACCESS EXCLUSIVE`. */
function nameOfLock(mode: string): string {
  return mode
    .replace(/Lock$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase();
}

function nextOf(
  { answer, mode }: RehearsalResult,
  { knownIssue, commands: { again, plan } }: ShownRehearsal,
): string {
  const then = (what: string, command: string | undefined) =>
    command === undefined ? `${what}.` : `${what}: ${command}`;
  if (answer === 'no')
    return knownIssue?.remedy ?? then('do not upgrade yet: fix what fails, and rehearse again', again());
  if (answer === 'not-known') return then('bring what is missing, and rehearse again', again());
  if (mode === 'dry') return then('for a time, rehearse with rows', again('--full'));
  return plan === undefined
    ? then('keep the evidence, for --rehearsal of other commands', again('--out', 'rehearsal.json'))
    : `plan with the evidence: ${plan}`;
}
