import type { Failure } from '../../errors.js';
import { compact } from '../../shared/compact.js';
import { describeAge } from '../../words/measures.js';
import { countOf, listNames } from '../../words/phrase.js';
import { printable, printableLines } from '../../words/printable.js';

/** One line each, harmless for a terminal. */
export function renderLines(lines: readonly string[]): string {
  return lines.map((line) => `${printable(line)}\n`).join('');
}

/** What went wrong and what to do about it, for a person, on stderr. */
export function renderFailureText({ message, hint }: Failure): string {
  return `lightspan: ${printable(message)}\n${hint === undefined ? '' : `${printableLines(hint)}\n`}`;
}

export function renderCurrentVersion(found: { readonly version: string; readonly source: string }): string {
  return renderLines([`Current version: ${found.version}, from ${found.source}`]);
}

/** The version that `latest` stands for: in an old index, it is an older one. */
export function renderLatest(version: string): string {
  return `Target: latest; the newest release in this index is ${version}\n`;
}

export function renderProvenance({
  source,
  generatedAt,
  now,
  entries,
  sha256,
}: {
  readonly source: string;
  /** ISO 8601. */
  readonly generatedAt: string;
  readonly now: Date;
  readonly entries: number;
  /** The digest, in hex, of the bytes as they were read. */
  readonly sha256: string;
}): string {
  return renderLines([
    `Index: ${source}`,
    `Generated: ${generatedAt} (${describeAge(now.getTime() - Date.parse(generatedAt))})`,
    `Releases: ${entries}`,
    `SHA-256: ${sha256}`,
  ]);
}

/** The progress of a task of many parts, as a bar. */
export function renderProgress(what: string, done: number, total: number): string {
  const width = 24;
  const filled = total === 0 ? width : Math.floor((done * width) / total);
  return `${what} ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total}`;
}

/** Where the pins of a change were looked for, and what was found. */
export function renderPinSearch(
  places: readonly { readonly file: string; readonly path: readonly string[] }[],
  { files, notRead }: { readonly files: readonly string[]; readonly notRead: readonly string[] },
): string {
  const found = [...new Set(places.map(({ file, path }) => `${file}#${path.join('.')}`))];
  const line = (lead: string, names: readonly string[]) =>
    names.length > 0 && `${lead}: ${listNames(names, 10)}`;
  return renderLines(
    compact(
      files.length + found.length === 0 && 'No file of this change can pin Lightdash.',
      line(`Searched ${countOf(files.length, 'file')} of the change for pins of Lightdash`, files),
      line(`Found ${countOf(found.length, 'pin')}`, found),
      line('Not read, because it is no plain YAML', notRead),
    ),
  );
}
