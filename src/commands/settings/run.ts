import { type ExitCode, exitCodes } from '../../exit-codes.js';
import { isLapsed } from '../../release-safety/accepted.js';
import { printable } from '../../render/printable.js';
import { acceptedRisk, factOfAcceptance } from '../../render/words/accepted.js';
import { renderTable } from '../../render/wrap.js';
import { publicIndexUrl } from '../../sources/publisher-urls.js';
import type { CommandContext } from '../context.js';
import { settingsOf } from './fill.js';
import { settingsName } from './find.js';
import type { SettingsOptions } from './options.js';
import { loadSettings } from './read.js';
import type { Settings } from './schema.js';

/** `lightspan settings`: what is in force, and from where. */
export async function showSettings(
  options: SettingsOptions,
  { stdout, env, now }: CommandContext,
): Promise<ExitCode> {
  const place = settingsOf(options);
  const { settings, lineOf } = place === undefined ? { settings: {} } : await loadSettings(place);
  const { $schema, accept = [], ...keys }: Settings = settings;
  const { LIGHTSPAN_INDEX: index, LIGHTSPAN_KNOWN_ISSUES: issues } = env;
  const at = (...path: readonly (string | number)[]) => `${place?.shown}:${lineOf?.(...path)}`;
  // What stands further down wins.
  const rows = new Map([
    ['index', [publicIndexUrl, 'default']],
    ['to', ['latest', 'default']],
    ...valuesIn(keys).map(([path, value]) => [path.join('.'), [value, at(...path)]] as const),
    ...(index ? [['index', [index, 'LIGHTSPAN_INDEX']] as const] : []),
    ...(issues ? [['knownIssues, too', [issues, 'LIGHTSPAN_KNOWN_ISSUES']] as const] : []),
    ...accept.map((one, i) => {
      const { label, text } = factOfAcceptance(acceptedRisk(one, isLapsed(one, now()) ? 'lapsed' : 'counts'));
      return [`accept.${i + 1}`, [`${label}: ${text}`, at('accept', i)]] as const;
    }),
  ]);
  stdout.write(`Settings: ${printable(place?.shown ?? `none (no ${settingsName} here or above)`)}\n`);
  stdout.write(
    renderTable(
      ['KEY', 'VALUE', 'FROM'],
      [...rows].map(([key, row]) => [key, ...row]),
    ),
  );
  return exitCodes.yes;
}

/** Every value of the keys, and its path; a list is one value. */
function valuesIn(
  value: object,
  path: readonly string[] = [],
): (readonly [path: readonly string[], value: string])[] {
  return Object.entries(value).flatMap(([key, inner]: readonly [string, unknown]) => {
    const at = [...path, key];
    if (Array.isArray(inner)) return [[at, inner.join(', ')] as const];
    return typeof inner === 'object' && inner !== null ? valuesIn(inner, at) : [[at, String(inner)] as const];
  });
}
