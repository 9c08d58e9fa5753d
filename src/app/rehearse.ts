import { arch, cpus, platform, tmpdir, totalmem } from 'node:os';
import type { DeepReadonly } from '../core/common/deep-readonly.js';
import type { Version } from '../core/field-schemas.js';
import { requireTargetAhead } from '../core/route/route.js';
import { compareVersions, isVersion } from '../core/version.js';
import { type CommandContext, createProgress, packageVersion } from '../door/context.js';
import { dependentQueries } from '../gather/database/dependent-queries.js';
import { namesBy, quoteName } from '../gather/database/sql.js';
import { databaseFacts } from '../instance/facts/database-facts.js';
import type { ObservedFacts } from '../instance/facts/facts-schema.js';
import { withoutExtension } from '../instance/facts/known-facts.js';
import { licenceVariable } from '../instance/facts/lightdash-containers.js';
import { appliedNames, editionOf } from '../instance/ledger.js';
import type { Rehearsal, RehearsedHop } from '../instance/rehearsal.js';
import { listsMigrations, migrationsOf, placeLedger, type ReleaseLine } from '../instance/release-line.js';
import type { RehearsalQuestion } from '../question/rehearsal.js';
import type { HopRun } from '../rehearsal/hop.js';
import { beginRehearsal, type CopyAtWork, type Rehearsing } from '../rehearsal/rehearse.js';
import { chooseTarget, noticeTarget } from './choose-target.js';
import { type EvidenceSource, judgeGivenRoute, openEvidence } from './evidence.js';
import { loadReleaseLine, placeInDatabase } from './see-instance.js';

/** A rehearsal, and what is shown once and kept nowhere: it may hold anything that a migrator prints. */
interface Rehearsed {
  readonly rehearsal: Rehearsal;
  readonly lastLines: readonly string[];
  readonly source: EvidenceSource;
}

/**
 * Runs the hops of the plan on a copy, one after the other, up to the first that does not go through.
 *
 * @throws {LightspanError} if there can be no rehearsal
 */
export async function rehearse(question: RehearsalQuestion, context: CommandContext): Promise<Rehearsed> {
  const { show, clear } = createProgress(context);
  requireTargetAhead({ from: question.from, to: question.target.to });
  const source = await openEvidence(question.evidence, context);
  const { renderNotice } = await import('../words/evidence/notices.js');
  const world = {
    env: context.env,
    tmp: context.env.TMPDIR || tmpdir(),
    show,
    onRemoved: (path: string) => context.stderr.write(renderNotice({ kind: 'leftover', path })),
  };
  try {
    const rehearsing = await beginRehearsal(question.copy, world);
    try {
      return { ...(await runHops(question, rehearsing, source, context)), source };
    } finally {
      show('removing the copy');
      await rehearsing.end();
    }
  } finally {
    clear();
  }
}

/** What hangs on the tables of the copy, by the names that the facts of a database have for it. */
async function dependentsOf(copy: CopyAtWork, seenAt: string): Promise<readonly string[]> {
  const names = namesBy(() => quoteName(copy.schema));
  const found = await Promise.all(
    dependentQueries.map(async ({ select }) => {
      const [row] = await copy.ask(`SELECT (${select(names)}) AS dependents`);
      const seen = { status: 'seen', source: 'rehearsal', seenAt, value: row?.dependents };
      const read = databaseFacts.dependents.safeParse(seen);
      if (!read.success || read.data?.status !== 'seen')
        return { objects: [], triggers: [], unidentified: [] };
      return read.data.value;
    }),
  );
  const all = found.flatMap(({ objects, triggers, unidentified }) => [
    ...[...objects, ...triggers].map(({ name }) => name),
    ...unidentified.map(({ publication }) => publication),
  ]);
  return [...new Set(all)].sort();
}

interface Position {
  readonly from: Version;
  readonly fromSource: string;
}

