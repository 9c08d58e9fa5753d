import { renderTable } from '../answer/formats/wrap.js';
import { nameOf, type SettingsOptions, settingsInForce, settingsName } from '../app/settings/in-force.js';
import { acceptancesIn, type Settings } from '../app/settings/read.js';
import type { CommandContext } from '../cli/context.js';
import { defineCommand } from '../cli/declare.js';
import { type ExitCode, exitCodes } from '../cli/exit-codes.js';
import { settings } from '../cli/options.js';
import { isLapsed } from '../core/accepted.js';
import { printable } from '../core/text/printable.js';
import { factOfAcceptance } from '../core/words/accepted.js';
import { publicIndexUrl } from '../read/publisher/publisher-urls.js';

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
  run: showSettings,
});

async function showSettings(
  options: SettingsOptions,
  { stdout, env, now }: CommandContext,
): Promise<ExitCode> {
  const found = await settingsInForce(options, env);
  const { $schema, accept, ignore = [], ...keys }: Settings = found?.settings ?? {};
  const { LIGHTSPAN_INDEX: index, LIGHTSPAN_KNOWN_ISSUES: issues } = env;
  const file = nameOf(found?.file ?? '');
  // What stands further down wins.
  const rows: readonly (readonly [key: string, value: string, from: string])[] = [
    ['index', publicIndexUrl, 'default'],
    ['to', 'latest', 'default'],
    ...valuesIn(keys).map(([key, value]) => [key, value, file] as const),
    ...(index ? [['index', index, 'LIGHTSPAN_INDEX'] as const] : []),
    ...(issues ? [['knownIssues, too', issues, 'LIGHTSPAN_KNOWN_ISSUES'] as const] : []),
    ...ignore.map(({ path, reason }, i) => [`ignore.${i + 1}`, `${path}: ${reason}`, file] as const),
    ...acceptancesIn({ accept }).map((one, i) => {
      const { label, text } = factOfAcceptance({ ...one, state: isLapsed(one, now()) ? 'lapsed' : 'counts' });
      return [`accept.${i + 1}`, `${label}: ${text}`, file] as const;
    }),
  ];
  stdout.write(`Settings: ${printable(found?.shown ?? `none (no ${settingsName} here or above)`)}\n`);
  const last = new Map(rows.map((row) => [row[0], row]));
  stdout.write(renderTable(['KEY', 'VALUE', 'FROM'], [...last.values()]));
  return exitCodes.yes;
}

function valuesIn(value: object, around = ''): (readonly [key: string, value: string])[] {
  return Object.entries(value).flatMap(([key, inner]: readonly [string, unknown]) => {
    if (Array.isArray(inner)) return [[`${around}${key}`, inner.join(', ')] as const];
    if (typeof inner === 'object' && inner !== null) return valuesIn(inner, `${around}${key}.`);
    return [[`${around}${key}`, String(inner)] as const];
  });
}
