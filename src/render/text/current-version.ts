import { printable } from '../printable.js';

/** The version that runs and where it was found, for a person. */
export function renderCurrentVersion({
  version,
  source,
}: {
  readonly version: string;
  readonly source: string;
}): string {
  return `Current version: ${version}, from ${printable(source)}\n`;
}
