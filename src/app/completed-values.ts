import type { CommandContext } from '../door/context.js';
import { mostBytes } from '../gather/limits.js';
import { loadIndex } from '../gather/publisher/index-source.js';
import { publicIndexUrl } from '../gather/publisher/publisher-urls.js';
import { indexVariable } from '../question/option-settings.js';
import { indexRequest } from './sources/read-index.js';

const most = 20;

/**
 * The versions that may stand at the end of a command line, the newest first: of the index that it names, that the
 * environment or the settings name, or of the cached one. Never from the network, and none where the index cannot be read.
 */
export async function versionsToComplete(
  words: readonly string[],
  context: CommandContext,
): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const index = valueNamed('--index', words);
  const network = {
    timeoutMs: 1000,
    maxBytes: mostBytes.source,
    allowHttp: false,
    cache: true,
    offline: true,
  };
  const quiet = { ...context, stderr: { write: () => {} } };
  try {
    if (index === '-') return [];
    const named = index ?? (context.env[indexVariable] || (await indexOfSettings(words, context.env)));
    const place = { source: named ?? publicIndexUrl, isFolder: false };
    const { entries } = (
      await loadIndex(indexRequest({ ...place, maxAgeMs: undefined, verbose: false }, network, quiet))
    ).index;
    return entries
      .map(({ version }) => version)
      .filter((version) => version.startsWith(current))
      .reverse()
      .slice(0, most);
  } catch {
    return [];
  }
}

function valueNamed(option: string, words: readonly string[]): string | undefined {
  const at = words.indexOf(option);
  return at < 0 ? undefined : words[at + 1];
}

/** A file is named as seen from the settings. */
async function indexOfSettings(
  words: readonly string[],
  env: CommandContext['env'],
): Promise<string | undefined> {
  if (words.includes('--no-settings')) return undefined;
  const { namedInSettings, settingsInForce } = await import('./settings/in-force.js');
  const inForce = await settingsInForce({ settings: valueNamed('--settings', words) }, env);
  const index = inForce?.settings.index;
  return inForce && index && namedInSettings(inForce, index).path;
}
