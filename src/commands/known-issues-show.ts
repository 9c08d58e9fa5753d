import { renderFacts } from '../answer/formats/text.js';
import { type ResultOf, renderDocument } from '../answer/json/document.js';
import { factsOfKnownIssue } from '../answer/outputs/known-issues.js';
import { readRecords } from '../app/sources/read-index.js';
import { LightspanError } from '../core/lightspan-error.js';
import { didYouMean } from '../core/text/did-you-mean.js';
import { quote } from '../core/text/quote.js';
import { defineCommand } from '../door/declare.js';
import { endings, exitCodes } from '../door/exit-codes.js';
import { issueSources, sourcesOf, sourcesOfAnyAge } from '../door/options/evidence-options.js';
import { json } from '../door/options/options.js';
import { writeResult } from '../door/write-answer.js';
import { isIssue, isNote } from '../known-issues/record-forms.js';
import type { KnownRecord } from '../known-issues/records.js';

/** Its JSON. */
export const resultSchema = async () => {
  const z = await import('zod/mini');
  const { noteSchema, recordSchema } = await import('../known-issues/records.js');
  return z.strictObject({
    schemaVersion: z.literal('1'),
    records: z.array(recordSchema).check(z.describe('More than one if sources differ: each counts.')),
    notes: z.array(noteSchema).check(z.describe('What releases change for some; no verdict changes.')),
  });
};

type KnownIssuesShowResult = ResultOf<typeof resultSchema>;

export const command = defineCommand({
  takes: {
    id: { flags: '<id>', description: 'the id of the known issue' },
    ...issueSources,
    ...sourcesOfAnyAge,
    ...json,
  },
  exitCodes: {
    0: 'it is shown',
    2: 'there is no such known issue',
    3: endings.noRecords,
    4: 'known issues cannot be trusted',
  },
  examples: [
    'lightspan known-issues show start-check-refuses-skips',
    'lightspan known-issues show our-issue --known-issues ./our-issues --json',
  ],
  /** All records of the id, because places may differ on it. */
  run: async (options, context) => {
    const { id } = options;
    const { records: sources, index, network } = sourcesOf(options, context.env);
    const { records: all } = await readRecords(sources, index, network, context);
    const records = all.filter((record) => record.id === id);
    if (records.length === 0) throw noSuchIssue(id, all);
    await writeResult(options, context, {
      json: () =>
        renderDocument<KnownIssuesShowResult>({
          records: records.filter(isIssue),
          notes: records.filter(isNote),
        }),
      text: ({ width }) =>
        records.map((record) => renderFacts(factsOfKnownIssue(record), { width })).join('\n'),
    });
    return exitCodes.yes;
  },
});

function noSuchIssue(id: string, records: readonly KnownRecord[]): LightspanError {
  const near = didYouMean(
    id,
    records.map((record) => record.id),
  );
  return new LightspanError('usage', `there is no known issue ${quote(id)}${near}`, {
    hint: 'lightspan known-issues list names them; --known-issues adds others.',
  });
}
