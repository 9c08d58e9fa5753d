import { checkGroups } from '../checks/check.js';
import { type CheckId, checks, type Instance, type Preflight, preflightOf } from '../checks/checks.js';
import { findingInWords } from '../checks/describe.js';
import { releasesToVerify } from '../core/artifact/reconcile.js';
import type { Version } from '../core/field-schemas.js';
import type { ReleaseSafetyIndex } from '../core/index/release-safety-index.js';
import { LightspanError } from '../core/lightspan-error.js';
import type { Span } from '../core/span.js';
import { didYouMean } from '../core/text/did-you-mean.js';
import { quote } from '../core/text/quote.js';
import { compareVersions, type Target } from '../core/version.js';
import { parallelism } from '../gather/files/in-parallel.js';
import type { FactName, FactValue } from '../instance/facts/fact-names.js';
import type { ObservedFacts } from '../instance/facts/facts-schema.js';
import { servingContainers, versionOf } from '../instance/facts/lightdash-containers.js';
import { seenValue } from '../instance/facts/needs.js';
import type { LineFacts } from '../instance/forecast/hops.js';
import { appliedNames, editionOf, knownEdition } from '../instance/ledger.js';
import {
  type Edition,
  migrationsOf,
  placeLedger,
  type ReleaseLine,
  releaseLine,
} from '../instance/release-line.js';
import { countOf, listNames } from '../words/phrase.js';
import type { CurrentVersion } from './sources/current-version.js';
import type { LoadArtifacts } from './sources/read-artifacts.js';

/**
 * What the facts of an instance say to upgrades along a span. Loads the artifacts of the span, and those before it that
 * show what the instance has migrated.
 */
export async function seeInstance(
  seen: Omit<Instance, 'begin'>,
  span: Span,
  load: LoadArtifacts,
): Promise<{ readonly known: LineFacts; readonly preflightOf: (span: Span) => Preflight }> {
  const { index, facts } = seen;
  const line = await loadReleaseLine(index, span, load, facts.ledger);
  const instance = { ...seen, begin: line.before[0]?.version ?? span.from };
  return {
    known: { line, edition: knownEdition(facts), facts },
    preflightOf: (span) => preflightOf(instance, span),
  };
}

/** The preflight of `--fail-on-major` where nothing of the instance was seen: the check of majors alone. */
export function preflightOfMajors(alone: Pick<Instance, 'index' | 'accepted'>): (span: Span) => Preflight {
  const seen = { facts: {}, artifacts: new Map(), only: new Set<CheckId>(['majors']), failOnMajor: true };
  return (span) => preflightOf({ ...alone, ...seen, begin: span.from }, span);
}

/** What the artifacts of a span say of its migrations, without facts of an instance. */
export async function seeReleases(
  index: ReleaseSafetyIndex,
  span: Span,
  load: LoadArtifacts,
  stated: ReadonlyMap<FactName, FactValue>,
): Promise<LineFacts> {
  const outcomes = await load(releasesToVerify(index, span));
  const edition = stated.get('edition');
  return {
    line: releaseLine(index, span, span.from, outcomes),
    edition: edition === 'community' || edition === 'enterprise' ? edition : undefined,
    facts: {},
  };
}

/** Groups of releases that are requested together; the publisher has never released so many without a migration. */
const mostGroups = 8;

/**
 * All releases of a span with their artifacts, and as many before it as are needed to know what the database should
 * have run; with a ledger also all that its names may be of.
 */
export async function loadReleaseLine(
  index: ReleaseSafetyIndex,
  span: Span,
  load: LoadArtifacts,
  ledger?: ObservedFacts['ledger'],
): Promise<ReleaseLine> {
  const outcomes = await load(releasesToVerify(index, span));
  const add = async (versions: readonly Version[]) => {
    for (const [version, outcome] of await load(versions)) outcomes.set(version, outcome);
  };
  const older = index.entries
    .filter(({ version, backfilled }) => !backfilled && compareVersions(version, span.from) <= 0)
    .map(({ version }) => version)
    .reverse();
  let begin = span.from;
  let read = 0;
  // With a ledger all of them are read in the end: then the search ends only where one is found.
  const most = ledger?.status === 'seen' ? older.length : mostGroups * parallelism;
  while (read < Math.min(older.length, most)) {
    const group = older.slice(read, read + parallelism);
    await add(group);
    read += group.length;
    begin = group.at(-1) ?? begin;
    const { before } = releaseLine(index, span, begin, outcomes);
    if (before.flatMap(migrationsOf).some(({ edition }) => edition === 'core')) break;
  }
  if (ledger?.status === 'seen') await add(older.slice(read));
  return releaseLine(index, span, begin, outcomes);
}

