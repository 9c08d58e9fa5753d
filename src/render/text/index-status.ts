import type { DeepReadonly } from '../../shared/deep-readonly.js';
import type { IndexStatusResult } from '../json/index-result-schemas.js';
import type { Palette } from '../palette.js';
import { countOf } from '../phrase.js';
import { printable } from '../printable.js';
import { describeAge } from '../words/age.js';

/** A summary of an index, for a person. */
export function renderIndexStatusText(
  status: DeepReadonly<Omit<IndexStatusResult, 'schemaVersion'>>,
  palette: Palette,
): string {
  const { verdicts, newestGreenSpan: span } = status;
  const rows: readonly (readonly [name: string, value: string])[] = [
    ['Index', printable(status.source)],
    ['Generated', `${status.generatedAt} (${describeAge(status.ageMs)})`],
    ['SHA-256', status.sha256],
    ['Releases', `${status.releases}, ${status.firstVersion} to ${status.latestVersion}`],
    ['Floor', status.floorVersion ?? 'none'],
    [
      'Verdicts',
      `${palette.good(`${verdicts.true} true`)}, ${palette.bad(`${verdicts.false} false`)}, ${palette.warn(`${verdicts.unknown} unknown`)}`,
    ],
    ['Backfilled', `${status.backfilled}`],
    [
      'Newest green span',
      span === null
        ? 'none'
        : `${span.fromVersion} -> ${span.toVersion} (${countOf(span.releases, 'release')})`,
    ],
  ];
  return rows.map(([name, value]) => `${palette.bold(`${name}:`)} ${value}\n`).join('');
}
