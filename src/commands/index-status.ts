import type { Fact } from '../answer/answer.js';
import { renderDocument } from '../answer/json/document.js';
import type { IndexStatusResult } from '../answer/json/index-schemas.js';
import { renderFacts } from '../answer/text.js';
import { exitCodes } from '../exit-codes.js';
import { summarizeIndex } from '../release-safety/index-summary.js';
import { describeSource } from '../sources/index-source.js';
import { sha256 } from '../sources/sha256.js';
import { describeAge } from '../words/measures.js';
import { countOf } from '../words/phrase.js';
import { choosePalette } from './context.js';
import { defineCommand } from './declare.js';
import { output, sources } from './options.js';
import { readIndex } from './read-index.js';

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
    const { index, source, bytes } = await readIndex(options, context);
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
      { label: 'Releases', text: `${releases}, ${summary.firstVersion} to ${summary.latestVersion}` },
      { label: 'Floor', text: summary.floorVersion ?? 'none' },
      {
        label: 'Verdicts',
        text: `${verdicts.true} true, ${verdicts.false} false, ${verdicts.unknown} unknown`,
      },
      { label: 'Backfilled', text: String(summary.backfilled) },
      { label: 'Newest green span', text: green ?? 'none', tone: span === null ? 'warn' : 'good' },
    ];
    context.stdout.write(renderFacts(facts, { palette: await choosePalette(options, context) }));
    return exitCodes.yes;
  },
});