async function runHops(
  question: RehearsalQuestion,
  rehearsing: Rehearsing,
  source: EvidenceSource,
  context: CommandContext,
): Promise<Omit<Rehearsed, 'source'>> {
  const { restored, copy } = rehearsing;
  const seenAt = context.now().toISOString();
  const latest = source.index.entries.at(-1)?.version;
  const stated = question.from;
  if (copy === undefined) {
    const from = stated ?? latest;
    if (from === undefined) throw new Error('an index has releases');
    const { to: named } = question.target;
    const to = isVersion(named) ? named : (latest ?? from);
    const isBroken = restored.broken.length > 0;
    const what = isBroken ? 'the dump is no backup' : 'the dump could not be restored here';
    const why = (isBroken ? restored.broken : restored.lacking).map((text) => `${what}: ${text}`);
    const answer = isBroken ? 'no' : 'not-known';
    return {
      rehearsal: await resultOf(question, rehearsing, { from, fromSource: 'nothing was restored' }, seenAt, {
        ...{ answer, to, hops: [], why: why.slice(0, mostReasons), remarks: [], dependents: [] },
      }),
      lastLines: [],
    };
  }
  const position = await findPosition(question, copy, source, seenAt);
  const { from } = position;
  requireTargetAhead({ from, to: question.target.to });
  const chosen = await chooseTarget(source, from, question.target, context);
  noticeTarget(chosen, context);
  const { to } = chosen;
  const { route } = await judgeGivenRoute(source, { from, to });
  const remarks = await contradictions(position, copy, source);
  const versions = route.certified ? route.hops.map(({ toVersion }) => toVersion) : [];
  const dependents = await dependentsOf(copy, seenAt);
  const ran = await runEach(versions, from, copy, { source, copy: question.copy });
  const why = route.certified ? ran.why : ['no complete route leads there; lightspan upgrade-plan says why'];
  return {
    rehearsal: await resultOf(question, rehearsing, position, seenAt, {
      answer: route.certified ? ran.answer : 'not-known',
      ...{ to: route.toVersion, hops: ran.hops, why, remarks, dependents },
    }),
    lastLines: ran.lastLines,
  };
}

const mostReasons = 10;

async function findPosition(
  { from }: RehearsalQuestion,
  { ledger }: CopyAtWork,
  { index, load }: EvidenceSource,
  seenAt: string,
): Promise<Position> {
  if (from !== undefined) return { from, fromSource: '--from' };
  const place = await placeInDatabase(index, { ledger: ledgerFact(ledger, seenAt) }, undefined, load);
  return { from: place.version, fromSource: place.source };
}

function ledgerFact(names: readonly string[], seenAt: string): ObservedFacts['ledger'] {
  const value = names.map((name) => ({ name, batch: 0, migratedAt: null }));
  return { status: 'seen', source: 'database', seenAt, value };
}

/** Where the ledger of the dump is not that of the stated release, as far as artifacts tell. */
async function contradictions(
  { from, fromSource }: Position,
  { ledger }: CopyAtWork,
  { index, load }: EvidenceSource,
): Promise<readonly string[]> {
  if (fromSource !== '--from') return [];
  const applied = new Set(ledger.map(withoutExtension));
  const line = await loadReleaseLine(index, { from, to: from }, load);
  const { releases } = placeLedger(line.before, applied, editionOf(line, applied, undefined));
  return releases
    .filter(({ lacking }) => lacking.length > 0)
    .slice(0, 3)
    .map(({ version, lacking }) => `--from says ${from}, and the ledger lacks ${lacking[0]} of ${version}`);
}

