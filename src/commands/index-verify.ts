import type { Fact } from '../answer/answer.js';
import { renderFacts } from '../answer/formats/text.js';
import { type ResultOf, renderDocument } from '../answer/json/document.js';
import { indexRequest } from '../app/sources/read-index.js';
import { auditIndexText, type IndexAudit } from '../core/index/index-faults.js';
import { compact } from '../core/text/compact.js';
import { defineCommand } from '../door/declare.js';
import { exitCodeOfAnswer } from '../door/exit-codes.js';
import { indexPlaceOf, sources } from '../door/options/evidence-options.js';
import { colour, json, networkOf } from '../door/options/options.js';
import { writeResult } from '../door/write-answer.js';
import { decodeUtf8 } from '../gather/files/read-file.js';
import { checkIndexAge } from '../gather/publisher/index-age.js';
import { describeSource, readIndexSource } from '../gather/publisher/index-source.js';
import { describeIndexFault } from '../words/evidence/index-faults.js';
import { formatNumber } from '../words/phrase.js';

/** Its JSON. */
export const resultSchema = async () => {
  const z = await import('zod/mini');
  const { countSchema, dateTimeSchema } = await import('../core/field-schemas.js');
  const { indexFaultSchema } = await import('../core/results.js');
  return z.strictObject({
    schemaVersion: z.literal('1'),
    source: z.string(),
    generatedAt: z.optional(dateTimeSchema),
    releases: countSchema,
    valid: z.boolean(),
    faultCount: countSchema.check(z.describe('How many faults there are; the first 1,000 are listed.')),
    faults: z.array(indexFaultSchema),
  });
};

type IndexVerifyResult = ResultOf<typeof resultSchema>;

export const command = defineCommand({
  takes: { ...sources, ...json, ...colour },
  notes: `Faults: fields that are not as documented, keys and releases that appear twice, gaps, disorder, stops and minimums that
no upgrade can meet, a floor that is missing or not marked, dates that run backwards.`,
  exitCodes: {
    0: 'no fault',
    1: 'at least one',
    3: 'no index is available',
    4: 'the answer is not JSON',
  },
  examples: ['lightspan index verify', 'lightspan index verify --index ./release-safety-index.json --json'],
  run: async (options, context) => {
    const request = indexRequest(indexPlaceOf(options, context.env), networkOf(options), context);
    const source = describeSource(request.source);
    const { bytes, keep } = await readIndexSource(request);
    const audit = auditIndexText(decodeUtf8(bytes, 'the index'));
    const { generatedAt, entries: releases, faultCount } = audit;
    if (generatedAt !== undefined) {
      checkIndexAge({ generatedAt }, { ...request, source, now: context.now() });
    }
    const valid = audit.faults.length === 0;
    if (valid) keep();
    const faults = audit.faults.slice(0, mostShown);
    await writeResult(options, context, {
      json: () =>
        renderDocument<IndexVerifyResult>({ source, generatedAt, releases, valid, faultCount, faults }),
      text: ({ palette }) => renderFacts(factsOfAudit(audit, source), { palette }),
    });
    return exitCodeOfAnswer(valid);
  },
});

/**
 * Further faults are counted but not shown: nobody reads on, and a hostile index has a quarter of a million of them.
 */
export const mostShown = 1000;

export function factsOfAudit({ entries, faults, faultCount }: IndexAudit, source: string): Fact[] {
  const shown = faults.slice(0, mostShown);
  const more = faultCount - shown.length;
  const kinds = new Set(shown.map(({ kind }) => kind));
  return compact<Fact>(
    { label: 'Index', text: source },
    { label: 'Releases', text: formatNumber(entries) },
    {
      label: 'Faults',
      text: faultCount === 0 ? 'none' : formatNumber(faultCount),
      tone: faultCount === 0 ? 'good' : 'bad',
      items: compact(
        shown.map((fault) => `${fault.kind}: ${describeIndexFault(fault)}`),
        more > 0 && `and ${formatNumber(more)} more`,
      ),
    },
    kinds.size > 0 && { label: 'Why', text: `lightspan explain ${[...kinds].join(' ')}` },
  );
}
