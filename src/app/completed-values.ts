import type { CommandContext } from '../cli/context.js';
import { mostBytes } from '../read/limits.js';
import { loadIndex } from '../read/publisher/index-source.js';
import { publicIndexUrl } from '../read/publisher/publisher-urls.js';
import { indexRequest } from './sources/read-index.js';

const most = 20;

/**
 * The versions that may stand at the end of a command line, the newest first: of the index that it names, or of the
 * cached one. Never from the network, and none where the index cannot be read.
 */
export async function versionsToComplete(
  words: readonly string[],
  context: CommandContext,
): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const at = words.indexOf('--index');
  const index = at < 0 ? undefined : words[at + 1];
  const place = { source: index ?? (context.env.LIGHTSPAN_INDEX || publicIndexUrl), isFolder: false };
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
