import type { IndexEntry } from '../src/core/index/index-schema.js';
import type { ReleaseSafetyIndex } from '../src/core/index/release-safety-index.js';
import { compareVersions, parseVersion } from '../src/core/version.js';

/** The newest release in which problems were looked for, and when. */
export interface Horizon {
  readonly version: string;
  /** A date. */
  readonly asOf: string;
}

export interface GitHub {
  /** For example `https://api.github.com`. */
  readonly api: string;
  readonly token: string;
  /** Where the issue is opened: `owner/name`. */
  readonly repository: string;
}

const publisher = 'lightdash/lightdash';
const label = 'known-issues-horizon';
const patienceDays = 30;
/** GitHub takes 65,536 characters. */
const longestBody = 60_000;
const dayMs = 86_400_000;

/**
 * Opens an issue, or rewrites the one that is open, if releases of the index are newer than the horizon of known issues
 * by 30 days, so that somebody reads their notes.
 *
 * @returns what was done, in words
 * @throws if GitHub gives no answer
 */
export async function reportHorizon(
  index: Pick<ReleaseSafetyIndex, 'entries'>,
  horizon: Horizon,
  github: GitHub,
): Promise<string> {
  const known = parseVersion(horizon.version);
  const isNewer = ({ version }: IndexEntry) => compareVersions(version, known) > 0;
  const newer = index.entries.filter(isNewer);
  const reached = index.entries.findLast((entry) => !isNewer(entry))?.releaseDate ?? horizon.asOf;
  const newest = newer.at(-1);
  const days = newest === undefined ? 0 : (Date.parse(newest.releaseDate) - Date.parse(reached)) / dayMs;
  if (newest === undefined || days < patienceDays) {
    return `Nothing to do: the index is ${Math.floor(days)} days ahead of ${horizon.version}.`;
  }
  const title = `Known issues end at ${horizon.version}, and releases reach ${newest.version}`;
  const body = bodyOf(newer, horizon, await readTitles(newer, github));
  const issues = `/repos/${github.repository}/issues`;
  const open = await ask(github, 'GET', `${issues}?state=open&labels=${label}&per_page=1`);
  const number: unknown = Array.isArray(open) ? open[0]?.number : undefined;
  if (typeof number === 'number') {
    await ask(github, 'PATCH', `${issues}/${number}`, { title, body });
    return `Issue ${number} is up to date: ${title}.`;
  }
  await ask(github, 'POST', issues, { title, body, labels: [label] });
  return `Opened: ${title}.`;
}

function bodyOf(
  newer: readonly IndexEntry[],
  { version, asOf }: Horizon,
  titles: ReadonlyMap<string, readonly string[]>,
): string {
  const head = `Problems of releases were looked for up to ${version} (${asOf}). Since then:\n\n`;
  const tail = `\nRead the notes and the publisher's issues, write a record for each problem that an upgrade may meet (CONTRIBUTING.md, "How to add a known issue"), and move \`knownThrough\`. The newest releases come first.\n`;
  let list = '';
  for (const [i, entry] of newer.toReversed().entries()) {
    const verdict = `rolling update: ${entry.rollingUpdateSafe}`;
    const stops = entry.requiredStops.length === 0 ? '' : `, stops: ${entry.requiredStops.join(', ')}`;
    const notes = (titles.get(entry.version) ?? []).map((title) => `  - ${asCode(title)}\n`);
    const lines = `- ${entry.version}, ${entry.releaseDate.slice(0, 10)}, ${verdict}${stops}\n${notes.join('')}`;
    if (head.length + list.length + lines.length + tail.length > longestBody) {
      list += `- and ${newer.length - i} more\n`;
      break;
    }
    list += lines;
  }
  return head + list + tail;
}

/** Words of others as code: they mention nobody, refer to no issue and bring no markup. */
function asCode(text: string): string {
  return `\`${text
    .replaceAll(/[`\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200)}\``;
}

/** What the publisher's notes list of each release, as far as GitHub lists releases: a thousand. */
async function readTitles(newer: readonly IndexEntry[], github: GitHub): Promise<Map<string, string[]>> {
  const wanted = new Set<string>(newer.map(({ version }) => version));
  const titles = new Map<string, string[]>();
  for (let page = 1; page <= 10; page += 1) {
    const releases = await ask(github, 'GET', `/repos/${publisher}/releases?per_page=100&page=${page}`);
    if (!Array.isArray(releases) || releases.length === 0) break;
    for (const { tag_name: tag, body } of releases) {
      if (!wanted.delete(tag)) continue;
      const lines = String(body ?? '').matchAll(/^[*-] +(\S.*)$/gm);
      titles.set(
        tag,
        [...lines].slice(0, 20).map(([, text = '']) => withoutLinks(text)),
      );
    }
    if (wanted.size === 0) break;
  }
  return titles;
}

function withoutLinks(text: string): string {
  return text.replaceAll(/\]\([^()]*\)/g, ']').replaceAll('**', '');
}

async function ask(
  { api, token }: GitHub,
  method: 'GET' | 'PATCH' | 'POST',
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${api}${path}`, {
    method,
    redirect: 'error',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`${method} ${path}: HTTP ${response.status}`);
  return response.json();
}
