import { join } from 'node:path';
import { renderDocument } from '../answer/json/document.js';
import type { IndexMirrorResult } from '../answer/json/index-schemas.js';
import { renderFailureText } from '../answer/outputs/messages.js';
import { renderMirrorText } from '../answer/outputs/release-index.js';
import { LightspanError, toFailure } from '../errors.js';
import { type ExitCode, exitCodeOfError, exitCodes } from '../exit-codes.js';
import { formatKnownIssues } from '../known-issues/join-records.js';
import type { KnownIssue } from '../known-issues/records.js';
import type { Version } from '../release-safety/field-schemas.js';
import { latestVersionOf } from '../release-safety/index-summary.js';
import { type ArtifactFault, releasesToVerify } from '../release-safety/reconcile.js';
import type { ReleaseSafetyIndex } from '../release-safety/release-safety-index.js';
import { requireTargetAhead } from '../release-safety/route.js';
import { parseVersion } from '../release-safety/version.js';
import { requireNotOlder } from '../sources/index-age.js';
import { parseRecords } from '../sources/known-issues-source.js';
import { knownIssuesPath } from '../sources/mirror.js';
import { writeMirror } from '../sources/write-mirror.js';
import { renderNotice } from '../words/notices.js';
import { countOf } from '../words/phrase.js';
import type { CommandContext } from './context.js';
import { defineCommand, type OptionsOf, type OptionTable } from './declare.js';
import { artifacts, issueSources, json, sources } from './options.js';
import { openArtifactSource, withProgress } from './read-artifacts.js';
import { joinWithBuiltIn, readIndex, readRecordSources } from './read-index.js';
import { readVersion } from './readers.js';

const takes = {
  out: { flags: '--out <folder>', description: 'the folder to write or update', required: true },
  artifacts: {
    flags: '--artifacts',
    description: 'include the artifact of every release that is not backfilled',
  },
  from: {
    flags: '--from <version>',
    description: 'only artifacts of releases newer than this one',
    read: readVersion('--from'),
  },
  to: {
    flags: '--to <version>',
    description: 'only artifacts of releases up to this one',
    read: readVersion('--to'),
  },
  ...sources,
  ...artifacts,
  ...issueSources,
  ...json,
  verbose: { flags: '--verbose', description: 'say on standard error where the index came from' },
} as const satisfies OptionTable;

export type IndexMirrorOptions = OptionsOf<typeof takes>;

export const command = defineCommand({
  takes,
  notes: `--from or --to alone imply --artifacts. A later run fetches only what is new; an interrupted one leaves the last good
mirror. One run at a time writes a folder: another one meanwhile ends with exit 3, and changes nothing.`,
  exitCodes: {
    0: 'the mirror contains everything requested',
    2: 'the request is wrong, or the folder contains something else',
    3: 'the index or some artifacts are unavailable, and what is available is in the mirror; or the folder cannot be written, another run is writing it, or its index is newer than the fetched one',
    4: 'the index cannot be trusted, or the mirror contains known issues that cannot',
  },
  examples: [
    'lightspan index mirror --out ./mirror --from 1.121.0 --to 1.156.0',
    'lightspan index mirror --out ./mirror --artifacts',
    'lightspan upgrade-check --from 1.121.0 --to 1.156.0 --index ./mirror --offline --verify-artifacts',
  ],
  run: indexMirror,
});

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
        // Those of a mirror are kept, whether or not their source is named again.
        const ofMirror =
          held.knownIssues === undefined
            ? []
            : [await parseRecords(held.knownIssues, join(options.out, knownIssuesPath), context)];
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