async function runEach(
  versions: readonly Version[],
  from: Version,
  atWork: CopyAtWork,
  { source, copy }: { readonly source: EvidenceSource; readonly copy: RehearsalQuestion['copy'] },
) {
  const hops: RehearsedHop[] = [];
  let answer: Rehearsal['answer'] = 'yes';
  let lastLines: readonly string[] = [];
  const why: string[] = [];
  let before = from;
  for (const [i, version] of versions.entries()) {
    if (answer !== 'yes') {
      hops.push({ toVersion: version, outcome: 'not-reached', image: null, migrations: [], problem: null });
      continue;
    }
    const span = { from: before, to: version };
    const ran = withoutLicence(
      await atWork.migrate(version),
      await loadReleaseLine(source.index, span, source.load),
      copy,
    );
    const hop = await withUnapplied(ran, span, source);
    const { outcome } = hop;
    hops.push(hopOf(version, hop));
    if (outcome.kind === 'failed') {
      answer = 'no';
      const where = outcome.migration === undefined ? '' : ` in ${outcome.migration}`;
      why.push(`hop ${i + 1} fails${where}: ${outcome.message}`);
    } else if (outcome.kind === 'not-known') {
      answer = 'not-known';
      why.push(`hop ${i + 1}: ${outcome.why}`);
      lastLines = outcome.lastLines;
    }
    before = version;
  }
  return { hops, answer, why, lastLines };
}

/**
 * Without its licence key, an image lacks the enterprise migrations that the ledger has. That is no fault of the image.
 */
function withoutLicence(
  hop: HopRun,
  line: ReleaseLine,
  copy: Pick<RehearsalQuestion['copy'], 'variables'>,
): HopRun {
  const { outcome } = hop;
  if (outcome.kind !== 'failed' || outcome.missingFiles === undefined || hasLicenceKey(copy)) return hop;
  const ofCore = new Set(
    [...line.earlier, ...line.before, ...line.span]
      .flatMap(migrationsOf)
      .filter(({ edition }) => edition === 'core')
      .map(({ name }) => name),
  );
  if (outcome.missingFiles.some((name) => ofCore.has(withoutExtension(name)))) return hop;
  const why = `${outcome.message}; they may be of the enterprise edition: hand on its key with --env ${licenceVariable}`;
  return { ...hop, outcome: { kind: 'not-known', why, lastLines: [] } };
}

/**
 * A migrator that ends with 0 and applies nothing twice looks finished. What the artifact of the target lists stands in
 * its image, and must have run; that of a release between may be gone from it.
 */
async function withUnapplied(
  hop: HopRun,
  span: { readonly from: Version; readonly to: Version },
  { index, load }: EvidenceSource,
): Promise<HopRun> {
  if (hop.outcome.kind !== 'applied') return hop;
  const { span: releases } = await loadReleaseLine(index, span, load);
  const applied = appliedNames(hop.ledger.map((name) => ({ name, batch: 0, migratedAt: null })));
  const lacking = releases
    .filter(listsMigrations)
    .flatMap(migrationsOf)
    .filter(({ edition, name }) => edition === 'core' && !applied.has(name));
  const [first] = lacking.toSorted((a, b) => compareVersions(b.version, a.version));
  if (first === undefined) return hop;
  const message = `the migrator ended with 0, and ${first.name} of ${first.version} has not run`;
  return {
    ...hop,
    outcome:
      first.version === span.to
        ? { kind: 'failed', migration: undefined, message, sqlState: undefined }
        : { kind: 'not-known', why: message, lastLines: [] },
  };
}

function hopOf(version: Version, { outcome, migrations, image }: HopRun): RehearsedHop {
  return {
    toVersion: version,
    outcome: outcome.kind,
    image: image ?? null,
    migrations: migrations.map(({ name, seconds, locks }) => ({
      ...{ name, seconds },
      locks: locks.map(({ mode, table, heldSeconds }) => ({ mode, table, heldSeconds })),
    })),
    problem:
      outcome.kind === 'failed'
        ? {
            migration: outcome.migration ?? null,
            message: outcome.message,
            sqlState: outcome.sqlState ?? null,
          }
        : null,
  };
}

interface Ran extends Pick<DeepReadonly<Rehearsal>, 'answer' | 'why' | 'remarks' | 'dependents'> {
  readonly to: Version;
  readonly hops: readonly RehearsedHop[];
}

