import { renderDocument } from '../answer/json/document.js';
import type { IndexVerifyResult } from '../answer/json/index-schemas.js';
import { factsOfAudit, mostShown } from '../answer/outputs/release-index.js';
import { renderFacts } from '../answer/text.js';
import { exitCodeOfAnswer } from '../exit-codes.js';
import { auditIndexText } from '../release-safety/index-faults.js';
import { checkIndexAge } from '../sources/index-age.js';
import { describeSource, readIndexSource } from '../sources/index-source.js';
import { decodeUtf8 } from '../sources/read-file.js';
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
  /** Exit 0 only if no fault was found. */
  run: async (options, context) => {
    const request = indexRequest(options, context);
    const source = describeSource(request.source);
    const { bytes, keep } = await readIndexSource(request);
    const audit = auditIndexText(decodeUtf8(bytes, 'the index'));
    const { generatedAt, entries, faults, faultCount } = audit;
    if (generatedAt !== undefined) {
      checkIndexAge({ generatedAt }, { ...request, source, now: context.now() });
    }
    const valid = faults.length === 0;
    if (valid) keep();
    context.stdout.write(
      options.json === true
        ? renderDocument<IndexVerifyResult>({
            source,
            generatedAt,
            releases: entries,
            valid,
            faultCount,
            faults: faults.slice(0, mostShown),
          })
        : renderFacts(factsOfAudit(audit, source), { palette: await choosePalette(options, context) }),
    );
    return exitCodeOfAnswer(valid);
  },
});
