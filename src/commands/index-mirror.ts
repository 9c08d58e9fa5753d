import { join } from 'node:path';
import { type ResultOf, renderDocument } from '../answer/json/document.js';
import { renderFailureText, renderLines } from '../answer/outputs/messages.js';
import { openArtifactSource, withProgress } from '../app/sources/read-artifacts.js';
import { joinWithBuiltIn, readIndex, readRecordSources } from '../app/sources/read-index.js';
import { releasesToVerify } from '../core/artifact/reconcile.js';
import { latestVersionOf } from '../core/index/index-summary.js';
import { requireTargetAhead } from '../core/route/route.js';
import { parseVersion } from '../core/version.js';
import { defineCommand } from '../door/declare.js';
import { exitCodes } from '../door/exit-codes.js';
import { artifacts, issueSources, sources, sourcesOf } from '../door/options/evidence-options.js';
import { json } from '../door/options/options.js';
import { whereFrom } from '../door/options/phrases.js';
import { readVersion } from '../door/readers.js';
import { writeResult } from '../door/write-answer.js';
import { requireNotOlder } from '../gather/publisher/index-age.js';
import { parseRecords } from '../gather/publisher/known-issues-source.js';
import { knownIssuesPath } from '../gather/publisher/mirror.js';
import { writeMirror } from '../gather/publisher/write-mirror.js';
import { formatKnownIssues } from '../known-issues/join-records.js';
import { isIssue } from '../known-issues/record-forms.js';
import type { KnownIssue } from '../known-issues/records.js';
import { renderNotice } from '../words/evidence/notices.js';
import { countOf } from '../words/phrase.js';

/** Its JSON. */
export const resultSchema = async () => {
  const z = await import('zod/mini');
  const { countSchema, dateTimeSchema, versionSchema } = await import('../core/field-schemas.js');
  const { artifactFaultKindSchema } = await import('../core/results.js');
  return z.strictObject({
    schemaVersion: z.literal('1'),
    folder: z.string(),
    generatedAt: dateTimeSchema,
    releases: countSchema.check(z.describe('How many releases the index contains.')),
    knownIssues: countSchema.check(z.describe('How many records of known issues the mirror contains.')),
    artifacts: countSchema.check(z.describe('How many artifacts the mirror contains.')),
    fetched: countSchema.check(z.describe('How many of these artifacts are new.')),
    complete: z.boolean().check(z.describe('Whether the mirror contains everything that was requested.')),
    missing: z.array(
      z.strictObject({ version: versionSchema, kind: artifactFaultKindSchema, message: z.string() }),
    ),
  });
};

type IndexMirrorResult = ResultOf<typeof resultSchema>;

export const command = defineCommand({
  takes: {
    out: {
      flags: '--out <folder>',
      group: 'output',
      description: 'the folder to write or update',
      required: true,
    },
    artifacts: {
      flags: '--artifacts',
      group: 'question',
      description: 'include the artifact of every release that has one',
    },
    from: {
      flags: '--from <version>',
      group: 'question',
      description: 'only artifacts of releases newer than this one',
      read: readVersion('--from'),
    },
    to: {
      flags: '--to <version>',
      group: 'question',
      description: 'only artifacts of releases up to this one',
      read: readVersion('--to'),
    },
    ...sources,
    ...artifacts,
    ...issueSources,
    ...json,
    verbose: { flags: '--verbose', description: whereFrom('the index') },
  },
  notes: `--from or --to alone imply --artifacts. A later run fetches only what is new; an interrupted one leaves the last good
mirror. One run at a time writes a folder: another one meanwhile ends with exit 3, and changes nothing.`,
  exitCodes: {
    0: 'the mirror contains everything requested',
    2: 'the request is wrong, or the folder contains something else',
    3:
      'the index or some artifacts are unavailable (the mirror has the rest); or the folder cannot be ' +
      'written, another run is writing it, or its index is newer than the fetched one',
    4: 'the index cannot be trusted, or the mirror contains known issues that cannot',
  },
  examples: [
    'lightspan index mirror --out ./mirror --from 1.121.0 --to 1.156.0',
    'lightspan index mirror --out ./mirror --artifacts',
    'lightspan upgrade-check --from 1.121.0 --to 1.156.0 --index ./mirror --offline --verify-artifacts',
  ],
  run: async (options, context) => {
    const { out: folder, from, to } = options;
    const { index: place, network, records: named, artifacts } = sourcesOf(options, context.env);
    const { stderr } = context;
    requireTargetAhead({ from, to });
    const { index, bytes } = await readIndex(place, network, context);
    const source = await openArtifactSource(artifacts, place, network, context);
    const span = { from: from ?? parseVersion('0.0.0'), to: to ?? latestVersionOf(index) };
    const wantsArtifacts = options.artifacts === true || from !== undefined || to !== undefined;
    const sources = await readRecordSources(named, place, network, context);
    let records: readonly KnownIssue[] = [];
    const written = await withProgress(context, (onProgress) =>
      writeMirror({
        folder,
        index: bytes,
        knownIssues: async (present) => {
          requireNotOlder(index, present.index, {
            message: (came, before) =>
              `the mirror ${folder} stays as it is: the fetched index was generated ${came}, the one in the ` +
              `mirror ${before}`,
            orElse: 'write a mirror into a new folder',
          });
          // Those of a mirror are kept, whether or not their source is named again.
          const ofMirror =
            present.knownIssues === undefined
              ? []
              : [await parseRecords(present.knownIssues, join(folder, knownIssuesPath), context)];
          const joined = joinWithBuiltIn([...ofMirror, ...sources], context);
          records = joined.records.filter(isIssue);
          return formatKnownIssues(joined.records, joined.knownThrough);
        },
        versions: wantsArtifacts ? releasesToVerify(index, span) : [],
        source,
        maxBytes: network.maxBytes,
        now: context.now(),
        onProgress,
        onRemoved: (path) => stderr.write(renderNotice({ kind: 'leftover', path })),
      }),
    );
    const { faults, ...counts } = written;
    const summary = {
      folder,
      generatedAt: index.generatedAt,
      releases: index.entries.length,
      knownIssues: records.length,
      ...counts,
      complete: faults.size === 0,
      missing: [...faults].map(([version, { kind, message }]) => ({ version, kind, message })),
    };
    await writeResult(options, context, {
      json: () => renderDocument<IndexMirrorResult>(summary),
      text: () =>
        renderLines([
          `Mirror: ${folder}`,
          `Index: ${countOf(summary.releases, 'release')}, generated ${index.generatedAt}`,
          `Known issues: ${records.length}`,
          `Artifacts: ${counts.artifacts}, ${counts.fetched} of them new`,
        ]),
    });
    const [first] = summary.missing;
    if (first === undefined) return exitCodes.yes;
    stderr.write(renderLack(folder, faults.size, first));
    return exitCodes.unavailable;
  },
});

/** @param first of the artifacts that are missing */
function renderLack(
  folder: string,
  count: number,
  first: { readonly version: string; readonly message: string },
): string {
  const lacking = `the mirror ${folder} lacks ${countOf(count, 'artifact')}`;
  return renderFailureText({
    code: 'unreadable-source',
    message: `${lacking}; the first is ${first.version}: ${first.message}`,
    hint: 'The mirror has what was available. Run again to fetch the rest.',
  });
}