async function resultOf(
  { copy }: RehearsalQuestion,
  rehearsing: Rehearsing,
  { from, fromSource }: Position,
  rehearsedAt: string,
  { answer, to, hops, why, remarks, dependents }: Ran,
): Promise<Rehearsal> {
  const { dump, major, isIsolated, restoreSeconds, copy: atWork } = rehearsing;
  const ledger = atWork?.ledger ?? [];
  const { full } = copy;
  const migrations = hops.flatMap((hop) => hop.migrations);
  const sum = migrations.reduce((total, { seconds }) => total + (seconds ?? 0), 0);
  return {
    schemaVersion: '1',
    safe: answer === 'yes',
    answer,
    mode: full ? 'full' : 'dry',
    fromVersion: from,
    fromSource,
    toVersion: to,
    rehearsedAt,
    madeBy: `lightspan ${packageVersion}`,
    dump: { madeOn: dump.madeOn, bytes: dump.bytes, postgresMajor: dump.fromMajor ?? null },
    copy: {
      by: rehearsing.by,
      postgresMajor: major,
      machine: describeMachine(),
      isolated: isIsolated,
      tables: rehearsing.restored.tables,
    },
    ledger: { migrations: ledger.length, newest: ledger.at(-1) ?? null },
    migratingRole: atWork?.migratingRole ?? null,
    rolesKnown: rehearsing.restored.rightsAreSure,
    enterprise: hasLicenceKey(copy),
    dependents: [...dependents],
    restoreSeconds: full ? round(restoreSeconds) : null,
    migrationSeconds: full ? round(sum) : null,
    bytes: full && atWork !== undefined ? await atWork.sizes() : null,
    // Without rows, neither a time nor how long a lock was held says anything.
    hops: hops.map((hop) => ({
      ...hop,
      migrations: hop.migrations.map((migration) => timed(migration, full)),
    })),
    why: [...why],
    remarks: [...remarks, ...remarksOf(rehearsing)],
    notRehearsed: [
      ...notRehearsed(copy),
      ...rehearsing.restored.withoutRows.map((table) => `rows of ${table}`),
    ],
  };
}

function timed({ name, seconds, locks }: RehearsedHop['migrations'][number], full: boolean) {
  const time = (value: number | null) => (full && value !== null ? round(value) : null);
  return {
    ...{ name, seconds: time(seconds) },
    locks: locks.map((lock) => ({ ...lock, heldSeconds: time(lock.heldSeconds) })),
  };
}

function round(seconds: number): number {
  return Number(seconds.toFixed(seconds < 1 ? 3 : 1));
}

function describeMachine(): string {
  return `${platform()} ${arch()}, ${cpus().length} CPUs, ${Math.round(totalmem() / 1024 ** 3)} GiB`;
}

function remarksOf({ restored, dump, major, isIsolated }: Rehearsing): readonly string[] {
  const { missingExtensions } = restored;
  return [
    ...(dump.fromMajor === undefined || dump.fromMajor === major
      ? []
      : [`the copy is PostgreSQL ${major}, the dump of PostgreSQL ${dump.fromMajor}`]),
    ...(missingExtensions.length === 0
      ? []
      : [`the copy lacks the extension ${missingExtensions.join(', ')}`]),
    ...(isIsolated ? [] : ['its network could not be shut off here: unshare is not there, or not allowed']),
    ...restored.remarks.slice(0, mostReasons),
  ];
}

function hasLicenceKey({ variables }: Pick<RehearsalQuestion['copy'], 'variables'>): boolean {
  return variables.includes(licenceVariable);
}

function notRehearsed({ full, variables }: RehearsalQuestion['copy']): readonly string[] {
  return [
    ...(full ? [] : ['rows']),
    ...(hasLicenceKey({ variables }) ? [] : ['enterprise migrations (no licence key)']),
    'traffic',
    'other applications on the database',
  ];
}
