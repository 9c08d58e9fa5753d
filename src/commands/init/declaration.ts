import { defineCommand } from '../declare.js';
import { allowHttp, tagSuffix } from '../options.js';

export const command = defineCommand({
  takes: {
    instance: {
      flags: '--instance <url>',
      description: 'the running instance, which is asked for its version',
    },
    tagSuffix: {
      ...tagSuffix.tagSuffix,
      description: 'what follows the version in tags, such as -custom',
    },
    ...allowHttp,
  },
  exitCodes: {
    0: 'the file is written, and what was not found is named',
    2: 'the request is wrong, there is a file already, or nothing was found',
    3: 'the instance does not answer, or a file cannot be read or written',
    4: 'the answer of the instance cannot be trusted',
  },
  examples: ['lightspan init', 'lightspan init --instance https://lightdash.example.com'],
  run: async (options, context) => (await import('./run.js')).init(options, context),
});
