import { Command } from 'commander';
import type { Act } from '../context.js';
import { addUsage } from '../usage.js';
import { addSettingsOptions, type SettingsOptions } from './options.js';

export function declareSettings(act: Act): Command {
  const command = new Command('settings').description(
    'Show what the nearest lightspan.yaml decides for the commands of an instance, and what decides the rest.',
  );
  return addUsage(
    addSettingsOptions(command).action((options: SettingsOptions) =>
      act(async (context) => (await import('./run.js')).showSettings(options, context)),
    ),
    {
      notes:
        'A flag wins over the environment, that over the file, and that over the default. Known issues of all of them count.',
      exitCodes: {
        0: 'the settings are shown; without a file, the defaults',
        2: 'the file has a fault, or the request is wrong',
        3: 'the file cannot be read',
      },
      examples: ['lightspan settings', 'lightspan settings --settings deploy/lightspan.yaml'],
    },
  );
}
