import { renderProvenance } from '../../answer/outputs/messages.js';
import { namesOf } from '../../core/accepted.js';
import { latestVersionOf, type UsedIndex } from '../../core/index/index-summary.js';
import { type KnownIssues, noKnownIssues, withKnownIssues } from '../../core/index/release-safety-index.js';
import { LightspanError } from '../../core/lightspan-error.js';
import type { Span } from '../../core/span.js';
import { quote } from '../../core/text/quote.js';
import type { Version } from '../../core/version.js';
import type { CommandContext } from '../../door/context.js';
import type { FetchOptions } from '../../gather/publisher/fetch-cached.js';
import {
  describeSource,
  type IndexRequest,
  type LoadedIndex,
  loadIndex,
} from '../../gather/publisher/index-source.js';
import type { FactsFile } from '../../instance/facts/facts-schema.js';
import { builtInKnownIssues, builtInRecords, timeForRecords } from '../../known-issues/built-in.js';
import { type Demands, demandsOf } from '../../known-issues/demands.js';
import {
  furthestOf,
  type JoinedRecords,
  joinRecords,
  type RecordSource,
} from '../../known-issues/join-records.js';
import {
  issuesOfRunning,
  knownIssuesOf,
  notesOf,
  type RunningIssue,
} from '../../known-issues/known-issues.js';
import { isIssue, isNote } from '../../known-issues/record-forms.js';
import type { Horizon, KnownIssue, Note } from '../../known-issues/records.js';
import type { EvidenceQuestion, IndexPlace } from '../../question/evidence.js';
import type { Network } from '../../question/network.js';
import { type LeftOut, renderNotice } from '../../words/evidence/notices.js';
import { type Acceptances, acceptancesOf } from '../acceptances.js';

export function indexRequest(
  { source, maxAgeMs }: IndexPlace,
  network: Network,
  world: CommandContext,
): IndexRequest {
  return { source, maxAgeMs, stdin: world.stdin, ...fetchOptions(network, world) };
}

export async function readIndex(
  place: IndexPlace,
  network: Network,
  world: CommandContext,
): Promise<LoadedIndex> {
  const loaded = await loadIndex(indexRequest(place, network, world));
  if (place.verbose) {
    const { index } = loaded;
    const used = await describeUsedIndex(loaded);
    world.stderr.write(renderProvenance(used, index.versions.length, world.now()));
  }
  return loaded;
}

/** Notices go to standard error. */
export function fetchOptions(
  network: Network,
  { env, now, stderr }: Pick<CommandContext, 'env' | 'now' | 'stderr'>,
): FetchOptions {
  return {
    ...network,
    env,
    now,
    notify: (notice) => stderr.write(renderNotice(notice)),
  };
}

export async function describeUsedIndex({ index, source, bytes }: LoadedIndex): Promise<UsedIndex> {
  const { sha256 } = await import('../../gather/files/sha256.js');
  return {
    source: describeSource(source),
    generatedAt: index.generatedAt,
    latestVersion: latestVersionOf(index),
    sha256: sha256(bytes),
  };
}

/** An index, and the known issues that do not count against it. */
export interface JudgedIndex extends LoadedIndex {
  readonly leftOut: LeftOut;
  readonly acceptances: Acceptances;
  /** The known issues of the releases that are accepted. */
  readonly acceptedIssues: KnownIssues;
  /** How many records count; null if they were left out. */
  readonly knownIssues: number | null;
  /** How far they reach; undefined if they were left out. */
  readonly knownThrough: Horizon | undefined;
  readonly demandsOf: (span: Span) => Demands;
  /** The known issues that count against a release for an instance that runs it. */
  readonly issuesOfRunning: (running: Version) => readonly RunningIssue[];
}

/**
 * The index, with the known issues that apply to the described instance. Every command that decides uses this.
 *
 * @param file facts of the instance, seen or stated; without it, only what the command line states counts
 */
