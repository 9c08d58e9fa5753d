import { renderFacts } from '../answer/formats/text.js';
import { type ResultOf, renderDocument } from '../answer/json/document.js';
import { factsOfKnownIssues } from '../answer/outputs/known-issues.js';
import { readRecords } from '../app/sources/read-index.js';
import { requireTargetAhead } from '../core/route/route.js';
import { defineCommand } from '../door/declare.js';
import { endings, exitCodes } from '../door/exit-codes.js';
import { issueSources, sourcesOf, sourcesOfAnyAge } from '../door/options/evidence-options.js';
import { json } from '../door/options/options.js';
import { readVersion } from '../door/readers.js';
import { writeResult } from '../door/write-answer.js';
import { builtInKnownIssues } from '../known-issues/built-in.js';
import { isAboutReleases } from '../known-issues/known-issues.js';
import type { KnownRecord } from '../known-issues/records.js';

/** Its JSON. */
export const resultSchema = async () => {
  const z = await import('zod/mini');
  const { dateTimeSchema } = await import('../core/field-schemas.js');
  const { horizonSchema, noteSchema, recordSchema } = await import('../known-issues/records.js');
  return z.strictObject({
    schemaVersion: z.literal('1'),
    builtInPublishedAt: z.nullable(dateTimeSchema).check(z.describe('The last change of a built-in one.')),
    knownThrough: horizonSchema.check(z.describe('Of later releases, no problem is known here.')),
    records: z.array(recordSchema),
    notes: z.array(noteSchema).check(z.describe('What releases change for some; no verdict changes.')),
  });
};

type KnownIssuesListResult = ResultOf<typeof resultSchema>;

export const command = defineCommand({
  takes: {
    from: {
      flags: '--from <version>',
      description: 'only issues of releases newer than this one',
      read: readVersion('--from'),
    },
    to: {
      flags: '--to <version>',
      description: 'only issues of releases up to this one',
      read: readVersion('--to'),
    },
    ...issueSources,
    ...sourcesOfAnyAge,
    ...json,
  },
  exitCodes: {
    0: 'the list is shown, even if it is empty',
    3: endings.noRecords,
    4: 'known issues cannot be trusted',
  },
  examples: [
    'lightspan known-issues list --from 1.123.1 --to 1.134.0',
    'lightspan known-issues list --known-issues ./our-issues --json',
  ],
  run: async (options, context) => {
    requireTargetAhead({ from: options.from, to: options.to });
    const { records, index, network } = sourcesOf(options, context.env);
    const { issues, notes, knownThrough } = await readRecords(records, index, network, context);
    const isRequested = (record: KnownRecord) => isAboutReleases(record, options);
    const listed = { records: issues.filter(isRequested), notes: notes.filter(isRequested), knownThrough };
    const { publishedAt } = builtInKnownIssues;
    await writeResult(options, context, {
      json: () => renderDocument<KnownIssuesListResult>({ builtInPublishedAt: publishedAt, ...listed }),
      text: ({ width }) => renderFacts(factsOfKnownIssues(listed, publishedAt), { width }),
    });
    return exitCodes.yes;
  },
});
