import type { DeepReadonly } from '../../core/common/deep-readonly.js';
import type { Failure } from '../../core/lightspan-error.js';
import { printable, printableLines } from '../../core/text/printable.js';
import { describeAge, formatNumber } from '../../words/phrase.js';
import type { UpgradeReportResult } from '../json/upgrade-schemas.js';

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

export function renderProvenance(
  { source, generatedAt, sha256 }: DeepReadonly<UpgradeReportResult['index']>,
  releases: number,
  now: Date,
): string {
  return renderLines([
    `Index: ${source}`,
    `Generated: ${generatedAt} (${describeAge(now.getTime() - Date.parse(generatedAt))})`,
    `Releases: ${formatNumber(releases)}`,
    `SHA-256: ${sha256}`,
  ]);
}

/** `Artifacts ███░░░ 29/487, 12 a second, 38 s left` */
export function renderProgress(
  { done, total, seconds }: { readonly done: number; readonly total: number; readonly seconds: number },
  isAscii = false,
): string {
  const width = 24;
  const filled = total === 0 ? width : Math.floor((done * width) / total);
  const [full, empty] = isAscii ? ['#', '.'] : ['█', '░'];
  const rate = seconds < 1 || done === 0 ? 0 : done / seconds;
  const rest =
    rate === 0
      ? ''
      : `, ${rate.toFixed(rate < 10 ? 1 : 0)} a second, ${Math.ceil((total - done) / rate)} s left`;
  return `Artifacts ${full.repeat(filled)}${empty.repeat(width - filled)} ${done}/${total}${rest}`;
}