export async function readIndexAndKnownIssues(
  { network, index, records, accepting }: EvidenceQuestion,
  stated: EvidenceQuestion['facts']['stated'],
  world: CommandContext,
  file?: FactsFile,
): Promise<JudgedIndex> {
  const loaded = await readIndex(index, network, world);
  const acceptances = await acceptancesOf(accepting, records.publisherOnly, world.now());
  const { leftOut, accepted } = leftOutBy(records, acceptances);
  if (leftOut.publisherOnly) world.stderr.write(renderNotice({ kind: 'publisher-only' }));
  const { issues, notes, replaced, knownThrough } = leftOut.publisherOnly
    ? { issues: [], notes: [], replaced: [] }
    : await readRecords(records.sources, index, network, world, accepted);
  await requireKnown(acceptances, issues);
  const facts =
    file === undefined
      ? stated
      : (await import('../../instance/facts/known-facts.js')).conditionFacts(file.facts);
  const now = timeForRecords(world.now());
  const knownIn = (some: readonly KnownIssue[]) =>
    // An answer tells what was left out from what was looked for and not found.
    withKnownIssues(
      loaded.index,
      leftOut.publisherOnly ? () => noKnownIssues : knownIssuesOf(some, facts, now),
    );
  const counting = issues.filter(({ id }) => !accepted.has(id));
  const known = knownThrough && { knownThrough, notesOf: notesOf(notes, facts, now) };
  return {
    ...loaded,
    index: knownIn(counting),
    leftOut: { ...leftOut, replacedIssues: replaced },
    acceptances,
    acceptedIssues: knownIn(issues.filter(({ id }) => accepted.has(id))).knownIssues,
    knownIssues: leftOut.publisherOnly ? null : counting.length,
    knownThrough,
    demandsOf: (span) => demandsOf(known, loaded.index, span),
    issuesOfRunning: (running) => issuesOfRunning(counting, facts, running, now),
  };
}

/** The known issues that a question excludes, before any record is read. */
export function leftOutBy(
  { publisherOnly }: Pick<EvidenceQuestion['records'], 'publisherOnly'>,
  { inForce }: Pick<Acceptances, 'inForce'>,
): { readonly leftOut: LeftOut; readonly accepted: ReadonlySet<string> } {
  const accepted = namesOf('issue', inForce);
  return {
    accepted,
    leftOut: {
      publisherOnly,
      acceptedIssues: [...accepted],
      replacedIssues: [],
    },
  };
}

/**
 * Refuses an accepted issue that is no known issue: on the command line it is mistyped; a name in settings may be one
 * of another source.
 */
export async function requireKnown({ inForce }: Acceptances, records: readonly KnownIssue[]): Promise<void> {
  const ids = [...new Set(records.map(({ id }) => id))];
  const byCommandLine = inForce.filter(({ reason }) => reason === null);
  const unknown = [...namesOf('issue', byCommandLine)].find((id) => !ids.includes(id));
  if (unknown === undefined) return;
  const { didYouMean } = await import('../../core/text/did-you-mean.js');
  const { acceptableKinds } = await import('../../checks/acceptable.js');
  throw new LightspanError(
    'usage',
    `--accept: there is no known issue ${quote(unknown)}${didYouMean(unknown, [...ids, ...acceptableKinds])}`,
    { hint: 'lightspan known-issues list shows them.' },
  );
}

/** The records of all places, by their kind. */
interface AllRecords extends JoinedRecords {
  readonly issues: readonly KnownIssue[];
  readonly notes: readonly Note[];
  readonly knownThrough: Horizon;
}

/**
 * The built-in records joined with those of every source. Replacing a built-in record is reported, or accepted by name.
 */
export async function readRecords(
  sources: readonly string[],
  index: IndexPlace,
  network: Network,
  world: CommandContext,
  accepted?: ReadonlySet<string>,
): Promise<AllRecords> {
  return joinWithBuiltIn(await readRecordSources(sources, index, network, world), world, accepted);
}

/** Joins records from outside with the built-in ones, and reports which of the built-in ones no longer count. */
export function joinWithBuiltIn(
  sources: readonly RecordSource[],
  { stderr, now }: Pick<CommandContext, 'stderr' | 'now'>,
  accepted: ReadonlySet<string> = new Set(),
): AllRecords {
  const joined = joinRecords(builtInRecords, sources, timeForRecords(now()));
  const replaced = joined.replaced.filter(({ id }) => !accepted.has(id));
  for (const issue of replaced) stderr.write(renderNotice({ kind: 'replaced-issue', ...issue }));
  return {
    ...{ ...joined, replaced },
    issues: joined.records.filter(isIssue),
    notes: joined.records.filter(isNote),
    knownThrough: furthestOf(builtInKnownIssues.knownThrough, sources),
  };
}

/** The records of the mirror that the index is read from, and those of the given sources. */
export async function readRecordSources(
  sources: readonly string[],
  index: IndexPlace,
  network: Network,
  world: CommandContext,
): Promise<readonly RecordSource[]> {
  if (sources.length === 0 && !index.isFolder) return [];
  const { knownIssuesInMirror, loadKnownIssues } = await import(
    '../../gather/publisher/known-issues-source.js'
  );
  const fetching = fetchOptions(network, world);
  const ofMirror = index.isFolder ? await knownIssuesInMirror(index.source, fetching) : undefined;
  const ofSources = await Promise.all(sources.map((source) => loadKnownIssues(source, fetching)));
  return [ofMirror ?? [], ofSources.flat()].flat();
}
