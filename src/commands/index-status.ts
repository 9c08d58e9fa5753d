import type { Fact } from '../answer/answer.js';
import { renderFacts } from '../answer/formats/text.js';
import { renderDocument } from '../answer/json/document.js';
import type { IndexStatusResult } from '../answer/json/index-schemas.js';
import { readIndex } from '../app/read-index.js';
import { choosePalette } from '../cli/context.js';
import { defineCommand } from '../cli/declare.js';
import { exitCodes } from '../cli/exit-codes.js';
import { output, sources } from '../cli/options.js';
import { indexPlaceOf, networkOf } from '../cli/questions.js';
import { summarizeIndex } from '../core/index/index-summary.js';
import { describeAge } from '../core/text/measures.js';
import { countOf, number } from '../core/text/phrase.js';
import { sha256 } from '../read/files/sha256.js';
import { describeSource } from '../read/publisher/index-source.js';

export const command = defineCommand({
  takes: { ...sources, ...output },
  exitCodes: {
    0: 'the index is described, whatever its age',
    2: 'the request is wrong',
    3: 'no index is available',
    4: 'the index cannot be trusted',
  },
  examples: ['lightspan index status', 'lightspan index status --index ./mirror --max-age 7d --json'],
  run: async (options, context) => {
    const { index, source, bytes } = await readIndex(
      indexPlaceOf(options, context.env),
      networkOf(options),
      context,
    );
    const summary = summarizeIndex(index);
    const { generatedAt, releases, verdicts, newestGreenSpan: span } = summary;
    const ageMs = context.now().getTime() - Date.parse(generatedAt);
    const status = { source: describeSource(source), ageMs, sha256: sha256(bytes), ...summary };
    if (options.json === true) {
      context.stdout.write(renderDocument<IndexStatusResult>(status));
      return exitCodes.yes;
    }
    const green = span && `${span.fromVersion} -> ${span.toVersion} (${countOf(span.releases, 'release')})`;
    const facts: Fact[] = [
      { label: 'Index', text: status.source },
      { label: 'Generated', text: `${generatedAt} (${describeAge(ageMs)})` },
      { label: 'SHA-256', text: status.sha256 },
      { label: 'Releases', text: `${number(releases)}, ${summary.firstVersion} to ${summary.latestVersion}` },
      { label: 'Floor', text: summary.floorVersion ?? 'none' },
      {
        label: 'Verdicts',
        text: `${verdicts.true} true, ${verdicts.false} false, ${verdicts.unknown} unknown`,
      },
      { label: 'Backfilled', text: String(summary.backfilled) },
      { label: 'Newest span that rolls', text: green ?? 'none', tone: span === null ? 'warn' : 'good' },
    ];
    context.stdout.write(renderFacts(facts, { palette: await choosePalette(options, context) }));
    return exitCodes.yes;
  },
});
