import { checkUpgrade } from '../app/check-upgrade.js';
import { defineCommand } from '../door/declare.js';
import { endings, factsUnread } from '../door/exit-codes.js';
import { checkOptions, spanQuestionOf } from '../door/options/check-options.js';
import { answerWantedOf } from '../door/options/options.js';

export const command = defineCommand({
  takes: checkOptions,
  exitCodes: {
    0: 'the whole span is proven safe to roll in one step',
    1:
      'it is not: a release in it is false or unknown, a rule forbids the direct upgrade, or the facts of ' +
      '--facts stop it',
    3: `${endings.noIndexOrInstance}; or ${factsUnread('it')}`,
    4: endings.untrusted,
  },
  examples: [
    'lightspan upgrade-check 1.121.0 1.156.0',
    'lightspan upgrade-check --from 1.111.0 --to 1.115.0 --index ./release-safety-index.json --json',
  ],
  namesSettings: 'unless-json',
  run: (options, context, { settings, words }) => {
    const wanted = answerWantedOf(options, words);
    return checkUpgrade(spanQuestionOf(options, settings, context.env), wanted, context);
  },
});
