import { join } from 'node:path';
import { LightspanError, toFailure } from '../../errors.js';
import { type ExitCode, exitCodeOfError, exitCodes } from '../../exit-codes.js';
import { formatKnownIssues, type RecordSource } from '../../known-issues/join-records.js';
import type { KnownIssue } from '../../known-issues/records.js';
import { latestVersionOf } from '../../release-safety/index-summary.js';
import type { ReleaseSafetyIndex } from '../../release-safety/parse-index.js';
import { type ArtifactFault, releasesToVerify } from '../../release-safety/reconcile.js';
import { requireTargetAhead } from '../../release-safety/route.js';
import { parseVersion, type Version } from '../../release-safety/version.js';
import { renderDocument } from '../../render/json/document.js';
import type { IndexMirrorResult } from '../../render/json/index-result-schemas.js';
import { countOf } from '../../render/phrase.js';
import { renderFailureText } from '../../render/text/failure.js';
import { renderMirrorText } from '../../render/text/mirror.js';
import { renderNotice } from '../../render/words/notices.js';
import { requireNotOlder } from '../../sources/index-age.js';
import { parseRecords } from '../../sources/known-issues-source.js';
import { knownIssuesPath } from '../../sources/mirror.js';
import { writeMirror } from '../../sources/write-mirror.js';
import type { CommandContext } from '../context.js';
import type { KnownIssueOptions } from '../known-issue-options.js';
import { openArtifactSource, withProgress } from '../read-artifacts.js';
import { readIndex } from '../read-index.js';
import { joinWithBuiltIn, readRecordSources } from '../read-known-issues.js';
import type { ArtifactOptions, SourceOptions } from '../shared-options.js';

export interface IndexMirrorOptions
  extends SourceOptions,
    ArtifactOptions,
    Pick<KnownIssueOptions, 'knownIssues'> {
  readonly out: string;
  readonly from?: Version;
  readonly to?: Version;
  readonly artifacts?: true;
  readonly json?: true;
  readonly verbose?: true;
}

/** `lightspan index mirror`: exit 0 only if the mirror contains everything that was requested. */
export async function indexMirror(options: IndexMirrorOptions, context: CommandContext): Promise<ExitCode> {
  requireTargetAhead({ from: options.from, to: options.to });
  const { index, bytes } = await readIndex(options, context);
  const source = await openArtifactSource(options, context);
  const versions = releasesToMirror(index, options);
  const sources = await readRecordSources(options, context);
  let records: readonly KnownIssue[] = [];
  const written = await withProgress('Artifacts', context, (onProgress) =>
    writeMirror({
      folder: options.out,
      index: bytes,
      knownIssues: async (held) => {
        requireNotOlder(index, held.index, {
          message: (came, before) =>
            `the mirror ${options.out} is left as it is: the index that came was generated ${came}, and the one that it holds ${before}`,
          orElse: 'write a mirror into a new folder',
        });
        const ofMirror = await heldRecords(held.knownIssues, options.out, context);
        ({ records } = joinWithBuiltIn([...ofMirror, ...sources], context));
        return formatKnownIssues(records);
      },
      versions,
      source,
      maxBytes: options.maxBytes,
      now: context.now(),
      onProgress,
      onRemoved: (path) => context.stderr.write(renderNotice({ kind: 'leftover', path })),
    }),
  );
  const { faults, ...counts } = written;
  const summary = {
    folder: options.out,
    generatedAt: index.generatedAt,
    releases: index.entries.length,
    knownIssues: records.length,
    ...counts,
    complete: faults.size === 0,
    missing: [...faults].map(([version, { kind, message }]) => ({ version, kind, message })),
  };
  context.stdout.write(
    options.json === true ? renderDocument<IndexMirrorResult>(summary) : renderMirrorText(summary),
  );
  if (summary.complete) return exitCodes.yes;
  const failure = toFailure(incomplete(options.out, faults));
  context.stderr.write(renderFailureText(failure));
  return exitCodeOfError(failure.code);
}

/** The known issues of a mirror are kept, whether or not their source is named again. */
async function heldRecords(
  held: Uint8Array | undefined,
  folder: string,
  context: CommandContext,
): Promise<readonly RecordSource[]> {
  return held === undefined ? [] : [await parseRecords(held, join(folder, knownIssuesPath), context)];
}

function releasesToMirror(
  index: ReleaseSafetyIndex,
  { artifacts, from, to }: IndexMirrorOptions,
): readonly Version[] {
  if (artifacts !== true && from === undefined && to === undefined) return [];
  const span = { from: from ?? parseVersion('0.0.0'), to: to ?? latestVersionOf(index) };
  return releasesToVerify(index, span);
}

function incomplete(folder: string, faults: ReadonlyMap<Version, ArtifactFault>): LightspanError {
  const [first] = faults;
  const releases = countOf(faults.size, 'artifact');
  return new LightspanError(
    'unreadable-source',
    `the mirror ${folder} lacks ${releases}${first === undefined ? '' : `, first that of ${first[0]}: ${first[1].message}`}`,
    { hint: 'What was available is in the mirror. Run again to fetch the rest.' },
  );
}
