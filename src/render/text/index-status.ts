import type { IndexSummary } from '../../release-safety/index-summary.js';
import type { Palette } from '../palette.js';
import { printable } from '../printable.js';
import { describeAge } from './provenance.js';

export interface IndexStatus extends IndexSummary {
  readonly source: string;
  /** Since it was generated. */
  readonly ageMs: number;
  /** Hex, of the bytes as they were read. */
  readonly sha256: string;
}

/** An index at a glance, for a person. */
export function renderIndexStatusText(status: IndexStatus, palette: Palette): string {
  const { verdicts, newestGreenSpan: span } = status;
  const rows: readonly (readonly [name: string, value: string])[] = [
    ['Index', printable(status.source)],
    ['Generated', `${status.generatedAt} (${describeAge(status.ageMs)})`],
    ['SHA-256', status.sha256],
    ['Releases', `${status.releases}, ${status.firstVersion} to ${status.latestVersion}`],
    ['Floor', status.floorVersion],
    [
      'Verdicts',
      `${palette.good(`${verdicts.true} true`)}, ${palette.bad(`${verdicts.false} false`)}, ${palette.doubtful(`${verdicts.unknown} unknown`)}`,
    ],
    ['Backfilled', `${status.backfilled}`],
    [
      'Newest green span',
      span === null
        ? 'none'
        : `${span.fromVersion} -> ${span.toVersion} (${describeReleases(span.releases)})`,
    ],
  ];
  return rows.map(([name, value]) => `${palette.strong(`${name}:`)} ${value}\n`).join('');
}

function describeReleases(releases: number): string {
  return releases === 1 ? '1 release' : `${releases} releases`;
}
