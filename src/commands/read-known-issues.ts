import { LightspanError } from '../errors.js';
import { type Facts, factsOf, joinFacts } from '../facts/facts.js';
import type { FactsFile } from '../facts/facts-schema.js';
import { builtInKnownIssues, timeForRecords } from '../known-issues/built-in.js';
import {
  type JoinedRecords,
  joinRecords,
  type RecordSource,
  type ReplacedIssue,
} from '../known-issues/join-records.js';
import { knownIssuesOf } from '../known-issues/known-issues.js';
import type { KnownIssue } from '../known-issues/record-schema.js';
import { quoteForMessage } from '../release-safety/errors.js';
import { noKnownIssues } from '../release-safety/known-issues.js';
import { withKnownIssues } from '../release-safety/parse-index.js';
import type { LeftOut } from '../render/words/left-out.js';
import { renderNotice } from '../render/words/notices.js';
import type { LoadedIndex } from '../sources/index-source.js';
import { isFolder } from '../sources/read-file.js';
import type { CommandContext } from './context.js';
import type { KnownIssueOptions } from './known-issue-options.js';
import { fetchOptions, indexRequest, readIndex } from './read-index.js';
import type { OutputOptions, SourceOptions } from './shared-options.js';

/** An index, and the known issues that do not count against it. */
export interface JudgedIndex extends LoadedIndex {
  readonly leftOut: LeftOut;
  /** How many records count; null if they were left out. */
  readonly knownIssues: number | null;
}

/**
 * The index that the options and the environment name, with what is known against its releases of the instance that
 * they describe. Commands that decide use this.
 *
 * @param file the file of `--facts`, if it was already read
 */
export async function readIndexAndKnownIssues(
  options: KnownIssueOptions & SourceOptions & Pick<OutputOptions, 'verbose'>,
  context: CommandContext,
  file?: FactsFile,
): Promise<JudgedIndex> {
  const loaded = await readIndex(options, context);
  if (options.publisherOnly === true) {
    context.stderr.write(renderNotice({ kind: 'publisher-only' }));
    return {
      ...loaded,
      index: withKnownIssues(loaded.index, () => noKnownIssues),
      leftOut: leftOutBy(options),
      knownIssues: null,
    };
  }
  const facts = await readFacts(options, context, file);
  const { records, replaced } = await readRecords(options, context);
  const counting = await withoutAccepted(records, options, context);
  return {
    ...loaded,
    index: withKnownIssues(loaded.index, knownIssuesOf(counting, facts, timeForRecords(context.now()))),
    leftOut: leftOutBy(options, replaced),
    knownIssues: counting.length,
  };
}

/** The known issues that this command line excludes, and those that its sources replace. */
export function leftOutBy(
  { publisherOnly, acceptIssue = [] }: KnownIssueOptions,
  replacedIssues: readonly ReplacedIssue[] = [],
): LeftOut {
  return publisherOnly === true
    ? { publisherOnly, acceptedIssues: [], replacedIssues: [] }
    : { publisherOnly: false, acceptedIssues: acceptIssue, replacedIssues };
}

/** An issue is accepted by name only, and always with a notice. */
async function withoutAccepted(
  records: readonly KnownIssue[],
  { acceptIssue: accepted = [] }: Pick<KnownIssueOptions, 'acceptIssue'>,
  { stderr }: Pick<CommandContext, 'stderr'>,
): Promise<readonly KnownIssue[]> {
  for (const id of accepted) {
    if (!records.some((record) => record.id === id)) {
      const { didYouMean } = await import('../shared/did-you-mean.js');
      const near = didYouMean(id, [...new Set(records.map((record) => record.id))]);
      throw new LightspanError(
        'usage',
        `--accept-issue: there is no known issue ${quoteForMessage(id)}${near}`,
        {
          hint: 'lightspan known-issues list shows them.',
        },
      );
    }
    stderr.write(renderNotice({ kind: 'accepted-issue', id }));
  }
  return records.filter(({ id }) => !accepted.includes(id));
}

/** The built-in records, and those of every source. Replacing what is built in is always said, or accepted. */
export async function readRecords(
  options: Pick<KnownIssueOptions, 'knownIssues' | 'acceptIssue'> & SourceOptions,
  context: CommandContext,
): Promise<JoinedRecords> {
  return joinWithBuiltIn(await readRecordSources(options, context), options, context);
}

/** Joins records from outside with those that are built in, and says which of these no longer count. */
export function joinWithBuiltIn(
  sources: readonly RecordSource[],
  { acceptIssue: accepted = [] }: Pick<KnownIssueOptions, 'acceptIssue'>,
  { stderr, now }: Pick<CommandContext, 'stderr' | 'now'>,
): JoinedRecords {
  const { records, replaced } = joinRecords(builtInKnownIssues.records, sources, timeForRecords(now()));
  const told = replaced.filter(({ id }) => !accepted.includes(id));
  for (const issue of told) stderr.write(renderNotice({ kind: 'replaced-issue', ...issue }));
  return { records, replaced: told };
}

/**
 * The records of the mirror that the index is read from, and those of the given sources. The reader of records is
 * loaded only if there are some to read.
 */
export async function readRecordSources(
  options: Pick<KnownIssueOptions, 'knownIssues'> & SourceOptions,
  context: CommandContext,
): Promise<readonly RecordSource[]> {
  const { LIGHTSPAN_KNOWN_ISSUES: ofEnvironment } = context.env;
  const sources = [...(ofEnvironment ? [ofEnvironment] : []), ...(options.knownIssues ?? [])];
  const { source: index } = indexRequest(options, context);
  const mirror = isFolder(index) ? index : undefined;
  if (sources.length === 0 && mirror === undefined) return [];
  const { knownIssuesInMirror, loadKnownIssues } = await import('../sources/known-issues-source.js');
  const fetching = fetchOptions(options, context);
  const ofMirror = mirror === undefined ? undefined : await knownIssuesInMirror(mirror, fetching);
  const ofSources = await Promise.all(sources.map((source) => loadKnownIssues(source, fetching)));
  return [...(ofMirror === undefined ? [] : [ofMirror]), ...ofSources.flat()];
}

/** What `--fact` and `--facts` say of the instance; a stated fact takes precedence over one in the file. */
export async function readFacts(
  options: Pick<KnownIssueOptions, 'fact' | 'facts'> & Pick<SourceOptions, 'maxAge'>,
  context: Pick<CommandContext, 'stdin' | 'stderr' | 'now'>,
  file?: FactsFile,
): Promise<Facts> {
  const stated = factsOf(options.fact ?? new Map());
  const read = file ?? (await readFactsFile(options, context));
  if (read === undefined) return stated;
  const { factsOfFile } = await import('../facts/read-facts.js');
  return joinFacts(stated, factsOfFile(read));
}

/** The file of `--facts`; undefined without that option. */
export async function readFactsFile(
  options: Pick<KnownIssueOptions, 'facts'> & Pick<SourceOptions, 'maxAge'>,
  context: Pick<CommandContext, 'stdin' | 'stderr' | 'now'>,
): Promise<FactsFile | undefined> {
  if (options.facts === undefined) return undefined;
  const reader = await import('./facts-file.js');
  return (await reader.readFactsFile(options.facts, options, context)).file;
}
