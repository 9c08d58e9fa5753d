import { defineCommand } from '../declare.js';
import { settings } from '../options.js';

export const command = defineCommand({
  takes: settings,
  notes:
    'A flag wins over the environment, that over the file, and that over the default. Known issues of all of them count.',
  exitCodes: {
    0: 'the settings are shown; without a file, the defaults',
    2: 'the file has a fault, or the request is wrong',
    3: 'the file cannot be read',
  },
  examples: ['lightspan settings', 'lightspan settings --settings deploy/lightspan.yaml'],
  run: async (options, context) => (await import('./run.js')).showSettings(options, context),
});
