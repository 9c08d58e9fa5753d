import type { Fact } from '../answer/answer.js';
import { renderDocument } from '../answer/json/document.js';
import type { IndexVerifyResult } from '../answer/json/index-schemas.js';
import { renderFacts } from '../answer/text.js';
import { exitCodeOfAnswer } from '../exit-codes.js';
import { auditIndexText, type IndexAudit } from '../release-safety/index-faults.js';
import { compact } from '../shared/compact.js';
import { checkIndexAge } from '../sources/index-age.js';
import { describeSource, readIndexSource } from '../sources/index-source.js';
import { decodeUtf8 } from '../sources/read-file.js';
import { describeIndexFault } from '../words/index-faults.js';
import { number } from '../words/phrase.js';
import { choosePalette } from './context.js';
import { defineCommand } from './declare.js';
import { colour, json, sources } from './options.js';
import { indexRequest } from './read-index.js';

export const command = defineCommand({
  takes: { ...sources, ...json, ...colour },
  notes: `Faults: fields that are not as documented, keys and releases that appear twice, gaps, disorder, stops and minimums that
no upgrade can meet, a floor that is missing or not marked, dates that run backwards.`,
  exitCodes: {
    0: 'no fault',
    1: 'at least one',
    2: 'the request is wrong',
    3: 'no index is available',
    4: 'what came is not JSON',
  },
  examples: ['lightspan index verify', 'lightspan index verify --index ./release-safety-index.json --json'],
  run: async (options, context) => {
    const request = indexRequest(options, context);
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
    context.stdout.write(
      options.json === true
        ? renderDocument<IndexVerifyResult>({ source, generatedAt, releases, valid, faultCount, faults })
        : renderFacts(factsOfAudit(audit, source), { palette: await choosePalette(options, context) }),
    );
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
    { label: 'Releases', text: String(entries) },
    {
      label: 'Faults',
      text: String(faultCount || 'none'),
      tone: faultCount === 0 ? 'good' : 'bad',
      items: compact(
        shown.map((fault) => `${fault.kind}: ${describeIndexFault(fault)}`),
        more > 0 && `and ${number(more)} more`,
      ),
    },
    kinds.size > 0 && { label: 'Why', text: `lightspan explain ${[...kinds].join(' ')}` },
  );
}