/**
 * The running release according to the database: the one that migrated last, if the ledger agrees with it; else the
 * oldest at which the ledger can be.
 */
export async function placeInDatabase(
  index: ReleaseSafetyIndex,
  facts: ObservedFacts,
  stated: Edition,
  load: LoadArtifacts,
  to?: Target,
): Promise<Pick<CurrentVersion, 'version' | 'source'>> {
  const { ledger, runs } = facts;
  if (ledger?.status !== 'seen')
    throw runningReleaseNotKnown('the facts do not contain the rows of knex_migrations');
  const versions = index.entries.filter(({ backfilled }) => !backfilled).map(({ version }) => version);
  const [first, last = first] = [versions[0], versions.at(-1)];
  if (first === undefined || last === undefined)
    throw runningReleaseNotKnown('no release in the index has an artifact');
  const line = releaseLine(index, { from: last, to: last }, first, await load(versions));
  const applied = appliedNames(ledger.value);
  const { oldest, newest } = placeLedger(line.before, applied, editionOf(line, applied, stated));
  if (oldest === undefined) throw runningReleaseNotKnown('no artifact names a migration that has run there');

  const isPossible = (version: Version) =>
    newest !== undefined && compareVersions(version, oldest) >= 0 && compareVersions(version, newest) <= 0;
  // A release that brought no migration leaves no trace in the ledger: within its range, what is deployed runs.
  const deployed = deployedRelease(facts, to);
  const running = index.entries.find(({ version }) => version === deployed && isPossible(version));
  if (running !== undefined) {
    return { version: running.version, source: 'the images of the deployment, in the range of the ledger' };
  }
  const ran = seenValue(runs)?.lastSucceeded?.appVersion;
  const lastRun = index.entries.find(({ version }) => version === ran && isPossible(version));
  if (lastRun !== undefined) {
    return { version: lastRun.version, source: 'the newest run in migration_run_ledger' };
  }
  const isOldest = newest !== undefined && compareVersions(oldest, newest) < 0;
  const interval = isOldest ? `, the oldest of ${oldest} to ${newest}` : '';
  return { version: oldest, source: `the ledger of the database${interval}` };
}

/**
 * The one exact release that all images of Lightdash name. A file may already name the target, which does not run yet;
 * the objects of a cluster name what it runs.
 */
export function deployedRelease(
  { deployment, workloads }: Pick<ObservedFacts, 'deployment' | 'workloads'>,
  to: Target | undefined,
): Version | undefined {
  const releases = servingContainers(seenValue(workloads) ?? []).map(({ container }) => versionOf(container));
  const [release, ...others] = new Set(releases);
  const mayBeTarget = seenValue(deployment)?.origin !== 'cluster' && release === to;
  return others.length > 0 || mayBeTarget ? undefined : release;
}

function runningReleaseNotKnown(why: string): LightspanError {
  return new LightspanError('usage', `the database does not show which release runs: ${why}`, {
    hint: 'Pass the running version with --from <version>.',
  });
}

/** The checks that can stop an upgrade, were requested, and could not be done. */
export function factsNotSeen(unseen: Preflight['findings']): LightspanError {
  const checks = new Map(unseen.map((finding) => [finding.check, findingInWords(finding).description]));
  const which = [...checks].map(([check, why]) => `${check}: ${why}`);
  return new LightspanError(
    'unread-facts',
    `${countOf(checks.size, 'check')} that can stop the upgrade could not be done: ${listNames(which, 3)}`,
    {
      hint:
        'Collect the facts again with what is missing (lightspan upgrade-preflight --grants prints the SQL of a ' +
        'role that sees everything). Without --facts, only the releases are judged.',
    },
  );
}

export function chooseChecks(words: readonly string[]): ReadonlySet<CheckId> {
  const chosen = words.flatMap((word) => {
    const named = checks.filter(({ id, group }) => id === word || group === word);
    if (named.length > 0) return named;
    const names = [...checkGroups, ...checks.map(({ id }) => id)];
    throw new LightspanError('usage', `--only: there is no check ${quote(word)}${didYouMean(word, names)}`, {
      hint: `The checks are ${checks.map(({ id }) => id).join(', ')}.`,
    });
  });
  return new Set(chosen.map(({ id }) => id));
}
