import { renderDocument } from '../answer/json/document.js';
import type { IndexStatusResult } from '../answer/json/index-schemas.js';
import { factsOfIndex } from '../answer/outputs/release-index.js';
import { renderFacts } from '../answer/text.js';
import { exitCodes } from '../exit-codes.js';
import { summarizeIndex } from '../release-safety/index-summary.js';
import { describeSource } from '../sources/index-source.js';
import { sha256 } from '../sources/sha256.js';
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
  /** Exit 0 if the index is available and could be read, whatever it says. */
  run: async (options, context) => {
    const { index, source, bytes } = await readIndex(options, context);
    const status = {
      source: describeSource(source),
      ageMs: context.now().getTime() - Date.parse(index.generatedAt),
      sha256: sha256(bytes),
      ...summarizeIndex(index),
    };
    context.stdout.write(
      options.json === true
        ? renderDocument<IndexStatusResult>(status)
        : renderFacts(factsOfIndex(status), { palette: await choosePalette(options, context) }),
    );
    return exitCodes.yes;
  },
});
