import { formatNumber } from './phrase.js';

/** Longer lists are shortened unless everything was requested. */
export const longestList = 20;

/** Longer texts from outside are cut, unless everything was requested: JSON has them whole. */
export const longestText = 2000;

/** Versions joined by commas; a long list as its first, its last and their number. */
export function renderVersionList(
  versions: readonly string[],
  { verbose }: { readonly verbose: boolean },
): string {
  if (versions.length === 0) return 'none';
  if (verbose || versions.length <= longestList) return versions.join(', ');
  return `${formatNumber(versions.length)} releases, ${versions[0]} to ${versions.at(-1)} (--verbose lists them)`;
}

/** The first of possibly thousands of lines, and how many more there are. */
export function firstLines(lines: readonly string[], most = longestList, hint = ''): readonly string[] {
  return lines.length <= most
    ? lines
    : [...lines.slice(0, most), `and ${formatNumber(lines.length - most)} more${hint}`];
}
